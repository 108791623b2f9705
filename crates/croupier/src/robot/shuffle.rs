//! The shuffle: fresh entropy for each shoe, ChaCha20, Fisher–Yates, nothing thrown in.
//!
//! Specification, complete enough to be written again in another language
//! (`tests/vectors/shuffle.py` does so):
//!
//! 1. **Entropy.** For each shoe 32 bytes are taken from the operating system. They are the key of
//!    ChaCha20 with 20 rounds, a 64-bit block counter that starts at 0 and a 64-bit nonce of 0
//!    (STD-10: the generator starts anew with each shoe and has 256 bits of state; no time, no
//!    table number and no earlier shoe enters it). Words are the key stream four bytes at a time,
//!    least significant byte first.
//! 2. **Number below `n`.** Of the 2^32 words only the first `2^32 - 2^32 mod n` are taken; the
//!    number is the word modulo `n`. A word outside is thrown away and the next one is used, so
//!    every number has exactly the same chance (STD-11).
//! 3. **Pack.** Deck after deck, clubs, diamonds, hearts, spades, each from ace to king
//!    ([`games::Card::deck`]).
//! 4. **Fisher–Yates.** For `i` from the last place down to the second: `j` is a number below
//!    `i + 1`; the cards at `i` and `j` change places. A card may stay where it is; every card can
//!    come to every place (STD-12). 256 bits choose among at most 2^256 of the 416! orders of eight
//!    decks, as any such generator must; which ones cannot be told from outside.
//! 5. **Salt.** Another 32 bytes from the operating system, independent of the shuffle.
//! 6. **Cut of the house.** A number of its own, from fresh entropy, among the places that BAC-21
//!    allows, each as likely as the others.

use games::Card;
use rand::rngs::{ChaCha20Rng, SysError, SysRng};
use rand::{Rng, SeedableRng, TryRng};

use crate::proof::{
    Commitment, MAX_DECKS, NotAShoe, Salt, ShoeId, ShuffleMode, ShuffledShoe, cut_range,
};

/// The words that a generator of 32 bits can give.
const WORDS: u64 = 1 << 32;

/// How often a number may be drawn again. Even for the worst `n` below 2^31 a true generator is
/// refused so often in a row once in 2^128 times.
const MAX_REDRAWS: u32 = 128;

/// Why no shoe could be shuffled.
#[derive(Debug, thiserror::Error)]
pub enum NoShuffle {
    /// The operating system gave no entropy; no shoe is dealt without it.
    #[error("the operating system gives no random bytes")]
    NoEntropy(#[source] SysError),
    /// No such shoe.
    #[error(transparent)]
    NotAShoe(#[from] NotAShoe),
}

/// A shoe in a fresh order with a fresh salt (BAC-21, BAC-28, STD-10).
///
/// Seal it ([`super::sealed::SealedShoes::seal`]) before anything about it is published.
///
/// # Errors
/// [`NoShuffle`] if there is no entropy or `decks` is not 1 ..= [`MAX_DECKS`].
pub fn fresh_shoe(
    id: ShoeId,
    previous: Option<Commitment>,
    decks: u8,
    shuffle: ShuffleMode,
) -> Result<ShuffledShoe, NoShuffle> {
    if decks > MAX_DECKS {
        return Err(NotAShoe::Decks(decks).into());
    }
    let order = shuffled(pack(decks), &mut fresh_generator()?);
    Ok(ShuffledShoe::new(id, previous, decks, shuffle, order, Salt(entropy()?))?)
}

/// The cut that the house takes when it is the cutter (BAC-21): how many cards go to the back.
///
/// `None` for a single deck, which is not cut.
///
/// # Errors
/// [`NoShuffle::NoEntropy`].
pub fn house_cut(decks: u8) -> Result<Option<u16>, NoShuffle> {
    Ok(cut_by(&mut fresh_generator()?, decks))
}

/// 32 bytes from the operating system.
pub(super) fn entropy() -> Result<[u8; 32], NoShuffle> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).map_err(NoShuffle::NoEntropy)?;
    Ok(bytes)
}

fn fresh_generator() -> Result<ChaCha20Rng, NoShuffle> {
    Ok(ChaCha20Rng::from_seed(entropy()?))
}

/// The cards of the decks in the order of a new pack.
pub fn pack(decks: u8) -> Vec<Card> {
    (0..decks).flat_map(|_| Card::deck()).collect()
}

/// The cards in an order in which each is as likely at each place.
///
/// The generator is the caller's; the robot's own shoes come from [`fresh_shoe`].
///
/// # Panics
/// If the generator is broken, see [`below`].
pub fn shuffled<T, R: Rng>(mut cards: Vec<T>, generator: &mut R) -> Vec<T> {
    for last in (1..cards.len()).rev() {
        cards.swap(last, below(generator, last + 1));
    }
    cards
}

/// A number below `bound`, each as likely as the others.
///
/// # Panics
/// If `bound` is 0 or more than 2^31, or if the generator gives nothing but words that must be
/// thrown away: then it is broken and nothing may be dealt from it.
pub fn below<R: Rng>(generator: &mut R, bound: usize) -> usize {
    let bound = u32::try_from(bound).expect("a shoe has fewer than 2^32 cards");
    assert!(bound > 0 && bound <= 1 << 31, "a number below {bound}");
    for _ in 0..=MAX_REDRAWS {
        if let Some(number) = taken(generator.next_u32().into(), WORDS, bound.into()) {
            return usize::try_from(number).expect("below a number that was a usize");
        }
    }
    panic!("the generator gave {MAX_REDRAWS} words in a row that no true one gives");
}

/// The number that a word stands for, or none if taking it would favour the low numbers.
fn taken(word: u64, words: u64, bound: u64) -> Option<u64> {
    let fair = words - words % bound;
    (word < fair).then_some(word % bound)
}

/// A cut, each allowed place as likely as the others.
fn cut_by<R: Rng>(generator: &mut R, decks: u8) -> Option<u16> {
    let range = cut_range(decks)?;
    let places = usize::from(range.end() - range.start()) + 1;
    let offset = u16::try_from(below(generator, places)).expect("a shoe has fewer than 2^16 cards");
    Some(range.start() + offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 172: with every byte fed once, `byte % 37` gives 0 to 33 seven times and 34 to 36 six
    /// times; what is taken here gives each number equally often.
    #[test]
    fn no_number_is_favoured_by_the_remainder() {
        for bound in 1..=256 {
            let mut counts = vec![0; usize::try_from(bound).unwrap()];
            for word in 0..256 {
                if let Some(number) = taken(word, 256, bound) {
                    counts[usize::try_from(number).unwrap()] += 1;
                }
            }
            assert!(counts.iter().all(|count| *count == 256 / bound), "{bound}: {counts:?}");
        }
        for bound in [1, 2, 3, 37, 52, 312, 416, 624] {
            let fair = WORDS - WORDS % bound;
            assert_eq!(taken(fair - 1, WORDS, bound), Some(bound - 1), "{bound}");
            assert_eq!((fair..WORDS).find_map(|word| taken(word, WORDS, bound)), None, "{bound}");
            assert_eq!(fair % bound, 0);
        }
    }

    /// Gives one word for ever.
    struct Stuck(u32);

    impl TryRng for Stuck {
        type Error = std::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(self.0)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.into())
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            bytes.fill(1);
            Ok(())
        }
    }

    #[test]
    #[should_panic(expected = "the generator gave 128 words in a row")]
    fn a_stuck_generator_is_noticed() {
        below(&mut Stuck(u32::MAX), 52);
    }

    /// How many shuffles of one deck the statistics look at; 52 times the cards of each cell.
    const SHUFFLES: u64 = 52 * 400;

    /// χ² of the 52 × 52 cells (card, place), times 400, after [`SHUFFLES`] shuffles.
    fn position_chi_square(mut shuffle: impl FnMut(&mut Vec<usize>)) -> u64 {
        let mut cells = vec![[0_u64; 52]; 52];
        for _ in 0..SHUFFLES {
            let mut cards: Vec<usize> = (0..52).collect();
            shuffle(&mut cards);
            for (place, card) in cards.iter().enumerate() {
                cells[*card][place] += 1;
            }
        }
        cells.iter().flatten().map(|count| count.abs_diff(400).pow(2)).sum()
    }

    /// STD-11, case 169. 51 × 51 = 2601 degrees of freedom, deviation 72: between 2380 and 2830
    /// lies all but one in a thousand on either side. The seeds are fixed, so the test cannot
    /// fail by chance; the faulty shuffle shows that it can fail at all.
    #[test]
    fn every_card_is_as_likely_at_every_place() {
        let right = 2380 * 400..2830 * 400;
        for seed in [1, 2, 3] {
            let mut generator = ChaCha20Rng::from_seed([seed; 32]);
            let chi = position_chi_square(|cards| {
                *cards = shuffled(std::mem::take(cards), &mut generator);
            });
            assert!(right.contains(&chi), "seed {seed}: {}", chi / 400);

            let chi = position_chi_square(|cards| {
                for place in 0..52 {
                    cards.swap(place, below(&mut generator, 52));
                }
            });
            assert!(chi > 2 * right.end, "a swap with any place went unnoticed: {}", chi / 400);
        }
    }

    /// STD-11: neighbours of the pack that stay neighbours (51 × 51 / (52 × 51) a shuffle) and
    /// cards that stay in place (1 a shuffle, variance 1), both within five deviations.
    #[test]
    fn neighbours_and_places_of_the_pack_are_forgotten() {
        let mut generator = ChaCha20Rng::from_seed([4; 32]);
        let (mut neighbours, mut stayed) = (0_u64, 0_u64);
        for _ in 0..SHUFFLES {
            let cards = shuffled((0..52).collect::<Vec<usize>>(), &mut generator);
            for pair in cards.windows(2) {
                neighbours += u64::from(pair[1] == pair[0] + 1);
            }
            for (place, card) in cards.iter().enumerate() {
                stayed += u64::from(place == *card);
            }
        }
        assert!(neighbours.abs_diff(SHUFFLES * 51 / 52) < 5 * 144, "{neighbours}");
        assert!(stayed.abs_diff(SHUFFLES) < 5 * 144, "{stayed}");
    }

    /// BAC-21: all places between one deck and one deck, and no others. χ² of 521 places with 100
    /// each at 12 decks: 520 degrees of freedom, deviation 32.
    #[test]
    fn the_house_cuts_everywhere_alike() {
        let mut generator = ChaCha20Rng::from_seed([5; 32]);
        for (decks, range) in [(2, 52..=52), (6, 52..=260), (8, 52..=364), (12, 52..=572)] {
            let places = usize::from(range.end() - range.start()) + 1;
            let mut counts = vec![0_u64; places];
            for _ in 0..places * 100 {
                let cut = cut_by(&mut generator, decks).unwrap();
                assert!(range.contains(&cut), "{decks} decks cut at {cut}");
                counts[usize::from(cut - range.start())] += 1;
            }
            assert!(counts.iter().all(|count| *count > 0), "{decks} decks: a place never cut");
            let chi: u64 = counts.iter().map(|count| count.abs_diff(100).pow(2)).sum();
            let free = u64::try_from(places - 1).unwrap();
            assert!(chi / 100 <= free + 4 * 33, "{decks} decks: {}", chi / 100);
        }
        assert_eq!(cut_by(&mut generator, 1), None);
        assert_eq!(house_cut(1).unwrap(), None);
        assert!((52..=364).contains(&house_cut(8).unwrap().unwrap()));
    }

    #[test]
    fn no_two_shoes_are_alike() {
        let id = ShoeId { table: 1, shoe: 1 };
        let fresh = || fresh_shoe(id, None, 8, ShuffleMode::Rng).unwrap();
        let (one, other) = (fresh(), fresh());
        assert_ne!(one.order(), other.order());
        assert_ne!(one.salt(), other.salt());
        assert_ne!(one.commitment(), other.commitment());
        for decks in [0, 13, 255] {
            let refused = fresh_shoe(id, None, decks, ShuffleMode::Rng);
            assert!(matches!(refused, Err(NoShuffle::NotAShoe(NotAShoe::Decks(_)))), "{decks}");
        }
    }
}
