//! The house: who joins, who is given chips again, and what stands of it in log and books.

use chips::Chips;
use croupier::house::{Cage, CageRefusal, Gifts, House, HouseEvent, Role};
use croupier::pit::{Pit, Writer};
use ledger::{Account, PlayerId};
use store::{Seq, Sqlite, StreamId};
use table::{CommandId, StaffId};

fn amount(text: &str) -> Chips {
    text.parse().unwrap()
}

fn id(text: &str) -> CommandId {
    text.parse().unwrap()
}

fn gifts(grant: &str) -> Gifts {
    Gifts { grant: amount(grant), refill: amount("10000"), below: amount("20") }
}

async fn pit() -> Pit {
    let store = Sqlite::in_memory().unwrap();
    let (writer, _) = Writer::start(Box::new(store)).unwrap();
    Pit::open(writer, Vec::new()).await.unwrap()
}

async fn events(pit: &Pit) -> Vec<HouseEvent> {
    let records = pit.writer().load(StreamId::HOUSE, Seq(0)).await.unwrap();
    records.iter().map(|record| serde_json::from_str(&record.body).unwrap()).collect()
}

async fn balance(pit: &Pit, account: Account) -> i64 {
    pit.writer().ask(move |store| store.balance(account)).await.unwrap().minor()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_joins_is_in_the_log_and_has_chips_in_wallet_and_books() {
    let pit = pit().await;
    let cage = Cage::open(pit.clone(), gifts("10000")).await.unwrap();
    let joined: Vec<PlayerId> = {
        let joining = (0..20).map(|_| {
            let cage = cage.clone();
            tokio::spawn(async move { cage.join().await.unwrap() })
        });
        let mut joined = Vec::new();
        for one in joining.collect::<Vec<_>>() {
            joined.push(one.await.unwrap());
        }
        joined
    };
    let mut numbers: Vec<u64> = joined.iter().map(|player| player.number()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<u64>>(), "each number once");
    assert_eq!(events(&pit).await.len(), 20);
    assert_eq!(pit.wallet().available(joined[0]), amount("10000"));
    assert_eq!(balance(&pit, Account::Player(joined[0])).await, 1_000_000);
    assert_eq!(balance(&pit, Account::Cage).await, -20_000_000);
    let again = Cage::open(pit.clone(), gifts("10000")).await.unwrap();
    assert_eq!(again.house(House::clone), cage.house(House::clone), "the log tells it all");
    assert_eq!(again.join().await.unwrap().number(), 21);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refill_is_for_whoever_cannot_bet_and_counts_once() {
    let pit = pit().await;
    let cage = Cage::open(pit.clone(), gifts("19.99")).await.unwrap();
    let player = cage.join().await.unwrap();
    let nobody = PlayerId::new(99).unwrap();
    assert_eq!(cage.refill(nobody, id("n")).await, Err(CageRefusal::NoSuchPlayer));

    let (first, twin) = tokio::join!(cage.refill(player, id("a")), cage.refill(player, id("a")));
    assert_eq!((first, twin), (Ok(amount("10000")), Ok(amount("10000"))));
    assert_eq!(pit.wallet().available(player), amount("10019.99"), "once");
    assert_eq!(events(&pit).await.len(), 2);
    let has = amount("10019.99");
    let no = cage.refill(player, id("b")).await.unwrap_err();
    assert_eq!(no, CageRefusal::EnoughChips { has, below: amount("20") });
    let again = Cage::open(pit.clone(), gifts("19.99")).await.unwrap();
    assert_eq!(again.refill(player, id("a")).await, Ok(amount("10000")), "also after a restart");
    assert_eq!(balance(&pit, Account::Player(player)).await, 1_001_999);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refill_that_nobody_waits_for_is_written_whole() {
    let pit = pit().await;
    let cage = Cage::open(pit.clone(), gifts("1")).await.unwrap();
    let player = cage.join().await.unwrap();
    for _ in 0..20 {
        let asked = cage.refill(player, id("a"));
        drop(tokio::time::timeout(std::time::Duration::ZERO, asked).await);
    }
    assert_eq!(cage.refill(player, id("a")).await, Ok(amount("10000")));
    assert_eq!(cage.join().await.unwrap().number(), 2, "the log goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_are_noted_once_and_again_when_something_changes() {
    let pit = pit().await;
    let cage = Cage::open(pit.clone(), gifts("1")).await.unwrap();
    for (role, records) in [(Role::Dealer, 1), (Role::Dealer, 1), (Role::PitBoss, 2)] {
        cage.staff_seen(StaffId(3), "ana".into(), role).await.unwrap();
        assert_eq!(events(&pit).await.len(), records);
    }
}
