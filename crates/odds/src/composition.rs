//! What is left to be drawn from, as counts of cards: the enumerator's shoe.

use games::{Card, Rank, Suit};

/// How many of each card may still come.
///
/// Unlike the table's own shoe it may hold any number of any card, so that a question can be put
/// to it in fewer kinds than 52: by [`Composition::ranks`] where suits do not matter, by
/// [`Composition::values`] where only points do. Each way gives the same counts, the last in a
/// hundredth of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    left: [u32; 52],
    cards: u32,
    alike: Option<[u32; 52]>,
}

impl Composition {
    /// These cards, each with its number of copies; a card named twice adds up.
    pub fn of(cards: impl IntoIterator<Item = (Card, u16)>) -> Composition {
        let mut composition = Composition { left: [0; 52], cards: 0, alike: None };
        for (card, count) in cards {
            composition.left[card.index()] += u32::from(count);
            composition.cards += u32::from(count);
        }
        composition
    }

    /// Whole decks.
    pub fn decks(decks: u8) -> Composition {
        Composition::of(Card::deck().map(|card| (card, u16::from(decks))))
    }

    /// Cards by rank, ace to king, for questions in which suits do not matter.
    pub fn ranks(counts: [u16; 13]) -> Composition {
        let card = |rank| Card::new(rank, Suit::Clubs);
        Composition::of(Rank::ALL.into_iter().map(card).zip(counts))
    }

    /// Cards by baccarat points, one to nine and then ten, for questions in which neither suits
    /// nor the four ranks without points matter.
    pub fn values(counts: [u16; 10]) -> Composition {
        let card = |rank| Card::new(rank, Suit::Clubs);
        Composition::of(Rank::ALL.into_iter().map(card).zip(counts))
    }

    /// The same cards for questions in which suits matter only by being the same or not: suits of
    /// a rank that have equal counts and of which no card has come out yet are one kind.
    ///
    /// Exchanging such suits turns each sequence of cards into another that every such question
    /// answers alike, so one of them stands for all.
    pub fn suits_alike(self) -> Composition {
        Composition { alike: Some(self.left), ..self }
    }

    /// How many cards are left.
    pub fn cards(&self) -> u32 {
        self.cards
    }

    /// Every kind of card that may come next, with how many cards it stands for.
    pub fn kinds(&self) -> Vec<(Card, u32)> {
        let mut kinds: Vec<(Card, u32)> = Vec::with_capacity(16);
        for card in Card::deck() {
            let left = self.left[card.index()];
            if left == 0 {
                continue;
            }
            let twin = kinds.iter_mut().find(|(other, _)| self.is_alike(card, *other));
            match twin {
                Some((_, count)) => *count += left,
                None => kinds.push((card, left)),
            }
        }
        kinds
    }

    fn is_alike(&self, card: Card, other: Card) -> bool {
        let Some(full) = self.alike.filter(|_| card.rank == other.rank) else { return false };
        let fresh = |card: Card| full[card.index()] == self.left[card.index()];
        fresh(card) && fresh(other) && full[card.index()] == full[other.index()]
    }

    /// What is left once this card has come out.
    ///
    /// # Panics
    /// If there is none of it.
    pub fn without(&self, card: Card) -> Composition {
        let mut rest = *self;
        let left = &mut rest.left[card.index()];
        assert!(*left > 0, "there is no {card} left to come");
        *left -= 1;
        rest.cards -= 1;
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suits_that_have_not_come_out_are_one_kind() {
        let ace = |suit| Card::new(Rank::Ace, suit);
        let shoe = Composition::of(Suit::ALL.map(|suit| (ace(suit), 2))).suits_alike();
        assert_eq!(shoe.kinds(), [(ace(Suit::Clubs), 8)]);
        let shoe = shoe.without(ace(Suit::Clubs));
        assert_eq!(shoe.kinds(), [(ace(Suit::Clubs), 1), (ace(Suit::Diamonds), 6)]);
        let shoe = shoe.without(ace(Suit::Clubs));
        assert_eq!(shoe.kinds(), [(ace(Suit::Diamonds), 6)]);
        assert_eq!(shoe.cards(), 6);
    }

    #[test]
    fn suits_of_unequal_counts_stay_apart() {
        let [nine, other] = [Suit::Clubs, Suit::Hearts].map(|suit| Card::new(Rank::Nine, suit));
        let shoe = Composition::of([(nine, 1), (other, 2)]).suits_alike();
        assert_eq!(shoe.kinds(), [(nine, 1), (other, 2)]);
    }
}
