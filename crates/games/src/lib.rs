//! The rules of the table games: pure functions of what was bet and what came out.
//!
//! An owner is an opaque number, chance is an input, time is nobody's business here.

pub mod baccarat;
mod card;
mod game;
mod round;
mod shoe;

pub use card::{Card, NotACard, Rank, Suit};
pub use game::{
    AnyBet, AnyLimits, AnyOutcome, Game, GameName, RULES_BYTES_MAX, RuleSet, RulesFailure,
};
pub use round::{
    BetId, CameTo, Draw, Due, Ending, Expects, Illegal, Owner, Payout, Refused, Return,
    ReturnReason, Round, Seat, Seating, Settlement, Step, Wager,
};
pub use shoe::Shoe;
