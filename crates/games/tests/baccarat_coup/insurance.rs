//! Insurance: when it is offered, to whom, and what it comes to (BAC-80 to BAC-85).

use chips::Pays;
use games::baccarat::{Bet, Change, Coup, InsuranceRow, Rules, Side, Window, value};
use games::{BetId, CameTo, Ending, Expects, Owner, Rank, Refused, Round, Seating, Wager};

use crate::{cards, chips, lay, limits, place_all, preset, returned, side_due, with};

fn insured() -> std::sync::Arc<Rules> {
    with("no-commission", |rules| {
        rules.insurance = true;
        rules.burn_per_coup = 0;
    })
}

/// A card of this value; nothing is a ten.
fn rank_of(points: u8) -> String {
    let rank = Rank::ALL.into_iter().find(|rank| value(*rank) == points);
    rank.unwrap().letter().to_string()
}

/// A coup with these two-card totals open.
fn four_cards(rules: &std::sync::Arc<Rules>, player: u8, banker: u8) -> Coup {
    let mut coup = Coup::new(rules.clone());
    place_all(&mut coup, &[(Bet::Player, 5_000), (Bet::Banker, 5_000)]);
    coup.close(&Seating::default());
    let text = format!("{} {} K K", rank_of(player), rank_of(banker));
    cards(&text).into_iter().for_each(|card| lay(&mut coup, card));
    coup
}

/// The pay table of BAC-83, in tenths.
fn four_cards_pay(side: Side, total: u8) -> Option<u32> {
    match (side, total) {
        (Side::Banker, 4) => Some(14),
        (Side::Banker, 5) => Some(18),
        (Side::Banker, 6) => Some(25),
        (Side::Player, 4) => Some(10),
        (Side::Player, 5) => Some(13),
        (Side::Player, 6) => Some(28),
        (_, 7) => Some(47),
        (_, _) => None,
    }
}

fn five_cards_pay(side: Side, player_total: u8) -> Option<u32> {
    match (side, player_total) {
        (Side::Banker, 0) => Some(113),
        (Side::Banker, 1) => Some(104),
        (Side::Banker, 2) => Some(47),
        (Side::Banker, 3) => Some(28),
        (Side::Banker, 4) => Some(18),
        (Side::Player, 4) => Some(13),
        (Side::Player, 5) => Some(18),
        (Side::Player, 6) => Some(28),
        (Side::Player, 7) => Some(47),
        (Side::Player, 8) => Some(103),
        (Side::Player, 9) => Some(114),
        (_, _) => None,
    }
}

/// The offer that the rule book has for the hand ahead; nothing without one.
fn offer(window: Window, player: u8, banker: u8) -> Vec<(Bet, InsuranceRow)> {
    let side = match player.cmp(&banker) {
        std::cmp::Ordering::Greater => Side::Player,
        std::cmp::Ordering::Less => Side::Banker,
        std::cmp::Ordering::Equal => return Vec::new(),
    };
    let (tenths, on_tie) = match window {
        Window::FourCards => (four_cards_pay(side, player.max(banker)), false),
        Window::FiveCards => {
            let tie_row = matches!((side, player), (Side::Banker, 0) | (Side::Player, 9));
            (five_cards_pay(side, player), tie_row)
        }
    };
    let row = tenths.map(|tenths| InsuranceRow { pays: Pays::new(tenths, 10).unwrap(), on_tie });
    row.map(|row| (Bet::Insurance(window, side), row)).into_iter().collect()
}

/// BAC-80, BAC-83: each window opens exactly in the states that the rule book lists.
#[test]
fn each_row_is_offered_in_its_states_and_in_no_other() {
    let rules = insured();
    let (mut fours, mut fives) = (0, 0);
    for player in 0..=9 {
        for banker in 0..=9 {
            let mut coup = four_cards(&rules, player, banker);
            let natural = player >= 8 || banker >= 8;
            let to_come = !natural && (player <= 5 || banker <= 5);
            let expected =
                if to_come { offer(Window::FourCards, player, banker) } else { Vec::new() };
            assert_eq!(coup.insurance_offered(), expected, "{player} {banker}");
            let open = coup.expects() == Expects::Insurance;
            assert_eq!(open, !expected.is_empty(), "{player} {banker}");
            fours += usize::from(open);
            if open {
                coup.timeout();
                assert_eq!(coup.insurance_offered(), [], "closed for good");
            }
            if side_due(&coup) == Some((Side::Player, 3)) {
                for third in 0..=9 {
                    fives += check_fifth(coup.clone(), third, player, banker);
                }
            }
        }
    }
    assert_eq!((fours, fives), (42, 241));
}

/// Draws the Player's third card and checks the second window; says whether it opened.
fn check_fifth(mut coup: Coup, third: u8, player: u8, banker: u8) -> usize {
    lay(&mut coup, cards(&rank_of(third))[0]);
    let total = (player + third) % 10;
    let mut passed = coup.clone();
    passed.timeout();
    let draws = side_due(&passed) == Some((Side::Banker, 3));
    let expected = if draws { offer(Window::FiveCards, total, banker) } else { Vec::new() };
    assert_eq!(coup.insurance_offered(), expected, "{player}+{third} {banker}");
    assert_eq!(coup.expects() == Expects::Insurance, !expected.is_empty());
    expected.len()
}

/// BAC-80: nothing is offered where the rule set has insurance switched off.
#[test]
fn no_window_opens_where_insurance_is_off() {
    for name in crate::PRESETS {
        let rules = preset(name);
        assert!(!rules.insurance);
        let coup = crate::deal(Coup::new(rules.clone()), "K 7 K K");
        assert_eq!(side_due(&coup), Some((Side::Player, 3)), "{name}");
        assert!(!rules.layout().any(Bet::is_insurance), "{name}");
    }
}

/// BAC-84: while a holder alone knows the third card, no window is open.
#[test]
fn no_window_opens_before_the_card_is_open() {
    let rules = with("macau", |rules| rules.insurance = true);
    let mut coup = Coup::new(rules);
    coup.close(&Seating::default());
    for card in cards("K 7 K K") {
        assert_ne!(coup.expects(), Expects::Insurance);
        lay(&mut coup, card);
    }
    coup.open();
    assert_eq!(coup.insurance_offered(), [], "the Banker's cards are closed");
    coup.open();
    assert_eq!(coup.expects(), Expects::Insurance);
    coup.timeout();
    lay(&mut coup, cards("6")[0]);
    assert_eq!(coup.insurance_offered(), []);
    assert!(matches!(coup.expects(), Expects::Open { .. }));
}

/// BAC-81.
#[test]
fn insurance_is_for_main_bets_on_the_hand_ahead_once_and_up_to_their_stake() {
    let mut coup = four_cards(&insured(), 0, 7);
    let (banker, player) = (Owner(2), Owner(1));
    let bet = |side| Bet::Insurance(Window::FourCards, side);
    let say = |coup: &Coup, owner, on, stake| {
        coup.verify_change(owner, &Change::place(on, chips(stake)), &limits())
    };
    let ahead = bet(Side::Banker);
    assert_eq!(say(&coup, banker, ahead, 5_000), Ok(()));
    assert_eq!(say(&coup, banker, ahead, 10), Ok(()));
    let step = chips(10);
    assert_eq!(say(&coup, banker, ahead, 5_010), Err(Refused::AboveMax { max: chips(5_000) }));
    assert_eq!(say(&coup, banker, ahead, 15), Err(Refused::Step { step }));
    assert_eq!(say(&coup, banker, ahead, 0), Err(Refused::BelowMin { min: step }));
    assert_eq!(say(&coup, player, ahead, 10), Err(Refused::MainBetRequired));
    for other in [bet(Side::Player), Bet::Insurance(Window::FiveCards, Side::Banker)] {
        assert_eq!(say(&coup, banker, other, 10), Err(Refused::UnknownPosition), "{other}");
    }
    coup.place(Wager { id: BetId(9), owner: banker, on: ahead, stake: step, carried_from: None });
    assert_eq!(say(&coup, banker, ahead, 10), Err(Refused::AboveMax { max: chips(0) }), "once");
    coup.timeout();
    assert_eq!(say(&coup, banker, ahead, 10), Err(Refused::UnknownPosition), "too late");
}

/// BAC-33: with insurance no other bet slips in after the close.
#[test]
fn insurance_is_bought_alone() {
    let coup = four_cards(&insured(), 0, 7);
    let mut change = Change::place(Bet::Insurance(Window::FourCards, Side::Banker), chips(1_000));
    assert_eq!(coup.verify_change(Owner(2), &change, &limits()), Ok(()));
    let alone = change.clone();
    change.plus.insert(Bet::Tie, chips(1_000));
    let refused = coup.verify_change(Owner(2), &change, &limits());
    assert_eq!(refused, Err(Refused::UnknownPosition));
    change = alone;
    change.minus.insert(Bet::Banker, chips(1_000));
    let refused = coup.verify_change(Owner(2), &change, &limits());
    assert_eq!(refused, Err(Refused::UnknownPosition));
}

/// Insures the hand ahead in this window with 1000, then deals on.
fn settled(window: Window, side: Side, text: &str) -> (Ending, u64) {
    let mut coup = Coup::new(insured());
    place_all(&mut coup, &[(Bet::Player, 5_000), (Bet::Banker, 5_000)]);
    coup.close(&Seating::default());
    let on = Bet::Insurance(window, side);
    let mut cards = cards(text).into_iter();
    while coup.expects() != Expects::Declaration {
        if coup.expects() != Expects::Insurance {
            lay(&mut coup, cards.next().unwrap());
            continue;
        }
        if coup.insurance_offered().iter().any(|(offered, _)| *offered == on) {
            let (id, owner, stake) = (BetId(9), Owner(2), chips(1_000));
            coup.place(Wager { id, owner, on, stake, carried_from: None });
        }
        coup.timeout();
    }
    assert_eq!(cards.next(), None, "{text}");
    let payouts = coup.settlement().unwrap().payouts;
    // The main bets are as without insurance.
    let main = crate::settled(&insured(), &[(Bet::Player, 5_000), (Bet::Banker, 5_000)], text);
    let endings = |payouts: &[games::Payout<Bet>]| [payouts[0].ending, payouts[1].ending];
    assert_eq!(endings(&payouts), endings(&main), "{text}");
    let insurance = payouts.last().unwrap();
    assert_eq!(insurance.wager.on, on, "{text} was never offered {on}");
    (insurance.ending, returned(insurance))
}

/// BAC-82.
#[test]
fn insurance_pays_when_the_insured_hand_loses_and_returns_on_a_tie() {
    use Side::{Banker, Player};
    use Window::{FiveCards, FourCards};
    let cases = [
        // Banker seven, Player nothing: Player draws eight, seven, six; the Banker stands.
        (FourCards, Banker, "K 7 K K 8", Ending::Won, 5_700),
        (FourCards, Banker, "K 7 K K 7", Ending::Pushed, 1_000),
        (FourCards, Banker, "K 7 K K 6", Ending::Lost, 0),
        // Player seven stands, the Banker's five draws.
        (FourCards, Player, "7 5 K K 4", Ending::Won, 5_700),
        (FourCards, Player, "7 5 K K 2", Ending::Pushed, 1_000),
        (FourCards, Player, "7 5 K K A", Ending::Lost, 0),
        // Player one after three cards, Banker two draws.
        (FiveCards, Banker, "K 2 K K A 8", Ending::Won, 11_400),
        (FiveCards, Banker, "K 2 K K A 9", Ending::Pushed, 1_000),
        (FiveCards, Banker, "K 2 K K A 3", Ending::Lost, 0),
        // Tie rows: Player nothing, then Player nine.
        (FiveCards, Banker, "K 2 K K K 8", Ending::Won, 12_300),
        (FiveCards, Banker, "K 2 K K K 7", Ending::Lost, 0),
        (FiveCards, Player, "K 3 K K 9 6", Ending::Won, 12_400),
        (FiveCards, Player, "K 3 K K 9 5", Ending::Lost, 0),
    ];
    for (window, side, text, ending, back) in cases {
        assert_eq!(settled(window, side, text), (ending, back), "{text}");
    }
}

/// BAC-80: insurance that could not be bought comes to nothing.
#[test]
fn windows_that_never_opened_have_no_result() {
    let rules = insured();
    let four = Bet::Insurance(Window::FourCards, Side::Banker);
    let five = Bet::Insurance(Window::FiveCards, Side::Banker);
    let came_to = |text: &str, bet| crate::dealt(&rules, text).came_to(bet);
    // Seven against six: both stand, no card was to come.
    assert_eq!(came_to("6 7 K K", four), None);
    assert_eq!(came_to("K 9 K K", four), None);
    assert_eq!(came_to("K 7 K K 6", four), Some(CameTo::Lost));
    assert_eq!(came_to("K 7 K K A", five), None, "the Banker stood");
    assert_eq!(came_to("K 2 K K A 3", five), Some(CameTo::Lost));
    assert_eq!(came_to("K 2 K K A 3", four), None, "no row for a Banker two");
}

/// BAC-81: a stake that was insured cannot be taken back with the card it rests on.
#[test]
fn a_bought_insurance_holds_the_cards() {
    let mut coup = four_cards(&insured(), 0, 7);
    assert!(coup.correctable().is_some());
    let (id, owner, stake) = (BetId(9), Owner(2), chips(1_000));
    let on = Bet::Insurance(Window::FourCards, Side::Banker);
    coup.place(Wager { id, owner, on, stake, carried_from: None });
    assert_eq!(coup.correctable(), None);
    let mut passed = four_cards(&insured(), 0, 7);
    passed.timeout();
    assert_eq!(passed.correctable(), None);
}
