//! The tableau: card values, totals, naturals, who draws a third card, and how a coup came out.

use serde::{Deserialize, Serialize};

use crate::card::{Card, Rank};

/// One of the two hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Side {
    Player,
    Banker,
}

impl Side {
    /// Both hands, in dealing order.
    pub const BOTH: [Side; 2] = [Side::Player, Side::Banker];

    /// The other hand.
    pub const fn other(self) -> Side {
        match self {
            Side::Player => Side::Banker,
            Side::Banker => Side::Player,
        }
    }
}

/// Who won a coup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Winner {
    Player,
    Banker,
    Tie,
}

/// Points of a card: ace 1, two to nine their face value, ten and court cards 0 (BAC-14).
#[inline]
pub const fn value(rank: Rank) -> u8 {
    match rank {
        Rank::Ace => 1,
        Rank::Two => 2,
        Rank::Three => 3,
        Rank::Four => 4,
        Rank::Five => 5,
        Rank::Six => 6,
        Rank::Seven => 7,
        Rank::Eight => 8,
        Rank::Nine => 9,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 0,
    }
}

/// True if the Player's two-card total draws: 0 to 5 (BAC-54).
pub const fn player_draws(total: u8) -> bool {
    total <= 5
}

/// True if the Banker's two-card total draws against the value of the Player's third card, or
/// against a Player who stood (`None`) (BAC-55).
pub const fn banker_draws(total: u8, player_third: Option<u8>) -> bool {
    match player_third {
        None => total <= 5,
        Some(third) => match total {
            0..=2 => true,
            3 => third != 8,
            4 => matches!(third, 2..=7),
            5 => matches!(third, 4..=7),
            6 => matches!(third, 6..=7),
            _ => false,
        },
    }
}

/// The points of a place in a hand, none where no card lies.
#[inline]
fn points(place: Option<Card>) -> u8 {
    place.map_or(0, |card| value(card.rank))
}

/// The cards of one hand: at most three (BAC-52).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    cards: [Option<Card>; 3],
}

impl Hand {
    /// The hand of these cards; at most three count.
    pub fn of(cards: &[Card]) -> Hand {
        let mut hand = Hand::default();
        cards.iter().take(3).for_each(|card| hand.push(*card));
        hand
    }

    /// How many cards lie in the hand.
    pub fn len(&self) -> usize {
        self.cards.iter().position(Option::is_none).unwrap_or(self.cards.len())
    }

    /// True if no card lies in the hand.
    pub fn is_empty(&self) -> bool {
        self.cards[0].is_none()
    }

    /// The cards in the order they came.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        self.cards.into_iter().flatten()
    }

    /// The third card, if one was drawn.
    pub fn third(&self) -> Option<Card> {
        self.cards[2]
    }

    /// Lays the next card.
    ///
    /// # Panics
    /// On a fourth card.
    pub fn push(&mut self, card: Card) {
        let free = self.cards.iter_mut().find(|c| c.is_none());
        *free.expect("a baccarat hand holds three cards at most") = Some(card);
    }

    /// Takes the last card away again.
    pub fn pop(&mut self) -> Option<Card> {
        self.cards.iter_mut().rev().find(|c| c.is_some()).and_then(Option::take)
    }

    /// The total: the sum of values modulo ten (BAC-15).
    pub fn total(&self) -> u8 {
        let [first, second, third] = self.cards;
        (points(first) + points(second) + points(third)) % 10
    }

    /// The total of the first two cards.
    pub fn two_card_total(&self) -> u8 {
        let [first, second, _] = self.cards;
        (points(first) + points(second)) % 10
    }

    /// An eight or nine with the first two cards (BAC-16).
    pub fn is_natural(&self) -> bool {
        self.cards[1].is_some() && self.two_card_total() >= 8
    }

    /// The first two cards have the same rank (BAC-73).
    pub fn is_pair(&self) -> bool {
        matches!(self.cards, [Some(a), Some(b), _] if a.rank == b.rank)
    }

    /// The first two cards have the same rank and suit.
    pub fn is_perfect_pair(&self) -> bool {
        matches!(self.cards, [Some(a), Some(b), _] if a == b)
    }
}

/// The hand that each card in the order of dealing belongs to: the first four alternate, the fifth
/// is the Player's if he draws (BAC-50, BAC-52, BAC-54).
pub fn sides(cards: &[Card]) -> Vec<Side> {
    let first = [Side::Player, Side::Banker, Side::Player, Side::Banker];
    let player: Vec<Card> = cards.iter().step_by(2).take(2).copied().collect();
    let draws = player.len() == 2 && player_draws(Hand::of(&player).total());
    let fifth = if draws { Side::Player } else { Side::Banker };
    first.into_iter().chain([fifth, Side::Banker]).take(cards.len()).collect()
}

/// How a coup came out: all that roads, statistics and history need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct Outcome {
    pub winner: Winner,
    pub player_total: u8,
    pub banker_total: u8,
    pub player_natural: bool,
    pub banker_natural: bool,
    pub player_pair: bool,
    pub banker_pair: bool,
}

impl Outcome {
    /// Reads the outcome off two finished hands: the higher total wins (BAC-57).
    pub fn of(player: &Hand, banker: &Hand) -> Outcome {
        let (player_total, banker_total) = (player.total(), banker.total());
        let winner = match player_total.cmp(&banker_total) {
            std::cmp::Ordering::Greater => Winner::Player,
            std::cmp::Ordering::Less => Winner::Banker,
            std::cmp::Ordering::Equal => Winner::Tie,
        };
        Outcome {
            winner,
            player_total,
            banker_total,
            player_natural: player.is_natural(),
            banker_natural: banker.is_natural(),
            player_pair: player.is_pair(),
            banker_pair: banker.is_pair(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BAC-50, BAC-52: whose card is whose in the order of dealing.
    #[test]
    fn each_card_belongs_to_the_hand_that_it_was_dealt_to() {
        for (cards, hands) in [
            ("5H 2C KD 4S", "PBPB"),
            ("5H 2C KD 4S 9H", "PBPBP"),
            ("5H 2C KD 2S 4H 3D", "PBPBPB"),
            ("6H 2C AD 3S 4H", "PBPBB"),
            ("9H 2C KD", "PBP"),
        ] {
            let letter = |side: Side| if side == Side::Player { 'P' } else { 'B' };
            let dealt: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            let got: String = sides(&dealt).into_iter().map(letter).collect();
            assert_eq!(got, hands, "{cards}");
        }
    }
}
