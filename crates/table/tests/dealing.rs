//! From the first card to the settlement: dealing and opening, ties and carried stakes, insurance,
//! the shoe-passing table (BAC-50 to BAC-65, BAC-80 to BAC-85, BAC-130 to BAC-134), and the money
//! of BAC-150.

mod script;

use games::Ending;
use script::{Setup, check, chips};
use table::{Event, mine_view, my_round, totals_view};

/// BAC-50, BAC-52: alternately, Player first; third cards one by one, the Player's first.
#[test]
fn bac_50_cards_alternate() {
    check(
        Setup::dealer("live"),
        "ready
         round
         dealer close-bets
         due player 1 or white card
         phase no-more-bets
         dealer card 2H
         phase dealing
         due banker 1 or white card
         dealer card 3H
         due player 2 or white card
         dealer card 3D
         due banker 2 or white card
         dealer declare -> NOT_DUE
         dealer card KH
         due player 3 or white card
         phase drawing
         dealer card 9H
         due banker 3 or white card
         hands 239 3K
         dealer card 5H
         due declaration
         phase declared
         dealer card 5H -> CARD_NOT_DUE
         dealer burn -> NOT_DUE
         dealer declare
         = settled banker 4-8
         phase settled
         dealer declare -> NOT_DUE",
    );
}

/// BAC-51: when which pair is opened, by `reveal`.
#[test]
fn bac_51_the_three_ways_to_open() {
    let with = |reveal: &str| Setup::dealer("macau").rules(&format!("reveal = \"{reveal}\""));
    check(
        with("player_first"),
        "ready\nround\ndealer close-bets
         dealer card 2H\ndealer card 3H\ndealer card 3D\ndealer card KH
         hands ?? ??
         dealer open
         = opened player
         hands 23 ??
         dealer open
         = opened banker
         hands 23 3K
         dealer card 9H
         = drawn 9H face down
         hands 23? 3K
         dealer declare -> NOT_DUE
         dealer open
         = opened player
         dealer card 5H
         due open banker
         dealer open
         due declaration",
    );
    check(
        with("simultaneous"),
        "ready\nround\ndealer close-bets\ndealer card 2H\ndealer card 3H\ndealer card 3D
         dealer card KH\nhands ?? ??\ndealer open\n= opened player banker\nhands 23 3K",
    );
    check(
        with("dealt_face_up").rules("holding = \"off\""),
        "ready\nround\ndealer close-bets\ndealer card 2H\n= drawn 2H\nhands 2\ndeal 3 3\nhands \
           23 3",
    );
}

/// BAC-53 to BAC-57 at the table: case 12, a natural ends the coup, the next card stays.
#[test]
fn bac_53_a_natural_ends_the_coup() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         dealer close-bets
         deal 8 2 K 3
         due declaration
         dealer card 4H -> CARD_NOT_DUE
         dealer declare
         = settled player 8-5; #1 1 player 10.00 won 10.00
         round
         1 bet banker 10.00
         dealer close-bets
         # cases 3: Banker 5 draws against a Player who stood
         deal 9 5 8 K
         due banker 3 or white card
         deal 4
         dealer declare
         = settled banker 7-9; #2 1 banker 10.00 won 10.00 less 0.50",
    );
}

/// The vectors of BAC §15: cards, totals, winner, Lucky Six, pairs, both dragons. They hold BAC-53
/// to BAC-57 and BAC-70 to BAC-77 at the table.
const VECTORS: [(&str, &str, &str, &str, &str, &str); 22] = [
    ("9 5 K 3", "player 9-8", "-", "--", "won 1.00", "lost"),
    ("4 9 4 T", "banker 8-9", "-", "P-", "lost", "won 1.00"),
    ("8 8 K J", "tie 8-8", "-", "--", "pushed", "pushed"),
    ("6 5 K T 3", "banker 6-8", "-", "--", "lost", "lost"),
    ("6 K K 6", "tie 6-6", "-", "--", "lost", "lost"),
    ("2 3 3 K 8", "tie 3-3", "-", "--", "lost", "lost"),
    ("5 4 K K A", "player 6-4", "-", "--", "lost", "lost"),
    ("5 4 K K 2 2", "player 7-6", "-", "--", "lost", "lost"),
    ("5 A K 4 3", "player 8-5", "-", "--", "lost", "lost"),
    ("5 A K 4 4 8", "player 9-3", "-", "--", "won 3.00", "lost"),
    ("K 2 5 4 5", "banker 0-6", "won 15.00", "--", "lost", "won 3.00"),
    ("K 2 5 4 6 K", "banker 1-6", "won 22.00", "--", "lost", "won 2.00"),
    ("5 7 K K 7", "banker 2-7", "-", "--", "lost", "won 2.00"),
    ("K 3 K K 9 7", "player 9-0", "-", "P-", "won 30.00", "lost"),
    ("K 6 2 K 6 4", "player 8-0", "-", "--", "won 15.00", "lost"),
    ("K 5 7 K 5", "player 7-0", "-", "--", "won 6.00", "lost"),
    ("K K 4 6 6 3", "banker 0-9", "-", "--", "lost", "won 30.00"),
    ("K 5 4 K 6 3", "banker 0-8", "-", "--", "lost", "won 15.00"),
    ("A K A K K 9", "banker 2-9", "-", "PB", "lost", "won 6.00"),
    ("T 4 J 2 6 K", "tie 6-6", "-", "--", "lost", "lost"),
    ("J K J 9", "banker 0-9", "-", "P-", "lost", "won 1.00"),
    ("K K K K K K", "tie 0-0", "-", "PB", "lost", "lost"),
];

#[test]
fn bac_15_the_vectors_at_the_table() {
    for (cards, came, lucky, pairs, player_dragon, banker_dragon) in VECTORS {
        let pair = |won: bool| if won { "won 12.10" } else { "lost" };
        let tie = if came.starts_with("tie") { "won 9.30" } else { "lost" };
        let lucky = if lucky == "-" { "lost" } else { lucky };
        let side = |winner: &str, won: &str| {
            let winner = came.starts_with(winner);
            let other = if came.starts_with("tie") { "pushed" } else { "lost" };
            if winner { format!("won {won}") } else { other.to_owned() }
        };
        let half = came == "banker 0-6" || came == "banker 1-6";
        let banker = side("banker", if half { "5.00" } else { "10.00" });
        let (player, p, b) = (side("player", "10.00"), pairs.contains('P'), pairs.contains('B'));
        check(
            Setup::dealer("no-commission"),
            &format!(
                "ready
                 round
                 1 bet player 10.00
                 2 bet banker 10.00
                 3 bet tie 1.00
                 3 bet player-pair 1.00
                 3 bet banker-pair 1.00
                 3 bet lucky-six 1.00
                 3 bet player-dragon 1.00
                 3 bet banker-dragon 1.00
                 dealer close-bets
                 deal {cards}
                 dealer declare
                 = settled {came}; #1 1 player 10.00 {player}; #2 2 banker 10.00 {banker}; \
                   #3 3 tie 1.00 {tie}; #4 3 player-pair 1.00 {}; #5 3 banker-pair 1.00 {}; \
                   #6 3 lucky-six 1.00 {lucky}; #7 3 player-dragon 1.00 {player_dragon}; \
                   #8 3 banker-dragon 1.00 {banker_dragon}",
                pair(p),
                pair(b),
            ),
        );
    }
}

/// BAC-58: nothing is settled before the result is declared; the result stays on the table.
#[test]
fn bac_58_the_declaration_settles() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         dealer close-bets
         deal 9 5 K 3
         money 1 9990.00
         dealer declare
         money 1 10010.00
         float -10.00
         layout 0.00
         dealer open-round -> NOT_DUE
         later 2.999
         dealer open-round -> NOT_DUE
         later 0.001
         dealer open-round",
    );
}

/// BAC-59, case 6, case 7: on a tie every stake on Player and Banker is returned, each for itself.
#[test]
fn bac_59_a_tie_returns() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00
         1 bet banker 20.00
         1 bet tie 5.00
         coup 8 8 K J
         = bets-closed
         = drawn 8S
         = drawn 8H
         = drawn KS
         = drawn JS
         = settled tie 8-8; #1 1 player 10.00 pushed; #2 1 banker 20.00 pushed; \
            #3 1 tie 5.00 won 40.00
         money 1 10040.00
         float -40.00
         layout 0.00",
    );
    check(
        Setup::dealer("no-commission"),
        "ready
         round
         1 bet player 10.00
         1 bet player-dragon 5.00
         2 bet banker 20.00
         coup 8 8 K J
         money 1 10000.00
         money 2 10000.00
         float 0.00",
    );
}

/// BAC-60: under `free` the stakes stay, and may be withdrawn, kept, raised, lowered or moved.
#[test]
fn bac_60_carried_stakes_are_free() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 30.00
         2 bet banker 20.00
         3 bet player 20.00
         4 bet player 20.00
         5 bet player 20.00
         3 bet player-pair 5.00
         coup 8 8 K J
         layout 110.00
         money 1 9970.00
         money 3 9975.00
         5 cancel #5 -> NOT_OPEN",
    );
    let waiting: Vec<String> =
        totals_view(&played.table).iter().map(|z| format!("{} {}", z.on, z.stake)).collect();
    assert_eq!(waiting, ["player 90.00", "banker 20.00"], "they stay on the layout");
    let who = played.player(1);
    let mine = mine_view(&played.table, who);
    assert!(mine.bets.len() == 1 && mine.bets[0].carried && mine.at_stake == chips("30.00"));
    played.run(
        "round
         = round 2 carried #1 as #7 carried #2 as #8 carried #3 as #9 carried #4 as #10 carried \
            #5 as #11
         layout 110.00
         money 1 9970.00
         1 lower #7 5.00 -> BELOW_MIN
         1 lower #7 10.00
         2 bet banker 20.00
         3 move #9 tie -> MAIN_BET_REQUIRED
         3 move #9 banker
         4 cancel #10
         = #10 4 less 20.00 cancelled
         money 4 10000.00
         coup 9 5 K 3
         = bets-closed
         = drawn 9S face down
         = drawn 5S face down
         = drawn KH face down
         = drawn 3S face down
         = opened player
         = opened banker
         = settled player 9-8; #7 1 player 10.00 won 10.00; #8 2 banker 20.00 lost; \
            #9 3 banker 20.00 lost; #11 5 player 20.00 won 20.00; #12 2 banker 20.00 lost
         money 1 10010.00
         money 2 9960.00
         money 5 10020.00
         layout 0.00",
    );
}

/// BAC-61: under `add_only` they may be raised and nothing else.
#[test]
fn bac_61_add_only_raises() {
    check(
        Setup::dealer("macau-sjm"),
        "ready
         round
         1 bet player 30.00
         1 bet player-pair 5.00
         2 bet banker 20.00
         coup 8 8 K J
         round
         = round 2 carried #1 as #4 carried #3 as #5
         1 cancel #4 -> CARRY_LOCKED
         1 lower #4 10.00 -> CARRY_LOCKED
         1 move #4 banker -> CARRY_LOCKED
         1 undo -> ILLEGAL_ACTION
         1 cancel-all -> CARRY_LOCKED
         1 bet player 10.00
         1 cancel-all
         = #6 1 less 10.00 cancelled
         1 bet player 10.00
         1 lower #4 5.00 -> CARRY_LOCKED
         1 undo
         = #7 1 less 10.00 cancelled
         2 bet banker 10.00
         coup 5 9 3 K
         money 1 9965.00
         money 2 10028.50",
    );
}

/// BAC-62: absent owners at the close: `free` gives back, `add_only` plays.
#[test]
fn bac_62_the_stakes_of_who_is_away() {
    let tie = "ready
         round
         1 bet player 30.00
         1 bet player 20.00
         2 bet player 20.00
         coup 8 8 K J
         round
         1 bet player 10.00
         1 bet player-pair 5.00
         house leave 1
         layout 85.00
         dealer close-bets\n";
    check(
        Setup::dealer("macau"),
        &format!(
            "{tie}
             = #4 1 less 30.00 carry-absent
             = #5 1 less 20.00 carry-absent
             = bets-closed
             layout 35.00
             money 1 9985.00"
        ),
    );
    check(
        Setup::dealer("macau-sjm"),
        &format!(
            "{tie}\n= bets-closed\nlayout 85.00\ndeal 9 5 K 3\ndealer declare\nmoney 1 10055.00"
        ),
    );
    // Increments below the minimum are carried together and go together.
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 10.00
         1 bet player 5.00
         1 bet player 5.00
         coup 8 8 K J
         round
         house leave 1
         dealer close-bets
         = #4 1 less 10.00 carry-absent
         = #5 1 less 5.00 carry-absent
         = #6 1 less 5.00 carry-absent
         = bets-closed
         money 1 10000.00",
    );
    // What is left below the minimum goes too, and pairs without a main bet.
    check(
        Setup::dealer("macau").main("20.00", "1000.00"),
        "ready
         round
         1 bet player 30.00
         coup 8 8 K J
         round
         1 bet player 10.00
         1 bet player-pair 5.00
         house leave 1
         dealer close-bets
         = #2 1 less 30.00 carry-absent
         = #3 1 less 10.00 carry-absent
         = #4 1 less 5.00 carry-absent
         = bets-closed
         money 1 10000.00",
    );
}

/// BAC-62: at the close absent owners come first, then the trim, then the holders.
#[test]
fn bac_62_the_order_at_the_close() {
    check(
        Setup::dealer("macau").limits(|limits| limits.diff = Some(chips("50.00"))),
        "ready
         1 sit 1
         2 sit 2
         round
         1 bet banker 40.00
         2 bet player 40.00
         2 bet player 30.00
         dealer close-bets
         deal 8 8 K J
         due open player by 2
         2 open
         1 open
         dealer declare
         round
         house leave 1
         dealer close-bets
         = #4 1 less 40.00 carry-absent
         = #6 2 less 20.00 diff-trimmed
         = bets-closed
         deal 8 8 K J
         due open player by 2
         2 open
         due open banker
         dealer open
         due declaration",
    );
}

/// BAC-62: the end of the shoe, of the table, a void round, `individual_commit`.
#[test]
fn bac_62_where_a_carry_ends() {
    // The shoe: free returns, add_only goes on in the next shoe, past its demonstrations.
    let last =
        "ready\nround\n1 bet player 30.00\ndealer close-bets\ndeal W 8 8 K J\ndealer declare";
    check(
        Setup::dealer("macau"),
        &format!(
            "{last}
             = settled tie 8-8; #1 1 player 30.00 carried
             = carried returned #1 1 player 30.00 carry-ended
             = shoe-ended 1 white-card
             money 1 10000.00"
        ),
    );
    check(
        Setup::dealer("macau-sjm"),
        &format!(
            "{last}
             = settled tie 8-8; #1 1 player 30.00 carried
             = shoe-ended 1 white-card
             layout 30.00
             wait 3
             ready
             dealer demonstration
             layout 30.00
             deal 9 5 K 3
             dealer declare
             round
             = round 3 carried #1 as #2
             coup 9 5 K 3
             money 1 10030.00"
        ),
    );
    let tie = "ready\nround\n1 bet player 30.00\ncoup 8 8 K J";
    for (preset, change) in [("macau", true), ("macau-sjm", false)] {
        let back = "= carried returned #1 1 player 30.00 carry-ended\n";
        let returned = if change { back } else { "" };
        check(
            Setup::dealer(preset),
            &format!("{tie}\ndealer change-shoe\n{returned}= shoe-ended 1 house-change"),
        );
        check(
            Setup::dealer(preset),
            &format!(
                "{tie}\ndealer close-table\n{back}= shoe-ended 1 table-closed\n= table-closed"
            ),
        );
        check(
            Setup::dealer(preset),
            "ready\nround\n1 bet player 30.00\ndealer close-table\n= closing\ncoup 8 8 K J
                 money 1 10000.00\nphase closed",
        );
        check(
            Setup::dealer(preset),
            &format!(
                "{tie}\nround\n1 bet player 10.00\npit void lamp
                 = voided by the pit {{\"pit\":\"lamp\"}}; #2 1 player 30.00; #3 1 player 10.00
                 money 1 10000.00\nlayout 0.00"
            ),
        );
        check(
            Setup::dealer(preset).rules("individual_commit = true"),
            &format!("{tie}\nmoney 1 10000.00\nlayout 0.00\nround\n= round 2"),
        );
    }
}

/// BAC-62: a tie ends the bet as `carried`, with the next one linked to it.
#[test]
fn bac_62_the_history_tells_of_the_carry() {
    let mut played =
        check(Setup::dealer("macau"), "ready\nround\n1 bet player 30.00\ncoup 8 8 K J");
    let who = played.player(1);
    let record = played.table.records().last().cloned().unwrap();
    let mine = my_round(&record, who).unwrap();
    assert_eq!(mine.payouts[0].ending, Ending::Carried);
    assert_eq!(mine.staked, mine.returned);
}

/// BAC-62, STD-40: carried stakes that no longer fit go back before the next window.
#[test]
fn std_40_carried_stakes_that_no_longer_fit_go_back() {
    let tie = "ready
         round
         1 bet player 30.00
         2 bet banker 10.00
         2 bet banker 10.00
         coup 8 8 K J
         wait 3\n";
    let played = |change: &str, after: &str| {
        check(Setup::dealer("macau"), &format!("{tie}{change}\ndealer open-round\n{after}"));
    };
    played(
        "house rules squeeze_s = 30",
        "= round 2 carried #1 as #4 carried #2 as #5 carried #3 as #6",
    );
    played(
        "house rules tie_policy = \"return\"",
        "= carried returned #1 1 player 30.00 carry-ended
         = carried returned #2 2 banker 10.00 carry-ended
         = carried returned #3 2 banker 10.00 carry-ended
         = round 2",
    );
    // 20.00 is a multiple of the new minimum, but not in these parts.
    played(
        "house main 20.00 1000.00",
        "= round 2 carried #1 as #4 carried #2 as #5 carried #3 as #6
         coup 5 9 3 K
         money 2 10019.00",
    );
    played(
        "house main 40.00 1000.00",
        "= carried returned #1 1 player 30.00 carry-ended
         = carried returned #2 2 banker 10.00 carry-ended
         = carried returned #3 2 banker 10.00 carry-ended
         = round 2",
    );
    played(
        "house main 10.00 20.00",
        "= carried returned #1 1 player 30.00 carry-ended
         = round 2 carried #2 as #4 carried #3 as #5",
    );
}

/// STD-40: stakes accepted without commission are not played with one that cannot be taken exactly.
#[test]
fn std_40_a_new_commission_never_meets_a_stake_that_does_not_fit() {
    let setup = Setup::dealer("macau")
        .rules("commission_pct = 0\nbanker_multiple_of_min = false")
        .limits(|limits| {
            limits.step = chips("0.01");
            limits.main.min = chips("0.05");
        });
    let tie = "ready
         round
         1 bet banker 0.11
         1 bet banker 0.09
         coup 8 8 K J
         wait 3
         house rules commission_pct = 5
         dealer open-round\n";
    check(
        setup.clone(),
        &format!(
            "{tie}
             = carried returned #1 1 banker 0.11 carry-ended
             = carried returned #2 1 banker 0.09 carry-ended
             = round 2
             coup 5 9 3 K"
        ),
    );
    let sides = "ready
         round
         1 bet banker 1.00
         1 bet player 1.00
         2 bet banker 1.00
         coup 8 8 K J
         wait 3
         house rules allow_both_sides = false
         dealer open-round
         = carried returned #1 1 banker 1.00 carry-ended
         = carried returned #2 1 player 1.00 carry-ended
         = round 2 carried #3 as #4";
    check(setup, sides);
}

/// BAC-63: tie, pair, lucky-six and dragon bets never carry; case 1: pairs are judged on two cards.
#[test]
fn bac_63_side_bets_are_settled_on_a_tie() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 10.00
         1 bet tie 10.00
         1 bet player-pair 10.00
         1 bet banker-pair 10.00
         coup 2 2 2 3 A
         layout 10.00
         money 1 10170.00",
    );
    check(
        Setup::dealer("macau").main("100.00", "1000.00"),
        "ready
         round
         1 bet banker 100.00
         1 bet player-pair 10.00
         1 bet banker-pair 10.00
         coup K K K K 4 5
         money 1 10315.00",
    );
}

/// BAC-64, BAC-65, BAC-150: what is paid, from where and to where.
#[test]
fn bac_150_money() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet banker 20.00
         coup 5 9 3 K
         money 1 10019.00
         commission 1.00
         float -20.00
         layout 0.00",
    );
    check(
        Setup::dealer("no-commission"),
        "ready
         round
         1 bet banker 20.00
         1 bet tie 1.00
         1 bet player-pair 1.00
         1 bet lucky-six 1.00
         # Banker wins with six in three cards: half, and 22 to 1
         coup K 2 5 4 6 K
         money 1 10030.00
         commission 0.00
         round
         2 bet tie 1.00
         2 bet player-pair 1.00
         coup 8 8 8 8
         money 2 10021.40",
    );
    check(
        Setup::dealer("macau").main("100.00", "1000.00"),
        "ready
         round
         1 bet banker 150.00 -> BANKER_MULTIPLE
         1 bet player 150.00
         coup 5 9 3 K
         money 1 9850.00
         float 150.00",
    );
}

/// BAC-71: an operator that rounds down keeps the breakage of winnings and gives that of
/// commission.
#[test]
fn bac_71_rounding_down() {
    let setup = Setup::dealer("live")
        .rules("payout_exactness = \"round_down\"\nround_unit = 100\npays = { tie = \"17 to 2\" }")
        .limits(|limits| limits.step = chips("1.00"));
    check(
        setup,
        "ready
         round
         1 bet banker 11.00
         2 bet tie 1.00
         coup 5 9 3 K
         = bets-closed
         = drawn 5S
         = drawn 9S
         = drawn 3S
         = drawn KS
         = settled banker 8-9; #1 1 banker 11.00 won 11.00; #2 2 tie 1.00 lost
         round
         2 bet tie 1.00
         coup 8 8 K J
         money 2 10007.00
         money 1 10011.00",
    );
}

fn insured() -> Setup {
    Setup::dealer("live").rules("insurance = true")
}

/// BAC-80 to BAC-84: the windows, who may insure what, and how much.
#[test]
fn bac_80_insurance_windows() {
    check(
        insured(),
        "ready
         round
         1 bet player 20.00
         2 bet banker 20.00
         1 bet insurance-4:player 1.00 -> UNKNOWN_POSITION
         dealer close-bets
         1 bet insurance-4:player 1.00 -> BET_CLOSED
         # Player 5, Banker 3: the Player is ahead, and both will draw
         deal 2 3 3 K
         due insurance
         phase decision
         dealer card 9H -> CARD_NOT_DUE
         1 bet player 10.00 -> BET_CLOSED
         1 bet insurance-4:banker 1.00 -> UNKNOWN_POSITION
         1 bet insurance-5:player 1.00 -> UNKNOWN_POSITION
         2 bet insurance-4:player 1.00 -> MAIN_BET_REQUIRED
         1 bet insurance-4:player 20.10 -> ABOVE_MAX max 20.00
         1 bet insurance-4:player 1.05 -> STEP step 0.10
         1 bet insurance-4:player 0.00 -> BELOW_MIN min 0.10
         1 bet insurance-4:player 10.00 @round=7 -> STALE_ROUND
         1 bet insurance-4:player 10.00
         = #3 1 insurance-4:player 10.00
         1 bet insurance-4:player 1.00 -> ABOVE_MAX max 0.00
         1 cancel #3 -> BET_CLOSED
         later 8
         1 bet insurance-4:player 1.00 -> BET_CLOSED
         tick
         = insurance-closed
         # Player draws a 9 for 4; Banker 3 draws: a window again, Player 4 ahead of 3
         deal 9
         due insurance
         1 bet insurance-5:player 2.00
         1 bet insurance-5:banker 2.00 -> UNKNOWN_POSITION
         wait 8
         deal 5
         dealer declare
         = settled banker 4-8; #1 1 player 20.00 lost; #2 2 banker 20.00 won 20.00 less 1.00; \
            #3 1 insurance-4:player 10.00 won 13.00; #4 1 insurance-5:player 2.00 won 2.60
         money 1 9995.60",
    );
}

/// BAC-80, BAC-81: no window with a natural, with nobody ahead, or where no card is to come.
#[test]
fn bac_80_no_window_where_nothing_can_be_insured() {
    for (cards, due) in [
        ("9 5 K 3", "declaration"),
        ("6 7 K K", "declaration"),
        ("2 2 3 3", "player 3 or white card"),
        ("K 2 2 K", "player 3 or white card"),
    ] {
        check(insured(), &format!("ready\nround\ndealer close-bets\ndeal {cards}\ndue {due}"));
    }
}

/// BAC-82: tied: the stake is returned; the insured hand wins: it is lost; a tie row pays a tie.
#[test]
fn bac_82_what_insurance_comes_to() {
    let after = |cards: &str, third: &str, money: &str| {
        check(
            insured(),
            &format!(
                "ready\nround\n1 bet banker 20.00\ndealer close-bets\ndeal {cards}\ndue insurance
                 1 bet insurance-4:banker 10.00\nwait 8\n{third}\nmoney 1 {money}"
            ),
        );
    };
    // Banker 7 ahead of a Player who draws: pays 47 to 10 when he loses.
    after("K 7 5 K", "deal 4\ndealer declare", "10027.00");
    after("K 7 5 K", "deal 2\ndealer declare", "10000.00");
    after("K 7 5 K", "deal K\ndealer declare", "10009.00");
    // Player 9 against Banker 3 who still draws: the hand can only be tied.
    check(
        insured(),
        "ready
         round
         1 bet player 20.00
         dealer close-bets
         deal 2 3 2 K
         wait 8
         deal 5
         due insurance
         1 bet insurance-5:player 10.00
         wait 8
         deal 6
         dealer declare
         = settled tie 9-9; #1 1 player 20.00 pushed; #2 1 insurance-5:player 10.00 won 114.00",
    );
}

/// BAC-85, OPS-51: a void round returns insurance as well; once taken, no card is taken back.
#[test]
fn bac_85_a_void_round_returns_insurance() {
    check(
        insured(),
        "ready
         round
         1 bet player 20.00
         dealer close-bets
         deal 2 3 3 K
         dealer take-back
         dealer card KD
         1 bet insurance-4:player 10.00
         dealer take-back -> NOTHING_TO_TAKE_BACK
         pit void dropped
         = voided by the pit {\"pit\":\"dropped\"}; #1 1 player 20.00; #2 1 insurance-4:player 10.00
         money 1 10000.00",
    );
}

/// BAC-84, BAC-38: insurance is not repeated.
#[test]
fn bac_84_insurance_is_not_repeated() {
    check(
        insured(),
        "ready
         round
         1 bet player 20.00
         dealer close-bets
         deal 2 3 3 K
         1 bet insurance-4:player 10.00
         wait 8
         deal 9
         wait 8
         deal 5
         dealer declare
         round
         1 repeat
         = #3 1 player 20.00",
    );
}

/// BAC-130: house-banked, 5 per cent on Banker; BAC-134: a tie pays 8 to 1.
#[test]
fn bac_130_the_house_banks() {
    check(
        Setup::dealer("chemin"),
        "ready
         1 sit 1
         2 sit 2
         3 sit 3
         round
         1 bet banker 20.00
         2 bet tie 10.00
         dealer close-bets
         deal 5 9 3 K
         dealer declare
         money 1 10019.00
         commission 1.00
         round
         2 bet tie 10.00
         4 bet tie 10.00 -> NOT_SEATED
         dealer close-bets
         deal 8 8 K J
         dealer declare
         money 2 10070.00",
    );
}

/// BAC-131: the shoe goes on when Player wins or the holder declines, over absent seats.
#[test]
fn bac_131_the_shoe_passes() {
    let holder = |played: &script::Script| {
        let course = played.table.game().unwrap().baccarat();
        course.shoe_holder().map(|seat| seat.0)
    };
    let mut played = check(Setup::dealer("chemin"), "ready\n1 pass-shoe -> NOT_SEATED");
    assert_eq!(holder(&played), None);
    for (script, seat) in [
        ("2 sit 5", 5),
        ("1 sit 1\n3 sit 9\n4 sit 12", 5),
        ("round\ncoup 5 9 3 K", 5),
        ("round\ncoup 8 8 K J", 5),
        ("round\n1 pass-shoe -> NOT_YOUR_TURN\ncoup 9 5 K 3", 9),
        ("house leave 4\nround\ncoup 9 5 K 3", 1),
        ("1 pass-shoe\n= shoe-passed by 1", 5),
        ("round\n2 pass-shoe\n= shoe-passed by 2", 9),
        ("dealer close-bets\n3 pass-shoe -> NOT_DUE\ndeal 5 9 3 K\ndealer declare", 9),
        // Who stands up gives it on; who is away loses it at the next round.
        ("3 stand", 1),
        ("house leave 1\nround", 5),
        // With nobody here it stays where it is.
        ("house leave 2\ncoup 9 5 K 3", 5),
        ("house arrive 1\nround", 1),
        ("pit void lamp", 1),
    ] {
        played.run(script);
        assert_eq!(holder(&played), Some(seat), "after {script}");
    }
}

/// BAC-131: nobody holds the shoe anywhere else.
#[test]
fn bac_131_no_shoe_travels_at_other_tables() {
    let played = check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         2 sit 2
         round
         coup 9 5 K 3
         1 pass-shoe -> NOT_YOUR_TURN
         round
         dealer close-bets
         1 deal -> NOT_YOUR_TURN",
    );
    assert_eq!(played.table.game().unwrap().baccarat().shoe_holder(), None);
    assert_eq!(played.table.shoe_holder_until(), None);
}

/// BAC-132: the holder triggers each card and has five seconds for it; he decides nothing.
#[test]
fn bac_132_the_holder_asks_for_each_card() {
    let mut played = check(
        Setup::dealer("chemin"),
        "ready
         1 sit 1
         2 sit 2
         1 deal -> NOT_YOUR_TURN
         round
         2 bet player 20.00
         1 deal -> NOT_DUE
         dealer close-bets
         2 deal -> NOT_YOUR_TURN
         1 deal
         = card-asked by 1
         1 deal -> NOT_DUE
         dealer white-card
         1 deal -> NOT_DUE
         dealer card 2H
         1 deal
         dealer card 3H
         deal 3 K
         due open player banker by 2
         1 deal -> NOT_DUE
         later 12
         2 open",
    );
    let asked = |played: &script::Script| {
        played.table.shoe_holder_until().map(|until| until.0 - played.table.at().0)
    };
    assert_eq!(asked(&played), Some(5_000), "five seconds from when the card was due");
    played.run("later 3\n1 deal");
    assert_eq!(asked(&played), None);
    played.run("dealer card 9H\n2 open\nhouse leave 1");
    assert_eq!(asked(&played), None, "nobody waits for who is away");
    let asked = |event: &Event| matches!(event, Event::CardAsked { .. });
    assert_eq!(played.events().iter().filter(|e| asked(e)).count(), 3);
}

/// BAC-133: the largest seated Player bettor looks at the Player's cards; both hands are opened
/// together; the Banker's are nobody's.
#[test]
fn bac_133_the_largest_player_bettor_looks() {
    let mut played = check(
        Setup::dealer("chemin"),
        "ready
         1 sit 1
         2 sit 2
         3 sit 3
         round
         1 bet player 20.00
         2 bet player 30.00
         3 bet banker 90.00
         dealer close-bets
         deal 2 3 3 K
         hands ?? ??
         due open player banker by 2
         dealer open -> NOT_YOUR_TURN
         1 open -> NOT_YOUR_TURN
         3 open -> NOT_YOUR_TURN",
    );
    let who = played.player(2);
    let mine = mine_view(&played.table, who);
    assert_eq!((mine.player_cards.len(), mine.banker_cards.len()), (2, 0));
    played.run(
        "2 open
         = opened player banker by 2
         hands 23 3K
         dealer card 9H
         due open player by 2
         2 open
         dealer card 5H
         due open banker
         dealer open
         dealer declare
         round
         3 bet banker 90.00
         dealer close-bets
         deal 9 5 K 3
         due declaration",
    );
}
