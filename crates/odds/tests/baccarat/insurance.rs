//! Insurance: what follows after four and five cards (`baccarat_insurance.jsonl`), and how often
//! each row of the pay table is offered, at which edge (BAC-80 to BAC-83).

use std::collections::BTreeMap;
use std::sync::Arc;

use chips::Pays;
use games::baccarat::{Bet, Coup, InsurancePays, Rules, Side, Window, value};
use games::{CameTo, Round};
use odds::{Composition, Fraction, Spread, net, perft};
use serde_json::{Value, json};

use crate::{DECKS, lines, preset};

const VECTORS: &str = include_str!("../vectors/baccarat_insurance.jsonl");

fn insured(pays: Option<InsurancePays>) -> Arc<Rules> {
    let mut rules = Rules::clone(&preset("no-commission"));
    rules.insurance = true;
    if pays.is_some() {
        rules.pays.insurance = pays;
    }
    rules.validate().unwrap();
    Arc::new(rules)
}

/// The table that the vectors know: four cards only, Banker at 4 to 7 and Player at 5 to 7.
fn published() -> InsurancePays {
    let row = |pays: [&str; 4]| {
        let mut row = [None; 10];
        for (place, pays) in row[4..8].iter_mut().zip(pays) {
            *place = pays.parse::<Pays>().ok();
        }
        row
    };
    InsurancePays {
        four_cards_banker_at: row(["3 to 2", "2 to 1", "3 to 1", "4 to 1"]),
        four_cards_player_at: row(["", "2 to 1", "3 to 1", "4 to 1"]),
        five_cards_banker_player_at: [None; 10],
        five_cards_player_at: [None; 10],
    }
}

/// A shoe of whole decks by points.
fn shoe(decks: u8) -> Composition {
    let mut counts = [u16::from(decks) * 4; 10];
    counts[9] *= 4;
    Composition::values(counts)
}

const FOUR_CARDS: [(Bet, &str); 2] = [
    (Bet::Insurance(Window::FourCards, Side::Banker), "insure_banker"),
    (Bet::Insurance(Window::FourCards, Side::Player), "insure_player"),
];

/// Player, Banker, tie.
type Winners = [u128; 3];

fn winner(coup: &Coup) -> usize {
    let total = |side| coup.hand(side).total();
    match total(Side::Player).cmp(&total(Side::Banker)) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 2,
    }
}

/// The line of one deck count as this program computes it.
fn computed(decks: u8) -> Value {
    let mut four: BTreeMap<(u8, u8), (Winners, [Spread; 2])> = BTreeMap::new();
    let mut five: BTreeMap<(u8, u8, u8), Winners> = BTreeMap::new();
    let coup = Coup::new(insured(Some(published())));
    let total = perft(&coup, &shoe(decks), 6, &mut |coup: &Coup, sequences| {
        let [p, b] = Side::BOTH.map(|side| coup.hand(side).two_card_total());
        let (winners, spreads) = four.entry((p, b)).or_default();
        winners[winner(coup)] += sequences;
        for ((bet, _), spread) in FOUR_CARDS.into_iter().zip(spreads) {
            if let Some(came_to) = coup.came_to(bet) {
                spread.add(net(came_to, 0), sequences);
            }
        }
        if let Some(third) = coup.hand(Side::Player).third() {
            let winners = five.entry((p, value(third.rank), b)).or_default();
            winners[winner(coup)] += sequences;
        }
    });
    let four = four.into_iter().map(|((p, b), (winners, spreads))| {
        let [player, banker, tie] = winners.map(|n| n.to_string());
        let mut row = json!({ "p": p, "b": b, "player": player, "banker": banker, "tie": tie });
        for ((_, name), spread) in FOUR_CARDS.into_iter().zip(spreads) {
            let Some((pay, _)) = spread.results().next_back() else { continue };
            // The published table prices Player five against Banker four alone.
            if (name, p) == ("insure_player", 5) && b < 4 {
                continue;
            }
            let ev = spread.expectation().unwrap();
            row[name] = json!({
                "pay": pay.to_string(), "ev": ev.to_string(), "ev_dec": ev.decimal(18),
            });
        }
        row
    });
    let row = |((p, third, b), winners): ((u8, u8, u8), Winners)| {
        let [player, banker, tie] = winners.map(|n| n.to_string());
        json!([p, third, b, player, banker, tie])
    };
    json!({
        "decks": decks,
        "total": total.unwrap().to_string(),
        "after_4_cards": four.collect::<Vec<Value>>(),
        "after_player_third": five.into_iter().map(row).collect::<Vec<Value>>(),
    })
}

#[test]
fn what_follows_after_four_and_five_cards_is_as_computed_elsewhere() {
    let lines = lines(VECTORS);
    assert_eq!(lines.iter().map(|line| line["decks"].clone()).collect::<Vec<_>>(), DECKS);
    for (line, decks) in lines.iter().zip(DECKS) {
        let got = computed(decks);
        assert_eq!(got["total"], line["total"]);
        for field in ["after_4_cards", "after_player_third"] {
            let rows = |value: &Value| value[field].as_array().unwrap().clone();
            assert_eq!(rows(&got).len(), rows(line).len());
            for (got, expected) in rows(&got).iter().zip(rows(line)) {
                assert_eq!(*got, expected, "{decks} decks");
            }
        }
    }
}

/// One row of the pay table in edges §1.3: bet, the total that names it, its pay, average edge and
/// probability of its window in per cent.
type Row = (Window, Side, u8, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: [Row; 19] = {
    use Side::{Banker, Player};
    use Window::{FiveCards, FourCards};
    [
        (FourCards, Banker, 4, "7 to 5", "12.65", "4.08"),
        (FourCards, Banker, 5, "9 to 5", "12.22", "5.00"),
        (FourCards, Banker, 6, "5 to 2", "11.93", "5.87"),
        (FourCards, Banker, 7, "47 to 10", "4.67", "5.90"),
        (FourCards, Player, 4, "1 to 1", "14.01", "4.08"),
        (FourCards, Player, 5, "13 to 10", "10.71", "5.00"),
        (FourCards, Player, 6, "14 to 5", "4.66", "5.87"),
        (FourCards, Player, 7, "47 to 10", "4.67", "5.90"),
        (FiveCards, Banker, 0, "113 to 10", "5.42", "2.80"),
        (FiveCards, Banker, 1, "52 to 5", "4.74", "1.67"),
        (FiveCards, Banker, 2, "47 to 10", "4.55", "0.91"),
        (FiveCards, Banker, 3, "14 to 5", "4.13", "0.18"),
        (FiveCards, Banker, 4, "9 to 5", "5.88", "0.11"),
        (FiveCards, Player, 4, "13 to 10", "3.70", "3.00"),
        (FiveCards, Player, 5, "9 to 5", "6.07", "3.32"),
        (FiveCards, Player, 6, "14 to 5", "4.59", "2.69"),
        (FiveCards, Player, 7, "47 to 10", "4.60", "3.01"),
        (FiveCards, Player, 8, "103 to 10", "5.43", "2.71"),
        (FiveCards, Player, 9, "57 to 5", "4.81", "2.69"),
    ]
};

/// The total that names the row of insurance in a finished coup.
fn naming_total(window: Window, side: Side, coup: &Coup) -> u8 {
    match window {
        Window::FourCards => coup.hand(side).two_card_total(),
        Window::FiveCards => coup.hand(Side::Player).total(),
    }
}

#[test]
fn each_row_of_the_pay_table_is_offered_as_often_and_at_the_edge_published() {
    let rules = insured(None);
    let windows = [Window::FourCards, Window::FiveCards];
    let bets = windows.map(|window| Side::BOTH.map(|side| (window, side)));
    let mut rows: BTreeMap<(Bet, u8), (Spread, Option<Pays>)> = BTreeMap::new();
    let total = perft(&Coup::new(rules), &shoe(8), 6, &mut |coup: &Coup, sequences| {
        for (window, side) in bets.into_iter().flatten() {
            let bet = Bet::Insurance(window, side);
            let Some(came_to) = coup.came_to(bet) else { continue };
            let at = naming_total(window, side, coup);
            let (spread, paid) = rows.entry((bet, at)).or_default();
            spread.add(net(came_to, 0), sequences);
            if let CameTo::Won { pays, .. } = came_to {
                assert!(paid.is_none_or(|paid| paid == pays));
                *paid = Some(pays);
            }
        }
    });
    let total = i128::try_from(total.unwrap()).unwrap();
    let percent =
        |fraction: Fraction| fraction.times(Fraction::new(100, 1).unwrap()).unwrap().decimal(2);
    for (window, side, at, pays, edge, offered) in ROWS {
        let bet = Bet::Insurance(window, side);
        let (spread, paid) = rows.remove(&(bet, at)).unwrap();
        assert_eq!(paid, pays.parse().ok(), "{bet} at {at}");
        assert_eq!(percent(spread.edge().unwrap()), edge, "{bet} at {at}");
        let sequences = i128::try_from(spread.sequences()).unwrap();
        assert_eq!(percent(Fraction::new(sequences, total).unwrap()), offered, "{bet} at {at}");
    }
    assert!(rows.is_empty(), "no other row is offered: {:?}", rows.keys());
}
