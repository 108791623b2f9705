//! What every store must do, whatever it keeps its rows in. Each case gets an empty store.

use chips::Chips;
use ledger::{Account, Balance, PlayerId, Posting, Reason, Unpostable};
use store::{
    AcceptedCommand, Append, Batch, ChainHash, Head, KeptPosting, Lease, Malformed, PostingPlace,
    Record, Seq, Store, StoreFailure, StreamId, limits,
};

/// 2026-01-01 00:00 UTC.
pub const START_MS: i64 = 1_767_225_600_000;

pub fn account(text: &str) -> Account {
    text.parse().unwrap()
}

pub fn player(number: u64) -> PlayerId {
    PlayerId::new(number).unwrap()
}

pub fn posting(from: &str, to: &str, minor: u64, reason: Reason) -> Posting {
    Posting::new(account(from), account(to), Chips::new(minor).unwrap(), reason).unwrap()
}

pub fn grant(to: u64, minor: u64) -> Posting {
    posting("cage", &format!("player:{to}"), minor, Reason::Grant)
}

pub fn stake(from: u64, table: u32, minor: u64) -> Posting {
    posting(&format!("player:{from}"), &format!("layout:{table}"), minor, Reason::Stake)
}

/// An append of one record with these postings.
pub fn append(stream: u32, expected: u64, lease: Lease, postings: &[Posting]) -> Append {
    let mut append = Append::new(StreamId(stream), Seq(expected), lease);
    let seq = append.record(START_MS, "happened", format!("{{\"after\":{expected}}}"));
    append.postings = postings.iter().map(|posting| (seq, *posting)).collect();
    append
}

pub fn batch(appends: Vec<Append>) -> Batch {
    Batch { appends }
}

fn command(id: &str, stream: u32, seq: u64) -> AcceptedCommand {
    AcceptedCommand {
        player: player(7),
        command_id: id.to_owned(),
        body_hash: [7; 32],
        stream: StreamId(stream),
        seq: Seq(seq),
        answer: format!("{{\"balance\":900,\"id\":\"{id}\"}}"),
    }
}

pub fn kept(store: &mut dyn Store) -> String {
    let balances = store.balances().unwrap();
    balances.iter().map(|(a, b)| format!("{a} {}", b.minor())).collect::<Vec<_>>().join(", ")
}

/// Everything that can be seen of a store, to tell whether it was changed.
pub fn sight(store: &mut dyn Store) -> (Vec<Vec<Record>>, String, Vec<Head>, Vec<KeptPosting>) {
    let streams = store.streams().unwrap();
    let records = streams.iter().map(|s| store.load(*s, Seq(0), 1_000).unwrap()).collect();
    let heads = streams.iter().map(|s| store.verify_chain(*s).unwrap()).collect();
    let all = |s: &StreamId| store.postings(*s, PostingPlace::START, 1_000).unwrap();
    let postings = streams.iter().flat_map(all).collect();
    let report = store.verify_books().unwrap();
    assert!(report.is_right(), "{report:?}");
    (records, kept(store), heads, postings)
}

fn refused(store: &mut dyn Store, batch: &Batch) -> StoreFailure {
    let before = sight(store);
    let failure = store.commit(batch).unwrap_err();
    assert!(failure.is_refusal(), "{failure}");
    assert_eq!(sight(store), before, "a refusal changes nothing: {failure}");
    failure
}

pub fn what_is_appended_is_loaded(store: &mut dyn Store) {
    let stream = StreamId(3);
    assert_eq!(store.head(stream).unwrap(), Head::START);
    assert_eq!(store.streams().unwrap(), []);
    let lease = store.acquire_lease(stream).unwrap();
    assert_eq!(store.streams().unwrap(), [], "a stream without records is none");
    let mut first = Append::new(stream, Seq(0), lease);
    assert_eq!(first.record(START_MS, "opened", "{}"), Seq(1));
    assert_eq!(first.record(START_MS - 5, "bet", "{\"stake\":2000}"), Seq(2));
    store.commit(&batch(vec![first.clone()])).unwrap();
    let mut second = Append::new(stream, Seq(2), lease);
    second.record(START_MS + 1, "closed", "");
    store.commit(&batch(vec![second.clone()])).unwrap();
    let all = [first.records, second.records].concat();
    assert_eq!(store.load(stream, Seq(0), 10).unwrap(), all);
    assert_eq!(store.load(stream, Seq(2), 10).unwrap(), all[2..]);
    assert_eq!(store.load(StreamId(4), Seq(0), 10).unwrap(), []);
    let hash = all.iter().fold(ChainHash::START, |hash, record| hash.then(record));
    assert_eq!(store.head(stream).unwrap(), Head { seq: Seq(3), hash });
    assert_eq!(store.verify_chain(stream).unwrap(), Head { seq: Seq(3), hash });
    assert_eq!(store.streams().unwrap(), [stream]);
}

pub fn a_taken_seq_is_refused(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    store.commit(&batch(vec![append(3, 0, lease, &[])])).unwrap();
    let failure = refused(store, &batch(vec![append(3, 0, lease, &[])]));
    let (expected, head) = (Seq(0), Seq(1));
    assert!(
        matches!(failure, StoreFailure::SeqTaken { stream: StreamId(3), expected: e, head: h }
            if e == expected && h == head),
        "{failure}"
    );
    let failure = refused(store, &batch(vec![append(3, 2, lease, &[])]));
    assert_eq!(failure.code(), "STORE_SEQ_AHEAD");
    store.commit(&batch(vec![append(3, 1, lease, &[])])).unwrap();
}

pub fn a_stale_lease_is_refused(store: &mut dyn Store) {
    let failure = refused(store, &batch(vec![append(3, 0, Lease(1), &[])]));
    assert!(matches!(failure, StoreFailure::StaleLease { current: None, .. }), "{failure}");
    let old = store.acquire_lease(StreamId(3)).unwrap();
    let other_table = store.acquire_lease(StreamId(4)).unwrap();
    store.commit(&batch(vec![append(3, 0, old, &[])])).unwrap();
    let new = store.acquire_lease(StreamId(3)).unwrap();
    assert!(new > old);
    let failure = refused(store, &batch(vec![append(3, 1, old, &[])]));
    assert!(
        matches!(failure, StoreFailure::StaleLease { given, current: Some(current), .. }
            if given == old && current == new),
        "{failure}"
    );
    let failure = refused(store, &batch(vec![append(3, 1, Lease(new.0 + 1), &[])]));
    assert_eq!(failure.code(), "STORE_STALE_LEASE");
    store.commit(&batch(vec![append(3, 1, new, &[])])).unwrap();
    store.commit(&batch(vec![append(4, 0, other_table, &[])])).unwrap();
}

/// OPS-31, I5; cases.md 148.
pub fn an_overdraft_is_refused_whole(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    store.commit(&batch(vec![append(3, 0, lease, &[grant(7, 100), grant(8, 100)])])).unwrap();
    let bets = [stake(8, 3, 60), stake(7, 3, 60), stake(7, 3, 60)];
    let mut bad = append(3, 1, lease, &bets);
    bad.commands = vec![command("b1", 3, 2)];
    let failure = refused(store, &batch(vec![bad]));
    let needed = Chips::new(60).unwrap();
    let balance = Balance::new(40).unwrap();
    assert!(
        matches!(failure, StoreFailure::Overdraft(Unpostable::Overdraft {
            account: a, balance: b, needed: n,
        }) if a == account("player:7") && b == balance && n == needed),
        "{failure}"
    );
    assert_eq!(store.command(player(7), "b1").unwrap(), None);
    store.commit(&batch(vec![append(3, 1, lease, &bets[..2])])).unwrap();
    assert_eq!(kept(store), "cage -200, player:7 40, player:8 40, layout:3 120");
    for stuck in ["layout:4", "commission:3", "rake:3", "stack:3:7"] {
        let from = posting(stuck, "float:3", 1, Reason::StakeLost);
        assert_eq!(
            refused(store, &batch(vec![append(3, 2, lease, &[from])])).code(),
            "STORE_OVERDRAFT"
        );
    }
    let paid = posting("float:3", "player:7", 5, Reason::Winnings);
    store.commit(&batch(vec![append(3, 2, lease, &[paid])])).unwrap();
    let full = grant(7, Chips::MAX.minor());
    let failure = refused(store, &batch(vec![append(3, 3, lease, &[full])]));
    assert_eq!(failure.code(), "STORE_OVERDRAFT");
}

pub fn the_order_of_postings_counts(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let house = store.acquire_lease(StreamId::HOUSE).unwrap();
    let bet = || append(3, 0, lease, &[stake(7, 3, 50)]);
    let gift = || append(0, 0, house, &[grant(7, 50)]);
    assert_eq!(refused(store, &batch(vec![bet(), gift()])).code(), "STORE_OVERDRAFT");
    store.commit(&batch(vec![gift(), bet()])).unwrap();
    assert_eq!(kept(store), "cage -50, layout:3 50");
}

pub fn several_streams_commit_together_or_not_at_all(store: &mut dyn Store) {
    let leases: Vec<Lease> =
        (0..4).map(|stream| store.acquire_lease(StreamId(stream)).unwrap()).collect();
    let all = |expected: u64, last: Lease| {
        let first = append(0, expected, leases[0], &[grant(7, 10)]);
        let middle = (1..3).map(|s| append(s, expected, leases[s as usize], &[stake(7, s, 5)]));
        let last = append(3, expected, last, &[]);
        batch(std::iter::once(first).chain(middle).chain([last]).collect())
    };
    store.commit(&all(0, leases[3])).unwrap();
    assert_eq!(store.streams().unwrap(), [0, 1, 2, 3].map(StreamId));
    assert_eq!(kept(store), "cage -10, layout:1 5, layout:2 5");
    assert_eq!(refused(store, &all(1, Lease(99))).code(), "STORE_STALE_LEASE");
    let mut late = all(1, leases[3]);
    late.appends[3] = append(3, 0, leases[3], &[]);
    assert_eq!(refused(store, &late).code(), "STORE_SEQ_TAKEN");
    late.appends[3] = append(3, 1, leases[3], &[stake(9, 3, 1)]);
    assert_eq!(refused(store, &late).code(), "STORE_OVERDRAFT");
    store.commit(&all(1, leases[3])).unwrap();
    assert_eq!(kept(store), "cage -20, layout:1 10, layout:2 10");
}

/// OPS-30; cases.md 151 and 152: the first answer is given again.
pub fn a_command_is_remembered(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    assert_eq!(store.command(player(7), "b1").unwrap(), None);
    let mut first = append(3, 0, lease, &[grant(7, 100)]);
    first.record(START_MS, "bet", "{}");
    first.commands = vec![command("b2", 3, 2), command("b1", 3, 1)];
    store.commit(&batch(vec![first])).unwrap();
    assert_eq!(store.command(player(7), "b1").unwrap(), Some(command("b1", 3, 1)));
    assert_eq!(store.command(player(7), "b2").unwrap(), Some(command("b2", 3, 2)));
    assert_eq!(store.command(player(8), "b1").unwrap(), None, "ids are each player's own");
    assert_eq!(store.command(player(7), "B1").unwrap(), None);
    assert_eq!(store.command(player(7), "").unwrap(), None);
}

pub fn a_command_is_accepted_once(store: &mut dyn Store) {
    let (lease, other) =
        (store.acquire_lease(StreamId(3)).unwrap(), store.acquire_lease(StreamId(4)).unwrap());
    let mut first = append(3, 0, lease, &[grant(7, 100)]);
    first.commands = vec![command("b1", 3, 1)];
    store.commit(&batch(vec![first])).unwrap();
    let mut again = append(4, 0, other, &[grant(7, 100)]);
    again.commands = vec![AcceptedCommand { body_hash: [8; 32], ..command("b1", 4, 1) }];
    let failure = refused(store, &batch(vec![again.clone()]));
    assert!(
        matches!(&failure, StoreFailure::DuplicateCommand { player: p, command_id }
            if *p == player(7) && command_id == "b1"),
        "{failure}"
    );
    again.commands = vec![command("b2", 4, 1), command("b2", 4, 1)];
    assert_eq!(refused(store, &batch(vec![again.clone()])).code(), "STORE_DUPLICATE_COMMAND");
    again.commands = vec![AcceptedCommand { player: player(8), ..command("b1", 4, 1) }];
    store.commit(&batch(vec![again])).unwrap();
    assert_eq!(store.command(player(7), "b1").unwrap(), Some(command("b1", 3, 1)));
}

/// I1.
pub fn balances_are_the_sum_of_postings(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let coup = [
        grant(7, 10_000),
        stake(7, 3, 2_000),
        posting("float:3", "player:7", 2_000, Reason::Winnings),
        posting("player:7", "commission:3", 100, Reason::Commission),
        posting("layout:3", "player:7", 2_000, Reason::StakeReturned),
    ];
    store.commit(&batch(vec![append(3, 0, lease, &coup)])).unwrap();
    let undone: Vec<Posting> = coup[2..4].iter().rev().map(|p| p.reversal()).collect();
    store.commit(&batch(vec![append(3, 1, lease, &undone)])).unwrap();
    assert_eq!(kept(store), "cage -10000, player:7 10000");
    assert_eq!(store.balance(account("player:7")).unwrap().minor(), 10_000);
    assert_eq!(store.balance(account("player:8")).unwrap(), Balance::ZERO);
    let report = store.verify_books().unwrap();
    assert!(report.is_right(), "{report:?}");
    assert_eq!((report.postings, report.accounts), (7, 5));
}

pub fn postings_are_paged_by_stream(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut three = append(3, 0, lease, &[grant(7, 1), grant(7, 2)]);
    three.record(START_MS, "quiet", "{}");
    let last = three.record(START_MS + 9, "paid", "{}");
    three.postings.extend([3, 4, 5].map(|minor| (last, grant(8, minor))));
    store.commit(&batch(vec![three])).unwrap();
    let other = store.acquire_lease(StreamId(4)).unwrap();
    store.commit(&batch(vec![append(4, 0, other, &[grant(7, 100)])])).unwrap();
    store.commit(&batch(vec![append(3, 3, lease, &[grant(7, 6)])])).unwrap();
    let whole = store.postings(StreamId(3), PostingPlace::START, 100).unwrap();
    let shown: Vec<_> = whole.iter().map(|k| (k.place.seq.0, k.place.number, k.posting)).collect();
    let right =
        [(1, 1, 7, 1), (1, 2, 7, 2), (3, 1, 8, 3), (3, 2, 8, 4), (3, 3, 8, 5), (4, 1, 7, 6)]
            .map(|(seq, number, to, minor)| (seq, number, grant(to, minor)));
    assert_eq!(shown, right);
    assert_eq!((whole[2].stream, whole[2].at_ms), (StreamId(3), START_MS + 9));
    for limit in 1..=7 {
        let mut paged = Vec::new();
        let mut after = PostingPlace::START;
        loop {
            let page = store.postings(StreamId(3), after, limit).unwrap();
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            after = last.place;
            paged.extend(page);
        }
        assert_eq!(paged, whole, "pages of {limit}");
    }
    assert_eq!(store.postings(StreamId(3), PostingPlace::START, 0).unwrap(), []);
    assert_eq!(store.postings(StreamId(9), PostingPlace::START, 9).unwrap(), []);
    let past = PostingPlace { seq: Seq(u64::MAX), number: u32::MAX };
    assert_eq!(store.postings(StreamId(3), past, usize::MAX).unwrap(), []);
}

pub fn postings_are_paged_by_player(store: &mut dyn Store) {
    let leases = [3, 4].map(|stream| store.acquire_lease(StreamId(stream)).unwrap());
    let lost = posting("layout:3", "float:3", 1, Reason::StakeLost);
    let bought = posting("player:7", "stack:4:7", 30, Reason::Stake);
    let three = append(3, 0, leases[0], &[grant(7, 50), grant(8, 9), stake(7, 3, 1), lost]);
    store.commit(&batch(vec![three])).unwrap();
    store.commit(&batch(vec![append(4, 0, leases[1], &[bought])])).unwrap();
    store.commit(&batch(vec![append(3, 1, leases[0], &[stake(7, 3, 2)])])).unwrap();
    let whole = store.player_postings(player(7), None, 100).unwrap();
    let shown: Vec<_> = whole.iter().map(|k| (k.stream.0, k.posting)).collect();
    assert_eq!(
        shown,
        [(3, stake(7, 3, 2)), (4, bought), (3, stake(7, 3, 1)), (3, grant(7, 50))],
        "newest first, over all tables"
    );
    let mut paged = Vec::new();
    let mut before = None;
    loop {
        let page = store.player_postings(player(7), before, 1).unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.order);
        paged.extend(page);
    }
    assert_eq!(paged, whole);
    assert_eq!(store.player_postings(player(7), Some(0), 9).unwrap(), []);
    assert_eq!(store.player_postings(player(9), None, 9).unwrap(), []);
}

pub fn records_are_paged_within_bounds(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut long = Append::new(StreamId(3), Seq(0), lease);
    let count = limits::PAGE_MAX + 5;
    for number in 0..count {
        long.record(START_MS, "tick", number.to_string());
    }
    store.commit(&batch(vec![long])).unwrap();
    let page = store.load(StreamId(3), Seq(0), usize::MAX).unwrap();
    assert_eq!(page.len(), limits::PAGE_MAX);
    let rest = store.load(StreamId(3), page.last().unwrap().seq, usize::MAX).unwrap();
    assert_eq!(rest.len(), 5);
    assert_eq!(rest[4].body, (count - 1).to_string());
    assert_eq!(store.load(StreamId(3), Seq(count as u64), 9).unwrap(), []);
    assert_eq!(store.load(StreamId(3), Seq(u64::MAX), 9).unwrap(), []);
    assert_eq!(store.load(StreamId(3), Seq(0), 0).unwrap(), []);
    assert_eq!(store.load(StreamId(3), Seq(3), 1).unwrap()[0].body, "3");
}

pub fn a_long_page_ends_early(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut heavy = Append::new(StreamId(3), Seq(0), lease);
    let count = 16 + 4;
    for _ in 0..count {
        heavy.record(START_MS, "k", "x".repeat(limits::PAGE_BYTES_MAX / 16));
    }
    store.commit(&batch(vec![heavy])).unwrap();
    let page = store.load(StreamId(3), Seq(0), 1_000).unwrap();
    assert_eq!(page.len(), count - 4);
    assert_eq!(store.load(StreamId(3), Seq(page.len() as u64), 1_000).unwrap().len(), 4);
    assert_eq!(store.verify_chain(StreamId(3)).unwrap().seq, Seq(count as u64));
}

pub fn ten_thousand_postings_fit_in_one_batch(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let grants: Vec<Posting> = (1..=2_000).map(|number| grant(number, 100)).collect();
    let bets: Vec<Posting> = (1..=8_000).map(|n| stake(n % 2_000 + 1, 3, 25)).collect();
    let all = [grants, bets].concat();
    store.commit(&batch(vec![append(3, 0, lease, &all)])).unwrap();
    assert_eq!(kept(store), "cage -200000, layout:3 200000");
    let report = store.verify_books().unwrap();
    assert!(report.is_right() && report.postings == 10_000, "{report:?}");
    let page = store.postings(StreamId(3), PostingPlace::START, usize::MAX).unwrap();
    assert_eq!(page.len(), limits::PAGE_MAX);
    assert!(page.iter().map(|k| k.posting).eq(all));
}

pub fn a_malformed_batch_is_refused(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let good = || append(3, 0, lease, &[grant(7, 1)]);
    let with = |change: &dyn Fn(&mut Append)| {
        let mut append = good();
        change(&mut append);
        batch(vec![append])
    };
    let cases: [(Batch, &str); 17] = [
        (batch(vec![]), "Empty"),
        (with(&|a| a.records.clear()), "Empty"),
        (batch(vec![good(), good()]), "StreamTwice"),
        (with(&|a| a.records[0].stream = StreamId(4)), "OtherStream"),
        (with(&|a| a.records[0].seq = Seq(2)), "SeqOutOfOrder"),
        (with(&|a| a.expected = Seq(u64::MAX)), "SeqOutOfOrder"),
        (with(&|a| a.records[0].kind.clear()), "Length"),
        (with(&|a| a.records[0].kind = "k".repeat(65)), "Length"),
        (with(&|a| a.records[0].body = "x".repeat(limits::BODY_BYTES_MAX + 1)), "Length"),
        (with(&|a| a.postings[0].0 = Seq(2)), "NoSuchRecord"),
        (with(&|a| a.postings[0].0 = Seq(0)), "NoSuchRecord"),
        (
            with(&|a| a.postings[0].1 = posting("player:1", "player:2", 1, Reason::Grant)),
            "TwoPlayers",
        ),
        (with(&|a| a.commands = vec![command("", 3, 1)]), "Length"),
        (with(&|a| a.commands = vec![command(&"x".repeat(65), 3, 1)]), "Length"),
        (with(&|a| a.commands = vec![command("b1", 4, 1)]), "OtherStream"),
        (with(&|a| a.commands = vec![command("b1", 3, 2)]), "NoSuchRecord"),
        (with(&|a| a.postings = vec![(Seq(1), grant(7, 1)); limits::POSTINGS_MAX + 1]), "TooMany"),
    ];
    for (bad, right) in &cases {
        let failure = refused(store, bad);
        let StoreFailure::Malformed(fault) = &failure else { panic!("{right}: {failure}") };
        assert!(format!("{fault:?}").starts_with(right), "{right}: {fault:?}");
    }
    let mut unordered = good();
    unordered.record(START_MS, "k", "{}");
    unordered.postings = vec![(Seq(2), grant(7, 1)), (Seq(1), grant(7, 1))];
    let failure = refused(store, &batch(vec![unordered]));
    assert!(
        matches!(failure, StoreFailure::Malformed(Malformed::NoSuchRecord { found: Seq(1), .. })),
        "{failure}"
    );
    store.commit(&batch(vec![good()])).unwrap();
}

pub fn any_text_is_kept_as_it_is(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(u32::MAX)).unwrap();
    let plain = ["", "';--", "\"\\", "%_*?", "\r\n\t"];
    let odd = ["\0", "a\0b", "\u{1f0cf}百家樂", "\u{feff}"];
    let mut all = Append::new(StreamId(u32::MAX), Seq(0), lease);
    for text in plain.into_iter().chain(odd) {
        let seq = all.record(i64::MIN, format!("k{text}"), text);
        all.commands.push(AcceptedCommand {
            command_id: format!("c{text}"),
            answer: text.to_owned(),
            seq,
            ..command("", u32::MAX, 0)
        });
    }
    store.commit(&batch(vec![all.clone()])).unwrap();
    assert_eq!(store.load(StreamId(u32::MAX), Seq(0), 100).unwrap(), all.records);
    for command in all.commands {
        assert_eq!(store.command(player(7), &command.command_id).unwrap(), Some(command));
    }
}

/// Form, lease, seq, duplicate, overdraft: the first that fails is named.
pub fn refusals_come_in_order(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut first = append(3, 0, lease, &[]);
    first.commands = vec![command("b1", 3, 1)];
    store.commit(&batch(vec![first])).unwrap();
    let mut bad = append(3, 0, Lease(99), &[stake(7, 3, 1)]);
    bad.commands = vec![command("b1", 3, 1), command("", 3, 1)];
    let mut codes = Vec::new();
    let mut note = |bad: &Append| codes.push(refused(store, &batch(vec![bad.clone()])).code());
    note(&bad);
    bad.commands.pop();
    note(&bad);
    bad.lease = lease;
    note(&bad);
    let mut bad = append(3, 1, lease, &[stake(7, 3, 1)]);
    bad.commands = vec![command("b1", 3, 2)];
    note(&bad);
    bad.commands.clear();
    note(&bad);
    assert_eq!(
        codes,
        [
            "STORE_MALFORMED",
            "STORE_STALE_LEASE",
            "STORE_SEQ_TAKEN",
            "STORE_DUPLICATE_COMMAND",
            "STORE_OVERDRAFT"
        ]
    );
}

/// I9: accounts first named in a refused batch are as good as new afterwards.
pub fn a_refusal_leaves_no_trace(store: &mut dyn Store) {
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    for expected in 0..5 {
        let bad = [grant(100 + expected, 5), stake(9, 3, 1)];
        let failure = refused(store, &batch(vec![append(3, expected, lease, &bad)]));
        assert_eq!(failure.code(), "STORE_OVERDRAFT");
        let good = [grant(200 + expected, 5), grant(100 + expected, 6)];
        store.commit(&batch(vec![append(3, expected, lease, &good)])).unwrap();
    }
    assert_eq!(store.balance(account("player:104")).unwrap().minor(), 6);
    assert_eq!(store.verify_books().unwrap().accounts, 11);
}
