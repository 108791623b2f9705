//! The table's own course: states, timers, bets, malfunction and interruption (OPS-1 to OPS-53),
//! and the reported faults of table servers (cases 122 to 143).

mod script;

use games::AnyOutcome;
use games::baccarat::Winner;
use script::{Setup, check};
use table::{
    Actor, DealtBy, Event, Phase, WrongSettings, felt_view, mine_view, my_round, tile_view,
};

/// OPS-1, OPS-3: who deals here deals; a person may need a pit boss.
#[test]
fn ops_1_who_deals_here() {
    check(
        Setup::robot("live"),
        "dealer-2 open-table -> NOT_YOUR_TABLE
         dealer open-table",
    );
    check(
        Setup::dealer("live"),
        "robot open-table -> NOT_YOUR_TABLE
         dealer open-table
         ready
         dealer-2 open-round",
    );
    let alone = Setup::dealer("live").settings(|settings| settings.pit_boss_required = true);
    check(alone, "dealer open-table -> PIT_BOSS_REQUIRED");
}

/// OPS-10: closed, open, closing, closed; with a round open the table closes after it (OPS-15).
#[test]
fn ops_10_the_life_of_a_table() {
    check(
        Setup::dealer("live"),
        "phase closed
         1 bet player 10.00 -> NOT_OPEN
         dealer close-table -> NOT_OPEN
         dealer card 9H -> NOT_OPEN
         pit void lamp -> NOT_OPEN
         dealer open-table
         = table-opened
         dealer open-table -> NOT_DUE
         dealer close-table
         = table-closed
         ready
         round
         1 bet player 10.00
         dealer close-table
         = closing
         dealer close-table -> NOT_DUE
         # the round goes on, its window too
         1 bet player 10.00
         coup 9 5 K 3
         = bets-closed
         = drawn 9S
         = drawn 5S
         = drawn KS
         = drawn 3S
         = settled player 9-8; #1 1 player 10.00 won 10.00; #2 1 player 10.00 won 10.00
         = shoe-ended 1 table-closed
         = table-closed
         phase closed
         1 bet player 10.00 -> NOT_OPEN
         dealer open-round -> NOT_OPEN
         money 1 10020.00
         ready
         round",
    );
    // A void round ends a closing table just the same.
    check(
        Setup::dealer("live"),
        "ready
         round
         dealer close-table
         pit void lamp
         = voided by the pit {\"pit\":\"lamp\"}
         = shoe-ended 1 table-closed
         = table-closed",
    );
}

/// OPS-11: every state in turn.
#[test]
fn ops_11_the_phases() {
    let mut seen = Vec::new();
    let setup = Setup::dealer("macau").rules("insurance = true");
    let mut played = check(setup, "1 sit 1 -> NOT_OPEN");
    for line in [
        "dealer open-table\n1 sit 1",
        "ready",
        "round\n1 bet player 10.00",
        "wait 15",
        "wait 5",
        "dealer card 2H",
        "deal 3 3 K",
        "1 open\ndealer open\nwait 8",
        "deal 9\n1 open\nwait 8\ndeal 5",
        "dealer declare",
        "wait 3\ndealer open-round\npit void lamp",
    ] {
        seen.push(played.table.phase());
        played.run(line);
    }
    seen.push(played.table.phase());
    assert_eq!(seen, Phase::ALL);
}

/// OPS-12: the replay of every script in these files gives the same state; the log carries round,
/// time and actor.
#[test]
fn ops_12_the_log_says_who_and_when() {
    let played = check(
        Setup::dealer("live"),
        "ready\nround\n1 bet player 10.00\nlater 1.5\ndealer-2 close-bets\ncoup 9 -> NOT_DUE",
    );
    let closed = played
        .events()
        .into_iter()
        .find_map(|event| if let Event::BetsClosed { by } = event { Some(by) } else { None });
    assert_eq!(closed, Some(Actor::Dealer(table::StaffId(2))));
}

/// OPS-14, STD-5: a disabled table finishes its round and takes nothing new.
#[test]
fn ops_14_a_disabled_table_finishes_its_round() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 10.00
         pit disable -> REASON_REQUIRED
         pit disable flood in the hall
         = disabled by the pit: flood in the hall
         pit disable again -> NOT_DUE
         1 bet player 10.00 -> DISABLED
         1 cancel-all -> DISABLED
         1 sit 1 -> DISABLED
         coup 9 5 K 3
         money 1 10010.00
         wait 3
         dealer open-round -> DISABLED
         dealer close-table
         dealer open-table -> DISABLED
         pit enable
         = enabled by the pit
         pit enable -> NOT_DUE
         ready
         round",
    );
    check(
        Setup::dealer("live"),
        "dealer open-table\ndealer new-shoe\npit disable flood\ndealer step inspect -> DISABLED",
    );
}

/// OPS-10: paused, no bet and no new round; the open round is dealt to its end.
#[test]
fn ops_10_a_paused_table() {
    check(
        Setup::dealer("live").rules("insurance = true"),
        "ready
         round
         1 bet player 10.00
         pit pause
         = paused by the pit
         pit pause -> NOT_DUE
         1 bet player 10.00 -> TABLE_PAUSED
         1 undo -> TABLE_PAUSED
         dealer close-bets
         deal 2 3 3 K
         1 bet insurance-4:player 1.00 -> TABLE_PAUSED
         wait 8
         deal 9
         wait 8
         deal 5
         dealer declare
         wait 3
         dealer open-round -> TABLE_PAUSED
         pit unpause
         = unpaused by the pit
         pit unpause -> NOT_DUE
         dealer open-round",
    );
}

/// OPS-20, OPS-21: the window as long as set, with a last call five seconds before its end.
#[test]
fn ops_20_the_last_call() {
    let mut played = check(
        Setup::dealer("live"),
        "ready
         round
         phase betting
         wait 14.999
         phase betting
         wait 0.001
         = last-call
         phase last-call
         1 bet player 10.00
         tick
         wait 4.999
         1 bet player 10.00
         wait 0.001
         = bets-closed by the house
         phase no-more-bets",
    );
    let felt = felt_view(&played.table).unwrap();
    assert_eq!((felt.deadline, felt.bet_s), (None, 20));
    played.run("deal 9 5 K 3\ndealer declare\nhouse bet_s 7\nround");
    let opened = played.table.at();
    let felt = felt_view(&played.table).unwrap();
    assert_eq!((felt.deadline, felt.bet_s), (Some(opened.plus_s(7)), 7));
    played.run("wait 2\n= last-call\nwait 5\n= bets-closed by the house");
    // A short window begins with its last call.
    let short = Setup::dealer("live").settings(|settings| {
        settings.practice = true;
        settings.bet_s = 1;
    });
    check(short, "ready\nround\ntick\n= last-call\nwait 1\n= bets-closed by the house");
}

/// OPS-21: what times a table may have.
#[test]
fn ops_21_times_have_bounds() {
    let played = check(Setup::dealer("live"), "");
    let right = played.table.settings().unwrap().clone();
    let rules = played.table.rules().unwrap().0.canonical();
    assert!(right.check(&rules).is_ok());
    type Change = fn(&mut table::Settings);
    let wrong: [(&str, Change); 9] = [
        ("bet_s", |s| s.bet_s = 4),
        ("bet_s", |s| s.bet_s = 121),
        ("settle_s", |s| s.settle_s = 2),
        ("settle_s", |s| s.settle_s = 121),
        ("cut_s", |s| s.cut_s = 0),
        ("name", |s| s.name = String::new()),
        ("name", |s| s.name = "x".repeat(41)),
        ("demo_coups", |s| s.demo_coups = 1),
        ("shuffle_mode", |s| s.dealt_by = DealtBy::Robot),
    ];
    for (named, change) in wrong {
        let mut settings = right.clone();
        change(&mut settings);
        let why = settings.check(&rules).unwrap_err();
        assert!(matches!(&why, WrongSettings::Setting(text) if text.starts_with(named)), "{why}");
    }
    let mut practice = right.clone();
    (practice.practice, practice.bet_s, practice.settle_s) = (true, 1, 1);
    assert!(practice.check(&rules).is_ok());
    assert!(matches!(right.check("game = 1"), Err(WrongSettings::Rules(_))));
}

/// OPS-30: an increment has a number; lower and cancel name it; undo takes the last one.
#[test]
fn ops_30_bets_are_increments() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 undo -> ILLEGAL_ACTION
         1 double -> ILLEGAL_ACTION
         1 bet player 10.00
         = #1 1 player 10.00
         1 bet player 5.00
         = #2 1 player 5.00
         1 cancel #1 -> BELOW_MIN min 10.00
         1 lower #1 5.10
         = #1 1 less 4.90 lowered
         1 lower #1 4.00 -> BELOW_MIN min 10.00
         1 lower #1 5.10 -> ILLEGAL_ACTION
         1 lower #1 6.00 -> ILLEGAL_ACTION
         1 lower #1 0.00 -> ILLEGAL_ACTION
         2 cancel #1 -> ILLEGAL_ACTION
         2 lower #1 5.00 -> ILLEGAL_ACTION
         2 move #1 banker -> ILLEGAL_ACTION
         1 cancel #99 -> ILLEGAL_ACTION
         1 move #1 player -> ILLEGAL_ACTION
         1 bet tie 2.00
         1 undo
         = #3 1 less 2.00 cancelled
         1 undo -> BELOW_MIN
         1 bet tie 2.00
         1 double
         = #5 1 player 10.10
         = #6 1 tie 2.00
         money 1 9975.80
         layout 24.20",
    );
}

/// OPS-30: move, repeat and double are all or nothing.
#[test]
fn ops_30_atomic_changes() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 600.00
         1 bet tie 60.00
         1 double -> ABOVE_MAX max 400.00
         1 lower #1 100.00
         1 double -> ABOVE_MAX max 40.00
         layout 160.00
         1 move #1 tie -> ABOVE_MAX max 40.00
         1 move #2 banker
         1 double
         layout 320.00",
    );
}

/// OPS-31: accepted means debited;
/// never below nothing. Case 42, case 44: once, and before the loss.
#[test]
fn ops_31_no_stake_without_chips() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet banker 1000.00
         2 bet banker 600.00
         2 bet player 1000.00
         grant 3 0.50
         3 bet tie 100.00
         coup 9 5 K 3
         money 1 9000.00
         money 2 10400.00
         money 3 9900.50
         float 700.00
         layout 0.00",
    );
    let poor = Setup::dealer("live").main("10.00", "20000.00").limits(|l| l.tie.max = l.main.max);
    check(
        poor,
        "ready
         round
         1 bet player 9000.00
         1 bet banker 1000.20 -> INSUFFICIENT_FUNDS max 1000.00
         1 bet banker 600.00
         1 lower #1 3000.00
         1 double
         1 bet tie 2800.20 -> INSUFFICIENT_FUNDS max 2800.00
         1 double -> INSUFFICIENT_FUNDS max 2800.00
         money 1 2800.00
         layout 7200.00
         coup 5 9 3 K
         money 1 5140.00
         round
         1 repeat -> INSUFFICIENT_FUNDS max 5140.00
         layout 0.00",
    );
}

/// OPS-33: a person may delay the close by fifteen seconds, once.
#[test]
fn ops_33_the_close_is_delayed_once() {
    check(
        Setup::dealer("live"),
        "ready
         dealer extend-bets -> NOT_DUE
         round
         wait 16
         = last-call
         dealer extend-bets
         = betting-extended
         phase betting
         dealer extend-bets -> NOT_DUE
         wait 13.999
         1 bet player 10.00
         wait 0.001
         = last-call
         wait 4.999
         1 bet player 10.00
         wait 0.001
         = bets-closed by the house
         dealer extend-bets -> NOT_DUE",
    );
    check(Setup::dealer("live"), "ready\nround\nlater 20\ndealer extend-bets -> NOT_DUE");
}

/// OPS-41, OPS-42: cancelling while betting; every accepted bet is shown with its amount.
#[test]
fn ops_42_own_bets_are_shown() {
    let mut played = check(
        Setup::dealer("live"),
        "ready\nround\n1 bet player 10.00\n1 bet tie 2.00\n2 bet player 20.00",
    );
    let who = played.player(1);
    let mine = mine_view(&played.table, who);
    let bets: Vec<String> =
        mine.bets.iter().map(|b| format!("#{} {} {}", b.bet, b.on, b.stake)).collect();
    assert_eq!(bets, ["#1 player 10.00", "#2 tie 2.00"]);
    assert_eq!(mine.at_stake, script::chips("12.00"));
}

/// OPS-50, OPS-51: a void returns exactly what was debited, bet by bet, and stays in the history.
#[test]
fn ops_51_a_void_round_returns_every_stake() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         pit void lamp -> NOT_DUE
         round
         1 bet player 20.00
         1 bet player-pair 5.00
         2 bet banker 20.00
         dealer close-bets
         deal 2 3
         pit void -> REASON_REQUIRED
         pit void lamp out
         = voided by the pit {\"pit\":\"lamp out\"}; #1 1 player 20.00; #2 1 player-pair 5.00; \
            #3 2 banker 20.00
         phase voided
         money 1 10000.00
         money 2 10000.00
         layout 0.00
         pit void lamp out -> NOT_DUE
         dealer declare -> NOT_DUE
         later 2.999
         dealer open-round -> NOT_DUE
         later 0.001
         dealer open-round
         = round 2",
    );
    let record = played.table.records().next().cloned().unwrap();
    assert!(record.void.is_some() && record.outcome.is_none());
    assert_eq!(record.hands, [vec![], vec![]], "cards that were not opened stay unseen");
    let who = played.player(1);
    let mine = my_round(&record, who).unwrap();
    assert_eq!((mine.staked, mine.returned), (script::chips("25.00"), script::chips("25.00")));
    assert_eq!(mine.payouts.len(), 2);
    let too_long = "x".repeat(201);
    played.run(&format!("pit void {too_long} -> MALFORMED"));
    assert!(tile_view(&played.table).unwrap().big_road.is_empty(), "no result, no road");
}

/// OPS-50: every stage of a round may be voided.
#[test]
fn ops_50_a_round_may_be_voided_at_every_stage() {
    let stages = ["", "dealer close-bets", "deal 2 3", "deal 3 K", "deal 9", "deal 5"];
    for count in 1..=stages.len() {
        let script = stages[..count].join("\n");
        check(
            Setup::dealer("macau"),
            &format!("ready\nround\n1 bet player 20.00\n{script}\npit void lamp\nmoney 1 10000.00"),
        );
    }
}

/// OPS-53, case 47: bets stay valid without their owner; the result is there when he returns.
#[test]
fn ops_53_an_interrupted_player() {
    let mut played = check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 20.00
         house leave 1
         = left 1
         house leave 1
         coup 9 5 K 3
         money 1 10020.00
         round
         house arrive 1
         = arrived 1
         house arrive 1",
    );
    let who = played.player(1);
    let last = mine_view(&played.table, who).last.unwrap();
    assert_eq!(last.returned, script::chips("40.00"));
    let outcome = last.outcome.map(|AnyOutcome::Baccarat(o)| o.winner);
    assert_eq!(outcome, Some(Winner::Player));
}

/// Case 122: late bets, unknown bets and a second close are answered; nothing falls over.
#[test]
fn case_122_the_server_knows_the_window() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 cancel #9007199254740991 -> ILLEGAL_ACTION
         dealer close-bets
         dealer close-bets -> NOT_DUE
         later 1
         1 bet player 10.00 -> BET_CLOSED
         tick
         layout 0.00",
    );
}

/// Case 125, case 60: a command for a round that is over changes nothing, whatever is open now.
#[test]
fn case_125_a_command_means_its_round() {
    check(
        Setup::dealer("live"),
        "ready
         round
         1 bet player 10.00 @round=1
         coup 5 9 3 K
         1 bet player 10.00 @round=1 -> NOT_OPEN
         round
         1 bet player 10.00 @round=1 -> STALE_ROUND
         1 cancel-all @round=1 -> STALE_ROUND
         1 double @round=1 -> STALE_ROUND
         1 repeat @round=1 -> STALE_ROUND
         1 bet player 10.00 @round=3 -> STALE_ROUND
         1 bet player 10.00 @round=none -> STALE_ROUND
         layout 0.00",
    );
}

/// Case 128, case 48: a seat belongs to its player through every interruption.
#[test]
fn case_128_a_seat_is_kept() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 3
         round
         1 bet player 20.00 box 3
         house leave 1
         2 sit 3 -> SEAT_TAKEN
         coup 9 5 K 3
         restart
         = resumed
         round
         house arrive 1
         1 bet player 20.00 box 3
         2 bet player 20.00 box 3 -> NOT_YOUR_BOX
         1 sit 3 -> ILLEGAL_ACTION
         1 stand
         = stood-up 1 from 3
         2 sit 3
         1 stand -> NOT_SEATED",
    );
}

/// Case 128: a seat is kept for a while, not for ever: who is gone for a minute gives it up when
/// the next round opens.
#[test]
fn case_128_a_seat_is_given_up_after_a_while() {
    check(
        Setup::dealer("macau"),
        "ready
         house arrive 1
         house arrive 2
         1 sit 3
         2 sit 4
         round
         house leave 1
         coup 9 5 K 3
         round
         coup 9 5 K 3
         # the seat is still his
         2 sit 3 -> ILLEGAL_ACTION
         wait 61
         round
         = stood-up 1 from 3
         = round 3
         house arrive 1
         1 sit 3",
    );
}

/// Case 133: one player, one seat.
#[test]
fn case_133_one_player_in_one_seat() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 2
         = sat-down 1 at 2
         1 sit 5 -> ILLEGAL_ACTION
         1 sit 2 -> ILLEGAL_ACTION
         1 stand
         1 sit 2
         2 sit 0 -> NO_SUCH_SEAT
         2 sit 8 -> NO_SUCH_SEAT
         2 sit 2 -> SEAT_TAKEN",
    );
    check(Setup::dealer("live"), "ready\n1 sit 1 -> NO_SUCH_SEAT");
}

/// Case 134: who sits down while cards are dealt is seated, and plays from the next window on.
#[test]
fn case_134_sitting_down_late() {
    check(
        Setup::dealer("macau"),
        "ready
         round
         1 bet player 20.00
         dealer close-bets
         1 sit 1
         deal 9 5
         2 sit 2
         deal K 3
         due declaration
         dealer declare
         round
         2 bet banker 20.00
         dealer close-bets
         deal 9 5 K 3
         due open banker by 2",
    );
}

/// Case 136: everybody leaves while cards are dealt; the round comes to its end.
#[test]
fn case_136_everybody_leaves() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         2 sit 2
         round
         1 bet player 20.00
         2 bet banker 20.00
         dealer close-bets
         deal 9 5 K 3
         house leave 2
         1 stand
         house leave 1
         dealer open
         dealer declare
         money 1 10020.00
         money 2 9980.00
         round
         wait 20
         deal 9 5 K 3
         dealer declare",
    );
}

/// Case 139: no card is told before the window is closed.
#[test]
fn case_139_no_card_before_the_close() {
    let played = check(Setup::dealer("live"), "ready\nround\n1 bet player 10.00\ncoup 9 5 K 3");
    let (mut open, mut rounds) = (false, 0);
    for event in played.events() {
        open |= matches!(event, Event::RoundOpened { .. });
        open &= !matches!(event, Event::BetsClosed { .. });
        rounds += u32::from(matches!(event, Event::BetsClosed { .. }));
        assert!(!(open && matches!(event, Event::Drawn { .. })), "a card in the window: {event:?}");
    }
    assert_eq!(rounds, 1);
}

/// Case 143, BAC-115: the same value twice is two cards; the last scan may be corrected until
/// something rests on it.
#[test]
fn case_143_a_scan_may_be_taken_back() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         round
         1 bet player 20.00
         dealer close-bets
         dealer take-back -> NOTHING_TO_TAKE_BACK
         dealer card 7H
         dealer card 7H
         dealer take-back
         = taken-back
         due banker 1 face down or white card
         dealer take-back -> NOTHING_TO_TAKE_BACK
         dealer card 2H
         dealer card 2C
         dealer card 2D
         due open player by 1
         dealer take-back
         due banker 2 face down or white card
         dealer card 9D
         1 open
         dealer take-back -> NOTHING_TO_TAKE_BACK",
    );
    assert!(!felt_view(&played.table).unwrap().corrected);
    played.run("dealer open\ndealer declare\nround\ndealer close-bets\ndealer card 7H");
    played.run("dealer take-back");
    assert!(felt_view(&played.table).unwrap().corrected, "players see that it was corrected");
    check(
        Setup::robot("live"),
        "ready\nround\ndealer close-bets\ndealer card 7H\ndealer take-back -> NOTHING_TO_TAKE_BACK",
    );
    // The last card of a coup, before the declaration.
    check(
        Setup::dealer("live"),
        "ready\nround\n1 bet player 10.00\ndealer close-bets\ndeal 9 5 K 4\ndealer take-back
         dealer card 3H\ndealer declare\n= settled player 9-8; #1 1 player 10.00 won 10.00",
    );
}

/// Case 140, OPS-53: after a restart an open window has its full time again, nobody is connected,
/// and cards that somebody held are opened.
#[test]
fn case_140_a_restart_charges_no_time() {
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         round
         1 bet player 20.00
         wait 17
         later 100
         restart
         = resumed
         phase betting
         wait 14.999
         phase betting
         wait 0.001
         = last-call
         wait 5
         = bets-closed by the house
         deal 9 5 K 3
         due declaration",
    );
    check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         2 sit 2
         round
         1 bet player 20.00
         2 bet banker 20.00
         dealer close-bets
         deal 9 5 K 3
         restart
         = resumed
         = opened player as the holder left
         due open banker
         dealer open
         dealer declare
         money 1 10020.00",
    );
    check(
        Setup::dealer("live").rules("insurance = true"),
        "ready
         round
         1 bet player 20.00
         dealer close-bets
         deal 2 3 3 K
         later 7
         restart
         wait 7.999
         1 bet insurance-4:player 5.00
         wait 0.001
         = insurance-closed",
    );
}

/// Case 127: the views after a restart are those before it, but for who is connected.
#[test]
fn case_127_a_return_finds_everything_as_it_was() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         1 sit 1
         round
         1 bet player 20.00
         1 bet player-pair 5.00
         1 bet tie 5.00
         coup 2 3 3 K -> NOT_DUE",
    );
    let who = played.player(1);
    let before = mine_view(&played.replayed(), who);
    assert_eq!(before, mine_view(&played.table, who));
    played.run("1 open\ndealer open\ndeal 9\n1 open\ndeal 5\ndealer declare\nround");
    assert_eq!(felt_view(&played.replayed()), felt_view(&played.table));
    assert_eq!(mine_view(&played.replayed(), who), mine_view(&played.table, who));
}

/// Rules and settings change between rounds; decks and shuffle with the shoe (STD-40).
#[test]
fn std_40_changes_wait_for_the_round_and_the_shoe() {
    let mut played = check(
        Setup::dealer("macau"),
        "ready
         round
         house main 20.00 100.00
         = configured macau
         1 bet player 10.00
         coup 9 5 K 3
         round
         1 bet player 10.00 -> BELOW_MIN min 20.00
         house rules commission_pct = 4
         1 bet banker 20.00 @rules=other -> STALE_RULES
         1 bet banker 20.00
         coup 5 9 3 K
         money 1 10029.00
         round
         1 bet banker 20.00
         coup 5 9 3 K
         money 1 10048.20
         house rules decks = 6
         round
         1 bet player 20.00
         coup 5 9 3 K
         wait 3
         dealer change-shoe
         ready",
    );
    assert_eq!(played.table.rules().unwrap().0.baccarat().decks, 6);
    played.run("house rules decks = 6\nround");
    let configured = |event: &&Event| matches!(event, Event::Configured { .. });
    assert_eq!(played.events().iter().filter(configured).count(), 4, "the same again is no change");
}

/// A table may change from preset to preset, and from a person to the robot.
#[test]
fn std_40_another_preset() {
    let diff = Some(script::chips("2000.00"));
    let mut played = check(
        Setup::dealer("chemin").limits(|limits| limits.diff = diff),
        "ready
         1 sit 1
         round
         1 bet player 20.00
         dealer close-bets",
    );
    played.run("deal 9 5 K 3\n1 open\ndealer declare\nhouse preset macau\nwait 3\nround");
    assert_eq!(played.table.rules().unwrap().0.name(), "macau");
    assert_eq!(played.table.shoe_holder_until(), None, "no shoe travels any more");
}
