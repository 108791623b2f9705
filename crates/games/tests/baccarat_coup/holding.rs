//! Who may look first, and what nobody may know (BAC-44 to BAC-47, BAC-133).

use std::collections::BTreeSet;

use games::baccarat::{Bet, Coup, Side};
use games::{BetId, Card, Draw, Expects, Illegal, Owner, Round, Seat, Seating, Wager};

use crate::{Luck, PRESETS, cards, chips, lay, preset, seated, side_due, with};

/// Owner, bet, stake in the order in which they were placed.
fn closed(name: &str, bets: &[(u64, Bet, u64)], seating: &Seating) -> Coup {
    let mut coup = Coup::new(preset(name));
    for (id, (owner, on, stake)) in (1..).zip(bets) {
        let (owner, stake) = (Owner(*owner), chips(*stake));
        coup.place(Wager { id: BetId(id), owner, on: *on, stake, carried_from: None });
    }
    coup.close(seating);
    coup
}

fn holders(coup: &Coup) -> [Option<u64>; 2] {
    Side::BOTH.map(|side| coup.holder(side).map(|owner| owner.0))
}

/// BAC-45: the largest seated stake on each hand; of equals the first to reach it; else nobody.
#[test]
fn the_largest_seated_stake_holds_the_cards() {
    use Bet::{Banker, Player, Tie};
    type Case = (&'static [(u64, Bet, u64)], [Option<u64>; 2]);
    let cases: [Case; 8] = [
        (&[], [None, None]),
        (&[(1, Player, 1_000), (2, Player, 2_000), (3, Banker, 1_000)], [Some(2), Some(3)]),
        (&[(1, Player, 2_000), (2, Player, 2_000)], [Some(1), None]),
        (&[(2, Player, 2_000), (1, Player, 2_000)], [Some(2), None]),
        // The total counts, and when it was reached.
        (&[(1, Player, 1_000), (2, Player, 2_000), (1, Player, 1_000)], [Some(2), None]),
        (&[(1, Player, 1_000), (2, Player, 1_500), (1, Player, 1_000)], [Some(1), None]),
        // Owner 9 stands.
        (&[(9, Player, 9_000), (1, Player, 1_000), (9, Banker, 9_000)], [Some(1), None]),
        (&[(1, Tie, 9_000), (2, Banker, 1_000)], [None, Some(2)]),
    ];
    for (bets, expected) in cases {
        assert_eq!(holders(&closed("macau", bets, &seated([1, 2, 3]))), expected, "{bets:?}");
    }
}

/// BAC-45: who lowers his stake and raises it again has reached it anew.
#[test]
fn a_stake_reached_again_is_reached_later() {
    let mut coup = Coup::new(preset("macau"));
    crate::place_all(&mut coup, &[(Bet::Player, 2_000), (Bet::Player, 2_000)]);
    coup.reduce(BetId(1), chips(1_000));
    let (id, owner, stake) = (BetId(3), Owner(1), chips(1_000));
    coup.place(Wager { id, owner, on: Bet::Player, stake, carried_from: None });
    coup.close(&seated([1, 2]));
    assert_eq!(holders(&coup), [Some(2), None]);
}

/// BAC-47: the house may switch holding off; then the dealer opens.
#[test]
fn nobody_holds_where_holding_is_off() {
    let bets = [(1, Bet::Player, 2_000), (2, Bet::Banker, 2_000)];
    for name in ["live", "ez", "extra"] {
        assert_eq!(holders(&closed(name, &bets, &seated([1, 2]))), [None, None], "{name}");
    }
    let off = with("macau", |rules| rules.holding = games::baccarat::Holding::Off);
    let mut coup = Coup::new(off);
    crate::place_all(&mut coup, &[(Bet::Player, 2_000)]);
    coup.close(&seated([1]));
    assert_eq!(holders(&coup), [None, None]);
}

/// BAC-133: the largest Player stake looks, both hands are opened together.
#[test]
fn at_the_shoe_passing_table_the_player_stake_alone_looks() {
    let bets = [(1, Bet::Banker, 9_000), (2, Bet::Player, 1_000), (3, Bet::Player, 2_000)];
    let mut coup = closed("chemin", &bets, &seated([1, 2, 3]));
    assert_eq!(holders(&coup), [Some(3), None]);
    cards("9 5 K 3").into_iter().for_each(|card| lay(&mut coup, card));
    let both = Side::BOTH.to_vec();
    assert_eq!(coup.expects(), Expects::Open { sides: both, holder: Some(Owner(3)) });
    let none = closed("chemin", &[(1, Bet::Banker, 9_000)], &seated([1]));
    assert_eq!(holders(&none), [None, None], "no Player bettor: the dealer");
}

/// BAC-46: only the holder opens; when he leaves or his time is over, the dealer does.
#[test]
fn only_the_holder_opens_until_he_leaves_or_his_time_is_over() {
    let bets = [(1, Bet::Player, 2_000), (2, Bet::Banker, 2_000)];
    let mut coup = closed("macau", &bets, &seated([1, 2]));
    assert_eq!(coup.verify_open(Some(Owner(1))), Err(Illegal::NotDue));
    cards("5 4 K K").into_iter().for_each(|card| lay(&mut coup, card));
    let dealer = None;
    for (by, right) in [(dealer, false), (Some(Owner(2)), false), (Some(Owner(1)), true)] {
        let expected = if right { Ok(()) } else { Err(Illegal::NotYours) };
        assert_eq!(coup.verify_open(by), expected, "{by:?}");
    }
    let mut left = coup.clone();
    left.holder_left(Owner(1));
    assert_eq!(left.verify_open(dealer), Ok(()));
    assert_eq!(left.verify_open(Some(Owner(1))), Err(Illegal::NotYours));
    assert_eq!(left.holder(Side::Banker), Some(Owner(2)), "the other holder stays");
    coup.timeout();
    assert_eq!([coup.opened(Side::Player), coup.opened(Side::Banker)], [2, 0]);
    assert_eq!(coup.verify_open(Some(Owner(2))), Ok(()));
    coup.open();
    lay(&mut coup, cards("2")[0]);
    assert_eq!(coup.verify_open(Some(Owner(1))), Ok(()), "he holds the third card as well");
}

/// BAC-45: a seat taken after the close holds nothing.
#[test]
fn holders_are_named_at_the_close() {
    let mut coup = closed("macau", &[(1, Bet::Player, 2_000)], &Seating::default());
    cards("5 4 K K").into_iter().for_each(|card| lay(&mut coup, card));
    assert_eq!(coup.verify_open(None), Ok(()));
    let moved = Seating { seats: [(Seat(7), Owner(1))].into(), absent: Vec::new() };
    assert_eq!(holders(&closed("macau", &[(1, Bet::Player, 2_000)], &moved)), [Some(1), None]);
}

/// All that a table may tell of a coup to somebody who holds no cards.
fn public(coup: &Coup) -> impl PartialEq + std::fmt::Debug {
    let opened = Side::BOTH.map(|side| {
        let open: Vec<_> = coup.hand(side).cards().take(coup.opened(side)).collect();
        (coup.hand(side).len(), open)
    });
    let over = (coup.outcome(), coup.settlement(), coup.came_to(Bet::Tie));
    (coup.expects(), coup.insurance_offered(), opened, over)
}

/// One thing that happened in a coup after its close.
#[derive(Clone, Copy)]
enum Act {
    Burn,
    Lay(Card),
    Pass,
}

fn act(coup: &mut Coup, act: Act) {
    match act {
        Act::Burn => coup.draw(Draw::Unseen),
        Act::Lay(card) => lay(coup, card),
        Act::Pass => coup.timeout(),
    }
}

/// The same history with other faces on the cards that are not open in the end.
fn twin(start: &Coup, history: &[Act], coup: &Coup, luck: &mut Luck) -> Coup {
    let mut twin = start.clone();
    for step in history {
        let face = side_due(&twin).map(|(side, _)| (side, twin.hand(side).len()));
        let closed = face.is_some_and(|(side, place)| place >= coup.opened(side));
        match step {
            Act::Lay(_) if closed => act(&mut twin, Act::Lay(luck.card())),
            Act::Burn | Act::Lay(_) | Act::Pass => act(&mut twin, *step),
        }
    }
    twin
}

/// BAC-46, BAC-47: two coups that differ in unopened cards only are the same to everybody else, at
/// every step.
#[test]
fn nothing_public_depends_on_a_card_that_is_not_open() {
    let mut luck = Luck(47);
    let (mut compared, mut lengths) = (0, BTreeSet::new());
    let insured = ["macau", "chemin", "no-commission", "live"]
        .map(|name| with(name, |rules| rules.insurance = true));
    for rules in insured.iter().cycle().take(4_000) {
        let mut start = Coup::new(rules.clone());
        crate::place_all(&mut start, &[(Bet::Player, 1_000), (Bet::Banker, 1_000)]);
        start.close(&seated([1, 2]));
        let (mut coup, mut history) = (start.clone(), Vec::new());
        while coup.expects() != Expects::Declaration {
            let step = match (coup.expects(), side_due(&coup)) {
                (Expects::Open { .. } | Expects::Insurance, _) => Act::Pass,
                (_, Some(_)) => Act::Lay(luck.card()),
                (_, None) => Act::Burn,
            };
            act(&mut coup, step);
            history.push(step);
            assert_eq!(public(&twin(&start, &history, &coup, &mut luck)), public(&coup));
            let closed = Side::BOTH.iter().any(|s| coup.opened(*s) < coup.hand(*s).len());
            compared += u32::from(closed);
        }
        lengths.insert(coup.hand(Side::Player).len() + coup.hand(Side::Banker).len());
    }
    assert!(compared > 5_000 && lengths.len() == 3, "{compared} {lengths:?}");
}

/// BAC-50: every preset deals the first four cards before anything is opened, whoever holds.
#[test]
fn four_cards_lie_before_the_first_is_opened() {
    for name in PRESETS {
        let mut coup = closed(name, &[(1, Bet::Player, 1_000)], &seated([1]));
        crate::pass(&mut coup);
        for card in cards("5 4 K") {
            lay(&mut coup, card);
            assert!(matches!(coup.expects(), Expects::Draw { .. }), "{name}");
        }
    }
}
