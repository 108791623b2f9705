//! What somebody asks of a table: commands of players, dealers, the pit and the house itself, and
//! the stamp under which they arrive.

use std::fmt;
use std::str::FromStr;

use chips::Chips;
use games::{AnyBet, BetId, Card, Seat, Step};
use ledger::PlayerId;
use serde::{Deserialize, Serialize};

use crate::event::VoidReason;
use crate::limits::COMMAND_ID_MAX;
use crate::settings::Settings;

/// When the house received something: milliseconds of the one server clock since 1970, UTC.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// So many seconds later.
    pub fn plus_s(self, seconds: u16) -> Timestamp {
        Timestamp(self.0.saturating_add(i64::from(seconds) * 1_000))
    }

    /// So many seconds earlier.
    pub fn minus_s(self, seconds: u16) -> Timestamp {
        Timestamp(self.0.saturating_sub(i64::from(seconds) * 1_000))
    }
}

/// The number of a member of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct StaffId(pub u32);

/// Who did something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Actor {
    /// The house: its timers, its settings.
    House,
    /// The house's robot dealer.
    Robot,
    Dealer(StaffId),
    Pit(StaffId),
    Player(PlayerId),
}

/// A client's own name for a command, by which a repetition is known (OPS-30): 1 to 64 letters,
/// digits, `-` or `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[serde(try_from = "String", into = "String")]
pub struct CommandId(String);

/// Why a text is no command id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACommandId;

impl fmt::Display for NotACommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a command id has 1 to {COMMAND_ID_MAX} letters, digits, - or _")
    }
}

impl std::error::Error for NotACommandId {}

impl FromStr for CommandId {
    type Err = NotACommandId;

    fn from_str(text: &str) -> Result<CommandId, NotACommandId> {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let fits = (1..=COMMAND_ID_MAX).contains(&text.len());
        if plain && fits { Ok(CommandId(text.to_owned())) } else { Err(NotACommandId) }
    }
}

impl TryFrom<String> for CommandId {
    type Error = NotACommandId;

    fn try_from(text: String) -> Result<CommandId, NotACommandId> {
        text.parse()
    }
}

impl From<CommandId> for String {
    fn from(id: CommandId) -> String {
        id.0
    }
}

impl CommandId {
    /// The text form.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a player asks. The round and the rule set that he means come with it in a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PlayerCommand {
    /// Take a seat.
    Sit {
        /// Which.
        seat: Seat,
    },
    /// Give the seat up.
    Stand,
    /// Place a stake; it adds to what lies there already and gets a number of its own.
    Bet {
        /// On what.
        on: AnyBet,
        /// How much, in smallest units.
        stake: Chips,
        /// On the box of this seat, which must be one's own (BAC-44).
        #[serde(default)]
        at_box: Option<Seat>,
    },
    /// Take a bet off.
    Cancel {
        /// Which.
        bet: BetId,
    },
    /// Lower a bet to a smaller stake.
    Lower {
        /// Which.
        bet: BetId,
        /// To how much.
        to: Chips,
    },
    /// Move a bet to another zone.
    Move {
        /// Which.
        bet: BetId,
        /// Where to.
        to: AnyBet,
    },
    /// Take the last increment off.
    Undo,
    /// Take everything off (OPS-95).
    CancelAll,
    /// Bet again what one had in the round before (BAC-38, BAC-39).
    Repeat,
    /// Bet once more what one has on the layout.
    Double,
    /// Turn the cards that one holds (BAC-46).
    Open,
    /// Cut the shoe (BAC-21).
    Cut {
        /// Cards in front of the cut card.
        at: u16,
    },
    /// Trigger the next card as the shoe-holder (BAC-132).
    Deal,
    /// Pass the shoe on (BAC-131).
    PassShoe,
}

/// What a dealer asks, a person or the robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DealerCommand {
    /// Open the table.
    OpenTable,
    /// Close the table: at once between rounds, else after this one (OPS-15).
    CloseTable,
    /// Begin a new shoe.
    NewShoe,
    /// End the present shoe between rounds (BAC-29).
    ChangeShoe,
    /// Take a step of the shoe procedure.
    Step {
        /// Which.
        step: Step,
        /// Where the shoe was cut, if that is known.
        #[serde(default)]
        at: Option<u16>,
    },
    /// Open a round.
    OpenRound {
        /// As a demonstration coup (BAC-27).
        #[serde(default)]
        demonstration: bool,
    },
    /// Close the betting window.
    CloseBets,
    /// Delay the close once (OPS-33).
    ExtendBets,
    /// A card came out, for whatever is due; which way up follows from that.
    Card {
        /// Which.
        card: Card,
    },
    /// A card was burned face down.
    Burn,
    /// The white card came out.
    WhiteCard,
    /// The last card was entered wrongly.
    TakeBack,
    /// Turn the cards that nobody holds.
    Open,
    /// Declare the result, which settles the round.
    Declare,
}

/// What the pit asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PitCommand {
    /// Void the round: every stake goes back (OPS-51).
    Void {
        /// The round that is meant; without it, whichever is open.
        #[serde(default)]
        round: Option<u64>,
        /// Why, in words.
        reason: String,
    },
    /// Take no more bets and open no more rounds until resumed.
    Pause,
    /// Go on.
    Unpause,
    /// The table finishes its round and takes no more (STD-5).
    Disable {
        /// Why, in words.
        reason: String,
    },
    /// The table may be used again.
    Enable,
    /// Clear the roads of a continuous shuffler (BAC-28).
    ResetRoads,
}

/// What the house itself brings about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HouseCommand {
    /// These settings and this rule set, in force as soon as the round and the shoe allow.
    Configure {
        /// The settings.
        settings: Box<Settings>,
        /// The canonical text of the rule set.
        rules: String,
    },
    /// A player's first connection to the table stands.
    Arrived {
        /// Who.
        player: PlayerId,
    },
    /// A player's last connection is gone for five seconds.
    Left {
        /// Who.
        player: PlayerId,
    },
    /// The process started again: nobody is connected, windows and decisions get their full time.
    Resume,
    /// Time went by.
    Tick,
    /// The robot commits to the order of the shoe, before its cut (OPS-69).
    Commit {
        /// The commitment.
        commitment: String,
        /// That of the shoe before.
        previous: Option<String>,
    },
    /// The robot reveals the order of a finished shoe.
    Reveal {
        /// Which shoe.
        shoe: u32,
        /// The record, as text.
        record: String,
    },
    /// The robot lost the sealed order: the open round is void, the shoe ends.
    SealLost,
    /// A failure of the house voids the open round (OPS-50).
    Void {
        /// Why.
        reason: VoidReason,
    },
}

/// A player's command with the round and the rule set that he sees (OPS-30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who asks.
    pub player: PlayerId,
    /// His name as others see it.
    pub name: String,
    /// The round that he means; needed for bets.
    pub round: Option<u64>,
    /// The hash of the rule set that he sees; checked if given.
    pub rules: Option<String>,
    /// What he has to spend beyond what the command needs is not the table's business; this says
    /// whether what it needs was reserved, and if not what there is.
    pub funds: Result<(), Chips>,
    /// What he asks.
    pub command: PlayerCommand,
}

/// What somebody asks, by who he is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Command {
    Player(Request),
    /// By the robot or a member of staff.
    Dealer(Actor, DealerCommand),
    Pit(StaffId, PitCommand),
    House(HouseCommand),
}

/// A command with the moment at which the house received it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped {
    /// When.
    pub at: Timestamp,
    /// What.
    pub command: Command,
}
