//! The names and fields of events as they stand on disk: what was written once is read for ever, so
//! a renamed field fails here.

use std::collections::{BTreeMap, BTreeSet};

use chips::Chips;
use games::baccarat::{Limits, Outcome, Range, ShoeEnd, Side, Winner};
use games::{AnyLimits, AnyOutcome, BetId, Card, Draw, Ending, ReturnReason, Seat, Step};
use ledger::PlayerId;
use table::{
    Actor, CarriedOver, DealtBy, Event, OpenedBy, PaidOut, Returned, Settings, StaffId, TakenOff,
    Timestamp, VoidReason,
};

/// The committed examples.
const COMMITTED: &str = include_str!("events.json");

fn chips(minor: u64) -> Chips {
    Chips::new(minor).unwrap()
}

fn player(number: u64) -> PlayerId {
    PlayerId::new(number).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn settings() -> Settings {
    let range = |min, max| Range { min: chips(min), max: chips(max) };
    let limits = Limits {
        main: range(1_000, 100_000),
        tie: range(100, 10_000),
        side: range(100, 10_000),
        own: BTreeMap::from([("banker-pair".parse().unwrap(), range(200, 5_000))]),
        zone_max: Some(chips(500_000)),
        diff: Some(chips(200_000)),
        step: chips(10),
    };
    Settings {
        name: "One".into(),
        dealt_by: DealtBy::Robot,
        practice: false,
        bet_s: 20,
        settle_s: 3,
        cut_s: 10,
        demo_coups: 1,
        pit_boss_required: false,
        ask_road: true,
        limits: AnyLimits::Baccarat(limits),
    }
}

fn paid(bet: u64, ending: Ending, winnings: u64, commission: u64) -> PaidOut {
    PaidOut {
        bet: BetId(bet),
        owner: player(7),
        on: "banker".parse().unwrap(),
        stake: chips(2_000),
        ending,
        winnings: chips(winnings),
        commission: chips(commission),
    }
}

fn returned() -> Returned {
    let (bet, owner, stake) = (BetId(4), player(7), chips(2_000));
    Returned { bet, owner, on: "egalite:9".parse().unwrap(), stake }
}

fn outcome() -> AnyOutcome {
    AnyOutcome::Baccarat(Outcome {
        winner: Winner::Banker,
        player_total: 4,
        banker_total: 8,
        player_natural: false,
        banker_natural: true,
        player_pair: true,
        banker_pair: false,
    })
}

/// The table's own life, its seats and its shoe.
fn table_examples() -> Vec<Event> {
    let hash = |letter: &str| letter.repeat(64);
    let by = Actor::Dealer(StaffId(1));
    let mut examples = vec![
        Event::Configured {
            settings: Box::new(settings()),
            rules: hash("a"),
            text: "game = \"baccarat\"\n".into(),
        },
        Event::TableOpened { by: Actor::Robot },
        Event::Closing { by },
        Event::TableClosed,
        Event::Paused { by: Actor::Pit(StaffId(9)) },
        Event::Unpaused { by: Actor::Pit(StaffId(9)) },
        Event::Disabled { by: Actor::Pit(StaffId(9)), reason: "flood".into() },
        Event::Enabled { by: Actor::Pit(StaffId(9)) },
        Event::SatDown { player: player(7), name: "Ah Kam".into(), seat: Seat(3) },
        Event::StoodUp { player: player(7), seat: Seat(3) },
        Event::Arrived { player: player(7) },
        Event::Left { player: player(7) },
        Event::ShoeBegun { shoe: 1, rules: hash("a") },
        Event::Committed { shoe: 1, commitment: hash("b"), previous: None },
        Event::Committed { shoe: 2, commitment: hash("c"), previous: Some(hash("b")) },
    ];
    examples.extend(Step::ALL.map(|step| Event::StepTaken { step, at: None, by }));
    let by = Actor::Player(player(7));
    examples.push(Event::StepTaken { step: Step::Cut, at: Some(200), by });
    let ends = [
        ShoeEnd::WhiteCard,
        ShoeEnd::HouseChange,
        ShoeEnd::SealedOrderLost,
        ShoeEnd::TableClosed,
        ShoeEnd::OutOfCards,
    ];
    examples.extend(ends.map(|reason| Event::ShoeEnded { shoe: 1, reason }));
    examples.extend([
        Event::Revealed { shoe: 1, record: "{}".into() },
        Event::CardAsked { player: player(7) },
        Event::ShoePassed { player: player(7) },
        Event::RoadsReset { by: Actor::Pit(StaffId(9)) },
        Event::Resumed,
        Event::Digest { hash: hash("d") },
    ]);
    examples
}

/// A round, from its opening to its end.
fn round_examples() -> Vec<Event> {
    let by = Actor::Dealer(StaffId(1));
    let (bet, owner) = (BetId(4), player(7));
    let opened = |demonstration, last, carried| Event::RoundOpened {
        round: 12,
        rules: "a".repeat(64),
        demonstration,
        last,
        closes_at: Timestamp(1_767_225_620_000),
        carried,
    };
    let mut examples = vec![
        opened(false, true, vec![CarriedOver { from: BetId(1), bet: BetId(3) }]),
        opened(true, false, vec![]),
        Event::LastCall,
        Event::BettingExtended { closes_at: Timestamp(1_767_225_635_000), by },
        Event::BetPlaced { bet, owner, on: "player-pair".parse().unwrap(), stake: chips(500) },
        Event::BetMoved { bet, owner, to: "insurance-4:player".parse().unwrap() },
        Event::BetsClosed { by: Actor::House },
        Event::TakenBack { by },
        Event::InsuranceClosed,
    ];
    let reductions = [
        TakenOff::Cancelled,
        TakenOff::Lowered,
        TakenOff::MainBetGone,
        TakenOff::Returned(ReturnReason::CarryAbsent),
        TakenOff::Returned(ReturnReason::DiffTrimmed),
    ];
    let reduced = |why| Event::BetReduced { bet, owner, by: chips(500), why };
    examples.extend(reductions.map(reduced));
    let draws = [Draw::Card(card("9H")), Draw::FaceDown(card("TS")), Draw::Unseen, Draw::WhiteCard];
    examples.extend(draws.map(|draw| Event::Drawn { draw, by }));
    let openers =
        [OpenedBy::Dealer, OpenedBy::Holder(owner), OpenedBy::TimeOut, OpenedBy::HolderLeft];
    examples.extend(openers.map(|by| Event::CardsOpened { sides: Side::BOTH.to_vec(), by }));
    let payouts = vec![
        paid(3, Ending::Won, 2_000, 100),
        paid(4, Ending::Lost, 0, 0),
        paid(5, Ending::Pushed, 0, 0),
        paid(6, Ending::Carried, 0, 0),
    ];
    examples.push(Event::Settled { outcome: outcome(), payouts, by });
    let reasons =
        [VoidReason::Pit("lamp out".into()), VoidReason::SealedOrderLost, VoidReason::OutOfCards];
    let void = |reason| Event::Voided { reason, by: Actor::House, returned: vec![returned()] };
    examples.extend(reasons.map(void));
    examples.push(Event::CarriedReturned { returned: returned(), why: ReturnReason::CarryEnded });
    examples
}

fn examples() -> Vec<Event> {
    [table_examples(), round_examples()].concat()
}

/// A list in JSON, one event a line.
fn as_text(events: &[Event]) -> String {
    let line = |event: &Event| serde_json::to_string(event).unwrap();
    format!("[\n{}\n]\n", events.iter().map(line).collect::<Vec<_>>().join(",\n"))
}

/// What is written today is what was committed; a change here breaks every log that exists.
#[test]
fn events_are_written_as_they_always_were() {
    let written = as_text(&examples());
    for (now, then) in written.lines().zip(COMMITTED.lines()) {
        assert_eq!(now, then, "an event is written in another way than in events.json");
    }
    assert_eq!(written.lines().count(), COMMITTED.lines().count(), "{written}");
}

/// What was committed is read today, to the same events.
#[test]
fn events_are_read_as_they_always_were() {
    let read: Vec<Event> = serde_json::from_str(COMMITTED).unwrap();
    assert_eq!(read, examples());
}

/// `KINDS`, `kind()` and the tag on disk are one list.
#[test]
fn kinds_are_the_tags_on_disk() {
    let mut kinds = BTreeSet::new();
    for event in examples() {
        let value = serde_json::to_value(&event).unwrap();
        assert_eq!(value["event"], event.kind());
        kinds.insert(event.kind());
    }
    assert_eq!(kinds, Event::KINDS.into_iter().collect());
    assert_eq!(kinds.len(), Event::KINDS.len(), "no kind stands twice");
}

/// A field that nobody knows is no event of this program.
#[test]
fn unknown_fields_and_kinds_are_refused() {
    for event in examples() {
        let mut value = serde_json::to_value(&event).unwrap();
        value["surprise"] = 1.into();
        let read = serde_json::from_value::<Event>(value);
        // Kinds without fields have nothing to misread.
        let plain = [Event::TableClosed, Event::LastCall, Event::InsuranceClosed, Event::Resumed];
        assert!(read.is_err() || plain.contains(&event), "{event:?}");
    }
    for text in [r#"{"event":"bet-paid"}"#, r#"{"event":"BetsClosed","by":"house"}"#, "{}", "1"] {
        assert!(serde_json::from_str::<Event>(text).is_err(), "{text}");
    }
}
