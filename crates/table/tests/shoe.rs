//! The shoe: its procedure, burned cards, demonstrations, the white card, the last hand (BAC-20 to
//! BAC-29, BAC-90 to BAC-93), and what the robot publishes about it (OPS-69).

mod script;

use games::{Card, Draw, Expects};
use script::{Script, Setup, check, told};
use table::{Event, felt_view, roads_view};

/// BAC-20, BAC-22, BAC-24: each step is an event; none is skipped, repeated or taken out of order,
/// and no card or round comes before the last.
#[test]
fn bac_20_steps_are_taken_in_order() {
    check(
        Setup::dealer("macau"),
        "phase closed
         dealer new-shoe -> NOT_OPEN
         dealer open-table
         = table-opened
         phase prepare
         due shoe change
         dealer step inspect -> NOT_DUE
         dealer open-round -> NOT_DUE
         dealer new-shoe
         = shoe-begun 1
         dealer new-shoe -> NOT_DUE
         due step inspect
         dealer step wash -> NOT_DUE
         dealer card 9H -> CARD_NOT_DUE
         dealer burn -> NOT_DUE
         dealer white-card -> NOT_DUE
         dealer step inspect
         = step inspect
         dealer step inspect -> NOT_DUE
         dealer step wash
         = step wash
         dealer step cut -> NOT_DUE
         dealer step shuffle
         = step shuffle
         dealer step place-white-card -> NOT_DUE
         dealer step cut
         = step cut
         dealer step load -> NOT_DUE
         dealer step place-white-card
         = step place-white-card
         dealer open-round -> NOT_DUE
         dealer step load
         = step load
         due burn 8
         dealer open-round -> NOT_DUE
         dealer demonstration -> NOT_DUE
         1 bet player 10.00 -> NOT_OPEN
         phase prepare",
    );
}

/// BAC-21: a shoe of the robot is cut with at least a deck on either side.
#[test]
fn bac_21_the_cut_leaves_a_deck_on_either_side() {
    check(
        Setup::robot("live"),
        "dealer open-table
         dealer new-shoe
         dealer step inspect
         dealer step wash
         dealer step shuffle
         house commit
         = committed 1
         dealer step cut -> CUT_OUT_OF_RANGE
         dealer step cut at 51 -> CUT_OUT_OF_RANGE
         dealer step cut at 365 -> CUT_OUT_OF_RANGE
         dealer step cut at 364
         = step cut at 364",
    );
    check(
        Setup::robot("macau").rules("decks = 6"),
        "dealer open-table
         dealer new-shoe
         dealer step inspect
         dealer step wash
         dealer step shuffle
         house commit
         dealer step cut at 261 -> CUT_OUT_OF_RANGE
         dealer step cut at 52
         = step cut at 52",
    );
}

const TO_THE_CUT: &str = "dealer open-table
    1 sit 3
    dealer new-shoe
    dealer step inspect
    dealer step wash
    dealer step shuffle
    house commit";

/// BAC-21, S0 Art.2(1): a seated player cuts; after ten seconds, or with nobody there, the dealer.
#[test]
fn bac_21_a_seated_player_cuts_first() {
    let played = |rest: &str| {
        check(Setup::robot("macau"), &format!("{TO_THE_CUT}\n{rest}"));
    };
    played(
        "dealer step cut at 100 -> NOT_YOUR_TURN
         2 cut 100 -> NOT_SEATED
         1 cut 51 -> CUT_OUT_OF_RANGE
         1 cut 200
         = step cut at 200 by 1
         1 cut 200 -> NOT_DUE
         dealer step cut at 100 -> NOT_DUE",
    );
    played(
        "later 9.999
         dealer step cut at 100 -> NOT_YOUR_TURN
         later 0.001
         dealer step cut at 100
         = step cut at 100",
    );
    played(
        "house leave 1
         dealer step cut at 100
         = step cut at 100",
    );
    check(
        Setup::robot("macau").rules("cutter = \"dealer\""),
        &format!("{TO_THE_CUT}\n1 cut 100 -> NOT_YOUR_TURN\ndealer step cut at 100"),
    );
}

/// OPS-69: the commitment stands before the cut, once, and its order is shown after the end.
#[test]
fn ops_69_the_commitment_comes_before_the_cut() {
    check(
        Setup::robot("live"),
        "dealer open-table
         house commit -> NOT_DUE
         dealer new-shoe
         house commit -> NOT_DUE
         dealer step inspect
         dealer step wash
         dealer step shuffle
         dealer step cut at 100 -> NOT_DUE
         house commit
         = committed 1
         house commit -> NOT_DUE
         house reveal 1 -> NOT_DUE
         dealer step cut at 100
         dealer step place-white-card
         dealer step load
         house reveal 1 -> NOT_DUE
         round
         house reveal 1 -> NOT_DUE
         coup 9 5 K 3
         dealer change-shoe
         = shoe-ended 1 house-change
         house reveal 2 -> NOT_DUE
         house reveal 1
         = revealed 1
         house reveal 1 -> NOT_DUE",
    );
    // A person's shoe has no commitment.
    check(Setup::dealer("live"), "ready\nhouse commit -> NOT_DUE");
}

/// BAC-25: how many cards a new shoe burns.
#[test]
fn bac_25_a_new_shoe_is_burned() {
    let burned = |setup: Setup, first: Option<&str>, count: u8| {
        let mut script = "dealer open-table
            dealer new-shoe
            dealer step inspect
            dealer step wash
            dealer step shuffle
            dealer step cut
            dealer step place-white-card
            dealer step load\n"
            .to_owned();
        if let Some(card) = first {
            script += &format!("due turned\ndealer burn -> NOT_DUE\ndealer card {card}\n");
        }
        for left in (1..=count).rev() {
            script += &format!("due burn {left}\ndealer card 2C -> CARD_NOT_DUE\ndealer burn\n");
        }
        script += "dealer burn -> NOT_DUE\nphase ready";
        check(setup, &script);
    };
    burned(Setup::dealer("macau"), None, 8);
    burned(Setup::dealer("macau").rules("decks = 6"), None, 6);
    burned(Setup::dealer("chemin"), None, 8);
    burned(Setup::dealer("live"), None, 0);
    burned(Setup::dealer("live").rules("burn_new_shoe = { fixed = 3 }"), None, 3);
    for (card, count) in [("AS", 0), ("2H", 1), ("9D", 8), ("TC", 9), ("JC", 9), ("KS", 9)] {
        burned(Setup::dealer("no-commission"), Some(card), count);
        let besides = Setup::dealer("no-commission").rules("burn_includes_first = false");
        burned(besides, Some(card), count + 1);
    }
}

/// BAC-25: a wrongly entered first card is taken back while nothing was burned.
#[test]
fn bac_25_the_turned_card_may_be_taken_back() {
    check(
        Setup::dealer("no-commission"),
        "dealer open-table
         dealer new-shoe
         dealer step inspect
         dealer step wash
         dealer step shuffle
         dealer step cut
         dealer step place-white-card
         dealer step load
         dealer take-back -> NOTHING_TO_TAKE_BACK
         dealer card 9D
         dealer take-back
         = taken-back
         due turned
         dealer card 3D
         due burn 2
         dealer burn
         dealer take-back -> NOTHING_TO_TAKE_BACK
         dealer burn
         due opening",
    );
}

/// BAC-26: after the close and before the first card.
#[test]
fn bac_26_each_coup_burns_before_its_first_card() {
    check(
        Setup::dealer("no-commission"),
        "ready
         round
         1 bet player 10.00
         dealer burn -> CARD_NOT_DUE
         dealer close-bets
         due burn 1 or white card
         dealer card 9H -> CARD_NOT_DUE
         phase no-more-bets
         dealer burn
         = drawn unseen
         due player 1 or white card
         deal 9 5 K 3
         dealer declare
         money 1 10010.00",
    );
    check(
        Setup::dealer("live").rules("burn_per_coup = 3\nwhite_card_from_back = 9"),
        "ready\nround\ndealer close-bets\ndue burn 3 or white card
         dealer burn\ndealer burn\ndue burn 1 or white card\ndealer burn
         due player 1 or white card",
    );
}

/// BAC-27: at the start of a shoe only, no more than allowed, without bets and not in the roads.
#[test]
fn bac_27_demonstrations_come_before_the_first_window() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         due opening or demonstration
         dealer demonstration
         = round 1 demonstration
         phase no-more-bets
         1 bet player 10.00 -> DEMO_COUP
         dealer close-bets -> NOT_DUE
         deal 9 5 K 3
         1 bet player 10.00 -> DEMO_COUP
         dealer declare
         = settled player 9-8
         wait 3
         dealer demonstration
         deal 9 5 K 3
         dealer declare
         wait 3
         dealer demonstration
         deal 9 5 K 3
         dealer declare
         wait 3
         due opening
         dealer demonstration -> NOT_DUE",
    );
    assert_eq!(roads_view(played.table()).unwrap().statistics.player, 0);
    let felt = felt_view(played.table()).unwrap();
    assert!(felt.demonstration, "the result that stands is flagged");
    played.run("round\n1 bet player 10.00\ncoup 9 5 K 3\nmoney 1 10010.00");
    assert_eq!(roads_view(played.table()).unwrap().statistics.player, 1);
    // Not after a betting window, though not all were used.
    check(Setup::dealer("macau"), "ready\nround\ncoup 9 5 K 3\nwait 3\ndue opening");
    check(Setup::dealer("macau"), "ready\nround\npit void lamp\nwait 3\ndue opening");
    check(Setup::dealer("live"), "ready\ndue opening\ndealer demonstration -> NOT_DUE");
    let on_road = Setup::dealer("macau").rules("demo_on_road = true");
    let played = check(on_road, "ready\ndealer demonstration\ndeal 9 5 K 3\ndealer declare");
    assert_eq!(roads_view(played.table()).unwrap().statistics.player, 1);
}

/// BAC-27: no insurance in a demonstration either.
#[test]
fn bac_27_a_demonstration_has_no_insurance() {
    check(
        Setup::dealer("macau").rules("insurance = true"),
        "ready
         dealer demonstration
         deal 2 4 3 K
         due player 3 face down or white card
         1 bet insurance-4:player 1.00 -> DEMO_COUP",
    );
}

fn continuous() -> Setup {
    Setup::robot("macau").rules("shuffle_mode = \"continuous\"\nholding = \"off\"")
}

/// BAC-28: straight from the machine to the table, face up, a fresh full shoe for every coup.
#[test]
fn bac_28_a_continuous_shuffler_has_no_procedure() {
    let mut played = check(
        continuous(),
        "dealer open-table
         dealer new-shoe
         = shoe-begun 0
         due opening
         phase ready
         dealer step inspect -> NOT_DUE
         dealer demonstration -> NOT_DUE
         dealer open-round -> NOT_DUE
         house commit
         = committed 1
         dealer open-round
         = round 1
         1 bet player 10.00
         dealer close-bets
         due player 1
         dealer white-card -> NOT_DUE
         deal KH KH KH KH 8H
         dealer card 8H
         dealer declare
         = settled tie 8-8; #1 1 player 10.00 carried
         house reveal 1
         wait 3
         house commit b a
         = committed 2
         dealer open-round
         = round 2 carried #1 as #2
         dealer close-bets
         deal KH KH KH KH 8H 8H
         dealer declare",
    );
    // Eight decks hold eight kings of hearts, and each coup is dealt from all cards.
    for _ in 3..=5 {
        played.run("round\ndealer close-bets\ndeal KH KH KH KH 8H 8H\ndealer declare");
    }
    assert_eq!(played.table.rules().unwrap().0.baccarat().decks, 8);
    let shoes: Vec<u32> = played.table.records().map(|r| r.shoe).collect();
    assert_eq!(shoes, [1, 2, 3, 4, 5], "each coup has a shuffle of its own");
}

/// BAC-28: roads keep the last 200 results and are cleared by the supervisor alone.
#[test]
fn bac_28_roads_of_a_continuous_shuffler() {
    let mut played = check(continuous(), "dealer open-table\ndealer new-shoe");
    let bead_count = |script: &Script| roads_view(script.table()).unwrap().statistics;
    // What is left out goes by whole columns of the bead plate, so up to five more stay (case 21).
    for _ in 0..206 {
        played.run("round\ncoup 9 5 K 3");
    }
    assert_eq!(bead_count(&played).player, 200);
    played.run(
        "dealer close-table
         dealer open-table
         dealer new-shoe
         round
         pit reset-roads -> NOT_DUE
         coup 5 9 3 K",
    );
    let counts = bead_count(&played);
    assert_eq!((counts.player, counts.banker), (200, 1), "the roads go on after a pause");
    played.run("pit reset-roads\n= roads-reset by the pit");
    assert_eq!(bead_count(&played).player, 0);
    check(Setup::dealer("macau"), "ready\npit reset-roads -> NOT_DUE");
}

/// BAC-28, OPS-69: an order that is not dealt keeps its number.
#[test]
fn bac_28_no_two_orders_have_one_number() {
    check(
        continuous(),
        "dealer open-table
         dealer new-shoe
         house commit
         = committed 1
         dealer close-table
         = shoe-ended 1 table-closed
         = table-closed
         dealer open-table
         dealer new-shoe
         house commit b a
         = committed 2
         house reveal 1
         house seal-lost
         = shoe-ended 2 sealed-order-lost
         house reveal 2 -> NOT_DUE
         dealer new-shoe
         house commit c b
         = committed 3
         round
         1 bet player 10.00
         house seal-lost
         = voided by the house sealed-order-lost; #1 1 player 10.00
         = shoe-ended 3 sealed-order-lost
         dealer new-shoe
         house commit d c
         = committed 4",
    );
}

/// BAC-29: between coups.
#[test]
fn bac_29_the_house_changes_the_shoe_between_coups() {
    let played = check(
        Setup::dealer("live"),
        "dealer open-table
         dealer change-shoe -> NOT_DUE
         ready
         round
         dealer change-shoe -> NOT_DUE
         dealer close-bets
         dealer change-shoe -> NOT_DUE
         deal 9 5 K 3
         dealer declare
         dealer change-shoe
         = shoe-ended 1 house-change
         1 bet player 10.00 -> LAST_HAND_DONE
         dealer change-shoe -> NOT_DUE
         dealer new-shoe
         = shoe-begun 2
         due step inspect",
    );
    assert_eq!(roads_view(played.table()).unwrap().statistics.player, 0, "roads are clear");
}

/// Deals from a pack in order until the white card comes.
fn to_the_white_card(played: &mut Script) {
    let mut pack = (0..8).flat_map(|_| Card::deck());
    for _ in 0..200 {
        played.run("round\ndealer close-bets");
        let before = played.draws().len();
        for _ in 0..6 {
            if let Some(Expects::Draw { .. }) = played.table.expects() {
                let card = pack.next().expect("the white card comes before the last card");
                played.run(&format!("deal {card}"));
            }
        }
        if played.draws()[before..].contains(&Draw::WhiteCard) {
            return;
        }
        played.run("dealer declare");
    }
    panic!("no white card");
}

/// BAC-23: the white card comes when exactly W cards are behind it.
#[test]
fn bac_23_the_white_card_comes_with_w_cards_behind_it() {
    for (setup, left) in [
        (Setup::robot("macau"), 12),
        (Setup::robot("macau").rules("white_card_from_back = 14"), 14),
        (Setup::robot("live"), 7),
        (Setup::robot("no-commission"), 12),
    ] {
        let mut played = check(setup, "ready");
        to_the_white_card(&mut played);
        let draws = played.draws();
        let white = draws.iter().position(|draw| *draw == Draw::WhiteCard).unwrap();
        assert_eq!(416 - white, left);
    }
}

/// BAC-90, BAC-91: `current` ends the shoe with the coup in which the card appears.
#[test]
fn bac_91_current_ends_with_this_coup() {
    let mut played = check(Setup::robot("live"), "ready");
    to_the_white_card(&mut played);
    assert!(felt_view(played.table()).unwrap().shoe.last_hand, "announced");
    played.run("dealer declare\ndue shoe change");
    let last = played.events().into_iter().rev().find(|e| matches!(e, Event::ShoeEnded { .. }));
    assert_eq!(last.map(|event| told(&event)), Some("shoe-ended 1 white-card".into()));
}

/// BAC-90, BAC-91: `one_more` deals one more coup and announces it at its opening.
#[test]
fn bac_91_one_more_deals_one_more() {
    let setup = Setup::dealer("macau");
    let mut played = check(
        setup.clone(),
        "ready
         round
         dealer close-bets
         deal 9 W 5 K 3",
    );
    assert!(!felt_view(played.table()).unwrap().shoe.last_hand, "one coup is still to come");
    played.run(
        "dealer declare
         = settled player 9-8
         1 bet player 10.00 -> NOT_OPEN
         wait 3
         dealer open-round
         = round 2 last",
    );
    assert!(felt_view(played.table()).unwrap().shoe.last_hand);
    played.run(
        "1 bet player 10.00
         dealer close-bets
         due player 1 face down
         dealer white-card -> NOT_DUE
         deal 9 5 K 3
         dealer declare
         = settled player 9-8; #1 1 player 10.00 won 10.00
         = shoe-ended 1 white-card
         due shoe change
         1 bet player 10.00 -> LAST_HAND_DONE
         dealer open-round -> NOT_DUE
         dealer new-shoe
         = shoe-begun 2",
    );
    // With the card before the first of a coup, that coup is the last.
    check(
        setup.clone(),
        "ready
         round
         dealer close-bets
         deal W 9 5 K 3
         dealer declare
         = settled player 9-8
         = shoe-ended 1 white-card",
    );
    check(
        setup.clone().rules("white_first_is_last = false"),
        "ready\nround\ndealer close-bets\ndeal W 9 5 K 3\ndealer declare\nround
         coup 9 5 K 3",
    );
    // A card burned before the coup is its first to leave the shoe.
    let burns = setup.rules("burn_per_coup = 1\nwhite_card_from_back = 14");
    let burns = check(
        burns,
        "ready
         round
         dealer close-bets
         dealer burn
         dealer white-card
         = drawn white card
         deal 9 5 K 3
         dealer declare
         = settled player 9-8",
    );
    assert!(burns.table.game().unwrap().is_last_round(), "the next one is the last");
}

/// BAC-91: a void coup counts as the one in which the card appeared, or as the last.
#[test]
fn bac_91_a_void_coup_is_a_coup() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         dealer close-bets
         deal 9 W
         pit void dropped
         = voided by the pit {\"pit\":\"dropped\"}
         round
         dealer close-bets
         pit void dropped
         = voided by the pit {\"pit\":\"dropped\"}
         = shoe-ended 1 white-card",
    );
}

/// BAC-92: no deal before a new shuffle; roads and counters are clear.
#[test]
fn bac_92_roads_are_cleared_with_the_shoe() {
    let mut played = check(
        Setup::dealer("live"),
        "ready
         round
         coup 9 5 K 3
         round
         dealer close-bets
         deal 5 W 9 3 K
         dealer declare
         round -> NOT_DUE",
    );
    played.run("dealer new-shoe");
    let roads = roads_view(played.table()).unwrap();
    assert!(roads.big_road.is_empty() && roads.bead_plate.is_empty(), "{roads:?}");
    played.run("ready\nround\ncoup 5 9 3 K");
    let roads = roads_view(played.table()).unwrap();
    assert_eq!(roads.big_road.len(), 1, "case 25: the road of the new shoe begins at its corner");
}

/// BAC-93: the log holds the cards in the order in which they lie in the discard rack.
#[test]
fn bac_93_the_log_is_the_discard_rack() {
    let played = check(Setup::dealer("live"), "ready\nround\ncoup 2H 3D 3H KD 9C 5S");
    let cards: Vec<Card> = played
        .draws()
        .iter()
        .filter_map(|draw| match draw {
            Draw::Card(card) | Draw::FaceDown(card) => Some(*card),
            Draw::Unseen | Draw::WhiteCard => None,
        })
        .collect();
    let text: Vec<String> = cards.iter().map(Card::to_string).collect();
    assert_eq!(text, ["2H", "3D", "3H", "KD", "9C", "5S"]);
}

/// BAC-119: the shoe that cannot complete a coup is withdrawn, the stakes go back.
#[test]
fn bac_119_a_shoe_without_cards_ends() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         dealer close-bets
         dealer card 9H
         house void out-of-cards
         = voided by the house out-of-cards; #1 1 player 10.00
         = shoe-ended 1 out-of-cards
         money 1 10000.00
         due shoe change",
    );
}

/// Case 13: a card of which all copies were seen is refused and alarms.
#[test]
fn case_13_a_card_too_many_is_refused() {
    let mut played = check(Setup::dealer("live"), "ready");
    for _ in 0..2 {
        played.run("round\ncoup KS KS KS KS 9H 8H");
    }
    played.run(
        "round
         dealer close-bets
         dealer card KS -> SHOE_CANNOT_HOLD
         dealer card KH",
    );
    let begun = |event: &Event| matches!(event, Event::ShoeBegun { .. });
    assert_eq!(played.events().iter().filter(|e| begun(e)).count(), 1);
}
