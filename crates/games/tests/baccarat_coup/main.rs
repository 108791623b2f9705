//! The coup, its layout and its shoe without a table: each clause of the rule book as a test.

mod betting;
mod carried;
mod dealing;
mod holding;
mod insurance;
mod listed;
mod paying;
mod shoe;

use std::sync::Arc;

use chips::Chips;
use games::baccarat::{Bet, Coup, Hand, Limits, Range, Rules, Side};
use games::{
    BetId, Card, Draw, Due, Ending, Expects, Owner, Payout, Rank, Round, RuleSet, Seat, Seating,
    Suit, Wager,
};

const PRESETS: [&str; 7] = ["macau", "macau-sjm", "live", "no-commission", "chemin", "ez", "extra"];

fn preset(name: &str) -> Arc<Rules> {
    let path = format!("{}/../../rules/baccarat/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    Arc::clone(RuleSet::parse(&text).unwrap().baccarat())
}

/// A preset with some options changed; it must still be valid.
fn with(name: &str, change: impl FnOnce(&mut Rules)) -> Arc<Rules> {
    let mut rules = Rules::clone(&preset(name));
    change(&mut rules);
    rules.validate().unwrap();
    Arc::new(rules)
}

fn chips(minor: u64) -> Chips {
    Chips::new(minor).unwrap()
}

/// Cards by rank and suit, or by rank alone where the suit does not matter.
fn cards(text: &str) -> Vec<Card> {
    let card = |(place, word): (usize, &str)| {
        let suit = Suit::ALL[place % 4];
        let rank = Rank::ALL.into_iter().find(|rank| rank.letter().to_string() == word);
        rank.map_or_else(|| word.parse().unwrap(), |rank| Card::new(rank, suit))
    };
    text.split_whitespace().enumerate().map(card).collect()
}

fn hand(text: &str) -> Hand {
    let mut hand = Hand::default();
    cards(text).into_iter().for_each(|card| hand.push(card));
    hand
}

/// Lays a card the way up that is due.
fn lay(coup: &mut Coup, card: Card) {
    let Expects::Draw { due: Due::Card { face_down, .. }, .. } = coup.expects() else {
        panic!("no card is due, but {:?}", coup.expects());
    };
    coup.draw(if face_down { Draw::FaceDown(card) } else { Draw::Card(card) });
}

/// Goes on until a card is due or the coup is over; every decision is passed.
fn pass(coup: &mut Coup) {
    loop {
        match coup.expects() {
            Expects::Bets => coup.close(&Seating::default()),
            Expects::Open { .. } | Expects::Insurance => coup.timeout(),
            Expects::Draw { due: Due::Burn { .. }, .. } => coup.draw(Draw::Unseen),
            Expects::Draw { due: Due::Card { .. }, .. } | Expects::Declaration => return,
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::ShoeChange
            | Expects::Draw { due: Due::Turned | Due::WhiteCard, .. } => {
                panic!("no part of a coup: {:?}", coup.expects())
            }
        }
    }
}

/// Deals these cards and no more; every decision is passed.
fn deal(mut coup: Coup, text: &str) -> Coup {
    pass(&mut coup);
    for card in cards(text) {
        lay(&mut coup, card);
        pass(&mut coup);
    }
    coup
}

/// Deals a whole coup.
fn dealt(rules: &Arc<Rules>, text: &str) -> Coup {
    let coup = deal(Coup::new(Arc::clone(rules)), text);
    assert_eq!(coup.expects(), Expects::Declaration, "{text}");
    coup
}

/// Places one stake on each of these bets, owners and numbers from 1.
fn place_all(coup: &mut Coup, bets: &[(Bet, u64)]) {
    for (id, (on, stake)) in (1..).zip(bets) {
        let (owner, stake) = (Owner(id), chips(*stake));
        coup.place(Wager { id: BetId(id), owner, on: *on, stake, carried_from: None });
    }
}

/// What each of these bets comes to when these cards are dealt.
fn settled(rules: &Arc<Rules>, bets: &[(Bet, u64)], text: &str) -> Vec<Payout<Bet>> {
    let mut coup = Coup::new(Arc::clone(rules));
    place_all(&mut coup, bets);
    let coup = deal(coup, text);
    let payouts = coup.settlement().unwrap_or_else(|| panic!("{text} is no whole coup")).payouts;
    assert_eq!(payouts.len(), bets.len(), "one payout for each bet");
    payouts
}

/// What comes back to the owner: stake and winnings less commission.
fn returned(payout: &Payout<Bet>) -> u64 {
    let net = payout.winnings.minor() - payout.commission.minor();
    match payout.ending {
        Ending::Won => payout.wager.stake.minor() + net,
        Ending::Pushed | Ending::Carried => payout.wager.stake.minor(),
        Ending::Lost => 0,
    }
}

/// Limits wide enough for every stake here; the differential limit is that of the rule set.
fn limits() -> Limits {
    let range = |min, max| Range { min: chips(min), max: chips(max) };
    Limits {
        main: range(1_000, 100_000),
        tie: range(500, 20_000),
        side: range(500, 10_000),
        own: std::collections::BTreeMap::new(),
        zone_max: None,
        diff: None,
        step: chips(10),
    }
}

/// Owners 1, 2, 3 … on seats 1, 2, 3 …
fn seated(owners: impl IntoIterator<Item = u64>) -> Seating {
    let seat = |owner: u64| (Seat(u8::try_from(owner).unwrap()), Owner(owner));
    Seating { seats: owners.into_iter().map(seat).collect(), absent: Vec::new() }
}

/// Numbers that look random and are the same each time.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).unwrap()).unwrap()
    }

    fn card(&mut self) -> Card {
        Card::from_index(self.below(52)).unwrap()
    }
}

fn side_due(coup: &Coup) -> Option<(Side, u8)> {
    match coup.expects() {
        Expects::Draw { due: Due::Card { side, nth, .. }, .. } => Some((side, nth)),
        Expects::Draw { due: Due::Turned | Due::Burn { .. } | Due::WhiteCard, .. }
        | Expects::Step(_)
        | Expects::Opening { .. }
        | Expects::Bets
        | Expects::Open { .. }
        | Expects::Insurance
        | Expects::Declaration
        | Expects::ShoeChange => None,
    }
}
