//! The shoe from its preparation to its last coup (BAC-20 to BAC-29, BAC-90 to BAC-92, BAC-131) and
//! cards entered wrongly.

use std::sync::Arc;

use games::baccarat::{Bet, Burn, Course, Holding, LastHand, Reveal, Rules, ShuffleMode, Side};
use games::{
    Card, Draw, Due, Expects, Illegal, Rank, Round, Seat, Seating, Settlement, Step, Suit,
};

use crate::{cards, preset, seated, with};

/// A course with a new shoe that stands before its first card.
fn loaded(rules: &Arc<Rules>) -> Course {
    let mut course = Course::new(Arc::clone(rules));
    course.begin_shoe(Arc::clone(rules));
    if rules.shuffle_mode == ShuffleMode::Continuous {
        return course;
    }
    for step in Step::ALL {
        assert_eq!(course.expects(), Expects::Step(step));
        let known = step == Step::Cut && rules.shuffle_mode == ShuffleMode::Rng;
        assert_eq!(course.verify_step(step, known.then_some(52)), Ok(()));
        course.step(step);
    }
    course
}

/// A course whose shoe is burned and ready for coups.
pub fn dealing(rules: &Arc<Rules>) -> Course {
    let mut course = loaded(rules);
    while let Expects::Draw { due, .. } = course.expects() {
        let turned = Card::new(Rank::Two, Suit::Clubs);
        course.draw(if due == Due::Turned { Draw::Card(turned) } else { Draw::Unseen });
    }
    assert!(course.may_open());
    course
}

/// Closes the open coup and deals these cards to its end; gives the settlement.
pub fn deal_coup(course: &mut Course, text: &str) -> Settlement<Bet> {
    let mut cards = cards(text).into_iter();
    while course.expects() != Expects::Declaration {
        step(course, &mut cards);
    }
    assert_eq!(cards.next(), None, "{text}");
    course.settle(&Seating::default())
}

/// One step of the open coup.
fn step(course: &mut Course, cards: &mut impl Iterator<Item = Card>) {
    match course.expects() {
        Expects::Bets => course.coup_mut().unwrap().close(&Seating::default()),
        Expects::Open { .. } | Expects::Insurance => course.coup_mut().unwrap().timeout(),
        Expects::Draw { due: Due::Burn { .. }, .. } => course.draw(Draw::Unseen),
        Expects::Draw { due: Due::WhiteCard, .. } => course.draw(Draw::WhiteCard),
        Expects::Draw { due: Due::Card { face_down, .. }, .. } => {
            let card = cards.next().expect("another card is due");
            course.draw(if face_down { Draw::FaceDown(card) } else { Draw::Card(card) });
        }
        Expects::Step(_)
        | Expects::Opening { .. }
        | Expects::Declaration
        | Expects::ShoeChange
        | Expects::Draw { due: Due::Turned, .. } => panic!("{:?}", course.expects()),
    }
}

/// Goes on until a card for a hand, or the white card, is due.
fn to_next_card(course: &mut Course) {
    while !matches!(course.expects(), Expects::Draw { due: Due::Card { .. } | Due::WhiteCard, .. })
    {
        step(course, &mut std::iter::empty());
    }
}

/// BAC-20: each step in its order, none skipped, none twice.
#[test]
fn the_steps_of_a_new_shoe_come_in_their_order() {
    let rules = preset("macau");
    let mut course = Course::new(Arc::clone(&rules));
    assert_eq!(course.expects(), Expects::ShoeChange);
    course.begin_shoe(rules);
    for due in Step::ALL {
        assert_eq!(course.expects(), Expects::Step(due));
        for step in Step::ALL {
            let at = (step == Step::Cut).then_some(100);
            let expected = if step == due { Ok(()) } else { Err(Illegal::NotDue) };
            assert_eq!(course.verify_step(step, at), expected, "{step:?} at {due:?}");
        }
        assert!(!course.may_open());
        course.step(due);
    }
    assert_eq!(course.verify_step(Step::Inspect, None), Err(Illegal::NotDue));
}

/// BAC-21: a deck stays on either side of the cut.
#[test]
fn the_cut_leaves_a_deck_on_either_side() {
    for decks in [6, 8, 12] {
        let rules = with("macau", |rules| rules.decks = decks);
        let mut course = Course::new(Arc::clone(&rules));
        course.begin_shoe(rules);
        [Step::Inspect, Step::Wash, Step::Shuffle].into_iter().for_each(|step| course.step(step));
        let most = 52 * u16::from(decks) - 52;
        let out = Err(Illegal::CutOutOfRange { min: 52, max: most });
        for (at, expected) in [(51, out), (52, Ok(())), (most, Ok(())), (most + 1, out), (0, out)] {
            assert_eq!(course.verify_step(Step::Cut, Some(at)), expected, "{decks} {at}");
        }
        assert_eq!(course.verify_step(Step::Cut, None), out, "a robot says where");
    }
}

/// BAC-25: how many cards are burned after the turned one, or without one.
#[test]
fn a_new_shoe_burns_what_the_rule_set_says() {
    assert_eq!(loaded(&preset("live")).expects(), Expects::Opening { demonstration: false });
    for (decks, name) in [(8, "macau"), (6, "macau"), (12, "chemin")] {
        let rules = with(name, |rules| rules.decks = decks);
        assert_eq!(burned(loaded(&rules)), decks, "{name}");
    }
    for count in 1..=8 {
        let rules = with("live", |rules| rules.burn_new_shoe = Burn::Fixed(count));
        assert_eq!(burned(loaded(&rules)), count);
    }
    let cases = [("A", 1), ("2", 2), ("9", 9), ("T", 10), ("J", 10), ("Q", 10), ("K", 10)];
    for (turned, value) in cases {
        for includes in [true, false] {
            let rules = with("no-commission", |rules| rules.burn_includes_first = includes);
            let mut course = loaded(&rules);
            assert_eq!(course.expects(), Expects::Draw { due: Due::Turned, white_card: false });
            course.draw(Draw::Card(cards(turned)[0]));
            let more = if includes { value - 1 } else { value };
            assert_eq!(burned(course), more, "{turned} {includes}");
        }
    }
    let rules = with("no-commission", |rules| rules.burn_court_value = 1);
    let mut course = loaded(&rules);
    course.draw(Draw::Card(cards("Q")[0]));
    assert_eq!(burned(course), 0, "a court card of value one is burned alone");
}

/// Burns what is due; gives how many that were.
fn burned(mut course: Course) -> u8 {
    let mut count = 0;
    while let Expects::Draw { due: Due::Burn { left }, white_card } = course.expects() {
        assert!(!white_card && left > 0);
        assert_eq!(course.verify_draw(Draw::Card(cards("5")[0])), Err(Illegal::NotDue));
        course.draw(Draw::Unseen);
        count += 1;
    }
    assert!(course.may_open());
    count
}

/// BAC-26: after the close, in every coup of the shoe.
#[test]
fn every_coup_burns_its_cards_anew() {
    let mut course = dealing(&preset("no-commission"));
    for _ in 0..3 {
        course.open_coup(false, &[]);
        assert_eq!(course.verify_draw(Draw::Unseen), Err(Illegal::NotDue), "bets are open");
        course.coup_mut().unwrap().close(&Seating::default());
        let burn = Expects::Draw { due: Due::Burn { left: 1 }, white_card: false };
        assert_eq!(course.expects(), burn);
        deal_coup(&mut course, "9 5 K 3");
    }
}

/// BAC-27: before the first betting window of a shoe only, so many and no more, and not on the
/// roads.
#[test]
fn demonstrations_come_before_the_first_window_and_are_counted() {
    let mut course = dealing(&preset("macau"));
    for _ in 0..3 {
        assert_eq!(course.expects(), Expects::Opening { demonstration: true });
        course.open_coup(true, &[]);
        let coup = course.coup().unwrap();
        assert!(coup.is_demonstration() && !coup.is_betting(), "no bets are taken");
        deal_coup(&mut course, "9 5 K 3");
    }
    assert_eq!(course.expects(), Expects::Opening { demonstration: false });
    assert_eq!(course.outcomes(), []);
    let mut course = dealing(&preset("macau"));
    course.open_coup(false, &[]);
    deal_coup(&mut course, "9 5 K 3");
    assert_eq!(course.expects(), Expects::Opening { demonstration: false });
    assert_eq!(course.outcomes().len(), 1);
    for name in ["live", "no-commission", "ez", "extra"] {
        let none = Expects::Opening { demonstration: false };
        assert_eq!(dealing(&preset(name)).expects(), none, "{name}");
    }
    let on_road = with("macau", |rules| rules.demo_on_road = true);
    let mut course = dealing(&on_road);
    course.open_coup(true, &[]);
    deal_coup(&mut course, "9 5 K 3");
    assert_eq!(course.outcomes().len(), 1);
}

fn continuous() -> Arc<Rules> {
    with("macau", |rules| {
        rules.shuffle_mode = ShuffleMode::Continuous;
        rules.holding = Holding::Off;
    })
}

/// BAC-28: no steps, no burn, no demonstration, no white card, face up, all cards back each coup.
#[test]
fn a_continuous_shuffler_deals_every_coup_from_all_cards() {
    let rules = continuous();
    assert_eq!(rules.reveal(), Reveal::DealtFaceUp);
    let mut course = loaded(&rules);
    assert_eq!(course.expects(), Expects::Opening { demonstration: false });
    let text = "9H 9H 9H 9H";
    for coup in 0..300 {
        course.open_coup(false, &[]);
        course.coup_mut().unwrap().close(&Seating::default());
        let Expects::Draw { due: Due::Card { face_down, .. }, white_card } = course.expects()
        else {
            panic!("{:?}", course.expects());
        };
        assert!(!face_down && !white_card && !course.is_last_coup());
        assert_eq!(course.verify_draw(Draw::WhiteCard), Err(Illegal::NotDue));
        deal_coup(&mut course, text);
        let kept = course.outcomes().len();
        assert!(kept == coup + 1 || (200..=205).contains(&kept), "{kept}");
    }
}

/// BAC-29, BAC-92: a shoe may be changed between coups; the next begins with clear roads.
#[test]
fn a_new_shoe_begins_with_clear_roads_and_all_its_cards() {
    let rules = preset("live");
    let mut course = dealing(&rules);
    course.open_coup(false, &[]);
    deal_coup(&mut course, "9H 9H 9H 9H");
    assert_eq!((course.outcomes().len(), course.shoe_number()), (1, 1));
    course.end_shoe(1);
    assert_eq!(course.expects(), Expects::ShoeChange);
    assert!(!course.may_open());
    course.begin_shoe(Arc::clone(&rules));
    assert_eq!((course.outcomes().len(), course.shoe_number()), (0, 2));
    for step in Step::ALL {
        course.step(step);
    }
    // Eight nines of hearts again, over two coups.
    for _ in 0..2 {
        course.open_coup(false, &[]);
        deal_coup(&mut course, "9H 9H 9H 9H");
    }
}

/// Case 13: a card that was seen as often as there are decks cannot come again; the coup stays as
/// it was.
#[test]
fn a_fifth_king_of_spades_cannot_come_out_of_four_decks() {
    let rules = with("live", |rules| {
        rules.decks = 4;
        rules.decks_min = 4;
    });
    let mut course = dealing(&rules);
    course.open_coup(false, &[]);
    deal_coup(&mut course, "9H KS 9D KS");
    course.open_coup(false, &[]);
    to_next_card(&mut course);
    let king = cards("KS")[0];
    for _ in 0..2 {
        course.draw(Draw::Card(king));
    }
    let expected = course.expects();
    let impossible = Illegal::ShoeCannotHold { card: king };
    assert_eq!(course.verify_draw(Draw::Card(king)), Err(impossible));
    assert_eq!(course.expects(), expected);
    assert_eq!(course.verify_draw(Draw::Card(cards("KC")[0])), Ok(()));
}

/// A shoe dealt by hand, in which the white card may come at any draw of a coup.
fn by_hand(name: &str, change: impl FnOnce(&mut Rules)) -> Course {
    dealing(&with(name, |rules| {
        rules.shuffle_mode = ShuffleMode::Hand;
        change(rules);
    }))
}

/// After how many more coups the shoe is over, the open one counted, when the white card appears
/// before the card of this number in a coup.
fn coups_left(mut course: Course, before: usize) -> usize {
    course.open_coup(false, &[]);
    let mut dealt = cards("5 4 K K 2 2").into_iter();
    course.coup_mut().unwrap().close(&Seating::default());
    let mut drawn = 0;
    let mut shown = false;
    while course.expects() != Expects::Declaration {
        if let Expects::Draw { due, white_card } = course.expects() {
            assert_eq!(white_card, !shown, "it may come out once");
            if !shown && drawn == before {
                course.draw(Draw::WhiteCard);
                shown = true;
                let same = Expects::Draw { due, white_card: false };
                assert_eq!(course.expects(), same, "the same card is due");
                assert_eq!(course.verify_draw(Draw::WhiteCard), Err(Illegal::NotDue));
                continue;
            }
            drawn += 1;
        }
        step(&mut course, &mut dealt);
    }
    let mut last = vec![course.is_last_coup()];
    course.settle(&Seating::default());
    while course.may_open() {
        assert!(course.is_last_coup(), "the next is announced as the last");
        course.open_coup(false, &[]);
        last.push(course.is_last_coup());
        deal_coup(&mut course, "9 5 K 3");
    }
    assert_eq!(course.expects(), Expects::ShoeChange);
    assert!(last.pop() == Some(true) && !last.contains(&true));
    last.len() + 1
}

/// BAC-90, BAC-91: which coup is the last, by where in a coup the white card appears.
#[test]
fn the_white_card_names_the_last_coup() {
    let one_more = |first: bool| by_hand("macau", move |rules| rules.white_first_is_last = first);
    let current = |first: bool| by_hand("live", move |rules| rules.white_first_is_last = first);
    for before in 0..6 {
        let coups = if before == 0 { 1 } else { 2 };
        assert_eq!(coups_left(one_more(true), before), coups, "one_more, first is last: {before}");
        assert_eq!(coups_left(one_more(false), before), 2, "one_more: {before}");
        assert_eq!(coups_left(current(true), before), 1, "current, first is last: {before}");
        assert_eq!(coups_left(current(false), before), 1, "current: {before}");
    }
    // A burn card before the coup's first card counts as part of the coup.
    let burning = || {
        by_hand("macau", |rules| {
            rules.burn_per_coup = 1;
            rules.white_card_from_back = 14;
        })
    };
    assert_eq!([0, 1, 2].map(|before| coups_left(burning(), before)), [1, 2, 2]);
}

/// BAC-23, BAC-90: a robot's white card is due by itself, with so many cards behind it.
#[test]
fn a_robots_white_card_is_due_where_it_was_placed() {
    for (name, behind, last) in [("macau", 12, LastHand::OneMore), ("live", 7, LastHand::Current)] {
        let rules = preset(name);
        assert_eq!((rules.white_card_from_back, rules.last_hand), (behind, last));
        let mut course = dealing(&rules);
        let mut left = 52 * usize::from(rules.decks) - burned_of(&rules);
        let mut pack = (0..12).flat_map(|_| Card::deck());
        let (mut behind_white, mut white) = (0, 0);
        while course.may_open() {
            course.open_coup(false, &[]);
            while course.expects() != Expects::Declaration {
                match course.expects() {
                    Expects::Draw { due: Due::WhiteCard, white_card } => {
                        assert!(!white_card && white == 0);
                        let other = course.verify_draw(Draw::Card(cards("9")[0]));
                        assert_eq!(other, Err(Illegal::NotDue));
                        (white, behind_white) = (1, left);
                    }
                    Expects::Draw { due: Due::Card { .. }, white_card } => {
                        assert!(!white_card);
                        assert_eq!(course.verify_draw(Draw::WhiteCard), Err(Illegal::NotDue));
                        left -= 1;
                    }
                    Expects::Draw { due: Due::Turned | Due::Burn { .. }, .. }
                    | Expects::Step(_)
                    | Expects::Opening { .. }
                    | Expects::Bets
                    | Expects::Open { .. }
                    | Expects::Insurance
                    | Expects::Declaration
                    | Expects::ShoeChange => (),
                }
                step(&mut course, &mut pack);
            }
            course.settle(&Seating::default());
        }
        assert_eq!((white, behind_white), (1, usize::from(behind)), "{name}");
        // BAC-9: the cards behind it are enough for the last coups.
        assert!(left < usize::from(behind), "{name}");
    }
}

/// How many cards the new shoe of these rules burns.
fn burned_of(rules: &Rules) -> usize {
    match rules.burn_new_shoe {
        Burn::None => 0,
        Burn::Decks => usize::from(rules.decks),
        Burn::Fixed(count) => usize::from(count),
        Burn::FirstCardValue => panic!("depends on the card"),
    }
}

/// The card drawn last may be taken back while nothing rests on it, and is in the shoe again.
#[test]
fn the_last_card_can_be_taken_back_while_nothing_rests_on_it() {
    let mut course = by_hand("live", |rules| {
        rules.decks = 1;
        rules.decks_min = 1;
    });
    course.open_coup(false, &[]);
    course.coup_mut().unwrap().close(&Seating::default());
    assert_eq!(course.correctable(), None);
    for card in cards("5C 4D KH KS 2C 2D") {
        let due = course.expects();
        course.draw(Draw::Card(card));
        assert_eq!(course.correctable(), Some(card));
        let impossible = Err(Illegal::ShoeCannotHold { card });
        assert!(
            course.expects() == Expects::Declaration
                || course.verify_draw(Draw::Card(card)) == impossible
        );
        course.take_back();
        assert_eq!((course.expects(), course.correctable()), (due, None), "only the last");
        assert_eq!(course.verify_draw(Draw::Card(card)), Ok(()), "it is in the shoe again");
        course.draw(Draw::Card(card));
    }
    assert!(course.correctable().is_some(), "until the result is declared");
    let outcome = course.coup().unwrap().outcome().unwrap();
    assert_eq!((outcome.player_total, outcome.banker_total), (7, 6));
}

/// A card that was opened, or before which the white card came, stays.
#[test]
fn opened_cards_and_cards_before_the_white_card_stay() {
    let mut course = dealing(&preset("macau"));
    course.open_coup(false, &[]);
    to_next_card(&mut course);
    let mut dealt = cards("5 4 K K 2").into_iter();
    for _ in 0..4 {
        step(&mut course, &mut dealt);
        assert!(course.correctable().is_some());
    }
    course.coup_mut().unwrap().open();
    assert_eq!(course.correctable(), None);
    course.coup_mut().unwrap().open();
    step(&mut course, &mut dealt);
    assert_eq!(course.correctable(), Some(cards("5 4 K K 2")[4]));
    course.take_back();
    let coup = course.coup().unwrap();
    assert_eq!((coup.opened(Side::Player), coup.hand(Side::Player).len()), (2, 2));

    let mut course = by_hand("live", |_| ());
    course.open_coup(false, &[]);
    to_next_card(&mut course);
    step(&mut course, &mut cards("5").into_iter());
    course.draw(Draw::WhiteCard);
    assert_eq!(course.correctable(), None);
}

/// BAC-25: the turned card may be taken back until something was burned or a coup opened.
#[test]
fn the_turned_card_can_be_taken_back_until_the_next_thing_happens() {
    let mut course = loaded(&preset("no-commission"));
    for text in ["KS", "AS"] {
        let card = cards(text)[0];
        course.draw(Draw::Card(card));
        assert_eq!(course.correctable(), Some(card), "{text}");
        course.take_back();
        assert_eq!(course.expects(), Expects::Draw { due: Due::Turned, white_card: false });
    }
    course.draw(Draw::Card(cards("3S")[0]));
    course.draw(Draw::Unseen);
    assert_eq!(course.correctable(), None);
    let mut course = loaded(&preset("no-commission"));
    course.draw(Draw::Card(cards("AS")[0]));
    course.open_coup(false, &[]);
    assert_eq!(course.correctable(), None);
}

/// BAC-131: the shoe goes on when the Player wins or the holder passes, and stays otherwise.
#[test]
fn the_shoe_travels_from_seat_to_seat_when_the_player_wins() {
    let seats = seated([1, 3, 7]);
    let mut course = dealing(&preset("chemin"));
    assert_eq!(course.shoe_holder(), None);
    course.keep_shoe_held(&seats);
    assert_eq!(course.shoe_holder(), Some(Seat(1)));
    let mut after = |text: &str| {
        course.open_coup(false, &[]);
        let mut dealt = cards(text).into_iter();
        while course.expects() != Expects::Declaration {
            step(&mut course, &mut dealt);
        }
        course.settle(&seats);
        course.shoe_holder().unwrap().0
    };
    let (banker, player, tie) = ("5 7 K K 7", "9 5 K 3", "7 7 K K");
    let travelled = [banker, player, tie, banker, player, player, player].map(&mut after);
    assert_eq!(travelled, [1, 3, 3, 3, 7, 1, 3], "empty seats are passed over");
    course.pass_shoe(&seats);
    assert_eq!(course.shoe_holder(), Some(Seat(7)), "the holder declined");
    course.keep_shoe_held(&seated([1, 2, 7]));
    assert_eq!(course.shoe_holder(), Some(Seat(7)));
    course.keep_shoe_held(&seated([1, 2]));
    assert_eq!(course.shoe_holder(), Some(Seat(1)), "the holder left");
    course.keep_shoe_held(&seated([]));
    assert_eq!(course.shoe_holder(), None);
}
