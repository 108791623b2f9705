//! Baccarat: the spread of every bet of a rule set.

use std::collections::BTreeMap;
use std::sync::Arc;

use games::baccarat::{Bet, Coup, Rules};

use crate::composition::Composition;
use crate::perft::Unfinished;
use crate::spread::{Spread, spreads as spreads_of};

/// Most cards of a coup, and the length of the sequences that published tables count (BAC-152).
pub const CARDS_MAX: u32 = 6;

/// The spread of every bet that the rule set offers, for the next coup from this shoe. Insurance
/// counts the coups in which it is offered.
///
/// # Errors
/// With fewer than [`CARDS_MAX`] cards.
pub fn spreads(
    rules: &Arc<Rules>,
    shoe: &Composition,
) -> Result<BTreeMap<Bet, Spread>, Unfinished> {
    let bets: Vec<Bet> = rules.layout().collect();
    let coup = Coup::new(Arc::clone(rules));
    spreads_of(&coup, shoe, CARDS_MAX, &bets, rules.commission_pct)
}
