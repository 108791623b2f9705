//! A restart in every phase: the table comes back from its log, goes on to the settlement, and the
//! money is right (case 140, reliability of the log).

use games::baccarat::Bet;
use games::{AnyBet, Card, Expects, Seat};
use ledger::Account;
use table::{
    Actor, Command, DealerCommand, DealtBy, HouseCommand, Phase, PitCommand, PlayerCommand, StaffId,
};

use crate::house::{House, player};
use crate::{acts, chips, rules, settings};

/// The coup that is dealt: Player 5 draws a nine for 4, Banker 3 draws a five for 8.
const CARDS: [&str; 6] = ["2H", "3H", "3D", "KH", "9H", "5H"];
/// What both players begin with.
const GRANT: u64 = 100_000;
/// Most acts from one phase to another.
const ACTS_MAX: usize = 200;

fn ask(house: &mut House, command: Command) {
    house.ask(0, command).expect("what is due is accepted");
}

fn deal(house: &mut House, command: DealerCommand) {
    ask(house, Command::Dealer(Actor::Dealer(StaffId(1)), command));
}

fn play(house: &mut House, number: u64, command: PlayerCommand) {
    let asked = acts::request(house, 0, number, command);
    ask(house, Command::Player(asked));
}

/// Both players are here, sit, and have bet.
fn take_bets(house: &mut House) {
    for (number, on) in [(1, Bet::Player), (2, Bet::Banker)] {
        let who = player(number);
        ask(house, Command::House(HouseCommand::Arrived { player: who }));
        if house.tables[0].table.seat_of(who).is_none() {
            let seat = Seat(u8::try_from(number).expect("a seat"));
            play(house, number, PlayerCommand::Sit { seat });
        }
        let on = AnyBet::Baccarat(on);
        play(house, number, PlayerCommand::Bet { on, stake: chips(2_000), at_box: None });
    }
}

/// Time goes on to whatever the table waits for.
fn wait(house: &mut House) {
    let deadline = house.tables[0].table.next_deadline().expect("the table waits for something");
    house.now = house.now.max(deadline);
    ask(house, Command::House(HouseCommand::Tick));
}

/// The next act of a coup.
fn next(house: &mut House) {
    let table = &house.tables[0].table;
    if !table.is_open() {
        return deal(house, DealerCommand::OpenTable);
    }
    let dealt: usize = table.game().and_then(|game| game.baccarat().coup()).map_or(0, |coup| {
        games::baccarat::Side::BOTH.map(|side| coup.hand(side).len()).iter().sum()
    });
    match table.expects().expect("a configured table") {
        Expects::ShoeChange => deal(house, DealerCommand::NewShoe),
        Expects::Step(step) => deal(house, DealerCommand::Step { step, at: None }),
        Expects::Opening { .. } => {
            house.now = house.now.max(table.shown_until().unwrap_or(house.now));
            deal(house, DealerCommand::OpenRound { demonstration: false });
        }
        Expects::Bets if table.at_stake().is_zero() => take_bets(house),
        Expects::Bets | Expects::Insurance | Expects::Open { holder: Some(_), .. } => wait(house),
        Expects::Draw { .. } if !table.is_round_open() => deal(house, DealerCommand::Burn),
        Expects::Draw { .. } => {
            let card: Card = CARDS[dealt].parse().expect("a card");
            deal(house, DealerCommand::Card { card });
        }
        Expects::Open { holder: None, .. } => deal(house, DealerCommand::Open),
        Expects::Declaration => deal(house, DealerCommand::Declare),
    }
}

/// Plays on until the table stands in this phase, with the bets of the round placed.
fn play_to(house: &mut House, phase: Phase) {
    for _ in 0..ACTS_MAX {
        let table = &house.tables[0].table;
        let ready = phase != Phase::Betting || !table.at_stake().is_zero();
        if table.phase() == phase && ready {
            return;
        }
        if phase == Phase::Voided && table.phase() == Phase::Decision {
            let void = PitCommand::Void { round: None, reason: "lamp out".into() };
            ask(house, Command::Pit(StaffId(9), void));
        } else {
            next(house);
        }
    }
    panic!("{phase:?} was not reached");
}

/// A table with insurance, holders and a differential limit, so that it has every phase.
fn house(file: Option<std::path::PathBuf>) -> House {
    let mut house = House::new(file);
    house.grant(1, chips(GRANT), false);
    house.grant(2, chips(GRANT), false);
    let options = "shuffle_mode = \"hand\"\ninsurance = true\ncutter = \"dealer\"";
    house.open_table(settings(DealtBy::Dealer), rules("macau", options));
    house
}

/// Player loses 20.00, Banker wins 20.00 less 5 per cent, once.
fn money_is_right(house: &House, phase: Phase) {
    let holds = |number| house.books.balance(Account::Player(player(number))).chips();
    assert_eq!(holds(1), Some(chips(GRANT - 2_000)), "after a restart in {phase:?}");
    assert_eq!(holds(2), Some(chips(GRANT + 1_900)), "after a restart in {phase:?}");
    assert!(house.tables[0].table.at_stake().is_zero());
}

#[test]
fn a_restart_in_every_phase() {
    for phase in Phase::ALL {
        let mut house = house(None);
        play_to(&mut house, phase);
        house.restart(0);
        assert!(house.tables[0].table.present().is_empty(), "nobody is connected");
        play_to(&mut house, Phase::Settled);
        money_is_right(&house, phase);
        house.close();
    }
}

/// The process dies with something decided that was not committed: it never happened, whatever it
/// was, and nobody loses anything by it.
#[test]
fn a_crash_in_every_phase() {
    for phase in Phase::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let mut house = house(Some(folder.path().join("house.sqlite")));
        play_to(&mut house, phase);
        house.commit();
        let before = house.tables[0].table.digest();
        if phase != Phase::Settled {
            next(&mut house);
        }
        house.crash();
        assert_eq!(house.tables[0].table.digest(), before, "{phase:?}");
        house.restart(0);
        play_to(&mut house, Phase::Settled);
        money_is_right(&house, phase);
        house.close();
    }
}

/// A window or a decision that was open has its full time again; a result stays as long as it had.
#[test]
fn a_restart_charges_no_time() {
    for (phase, seconds) in [(Phase::Betting, 15), (Phase::LastCall, 15), (Phase::Decision, 8)] {
        let mut house = house(None);
        play_to(&mut house, phase);
        if phase == Phase::Decision {
            // Past the holders, to the insurance.
            while house.tables[0].table.expects() != Some(Expects::Insurance) {
                next(&mut house);
            }
        }
        house.now = house.now.plus_s(7);
        house.restart(0);
        let left = house.tables[0].table.deadline().map(|until| until.0 - house.now.0);
        assert_eq!(left, Some(seconds * 1_000), "{phase:?}");
    }
}

/// Cards that somebody held when the process ended are opened at once (BAC-46).
#[test]
fn a_restart_opens_held_cards() {
    let mut house = house(None);
    play_to(&mut house, Phase::Decision);
    let Some(Expects::Open { holder: Some(_), .. }) = house.tables[0].table.expects() else {
        panic!("somebody holds the cards")
    };
    house.restart(0);
    let Some(Expects::Open { sides, holder: None }) = house.tables[0].table.expects() else {
        panic!("the Banker's cards are next, for the dealer")
    };
    assert_eq!(sides, [games::baccarat::Side::Banker]);
}
