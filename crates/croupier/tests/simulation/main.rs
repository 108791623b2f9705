//! A house in chaos: tables, books and a real store under sense, nonsense and restarts, from one
//! seed; and a restart in every phase.
//!
//! A failure names its seed. `CROUPIER_SEED=7 cargo test -p croupier --test simulation` plays that
//! seed alone; `CROUPIER_ACTS` says how many acts it has.

mod acts;
mod full;
mod house;
mod luck;
mod restart;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use acts::{NOT_OFFERED, PLAYERS};
use chips::Chips;
use croupier::presets::preset;
use games::baccarat::{Limits, Range};
use games::{AnyLimits, Expects, RuleSet, Step};
use house::{House, player};
use luck::Luck;
use table::{
    Actor, Code, Command, DealerCommand, DealtBy, Event, HouseCommand, Phase, PitCommand,
    PlayerCommand, Settings, Stamped, dealer_view, felt_view, mine_view,
};

/// Acts of one simulation.
const ACTS: usize = 20_000;
/// Seeds that are always played, in memory.
const SEEDS: [u64; 2] = [1, 2];

/// The tables of a simulation: preset, what differs, who deals.
const TABLES: [(&str, &str, DealtBy); 11] = [
    ("macau", "insurance = true\ndecks = 6\nwhite_card_from_back = 156", DealtBy::Robot),
    ("macau-sjm", "decks = 6\nwhite_card_from_back = 156", DealtBy::Robot),
    ("live", "insurance = true\nwhite_card_from_back = 208", DealtBy::Robot),
    ("no-commission", "white_card_from_back = 208", DealtBy::Robot),
    ("chemin", "decks = 6\nwhite_card_from_back = 156", DealtBy::Robot),
    ("ez", "", DealtBy::Robot),
    ("extra", "", DealtBy::Robot),
    ("macau", "shuffle_mode = \"continuous\"\nholding = \"off\"", DealtBy::Robot),
    ("macau", "shuffle_mode = \"hand\"\ndecks = 6\nwhite_card_from_back = 156", DealtBy::Dealer),
    ("chemin", "shuffle_mode = \"hand\"\ninsurance = true", DealtBy::Dealer),
    ("live", "shuffle_mode = \"hand\"\npayout_exactness = \"round_down\"", DealtBy::Dealer),
];

/// An amount in smallest units.
pub fn chips(minor: u64) -> Chips {
    Chips::new(minor).expect("an amount")
}

/// Settings that fit every preset.
pub fn settings(dealt_by: DealtBy) -> Settings {
    let range = |min, max| Range { min: chips(min), max: chips(max) };
    let limits = Limits {
        main: range(1_000, 20_000),
        tie: range(100, 2_000),
        side: range(100, 2_000),
        own: BTreeMap::new(),
        zone_max: Some(chips(60_000)),
        diff: Some(chips(15_000)),
        step: chips(10),
    };
    Settings {
        name: "Sim".into(),
        dealt_by,
        practice: false,
        bet_s: 15,
        settle_s: 3,
        cut_s: 5,
        demo_coups: 0,
        pit_boss_required: false,
        ask_road: true,
        limits: AnyLimits::Baccarat(limits),
    }
}

/// A preset with some options replaced.
pub fn rules(name: &str, options: &str) -> RuleSet {
    let text = preset(name).expect("a preset").text;
    RuleSet::parse_with(text, &toml::from_str(options).expect("options")).expect("rules")
}

/// Says how a failed simulation is played again.
struct Replay {
    seed: u64,
    acts: usize,
}

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Replay { seed, acts } = self;
            eprintln!(
                "play it again: CROUPIER_SEED={seed} CROUPIER_ACTS={acts} \
                 cargo test -p croupier --test simulation chaos -- --nocapture"
            );
        }
    }
}

/// One simulation: what it reached.
fn chaos(seed: u64, acts: usize, file: Option<PathBuf>) -> House {
    let _replay = Replay { seed, acts };
    let mut luck = Luck::new(seed);
    let mut house = House::new(file);
    for number in 1..=PLAYERS {
        house.grant(u64::try_from(number).expect("a few"), chips(500_000), false);
    }
    for (name, options, dealt_by) in TABLES {
        house.open_table(settings(dealt_by), rules(name, options));
    }
    for _ in 0..acts {
        act(&mut house, &mut luck);
    }
    house.close();
    println!("seed {seed}: {:?}, {} shoes proven", house.kinds, house.proven);
    house
}

/// One act at one table.
fn act(house: &mut House, luck: &mut Luck) {
    let nth = luck.below(house.tables.len());
    match luck.below(100) {
        0..=54 => match acts::routine(house, nth, luck) {
            Some(command) => deal_on(house, nth, command),
            None => player_acts(house, nth, luck),
        },
        55..=75 => player_acts(house, nth, luck),
        76..=87 => time_goes_by(house, nth, luck),
        88..=92 => {
            let command = acts::nonsense(house, nth, luck);
            drop(house.ask(nth, command));
        }
        93 => buttons_hold(house, nth, luck),
        94 => heal(house),
        95 => {
            let command = acts::reconfigure(house, nth, luck);
            drop(house.ask(nth, command));
        }
        96 if luck.once_in(2) => house.restart(nth),
        97 if luck.once_in(20) => house.lose_the_lease(nth),
        98 if luck.once_in(40) => {
            house.crash();
            for nth in 0..house.tables.len() {
                house.restart(nth);
            }
        }
        99 if luck.once_in(3) => refill(house),
        _ => {
            let who = player(u64::try_from(luck.below(PLAYERS)).expect("a few") + 1);
            drop(house.ask(nth, Command::House(HouseCommand::Left { player: who })));
        }
    }
    // Several acts share one transaction.
    if luck.once_in(3) {
        house.commit();
    }
}

/// The dealer's routine; a shoe that turns out impossible is withdrawn, as a pit boss would.
fn deal_on(house: &mut House, nth: usize, command: Command) {
    let Err(why) = house.ask(nth, command) else { return };
    if why.code == Code::ShoeCannotHold || (why.code == Code::NotDue && no_card_left(house, nth)) {
        let reason = table::VoidReason::OutOfCards;
        drop(house.ask(nth, Command::House(HouseCommand::Void { reason })));
        let change = Command::Dealer(acts::dealing(house, nth), DealerCommand::ChangeShoe);
        drop(house.ask(nth, change));
    }
}

fn no_card_left(house: &House, nth: usize) -> bool {
    let drawing = matches!(house.tables[nth].table.expects(), Some(Expects::Draw { .. }));
    drawing && house.next_card(nth).is_none()
}

/// A player does what his page offers; who is away comes back first.
fn player_acts(house: &mut House, nth: usize, luck: &mut Luck) {
    let number = u64::try_from(luck.below(PLAYERS)).expect("a few") + 1;
    let who = player(number);
    if !house.tables[nth].table.present().contains(&who) {
        if luck.once_in(3) {
            return;
        }
        drop(house.ask(nth, Command::House(HouseCommand::Arrived { player: who })));
    }
    if let Some(command) = acts::plan(house, nth, number, luck) {
        let request = acts::request(house, nth, number, command);
        drop(house.ask(nth, Command::Player(request)));
    }
}

fn time_goes_by(house: &mut House, nth: usize, luck: &mut Luck) {
    house.now = acts::pause(house, nth, luck);
    for nth in 0..house.tables.len() {
        let due = house.tables[nth].table.next_deadline().is_some_and(|at| at <= house.now);
        if due {
            house.ask(nth, Command::House(HouseCommand::Tick)).expect("a tick is never refused");
        }
    }
}

/// What was paused or disabled goes on, and roads that never end are cleared.
fn heal(house: &mut House) {
    let staff = table::StaffId(9);
    for nth in 0..house.tables.len() {
        for command in [PitCommand::Unpause, PitCommand::Enable, PitCommand::ResetRoads] {
            drop(house.ask(nth, Command::Pit(staff, command)));
        }
    }
}

/// Who has little left gets chips again.
fn refill(house: &mut House) {
    house.commit();
    for number in 1..=PLAYERS {
        let number = u64::try_from(number).expect("a few");
        if house.funds(player(number), chips(50_000)).is_err() {
            house.grant(number, chips(300_000), true);
        }
    }
}

/// What the pages offer, and only that, is accepted.
fn buttons_hold(house: &House, nth: usize, luck: &mut Luck) {
    let number = u64::try_from(luck.below(PLAYERS)).expect("a few") + 1;
    let table = &house.tables[nth].table;
    if table.present().contains(&player(number)) {
        for word in [
            "sit",
            "stand",
            "undo",
            "cancel-all",
            "double",
            "repeat",
            "open",
            "cut",
            "deal",
            "pass-shoe",
            "insure",
            "bet",
        ] {
            player_button_holds(house, nth, number, word, luck);
        }
    }
    dealer_buttons_hold(house, nth);
}

fn player_button_holds(house: &House, nth: usize, number: u64, word: &str, luck: &mut Luck) {
    let table = &house.tables[nth].table;
    let may = mine_view(table, player(number)).may.iter().any(|offered| offered == word);
    let command = match word {
        // A seat that is free, a bet that is new.
        "sit" => {
            let felt = felt_view(table).expect("a configured table");
            let free = felt.seats.iter().find(|seat| seat.name.is_none());
            free.map(|seat| PlayerCommand::Sit { seat: seat.seat })
        }
        _ => acts::command_of(house, nth, number, word, luck),
    };
    let Some(command) = command else { return };
    // "bet" stands for changes of a bet as well, which this one may not allow.
    let changes = matches!(
        command,
        PlayerCommand::Cancel { .. } | PlayerCommand::Lower { .. } | PlayerCommand::Move { .. }
    );
    if changes {
        return;
    }
    let asked = acts::request(house, nth, number, command);
    let command = Command::Player(asked);
    let answer = table.decide(&Stamped { at: house.now, command: command.clone() });
    let state = || format!("table {}: {word} in {:?}, {answer:?}", nth + 1, table.phase());
    match &answer {
        Ok(_) => assert!(may, "accepted, but not offered: {}", state()),
        Err(why) => {
            let late = table.deadline().is_some_and(|at| house.now >= at);
            let refused = NOT_OFFERED.contains(&why.code) || (why.code == Code::BetClosed && !late);
            assert!(!(may && refused), "offered, but refused: {}", state());
        }
    }
}

fn dealer_buttons_hold(house: &House, nth: usize) {
    let table = &house.tables[nth].table;
    let by = acts::dealing(house, nth);
    let Some(view) = dealer_view(table, by) else { return };
    let step = view.step.unwrap_or(Step::Load);
    let at = (step == Step::Cut && by == Actor::Robot).then_some(100);
    let card = (0..52).filter_map(games::Card::from_index).find(|card| {
        let game = table.game().expect("a configured table");
        game.verify_draw(games::Draw::Card(*card)).is_ok()
            || game.verify_draw(games::Draw::FaceDown(*card)).is_ok()
    });
    let card = card.or_else(|| games::Card::from_index(0)).expect("a card");
    let buttons = [
        ("open-table", DealerCommand::OpenTable),
        ("close-table", DealerCommand::CloseTable),
        ("new-shoe", DealerCommand::NewShoe),
        ("change-shoe", DealerCommand::ChangeShoe),
        ("step", DealerCommand::Step { step, at }),
        ("open-round", DealerCommand::OpenRound { demonstration: false }),
        ("demonstration", DealerCommand::OpenRound { demonstration: true }),
        ("close-bets", DealerCommand::CloseBets),
        ("extend-bets", DealerCommand::ExtendBets),
        ("card", DealerCommand::Card { card }),
        ("burn", DealerCommand::Burn),
        ("white-card", DealerCommand::WhiteCard),
        ("take-back", DealerCommand::TakeBack),
        ("open", DealerCommand::Open),
        ("declare", DealerCommand::Declare),
    ];
    for (word, command) in buttons {
        let may = view.may.iter().any(|offered| offered == word);
        let command = Command::Dealer(by, command);
        let answer = table.decide(&Stamped { at: house.now, command });
        // These wait for a time, or for the robot's commitment.
        let waits = table.shown_until().is_some_and(|at| house.now < at)
            || table.cut_until().is_some_and(|at| house.now < at)
            || table.next_commitment_number().is_some()
            || table.deadline().is_some_and(|at| house.now >= at);
        let why = format!("table {}: {word} in {:?}, {answer:?}", nth + 1, table.phase());
        match &answer {
            Ok(_) => assert!(may, "accepted, but not offered: {why}"),
            Err(no) => {
                let refused = NOT_OFFERED.contains(&no.code);
                assert!(!may || waits || !refused, "offered, but refused: {why}");
            }
        }
    }
}

/// A safety test that reaches nothing passes: so each simulation tells what it reached.
fn reached_everything(houses: &[House]) {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut phases = BTreeSet::new();
    for house in houses {
        for (kind, count) in &house.kinds {
            *kinds.entry(kind).or_default() += count;
        }
        phases.extend(house.phases.iter().map(|(_, phase)| *phase));
        for dealt in &house.tables {
            let settled = dealt.table.records().filter(|r| r.outcome.is_some() && !r.demonstration);
            let paid: usize = settled.map(|r| r.payouts.len()).sum();
            assert!(paid >= 20, "table {}: {paid} bets were settled", dealt.table.id());
        }
        assert!(house.proven >= 3, "{} shoes were proven", house.proven);
    }
    let missing: Vec<&str> =
        Event::KINDS.into_iter().filter(|kind| !kinds.contains_key(kind)).collect();
    assert!(missing.is_empty(), "never happened: {missing:?}");
    assert_eq!(phases, Phase::ALL.into_iter().collect(), "phases reached");
    assert!(kinds["settled"] > 300, "{kinds:?}");
}

/// The seed that the environment asks for, if it does.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn a_house_in_chaos_in_memory() {
    let acts = asked("CROUPIER_ACTS").map_or(ACTS, |acts| usize::try_from(acts).expect("acts"));
    let seeds = asked("CROUPIER_SEED").map_or(SEEDS.to_vec(), |seed| vec![seed]);
    let houses: Vec<House> = seeds.into_iter().map(|seed| chaos(seed, acts, None)).collect();
    if asked("CROUPIER_ACTS").is_none() {
        reached_everything(&houses);
    }
}

#[test]
fn a_house_in_chaos_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let acts = ACTS / 4;
    let seed = asked("CROUPIER_SEED").unwrap_or(4);
    let house = chaos(seed, acts, Some(folder.path().join("house.sqlite")));
    let kinds = &house.kinds;
    assert!(kinds["settled"] > 50 && kinds["resumed"] > 10, "{kinds:?}");
}
