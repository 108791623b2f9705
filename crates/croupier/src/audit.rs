//! The audit of a database: the whole log replayed, every posting, balance and state hash compared
//! (reliability I1 to I5).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chips::Chips;
use games::{BetId, Draw};
use ledger::{Account, Books, Posting, TableId};
use serde::Serialize;
use store::{PostingPlace, Record, Seq, Store, StoreFailure, StreamId};
use table::{Event, Phase, Table, Timestamp};

use crate::house::House;
use crate::pit::writer::load_all;

/// Findings that are told one by one; more are counted.
const FINDINGS_MAX: usize = 200;
/// Postings read at a time.
const PAGE: usize = 1_000;

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The invariant: I1 to I5, or `chain`.
    pub invariant: &'static str,
    /// Stream and record, where there is one.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

/// What an audit found, and how much it looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    pub streams: usize,
    pub records: u64,
    pub postings: u64,
    pub rounds_settled: u64,
    pub rounds_void: u64,
    pub bets: u64,
    pub digests: u64,
    pub accounts: usize,
    pub findings: Vec<Finding>,
    /// Findings beyond those told.
    pub more: u64,
}

impl Report {
    /// True if nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    fn find(&mut self, invariant: &'static str, place: impl fmt::Display, what: impl fmt::Display) {
        if self.findings.len() < FINDINGS_MAX {
            let (place, what) = (place.to_string(), what.to_string());
            self.findings.push(Finding { invariant, place, what });
        } else {
            self.more += 1;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} streams, {} records, {} digests compared",
            self.streams, self.records, self.digests
        )?;
        writeln!(
            f,
            "{} rounds settled, {} void, {} bets",
            self.rounds_settled, self.rounds_void, self.bets
        )?;
        writeln!(f, "{} postings, {} accounts", self.postings, self.accounts)?;
        for finding in &self.findings {
            writeln!(f, "{}: {}: {}", finding.invariant, finding.place, finding.what)?;
        }
        if self.more > 0 {
            writeln!(f, "and {} more", self.more)?;
        }
        let clean = "clean: the log replays, the books balance";
        f.write_str(if self.is_clean() { clean } else { "NOT CLEAN" })
    }
}

/// Audits a whole database.
///
/// # Errors
/// If it cannot be read; what is wrong in it is a finding.
pub fn audit(store: &mut dyn Store) -> Result<Report, StoreFailure> {
    let mut report = Report::default();
    let mut all = BTreeMap::new();
    let streams = store.streams()?;
    report.streams = streams.len();
    for stream in streams {
        if let Err(failure) = store.verify_chain(stream) {
            report.find("chain", format!("stream {}", stream.0), &failure);
            continue;
        }
        let records = load_all(store, stream, Seq(0))?;
        report.records += u64::try_from(records.len()).unwrap_or(0);
        let due = match TableId::new(stream.0) {
            None => house(&records, &mut report),
            Some(table) => {
                let (due, at_stake) = replay_table(table, &records, &mut report);
                let layout = store.balance(Account::Layout(table))?.chips();
                if layout != Some(at_stake) {
                    let what = format!("{layout:?} on the layout, {at_stake} at stake");
                    report.find("I1", format!("table {table}"), what);
                }
                due
            }
        };
        compare_postings(store, stream, &due, &mut all, &mut report)?;
    }
    compare_balances(store, &all, &mut report)?;
    Ok(report)
}

/// What each record of a stream must have posted.
type Due = BTreeMap<Seq, Vec<Posting>>;

fn house(records: &[Record], report: &mut Report) -> Due {
    let mut house = House::default();
    let mut due = Due::new();
    for record in records {
        let place = format!("house, record {}", record.seq.0);
        match house.read(record) {
            Ok(event) => {
                if let Err(why) = house.verify(&event) {
                    report.find("I3", &place, why);
                    return due;
                }
                due.insert(record.seq, event.postings());
                house.apply(&event);
            }
            Err(why) => {
                report.find("I3", &place, why);
                return due;
            }
        }
    }
    due
}

/// One table read from its log, with what the audit keeps beside it.
struct Reading {
    table: Table,
    /// Bets of the open round.
    open: BTreeSet<BetId>,
    /// Bets that were ever placed, each once.
    last_bet: BetId,
    at: Timestamp,
}

fn replay_table(id: TableId, records: &[Record], report: &mut Report) -> (Due, Chips) {
    let mut due = Due::new();
    let (open, last_bet, at) = (BTreeSet::new(), BetId(0), Timestamp::default());
    let mut reading = Reading { table: Table::new(id), open, last_bet, at };
    for record in records {
        let place = format!("table {id}, record {}", record.seq.0);
        let event: Event = match serde_json::from_str(&record.body) {
            Ok(event) => event,
            Err(why) => {
                report.find("I3", &place, format!("no event of this build: {why}"));
                return (due, reading.table.at_stake());
            }
        };
        if event.kind() != record.kind {
            report.find("I3", &place, format!("kind `{}` stands for another event", record.kind));
        }
        due.insert(record.seq, table::postings(id, &event));
        reading.order(&place, Timestamp(record.at_ms), &event, report);
        reading.count(&place, &event, report);
        // A log that is not this table's would make the machine panic: that is a finding too.
        let applied = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            reading.table.apply(Timestamp(record.at_ms), &event);
        }));
        if applied.is_err() {
            report.find("I3", &place, "the event does not fit the state before it");
            return (due, reading.table.at_stake());
        }
    }
    (due, reading.table.at_stake())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "an audit counts a few kinds of event")]
impl Reading {
    /// I4: stamps never go back, no card before the close, no bet after it but insurance.
    fn order(&mut self, place: &str, at: Timestamp, event: &Event, report: &mut Report) {
        if at < self.at {
            report.find("I4", place, "a stamp before the one of the record before");
        }
        self.at = self.at.max(at);
        let betting = matches!(self.table.phase(), Phase::Betting | Phase::LastCall);
        match event {
            Event::BetPlaced { on: games::AnyBet::Baccarat(bet), .. }
                if !betting && !bet.is_insurance() =>
            {
                report.find("I4", place, "a bet outside the betting window");
            }
            Event::Drawn { draw: Draw::Card(_) | Draw::FaceDown(_), .. } if betting => {
                report.find("I4", place, "a card before the close");
            }
            _ => (),
        }
    }

    /// I2: every bet is placed once and ends once; I3: every digest is that of the state.
    fn count(&mut self, place: &str, event: &Event, report: &mut Report) {
        match event {
            Event::BetPlaced { bet, .. } => self.placed(place, *bet, report),
            Event::RoundOpened { carried, .. } => {
                for carried in carried {
                    self.placed(place, carried.bet, report);
                }
            }
            Event::BetReduced { bet, by, .. } => {
                let wager = self.table.game().and_then(|game| game.wager(*bet));
                match wager {
                    Some(wager) if wager.stake == *by => {
                        self.open.remove(bet);
                    }
                    Some(_) => (),
                    None => report.find("I2", place, format!("bet {bet} is not on the layout")),
                }
            }
            Event::Settled { payouts, .. } => {
                report.rounds_settled += 1;
                self.ended(place, payouts.iter().map(|p| p.bet), report);
            }
            Event::Voided { returned, .. } => {
                report.rounds_void += 1;
                self.ended(place, returned.iter().map(|r| r.bet), report);
            }
            Event::Digest { hash } => {
                report.digests += 1;
                if *hash != self.table.digest() {
                    report.find("I3", place, "the state hash is another than in the log");
                }
            }
            _ => (),
        }
    }

    fn placed(&mut self, place: &str, bet: BetId, report: &mut Report) {
        report.bets += 1;
        if bet <= self.last_bet {
            report.find("I2", place, format!("bet number {bet} was used before"));
        }
        self.last_bet = self.last_bet.max(bet);
        self.open.insert(bet);
    }

    fn ended(&mut self, place: &str, bets: impl Iterator<Item = BetId>, report: &mut Report) {
        for bet in bets {
            if !self.open.remove(&bet) {
                report.find("I2", place, format!("bet {bet} ends that was not open"));
            }
        }
        for bet in std::mem::take(&mut self.open) {
            report.find("I2", place, format!("bet {bet} was neither settled nor returned"));
        }
    }
}

/// I1: what stands in the books is what the events say. Adds what stands there to `all`, by its
/// place in the order of commit of the whole house.
fn compare_postings(
    store: &mut dyn Store,
    stream: StreamId,
    due: &Due,
    all: &mut BTreeMap<u64, Posting>,
    report: &mut Report,
) -> Result<(), StoreFailure> {
    let mut there: Due = BTreeMap::new();
    let mut after = PostingPlace::START;
    loop {
        let page = store.postings(stream, after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.place;
        for kept in page {
            report.postings += 1;
            there.entry(kept.place.seq).or_default().push(kept.posting);
            all.insert(kept.order, kept.posting);
        }
    }
    for (seq, postings) in due.iter().filter(|(_, postings)| !postings.is_empty()) {
        if there.remove(seq).as_ref() != Some(postings) {
            let place = format!("stream {}, record {}", stream.0, seq.0);
            report.find("I1", place, "the postings are not those of the event");
        }
    }
    for seq in there.keys() {
        let place = format!("stream {}, record {}", stream.0, seq.0);
        report.find("I1", place, "postings that no event accounts for");
    }
    Ok(())
}

/// I1, I5: posted one after the other from empty books, nobody is overdrawn on the way, and the
/// end is what is kept.
fn compare_balances(
    store: &mut dyn Store,
    all: &BTreeMap<u64, Posting>,
    report: &mut Report,
) -> Result<(), StoreFailure> {
    let mut books = Books::default();
    for (order, posting) in all {
        let posting = [*posting];
        match books.verify(&posting) {
            Ok(()) => books.post(&posting),
            Err(why) => {
                report.find("I5", format!("posting {order}"), why);
                return Ok(());
            }
        }
    }
    if books.sum() != 0 {
        report.find("I1", "books", format!("all balances together are {}", books.sum()));
    }
    let kept = store.verify_books()?;
    if !kept.is_right() {
        report.find("I1", "books", format!("{kept:?}"));
    }
    let balances = store.balances()?;
    report.accounts = balances.len();
    for (account, balance) in &balances {
        let told = books.balance(*account);
        if told != *balance {
            report.find("I1", account, format!("stands at {balance}, the log says {told}"));
        }
    }
    Ok(())
}
