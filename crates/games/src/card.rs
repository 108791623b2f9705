//! Playing cards: rank, suit and the text form `9H` that scanners, logs and screens share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The rank of a card, ace low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Rank {
    Ace,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    /// All ranks from ace to king.
    pub const ALL: [Rank; 13] = [
        Rank::Ace,
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
    ];

    /// The letter of the text form: `A23456789TJQK`.
    pub const fn letter(self) -> char {
        b"A23456789TJQK"[self as usize] as char
    }

    /// The place in [`Rank::ALL`]: 0 for the ace, 12 for the king.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The suit of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All suits in the order of the text form.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter of the text form: `CDHS`.
    pub const fn letter(self) -> char {
        b"CDHS"[self as usize] as char
    }
}

/// One card. Its text form is rank and suit, upper case: `9H`, `TD`, `AS`.
///
/// ```
/// use games::Card;
/// assert_eq!("TD".parse::<Card>().unwrap().to_string(), "TD");
/// assert!("10D".parse::<Card>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
#[allow(missing_docs)]
pub struct Card {
    pub rank: Rank,
    pub suit: Suit,
}

impl Card {
    /// A card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card { rank, suit }
    }

    /// The place among the 52 cards of one deck, clubs first, each from ace to king.
    pub const fn index(self) -> usize {
        self.suit as usize * 13 + self.rank as usize
    }

    /// The card at a place of [`Card::index`], 0 ..= 51.
    pub fn from_index(index: usize) -> Option<Card> {
        let suit = *Suit::ALL.get(index / 13)?;
        Some(Card { rank: Rank::ALL[index % 13], suit })
    }

    /// The 52 cards of one deck.
    pub fn deck() -> impl Iterator<Item = Card> {
        Suit::ALL.into_iter().flat_map(|s| Rank::ALL.into_iter().map(move |r| Card::new(r, s)))
    }
}

/// Why a text is no card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotACard(pub String);

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no card; write rank and suit like 9H or TD", self.0)
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let no = || NotACard(text.chars().take(16).collect());
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next())
        else {
            return Err(no());
        };
        let rank = Rank::ALL.into_iter().find(|r| r.letter() == rank).ok_or_else(no)?;
        let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit).ok_or_else(no)?;
        Ok(Card { rank, suit })
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank.letter(), self.suit.letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_one_text_form_and_one_place() {
        for (index, card) in Card::deck().enumerate() {
            assert_eq!(card.index(), index);
            assert_eq!(Card::from_index(index), Some(card));
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert_eq!(Card::from_index(52), None);
        for text in ["", "1H", "10H", "AX", "ah", "HA", "A", "0D", "JK", "9H ", "9H9H", "９H"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }
}
