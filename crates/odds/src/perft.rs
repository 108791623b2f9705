//! The naive enumerator: slow, short, obviously right. It checks everything else.

use games::{Card, Draw, Due, Expects, Round, Seating};
use thiserror::Error;

use crate::composition::Composition;

/// Most steps that a round may take besides its draws of cards.
pub const STEPS_MAX: u32 = 64;

/// Why a round could not be enumerated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum Unfinished {
    /// Fewer cards than a sequence needs, so that some rounds could not end.
    #[error("{cards} cards are too few for sequences of {length}")]
    TooFewCards { cards: u32, length: u32 },
    /// A round took more cards than a sequence has.
    #[error("a round that takes more cards than the sequences have")]
    TooLong,
    /// A round asks for something that is no part of a round, or never ends.
    #[error("a round that does not end by draws and timeouts alone")]
    NoEnd,
    /// More sequences than can be counted.
    #[error("more sequences than can be counted")]
    TooMany,
}

/// Deals every possible sequence of cards through `round` and shows each finished round to
/// `visit`, with the number of ordered sequences of `length` cards that lead to it.
///
/// A round that ends earlier counts once for every way in which the sequence could go on, as
/// published tables do (BAC-152). Decisions are passed by [`Round::timeout`]; cards burned unseen
/// change nothing, as all orders are equally likely. Returns the number of all sequences.
///
/// # Errors
/// [`Unfinished`]; `visit` may have seen part of the rounds by then.
pub fn perft<R: Round>(
    round: &R,
    shoe: &Composition,
    length: u32,
    visit: &mut impl FnMut(&R, u128),
) -> Result<u128, Unfinished> {
    if shoe.cards() < length {
        return Err(Unfinished::TooFewCards { cards: shoe.cards(), length });
    }
    let total = orders(shoe.cards(), length)?;
    walk(round.clone(), shoe, length, 1, visit)?;
    Ok(total)
}

fn walk<R: Round>(
    mut round: R,
    shoe: &Composition,
    length: u32,
    weight: u128,
    visit: &mut impl FnMut(&R, u128),
) -> Result<(), Unfinished> {
    for _ in 0..STEPS_MAX {
        match round.expects() {
            Expects::Bets => round.close(&Seating::default()),
            Expects::Open { .. } | Expects::Insurance => round.timeout(),
            Expects::Draw { due: Due::Burn { .. }, .. } => round.draw(Draw::Unseen),
            Expects::Draw { due: Due::WhiteCard, .. } => round.draw(Draw::WhiteCard),
            Expects::Draw { due: Due::Turned, .. } => {
                return each_card(&round, shoe, length, weight, visit, Draw::Card);
            }
            Expects::Draw { due: Due::Card { face_down, .. }, .. } => {
                let laid = if face_down { Draw::FaceDown } else { Draw::Card };
                return each_card(&round, shoe, length, weight, visit, laid);
            }
            Expects::Declaration => {
                let ways = weight.checked_mul(orders(shoe.cards(), length)?);
                visit(&round, ways.ok_or(Unfinished::TooMany)?);
                return Ok(());
            }
            Expects::Step(_) | Expects::Opening { .. } | Expects::ShoeChange => {
                return Err(Unfinished::NoEnd);
            }
        }
    }
    Err(Unfinished::NoEnd)
}

fn each_card<R: Round>(
    round: &R,
    shoe: &Composition,
    length: u32,
    weight: u128,
    visit: &mut impl FnMut(&R, u128),
    laid: fn(Card) -> Draw,
) -> Result<(), Unfinished> {
    let left = length.checked_sub(1).ok_or(Unfinished::TooLong)?;
    for (card, count) in shoe.kinds() {
        let weight = weight.checked_mul(u128::from(count)).ok_or(Unfinished::TooMany)?;
        let mut next = round.clone();
        next.draw(laid(card));
        walk(next, &shoe.without(card), left, weight, visit)?;
    }
    Ok(())
}

/// In how many orders `length` of `cards` cards can come: n! / (n - length)!.
fn orders(cards: u32, length: u32) -> Result<u128, Unfinished> {
    let last = cards.checked_sub(length).ok_or(Unfinished::TooFewCards { cards, length })?;
    (last + 1..=cards)
        .try_fold(1u128, |product, left| product.checked_mul(u128::from(left)))
        .ok_or(Unfinished::TooMany)
}
