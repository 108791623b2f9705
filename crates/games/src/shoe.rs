//! The shoe as the table knows it: what may still come out, counted, never an order.

use crate::card::Card;

/// The cards that have not been seen yet, and how many of them are still in the shoe.
///
/// The order is nobody's business but the dealer's. A card burned face down has left the shoe but
/// has not been seen, so it still counts among those that may come (BAC-25, BAC-26).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shoe {
    unseen: [u8; 52],
    inside: u16,
}

impl Shoe {
    /// A full shoe of `decks` decks.
    pub fn full(decks: u8) -> Shoe {
        Shoe { unseen: [decks; 52], inside: u16::from(decks) * 52 }
    }

    /// How many copies of `card` have not been seen.
    pub fn unseen(&self, card: Card) -> u8 {
        self.unseen[card.index()]
    }

    /// How many cards are in the shoe.
    pub fn inside(&self) -> u16 {
        self.inside
    }

    /// True if `card` may be the next to come out.
    pub fn can_draw(&self, card: Card) -> bool {
        self.inside > 0 && self.unseen(card) > 0
    }

    /// Takes a seen card out.
    ///
    /// # Panics
    /// If the shoe cannot hold it; ask [`Shoe::can_draw`] first.
    pub fn draw(&mut self, card: Card) {
        assert!(self.can_draw(card), "the shoe cannot hold another {card}");
        self.unseen[card.index()] -= 1;
        self.inside -= 1;
    }

    /// Puts the card drawn last back, after it was taken back as wrongly entered.
    pub fn take_back(&mut self, card: Card) {
        self.unseen[card.index()] += 1;
        self.inside += 1;
    }

    /// Takes a card out unseen.
    ///
    /// # Panics
    /// If the shoe is empty.
    pub fn burn(&mut self) {
        assert!(self.inside > 0, "a card burned from an empty shoe");
        self.inside -= 1;
    }
}
