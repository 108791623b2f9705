//! Every count of `baccarat_counts.jsonl`, for every number of decks.

use serde_json::{Map, Value, json};

use crate::{DECKS, Sight, Tally, lines, tally};

const VECTORS: &str = include_str!("../vectors/baccarat_counts.jsonl");

/// The line of one deck count as this program computes it.
fn computed(decks: u8) -> Value {
    let tally = tally(decks);
    let text = |holds: &dyn Fn(&Sight) -> bool| tally.count(holds).to_string();
    let won = |side: usize, total: u8| text(&move |s| s.lead(side) > 0 && s.total(side) == total);
    let with_cards = |side: usize, total: u8, cards: usize| {
        text(&move |s| s.lead(side) > 0 && s.total(side) == total && s.cards_of(side) == cards)
    };
    json!({
        "decks": decks,
        "cards": 52 * u16::from(decks),
        "total": tally.total.to_string(),
        "banker": text(&|s| s.lead(BANKER) > 0),
        "player": text(&|s| s.lead(PLAYER) > 0),
        "tie": text(&|s| s.lead(PLAYER) == 0),
        "banker_six_2_cards": with_cards(BANKER, 6, 2),
        "banker_six_3_cards": with_cards(BANKER, 6, 3),
        "banker_seven_3_cards": with_cards(BANKER, 7, 3),
        "player_eight_3_cards": with_cards(PLAYER, 8, 3),
        "natural_tie": text(&|s| s.lead(PLAYER) == 0 && s.naturals.0),
        "player_natural": text(&|s| s.naturals.0),
        "banker_natural": text(&|s| s.naturals.1),
        "pair": pairs(tally, |s| s.pairs),
        "perfect_pair": pairs(tally, |s| s.perfect_pairs),
        "dragon_bonus": { "player": dragon(tally, PLAYER), "banker": dragon(tally, BANKER) },
        "egalite": by_number(0..=9, |n| text(&move |s| s.totals == (n, n))),
        "winning_total": {
            "P": by_number(1..=9, |n| won(PLAYER, n)),
            "B": by_number(1..=9, |n| won(BANKER, n)),
        },
        "cards_used": by_number(4..=6, |n| {
            text(&move |s| s.cards.0 + s.cards.1 == usize::from(n))
        }),
        "joint": joint(tally),
    })
}

const PLAYER: usize = 0;
const BANKER: usize = 1;

impl Sight {
    fn total(&self, side: usize) -> u8 {
        [self.totals.0, self.totals.1][side]
    }

    fn cards_of(&self, side: usize) -> usize {
        [self.cards.0, self.cards.1][side]
    }

    fn is_natural(&self, side: usize) -> bool {
        [self.naturals.0, self.naturals.1][side]
    }

    /// By how much this hand is ahead.
    fn lead(&self, side: usize) -> i16 {
        i16::from(self.total(side)) - i16::from(self.total(1 - side))
    }
}

fn by_number(numbers: std::ops::RangeInclusive<u8>, count: impl Fn(u8) -> String) -> Value {
    numbers.map(|n| (n.to_string(), Value::from(count(n)))).collect::<Map<_, _>>().into()
}

fn pairs(tally: &Tally, flags: impl Fn(&Sight) -> (bool, bool)) -> Value {
    let text = |holds: &dyn Fn((bool, bool)) -> bool| tally.count(|s| holds(flags(s))).to_string();
    json!({
        "player": text(&|(player, _)| player),
        "banker": text(&|(_, banker)| banker),
        "both": text(&|(player, banker)| player && banker),
        "either": text(&|(player, banker)| player || banker),
    })
}

fn dragon(tally: &Tally, side: usize) -> Value {
    let text = |holds: &dyn Fn(&Sight) -> bool| tally.count(holds).to_string();
    let by = |natural: bool| {
        by_number(1..=9, |margin| {
            text(&move |s| s.lead(side) == i16::from(margin) && s.is_natural(side) == natural)
        })
    };
    json!({
        "natural_win": text(&|s| s.lead(side) > 0 && s.is_natural(side)),
        "natural_tie": text(&|s| s.lead(side) == 0 && s.is_natural(side)),
        "non_natural_tie": text(&|s| s.lead(side) == 0 && !s.is_natural(side)),
        "non_natural_win_by": by(false),
        "natural_win_by": by(true),
        "loss_of_hand": text(&|s| s.lead(side) < 0),
    })
}

fn joint(tally: &Tally) -> Value {
    let mut rows = std::collections::BTreeMap::new();
    for (s, (count, _)) in &tally.sights {
        *rows.entry((s.totals, s.naturals, s.cards)).or_insert(0u128) += count;
    }
    let row = |(((p, b), (pn, bn), (pc, bc)), count): (_, u128)| {
        let (p, b): (u8, u8) = (p, b);
        let naturals = [pn, bn].map(u8::from);
        json!([p, b, naturals[0], naturals[1], pc, bc, count.to_string()])
    };
    rows.into_iter().map(row).collect::<Vec<Value>>().into()
}

#[test]
fn every_count_of_every_number_of_decks_is_as_published() {
    let lines = lines(VECTORS);
    assert_eq!(lines.iter().map(|line| line["decks"].clone()).collect::<Vec<_>>(), DECKS);
    for (line, decks) in lines.iter().zip(DECKS) {
        let got = computed(decks);
        for (field, expected) in line.as_object().unwrap() {
            assert_eq!(got[field], *expected, "{decks} decks, {field}");
        }
        assert_eq!(got, *line);
    }
}

/// BAC-152.
#[test]
fn eight_decks_give_the_counts_of_the_rule_book() {
    let tally = tally(8);
    assert_eq!(tally.total, 4_998_398_275_503_360);
    let won = |side: usize| tally.count(|s| s.lead(side) > 0);
    assert_eq!(won(BANKER), 2_292_252_566_437_888);
    assert_eq!(won(PLAYER), 2_230_518_282_592_256);
    assert_eq!(tally.count(|s| s.lead(PLAYER) == 0), 475_627_426_473_216);
    let six =
        |cards: usize| tally.count(|s| s.lead(BANKER) > 0 && s.totals.1 == 6 && s.cards.1 == cards);
    assert_eq!(six(2), 186_173_936_904_192);
    assert_eq!(six(3), 83_058_367_551_488);
    let natural_tie = tally.count(|s| s.lead(PLAYER) == 0 && s.naturals == (true, true));
    assert_eq!(natural_tie, 89_325_908_267_520);
    for side in [PLAYER, BANKER] {
        let natural_win = tally.count(|s| s.lead(side) > 0 && s.is_natural(side));
        assert_eq!(natural_win, 812_685_054_124_032);
    }
}
