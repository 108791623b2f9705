//! Baccarat by enumeration, against tables computed by an independent program.

mod counts;
mod depleted;
mod edges;
mod insurance;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use games::baccarat::{Bet, Coup, Rules, Side};
use games::{Card, Draw, Due, Expects, Round, RuleSet, Seating};
use odds::{Composition, Spread, net, perft};
use serde_json::Value;

/// The rule sets of the tables.
const PRESETS: [&str; 5] = ["macau", "live", "no-commission", "ez", "extra"];

/// The deck counts of the tables.
const DECKS: [u8; 7] = [1, 2, 6, 7, 8, 10, 12];

fn preset(name: &str) -> Arc<Rules> {
    let path = format!("{}/../../rules/baccarat/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    Arc::clone(RuleSet::parse(&text).unwrap().baccarat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All that a bet may look at in a finished coup, insurance apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sight {
    totals: (u8, u8),
    naturals: (bool, bool),
    cards: (usize, usize),
    pairs: (bool, bool),
    perfect_pairs: (bool, bool),
}

impl Sight {
    fn of(coup: &Coup) -> Sight {
        let (player, banker) = (coup.hand(Side::Player), coup.hand(Side::Banker));
        Sight {
            totals: (player.total(), banker.total()),
            naturals: (player.is_natural(), banker.is_natural()),
            cards: (player.len(), banker.len()),
            pairs: (player.is_pair(), banker.is_pair()),
            perfect_pairs: (player.is_perfect_pair(), banker.is_perfect_pair()),
        }
    }
}

/// How many sequences lead to each sight, with the first coup that did.
struct Tally {
    total: u128,
    sights: BTreeMap<Sight, (u128, Coup)>,
}

impl Tally {
    fn of(rules: &Arc<Rules>, shoe: &Composition) -> Tally {
        let mut sights = BTreeMap::new();
        let coup = Coup::new(Arc::clone(rules));
        let total = perft(&coup, shoe, 6, &mut |coup: &Coup, sequences| {
            let seen = sights.entry(Sight::of(coup)).or_insert_with(|| (0, coup.clone()));
            seen.0 += sequences;
        });
        let total = total.unwrap();
        assert_eq!(sights.values().map(|(count, _)| count).sum::<u128>(), total);
        Tally { total, sights }
    }

    fn count(&self, holds: impl Fn(&Sight) -> bool) -> u128 {
        let seen = self.sights.iter().filter(|(sight, _)| holds(sight));
        seen.map(|(_, (count, _))| count).sum()
    }
}

/// The tally of so many whole decks, counted once.
fn tally(decks: u8) -> &'static Tally {
    static TALLIES: [OnceLock<Tally>; DECKS.len()] = [const { OnceLock::new() }; DECKS.len()];
    let place = DECKS.iter().position(|of| *of == decks).expect("a deck count of the tables");
    let shoe = Composition::decks(decks).suits_alike();
    TALLIES[place].get_or_init(|| Tally::of(&preset("live"), &shoe))
}

/// The cards of a finished coup in the order in which they came.
fn cards_of(coup: &Coup) -> Vec<Card> {
    let hand = |side: Side| coup.hand(side).cards().collect::<Vec<Card>>();
    let (player, banker) = (hand(Side::Player), hand(Side::Banker));
    let first = [player[0], banker[0], player[1], banker[1]];
    first.into_iter().chain(player.get(2).copied()).chain(banker.get(2).copied()).collect()
}

/// Deals these cards to a coup, every decision passed.
fn deal(mut coup: Coup, cards: &[Card]) -> Coup {
    let mut cards = cards.iter().copied();
    loop {
        match coup.expects() {
            Expects::Bets => coup.close(&Seating::default()),
            Expects::Open { .. } | Expects::Insurance => coup.timeout(),
            Expects::Draw { due: Due::Card { face_down, .. }, .. } => {
                let card = cards.next().expect("another card is due");
                coup.draw(if face_down { Draw::FaceDown(card) } else { Draw::Card(card) });
            }
            Expects::Draw { due: Due::Burn { .. }, .. } => coup.draw(Draw::Unseen),
            Expects::Declaration => {
                assert_eq!(cards.next(), None);
                return coup;
            }
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Draw { .. }
            | Expects::ShoeChange => panic!("a coup does not ask for this"),
        }
    }
}

/// The spread of each bet of a rule set, one coup standing for all that look the same.
fn spreads(rules: &Arc<Rules>, tally: &Tally) -> BTreeMap<Bet, Spread> {
    let mut spreads: BTreeMap<Bet, Spread> = BTreeMap::new();
    for (sequences, coup) in tally.sights.values() {
        let coup = deal(Coup::new(Arc::clone(rules)), &cards_of(coup));
        for bet in rules.layout() {
            let came_to = coup.came_to(bet).unwrap();
            spreads.entry(bet).or_default().add(net(came_to, rules.commission_pct), *sequences);
        }
    }
    spreads
}

/// What lets one coup stand for all that look the same.
#[test]
fn no_bet_looks_at_more_than_totals_naturals_cards_and_pairs() {
    let mut ranks = [4; 13];
    ranks[11] = 0;
    ranks[12] = 0;
    for name in PRESETS {
        let rules = preset(name);
        let bets: Vec<Bet> = rules.layout().collect();
        let mut seen = BTreeMap::new();
        let mut coups = 0u32;
        let coup = Coup::new(rules);
        perft(&coup, &Composition::ranks(ranks), 6, &mut |coup: &Coup, _| {
            coups += 1;
            let came_to: Vec<_> = bets.iter().map(|bet| coup.came_to(*bet)).collect();
            let first = seen.entry(Sight::of(coup)).or_insert_with(|| came_to.clone());
            assert_eq!(*first, came_to, "{name} {:?}", cards_of(coup));
        })
        .unwrap();
        assert!(coups > 500_000 && seen.len() > 300, "{coups} {}", seen.len());
    }
}

/// The name by which the tables call a bet, and the house another.
fn bet_named(name: &str) -> Bet {
    let known = match name {
        "dragon_7" => "dragon-seven",
        "panda_8" => "panda-eight",
        "tie_9" => "tie",
        "lucky_six_12_20" => "lucky-six",
        "player_dragon_std" => "player-dragon",
        "banker_dragon_std" => "banker-dragon",
        other => &other.replace("egalite_", "egalite:").replace('_', "-"),
    };
    known.parse().unwrap()
}

fn number(value: &Value) -> u128 {
    value.as_str().unwrap().parse().unwrap()
}

/// Suits as one kind where they do not differ: the same counts as card by card.
#[test]
fn alike_suits_give_the_counts_of_single_cards() {
    let few = |card: &Card| card.rank.index() % 4 == 1 && card.rank.index() < 10;
    let shoe = Composition::of(Card::deck().filter(few).map(|card| (card, 2)));
    assert_eq!(shoe.kinds().len(), 12);
    let rules = preset("live");
    let (single, alike) = (Tally::of(&rules, &shoe), Tally::of(&rules, &shoe.suits_alike()));
    let counts = |tally: &Tally| -> Vec<(Sight, u128)> {
        tally.sights.iter().map(|(sight, (count, _))| (*sight, *count)).collect()
    };
    assert_eq!(single.total, alike.total);
    assert_eq!(counts(&single), counts(&alike));
    assert!(single.count(|sight| sight.perfect_pairs == (true, true)) > 0);
}

/// Burned cards are not seen, and face-down cards are opened: neither changes a count.
#[test]
fn the_way_of_dealing_changes_no_count() {
    let shoe = Composition::values([4, 4, 4, 4, 4, 4, 4, 4, 4, 16]);
    let count = |rules: &Arc<Rules>| -> BTreeMap<Sight, u128> {
        let tally = Tally::of(rules, &shoe);
        tally.sights.into_iter().map(|(sight, (count, _))| (sight, count)).collect()
    };
    let live = count(&preset("live"));
    for name in ["macau", "no-commission", "chemin"] {
        assert_eq!(count(&preset(name)), live, "{name}");
    }
    let insured = Rules { insurance: true, ..Rules::clone(&preset("macau")) };
    assert_eq!(count(&Arc::new(insured)), live);
}

#[test]
fn too_small_a_shoe_is_refused() {
    let shoe = Composition::values([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    let refused = odds::baccarat::spreads(&preset("live"), &shoe).unwrap_err();
    assert_eq!(refused, odds::Unfinished::TooFewCards { cards: 5, length: 6 });
    let shoe = Composition::decks(1);
    let coup = Coup::new(preset("live"));
    let refused = perft(&coup, &shoe, 5, &mut |_: &Coup, _| ()).unwrap_err();
    assert_eq!(refused, odds::Unfinished::TooLong);
}
