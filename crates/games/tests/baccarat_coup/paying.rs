//! What bets come to (BAC-59 to BAC-77), the vectors of §15 and the known faults of payouts.

use chips::{Chips, Pays};
use games::baccarat::{Bet, PayoutExactness, Rules, Side, TiePolicy, Winner};
use games::{CameTo, Ending, Refused, Round, RuleSet};

use crate::{PRESETS, chips, deal, dealt, limits, place_all, preset, returned, settled, with};

/// A row of §15: cards, totals, winner, Lucky Six, pairs, dragon bet on Player and on Banker; a
/// dash is a lost bet.
type Row = (&'static str, u8, u8, char, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: [Row; 22] = [
    ("9 5 K 3",     9, 8, 'P', "-",  "-",     "1",      "-"),
    ("4 9 4 T",     8, 9, 'B', "-",  "PP",    "-",      "1"),
    ("8 8 K J",     8, 8, 'T', "-",  "-",     "return", "return"),
    ("6 5 K T 3",   6, 8, 'B', "-",  "-",     "-",      "-"),
    ("6 K K 6",     6, 6, 'T', "-",  "-",     "-",      "-"),
    ("2 3 3 K 8",   3, 3, 'T', "-",  "-",     "-",      "-"),
    ("5 4 K K A",   6, 4, 'P', "-",  "-",     "-",      "-"),
    ("5 4 K K 2 2", 7, 6, 'P', "-",  "-",     "-",      "-"),
    ("5 A K 4 3",   8, 5, 'P', "-",  "-",     "-",      "-"),
    ("5 A K 4 4 8", 9, 3, 'P', "-",  "-",     "3",      "-"),
    ("K 2 5 4 5",   0, 6, 'B', "15", "-",     "-",      "3"),
    ("K 2 5 4 6 K", 1, 6, 'B', "22", "-",     "-",      "2"),
    ("5 7 K K 7",   2, 7, 'B', "-",  "-",     "-",      "2"),
    ("K 3 K K 9 7", 9, 0, 'P', "-",  "PP",    "30",     "-"),
    ("K 6 2 K 6 4", 8, 0, 'P', "-",  "-",     "15",     "-"),
    ("K 5 7 K 5",   7, 0, 'P', "-",  "-",     "6",      "-"),
    ("K K 4 6 6 3", 0, 9, 'B', "-",  "-",     "-",      "30"),
    ("K 5 4 K 6 3", 0, 8, 'B', "-",  "-",     "-",      "15"),
    ("A K A K K 9", 2, 9, 'B', "-",  "PP BP", "-",      "6"),
    ("T 4 J 2 6 K", 6, 6, 'T', "-",  "-",     "-",      "-"),
    ("J K J 9",     0, 9, 'B', "-",  "PP",    "-",      "1"),
    ("K K K K K K", 0, 0, 'T', "-",  "PP BP", "-",      "-"),
];

fn came_to(text: &str) -> CameTo {
    match text {
        "-" => CameTo::Lost,
        "return" => CameTo::Pushed,
        to_one => {
            let pays = format!("{to_one} to 1").parse().unwrap();
            CameTo::Won { pays, commission: false }
        }
    }
}

#[test]
fn the_vectors_of_the_rule_book_come_out_as_printed() {
    for (text, player, banker, winner, lucky, pairs, player_dragon, banker_dragon) in ROWS {
        let coup = dealt(&preset("no-commission"), text);
        let outcome = coup.outcome().unwrap();
        let letter = match outcome.winner {
            Winner::Player => 'P',
            Winner::Banker => 'B',
            Winner::Tie => 'T',
        };
        let got = (outcome.player_total, outcome.banker_total, letter);
        assert_eq!(got, (player, banker, winner), "{text}");
        let pair = |side: &str| {
            let pays = Pays::new(121, 10).unwrap();
            let won = pairs.split(' ').any(|word| word == side);
            if won { CameTo::Won { pays, commission: false } } else { CameTo::Lost }
        };
        let expected = [
            (Bet::LuckySix, came_to(lucky)),
            (Bet::PlayerPair, pair("PP")),
            (Bet::BankerPair, pair("BP")),
            (Bet::PlayerDragon, came_to(player_dragon)),
            (Bet::BankerDragon, came_to(banker_dragon)),
        ];
        for (bet, expected) in expected {
            assert_eq!(coup.came_to(bet), Some(expected), "{text}: {bet}");
        }
    }
}

/// §15: the same cards make the same coup at every preset.
#[test]
fn every_preset_deals_the_vectors_alike() {
    for (text, ..) in ROWS {
        let outcome = dealt(&preset("live"), text).outcome();
        for name in PRESETS {
            assert_eq!(dealt(&preset(name), text).outcome(), outcome, "{name} {text}");
        }
    }
}

/// BAC-150, and §8: winnings and commission of single bets.
#[test]
fn money_of_single_bets_is_as_in_the_rule_book() {
    let (banker, six, tie) = ("5 7 K K 7", "K 2 5 4 5", "6 K K 6");
    let cases = [
        ("macau", Bet::Banker, 2_000, banker, 1_900 + 100, 100),
        ("macau", Bet::Banker, 20, banker, 20, 1),
        ("macau", Bet::Player, 1, "9 5 K 3", 1, 0),
        ("macau", Bet::Tie, 100, tie, 800, 0),
        ("macau", Bet::PlayerPair, 1, "4 9 4 T", 11, 0),
        ("macau", Bet::BankerPair, 1, "A K A K K 9", 11, 0),
        ("live", Bet::Banker, 2_000, six, 2_000, 100),
        ("no-commission", Bet::Banker, 2_000, six, 1_000, 0),
        ("no-commission", Bet::Banker, 2_000, "K 2 5 4 6 K", 1_000, 0),
        ("no-commission", Bet::Banker, 2_000, banker, 2_000, 0),
        ("no-commission", Bet::Tie, 100, tie, 930, 0),
        ("no-commission", Bet::PlayerPair, 100, "4 9 4 T", 1_210, 0),
        ("no-commission", Bet::LuckySix, 100, six, 1_500, 0),
        ("no-commission", Bet::LuckySix, 100, "K 2 5 4 6 K", 2_200, 0),
        ("chemin", Bet::Tie, 100, tie, 800, 0),
        ("ez", Bet::DragonSeven, 100, "K 2 5 2 6 3", 4_000, 0),
        ("ez", Bet::PandaEight, 100, "K 6 2 K 6 4", 2_500, 0),
        ("extra", Bet::SuperSix, 100, six, 1_200, 0),
        ("extra", Bet::Egalite(6), 100, tie, 4_500, 0),
        ("extra", Bet::Small, 100, tie, 150, 0),
        ("extra", Bet::Big, 100, banker, 54, 0),
    ];
    for (name, bet, stake, text, winnings, commission) in cases {
        let [payout] = settled(&preset(name), &[(bet, stake)], text)[..] else { panic!() };
        let got = (payout.ending, payout.winnings.minor(), payout.commission.minor());
        assert_eq!(got, (Ending::Won, winnings, commission), "{name} {bet} {text}");
    }
}

/// BAC-64: losing bets are collected in full.
#[test]
fn lost_bets_lose_all_and_pay_nothing() {
    for name in PRESETS {
        let rules = preset(name);
        let bets: Vec<(Bet, u64)> = rules.layout().map(|bet| (bet, 1_000)).collect();
        for (text, ..) in ROWS {
            for payout in settled(&rules, &bets, text) {
                let won = payout.ending == Ending::Won;
                assert_eq!(won, !payout.winnings.is_zero(), "{name} {text}");
                assert!(won || payout.commission.is_zero(), "{name} {text}");
                let banker = payout.wager.on == Bet::Banker;
                let kept = banker && rules.commission_pct > 0 && won;
                assert_eq!(kept, !payout.commission.is_zero(), "{name} {text}");
            }
        }
    }
}

/// BAC-65, BAC-70: no stake on a step leaves a fraction, whatever comes.
#[test]
fn stakes_on_the_exact_step_are_paid_to_the_last_unit() {
    for name in PRESETS {
        let rules = preset(name);
        for bet in rules.layout() {
            let step = rules.exact_step(bet).minor();
            for pays in rules.pays_of(bet) {
                for stake in [step, 3 * step, 7 * step, 1_000 * step] {
                    let commission = bet == Bet::Banker;
                    let (win, kept) = rules.winnings(chips(stake), pays, commission);
                    let of = |n: u64| n * u64::from(pays.stake());
                    assert_eq!(of(win.minor()), stake * u64::from(pays.win()), "{name} {bet}");
                    let percent = if commission { u64::from(rules.commission_pct) } else { 0 };
                    assert_eq!(kept.minor() * 100, win.minor() * percent, "{name} {bet}");
                }
            }
        }
    }
}

/// BAC-71: with coarse chips nothing is rounded up, neither winnings nor commission.
#[test]
fn rounding_keeps_the_breakage_in_the_house_and_commission_below_its_rate() {
    let coarse = |name: &str, unit: u64| {
        with(name, |rules| {
            rules.payout_exactness = PayoutExactness::RoundDown;
            rules.round_unit = chips(unit);
        })
    };
    let mut rounded = 0;
    for unit in [1, 5, 50, 100] {
        for rules in [coarse("macau", unit), coarse("no-commission", unit)] {
            for bet in rules.layout() {
                assert_eq!(rules.exact_step(bet), chips(1));
                for pays in rules.pays_of(bet) {
                    for stake in (1..2_000).step_by(13) {
                        let (win, kept) = rules.winnings(chips(stake), pays, bet == Bet::Banker);
                        let exact = stake * u64::from(pays.win());
                        let owed = win.minor() * u64::from(pays.stake());
                        assert!(owed <= exact && win.is_multiple_of(chips(unit)));
                        assert!(exact - owed < unit * u64::from(pays.stake()));
                        assert!(kept.minor() * 100 <= win.minor() * 5);
                        assert!(kept.is_multiple_of(chips(unit)));
                        rounded += u64::from(owed < exact);
                    }
                }
            }
        }
    }
    assert!(rounded > 1_000, "{rounded}");
    let (win, kept) = coarse("macau", 100).winnings(chips(2_010), Pays::EVEN, true);
    assert_eq!((win, kept), (chips(2_000), chips(100)));
    let (win, kept) = coarse("macau", 100).winnings(chips(1_990), Pays::EVEN, true);
    assert_eq!((win, kept), (chips(1_900), Chips::ZERO));
}

/// BAC-72: 9.3 and 12.1 in chips of one.
#[test]
fn a_stake_of_one_chip_wins_nine_chips_thirty() {
    let bets = [(Bet::Tie, 100), (Bet::PlayerPair, 100)];
    let won = |text| settled(&preset("no-commission"), &bets, text).iter().map(returned).sum();
    let (tie, pair): (u64, u64) = (won("6 K K 6"), won("4 9 4 T"));
    assert_eq!((tie, pair), (100 + 930, 100 + 1_210));
}

/// BAC-73: same rank, whatever suit or colour; J-Q and T-J are none.
#[test]
fn pairs_are_of_rank_and_of_the_first_two_cards() {
    let cases = [
        ("JC 2D JD 3C KS", true, false),
        ("JC 2D QD 3C KS", false, false),
        ("TC KD JD QD 5H 5C", false, false),
        ("9H 9S 9H 9D", true, true),
        ("KC KD KD KH 9S 9H", true, true),
        ("2C 4D 3D 3C 3S", false, false),
    ];
    for (text, player, banker) in cases {
        let coup = deal(games::baccarat::Coup::new(preset("live")), text);
        let pairs = Side::BOTH.map(|side| coup.hand(side).is_pair());
        assert_eq!(pairs, [player, banker], "{text}");
    }
    // Perfect pairs are of one suit as well.
    let coup = dealt(&preset("extra"), "9H 9S 9H 9D");
    let perfect = Side::BOTH.map(|side| coup.hand(side).is_perfect_pair());
    assert_eq!(perfect, [true, false]);
    let won = |to_one| Some(CameTo::Won { pays: Pays::new(to_one, 1).unwrap(), commission: false });
    assert_eq!(coup.came_to(Bet::PerfectPair), won(25));
    let both = dealt(&preset("extra"), "9H 9D 9H 9D");
    assert_eq!(both.came_to(Bet::PerfectPair), won(200));
    assert_eq!(both.came_to(Bet::PerfectPairFlat), won(25));
}

/// BAC-75: a tie of sixes loses.
#[test]
fn lucky_six_needs_a_winning_banker() {
    let lucky = |text| dealt(&preset("no-commission"), text).came_to(Bet::LuckySix).unwrap();
    assert_eq!(lucky("6 K K 6"), CameTo::Lost);
    assert_eq!(lucky("T 4 J 2 6 K"), CameTo::Lost);
    assert_eq!(lucky("7 6 K K"), CameTo::Lost);
    assert!(matches!(lucky("K 2 5 4 5"), CameTo::Won { .. }));
}

/// BAC-77: a natural earns one to one, whatever its margin.
#[test]
fn a_natural_earns_no_margin() {
    for (text, bet) in [("9 K K K", Bet::PlayerDragon), ("K 8 K K", Bet::BankerDragon)] {
        let won = CameTo::Won { pays: Pays::EVEN, commission: false };
        assert_eq!(dealt(&preset("no-commission"), text).came_to(bet), Some(won), "{text}");
    }
}

/// X-BAC-7: a natural tie of nines returns, and so does one of eights; a tie of one natural with
/// three cards cannot be.
#[test]
fn dragon_bets_come_back_on_natural_ties_alone() {
    let rules = preset("no-commission");
    for (text, ending) in [
        ("9 9 K K", Ending::Pushed),
        ("8 8 K K", Ending::Pushed),
        ("7 7 K K", Ending::Lost),
        ("K K K K 9 9", Ending::Lost),
    ] {
        let bets = [(Bet::PlayerDragon, 500), (Bet::BankerDragon, 500)];
        for payout in settled(&rules, &bets, text) {
            assert_eq!(payout.ending, ending, "{text} {}", payout.wager.on);
        }
    }
}

/// The three-card seven of `ez`: the Banker bet comes back, no other rule set's does.
#[test]
fn a_three_card_seven_pushes_the_banker_bet_where_it_should() {
    let text = "K 2 5 2 6 3";
    for name in PRESETS {
        let [payout] = settled(&preset(name), &[(Bet::Banker, 2_000)], text)[..] else { panic!() };
        let ending = if name == "ez" { Ending::Pushed } else { Ending::Won };
        assert_eq!(payout.ending, ending, "{name}");
    }
    let [payout] = settled(&preset("ez"), &[(Bet::Banker, 2_000)], "5 7 K K 7")[..] else {
        panic!()
    };
    assert_eq!(payout.ending, Ending::Won, "a two-card seven wins");
}

/// Case 1: a pair stays a pair when its hand draws.
#[test]
fn a_pair_is_paid_when_its_hand_takes_a_third_card() {
    let bets = [(Bet::PlayerPair, 10), (Bet::BankerPair, 10), (Bet::Banker, 100)];
    let payouts = settled(&preset("macau"), &bets, "K K K K 4 5");
    let back: Vec<u64> = payouts.iter().map(returned).collect();
    assert_eq!(back, [120, 120, 195]);
    assert_eq!(back.iter().sum::<u64>(), 435);
}

/// Case 3: the Banker's five draws against a standing seven.
#[test]
fn a_banker_five_draws_when_the_player_stood() {
    let coup = deal(games::baccarat::Coup::new(preset("macau")), "9 5 8 K");
    assert_eq!(crate::side_due(&coup), Some((Side::Banker, 3)));
    let outcome = deal(coup, "4").outcome().unwrap();
    assert_eq!((outcome.winner, outcome.banker_total), (Winner::Banker, 9));
}

/// Case 4: nothing of an earlier coup is left in a natural's record.
#[test]
fn no_third_card_is_left_over_from_the_coup_before() {
    let rules = preset("live");
    let before = dealt(&rules, "K 2 5 4 6 K");
    assert!(before.hand(Side::Player).third().is_some());
    let coup = dealt(&rules, "2 K 7 7");
    assert_eq!(Side::BOTH.map(|side| coup.hand(side).third()), [None, None]);
    assert_eq!(Side::BOTH.map(|side| coup.hand(side).len()), [2, 2]);
    let outcome = coup.outcome().unwrap();
    assert_eq!((outcome.player_total, outcome.banker_total), (9, 7));
}

/// Case 6: a push returns the stake, no more and no less.
#[test]
fn a_tie_returns_the_stake_where_it_is_not_carried() {
    for bet in [Bet::Player, Bet::Banker] {
        let [payout] = settled(&preset("live"), &[(bet, 100)], "7 7 K K")[..] else { panic!() };
        assert_eq!((payout.ending, returned(&payout)), (Ending::Pushed, 100), "{bet}");
        assert!(payout.winnings.is_zero() && payout.commission.is_zero());
    }
}

/// Case 7: every box that pushes is returned by itself.
#[test]
fn each_pushed_box_is_returned_separately() {
    let rules = with("no-commission", |rules| rules.allow_both_sides = true);
    let bets = [(Bet::Player, 10), (Bet::Banker, 20), (Bet::PlayerDragon, 5)];
    let payouts = settled(&rules, &bets, "8 8 K J");
    assert!(payouts.iter().all(|payout| payout.ending == Ending::Pushed));
    assert_eq!(payouts.iter().map(returned).sum::<u64>(), 35);
}

/// Case 9: the ratio that is printed is the ratio that is paid.
#[test]
fn what_is_printed_on_the_layout_is_what_is_paid() {
    let rules = preset("no-commission");
    let printed: Vec<String> = rules.pays_of(Bet::Banker).map(|pays| pays.to_string()).collect();
    assert_eq!(printed, ["1 to 1", "1 to 2"]);
    let [payout] = settled(&rules, &[(Bet::Banker, 100)], "K 2 5 4 5")[..] else { panic!() };
    assert_eq!(returned(&payout), 150);
    for name in PRESETS {
        let rules = preset(name);
        for (text, ..) in ROWS {
            let coup = dealt(&rules, text);
            for bet in rules.layout() {
                let Some(CameTo::Won { pays, .. }) = coup.came_to(bet) else { continue };
                assert!(rules.pays_of(bet).any(|printed| printed == pays), "{name} {bet} {text}");
            }
        }
    }
}

/// Case 10: "for 1" counts the stake, "to 1" does not, and a bare number is refused.
#[test]
fn odds_for_one_and_to_one_are_told_apart() {
    let path = format!("{}/../../rules/baccarat/macau.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let with = |pays: &str| RuleSet::parse_with(&text, &toml::from_str(pays).unwrap());
    let rules = with("pays = { tie = \"9 for 1\", player = \"2 for 1\" }").unwrap();
    let rules = rules.baccarat();
    let [payout] = settled(rules, &[(Bet::Tie, 100)], "7 7 K K")[..] else { panic!() };
    assert_eq!(payout.winnings, chips(800));
    for wrong in ["9", "9:1", "1.95 for 1", "1 for 1", "0 to 1"] {
        assert!(with(&format!("pays = {{ tie = \"{wrong}\" }}")).is_err(), "{wrong}");
    }
}

/// Case 12: a natural of the Player ends the coup before the Banker's five may draw.
#[test]
fn a_player_natural_leaves_the_next_card_in_the_shoe() {
    let coup = dealt(&preset("live"), "8 2 K 3");
    let outcome = coup.outcome().unwrap();
    let got = (outcome.winner, outcome.player_total, outcome.banker_total);
    assert_eq!(got, (Winner::Player, 8, 5));
    assert!(coup.verify_draw(games::Draw::Card(crate::cards("4")[0])).is_err());
}

/// BAC-59 to BAC-63: what a tie does to each bet under each policy.
#[test]
fn a_tie_carries_main_bets_only_and_only_where_the_rule_set_says_so() {
    let policies = [
        (TiePolicy::Free, false, Ending::Carried),
        (TiePolicy::AddOnly, false, Ending::Carried),
        (TiePolicy::Return, false, Ending::Pushed),
        (TiePolicy::Free, true, Ending::Pushed),
        (TiePolicy::AddOnly, true, Ending::Pushed),
    ];
    for (policy, individual, ending) in policies {
        let rules = with("no-commission", |rules: &mut Rules| {
            rules.tie_policy = policy;
            rules.individual_commit = individual;
            rules.insurance = true;
        });
        let bets: Vec<(Bet, u64)> =
            rules.layout().filter(|bet| !bet.is_insurance()).map(|bet| (bet, 1_000)).collect();
        for payout in settled(&rules, &bets, "9 9 K K") {
            let on = payout.wager.on;
            let main = on.main_side().is_some();
            assert_eq!(payout.ending == ending, main || on_push(on, ending), "{on}");
            assert!(main || payout.ending != Ending::Carried, "{on}");
        }
    }
}

/// Dragon bets come back on a natural tie, which is the same ending as a returned stake.
fn on_push(on: Bet, ending: Ending) -> bool {
    ending == Ending::Pushed && matches!(on, Bet::PlayerDragon | Bet::BankerDragon)
}

/// BAC-70: a stake that could not be paid exactly is refused where it is placed.
#[test]
fn stakes_between_two_steps_are_refused() {
    let rules = preset("live");
    let mut coup = games::baccarat::Coup::new(rules);
    place_all(&mut coup, &[(Bet::Player, 5_000)]);
    let change = games::baccarat::Change::place(Bet::Banker, chips(1_990));
    let refused = coup.verify_change(games::Owner(2), &change, &limits());
    assert_eq!(refused, Err(Refused::Step { step: chips(20) }));
}
