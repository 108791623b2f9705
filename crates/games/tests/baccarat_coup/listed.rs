//! What `expects` lists, and only that, is accepted: tried at every step of random shoes.

use std::collections::BTreeSet;
use std::sync::Arc;

use games::baccarat::{Bet, Change, Course, Holding, Rules, ShuffleMode};
use games::{
    BetId, Card, Draw, Due, Expects, Illegal, Owner, Refused, Round, Seating, Shoe, Step, Wager,
};

use crate::{Luck, PRESETS, chips, limits, preset, seated, with};

/// Every preset, dealt by a robot, by hand and, where it may be, by a continuous shuffler.
fn rule_sets() -> Vec<Arc<Rules>> {
    let by_hand = |name| {
        with(name, |rules| {
            rules.shuffle_mode = ShuffleMode::Hand;
            rules.insurance = true;
        })
    };
    let continuous = with("macau", |rules| {
        rules.shuffle_mode = ShuffleMode::Continuous;
        rules.holding = Holding::Off;
    });
    PRESETS.map(preset).into_iter().chain(PRESETS.map(by_hand)).chain([continuous]).collect()
}

/// The shoe as somebody would know it who has seen what the table saw.
struct Seen {
    shoe: Shoe,
    white_card_out: bool,
}

/// May this draw be made, by what `expects` says and by the cards seen?
fn is_listed(expects: &Expects, seen: &Seen, draw: Draw) -> bool {
    let Expects::Draw { due, white_card } = expects else { return false };
    match (due, draw) {
        (Due::WhiteCard, _) => draw == Draw::WhiteCard,
        (_, Draw::WhiteCard) => *white_card,
        (Due::Turned, Draw::Card(card)) => seen.shoe.can_draw(card),
        (Due::Burn { .. }, Draw::Unseen) => seen.shoe.inside() > 0,
        (Due::Card { face_down, .. }, Draw::Card(card)) => !face_down && seen.shoe.can_draw(card),
        (Due::Card { face_down, .. }, Draw::FaceDown(card)) => {
            *face_down && seen.shoe.can_draw(card)
        }
        (Due::Turned | Due::Burn { .. } | Due::Card { .. }, _) => false,
    }
}

fn every_draw() -> impl Iterator<Item = Draw> {
    let cards = Card::deck().flat_map(|card| [Draw::Card(card), Draw::FaceDown(card)]);
    cards.chain([Draw::Unseen, Draw::WhiteCard])
}

/// Asks for everything that could be done, and compares the answers with what is expected.
fn check_answers(course: &Course, seen: &Seen) -> Vec<Draw> {
    let expects = course.expects();
    let mut listed = Vec::new();
    for draw in every_draw() {
        let accepted = course.verify_draw(draw).is_ok();
        assert_eq!(accepted, is_listed(&expects, seen, draw), "{expects:?} {draw:?}");
        if accepted {
            listed.push(draw);
        }
    }
    for step in Step::ALL {
        let at = (step == Step::Cut).then_some(60);
        let accepted = course.verify_step(step, at) == Ok(());
        assert_eq!(accepted, expects == Expects::Step(step), "{expects:?} {step:?}");
    }
    assert_eq!(course.may_open(), matches!(expects, Expects::Opening { .. }));
    let Some(coup) = course.coup() else { return listed };
    assert_eq!(coup.is_betting(), expects == Expects::Bets);
    assert_eq!(coup.outcome().is_some(), expects == Expects::Declaration);
    assert_eq!(coup.settlement().is_some(), expects == Expects::Declaration);
    for by in [None, Some(Owner(1)), Some(Owner(2)), Some(Owner(3))] {
        let expected = match &expects {
            Expects::Open { holder, .. } if *holder == by => Ok(()),
            Expects::Open { .. } => Err(Illegal::NotYours),
            Expects::Step(_)
            | Expects::Opening { .. }
            | Expects::Bets
            | Expects::Draw { .. }
            | Expects::Insurance
            | Expects::Declaration
            | Expects::ShoeChange => Err(Illegal::NotDue),
        };
        assert_eq!(coup.verify_open(by), expected);
    }
    for bet in Bet::all().filter(|bet| bet.is_insurance()) {
        let say = coup.verify_change(Owner(1), &Change::place(bet, chips(10)), &limits());
        let offered = coup.insurance_offered().iter().any(|(offered, _)| *offered == bet);
        assert!(!offered || expects == Expects::Insurance);
        assert_eq!(say == Err(Refused::UnknownPosition), !offered, "{expects:?} {bet}");
    }
    listed
}

/// Does one of the things that are expected.
fn go_on(course: &mut Course, seen: &mut Seen, listed: &[Draw], luck: &mut Luck) {
    match course.expects() {
        Expects::Step(step) => course.step(step),
        Expects::Opening { demonstration } => {
            if course.rules().shuffle_mode == ShuffleMode::Continuous {
                seen.shoe = Shoe::full(course.rules().decks);
            }
            let carried: Vec<BetId> = course.carried().iter().map(|wager| wager.id).collect();
            carried.into_iter().for_each(|bet| course.drop_carried(bet));
            course.open_coup(demonstration && luck.below(2) == 0, &[]);
        }
        Expects::Bets => {
            let coup = course.coup_mut().unwrap();
            for (id, on) in (1..).zip([Bet::Player, Bet::Banker]) {
                let owner = Owner(1 + u64::try_from(luck.below(3)).unwrap());
                let stake = chips(1_000);
                coup.place(Wager { id: BetId(id), owner, on, stake, carried_from: None });
            }
            coup.close(&seated([1, 2]));
        }
        Expects::Draw { .. } => {
            // The white card comes in time for the last coups, and seldom before.
            let white = listed.contains(&Draw::WhiteCard);
            let near = seen.shoe.inside() <= course.rules().white_card_from_back;
            let now = white && (near || luck.below(300) == 0);
            let others = listed.iter().filter(|draw| now == (**draw == Draw::WhiteCard));
            let others: Vec<Draw> = others.copied().collect();
            let draw = others[luck.below(others.len())];
            course.draw(draw);
            match draw {
                Draw::Card(card) | Draw::FaceDown(card) => seen.shoe.draw(card),
                Draw::Unseen => seen.shoe.burn(),
                Draw::WhiteCard => seen.white_card_out = true,
            }
        }
        Expects::Open { .. } if luck.below(4) == 0 => course.coup_mut().unwrap().timeout(),
        Expects::Open { .. } => course.coup_mut().unwrap().open(),
        Expects::Insurance => course.coup_mut().unwrap().timeout(),
        Expects::Declaration => {
            course.settle(&Seating::default());
        }
        Expects::ShoeChange => panic!("the shoe is over"),
    }
}

fn name_of(expects: &Expects) -> &'static str {
    match expects {
        Expects::Step(_) => "step",
        Expects::Opening { demonstration: true } => "opening, demonstration",
        Expects::Opening { demonstration: false } => "opening",
        Expects::Bets => "bets",
        Expects::Draw { due: Due::Turned, .. } => "turned",
        Expects::Draw { due: Due::Burn { .. }, .. } => "burn",
        Expects::Draw { due: Due::WhiteCard, .. } => "white card",
        Expects::Draw { due: Due::Card { face_down: true, .. }, .. } => "card, face down",
        Expects::Draw { due: Due::Card { face_down: false, .. }, .. } => "card",
        Expects::Open { holder: Some(_), .. } => "open, holder",
        Expects::Open { holder: None, .. } => "open",
        Expects::Insurance => "insurance",
        Expects::Declaration => "declaration",
        Expects::ShoeChange => "shoe change",
    }
}

#[test]
fn what_expects_lists_and_only_that_is_accepted() {
    let mut luck = Luck(7);
    let (mut reached, mut coups) = (BTreeSet::new(), 0);
    for rules in rule_sets() {
        let mut course = Course::new(Arc::clone(&rules));
        course.begin_shoe(Arc::clone(&rules));
        let mut seen = Seen { shoe: Shoe::full(rules.decks), white_card_out: false };
        for _ in 0..4_000 {
            let listed = check_answers(&course, &seen);
            reached.insert(name_of(&course.expects()));
            if course.expects() == Expects::ShoeChange {
                break;
            }
            coups += u32::from(course.expects() == Expects::Declaration);
            go_on(&mut course, &mut seen, &listed, &mut luck);
        }
        let endless = rules.shuffle_mode == ShuffleMode::Continuous;
        assert_eq!(course.expects() == Expects::ShoeChange, !endless, "{}", rules.name);
        assert_eq!(seen.white_card_out, !endless, "{}", rules.name);
    }
    assert_eq!(reached.len(), 14, "{reached:?}");
    assert!(coups > 500, "{coups}");
}
