//! Recall: finished rounds and shoes, read back from the log while the house goes on (OPS-81,
//! OPS-82).
//!
//! The archive has a reader of its own beside the writer. It remembers where each round and shoe
//! begins, so that one of them is read without the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chips::Chips;
use games::baccarat::sides;
use games::{AnyOutcome, Card, Draw, Ending};
use ledger::{Account, PlayerId, TableId};
use serde::{Deserialize, Serialize};
use store::{KeptPosting, Record, Seq, Sqlite, Store, StoreFailure, StreamId};
use table::{Event, MyRound, PaidOut, RoundId, RoundRecord, Timestamp, VoidReason, my_round};

use crate::pit::record::shoe_record;
use crate::proof::{ShoeId, ShoeRecord};
use crate::replay::round_id;

/// Records read at a time.
const PAGE: usize = 1_000;
/// Most records of one round: all bets of a full layout, each changed some times.
const ROUND_RECORDS_MAX: usize = 2_000_000;
/// Most records of one shoe that are read.
const SHOE_RECORDS_MAX: usize = 20_000_000;
/// Most rounds of one player's history in one answer.
pub const HISTORY_MAX: usize = 200;
/// Most postings that are read for one history.
const HISTORY_POSTINGS_MAX: usize = 100_000;

/// Why something could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum NotRead {
    /// The store does not give it.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// A record is no event of a table.
    #[error("stream {stream}, record {seq}: {why}")]
    NoEvent {
        /// The table's stream.
        stream: StreamId,
        /// The record.
        seq: Seq,
        /// What is wrong with it.
        why: String,
    },
}

/// One event with its place and its stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Noted {
    pub seq: Seq,
    pub at: Timestamp,
    pub event: Event,
}

/// Reads a record of a table's stream.
///
/// # Errors
/// [`NotRead::NoEvent`].
pub fn read_event(record: &Record) -> Result<Noted, NotRead> {
    let (stream, seq) = (record.stream, record.seq);
    let wrong = |why: String| NotRead::NoEvent { stream, seq, why };
    let event: Event = serde_json::from_str(&record.body).map_err(|why| wrong(why.to_string()))?;
    if event.kind() != record.kind {
        return Err(wrong(format!("`{}` is written as `{}`", event.kind(), record.kind)));
    }
    Ok(Noted { seq, at: Timestamp(record.at_ms), event })
}

/// A round from its opening to its end, or as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundSheet {
    /// What is known of it; of an open round only the cards that lie open.
    pub record: RoundRecord,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When the betting window was closed.
    pub closed_at: Option<Timestamp>,
    /// It goes on.
    pub is_open: bool,
}

/// A card as it was laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Laid {
    card: Card,
    open: bool,
}

/// Reads a round from its events, the opening first.
pub fn round_sheet(table: TableId, shoe: u32, events: &[Noted]) -> Option<RoundSheet> {
    let first = events.first()?;
    let Event::RoundOpened { round, rules, demonstration, .. } = &first.event else { return None };
    let mut sheet = RoundSheet {
        record: RoundRecord {
            id: RoundId { table, number: *round },
            shoe,
            rules: rules.clone(),
            at: first.at,
            hands: [Vec::new(), Vec::new()],
            outcome: None,
            payouts: Vec::new(),
            void: None,
            demonstration: *demonstration,
        },
        opened_at: first.at,
        closed_at: None,
        is_open: true,
    };
    let mut laid: Vec<Laid> = Vec::new();
    for noted in &events[1..] {
        sheet.record.at = noted.at;
        read_into(&mut sheet, &mut laid, noted);
        if !sheet.is_open {
            break;
        }
    }
    let cards: Vec<Card> = laid.iter().map(|l| l.card).collect();
    for (laid, side) in laid.iter().zip(sides(&cards)).filter(|(laid, _)| laid.open) {
        sheet.record.hands[side as usize].push(laid.card);
    }
    Some(sheet)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a round's sheet reads a few kinds of event")]
fn read_into(sheet: &mut RoundSheet, laid: &mut Vec<Laid>, noted: &Noted) {
    match &noted.event {
        Event::BetsClosed { .. } => sheet.closed_at = Some(noted.at),
        Event::Drawn { draw: Draw::Card(card), .. } => laid.push(Laid { card: *card, open: true }),
        Event::Drawn { draw: Draw::FaceDown(card), .. } => {
            laid.push(Laid { card: *card, open: false });
        }
        Event::TakenBack { .. } => {
            laid.pop();
        }
        Event::CardsOpened { sides: opened, .. } => {
            let cards: Vec<Card> = laid.iter().map(|l| l.card).collect();
            for (laid, side) in laid.iter_mut().zip(sides(&cards)) {
                laid.open |= opened.contains(&side);
            }
        }
        Event::Settled { outcome, payouts, .. } => {
            sheet.record.outcome = Some(*outcome);
            sheet.record.payouts.clone_from(payouts);
            laid.iter_mut().for_each(|laid| laid.open = true);
            sheet.is_open = false;
        }
        Event::Voided { reason, returned, .. } => {
            sheet.record.void = Some(reason.clone());
            let back = |r: &table::Returned| PaidOut {
                bet: r.bet,
                owner: r.owner,
                on: r.on,
                stake: r.stake,
                ending: Ending::Pushed,
                winnings: Chips::ZERO,
                commission: Chips::ZERO,
            };
            sheet.record.payouts = returned.iter().map(back).collect();
            sheet.is_open = false;
        }
        _ => (),
    }
}

/// A finished round of a player's own, with his balance before and after it (OPS-81).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryRound {
    /// The round as its player sees it.
    #[serde(flatten)]
    pub round: MyRound,
    /// The hash of its rule set.
    pub rules: String,
    /// His balance before his first bet of it, in smallest units; none where it was only carried.
    pub balance_before: Option<Chips>,
    /// His balance when it was over.
    pub balance_after: Option<Chips>,
}

/// Where the rounds and shoes of one table begin.
#[derive(Debug, Default)]
struct Index {
    scanned: Seq,
    rounds: Vec<RoundPlace>,
    shoes: Vec<(u32, Seq)>,
    configured: Vec<Seq>,
    begun: Vec<Seq>,
    revealed: BTreeMap<u32, Seq>,
}

#[derive(Clone, Copy, Debug)]
struct RoundPlace {
    number: u64,
    seq: Seq,
    at: Timestamp,
    shoe: u32,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the index reads a few kinds of event")]
impl Index {
    /// Goes on from where it stopped to the end of the stream.
    fn scan(&mut self, store: &mut Sqlite, stream: StreamId) -> Result<(), NotRead> {
        const KINDS: [&str; 5] =
            ["configured", "shoe-begun", "committed", "round-opened", "revealed"];
        loop {
            let page = store.load(stream, self.scanned, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            let scanned = last.seq;
            for record in page.iter().filter(|r| KINDS.contains(&r.kind.as_str())) {
                self.note(read_event(record)?);
            }
            self.scanned = scanned;
        }
    }

    fn note(&mut self, noted: Noted) {
        let Noted { seq, at, event } = noted;
        if let Event::ShoeBegun { .. } = event {
            self.begun.push(seq);
        }
        match event {
            Event::Configured { .. } => self.configured.push(seq),
            Event::ShoeBegun { shoe, .. } | Event::Committed { shoe, .. }
                if self.shoes.last().is_none_or(|(last, _)| *last != shoe) =>
            {
                self.shoes.push((shoe, seq));
            }
            Event::RoundOpened { round, .. } => {
                let shoe = self.shoes.last().map_or(0, |(shoe, _)| *shoe);
                self.rounds.push(RoundPlace { number: round, seq, at, shoe });
            }
            Event::Revealed { shoe, .. } => {
                self.revealed.insert(shoe, seq);
            }
            _ => (),
        }
    }

    /// What a shoe that starts there rests on: the settings before it, and where the table last
    /// took a new shoe (a continuous shuffler goes on from that with a shuffle for each coup).
    fn context(&self, start: Seq) -> BTreeSet<Seq> {
        let begun = self.begun.iter().rev().find(|seq| **seq < start);
        self.configured.iter().filter(|seq| **seq < start).chain(begun).copied().collect()
    }

    fn round(&self, number: u64) -> Option<RoundPlace> {
        let place = self.rounds.binary_search_by_key(&number, |round| round.number).ok()?;
        self.rounds.get(place).copied()
    }

    /// The round to which a record belongs.
    fn round_of(&self, seq: Seq) -> Option<RoundPlace> {
        let after = self.rounds.partition_point(|round| round.seq <= seq);
        self.rounds.get(after.checked_sub(1)?).copied()
    }
}

struct Shelf {
    path: PathBuf,
    store: Option<Sqlite>,
    indexes: BTreeMap<TableId, Index>,
}

/// The archive of a house. Every call waits for the disk: from an asynchronous task it belongs
/// into `spawn_blocking`.
#[derive(Clone)]
pub struct Archive(Arc<Mutex<Shelf>>);

impl Archive {
    /// The archive of the house file at `path`, which is opened when something is asked for.
    pub fn new(path: &Path) -> Archive {
        let shelf = Shelf { path: path.to_owned(), store: None, indexes: BTreeMap::new() };
        Archive(Arc::new(Mutex::new(shelf)))
    }

    fn with<R>(
        &self,
        read: impl FnOnce(&mut Shelf, &mut Sqlite) -> Result<R, NotRead>,
    ) -> Result<R, NotRead> {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut store = match shelf.store.take() {
            Some(store) => store,
            None => Sqlite::open_read_only(&shelf.path)?,
        };
        let done = read(&mut shelf, &mut store);
        // After a failure the file is opened anew.
        shelf.store = done.is_ok().then_some(store);
        done
    }

    /// A round; none if there is no such one.
    ///
    /// # Errors
    /// [`NotRead`].
    pub fn round(&self, id: RoundId) -> Result<Option<RoundSheet>, NotRead> {
        self.with(|shelf, store| {
            let index = shelf.index(store, id.table)?;
            let Some(place) = index.round(id.number) else { return Ok(None) };
            sheet_at(store, id.table, place)
        })
    }

    /// The record of a shoe: as the robot showed it if it did, else what may be known so far; none
    /// if no robot committed to such a shoe.
    ///
    /// # Errors
    /// [`NotRead`].
    pub fn shoe(&self, id: ShoeId) -> Result<Option<ShoeRecord>, NotRead> {
        let Some(table) = TableId::new(id.table) else { return Ok(None) };
        self.with(|shelf, store| {
            let index = shelf.index(store, table)?;
            let stream = StreamId::from(table);
            if let Some(seq) = index.revealed.get(&id.shoe) {
                let shown = one(store, stream, *seq)?;
                if let Some(Event::Revealed { record, .. }) = shown.map(|noted| noted.event) {
                    let why = |why: crate::proof::NotARecord| NotRead::NoEvent {
                        stream,
                        seq: *seq,
                        why: why.to_string(),
                    };
                    return ShoeRecord::parse(&record).map(Some).map_err(why);
                }
            }
            let begun = index.shoes.iter().position(|(shoe, _)| *shoe == id.shoe);
            let Some(begun) = begun else { return Ok(None) };
            let (_, start) = index.shoes[begun];
            let end = index.shoes.get(begun + 1).map(|(_, seq)| *seq);
            let mut events = Vec::new();
            for seq in index.context(start) {
                events.extend(one(store, stream, seq)?.map(|noted| noted.event));
            }
            let inside = range(store, stream, start, SHOE_RECORDS_MAX, |noted| {
                end.is_some_and(|end| noted.seq >= end)
            })?;
            events.extend(inside.into_iter().map(|noted| noted.event));
            Ok(shoe_record(table, id.shoe, &events))
        })
    }

    /// The last finished rounds in which a player had bets, over all tables, newest first.
    ///
    /// # Errors
    /// [`NotRead`].
    pub fn history(&self, player: PlayerId, limit: usize) -> Result<Vec<HistoryRound>, NotRead> {
        let limit = limit.min(HISTORY_MAX);
        self.with(|shelf, store| {
            let found = touched(shelf, store, player, limit)?;
            let mut rounds = Vec::new();
            let mut seen = BTreeSet::new();
            for (id, balances) in found {
                let mut next = Some((id, Some(balances)));
                // A stake that is carried over has no posting in the rounds that follow.
                while let Some((id, balances)) = next.take() {
                    if !seen.insert((id.table, id.number)) {
                        break;
                    }
                    let Some(place) = shelf.indexes.get(&id.table).and_then(|i| i.round(id.number))
                    else {
                        break;
                    };
                    let Some(sheet) = sheet_at(store, id.table, place)? else { break };
                    let mine = my_round(&sheet.record, player).filter(|_| !sheet.is_open);
                    let Some(round) = mine else { break };
                    if round.payouts.iter().any(|p| p.ending == Ending::Carried) {
                        next = Some((RoundId { number: id.number + 1, ..id }, None));
                    }
                    let (before, after) = balances.unzip();
                    let (balance_before, balance_after) = (before.flatten(), after.flatten());
                    let rules = sheet.record.rules;
                    rounds.push(HistoryRound { round, rules, balance_before, balance_after });
                }
            }
            rounds.sort_by_key(|r| std::cmp::Reverse((r.round.at, r.round.table, r.round.round)));
            rounds.truncate(limit);
            Ok(rounds)
        })
    }
}

/// A player's balance before and after a round.
type Balances = (Option<Chips>, Option<Chips>);

/// The rounds in which a player's chips moved, newest first.
fn touched(
    shelf: &mut Shelf,
    store: &mut Sqlite,
    player: PlayerId,
    limit: usize,
) -> Result<Vec<(RoundId, Balances)>, NotRead> {
    let mut balance = i128::from(store.balance(Account::Player(player))?.minor());
    let chips = |minor: i128| u64::try_from(minor).ok().and_then(Chips::new);
    let mut rounds: Vec<(RoundId, Balances)> = Vec::new();
    let mut earliest = Timestamp(i64::MAX);
    let mut before = None;
    let mut read = 0;
    while read < HISTORY_POSTINGS_MAX {
        let page = store.player_postings(player, before, PAGE)?;
        let Some(last) = page.last() else { break };
        before = Some(last.order);
        read += page.len();
        for kept in page {
            if rounds.len() >= limit && kept.at_ms < earliest.0 {
                return Ok(rounds);
            }
            let after = balance;
            balance -= moved(&kept, player);
            let Some(table) = TableId::new(kept.stream.0) else { continue };
            let place = shelf.index(store, table)?.round_of(kept.place.seq);
            let Some(place) = place else { continue };
            let id = RoundId { table, number: place.number };
            if let Some((_, (first, _))) = rounds.iter_mut().find(|(known, _)| *known == id) {
                *first = chips(balance);
            } else if rounds.len() < limit {
                earliest = earliest.min(place.at);
                rounds.push((id, (chips(balance), chips(after))));
            }
        }
    }
    Ok(rounds)
}

/// What a posting brought a player, in smallest units.
fn moved(kept: &KeptPosting, player: PlayerId) -> i128 {
    let amount = i128::from(kept.posting.amount().minor());
    if kept.posting.to() == Account::Player(player) { amount } else { -amount }
}

impl Shelf {
    /// The index of a table, up to date.
    fn index(&mut self, store: &mut Sqlite, table: TableId) -> Result<&Index, NotRead> {
        let index = self.indexes.entry(table).or_default();
        index.scan(store, StreamId::from(table))?;
        Ok(index)
    }
}

fn one(store: &mut Sqlite, stream: StreamId, seq: Seq) -> Result<Option<Noted>, NotRead> {
    let page = store.load(stream, Seq(seq.0.saturating_sub(1)), 1)?;
    page.first().map(read_event).transpose()
}

/// The events from `start` on, up to the first that is `past` the end.
fn range(
    store: &mut Sqlite,
    stream: StreamId,
    start: Seq,
    most: usize,
    past: impl Fn(&Noted) -> bool,
) -> Result<Vec<Noted>, NotRead> {
    let mut events = Vec::new();
    let mut after = Seq(start.0.saturating_sub(1));
    while events.len() < most {
        let page = store.load(stream, after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        for record in &page {
            let noted = read_event(record)?;
            if past(&noted) {
                return Ok(events);
            }
            events.push(noted);
        }
    }
    Ok(events)
}

fn sheet_at(
    store: &mut Sqlite,
    table: TableId,
    place: RoundPlace,
) -> Result<Option<RoundSheet>, NotRead> {
    let ended = std::cell::Cell::new(false);
    let events = range(store, StreamId::from(table), place.seq, ROUND_RECORDS_MAX, |noted| {
        let over = ended.get();
        ended.set(over || matches!(noted.event, Event::Settled { .. } | Event::Voided { .. }));
        over
    })?;
    Ok(round_sheet(table, place.shoe, &events))
}

/// Reads the text form of a shoe: `3-17`.
pub fn shoe_id(text: &str) -> Option<ShoeId> {
    let RoundId { table, number } = round_id(text)?;
    Some(ShoeId { table: table.number(), shoe: u32::try_from(number).ok()? })
}

/// A finished or open round for everybody: cards that lie open, the result, no names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PublicRound {
    pub id: String,
    pub table: u32,
    pub round: u64,
    pub shoe: u32,
    pub rules: String,
    pub demonstration: bool,
    pub is_open: bool,
    pub opened_at: Timestamp,
    pub closed_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub player: Vec<Card>,
    pub banker: Vec<Card>,
    pub outcome: Option<AnyOutcome>,
    pub void: Option<VoidReason>,
}

impl From<&RoundSheet> for PublicRound {
    fn from(sheet: &RoundSheet) -> PublicRound {
        let record = &sheet.record;
        PublicRound {
            id: record.id.to_string(),
            table: record.id.table.number(),
            round: record.id.number,
            shoe: record.shoe,
            rules: record.rules.clone(),
            demonstration: record.demonstration,
            is_open: sheet.is_open,
            opened_at: sheet.opened_at,
            closed_at: sheet.closed_at,
            ended_at: (!sheet.is_open).then_some(record.at),
            player: record.hands[0].clone(),
            banker: record.hands[1].clone(),
            outcome: record.outcome,
            void: record.void.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_text_form() {
        let id = round_id("3-17").unwrap();
        assert_eq!((id.table.number(), id.number), (3, 17));
        assert_eq!(id.to_string(), "3-17");
        for text in ["", "3", "3-", "-3", "0-1", "3-0", "3-017", "03-1", "3-1-1", "3-x", "3--1"] {
            assert!(round_id(text).is_none(), "{text}");
        }
        assert!(shoe_id("3-4294967296").is_none());
    }
}
