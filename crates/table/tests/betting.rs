//! Betting: what may be bet where and how much, the window, the differential limit, seats and
//! holding rights (BAC-30 to BAC-47), and the vectors BAC-150, BAC-151.

mod script;

use games::baccarat::{Bet, Range};
use script::{Setup, check, chips};
use table::{layout, mine_view, totals_view};

/// BAC-30, BAC-31: what each preset offers, and nothing else.
#[test]
fn bac_30_each_preset_offers_its_bets() {
    let main = ["player", "banker", "tie"];
    let pairs = ["player-pair", "banker-pair"];
    let dragons = ["player-dragon", "banker-dragon"];
    let egalite: Vec<String> = (0..=9).map(|total| format!("egalite:{total}")).collect();
    let egalite: Vec<&str> = egalite.iter().map(String::as_str).collect();
    let extra = ["either-pair", "perfect-pair", "perfect-pair-flat", "big", "small", "super-six"];
    let offers: [(&str, Vec<&str>); 7] = [
        ("macau", [&main[..], &pairs].concat()),
        ("macau-sjm", [&main[..], &pairs].concat()),
        ("live", main.to_vec()),
        ("chemin", main.to_vec()),
        ("no-commission", [&main[..], &pairs, &["lucky-six"], &dragons].concat()),
        ("ez", [&main[..], &["dragon-seven", "panda-eight"]].concat()),
        ("extra", [&main[..], &["lucky-six"], &dragons, &extra, &egalite].concat()),
    ];
    for (preset, offered) in offers {
        let mut played = check(Setup::dealer(preset), "ready\nround");
        if preset == "chemin" {
            played.run("1 sit 1");
        }
        let zones: Vec<String> = layout(&played.table).iter().map(|z| z.on.to_string()).collect();
        for bet in Bet::all() {
            let may = offered.contains(&bet.to_string().as_str());
            assert_eq!(may, zones.contains(&bet.to_string()), "{preset}: {bet}");
            let main = if bet.is_side_bet() { "1 bet player 10.00\n" } else { "" };
            let refused = if may { "" } else { " -> UNKNOWN_POSITION" };
            let nothing = if may || bet.is_side_bet() { "" } else { " -> ILLEGAL_ACTION" };
            played.run(&format!("{main}1 bet {bet} 10.00{refused}\n1 cancel-all{nothing}"));
        }
    }
}

/// BAC-31: a `live` position holds all three.
#[test]
fn bac_31_all_three_at_once() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         1 bet banker 20.00
         1 bet tie 5.00
         coup 9 5 K 3
         money 1 9985.00",
    );
}

/// BAC-32.
#[test]
fn bac_32_one_side_only() {
    check(
        Setup::dealer("no-commission"),
        "ready
         round
         1 bet banker 10.00
         1 bet player 10.00 -> BANKER_PLAYER_EXCLUSIVE
         1 bet tie 1.00
         1 bet player-pair 1.00
         2 bet player 10.00
         2 bet banker 10.00 -> BANKER_PLAYER_EXCLUSIVE
         1 bet banker 10.00
         1 move #1 player -> BANKER_PLAYER_EXCLUSIVE
         1 cancel #5
         1 move #1 player
         = #1 1 to player",
    );
}

/// BAC-33, OPS-13, OPS-32: the stamp decides;
/// after the close nothing is added, raised or taken off.
#[test]
fn bac_33_the_window_closes_before_the_first_card() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 20.00
         later 19.999
         1 bet player 10.00
         = #2 1 player 10.00
         dealer card 9H -> CARD_NOT_DUE
         dealer burn -> CARD_NOT_DUE
         dealer white-card -> CARD_NOT_DUE
         later 0.001
         1 bet player 10.00 -> BET_CLOSED
         1 cancel #1 -> BET_CLOSED
         1 lower #1 10.00 -> BET_CLOSED
         1 move #1 banker -> BET_CLOSED
         1 undo -> BET_CLOSED
         1 cancel-all -> BET_CLOSED
         1 double -> BET_CLOSED
         1 repeat -> BET_CLOSED
         tick
         = bets-closed by the house
         tick
         dealer close-bets -> NOT_DUE
         1 bet player 10.00 -> BET_CLOSED
         1 cancel-all -> BET_CLOSED
         deal 9 5 K 3
         1 bet player 10.00 -> BET_CLOSED
         dealer declare
         money 1 10030.00",
    );
}

/// BAC-34, BAC-35: limits by player, for each kind of bet, and for the zone.
#[test]
fn bac_35_limits() {
    let setup = Setup::dealer("macau").rules("banker_multiple_of_min = false").limits(|limits| {
        limits.main = Range { min: chips("10.00"), max: chips("50.00") };
        limits.tie = Range { min: chips("2.00"), max: chips("5.00") };
        limits.side = Range { min: chips("3.00"), max: chips("6.00") };
        let own = Range { min: chips("4.00"), max: chips("4.00") };
        limits.own.insert(Bet::BankerPair, own);
        limits.zone_max = Some(chips("90.00"));
    });
    check(
        setup,
        "ready
         round
         1 bet player 9.90 -> BELOW_MIN min 10.00
         1 bet player 0.00 -> BELOW_MIN
         1 bet player 50.10 -> ABOVE_MAX max 50.00
         1 bet player 30.00
         # an increment may be below the minimum, the total may not pass the maximum (case 62)
         1 bet player 5.00
         1 bet player 15.10 -> ABOVE_MAX max 15.00
         1 bet player 15.00
         1 bet player 0.10 -> ABOVE_MAX max 0.00
         2 bet player 40.10 -> ZONE_FULL max 40.00
         2 bet player 40.00
         3 bet player 10.00 -> ZONE_FULL max 0.00
         1 bet tie 1.00 -> BELOW_MIN min 2.00
         1 bet tie 5.10 -> ABOVE_MAX max 5.00
         1 bet tie 5.00
         1 bet player-pair 2.90 -> BELOW_MIN min 3.00
         1 bet player-pair 6.10 -> ABOVE_MAX max 6.00
         1 bet banker-pair 3.00 -> BELOW_MIN min 4.00
         1 bet banker-pair 5.00 -> ABOVE_MAX max 4.00
         1 bet banker-pair 4.00
         1 bet player-pair 3.05 -> STEP step 0.10
         # huge amounts are no other case
         1 bet tie 90071992547409.91 -> ABOVE_MAX max 0.00
         layout 99.00",
    );
}

/// BAC-36, BAC-150: on Banker multiples of the minimum, on Player any step.
#[test]
fn bac_36_banker_is_a_multiple_of_the_minimum() {
    check(
        Setup::dealer("macau").main("100.00", "1000.00"),
        "ready
         round
         1 bet banker 150.00 -> BANKER_MULTIPLE step 100.00
         1 bet player 150.00
         1 bet banker 100.00
         1 bet banker 50.00 -> BANKER_MULTIPLE step 100.00
         1 bet banker 200.00
         1 lower #3 150.00 -> BANKER_MULTIPLE step 100.00
         1 lower #3 100.00
         1 move #1 banker -> BANKER_MULTIPLE step 100.00
         layout 350.00",
    );
}

/// BAC-150: stakes that could not be paid exactly.
#[test]
fn bac_150_a_stake_that_cannot_be_paid_exactly() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet banker 19.90 -> STEP step 0.20
         1 bet banker 20.00
         1 lower #1 19.90 -> STEP step 0.20",
    );
    let unit = |setup: Setup| setup.limits(|limits| limits.step = games_unit());
    check(
        unit(Setup::dealer("no-commission")),
        "ready
         round
         1 bet tie 1.05 -> STEP step 0.10
         1 bet player-pair 1.01 -> STEP step 0.10
         1 bet banker 10.01 -> STEP step 0.02
         1 bet lucky-six 1.01",
    );
}

fn games_unit() -> chips::Chips {
    chips("0.01")
}

/// BAC-37: pairs need a main bet and go with it.
#[test]
fn bac_37_pairs_need_a_main_bet() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player-pair 5.00 -> MAIN_BET_REQUIRED
         1 bet tie 5.00
         1 bet player-pair 5.00 -> MAIN_BET_REQUIRED
         2 bet player 20.00
         1 bet player-pair 5.00 -> MAIN_BET_REQUIRED
         1 bet player 20.00
         1 bet player-pair 5.00
         1 bet banker-pair 5.00
         1 bet banker 20.00
         1 cancel #3
         = #3 1 less 20.00 cancelled
         1 move #6 tie -> MAIN_BET_REQUIRED
         1 cancel #6
         = #6 1 less 20.00 cancelled
         = #4 1 less 5.00 main bet gone
         = #5 1 less 5.00 main bet gone
         money 1 9995.00
         layout 25.00",
    );
    // Where the rule set does not ask for it, they stand alone.
    check(Setup::dealer("no-commission"), "ready\nround\n1 bet player-pair 5.00");
}

/// BAC-38, OPS-94, OPS-95: cancel and repeat.
#[test]
fn bac_38_cancel_all_and_repeat() {
    let mut played = check(
        Setup::dealer("live"),
        "ready
         round
         1 cancel-all -> ILLEGAL_ACTION
         1 repeat -> ILLEGAL_ACTION
         1 bet player 10.00
         1 bet tie 5.00
         1 bet player 10.00
         2 bet player 10.00
         1 cancel-all
         = #1 1 less 10.00 cancelled
         = #2 1 less 5.00 cancelled
         = #3 1 less 10.00 cancelled
         money 1 10000.00
         layout 10.00
         1 bet player 20.00
         1 bet tie 5.00
         1 bet player 10.00
         coup 5 9 3 K
         1 repeat -> NOT_OPEN
         round
         1 repeat
         = #8 1 player 30.00
         = #9 1 tie 5.00
         1 repeat -> ILLEGAL_ACTION
         3 repeat -> ILLEGAL_ACTION
         coup 5 9 3 K",
    );
    // Once one bet stands, repeat is over for this coup.
    played.run(
        "round
         1 bet tie 1.00
         1 repeat -> ILLEGAL_ACTION
         coup 5 9 3 K
         round
         coup 5 9 3 K
         round
         1 repeat -> ILLEGAL_ACTION",
    );
    let who = played.player(1);
    assert!(mine_view(&played.table, who).repeat.is_empty());
}

/// BAC-38: after a void round it is that round's bets that are repeated.
#[test]
fn bac_38_a_void_round_may_be_repeated() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         2 bet player 10.00
         coup 5 9 3 K
         round
         1 bet banker 40.00
         pit void lamp
         round
         1 repeat
         = #4 1 banker 40.00
         2 repeat -> ILLEGAL_ACTION",
    );
}

/// BAC-39: all or nothing; case 59: nothing repeats by itself.
#[test]
fn bac_39_repeat_is_atomic() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         1 bet tie 5.00
         1 bet banker 9980.00 -> ABOVE_MAX
         coup 5 9 3 K
         money 1 9985.00
         round
         layout 0.00
         coup 5 9 3 K
         money 1 9985.00
         round
         1 repeat -> ILLEGAL_ACTION
         1 bet player 1000.00
         1 bet banker 1000.00
         coup 5 9 3 K
         round
         house main 10.00 20.00
         1 repeat
         coup 5 9 3 K
         round
         1 repeat -> ABOVE_MAX
         layout 0.00",
    );
}

/// BAC-40, BAC-41, BAC-151: the vector, in chips.
#[test]
fn bac_151_the_differential_limit() {
    let setup = Setup::dealer("macau")
        .rules("banker_multiple_of_min = false")
        .limits(|limits| limits.diff = Some(chips("100.00")));
    check(
        setup,
        "ready
         round
         1 bet banker 80.00
         2 bet banker 30.00 -> DIFF_LIMIT max 20.00
         3 bet player 50.00
         2 bet banker 70.00
         3 bet player 10.00
         3 cancel #4
         3 cancel #2
         layout 150.00
         dealer close-bets
         = #3 2 less 50.00 diff-trimmed
         = bets-closed
         layout 100.00
         money 1 9920.00
         money 2 9980.00",
    );
}

/// BAC-41: the maximum in the reply can be bet, with multiple, minimum and maximum kept.
#[test]
fn bac_41_the_reply_names_a_legal_maximum() {
    let setup = |diff: &str| {
        let diff = Some(chips(diff));
        Setup::dealer("macau").main("20.00", "100.00").limits(|limits| limits.diff = diff)
    };
    check(
        setup("70.00"),
        "ready
         round
         1 bet banker 80.00 -> DIFF_LIMIT max 60.00
         1 bet banker 60.00
         2 bet banker 20.00 -> DIFF_LIMIT max 0.00
         2 bet player 15.00 -> BELOW_MIN
         2 bet player 100.00
         2 bet player 40.00 -> ABOVE_MAX max 0.00
         3 bet player 50.00 -> DIFF_LIMIT max 30.00
         3 bet player 30.00",
    );
    check(
        setup("150.00"),
        "ready
         round
         1 bet player 100.00
         2 bet player 60.00 -> DIFF_LIMIT max 50.00
         1 move #1 banker
         2 bet banker 60.00 -> DIFF_LIMIT max 40.00",
    );
}

/// BAC-42: trims newest first, by legal amounts, whole below the minimum, with what hangs on them.
#[test]
fn bac_42_the_trim() {
    let setup = Setup::dealer("macau")
        .main("20.00", "1000.00")
        .limits(|limits| limits.diff = Some(chips("50.00")));
    check(
        setup.clone(),
        "ready
         round
         9 bet player 50.00
         1 bet banker 40.00
         2 bet banker 40.00
         1 bet banker 20.00
         2 bet banker-pair 5.00
         9 cancel #1
         # 100.00 against nothing is 50.00 too many: newest first, in multiples of 20.00
         dealer close-bets
         = #4 1 less 20.00 diff-trimmed
         = #3 2 less 40.00 diff-trimmed
         = #5 2 less 5.00 diff-trimmed
         = bets-closed
         layout 40.00",
    );
    // A rest below the minimum goes whole.
    check(
        setup.clone(),
        "ready
         round
         9 bet banker 20.00
         1 bet player 70.00
         2 bet player 20.00 -> DIFF_LIMIT max 0.00
         9 cancel #1
         dealer close-bets
         = #2 1 less 20.00 diff-trimmed
         = bets-closed",
    );
    check(
        setup,
        "ready
         round
         9 bet banker 40.00
         1 bet player 60.00
         2 bet player 25.00
         9 cancel #1
         dealer close-bets
         = #3 2 less 25.00 diff-trimmed
         = #2 1 less 10.00 diff-trimmed
         = bets-closed",
    );
}

/// BAC-42: a trim that would leave the other side too heavy goes on there.
#[test]
fn bac_42_a_trim_by_multiples_may_turn_the_scales() {
    let setup = Setup::dealer("macau")
        .main("100.00", "1000.00")
        .limits(|limits| limits.diff = Some(chips("30.00")));
    check(
        setup,
        "ready
         round
         1 bet banker 100.00 -> DIFF_LIMIT max 0.00
         2 bet player 100.00 -> DIFF_LIMIT max 0.00
         house diff 100.00
         coup 9 5 K 3
         round
         1 bet banker 100.00
         2 bet player 150.00
         3 bet banker 100.00
         2 cancel #2
         dealer close-bets
         = #3 3 less 100.00 diff-trimmed
         = bets-closed
         layout 100.00",
    );
}

/// BAC-43: the dealer sees Banker, Player and the limit; totals, never names.
#[test]
fn bac_43_the_dealer_sees_the_differential() {
    let played = check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet banker 80.00
         2 bet player 30.00
         3 bet player 20.00
         3 bet player 20.00",
    );
    let view = table::dealer_view(&played.table, played.dealing()).unwrap();
    assert_eq!((view.differential, view.diff_limit), (1_000, Some(chips("2000.00"))));
    let zones: Vec<String> =
        view.zones.iter().map(|z| format!("{} {} {}", z.on, z.stake, z.bettors)).collect();
    assert_eq!(zones, ["player 70.00 2", "banker 80.00 1"]);
    assert_eq!(totals_view(&played.table), view.zones);
    let text = serde_json::to_string(&view).unwrap();
    assert!(!text.contains("Player "), "no names: {text}");
}

/// BAC-44, OPS-75: boxes of seated players are theirs alone.
#[test]
fn bac_44_a_box_is_its_players() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 3
         round
         1 bet player 20.00 box 3
         1 bet player 20.00 box 4 -> NOT_YOUR_BOX
         2 bet player 20.00 box 3 -> NOT_YOUR_BOX
         2 bet player 20.00",
    );
}

/// BAC-45: the largest seated stake on each hand; of equals the one who reached it first.
#[test]
fn bac_45_the_largest_seated_player_holds() {
    let holders = |bets: &str, player: &str, banker: &str| {
        let sit = "ready\n1 sit 1\n2 sit 2\n3 sit 3\nround\n";
        check(
            Setup::dealer("macau"),
            &format!(
                "{sit}{bets}
                 dealer close-bets
                 deal 2 3 3 K
                 due open player{player}
                 {}
                 due open banker{banker}",
                if player.is_empty() {
                    "dealer open".into()
                } else {
                    format!("{} open", &player[4..])
                },
            ),
        );
    };
    // `deal` opens for the dealer, so with nobody holding the third card is due at once.
    check(
        Setup::dealer("macau"),
        "ready\n1 sit 1\nround\n2 bet player 100.00\ndealer close-bets\ndeal 2 3 3 K
         due player 3 face down or white card",
    );
    holders("1 bet player 20.00\n2 bet player 30.00\n1 bet banker 20.00", " by 2", " by 1");
    holders("1 bet player 20.00\n2 bet player 20.00\n2 bet banker 20.00", " by 1", " by 2");
    holders(
        "1 bet player 10.00\n2 bet player 20.00\n1 bet player 10.00\n3 bet banker 10.00",
        " by 2",
        " by 3",
    );
    // Standing players never hold, however much they bet.
    holders(
        "4 bet player 900.00\n1 bet player 20.00\n4 bet banker 90.00\n1 bet banker 10.00",
        " by 1",
        " by 1",
    );
    // Who lowered reached his stake later.
    holders(
        "1 bet player 30.00\n2 bet player 20.00\n1 lower #1 20.00\n1 bet banker 10.00",
        " by 2",
        " by 1",
    );
}

/// BAC-46: leaving, disconnecting or being away at the close: the dealer opens at once.
#[test]
fn bac_46_a_holder_who_leaves_holds_no_more() {
    let start = "ready\n1 sit 1\n2 sit 2\nround\n1 bet player 30.00\n2 bet player 20.00
                 2 bet banker 20.00\n";
    let played = |rest: &str| check(Setup::dealer("macau"), &format!("{start}{rest}"));
    played(
        "dealer close-bets
         deal 2 3 3 K
         due open player by 1
         house leave 1
         = left 1
         = opened player as the holder left
         due open banker by 2
         2 stand
         = stood-up 2 from 2
         = opened banker as the holder left
         due player 3 face down or white card",
    );
    played(
        "dealer close-bets
         house leave 1
         = left 1
         house arrive 1
         deal 2 3 3 K
         # back again, but the right is gone
         due open banker by 2",
    );
    played(
        "house leave 1
         dealer close-bets
         deal 2 3 3 K
         due open banker by 2",
    );
}

/// BAC-46: the time to look is limited; the third card comes after the first two lie open.
#[test]
fn bac_46_the_time_to_look_is_limited() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         2 sit 2
         round
         1 bet player 30.00
         2 bet banker 30.00
         dealer close-bets
         deal 2 3 3 K
         dealer card 9H -> CARD_NOT_DUE
         dealer open -> NOT_YOUR_TURN
         2 open -> NOT_YOUR_TURN
         phase decision
         wait 19.999
         due open player by 1
         wait 0.001
         = opened player on time
         due open banker by 2
         1 open -> NOT_YOUR_TURN
         wait 5
         2 open
         = opened banker by 2
         2 open -> NOT_DUE
         deal 9
         due open player by 1
         hands 23? 3K
         phase decision
         1 open
         hands 239 3K",
    );
}

/// BAC-47: the house may switch holding off.
#[test]
fn bac_47_holding_may_be_off() {
    check(
        Setup::dealer("macau").rules("holding = \"off\""),
        "ready\n1 sit 1\nround\n1 bet player 30.00\ndealer close-bets\ndeal 9 3 K
         hands ?? ?\n1 open -> NOT_DUE\ndeal 5\ndue declaration\nhands 9K 35",
    );
}
