//! Secrecy: two tables that differ only in cards which nobody opened yet give everybody the same
//! bytes, but for the holder of the cards and the dealer who entered them (BAC-47, OPS-71).

mod script;

use script::{Script, Setup, check};
use table::{
    Actor, StaffId, dealer_view, felt_view, mine_view, roads_view, tile_view, totals_view,
};

/// Everything that is shown to all, as it leaves the house.
fn public(played: &Script) -> String {
    let table = &played.table;
    let felt = serde_json::to_string(&felt_view(table)).unwrap();
    let roads = serde_json::to_string(&roads_view(table)).unwrap();
    let totals = serde_json::to_string(&totals_view(table)).unwrap();
    let tile = serde_json::to_string(&tile_view(table)).unwrap();
    let due = format!("{:?} {:?} {:?}", table.expects(), table.phase(), table.deadline());
    [felt, roads, totals, tile, due].join("\n")
}

/// What one player sees of his own.
fn own(played: &mut Script, number: u64) -> String {
    let who = played.player(number);
    serde_json::to_string(&mine_view(&played.table, who)).unwrap()
}

/// What a dealer sees.
fn console(played: &Script, staff: u32) -> String {
    serde_json::to_string(&dealer_view(&played.table, Actor::Dealer(StaffId(staff)))).unwrap()
}

/// Answers to commands of everybody but those who may know.
const ASKED: [&str; 8] = [
    "1 open",
    "3 open",
    "1 deal",
    "1 bet player 10.00",
    "1 undo",
    "dealer-2 declare",
    "dealer-2 open-round",
    "dealer-2 white-card",
];

/// Who looks: 1 and 3 know nothing, 2 holds the Player's cards; dealer 1 entered the cards.
struct Twins {
    one: Script,
    other: Script,
    looked: usize,
    hidden: usize,
}

impl Twins {
    fn run(&mut self, one: &str, other: &str) {
        self.one.run(one);
        self.other.run(other);
        self.look();
    }

    fn look(&mut self) {
        let (one, other) = (&mut self.one, &mut self.other);
        assert_eq!(public(one), public(other));
        for number in [1, 3] {
            assert_eq!(own(one, number), own(other, number), "player {number}");
        }
        assert_eq!(console(one, 2), console(other, 2));
        for command in ASKED {
            assert_eq!(one.answer(command), other.answer(command), "{command}");
        }
        self.looked += 1;
        let knows = console(one, 1) != console(other, 1);
        self.hidden += usize::from(knows);
        assert_ne!(one.table.digest(), other.table.digest(), "the tables do differ");
    }
}

/// The Player's and the Banker's pair, and the third cards, that differ from table to table.
#[test]
fn bac_47_closed_cards_are_told_to_nobody() {
    for (preset, holder) in [("macau", true), ("macau", false), ("chemin", true), ("chemin", false)]
    {
        let sit = "ready\n1 sit 1\n2 sit 2\n3 sit 3\nround\n1 bet tie 20.00";
        let bet = if holder { "2 bet player 30.00" } else { "2 bet tie 20.00" };
        let begin = |_| check(Setup::dealer(preset), &format!("{sit}\n{bet}\ndealer close-bets"));
        let [one, other] = [0, 1].map(begin);
        let mut twins = Twins { one, other, looked: 0, hidden: 0 };
        // Player 5 against 9, Banker 3 against 8, all of them closed.
        for (one, other) in [("2H", "9C"), ("3H", "8D"), ("3D", "KS"), ("KH", "TD")] {
            twins.run(&format!("dealer card {one}"), &format!("dealer card {other}"));
        }
        let mine = (own(&mut twins.one, 2), own(&mut twins.other, 2));
        assert_eq!(mine.0 != mine.1, holder, "the holder alone sees them");
        twins.run("pit void lamp", "pit void lamp");
        assert_eq!((twins.looked, twins.hidden), (5, 4), "{preset}");
    }
}

/// Third cards lie closed as well.
#[test]
fn bac_47_closed_third_cards_are_told_to_nobody() {
    let begin = |_| {
        check(
            Setup::dealer("macau"),
            "ready\n1 sit 1\n2 sit 2\n3 sit 3\nround\n2 bet player 30.00\n3 bet banker 10.00
             1 bet player 10.00
             dealer close-bets
             dealer card 2H\ndealer card 3H\ndealer card 3D\ndealer card KH\n2 open\n3 open",
        )
    };
    let [one, other] = [0, 1].map(begin);
    let mut twins = Twins { one, other, looked: 0, hidden: 0 };
    twins.run("dealer card 9H", "dealer card 8C");
    assert_ne!(own(&mut twins.one, 2), own(&mut twins.other, 2));
    assert_eq!((twins.looked, twins.hidden), (1, 1));
}

/// OPS-71: each dealer sees the closed cards that he entered himself.
#[test]
fn ops_71_a_colleague_sees_no_closed_card() {
    let played = check(
        Setup::dealer("macau"),
        "ready
         round
         dealer close-bets
         dealer card 2H
         dealer-2 card 3H
         dealer card 9D
         dealer take-back
         dealer-2 card 3D",
    );
    let cards = |staff| {
        let view = dealer_view(&played.table, Actor::Dealer(StaffId(staff))).unwrap();
        let text = |card: &Option<games::Card>| card.map_or("?".to_owned(), |c| c.to_string());
        let hand = |cards: &[Option<games::Card>]| cards.iter().map(text).collect::<Vec<_>>();
        (hand(&view.player_cards).join(" "), hand(&view.banker_cards).join(" "))
    };
    assert_eq!(cards(1), ("2H ?".into(), "?".into()));
    assert_eq!(cards(2), ("? 3D".into(), "3H".into()));
    assert_eq!(cards(3), ("? ?".into(), "?".into()));
}

/// Once opened, everybody sees the same cards.
#[test]
fn opened_cards_are_everybodys() {
    let played = check(
        Setup::dealer("macau"),
        "ready\nround\ndealer close-bets\ndeal 9H 5S KD 3C\nhands 9K 53",
    );
    let felt = serde_json::to_string(&felt_view(&played.table)).unwrap();
    for card in ["9H", "5S", "KD", "3C"] {
        assert!(felt.contains(card), "{card}");
    }
    assert_eq!(console(&played, 1), console(&played, 2));
}
