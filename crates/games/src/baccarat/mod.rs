//! Baccarat: the coup and the shoe it is dealt from (spec BAC).

pub mod roads;
mod tableau;

pub use tableau::{Hand, Outcome, Side, Winner, banker_draws, player_draws, value};
