//! Why not: answers to those who asked for what cannot be. Nothing changed.

use std::fmt;

use chips::Chips;
use games::{Illegal, Refused};
use serde::{Serialize, Serializer};

/// Makes the closed list of codes with their text forms.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The stable code of a refusal: OPS-40's, and those of the dealer's and the server's
        /// doors.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The text form.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// The betting window is over.
    BetClosed = "BET_CLOSED",
    /// The table is closed, or no betting window was opened yet.
    NotOpen = "NOT_OPEN",
    /// Below the minimum.
    BelowMin = "BELOW_MIN",
    /// Above the maximum.
    AboveMax = "ABOVE_MAX",
    /// The zone is full.
    ZoneFull = "ZONE_FULL",
    /// Not a multiple of the step.
    Step = "STEP",
    /// Not enough chips.
    InsufficientFunds = "INSUFFICIENT_FUNDS",
    /// Banker and Player in one coup.
    BankerPlayerExclusive = "BANKER_PLAYER_EXCLUSIVE",
    /// Banker must be a multiple of the minimum.
    BankerMultiple = "BANKER_MULTIPLE",
    /// Beyond the differential limit.
    DiffLimit = "DIFF_LIMIT",
    /// A main bet is needed.
    MainBetRequired = "MAIN_BET_REQUIRED",
    /// Somebody else's box.
    NotYourBox = "NOT_YOUR_BOX",
    /// No such bet here, or not now.
    UnknownPosition = "UNKNOWN_POSITION",
    /// A carried stake may only be raised.
    CarryLocked = "CARRY_LOCKED",
    /// A demonstration coup takes no bets.
    DemoCoup = "DEMO_COUP",
    /// The last hand of the shoe was dealt.
    LastHandDone = "LAST_HAND_DONE",
    /// The round that was meant is over.
    StaleRound = "STALE_ROUND",
    /// The rule set that was meant is not in force.
    StaleRules = "STALE_RULES",
    /// The same command id with another body.
    Duplicate = "DUPLICATE",
    /// The table is paused.
    TablePaused = "TABLE_PAUSED",
    /// The table is disabled.
    Disabled = "DISABLED",
    /// A seat is needed.
    NotSeated = "NOT_SEATED",
    /// Somebody else's turn.
    NotYourTurn = "NOT_YOUR_TURN",
    /// Not possible now.
    IllegalAction = "ILLEGAL_ACTION",
    /// A limit of the player's own.
    LimitReached = "LIMIT_REACHED",
    /// The player is excluded.
    Excluded = "EXCLUDED",
    /// The reality check waits for an answer.
    RealityCheckPending = "REALITY_CHECK_PENDING",
    /// Staff do not play.
    RestrictedPlayer = "RESTRICTED_PLAYER",
    /// Another language is spoken here.
    ChatLanguage = "CHAT_LANGUAGE",
    /// Too many requests.
    RateLimited = "RATE_LIMITED",
    /// The message cannot be read.
    Malformed = "MALFORMED",
    /// Nothing of this kind is due now.
    NotDue = "NOT_DUE",
    /// A card came when none was due: the pit hears of it.
    CardNotDue = "CARD_NOT_DUE",
    /// The shoe cannot hold such a card any more.
    ShoeCannotHold = "SHOE_CANNOT_HOLD",
    /// The cut must leave a deck on either side.
    CutOutOfRange = "CUT_OUT_OF_RANGE",
    /// There is no card that may be taken back.
    NothingToTakeBack = "NOTHING_TO_TAKE_BACK",
    /// The seat is taken.
    SeatTaken = "SEAT_TAKEN",
    /// There is no such seat.
    NoSuchSeat = "NO_SUCH_SEAT",
    /// Another person deals here, or the robot does.
    NotYourTable = "NOT_YOUR_TABLE",
    /// A pit boss must be present.
    PitBossRequired = "PIT_BOSS_REQUIRED",
    /// The settings cannot be.
    WrongSettings = "WRONG_SETTINGS",
    /// The table is full.
    TableFull = "TABLE_FULL",
    /// A reason must be given.
    ReasonRequired = "REASON_REQUIRED",
    /// The writer stopped: whether the command counted is told when asked again by its id.
    Unavailable = "UNAVAILABLE",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A refusal: its code and what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rejection {
    /// The stable code.
    pub code: Code,
    /// The smallest total that would be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub min: Option<Chips>,
    /// The most that could be added, or that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub max: Option<Chips>,
    /// The step of which the stake must be a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub step: Option<Chips>,
    /// What was expected, and what came.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub detail: Option<String>,
}

impl Rejection {
    /// A refusal with this code alone.
    pub const fn new(code: Code) -> Rejection {
        Rejection { code, min: None, max: None, step: None, detail: None }
    }

    /// A refusal that says what was expected.
    pub fn because(code: Code, detail: impl Into<String>) -> Rejection {
        Rejection { detail: Some(detail.into()), ..Rejection::new(code) }
    }

    /// A refusal for want of chips; `available` is what there is.
    pub fn insufficient(available: Chips) -> Rejection {
        Rejection { max: Some(available), ..Rejection::new(Code::InsufficientFunds) }
    }

    /// True for what no honest mistake explains: an impossible or an early card alarms the pit.
    pub fn alarms(&self) -> bool {
        matches!(self.code, Code::ShoeCannotHold | Code::CardNotDue)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.as_str())?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for Rejection {}

impl From<Code> for Rejection {
    fn from(code: Code) -> Rejection {
        Rejection::new(code)
    }
}

impl From<Refused> for Rejection {
    fn from(refused: Refused) -> Rejection {
        let with = |code, min, max, step| Rejection { min, max, step, ..Rejection::new(code) };
        match refused {
            Refused::UnknownPosition => Code::UnknownPosition.into(),
            Refused::NotYourBox => Code::NotYourBox.into(),
            Refused::BelowMin { min } => with(Code::BelowMin, Some(min), None, None),
            Refused::AboveMax { max } => with(Code::AboveMax, None, Some(max), None),
            Refused::ZoneFull { max } => with(Code::ZoneFull, None, Some(max), None),
            Refused::Step { step } => with(Code::Step, None, None, Some(step)),
            Refused::BankerPlayerExclusive => Code::BankerPlayerExclusive.into(),
            Refused::BankerMultiple { step } => with(Code::BankerMultiple, None, None, Some(step)),
            Refused::DiffLimit { max } => with(Code::DiffLimit, None, Some(max), None),
            Refused::MainBetRequired => Code::MainBetRequired.into(),
            Refused::CarryLocked => Code::CarryLocked.into(),
            Refused::IllegalAction => Code::IllegalAction.into(),
        }
    }
}

impl From<Illegal> for Rejection {
    fn from(illegal: Illegal) -> Rejection {
        match illegal {
            Illegal::NotDue => Code::NotDue.into(),
            Illegal::ShoeCannotHold { card } => {
                Rejection::because(Code::ShoeCannotHold, format!("all {card} were seen already"))
            }
            Illegal::WrongFace { face_down } => {
                let way = if face_down { "face down" } else { "face up" };
                Rejection::because(Code::NotDue, format!("the card is due {way}"))
            }
            Illegal::CutOutOfRange { min, max } => {
                Rejection::because(Code::CutOutOfRange, format!("{min} to {max}"))
            }
            Illegal::NotYours => Code::NotYourTurn.into(),
            Illegal::NothingToTakeBack => Code::NothingToTakeBack.into(),
        }
    }
}
