//! Dealing order, opening and the third-card table (BAC-14 to BAC-16, BAC-50 to BAC-57).

use games::baccarat::{Coup, Reveal, Rules, Side, Winner, value};
use games::{Expects, Rank, Round, Seating};

use crate::{PRESETS, deal, dealt, hand, lay, pass, preset, side_due, with};

/// The table of BAC-55, a row for each Banker total 0 to 7, a column for each value of the
/// Player's third card and the last for a Player who stood.
const TABLEAU: [&str; 8] = [
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDSDD",
    "SSDDDDDDSSD",
    "SSSSDDDDSSD",
    "SSSSSSDDSSS",
    "SSSSSSSSSSS",
];

/// A card of this value; nothing is a king.
fn rank_of(points: usize) -> char {
    Rank::ALL[if points == 0 { 12 } else { points - 1 }].letter()
}

/// BAC-14.
#[test]
fn cards_count_their_points() {
    let points = Rank::ALL.map(value);
    assert_eq!(points, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]);
}

/// BAC-15, BAC-16.
#[test]
fn totals_are_taken_modulo_ten_and_naturals_have_two_cards() {
    let cases = [
        ("9 9", 8, true),
        ("T 9", 9, true),
        ("7 7", 4, false),
        ("K Q J", 0, false),
        ("9 9 9", 7, true),
        ("4 3 A", 8, false),
        ("5 2 2", 9, false),
    ];
    for (cards, total, natural) in cases {
        let hand = hand(cards);
        assert_eq!((hand.total(), hand.is_natural()), (total, natural), "{cards}");
    }
}

/// BAC-50.
#[test]
fn the_first_four_cards_alternate() {
    for name in PRESETS {
        let mut coup = Coup::new(preset(name));
        pass(&mut coup);
        let mut order = Vec::new();
        for card in crate::cards("2 3 4 5") {
            order.push(side_due(&coup).unwrap());
            lay(&mut coup, card);
        }
        let (player, banker) = (Side::Player, Side::Banker);
        assert_eq!(order, [(player, 1), (banker, 1), (player, 2), (banker, 2)], "{name}");
        assert_eq!(coup.hand(player).cards().collect::<Vec<_>>(), [order_card(0), order_card(2)]);
        assert_eq!(coup.hand(banker).cards().collect::<Vec<_>>(), [order_card(1), order_card(3)]);
    }
}

fn order_card(place: usize) -> games::Card {
    crate::cards("2 3 4 5")[place]
}

/// BAC-51: in which order pairs, and then single third cards, are opened.
#[test]
fn hands_are_opened_as_the_rule_set_says() {
    use Side::{Banker, Player};
    // Banker four against a two draws: both hands take a third card.
    let opened = |rules| {
        let mut coup = Coup::new(rules);
        coup.close(&Seating::default());
        let mut order = Vec::new();
        let mut cards = crate::cards("5 4 K K 2 2").into_iter();
        while coup.expects() != Expects::Declaration {
            if let Expects::Open { sides, holder } = coup.expects() {
                assert_eq!(holder, None);
                order.push((sides, coup.hand(Player).len() + coup.hand(Banker).len()));
                coup.open();
            } else {
                lay(&mut coup, cards.next().unwrap());
            }
        }
        assert_eq!([coup.opened(Player), coup.opened(Banker)], [3, 3]);
        order
    };
    let thirds = [(vec![Player], 5), (vec![Banker], 6)];
    let first = [(vec![Player], 4), (vec![Banker], 4)];
    assert_eq!(opened(preset("macau")), [&first[..], &thirds[..]].concat());
    let both = [(vec![Player, Banker], 4)];
    assert_eq!(opened(preset("chemin")), [&both[..], &thirds[..]].concat());
    for name in ["live", "ez", "extra"] {
        assert_eq!(opened(preset(name)), [], "{name}");
    }
}

/// BAC-46: the third card comes only after the first two were opened.
#[test]
fn no_third_card_is_due_before_all_four_are_open() {
    for name in ["macau", "chemin"] {
        let mut coup = deal(Coup::new(preset(name)), "5 4 K");
        lay(&mut coup, crate::cards("K")[0]);
        while let Expects::Open { .. } = coup.expects() {
            assert!(coup.opened(Side::Player) + coup.opened(Side::Banker) < 4);
            assert_eq!(side_due(&coup), None);
            coup.open();
        }
        assert_eq!(side_due(&coup), Some((Side::Player, 3)), "{name}");
    }
}

/// BAC-52 to BAC-55: who draws, in every cell of the table, at every preset.
#[test]
fn third_cards_follow_every_cell_of_the_table() {
    let mut cells = 0;
    for name in PRESETS {
        for (banker, row) in TABLEAU.iter().enumerate() {
            for (column, cell) in row.chars().enumerate() {
                for coup in coups_of_cell(&preset(name), banker, column) {
                    let due = (cell == 'D').then_some((Side::Banker, 3));
                    assert_eq!(side_due(&coup), due, "{name}: Banker {banker}, column {column}");
                    let over = coup.expects() == Expects::Declaration;
                    assert_eq!(over, cell == 'S', "{name}: Banker {banker}, column {column}");
                    cells += 1;
                }
            }
        }
    }
    // Six Player totals that draw and two that stand, at seven presets.
    assert_eq!(cells, 7 * 8 * (10 * 6 + 2));
}

/// Coups that stand where the Banker's third card is decided.
fn coups_of_cell(rules: &std::sync::Arc<Rules>, banker: usize, column: usize) -> Vec<Coup> {
    let four = |player: usize| {
        let text = format!("{} {} K K", rank_of(player), rank_of(banker));
        deal(Coup::new(rules.clone()), &text)
    };
    if column == 10 {
        return vec![four(6), four(7)];
    }
    let third = crate::cards(&rank_of(column).to_string())[0];
    let drawn = |player| {
        let mut coup = four(player);
        assert_eq!(side_due(&coup), Some((Side::Player, 3)), "BAC-54: {player} draws");
        lay(&mut coup, third);
        pass(&mut coup);
        coup
    };
    (0..=5).map(drawn).collect()
}

/// BAC-53: with a natural on either side both stand.
#[test]
fn a_natural_ends_the_coup_at_four_cards() {
    for name in PRESETS {
        for natural in [8, 9] {
            for other in 0..=9 {
                for (player, banker) in [(natural, other), (other, natural)] {
                    let text = format!("{} {} K K", rank_of(player), rank_of(banker));
                    let coup = dealt(&preset(name), &text);
                    assert_eq!(coup.hand(Side::Player).third(), None);
                    assert_eq!(coup.hand(Side::Banker).third(), None);
                }
            }
        }
    }
}

/// BAC-57.
#[test]
fn the_higher_total_wins_and_equal_totals_tie() {
    let cases = [
        ("9 5 K 3", 9, 8, Winner::Player),
        ("4 9 4 T", 8, 9, Winner::Banker),
        ("7 7 K K", 7, 7, Winner::Tie),
        ("K K K K 9 9", 9, 9, Winner::Tie),
        ("K K K K K K", 0, 0, Winner::Tie),
    ];
    for (text, player, banker, winner) in cases {
        let outcome = dealt(&preset("live"), text).outcome().unwrap();
        let got = (outcome.player_total, outcome.banker_total, outcome.winner);
        assert_eq!(got, (player, banker, winner), "{text}");
    }
}

/// BAC-58: nothing is settled before the last card that is due lies open.
#[test]
fn there_is_no_result_before_the_last_card_is_open() {
    let mut coup = Coup::new(preset("macau"));
    coup.close(&Seating::default());
    for card in crate::cards("9 5 K 3") {
        assert_eq!((coup.outcome(), coup.settlement()), (None, None));
        lay(&mut coup, card);
    }
    assert_eq!((coup.outcome(), coup.settlement()), (None, None));
    coup.open();
    assert_eq!((coup.outcome(), coup.settlement()), (None, None));
    coup.open();
    assert!(coup.outcome().is_some() && coup.settlement().is_some());
}

/// BAC-26: cards are burned after the close and before the Player's first card.
#[test]
fn the_burn_of_each_coup_comes_between_close_and_first_card() {
    use games::{Draw, Due};
    let rules = with("no-commission", |rules| rules.burn_per_coup = 3);
    assert_eq!(rules.reveal(), Reveal::DealtFaceUp);
    let mut coup = Coup::new(rules);
    assert_eq!(coup.expects(), Expects::Bets);
    coup.close(&Seating::default());
    for left in [3, 2, 1] {
        let due = Due::Burn { left };
        assert_eq!(coup.expects(), Expects::Draw { due, white_card: false });
        assert!(coup.verify_draw(Draw::Card(order_card(0))).is_err());
        assert_eq!(coup.is_untouched(), left == 3);
        coup.draw(Draw::Unseen);
    }
    assert_eq!(side_due(&coup), Some((Side::Player, 1)));
    assert!(coup.verify_draw(Draw::Unseen).is_err());
}
