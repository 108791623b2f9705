//! Every edge of `baccarat_house_edges.jsonl` as an exact fraction, and that money follows it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chips::Chips;
use games::baccarat::{Bet, Coup, Rules};
use games::{BetId, Ending, Owner, Round, Wager};
use odds::{Composition, Fraction, Spread, net};
use serde_json::Value;

use crate::{DECKS, PRESETS, bet_named, cards_of, deal, lines, number, preset, spreads, tally};

const VECTORS: &str = include_str!("../vectors/baccarat_house_edges.jsonl");

/// The shoe in as few kinds as the bets of this rule set allow.
fn shoe(rules: &Rules, decks: u8) -> Composition {
    let full = u16::from(decks) * 4;
    if rules.offers(Bet::PerfectPair) {
        return Composition::decks(decks).suits_alike();
    }
    if rules.offers(Bet::PlayerPair) {
        return Composition::ranks([full; 13]);
    }
    let mut counts = [full; 10];
    counts[9] = full * 4;
    Composition::values(counts)
}

fn results(line: &Value) -> BTreeMap<Fraction, u128> {
    let rows = line["outcomes"].as_array().unwrap().iter();
    rows.map(|row| (row[0].as_str().unwrap().parse().unwrap(), number(&row[1]))).collect()
}

fn check(line: &Value, spread: &Spread) {
    let told = format!("{} {} {}", line["decks"], line["preset"], line["bet"]);
    // The tables leave out what cannot happen; so does the enumeration.
    let expected: BTreeMap<Fraction, u128> =
        results(line).into_iter().filter(|(_, count)| *count > 0).collect();
    assert_eq!(spread.results().collect::<BTreeMap<_, _>>(), expected, "{told}");
    assert_eq!(spread.sequences(), number(&line["total"]), "{told}");
    let expectation = spread.expectation().unwrap();
    let edge = spread.edge().unwrap();
    assert_eq!(expectation.to_string(), line["ev"], "{told}");
    assert_eq!(expectation.decimal(18), line["ev_dec"], "{told}");
    assert_eq!(edge.to_string(), line["house_edge"], "{told}");
    let percent = edge.times(Fraction::new(100, 1).unwrap()).unwrap();
    assert_eq!(percent.decimal(12), line["house_edge_pct"], "{told}");
}

/// Checks a number of decks, given the spreads of each rule set.
fn check_decks(decks: u8, spreads: impl Fn(&Arc<Rules>) -> BTreeMap<Bet, Spread>) {
    for name in PRESETS {
        let rules = preset(name);
        let of_preset = |l: &&Value| l["decks"] == decks && l["preset"] == name;
        let spreads = spreads(&rules);
        let mut checked = BTreeSet::new();
        for line in lines(VECTORS).iter().filter(of_preset) {
            let bet = bet_named(line["bet"].as_str().unwrap());
            check(line, &spreads[&bet]);
            assert!(checked.insert(bet), "{name} {bet} twice");
        }
        // The two main bets of `extra` are not in the table: they are those of `live`.
        if name == "extra" {
            checked.extend([Bet::Player, Bet::Banker]);
        }
        assert_eq!(checked, rules.layout().collect(), "{name}");
    }
}

#[test]
fn every_edge_of_eight_decks_is_as_published_by_plain_enumeration() {
    check_decks(8, |rules| odds::baccarat::spreads(rules, &shoe(rules, 8)).unwrap());
}

#[test]
fn every_edge_of_every_number_of_decks_is_as_published() {
    let of_table: BTreeSet<u64> =
        lines(VECTORS).iter().map(|line| line["decks"].as_u64().unwrap()).collect();
    assert_eq!(of_table, DECKS.map(u64::from).into());
    assert_eq!(lines(VECTORS).len(), 7 * 41);
    for decks in DECKS {
        check_decks(decks, |rules| spreads(rules, tally(decks)));
    }
}

/// A settlement pays in chips what the spread counts for each unit, to the last one (BAC-70), and
/// one payout for each bet (cases 7, 9).
#[test]
fn settlements_pay_what_the_edges_are_made_of() {
    let tally = tally(2);
    assert!(tally.sights.len() > 500, "{}", tally.sights.len());
    let mut seen = BTreeSet::new();
    for name in PRESETS {
        let rules = preset(name);
        for (_, coup) in tally.sights.values() {
            for (bet, won) in check_settlement(&rules, coup) {
                seen.insert((name, bet, won));
            }
        }
    }
    assert_eq!(seen.len(), 124, "every possible result of every bet was paid");
}

/// Deals the cards of `coup` with one wager on each bet; gives each bet's result.
fn check_settlement(rules: &Arc<Rules>, coup: &Coup) -> Vec<(Bet, Fraction)> {
    let stake = 2_000u64;
    let mut table = Coup::new(Arc::clone(rules));
    for (id, on) in (1..).zip(rules.layout()) {
        let stake = Chips::new(stake).unwrap();
        table.place(Wager { id: BetId(id), owner: Owner(id % 3), on, stake, carried_from: None });
    }
    let table = deal(table, &cards_of(coup));
    let payouts = table.settlement().unwrap().payouts;
    assert_eq!(payouts.len(), rules.layout().count());
    let result = |payout: &games::Payout<Bet>| {
        let paid = i128::from(payout.winnings.minor()) - i128::from(payout.commission.minor());
        let won = match payout.ending {
            Ending::Won => paid,
            Ending::Pushed | Ending::Carried => 0,
            Ending::Lost => -i128::from(stake),
        };
        let won = Fraction::new(won, i128::from(stake)).unwrap();
        let on = payout.wager.on;
        assert_eq!(won, net(table.came_to(on).unwrap(), rules.commission_pct), "{on}");
        assert!(payout.ending == Ending::Won || paid == 0);
        (on, won)
    };
    payouts.iter().map(result).collect()
}
