//! The pit end to end, without HTTP: a robot deals real coups from sealed shoes onto a real
//! database, players bet, commands are repeated, the process starts again, the audit is clean.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chips::Chips;
use croupier::audit::audit;
use croupier::pit::{Pit, PlayerAsk, TablePlan, Writer};
use croupier::proof::{self, ShoeRecord};
use croupier::recall::Archive;
use croupier::replay::{replay, round_id};
use croupier::robot::dealer::{Habits, Robot};
use croupier::robot::sealed::SealedShoes;
use games::baccarat::{Limits, Range};
use games::{AnyLimits, RuleSet};
use ledger::{Account, PlayerId, Posting, Reason, TableId};
use store::{Sqlite, Store};
use table::{Code, CommandId, DealtBy, Event, Phase, PlayerCommand, Settings};
use tokio::sync::watch;

fn chips(minor: u64) -> Chips {
    Chips::new(minor).unwrap()
}

fn plan(number: u32, preset: &str, options: &str) -> TablePlan {
    let path = format!("{}/../../rules/baccarat/{preset}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = toml::from_str(&format!("squeeze_s = 1\nins_s = 1\n{options}")).unwrap();
    let rules = RuleSet::parse_with(&text, &options).unwrap().canonical();
    let range = |min, max| Range { min: chips(min), max: chips(max) };
    let limits = AnyLimits::Baccarat(Limits {
        main: range(2_000, 500_000),
        tie: range(500, 50_000),
        side: range(500, 50_000),
        own: BTreeMap::new(),
        zone_max: None,
        diff: Some(chips(500_000)),
        step: chips(100),
    });
    let settings = Settings {
        name: preset.into(),
        dealt_by: DealtBy::Robot,
        practice: true,
        bet_s: 1,
        settle_s: 1,
        cut_s: 1,
        demo_coups: 0,
        pit_boss_required: false,
        ask_road: true,
        limits,
    };
    TablePlan { id: TableId::new(number).unwrap(), settings, rules }
}

/// A house in a folder, with its robots.
struct House {
    pit: Pit,
    stop: watch::Sender<bool>,
    robots: Vec<tokio::task::JoinHandle<()>>,
    writer: std::thread::JoinHandle<()>,
}

impl House {
    async fn open(folder: &Path, plans: Vec<TablePlan>) -> House {
        let store = Sqlite::open(&folder.join("house.sqlite")).unwrap();
        let (writer, thread) = Writer::start(Box::new(store)).unwrap();
        let tables: Vec<TableId> = plans.iter().map(|plan| plan.id).collect();
        let pit = Pit::open(writer, plans).await.unwrap();
        let sealed = SealedShoes::open(&folder.join("sealed"), &folder.join("robot.key")).unwrap();
        let sealed = Arc::new(sealed);
        let archive = Archive::new(&folder.join("house.sqlite"));
        let (stop, stopped) = watch::channel(false);
        let habits = Habits { pace: Duration::from_millis(1), idle_pause: false };
        let robots = tables.into_iter().map(|table| {
            let (sealed, archive) = (Arc::clone(&sealed), archive.clone());
            let robot = Robot::new(pit.clone(), table, habits, sealed, archive, stopped.clone());
            tokio::spawn(robot.deal())
        });
        let robots = robots.collect();
        House { pit, stop, robots, writer: thread }
    }

    /// Stops everything as a killed process would: nothing is said to the tables.
    async fn kill(self) {
        self.stop.send_replace(true);
        for robot in self.robots {
            robot.await.unwrap();
        }
        self.pit.close().await;
        drop(self.pit);
        // The writer ends with its last handle.
        tokio::task::block_in_place(|| self.writer.join().unwrap());
    }

    async fn grant(&self, player: PlayerId, amount: Chips) {
        let posting =
            Posting::new(Account::Cage, Account::Player(player), amount, Reason::Grant).unwrap();
        let body =
            format!("{{\"event\":\"granted\",\"player\":{player},\"amount\":{}}}", amount.minor());
        self.pit.write_house("granted", body, vec![posting], None).await.unwrap();
    }

    /// Waits until a table satisfies something.
    async fn until<R>(
        &self,
        table: TableId,
        mut seen: impl FnMut(&table::Table) -> Option<R>,
    ) -> R {
        let mut changes = self.pit.follow(table).unwrap();
        let limit = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            changes.mark_unchanged();
            if let Some(found) = self.pit.with_table(table, &mut seen).await.unwrap() {
                return found;
            }
            tokio::time::timeout_at(limit, changes.changed()).await.expect("in time").unwrap();
        }
    }

    async fn betting(&self, table: TableId) -> u64 {
        self.until(table, |t| (t.phase() == Phase::Betting).then(|| t.round())).await
    }
}

fn id(text: &str) -> CommandId {
    text.parse().unwrap()
}

fn bet(round: u64, on: &str, stake: u64) -> PlayerAsk {
    let command = PlayerCommand::Bet { on: on.parse().unwrap(), stake: chips(stake), at_box: None };
    PlayerAsk { round: Some(round), rules: None, command }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_robot_deals_players_are_paid_and_the_books_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let player = PlayerId::new(1).unwrap();
    let plans = || {
        let continuous = "shuffle_mode = \"continuous\"\nholding = \"off\"";
        vec![plan(1, "macau", ""), plan(2, "live", ""), plan(3, "macau", continuous)]
    };
    let house = House::open(folder.path(), plans()).await;
    house.grant(player, chips(1_000_000)).await;
    let tables: Vec<TableId> = house.pit.tables().collect();
    let mut last = BTreeMap::new();
    for table in &tables {
        let _watching = house.pit.watch(*table, Some(player)).await.unwrap();
        let round = house.betting(*table).await;
        let first = format!("first-{table}");
        // cases.md 124: one command, many times over, is one bet with one answer.
        for _ in 0..3 {
            let answer = house
                .pit
                .player(player, "Ann", *table, id(&first), bet(round, "banker", 4_000))
                .await;
            assert_eq!(answer, Ok("{}".into()));
        }
        let other = bet(round, "player", 4_000);
        let twin = house.pit.player(player, "Ann", *table, id(&first), other).await;
        assert_eq!(twin.unwrap_err().code, Code::Duplicate);
        let none = bet(round, "tie", 50_000_000);
        let refused = house.pit.player(player, "Ann", *table, id("big"), none).await;
        assert_eq!(
            refused.unwrap_err().code,
            if table.number() == 1 {
                Code::AboveMax
            } else {
                // The same id with another body, as the tables differ.
                Code::Duplicate
            }
        );
        let mine = house.until(*table, |t| {
            let record = t.records().rev().find(|r| r.id.number == round)?;
            Some(record.payouts.iter().filter(|p| p.owner == player).count())
        });
        assert_eq!(mine.await, 1, "one bet settled");
        last.insert(*table, round);
    }
    assert_eq!(house.pit.at_stake(player).await, carried(&house, &tables).await);
    house.kill().await;
    check_database(folder.path(), &last);

    // The process starts again: the same balance, and a repeated command is still one bet.
    let house = House::open(folder.path(), plans()).await;
    let table = tables[0];
    let again =
        house.pit.player(player, "Ann", table, id("first-1"), bet(last[&table], "banker", 4_000));
    assert_eq!(again.await, Ok("{}".into()));
    let round = house.betting(table).await;
    assert!(round > last[&table]);
    house.kill().await;
    check_database(folder.path(), &last);
}

/// What the player has at stake now: stakes that a tie carried over.
async fn carried(house: &House, tables: &[TableId]) -> Chips {
    let mut sum = Vec::new();
    for table in tables {
        sum.push(house.pit.with_table(*table, table::Table::at_stake).await.unwrap());
    }
    sum.into_iter().sum()
}

fn check_database(folder: &Path, rounds: &BTreeMap<TableId, u64>) {
    let mut store = Sqlite::open_read_only(&folder.join("house.sqlite")).unwrap();
    let report = audit(&mut store).unwrap();
    // The grant above is no event of the house's own vocabulary; everything else must be clean.
    let findings: Vec<_> = report.findings.iter().filter(|f| !f.place.contains("house")).collect();
    let findings: Vec<_> =
        findings.into_iter().filter(|f| !f.place.starts_with("stream 0")).collect();
    assert!(findings.is_empty(), "{report}");
    assert!(report.rounds_settled >= 3 && report.digests >= 3);
    for (table, number) in rounds {
        let told = replay(&mut store, round_id(&format!("{table}-{number}")).unwrap()).unwrap();
        assert!(
            told.finished && told.to_string().contains("wins") || told.to_string().contains("Tie")
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_shoe_is_revealed_and_proves_itself() {
    let folder = tempfile::tempdir().unwrap();
    // Twelve cards to the white card: a shoe of few coups.
    let short = "decks = 6\nwhite_card_from_back = 150\nburn_new_shoe = { fixed = 8 }";
    let continuous = "shuffle_mode = \"continuous\"\nholding = \"off\"";
    let plans = vec![plan(1, "macau", short), plan(2, "macau", continuous)];
    let house = House::open(folder.path(), plans).await;
    let two = TableId::new(2).unwrap();
    house.until(two, |t| (t.round() >= 2).then_some(())).await;
    house.kill().await;
    let mut store = Sqlite::open_read_only(&folder.path().join("house.sqlite")).unwrap();
    let records = store.load(two.into(), store::Seq(0), 1_000).unwrap();
    let revealed: Vec<ShoeRecord> = records
        .iter()
        .map(|r| serde_json::from_str::<Event>(&r.body).unwrap())
        .filter_map(|event| {
            let Event::Revealed { record, .. } = event else { return None };
            Some(ShoeRecord::parse(&record).unwrap())
        })
        .collect();
    assert!(!revealed.is_empty());
    for record in &revealed {
        let verdict = proof::verify(record);
        assert_eq!(verdict.outcome, proof::Outcome::Proven, "{verdict:?}");
    }
}
