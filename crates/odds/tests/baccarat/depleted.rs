//! The next coup from a shoe of which much is gone: `baccarat_depleted.jsonl`.

use games::baccarat::Bet;
use odds::Composition;
use serde_json::Value;

use crate::{PRESETS, Sight, Tally, bet_named, lines, number, preset, spreads};

const VECTORS: &str = include_str!("../vectors/baccarat_depleted.jsonl");

fn check(line: &Value) {
    let ranks: Vec<u16> = serde_json::from_value(line["ranks"].clone()).unwrap();
    let shoe = Composition::ranks(ranks.try_into().unwrap());
    let id = &line["id"];
    assert_eq!(u64::from(shoe.cards()), line["cards"].as_u64().unwrap(), "{id}");
    let tally = Tally::of(&preset("live"), &shoe);
    assert_eq!(tally.total, number(&line["total"]), "{id}");
    let count = |field: &Value, holds: fn(&Sight) -> bool| {
        assert_eq!(tally.count(holds), number(field), "{id} {field}");
    };
    count(&line["player"], |s| s.totals.0 > s.totals.1);
    count(&line["banker"], |s| s.totals.0 < s.totals.1);
    count(&line["tie"], |s| s.totals.0 == s.totals.1);
    count(&line["pairs"]["player"], |s| s.pairs.0);
    count(&line["pairs"]["banker"], |s| s.pairs.1);
    count(&line["pairs"]["both"], |s| s.pairs == (true, true));
    count(&line["pairs"]["either"], |s| s.pairs != (false, false));
    for name in PRESETS {
        let spreads = spreads(&preset(name), &tally);
        let expected = line["ev"][name].as_object().unwrap();
        for (bet, ev) in expected {
            let got = spreads[&bet_named(bet)].expectation().unwrap();
            assert_eq!(got.to_string(), ev[0], "{id} {name} {bet}");
            assert_eq!(got.decimal(18), ev[1], "{id} {name} {bet}");
        }
        // The tables know ranks only, and leave out the main bets of `extra`.
        let suits = [Bet::PerfectPair, Bet::PerfectPairFlat, Bet::Player, Bet::Banker];
        let left_out = if name == "extra" { &suits[..] } else { &[] };
        assert_eq!(spreads.len(), expected.len() + left_out.len(), "{id} {name}");
    }
}

#[test]
fn the_next_coup_of_each_depleted_shoe_is_as_computed_elsewhere() {
    let lines = lines(VECTORS);
    assert_eq!(lines.len(), 40);
    lines.iter().for_each(check);
}
