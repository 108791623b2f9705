//! What a watchful eye sees in a shoe that a person deals: cards in factory order, ranks that never
//! come (cases.md 13). The robot's shoes prove themselves.

use games::{Card, Rank, Suit};
use table::{Event, Table};

/// Cards that are looked at together.
const RUN: usize = 12;
/// Of the neighbours in such a run, so many must follow each other as they leave the factory.
const IN_ORDER: usize = 9;
/// The share of a shoe, in per cent, after which a rank that never came is suspicious: in eight
/// decks the chance is below one in a million.
const DEALT_PCT: u16 = 50;

/// What is wrong with the shoe after this event, in words for the pit.
pub fn suspicion(table: &Table, event: &Event) -> Option<String> {
    if table.is_robot_dealt() {
        return None;
    }
    match event.kind() {
        "settled" => {
            let cards = last_cards(table);
            is_factory_order(&cards).then(|| format!("cards in factory order: {cards:?}"))
        }
        "shoe-ended" => {
            let missing = ranks_never_seen(table);
            (!missing.is_empty()).then(|| format!("ranks that never came: {missing:?}"))
        }
        _ => None,
    }
}

/// The last cards of this shoe in the order in which they came.
fn last_cards(table: &Table) -> Vec<Card> {
    let shoe = table.game().map_or(0, games::Game::shoe_number);
    let mut cards = Vec::new();
    let rounds: Vec<_> = table.records().rev().take_while(|r| r.shoe == shoe).take(RUN).collect();
    for record in rounds.into_iter().rev() {
        let [player, banker] = &record.hands;
        for nth in 0..3 {
            cards.extend(player.get(nth));
            cards.extend(banker.get(nth));
        }
    }
    cards.split_off(cards.len().saturating_sub(RUN))
}

/// True if nearly every card is the neighbour of the one before, up or down its suit.
fn is_factory_order(cards: &[Card]) -> bool {
    let follows = |pair: &[Card]| {
        pair[0].suit == pair[1].suit && pair[0].rank.index().abs_diff(pair[1].rank.index()) == 1
    };
    cards.len() == RUN && cards.windows(2).filter(|pair| follows(pair)).count() >= IN_ORDER
}

/// The ranks that this shoe never showed.
fn ranks_never_seen(table: &Table) -> Vec<Rank> {
    let Some(course) = table.game().map(games::Game::baccarat) else { return Vec::new() };
    never_came(course.rules().decks, course.cards_out(), |card| course.unseen(card))
}

/// The ranks of which no card was seen, once the shoe is well on its way.
fn never_came(decks: u8, cards_out: u16, unseen: impl Fn(Card) -> u8) -> Vec<Rank> {
    if cards_out * 100 < 52 * u16::from(decks) * DEALT_PCT {
        return Vec::new();
    }
    let never =
        |rank: &Rank| Suit::ALL.into_iter().all(|suit| unseen(Card::new(*rank, suit)) == decks);
    Rank::ALL.into_iter().filter(never).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| card.parse().unwrap()).collect()
    }

    /// cases.md 13 (c): a deck as it leaves the factory.
    #[test]
    fn case_13_cards_in_factory_order_are_noticed() {
        assert!(is_factory_order(&cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS")));
        assert!(is_factory_order(&cards("KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D")));
        assert!(!is_factory_order(&cards("AS 2S 9D 4H 5S 6C 7S TS 9S KD JS QH")));
        assert!(!is_factory_order(&cards("AS 2S 3S 4S")));
    }

    /// cases.md 13 (b): whole ranks are missing at the end of a shoe.
    #[test]
    fn case_13_ranks_that_never_came_are_noticed() {
        let without_sevens = |card: Card| if card.rank == Rank::Seven { 8 } else { 1 };
        assert_eq!(never_came(8, 400, without_sevens), [Rank::Seven]);
        assert_eq!(never_came(8, 100, without_sevens), []);
        assert_eq!(never_came(8, 400, |_| 7), []);
    }
}
