//! The rules of the table games: pure functions of what was bet and what came out.
//!
//! An owner is an opaque number, chance is an input, time is nobody's business here.

pub mod baccarat;
mod card;
mod shoe;

pub use card::{Card, NotACard, Rank, Suit};
pub use shoe::Shoe;
