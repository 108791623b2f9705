//! How fast bets are committed, beside a bare insert of the same rows in the same tables.
//!
//! Run it on a quiet machine, on the disk that counts:
//!
//! ```text
//! cargo bench -p store --bench commit                  # ratios, then criterion's statistics
//! cargo bench -p store --bench commit -- --ratio-only  # ratios alone, half a minute
//! ```
//!
//! Both paths write to files under `target/tmp` with a write-ahead log and full syncing, and are
//! given the same batches, ready made: per bet one record, one posting and one remembered command.
//! The bare path knows rows and seqs beforehand and only inserts; the store checks leases, seqs,
//! duplicates and overdrafts, chains the hashes, keeps the balances and checks foreign keys.
//! A ratio of 1.00 would mean that all this costs nothing; the goal is 0.60.

use std::path::Path;
use std::time::{Duration, Instant};

use chips::Chips;
use criterion::{BenchmarkId, Criterion, Throughput};
use ledger::{Account, PlayerId, Posting, Reason, TableId};
use rusqlite::{Connection, params};
use store::{AcceptedCommand, Append, Batch, Lease, Seq, Sqlite, Store, StreamId};
use tempfile::TempDir;

/// Bets in one commit, and commits of each path in one round of the comparison.
const SIZES: [(usize, usize); 3] = [(1, 200), (100, 60), (1_000, 12)];
/// Rounds of the comparison; each starts with new files.
const ROUNDS: usize = 5;
/// Players who bet in turn.
const PLAYERS: u64 = 1_000;
/// The table's stream.
const STREAM: StreamId = StreamId(1);

fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("players are numbered from 1")
}

/// A batch of bets after `expected`.
fn bets(expected: u64, size: usize, lease: Lease) -> Batch {
    let layout = Account::Layout(TableId::new(1).expect("table 1"));
    let stake = Chips::new(2_000).expect("20.00");
    let mut append = Append::new(STREAM, Seq(expected), lease);
    for _ in 0..size {
        let number = append.records.last().map_or(expected, |last| last.seq.0) + 1;
        let owner = player(number % PLAYERS + 1);
        let body = format!(
            "{{\"round\":81,\"bet\":{number},\"player\":{owner},\"on\":\"banker\",\"stake\":2000,\
             \"rules\":\"5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef\"}}"
        );
        let seq = append.record(1_767_225_600_000, "bet-placed", body);
        let posting = Posting::new(Account::Player(owner), layout, stake, Reason::Stake);
        append.postings.push((seq, posting.expect("a stake")));
        append.commands.push(AcceptedCommand {
            player: owner,
            command_id: format!("{:032x}", u128::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            body_hash: [9; 32],
            stream: STREAM,
            seq,
            answer: format!("{{\"accepted\":{number},\"balance\":998000,\"left\":48000}}"),
        });
    }
    Batch { appends: vec![append] }
}

/// A new file in which every player has chips.
fn house(path: &Path) -> (Sqlite, Lease) {
    let mut store = Sqlite::open(path).expect("a new file");
    let lease = store.acquire_lease(STREAM).expect("a lease");
    let mut append = Append::new(STREAM, Seq(0), lease);
    let seq = append.record(0, "opened", "{}");
    let much = Chips::new(1_000_000_000_000).expect("much");
    for number in 1..=PLAYERS {
        let to = Account::Player(player(number));
        let grant = Posting::new(Account::Cage, to, much, Reason::Grant).expect("a grant");
        append.postings.push((seq, grant));
    }
    store.commit(&Batch { appends: vec![append] }).expect("the grants");
    (store, lease)
}

/// Both paths on files of their own.
struct Lanes {
    folder: TempDir,
    store: Sqlite,
    lease: Lease,
    bare: Connection,
    committed: u64,
    inserted: u64,
}

impl Lanes {
    fn new() -> Lanes {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let (store, lease) = house(&folder.path().join("store.sqlite"));
        let path = folder.path().join("bare.sqlite");
        drop(house(&path));
        let bare = Connection::open(&path).expect("the bare file");
        bare.pragma_update(None, "synchronous", "full").expect("full syncing");
        bare.pragma_update(None, "foreign_keys", false).expect("no foreign keys");
        Lanes { folder, store, lease, bare, committed: 1, inserted: 1 }
    }

    fn commit(&mut self, size: usize) -> Duration {
        let batch = bets(self.committed, size, self.lease);
        self.committed += size as u64;
        let start = Instant::now();
        self.store.commit(&batch).expect("bets are covered");
        start.elapsed()
    }

    fn insert(&mut self, size: usize) -> Duration {
        let batch = bets(self.inserted, size, self.lease);
        self.inserted += size as u64;
        let start = Instant::now();
        insert(&self.bare, &batch).expect("rows fit");
        start.elapsed()
    }
}

/// The same rows, and nothing but them.
fn insert(bare: &Connection, batch: &Batch) -> rusqlite::Result<()> {
    bare.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for append in &batch.appends {
        let mut insert = bare.prepare_cached(
            "INSERT INTO record (id, stream, seq, at_ms, kind, body, hash)
             VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6)",
        )?;
        for record in &append.records {
            let (seq, kind, body) = (record.seq.0.cast_signed(), &record.kind, &record.body);
            insert.execute(params![seq, record.stream.0, record.at_ms, kind, body, [5u8; 32]])?;
        }
        let mut insert = bare.prepare_cached(
            "INSERT INTO posting (id, giver, taker, amount, reason, player)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (seq, posting) in &append.postings {
            let player = posting.from().player().map_or(0, |player| player.number().cast_signed());
            let (amount, reason) = (posting.amount().minor().cast_signed(), posting.reason());
            let id = (seq.0.cast_signed() << 20) | 1;
            insert.execute(params![id, player + 1, 1, amount, reason.as_str(), player])?;
        }
        let mut insert = bare.prepare_cached(
            "INSERT INTO command (player, id, record, body_hash, answer)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for command in &append.commands {
            let (player, seq) =
                (command.player.number().cast_signed(), command.seq.0.cast_signed());
            let (id, answer) = (&command.command_id, &command.answer);
            insert.execute(params![player, id, seq, command.body_hash, answer])?;
        }
    }
    bare.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Both paths in turn, commit by commit, so that whatever slows the machine slows both.
fn compare() {
    println!("bets per commit   store bets/s    bare bets/s   ratio");
    for (size, commits) in SIZES {
        let (mut own, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut lanes = Lanes::new();
            for _ in 0..commits {
                own.push(lanes.commit(size));
                bare.push(lanes.insert(size));
            }
            drop(lanes.folder);
        }
        let rate = |times| size as u128 * 1_000_000_000 / median(times).as_nanos();
        let (own, bare) = (rate(own), rate(bare));
        let percent = own * 100 / bare;
        println!("{size:>15} {own:>14} {bare:>14}   {}.{:02}", percent / 100, percent % 100);
    }
}

fn statistics(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("commit");
    for (size, _) in SIZES {
        group.throughput(Throughput::Elements(size as u64));
        let mut lanes = Lanes::new();
        group.bench_function(BenchmarkId::new("store", size), |bencher| {
            bencher.iter_custom(|count| (0..count).map(|_| lanes.commit(size)).sum());
        });
        group.bench_function(BenchmarkId::new("bare", size), |bencher| {
            bencher.iter_custom(|count| (0..count).map(|_| lanes.insert(size)).sum());
        });
    }
    group.finish();
}

fn main() {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    if !asked("--bench") {
        // Run as a test: one commit of each.
        let mut lanes = Lanes::new();
        lanes.commit(1);
        lanes.insert(1);
        return;
    }
    compare();
    if !asked("--ratio-only") {
        let short = Criterion::default().sample_size(20).configure_from_args();
        let mut criterion = short.measurement_time(Duration::from_secs(2));
        statistics(&mut criterion);
        criterion.final_summary();
    }
}
