//! A house in a box: tables, books and a real store, with everything checked after every event.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use chips::Chips;
use croupier::house::HouseEvent;
use croupier::pit::record::{reveal, shoe_record};
use croupier::pit::writer::load_all;
use croupier::proof::{
    self, Code as ProofCode, Commitment, Finding, Outcome, Salt, ShoeId, ShuffledShoe, verify,
};
use croupier::robot::shuffle::pack;
use games::baccarat::ShuffleMode;
use games::{Card, Rank, RuleSet};
use ledger::{Account, AccountKind, Books, PlayerId, TableId};
use store::{AcceptedCommand, Append, Batch, Lease, Seq, Sqlite, Store, StoreFailure, StreamId};
use table::{
    Command, Event, HouseCommand, Phase, Rejection, Settings, Stamped, Table, Timestamp, postings,
};

use crate::luck::Luck;

/// When a simulation begins.
const START: Timestamp = Timestamp(1_767_225_600_000);

/// A player by number.
pub fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("a player's number")
}

/// A table by number.
pub fn table_id(number: u32) -> TableId {
    TableId::new(number).expect("a table's number")
}

/// A table with what its writer and its dealer know beside it.
pub struct Dealt {
    /// The working state.
    pub table: Table,
    /// The same table, event by event: what is checked after each of them.
    replica: Table,
    /// Its settings as last configured.
    pub settings: Settings,
    /// Its rule set as last configured.
    pub rules: RuleSet,
    stream: StreamId,
    lease: Lease,
    head: Seq,
    /// Every event of its log, and those that wait.
    events: Vec<Event>,
    /// The robot's orders by number, or the one shoe of a person under 0.
    orders: BTreeMap<u32, Order>,
}

/// The order of a shoe.
enum Order {
    Sealed(Box<ShuffledShoe>),
    Physical(Vec<Card>),
}

/// The house.
pub struct House {
    store: Box<dyn Store>,
    file: Option<PathBuf>,
    /// Every balance, as the working states of the tables have left it.
    pub books: Books,
    /// The tables by number, from 1.
    pub tables: Vec<Dealt>,
    /// The one clock.
    pub now: Timestamp,
    /// How often each kind of event came.
    pub kinds: BTreeMap<&'static str, u64>,
    /// The phases that were reached, by preset.
    pub phases: BTreeSet<(String, Phase)>,
    /// Shoes whose order was proven.
    pub proven: u64,
    waiting: BTreeMap<StreamId, Append>,
    commands: u64,
}

impl House {
    /// A house in memory, or in a file.
    pub fn new(file: Option<PathBuf>) -> House {
        let mut house = House {
            store: open(file.as_ref()),
            file,
            books: Books::default(),
            tables: Vec::new(),
            now: START,
            kinds: BTreeMap::new(),
            phases: BTreeSet::new(),
            proven: 0,
            waiting: BTreeMap::new(),
            commands: 0,
        };
        house.store.acquire_lease(StreamId::HOUSE).expect("a store");
        house
    }

    /// A player with these chips from the cage.
    pub fn grant(&mut self, number: u64, grant: Chips, again: bool) {
        let player = player(number);
        let event = if again {
            HouseEvent::Refilled { player, amount: grant }
        } else {
            HouseEvent::PlayerJoined { player, name: format!("Player {number}"), grant }
        };
        let lease = self.store.acquire_lease(StreamId::HOUSE).expect("a store");
        let head = self.store.head(StreamId::HOUSE).expect("a store").seq;
        let mut append = Append::new(StreamId::HOUSE, head, lease);
        let body = serde_json::to_string(&event).expect("events can be written");
        let seq = append.record(self.now.0, event.kind(), body);
        append.postings.extend(event.postings().into_iter().map(|posting| (seq, posting)));
        self.books.post(&event.postings());
        self.store.commit(&Batch { appends: vec![append] }).expect("a grant");
    }

    /// Another table.
    pub fn open_table(&mut self, settings: Settings, rules: RuleSet) {
        let id = table_id(u32::try_from(self.tables.len() + 1).expect("a few tables"));
        let stream = StreamId::from(id);
        let lease = self.store.acquire_lease(stream).expect("a store");
        let table = Table::new(id);
        self.tables.push(Dealt {
            replica: table.clone(),
            table,
            settings: settings.clone(),
            rules: rules.clone(),
            stream,
            lease,
            head: Seq(0),
            events: Vec::new(),
            orders: BTreeMap::new(),
        });
        let rules = rules.canonical();
        let configure = HouseCommand::Configure { settings: Box::new(settings), rules };
        self.ask(self.tables.len() - 1, Command::House(configure)).expect("a table's settings");
        self.commit();
    }

    /// What a player has to spend, of his present balance, for a need.
    pub fn funds(&self, who: PlayerId, needs: Chips) -> Result<(), Chips> {
        let has = self.books.balance(Account::Player(who)).chips().unwrap_or_default();
        if needs <= has { Ok(()) } else { Err(has) }
    }

    /// Asks a table now; what it brings about waits for the commit.
    pub fn ask(&mut self, nth: usize, command: Command) -> Result<Vec<Event>, Rejection> {
        let stamped = Stamped { at: self.now, command };
        let events = self.tables[nth].table.step(&stamped)?;
        for event in &events {
            self.take(nth, event);
        }
        self.remember(nth, &stamped.command, &events);
        let dealt = &self.tables[nth];
        assert_eq!(dealt.table.digest(), dealt.replica.digest(), "event by event it is the same");
        let preset = dealt.rules.name().to_owned();
        self.phases.insert((preset, dealt.table.phase()));
        Ok(events)
    }

    /// Notes an event for the commit, moves its chips, checks what must hold after it.
    fn take(&mut self, nth: usize, event: &Event) {
        *self.kinds.entry(event.kind()).or_default() += 1;
        let dealt = &mut self.tables[nth];
        if let Event::Digest { hash } = event {
            assert_eq!(*hash, dealt.replica.digest(), "the digest is that of the state before it");
        }
        dealt.replica.apply(self.now, event);
        dealt.events.push(event.clone());
        let (stream, head, lease) = (dealt.stream, dealt.head, dealt.lease);
        let append = self.waiting.entry(stream).or_insert_with(|| Append::new(stream, head, lease));
        let body = serde_json::to_string(event).expect("events can be written");
        let seq = append.record(self.now.0, event.kind(), body);
        let postings = postings(dealt.replica.id(), event);
        append.postings.extend(postings.iter().map(|posting| (seq, *posting)));
        if let Err(why) = self.books.verify(&postings) {
            panic!("I5: {why} at {event:?}");
        }
        self.books.post(&postings);
        self.check_money(nth);
    }

    fn check_money(&self, nth: usize) {
        let table = &self.tables[nth].replica;
        assert_eq!(self.books.sum(), 0, "I1: the sum is zero");
        assert_eq!(self.books.total_in(AccountKind::Stack), 0, "nobody buys in here");
        let layout = self.books.balance(Account::Layout(table.id())).chips();
        assert_eq!(layout, Some(table.at_stake()), "the books know what is at stake");
        let carried = table.game().map_or_else(Vec::new, |game| game.carried());
        if !table.is_round_open() {
            let carried: Chips = carried.iter().map(|w| w.stake).sum();
            assert_eq!(layout, Some(carried), "between rounds the layout is clear");
        }
        if !table.is_open() {
            assert!(carried.is_empty(), "OPS-15: a closed table keeps no stakes");
        }
    }

    /// A player's command is remembered under its id.
    fn remember(&mut self, nth: usize, command: &Command, events: &[Event]) {
        let (Command::Player(request), false) = (command, events.is_empty()) else { return };
        self.commands += 1;
        let stream = self.tables[nth].stream;
        let append = self.waiting.get_mut(&stream).expect("its events wait");
        let seq = append.records.last().expect("its events wait").seq;
        append.commands.push(AcceptedCommand {
            player: request.player,
            command_id: format!("c{}", self.commands),
            body_hash: [0; 32],
            stream,
            seq,
            answer: String::new(),
        });
    }

    /// Commits what waits, all tables in one transaction.
    pub fn commit(&mut self) {
        let appends: Vec<Append> = std::mem::take(&mut self.waiting).into_values().collect();
        if appends.is_empty() {
            return;
        }
        let batch = Batch { appends };
        self.store.commit(&batch).expect("what was decided can be committed");
        for append in &batch.appends {
            let dealt = self.tables.iter_mut().find(|dealt| dealt.stream == append.stream);
            let last = append.records.last().expect("a record").seq;
            dealt.expect("a table of this house").head = last;
            for (_, posting) in &append.postings {
                for account in [posting.from(), posting.to()] {
                    let kept = self.store.balance(account).expect("a store");
                    assert_eq!(kept, self.books.balance(account), "{account}");
                }
            }
        }
    }

    /// The process dies now: what was not committed never happened.
    pub fn crash(&mut self) {
        self.waiting.clear();
        if self.file.is_some() {
            self.store = Box::new(Sqlite::in_memory().expect("memory"));
            self.store = open(self.file.as_ref());
        }
        let balances = self.store.balances().expect("a store");
        self.books = Books::with(balances).expect("the laws of the books");
        for nth in 0..self.tables.len() {
            self.reload(nth);
        }
    }

    /// Reads a table back from its log.
    fn reload(&mut self, nth: usize) {
        let stream = self.tables[nth].stream;
        let (table, events) = self.read_log(nth);
        let lease = self.store.acquire_lease(stream).expect("a store");
        let dealt = &mut self.tables[nth];
        dealt.head = Seq(table.events());
        dealt.events = events;
        (dealt.lease, dealt.table, dealt.replica) = (lease, table.clone(), table);
        let configured = dealt.table.rules().expect("a configured table").0.clone();
        if let Some(settings) = dealt.table.settings() {
            dealt.settings = settings.clone();
        }
        dealt.rules = configured;
    }

    /// The table that the log tells of, and the log.
    fn read_log(&mut self, nth: usize) -> (Table, Vec<Event>) {
        let stream = self.tables[nth].stream;
        let mut table = Table::new(table_id(stream.0));
        let mut events = Vec::new();
        for record in load_all(&mut *self.store, stream, Seq(0)).expect("a log") {
            let event: Event = serde_json::from_str(&record.body).expect("an event");
            assert_eq!(record.kind, event.kind());
            if let Event::Digest { hash } = &event {
                assert_eq!(*hash, table.digest(), "the replay comes by every digest");
            }
            table.apply(Timestamp(record.at_ms), &event);
            events.push(event);
        }
        (table, events)
    }

    /// One table's process starts again: the working state is that of the log.
    pub fn restart(&mut self, nth: usize) {
        self.commit();
        let before = self.tables[nth].table.digest();
        self.reload(nth);
        assert_eq!(self.tables[nth].table.digest(), before, "replay = live");
        self.ask(nth, Command::House(HouseCommand::Resume)).expect("a table resumes");
    }

    /// Somebody else has taken the table over: the old writer can write nothing.
    pub fn lose_the_lease(&mut self, nth: usize) {
        self.commit();
        let (stream, head, stale) = {
            let dealt = &self.tables[nth];
            (dealt.stream, dealt.head, dealt.lease)
        };
        self.store.acquire_lease(stream).expect("a store");
        let mut append = Append::new(stream, head, stale);
        append.record(self.now.0, "resumed", r#"{"event":"resumed"}"#);
        let refused = self.store.commit(&Batch { appends: vec![append] });
        assert!(matches!(refused, Err(StoreFailure::StaleLease { .. })), "{refused:?}");
        self.restart(nth);
    }

    /// The order of the shoe that this table is to be cut from or dealt from.
    fn order_number(&self, nth: usize) -> u32 {
        let game = self.tables[nth].table.game().expect("a configured table");
        if self.tables[nth].table.is_robot_dealt() { game.shoe_number() } else { 0 }
    }

    /// The card that comes next out of the shoe.
    pub fn next_card(&self, nth: usize) -> Option<Card> {
        let dealt = &self.tables[nth];
        let out = dealt.table.game()?.baccarat().cards_out();
        match dealt.orders.get(&self.order_number(nth))? {
            Order::Sealed(order) => order.card(dealt.table.cut_at().unwrap_or(0), out),
            Order::Physical(order) => order.get(usize::from(out)).copied(),
        }
    }

    /// A person fills the shoe.
    pub fn fill_shoe(&mut self, nth: usize, luck: &mut Luck) {
        let decks = self.tables[nth].rules.baccarat().decks;
        let order = Order::Physical(mixed(decks, luck));
        self.tables[nth].orders.insert(0, order);
    }

    /// The robot's next order, if one is due: the command that publishes its commitment.
    pub fn commitment(&mut self, nth: usize, luck: &mut Luck) -> Option<HouseCommand> {
        let dealt = &mut self.tables[nth];
        let shoe = dealt.table.next_commitment_number()?;
        let rules = dealt.table.game()?.baccarat().rules();
        let (decks, continuous) = (rules.decks, rules.shuffle_mode == ShuffleMode::Continuous);
        let mode =
            if continuous { proof::ShuffleMode::Continuous } else { proof::ShuffleMode::Rng };
        let previous = dealt.table.commitments().1.map(str::to_owned);
        let before: Option<Commitment> = previous.as_ref().and_then(|text| text.parse().ok());
        let id = ShoeId { table: dealt.table.id().number(), shoe };
        let salt = Salt(luck.bytes());
        let order = mixed(decks, luck);
        let order = ShuffledShoe::new(id, before, decks, mode, order, salt).expect("a shoe");
        let commitment = order.commitment().to_string();
        dealt.orders.insert(shoe, Order::Sealed(Box::new(order)));
        Some(HouseCommand::Commit { commitment, previous })
    }

    /// Shows a finished shoe and proves that it was dealt as committed.
    pub fn reveal(&mut self, nth: usize) -> Option<HouseCommand> {
        let shoe = self.tables[nth].table.revealable().next()?;
        let dealt = &self.tables[nth];
        let record = shoe_record(dealt.table.id(), shoe, &dealt.events).expect("a shoe in the log");
        let Some(Order::Sealed(order)) = dealt.orders.get(&shoe) else {
            panic!("the order of shoe {shoe}")
        };
        let record = reveal(record, order);
        let verdict = verify(&record);
        // The proof wants a commitment before every shoe but number 1, also where the shoes before
        // were withdrawn before their cut and never committed.
        let first = record.previous.is_none() && record.shoe > 1;
        let known = |finding: &Finding| first && finding.code == ProofCode::PreviousForm;
        let findings: Vec<&Finding> = verdict.findings.iter().filter(|f| !known(f)).collect();
        if !record.rounds.is_empty() {
            assert!(findings.is_empty(), "{findings:?}\n{record:?}");
            self.proven += u64::from(verdict.outcome == Outcome::Proven);
        }
        Some(HouseCommand::Reveal { shoe, record: record.to_json() })
    }

    /// Everything once more, from the disk: chains, books, balances, replays, and the audit.
    pub fn close(&mut self) {
        self.commit();
        let report = self.store.verify_books().expect("a store");
        assert!(report.is_right(), "{report:?}");
        let kept = self.store.balances().expect("a store");
        assert_eq!(kept, self.books.iter().collect::<Vec<_>>(), "balances on the disk");
        for nth in 0..self.tables.len() {
            let head = self.store.verify_chain(self.tables[nth].stream).expect("a chain");
            assert_eq!(head.seq, self.tables[nth].head);
            let replayed = self.read_log(nth).0.digest();
            assert_eq!(replayed, self.tables[nth].table.digest(), "replay = live");
        }
        let audit = croupier::audit::audit(&mut *self.store).expect("a store");
        assert!(audit.is_clean(), "{audit}");
    }
}

/// A shoe in some order; one in three is badly mixed, rank lies by rank, so that ties are common.
fn mixed(decks: u8, luck: &mut Luck) -> Vec<Card> {
    let mut order = luck.shuffled(pack(decks));
    if luck.once_in(3) {
        let places = luck.shuffled((0..Rank::ALL.len()).collect());
        order.sort_by_key(|card| places[card.rank as usize]);
    }
    order
}

/// The store in a file, or in memory.
fn open(file: Option<&PathBuf>) -> Box<dyn Store> {
    let store = match file {
        Some(file) => Sqlite::open(file),
        None => Sqlite::in_memory(),
    };
    Box::new(store.expect("a store"))
}
