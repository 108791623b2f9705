//! Refusals: every code of OPS-40 and of the dealer's and the pit's doors that the table gives, its
//! precedence, and that nothing changed (I9, checked by the scripts after each refusal).

mod script;

use std::collections::BTreeSet;

use ledger::{PlayerId, TableId};
use script::{Setup, check, chips};
use table::limits::PRESENT_MAX;
use table::{Code, Command, HouseCommand, Rejection, Stamped, Table, Timestamp};

/// Codes that the server gives before or after the table is asked, and why they are its own.
const OF_THE_SERVER: [(Code, &str); 7] = [
    (Code::Duplicate, "ids of commands are looked up before every other check (OPS-30)"),
    (Code::Excluded, "exclusions belong to the player's account"),
    (Code::RealityCheckPending, "the session clock belongs to the player's account"),
    (Code::RestrictedPlayer, "who is staff belongs to the accounts (OPS-78)"),
    (Code::ChatLanguage, "chat is kept beside the log"),
    (Code::RateLimited, "messages are counted at the door"),
    (Code::Unavailable, "the writer stopped"),
];

fn live() -> Setup {
    Setup::dealer("live")
}

fn macau() -> Setup {
    Setup::dealer("macau")
}

const ROUND: &str = "ready\nround";

/// One script for each code, which ends in a refusal by this code.
fn scripts() -> Vec<(Code, Setup, String)> {
    let small = macau().limits(|limits| limits.diff = Some(chips("20.00")));
    let zone = live().limits(|limits| limits.zone_max = Some(chips("15.00")));
    let alone = live().settings(|settings| settings.pit_boss_required = true);
    let many = "1 bet player 0.10\n".repeat(200);
    let last = "ready\nround\ndealer close-bets\ndeal W 9 5 K 3\ndealer declare";
    let tie = "ready\nround\n1 bet player 10.00\ncoup 8 8 K J\nround";
    let with = |before: &str, last: &str| format!("{before}\n{last}");
    let round = |last: &str| with(ROUND, last);
    vec![
        (Code::BetClosed, live(), round("dealer close-bets\n1 bet player 10.00")),
        (Code::NotOpen, live(), "1 bet player 10.00".into()),
        (Code::BelowMin, live(), round("1 bet player 9.90")),
        (Code::AboveMax, live(), round("1 bet player 1000.10")),
        (Code::ZoneFull, zone, round("1 bet player 10.00\n2 bet player 10.00")),
        (Code::Step, live(), round("1 bet player 10.05")),
        (Code::InsufficientFunds, live().main("10.00", "20000.00"), round("1 bet player 10000.10")),
        (
            Code::BankerPlayerExclusive,
            Setup::dealer("no-commission"),
            round("1 bet player 10.00\n1 bet banker 10.00"),
        ),
        (Code::BankerMultiple, macau(), round("1 bet banker 15.00")),
        (Code::DiffLimit, small, round("1 bet player 30.00")),
        (Code::MainBetRequired, macau(), round("1 bet player-pair 1.00")),
        (Code::NotYourBox, macau(), round("1 bet player 10.00 box 1")),
        (Code::UnknownPosition, live(), round("1 bet player-pair 10.00")),
        (Code::CarryLocked, Setup::dealer("macau-sjm"), with(tie, "1 cancel #2")),
        (Code::DemoCoup, macau(), "ready\ndealer demonstration\n1 bet player 10.00".into()),
        (Code::LastHandDone, macau(), with(last, "1 bet player 10.00")),
        (Code::StaleRound, live(), round("1 bet player 10.00 @round=2")),
        (Code::StaleRules, live(), round("1 bet player 10.00 @rules=other")),
        (Code::TablePaused, live(), round("pit pause\n1 bet player 10.00")),
        (Code::Disabled, live(), round("pit disable flood\n1 bet player 10.00")),
        (Code::NotSeated, Setup::dealer("chemin"), round("1 bet player 10.00")),
        (Code::NotYourTurn, macau(), round("1 pass-shoe").replace("1 pass", "1 sit 1\n1 pass")),
        (Code::IllegalAction, live(), round("1 undo")),
        (
            Code::LimitReached,
            live().main("0.10", "1000.00"),
            round(&with(&many, "1 bet player 0.10")),
        ),
        (Code::Malformed, live(), round(&format!("pit void {}", "x".repeat(201)))),
        (Code::NotDue, live(), "ready\ndealer close-bets".into()),
        (Code::CardNotDue, live(), round("dealer card 9H")),
        (
            Code::ShoeCannotHold,
            live(),
            with("ready\nround\ncoup 2S 2S 2S 2S 2S 2S", "round\ndealer close-bets\ndeal 2S 2S 2S"),
        ),
        (
            Code::CutOutOfRange,
            live(),
            "dealer open-table\ndealer new-shoe\ndealer step inspect\ndealer step wash
             dealer step shuffle\ndealer step cut at 51"
                .into(),
        ),
        (Code::NothingToTakeBack, live(), round("dealer close-bets\ndealer take-back")),
        (Code::SeatTaken, macau(), "ready\n1 sit 1\n2 sit 1".into()),
        (Code::NoSuchSeat, macau(), "ready\n1 sit 8".into()),
        (Code::NotYourTable, live(), "robot open-table".into()),
        (Code::PitBossRequired, alone, "dealer open-table".into()),
        (Code::WrongSettings, live(), "house main 20.00 10.00".into()),
        (Code::ReasonRequired, live(), round("pit void")),
    ]
}

/// OPS-40: each code of this list is given, and the lists hold every code there is.
#[test]
fn ops_40_every_code_is_given_by_the_table_or_the_server() {
    let mut codes = BTreeSet::from([Code::TableFull]);
    for (code, setup, script) in scripts() {
        check(setup, &format!("{} -> {code}", script.trim_end()));
        assert!(codes.insert(code), "{code} stands twice");
    }
    for (code, why) in OF_THE_SERVER {
        assert!(codes.insert(code), "{code} is given by the table: {why}");
    }
    assert_eq!(codes, Code::ALL.iter().copied().collect::<BTreeSet<Code>>());
    let texts: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), Code::ALL.len(), "no two codes have one text");
}

/// The list of OPS-40 itself, in its order.
#[test]
fn ops_40_the_codes_are_those_of_the_specification() {
    let right = "BET_CLOSED NOT_OPEN BELOW_MIN ABOVE_MAX ZONE_FULL STEP INSUFFICIENT_FUNDS \
        BANKER_PLAYER_EXCLUSIVE BANKER_MULTIPLE DIFF_LIMIT MAIN_BET_REQUIRED NOT_YOUR_BOX \
        UNKNOWN_POSITION CARRY_LOCKED DEMO_COUP LAST_HAND_DONE STALE_ROUND STALE_RULES DUPLICATE \
        TABLE_PAUSED DISABLED NOT_SEATED NOT_YOUR_TURN ILLEGAL_ACTION LIMIT_REACHED EXCLUDED \
        REALITY_CHECK_PENDING RESTRICTED_PLAYER CHAT_LANGUAGE RATE_LIMITED";
    let right: Vec<&str> = right.split_whitespace().collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes[..right.len()], right);
}

/// `TABLE_FULL`: the house lets in only so many.
#[test]
fn ops_40_a_full_table() {
    let played = check(live(), "");
    let mut table = played.table;
    let arrive = |table: &mut Table, number: usize| {
        let player = PlayerId::new(u64::try_from(number).unwrap()).unwrap();
        let command = Command::House(HouseCommand::Arrived { player });
        table.step(&Stamped { at: Timestamp(1_800_000_000_000), command })
    };
    for number in 1..=PRESENT_MAX {
        arrive(&mut table, number).unwrap();
    }
    assert_eq!(arrive(&mut table, PRESENT_MAX + 1), Err(Rejection::new(Code::TableFull)));
    assert!(arrive(&mut table, 1).unwrap().is_empty(), "who is here is here");
}

/// OPS-40, precedence: a command that is wrong in two ways is refused for the earlier one.
#[test]
fn ops_40_precedence() {
    let full = macau().rules("allow_both_sides = false").limits(|limits| {
        limits.zone_max = Some(chips("100.00"));
        limits.diff = Some(chips("60.00"));
    });
    let played = |setup: Setup, script: &str| {
        check(setup, script);
    };
    // Rights before the state of the table.
    played(Setup::dealer("chemin"), "1 bet player 10.00 -> NOT_SEATED");
    played(Setup::dealer("chemin"), "ready\n1 bet player 10.00 @round=9 -> NOT_SEATED");
    // The state before round and rules.
    played(live(), "1 bet player 10.00 @round=9 -> NOT_OPEN");
    played(live(), "ready\nround\ndealer close-bets\n1 bet egalite:1 0.01 @round=9 -> BET_CLOSED");
    played(live(), "ready\nround\npit pause\n1 bet player 10.00 @rules=x -> TABLE_PAUSED");
    played(live(), "ready\nround\npit pause\ndealer close-bets\n1 undo -> TABLE_PAUSED");
    played(live(), "ready\nround\npit pause\npit disable x\n1 undo -> DISABLED");
    played(
        full,
        "ready
         1 sit 1
         round
         # the round before the rules
         1 bet player 1.00 box 2 @round=9 @rules=x -> STALE_ROUND
         # the rules before the position
         1 bet lucky-six 0.05 box 2 @rules=x -> STALE_RULES
         # the position before the amount
         1 bet player 1.05 box 2 -> NOT_YOUR_BOX
         1 bet lucky-six 0.05 -> UNKNOWN_POSITION
         1 bet lucky-six 0.05 box 2 -> NOT_YOUR_BOX
         # among amounts: minimum, maximum, zone, step, multiple
         1 bet banker 5.05 -> BELOW_MIN
         1 bet banker 1000.05 -> ABOVE_MAX
         1 bet banker 150.05 -> ZONE_FULL
         1 bet banker 15.05 -> STEP
         1 bet banker 15.00 -> BANKER_MULTIPLE
         # the amount before the rules of the game
         1 bet player-pair 0.05 -> BELOW_MIN
         1 bet player 20.00
         1 bet banker 5.00 -> BELOW_MIN
         1 bet banker 15.00 -> BANKER_MULTIPLE
         1 bet banker 90.00 -> BANKER_PLAYER_EXCLUSIVE
         2 bet banker 90.00 -> DIFF_LIMIT
         2 bet banker-pair 5.00 -> MAIN_BET_REQUIRED",
    );
    // The rules of the game before the chips.
    let poor = Setup::dealer("no-commission").main("10.00", "20000.00");
    played(
        poor,
        "ready
         round
         1 bet banker 10000.00
         1 bet player 10.00 -> BANKER_PLAYER_EXCLUSIVE
         1 bet banker 9000.02 -> STEP
         1 bet banker 10000.20 -> ABOVE_MAX
         1 bet banker 10000.00 -> INSUFFICIENT_FUNDS max 0.00
         1 bet tie 1.00 -> INSUFFICIENT_FUNDS max 0.00",
    );
    // Too many bets before the chips.
    let many = "1 bet player 0.10\n".repeat(200);
    played(
        live().main("0.10", "20000.00"),
        &format!("ready\nround\n{many}1 bet player 9980.10 -> LIMIT_REACHED"),
    );
    // A dealer's: whose table, then what is due.
    played(live(), "robot card 9H -> NOT_YOUR_TABLE\ndealer card 9H -> NOT_OPEN");
    played(live(), "ready\npit disable x\npit pause\ndealer open-round -> DISABLED");
    // A seat: which table, which seat, whose, then the chips (OPS-90, OPS-91).
    let costly = Setup::dealer("macau").main("10000.10", "20000.20");
    played(
        costly.limits(|limits| limits.step = chips("0.10")).rules("banker_multiple_of_min = false"),
        "1 sit 9 -> NOT_OPEN
         ready
         1 sit 9 -> NO_SUCH_SEAT
         1 sit 1 -> INSUFFICIENT_FUNDS max 10000.00
         grant 2 5000.00
         2 sit 1
         1 sit 1 -> SEAT_TAKEN
         2 sit 1 -> ILLEGAL_ACTION",
    );
}

/// Codes and hints in the form in which they leave the house.
#[test]
fn a_refusal_as_it_is_written() {
    let refusal = Rejection { max: Some(chips("20.00")), ..Rejection::new(Code::DiffLimit) };
    let text = serde_json::to_string(&refusal).unwrap();
    assert_eq!(text, r#"{"code":"DIFF_LIMIT","max":2000}"#);
    let alarming = [Code::ShoeCannotHold, Code::CardNotDue];
    for code in Code::ALL {
        assert_eq!(Rejection::new(*code).alarms(), alarming.contains(code), "{code}");
    }
}

/// Commands of the robot and the house that are malformed or not due.
#[test]
fn the_house_is_refused_as_well() {
    let table = TableId::new(1).unwrap();
    let unconfigured = Table::new(table);
    let ask = |command| unconfigured.decide(&Stamped { at: Timestamp(1), command });
    let tick = ask(Command::House(HouseCommand::Tick));
    assert_eq!(tick, Ok(vec![]), "an unconfigured table rests");
    let lost = ask(Command::House(HouseCommand::SealLost));
    assert_eq!(lost, Err(Rejection::new(Code::NotOpen)));
    let mut played = check(
        Setup::robot("live"),
        "house seal-lost -> NOT_OPEN
         ready
         round",
    );
    let reveal = HouseCommand::Reveal { shoe: 1, record: "x".repeat(300_000) };
    assert_eq!(played.house(reveal).unwrap_err().code, Code::NotDue);
    played.run("dealer close-bets\ndeal 9 5 K 3\ndealer declare\ndealer change-shoe");
    let reveal = HouseCommand::Reveal { shoe: 1, record: "x".repeat(300_000) };
    assert_eq!(played.house(reveal).unwrap_err().code, Code::Malformed);
    played.run(
        "dealer new-shoe
         dealer step inspect
         dealer step wash
         dealer step shuffle",
    );
    for text in ["", "abc", &"g".repeat(64), &"a".repeat(65)] {
        let commit = HouseCommand::Commit { commitment: text.to_owned(), previous: None };
        assert_eq!(played.house(commit).unwrap_err().code, Code::Malformed, "{text}");
        let previous = Some(text.to_owned());
        let commit = HouseCommand::Commit { commitment: "a".repeat(64), previous };
        assert_eq!(played.house(commit).unwrap_err().code, Code::Malformed, "{text}");
    }
}
