//! The exact edge of every bet of a rule set, counted once and remembered by the set's hash.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use games::{AnyBet, RuleSet};
use odds::Composition;
use serde::Serialize;
use table::rules_hash;
use utoipa::ToSchema;

/// Rule sets whose edges are remembered.
const REMEMBERED_MAX: usize = 1_000;
/// Decimals of an edge in per cent.
const DECIMALS: usize = 4;

/// What the house keeps of a bet on average, from a full shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BetEdge {
    /// The bet.
    #[schema(value_type = String, example = "banker")]
    pub on: AnyBet,
    /// The edge for each unit staked, as an exact fraction: `163679/12724075`.
    pub exact: String,
    /// The edge in per cent, cut to four decimals: `1.0579`.
    pub percent: String,
}

/// The edges that were counted so far.
#[derive(Clone, Debug, Default)]
pub struct Edges(Arc<Mutex<BTreeMap<String, Arc<Vec<BetEdge>>>>>);

impl Edges {
    /// The edges of a rule set. The first time it counts every coup, which takes some seconds:
    /// from an asynchronous task it belongs into `spawn_blocking`.
    pub fn of(&self, rules: &RuleSet) -> Arc<Vec<BetEdge>> {
        let hash = rules_hash(&rules.canonical());
        // One counts at a time; whoever waits finds the answer.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(edges) = known.get(&hash) {
            return Arc::clone(edges);
        }
        let edges = Arc::new(counted(rules));
        if known.len() >= REMEMBERED_MAX {
            known.clear();
        }
        known.insert(hash, Arc::clone(&edges));
        edges
    }
}

fn counted(rules: &RuleSet) -> Vec<BetEdge> {
    let rules = rules.baccarat();
    let shoe = Composition::decks(rules.decks).suits_alike();
    let spreads = odds::baccarat::spreads(rules, &shoe).unwrap_or_default();
    let hundred = odds::Fraction::new(100, 1);
    let edge = |(bet, spread): (games::baccarat::Bet, odds::Spread)| {
        let edge = spread.edge()?;
        let percent = edge.times(hundred?)?.decimal(DECIMALS);
        Some(BetEdge { on: AnyBet::Baccarat(bet), exact: edge.to_string(), percent })
    };
    spreads.into_iter().filter_map(edge).collect()
}
