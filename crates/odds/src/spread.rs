//! What a bet may come to, how often: its distribution, expectation and edge.

use std::collections::BTreeMap;

use games::{CameTo, Round};

use crate::composition::Composition;
use crate::fraction::Fraction;
use crate::perft::{Unfinished, perft};

/// The results of one bet: what is won for each unit staked (the stake itself apart, -1 where it
/// is lost), and in how many of all sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    results: BTreeMap<Fraction, u128>,
}

impl Spread {
    /// Counts one more result.
    pub fn add(&mut self, net: Fraction, sequences: u128) {
        *self.results.entry(net).or_default() += sequences;
    }

    /// Every result with its count, the best last.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = (Fraction, u128)> {
        self.results.iter().map(|(net, count)| (*net, *count))
    }

    /// How many sequences gave a result.
    pub fn sequences(&self) -> u128 {
        self.results.values().sum()
    }

    /// What the bet wins on average for each unit staked, pushes counted as staked; nothing where
    /// it never stood. `None` where no fraction of 128 bits holds it, which takes pays whose
    /// ratios are long and have nothing in common.
    pub fn expectation(&self) -> Option<Fraction> {
        let total = i128::try_from(self.sequences().max(1)).ok()?;
        self.results.iter().try_fold(Fraction::ZERO, |sum, (net, count)| {
            let share = Fraction::new(i128::try_from(*count).ok()?, total)?;
            sum.plus(net.times(share)?)
        })
    }

    /// The edge of the house: what the bet loses on average for each unit staked; `None` as in
    /// [`Spread::expectation`].
    pub fn edge(&self) -> Option<Fraction> {
        self.expectation().map(Fraction::negated)
    }
}

/// What a result is worth for each unit staked, commission taken.
pub fn net(came_to: CameTo, commission_pct: u8) -> Fraction {
    match came_to {
        CameTo::Lost => Fraction::ONE.negated(),
        CameTo::Pushed => Fraction::ZERO,
        CameTo::Won { pays, commission } => {
            let kept = if commission { 100 - i128::from(commission_pct.min(100)) } else { 100 };
            let above = i128::from(pays.win()) * kept;
            Fraction::new(above, i128::from(pays.stake()) * 100).expect("no ratio is over zero")
        }
    }
}

/// The spread of each of these bets over all sequences of `length` cards. A bet that does not
/// stand in a round, such as insurance that was never offered, has no result there.
///
/// # Errors
/// As [`perft`].
pub fn spreads<R: Round>(
    round: &R,
    shoe: &Composition,
    length: u32,
    bets: &[R::Bet],
    commission_pct: u8,
) -> Result<BTreeMap<R::Bet, Spread>, Unfinished> {
    let mut counts: Vec<Vec<(CameTo, u128)>> = vec![Vec::new(); bets.len()];
    perft(round, shoe, length, &mut |round, sequences| {
        for (bet, counts) in bets.iter().zip(&mut counts) {
            let Some(came_to) = round.came_to(*bet) else { continue };
            match counts.iter_mut().find(|(other, _)| *other == came_to) {
                Some((_, count)) => *count += sequences,
                None => counts.push((came_to, sequences)),
            }
        }
    })?;
    let spread = |counts: Vec<(CameTo, u128)>| {
        let mut spread = Spread::default();
        for (came_to, sequences) in counts {
            spread.add(net(came_to, commission_pct), sequences);
        }
        spread
    };
    Ok(bets.iter().copied().zip(counts.into_iter().map(spread)).collect())
}
