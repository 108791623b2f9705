//! The contract of every game: what is bet, what chance decided, what is due next, what came of it.

use std::collections::BTreeMap;
use std::fmt;

use chips::{Chips, Pays};
use serde::{Deserialize, Serialize};

use crate::baccarat::Side;
use crate::card::Card;

/// Whose wager it is: an opaque number to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Owner(pub u64);

/// The number of a bet, unique at its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct BetId(pub u64);

impl fmt::Display for BetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A numbered place at the table where a hand lies or a player sits, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
#[serde(transparent)]
pub struct Seat(pub u8);

/// A bet with its stake and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wager<B> {
    /// The number of this bet at the table.
    pub id: BetId,
    /// Whose it is.
    pub owner: Owner,
    /// What it is on.
    pub on: B,
    /// What is at stake.
    pub stake: Chips,
    /// The bet of an earlier round whose stake this is, carried over (BAC-62).
    pub carried_from: Option<BetId>,
}

/// What chance decided, as told by whoever deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// A card laid face up.
    Card(Card),
    /// A card laid face down: the table knows it, nobody but its holder sees it until it is opened.
    FaceDown(Card),
    /// A card burned face down, seen by nobody.
    Unseen,
    /// The cut card came out of the shoe (BAC-90).
    WhiteCard,
}

/// What must be drawn next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", tag = "due")]
#[allow(missing_docs)]
pub enum Due {
    /// The first card of a new shoe, turned to tell how many are burned (BAC-25).
    Turned,
    /// A card burned face down; `left` counts this one.
    Burn { left: u8 },
    /// The white card, which the house knows to be next (`rng` only).
    WhiteCard,
    /// A card for a hand: `nth` is 1, 2 or 3.
    Card { side: Side, nth: u8, face_down: bool },
}

/// A step of the shoe procedure, in this order, none skipped (BAC-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// All cards seen and counted: whole decks, no flaw (OPS-60, OPS-61).
    Inspect,
    /// Mixed face down on the table (OPS-64).
    Wash,
    /// Shuffled.
    Shuffle,
    /// Cut (BAC-22).
    Cut,
    /// The white card placed (BAC-23).
    PlaceWhiteCard,
    /// Loaded into the shoe, face down (BAC-24).
    Load,
}

impl Step {
    /// All steps in order.
    pub const ALL: [Step; 6] =
        [Step::Inspect, Step::Wash, Step::Shuffle, Step::Cut, Step::PlaceWhiteCard, Step::Load];
}

/// Who must do what next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expects {
    /// The dealer takes the next step of the shoe procedure.
    Step(Step),
    /// A round may be opened; `demonstration` if a demonstration coup may be dealt as well.
    Opening {
        /// A demonstration coup is still allowed (BAC-27).
        demonstration: bool,
    },
    /// Bets are taken until the window is closed.
    Bets,
    /// The dealer draws. `white_card` if the white card may come out instead.
    Draw {
        /// What is due.
        due: Due,
        /// The white card has not come out yet and may be next.
        white_card: bool,
    },
    /// Face-down cards are to be opened: by their holder, or by the dealer where there is none.
    Open {
        /// The hands opened together.
        sides: Vec<Side>,
        /// Who holds the right (BAC-45); he has a time limit.
        holder: Option<Owner>,
    },
    /// Insurance is offered until its window closes (BAC-80).
    Insurance,
    /// Nothing more is due: the result is there and waits for the dealer's declaration.
    Declaration,
    /// The shoe is finished and must be changed before the next round.
    ShoeChange,
}

/// Why a bet was refused. Codes and their precedence are OPS-40's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Refused {
    /// This table does not offer the bet, or not at this moment.
    UnknownPosition,
    /// The box belongs to a seated player (BAC-44).
    NotYourBox,
    /// The total would be below the minimum.
    BelowMin { min: Chips },
    /// The total would be above the maximum; `max` is what could still be added.
    AboveMax { max: Chips },
    /// All players together would be above the zone's maximum.
    ZoneFull { max: Chips },
    /// Not a multiple of the step at which the bet is paid exactly (BAC-70).
    Step { step: Chips },
    /// Banker and Player in one coup (BAC-32).
    BankerPlayerExclusive,
    /// Banker must be a multiple of the minimum (BAC-36).
    BankerMultiple { step: Chips },
    /// The difference between Banker and Player would pass the limit (BAC-41).
    DiffLimit { max: Chips },
    /// A side bet needs a main bet of the same player (BAC-37).
    MainBetRequired,
    /// A carried stake may only be raised (BAC-61).
    CarryLocked,
    /// There is no such bet of this player, or nothing to undo, repeat or double.
    IllegalAction,
}

/// Why a dealing act cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Illegal {
    /// Nothing of this kind is due now.
    NotDue,
    /// The shoe cannot hold another such card: all copies were seen.
    ShoeCannotHold { card: Card },
    /// The card is to be laid the other way up.
    WrongFace { face_down: bool },
    /// The cut must leave a deck on either side (BAC-21).
    CutOutOfRange { min: u16, max: u16 },
    /// Somebody else holds the right.
    NotYours,
    /// Something already rests on the card, or none was drawn.
    NothingToTakeBack,
}

/// How a bet came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameTo {
    /// Won at this ratio; `commission` if the house takes its part of the winnings.
    Won {
        /// Profit for stake.
        pays: Pays,
        /// The commission of the rule set is due on the winnings (BAC-65).
        commission: bool,
    },
    /// The stake goes back.
    Pushed,
    /// The stake is lost.
    Lost,
}

/// How a bet ended, in the log, the history and on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Won.
    Won,
    /// Stake returned.
    Pushed,
    /// Lost.
    Lost,
    /// The stake stays on the layout for the next round (BAC-60).
    Carried,
}

/// What one bet came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payout<B> {
    /// The bet.
    pub wager: Wager<B>,
    /// How it ended.
    pub ending: Ending,
    /// Winnings before commission; nothing unless won.
    pub winnings: Chips,
    /// What the house keeps of the winnings.
    pub commission: Chips,
}

/// What a round came to: one payout for each bet, which clears the layout but for carried stakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<B> {
    /// In the order of the bets' numbers.
    pub payouts: Vec<Payout<B>>,
}

/// A stake that goes back before the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Return {
    /// Which bet.
    pub bet: BetId,
    /// How much of it; the whole stake removes the bet.
    pub amount: Chips,
    /// Why.
    pub reason: ReturnReason,
}

/// Why a stake goes back at the close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ReturnReason {
    /// The owner of a carried stake is not connected (BAC-62 `CARRY_ABSENT`).
    CarryAbsent,
    /// Trimmed to the differential limit (BAC-42 `DIFF_TRIMMED`).
    DiffTrimmed,
    /// The shoe or the table ended with the stake still carried (BAC-62).
    CarryEnded,
}

/// Who sits where and who is connected, as the round needs it at its close.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seating {
    /// Seats taken.
    pub seats: BTreeMap<Seat, Owner>,
    /// Players in seats, and owners of carried stakes, who are not connected.
    pub absent: Vec<Owner>,
}

impl Seating {
    /// True if this owner has a seat.
    pub fn is_seated(&self, owner: Owner) -> bool {
        self.seats.values().any(|o| *o == owner)
    }

    /// True if this owner is connected.
    pub fn is_here(&self, owner: Owner) -> bool {
        !self.absent.contains(&owner)
    }
}

/// One coup, spin, deal, count or hand: from the first bet to the settlement.
///
/// This is the contract that generic code needs: the enumerator deals every possible draw through
/// it, the simulator plays it. `verify_*` asks, the verb does and panics where `verify_*` would
/// have said no.
pub trait Round: Clone {
    /// What can be bet on.
    type Bet: Copy + Ord + fmt::Display;

    /// Who must do what next.
    fn expects(&self) -> Expects;
    /// May this draw be made now? The shoe's own word is asked apart.
    ///
    /// # Errors
    /// [`Illegal`] names what was expected.
    fn verify_draw(&self, draw: Draw) -> Result<(), Illegal>;
    /// Makes a draw.
    fn draw(&mut self, draw: Draw);
    /// Closes the betting window: names holders; trimmed and absent stakes must be gone already.
    fn close(&mut self, seating: &Seating);
    /// The time for the decision that [`Round::expects`] names is over: the house acts.
    fn timeout(&mut self);
    /// What a bet came to, once the round is over.
    fn came_to(&self, on: Self::Bet) -> Option<CameTo>;
    /// What all bets came to, once the round is over.
    fn settlement(&self) -> Option<Settlement<Self::Bet>>;
}
