//! Exact probabilities and edges: every possible draw is offered to the very rules that a table
//! plays by, and what comes of it is counted.
//!
//! ```
//! use games::{RuleSet, baccarat::Bet};
//! use odds::Composition;
//! # let text = include_str!("../../../rules/baccarat/live.toml");
//! let RuleSet::Baccarat(rules) = RuleSet::parse(text).unwrap();
//! let shoe = Composition::values([4, 4, 4, 4, 4, 4, 4, 4, 4, 16]);
//! let spreads = odds::baccarat::spreads(&rules, &shoe).unwrap();
//! assert_eq!(spreads[&Bet::Player].edge().unwrap().to_string(), "163679/12724075");
//! ```

pub mod baccarat;
mod composition;
mod fraction;
mod perft;
mod spread;

pub use composition::Composition;
pub use fraction::{Fraction, NotAFraction};
pub use perft::{STEPS_MAX, Unfinished, perft};
pub use spread::{Spread, net, spreads};
