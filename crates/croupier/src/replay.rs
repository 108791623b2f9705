//! A round told step by step in the trade's words, read off the log.

use std::fmt;

use chips::Chips;
use games::baccarat::{Side, Winner, sides};
use games::{AnyOutcome, Card, Draw, Ending, ReturnReason};
use ledger::TableId;
use serde::Serialize;
use store::{Seq, Store, StoreFailure, StreamId};
use table::{Actor, Event, OpenedBy, PaidOut, RoundId, TakenOff, Timestamp, VoidReason};

use crate::pit::writer::load_all;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Line {
    pub seq: u64,
    pub at: Timestamp,
    pub event: &'static str,
    pub words: String,
}

/// A round from its opening to its settlement, or as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Replay {
    pub round: String,
    /// The hash of the rule set that it was played by.
    pub rules: String,
    /// Settled or void.
    pub finished: bool,
    pub lines: Vec<Line>,
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "round {}, rule set {}", self.round, self.rules)?;
        for line in &self.lines {
            writeln!(f, "{:>8}  {}", line.seq, line.words)?;
        }
        f.write_str(if self.finished { "end of the round" } else { "the round is open" })
    }
}

/// Why a round cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayFailure {
    /// The log has no such round.
    #[error("no round {0} in this database")]
    NoSuchRound(String),
    /// A record is no event of this build.
    #[error("record {0} cannot be read: {1}")]
    Unreadable(u64, serde_json::Error),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl ReplayFailure {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ReplayFailure::NoSuchRound(_) => "NO_SUCH_ROUND",
            ReplayFailure::Unreadable(..) => "RECORD_UNREADABLE",
            ReplayFailure::Store(failure) => failure.code(),
        }
    }
}

/// Reads a round id such as `3-17`.
pub fn round_id(text: &str) -> Option<RoundId> {
    let (table, number) = text.split_once('-')?;
    let plain = number.bytes().all(|b| b.is_ascii_digit()) && !number.starts_with('0');
    let number = number.parse().ok().filter(|_| plain)?;
    Some(RoundId { table: table.parse::<TableId>().ok()?, number })
}

/// Replays a round. Of an open round it tells nothing of cards that were not opened.
///
/// # Errors
/// [`ReplayFailure`].
pub fn replay(store: &mut dyn Store, round: RoundId) -> Result<Replay, ReplayFailure> {
    let records = load_all(store, StreamId::from(round.table), Seq(0))?;
    let mut telling: Option<Telling> = None;
    for record in &records {
        let event: Event = serde_json::from_str(&record.body)
            .map_err(|why| ReplayFailure::Unreadable(record.seq.0, why))?;
        if let Event::RoundOpened { round: number, rules, .. } = &event {
            if telling.is_some() {
                break;
            }
            if *number == round.number {
                telling = Some(Telling::new(round, rules.clone()));
            }
        }
        if let Some(telling) = &mut telling {
            telling.tell(record.seq.0, Timestamp(record.at_ms), &event);
            if telling.replay.finished {
                break;
            }
        }
    }
    telling.map(|t| t.replay).ok_or_else(|| ReplayFailure::NoSuchRound(round.to_string()))
}

struct Telling {
    replay: Replay,
    /// The cards in the order of dealing.
    dealt: Vec<Card>,
    hands: [Vec<Card>; 2],
    opened: [usize; 2],
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Player => "Player",
        Side::Banker => "Banker",
    }
}

fn who(by: Actor) -> String {
    match by {
        Actor::House => "the house".into(),
        Actor::Robot => "the robot".into(),
        Actor::Dealer(staff) => format!("dealer {}", staff.0),
        Actor::Pit(staff) => format!("pit boss {}", staff.0),
        Actor::Player(player) => format!("player {player}"),
    }
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

fn total(cards: &[Card]) -> u8 {
    games::baccarat::Hand::of(cards).total()
}

impl Telling {
    fn new(round: RoundId, rules: String) -> Telling {
        let lines = Vec::new();
        let replay = Replay { round: round.to_string(), rules, finished: false, lines };
        Telling { replay, dealt: Vec::new(), hands: [Vec::new(), Vec::new()], opened: [0, 0] }
    }

    fn tell(&mut self, seq: u64, at: Timestamp, event: &Event) {
        for words in self.words(event) {
            self.replay.lines.push(Line { seq, at, event: event.kind(), words });
        }
        self.replay.finished |= matches!(event, Event::Settled { .. } | Event::Voided { .. });
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not of the round is not told")]
    fn words(&mut self, event: &Event) -> Vec<String> {
        match event {
            Event::RoundOpened { demonstration: true, .. } => vec!["demonstration coup".into()],
            Event::RoundOpened { last, carried, .. } => {
                let last = if *last { ", last hand before the shuffle" } else { "" };
                let carried = match carried.len() {
                    0 => String::new(),
                    count => format!(", {count} stakes carried over"),
                };
                vec![format!("place your bets{last}{carried}")]
            }
            Event::LastCall => vec!["last call".into()],
            Event::BettingExtended { by, .. } => vec![format!("the close delayed by {}", who(*by))],
            Event::BetPlaced { bet, owner, on, stake } => {
                vec![format!("bet {bet}: player {owner} puts {stake} on {on}")]
            }
            Event::BetReduced { bet, owner, by, why } => {
                vec![format!("bet {bet}: {by} back to player {owner}, {}", taken_off(*why))]
            }
            Event::BetMoved { bet, owner, to } => {
                vec![format!("bet {bet}: player {owner} moves it to {to}")]
            }
            Event::BetsClosed { by } => vec![format!("no more bets, by {}", who(*by))],
            Event::Drawn { draw, .. } => vec![self.drawn(*draw)],
            Event::TakenBack { by } => vec![self.taken_back(*by)],
            Event::CardsOpened { sides, by } => self.cards_opened(sides, *by),
            Event::InsuranceClosed => vec!["insurance closed".into()],
            Event::Settled { outcome, payouts, .. } => settled(*outcome, payouts),
            Event::Voided { reason, by, returned } => {
                let back = returned.iter().map(|r| {
                    format!("bet {}: {} on {} back to player {}", r.bet, r.stake, r.on, r.owner)
                });
                let void = format!("the round is void, by {}: {}", who(*by), void(reason));
                std::iter::once(void).chain(back).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lays a card where the rules have it.
    fn lay(&mut self, card: Card) -> Side {
        self.dealt.push(card);
        let side = sides(&self.dealt).pop().unwrap_or(Side::Banker);
        self.hands[side as usize].push(card);
        side
    }

    fn drawn(&mut self, draw: Draw) -> String {
        match draw {
            Draw::Unseen => "a card burned face down".into(),
            Draw::WhiteCard => "the white card appears".into(),
            Draw::Card(card) => {
                let side = self.lay(card);
                self.opened[side as usize] = self.hands[side as usize].len();
                let now = total(&self.hands[side as usize]);
                format!("{}: {card}, {now} points", name(side))
            }
            Draw::FaceDown(card) => {
                let side = self.lay(card);
                format!("{}: a card face down", name(side))
            }
        }
    }

    fn taken_back(&mut self, by: Actor) -> String {
        let side = sides(&self.dealt).pop().unwrap_or(Side::Banker);
        self.dealt.pop();
        self.hands[side as usize].pop();
        let left = self.hands[side as usize].len();
        self.opened[side as usize] = self.opened[side as usize].min(left);
        format!("{}: corrected by {}, the last card was wrongly entered", name(side), who(by))
    }

    fn cards_opened(&mut self, opened: &[Side], by: OpenedBy) -> Vec<String> {
        let by = match by {
            OpenedBy::Dealer => "the dealer".to_owned(),
            OpenedBy::Holder(player) => format!("player {player}, who holds them"),
            OpenedBy::TimeOut => "the house, time is over".to_owned(),
            OpenedBy::HolderLeft => "the dealer, the holder left".to_owned(),
        };
        let turn = |side: &Side| {
            let hand = &self.hands[*side as usize];
            self.opened[*side as usize] = hand.len();
            format!("{}: {} turned by {by}, {} points", name(*side), cards(hand), total(hand))
        };
        opened.iter().map(turn).collect()
    }
}

fn taken_off(why: TakenOff) -> &'static str {
    match why {
        TakenOff::Cancelled => "cancelled",
        TakenOff::Lowered => "lowered",
        TakenOff::MainBetGone => "its main bet is gone",
        TakenOff::Returned(ReturnReason::CarryAbsent) => "the owner of a carried stake is away",
        TakenOff::Returned(ReturnReason::DiffTrimmed) => "trimmed to the differential limit",
        TakenOff::Returned(ReturnReason::CarryEnded) => "carried stakes end here",
    }
}

fn void(reason: &VoidReason) -> &str {
    match reason {
        VoidReason::Pit(words) => words,
        VoidReason::SealedOrderLost => "the sealed order of the shoe is lost",
        VoidReason::OutOfCards => "the shoe cannot complete the coup",
    }
}

fn settled(outcome: AnyOutcome, payouts: &[PaidOut]) -> Vec<String> {
    let AnyOutcome::Baccarat(result) = outcome;
    let winner = match result.winner {
        Winner::Player => "Player wins",
        Winner::Banker => "Banker wins",
        Winner::Tie => "Tie",
    };
    let (player, banker) = (result.player_total, result.banker_total);
    let first = format!("Player {player}, Banker {banker}: {winner}");
    std::iter::once(first).chain(payouts.iter().map(paid)).collect()
}

fn paid(p: &PaidOut) -> String {
    let bet = format!("bet {}: {} on {} of player {}", p.bet, p.stake, p.on, p.owner);
    match p.ending {
        Ending::Won if p.commission == Chips::ZERO => format!("{bet} wins {}", p.winnings),
        Ending::Won => format!("{bet} wins {}, commission {}", p.winnings, p.commission),
        Ending::Pushed => format!("{bet} is returned"),
        Ending::Lost => format!("{bet} loses"),
        Ending::Carried => format!("{bet} stays for the next coup"),
    }
}
