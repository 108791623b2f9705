//! What happened at a table: the only thing below the server that is written to disk.
//!
//! Names and fields are for ever: an event may get a new optional field, never another meaning.

use std::fmt;

use chips::Chips;
use games::baccarat::{ShoeEnd, Side};
use games::{AnyBet, AnyOutcome, BetId, Draw, Ending, ReturnReason, Seat, Step};
use ledger::{PlayerId, TableId};
use serde::{Deserialize, Serialize};

use crate::command::{Actor, Timestamp};
use crate::settings::Settings;

/// A round of a table. Its text form is table and number: `3-17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct RoundId {
    pub table: TableId,
    pub number: u64,
}

impl fmt::Display for RoundId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.table, self.number)
    }
}

/// A carried stake that lies on the layout of the new round under a new number (BAC-62).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct CarriedOver {
    pub from: BetId,
    pub bet: BetId,
}

/// Why a stake, or part of it, was taken off the layout during the betting window or at its close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum TakenOff {
    /// By its owner.
    Cancelled,
    /// By its owner, in part.
    Lowered,
    /// Its main bet was cancelled (BAC-37).
    MainBetGone,
    /// At the close, by rule.
    Returned(ReturnReason),
}

/// Who turned cards over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum OpenedBy {
    /// Whoever deals.
    Dealer,
    /// The holder (BAC-45).
    Holder(PlayerId),
    /// The house, as the holder's time was over.
    TimeOut,
    /// The house, as the holder had left (BAC-46).
    HolderLeft,
}

/// What one bet came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct PaidOut {
    pub bet: BetId,
    pub owner: PlayerId,
    pub on: AnyBet,
    pub stake: Chips,
    pub ending: Ending,
    /// Before commission.
    pub winnings: Chips,
    pub commission: Chips,
}

/// A stake that went back whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Returned {
    pub bet: BetId,
    pub owner: PlayerId,
    pub on: AnyBet,
    pub stake: Chips,
}

/// Why a round is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum VoidReason {
    /// The pit decided so, in these words.
    Pit(String),
    /// The robot lost the sealed order of the shoe.
    SealedOrderLost,
    /// The shoe could not complete the coup (BAC-119).
    OutOfCards,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Event {
    /// Settings and rule set, in force from the next round (or shoe) on.
    Configured {
        settings: Box<Settings>,
        rules: String,
        text: String,
    },
    TableOpened {
        by: Actor,
    },
    /// The table closes after this round (OPS-15).
    Closing {
        by: Actor,
    },
    TableClosed,
    Paused {
        by: Actor,
    },
    Unpaused {
        by: Actor,
    },
    Disabled {
        by: Actor,
        reason: String,
    },
    Enabled {
        by: Actor,
    },
    SatDown {
        player: PlayerId,
        name: String,
        seat: Seat,
    },
    StoodUp {
        player: PlayerId,
        seat: Seat,
    },
    Arrived {
        player: PlayerId,
    },
    Left {
        player: PlayerId,
    },
    /// A new shoe; roads are clear.
    ShoeBegun {
        shoe: u32,
        rules: String,
    },
    /// The dealer's robot is bound to an order (OPS-69).
    Committed {
        shoe: u32,
        commitment: String,
        previous: Option<String>,
    },
    StepTaken {
        step: Step,
        at: Option<u16>,
        by: Actor,
    },
    RoundOpened {
        round: u64,
        rules: String,
        demonstration: bool,
        last: bool,
        closes_at: Timestamp,
        carried: Vec<CarriedOver>,
    },
    /// Five seconds left (OPS-20 `LAST_SECONDS`).
    LastCall,
    BettingExtended {
        closes_at: Timestamp,
        by: Actor,
    },
    BetPlaced {
        bet: BetId,
        owner: PlayerId,
        on: AnyBet,
        stake: Chips,
    },
    BetReduced {
        bet: BetId,
        owner: PlayerId,
        by: Chips,
        why: TakenOff,
    },
    BetMoved {
        bet: BetId,
        owner: PlayerId,
        to: AnyBet,
    },
    /// No more bets (OPS-13).
    BetsClosed {
        by: Actor,
    },
    Drawn {
        draw: Draw,
        by: Actor,
    },
    /// The last card was wrongly entered; players see "corrected".
    TakenBack {
        by: Actor,
    },
    CardsOpened {
        sides: Vec<Side>,
        by: OpenedBy,
    },
    /// An insurance window is over.
    InsuranceClosed,
    /// The result is declared and every bet settled.
    Settled {
        outcome: AnyOutcome,
        payouts: Vec<PaidOut>,
        by: Actor,
    },
    Voided {
        reason: VoidReason,
        by: Actor,
        returned: Vec<Returned>,
    },
    /// A stake carried over went back between rounds (BAC-62).
    CarriedReturned {
        returned: Returned,
        why: ReturnReason,
    },
    ShoeEnded {
        shoe: u32,
        reason: ShoeEnd,
    },
    /// The robot shows the order of a finished shoe.
    Revealed {
        shoe: u32,
        record: String,
    },
    /// The shoe-holder asked for the next card (BAC-132).
    CardAsked {
        player: PlayerId,
    },
    /// The shoe went to the next seat (BAC-131).
    ShoePassed {
        player: PlayerId,
    },
    RoadsReset {
        by: Actor,
    },
    /// The process started again.
    Resumed,
    /// The digest of the state after the event before.
    Digest {
        hash: String,
    },
}

impl Event {
    /// The name of the kind, as on disk.
    pub const fn kind(&self) -> &'static str {
        match self {
            Event::Configured { .. } => "configured",
            Event::TableOpened { .. } => "table-opened",
            Event::Closing { .. } => "closing",
            Event::TableClosed => "table-closed",
            Event::Paused { .. } => "paused",
            Event::Unpaused { .. } => "unpaused",
            Event::Disabled { .. } => "disabled",
            Event::Enabled { .. } => "enabled",
            Event::SatDown { .. } => "sat-down",
            Event::StoodUp { .. } => "stood-up",
            Event::Arrived { .. } => "arrived",
            Event::Left { .. } => "left",
            Event::ShoeBegun { .. } => "shoe-begun",
            Event::Committed { .. } => "committed",
            Event::StepTaken { .. } => "step-taken",
            Event::RoundOpened { .. } => "round-opened",
            Event::LastCall => "last-call",
            Event::BettingExtended { .. } => "betting-extended",
            Event::BetPlaced { .. } => "bet-placed",
            Event::BetReduced { .. } => "bet-reduced",
            Event::BetMoved { .. } => "bet-moved",
            Event::BetsClosed { .. } => "bets-closed",
            Event::Drawn { .. } => "drawn",
            Event::TakenBack { .. } => "taken-back",
            Event::CardsOpened { .. } => "cards-opened",
            Event::InsuranceClosed => "insurance-closed",
            Event::Settled { .. } => "settled",
            Event::Voided { .. } => "voided",
            Event::CarriedReturned { .. } => "carried-returned",
            Event::ShoeEnded { .. } => "shoe-ended",
            Event::Revealed { .. } => "revealed",
            Event::CardAsked { .. } => "card-asked",
            Event::ShoePassed { .. } => "shoe-passed",
            Event::RoadsReset { .. } => "roads-reset",
            Event::Resumed => "resumed",
            Event::Digest { .. } => "digest",
        }
    }

    /// The names of all kinds, for tests that count what they reached.
    pub const KINDS: [&'static str; 36] = [
        "configured",
        "table-opened",
        "closing",
        "table-closed",
        "paused",
        "unpaused",
        "disabled",
        "enabled",
        "sat-down",
        "stood-up",
        "arrived",
        "left",
        "shoe-begun",
        "committed",
        "step-taken",
        "round-opened",
        "last-call",
        "betting-extended",
        "bet-placed",
        "bet-reduced",
        "bet-moved",
        "bets-closed",
        "drawn",
        "taken-back",
        "cards-opened",
        "insurance-closed",
        "settled",
        "voided",
        "carried-returned",
        "shoe-ended",
        "revealed",
        "card-asked",
        "shoe-passed",
        "roads-reset",
        "resumed",
        "digest",
    ];
}
