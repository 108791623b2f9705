//! Who does what in a simulation: the dealer's routine, players with plans, and nonsense of all
//! kinds.

use chips::Chips;
use games::baccarat::{Bet, ShuffleMode};
use games::{AnyBet, AnyLimits, BetId, Card, Due, Expects, Seat, Step};
use table::{
    Actor, Code, Command, DealerCommand, HouseCommand, PitCommand, PlayerCommand, Request, StaffId,
    Timestamp, VoidReason, mine_view,
};

use crate::house::{House, player};
use crate::luck::Luck;

/// Players of a simulation.
pub const PLAYERS: usize = 6;

/// Whoever deals at this table.
pub fn dealing(house: &House, nth: usize) -> Actor {
    if house.tables[nth].table.is_robot_dealt() { Actor::Robot } else { Actor::Dealer(StaffId(1)) }
}

fn dealer(house: &House, nth: usize, command: DealerCommand) -> Command {
    Command::Dealer(dealing(house, nth), command)
}

/// A request of a player as his page would send it now.
pub fn request(house: &House, nth: usize, number: u64, command: PlayerCommand) -> Request {
    let table = &house.tables[nth].table;
    let who = player(number);
    Request {
        player: who,
        name: format!("Player {number}"),
        round: Some(table.round()),
        rules: table.rules().map(|(_, hash)| hash.to_owned()),
        funds: house.funds(who, table.needs(who, &command)),
        command,
    }
}

/// What whoever deals would do next; `None` where nothing is to be done but to wait.
pub fn routine(house: &mut House, nth: usize, luck: &mut Luck) -> Option<Command> {
    if let Some(reveal) = house.reveal(nth) {
        return Some(Command::House(reveal));
    }
    if let Some(commit) = house.commitment(nth, luck) {
        return Some(Command::House(commit));
    }
    let table = &house.tables[nth].table;
    if !table.is_open() {
        return Some(dealer(house, nth, DealerCommand::OpenTable));
    }
    let person = !table.is_robot_dealt();
    match table.expects()? {
        Expects::ShoeChange => Some(dealer(house, nth, DealerCommand::NewShoe)),
        Expects::Step(step) => {
            if step == Step::Shuffle && person {
                house.fill_shoe(nth, luck);
            }
            Some(dealer(house, nth, take_step(house, nth, step, luck)))
        }
        Expects::Opening { .. } => {
            let demonstration = luck.once_in(3);
            Some(dealer(house, nth, DealerCommand::OpenRound { demonstration }))
        }
        Expects::Bets if person && luck.once_in(3) => {
            let command = luck.of(&[DealerCommand::CloseBets, DealerCommand::ExtendBets]);
            Some(dealer(house, nth, command))
        }
        Expects::Bets | Expects::Insurance => None,
        Expects::Draw { due, .. } => Some(draw(house, nth, due, luck)),
        Expects::Open { holder: None, .. } => Some(dealer(house, nth, DealerCommand::Open)),
        Expects::Open { holder: Some(holder), .. } => {
            let open = request(house, nth, holder.0, PlayerCommand::Open);
            luck.once_in(2).then_some(Command::Player(open))
        }
        Expects::Declaration => Some(dealer(house, nth, DealerCommand::Declare)),
    }
}

fn take_step(house: &House, nth: usize, step: Step, luck: &mut Luck) -> DealerCommand {
    let table = &house.tables[nth].table;
    let (min, max) = table.game().map_or((0, 0), |game| game.baccarat().cut_range());
    let places = usize::from(max - min) + 1;
    let at = min + u16::try_from(luck.below(places)).expect("a place in a shoe");
    DealerCommand::Step { step, at: (step == Step::Cut && table.is_robot_dealt()).then_some(at) }
}

/// The next card, or what else is due; a person errs at times.
fn draw(house: &House, nth: usize, due: Due, luck: &mut Luck) -> Command {
    let dealt = &house.tables[nth];
    let person = !dealt.table.is_robot_dealt();
    let course = dealt.table.game().expect("a configured table").baccarat();
    let left = 52 * u16::from(course.rules().decks) - course.cards_out();
    let white = person
        && dealt
            .table
            .expects()
            .is_some_and(|e| matches!(e, Expects::Draw { white_card: true, .. }));
    let command = match due {
        _ if white && left <= course.rules().white_card_from_back => DealerCommand::WhiteCard,
        Due::WhiteCard => DealerCommand::WhiteCard,
        Due::Burn { .. } => DealerCommand::Burn,
        Due::Turned | Due::Card { .. } if person && luck.once_in(20) => DealerCommand::TakeBack,
        Due::Turned | Due::Card { .. } if person && luck.once_in(40) => {
            DealerCommand::Card { card: any_card(luck) }
        }
        Due::Turned | Due::Card { .. } => match house.next_card(nth) {
            Some(card) => DealerCommand::Card { card },
            None => DealerCommand::Declare,
        },
    };
    dealer(house, nth, command)
}

fn any_card(luck: &mut Luck) -> Card {
    Card::from_index(luck.below(52)).expect("a card of the deck")
}

/// Something that a player's page would send.
pub fn plan(house: &House, nth: usize, number: u64, luck: &mut Luck) -> Option<PlayerCommand> {
    let table = &house.tables[nth].table;
    let mine = mine_view(table, player(number));
    // Bets are what a table is for; seats change seldom.
    let stays = |word: &&String| *word != "sit" && *word != "stand";
    let words: Vec<&String> = if luck.once_in(12) {
        mine.may.iter().collect()
    } else {
        mine.may.iter().filter(stays).collect()
    };
    let bet = words.iter().find(|word| **word == "bet").filter(|_| !luck.once_in(3));
    let word = match bet {
        Some(bet) => (*bet).clone(),
        None if words.is_empty() => return None,
        None => words[luck.below(words.len())].clone(),
    };
    command_of(house, nth, number, &word, luck)
}

/// The command behind a button.
pub fn command_of(
    house: &House,
    nth: usize,
    number: u64,
    word: &str,
    luck: &mut Luck,
) -> Option<PlayerCommand> {
    let dealt = &house.tables[nth];
    let rules = dealt.rules.baccarat();
    let mine = mine_view(&dealt.table, player(number));
    Some(match word {
        "sit" => PlayerCommand::Sit { seat: any_seat(luck, rules.seats) },
        "stand" => PlayerCommand::Stand,
        "undo" => PlayerCommand::Undo,
        "cancel-all" => PlayerCommand::CancelAll,
        "double" => PlayerCommand::Double,
        "repeat" => PlayerCommand::Repeat,
        "open" => PlayerCommand::Open,
        "cut" => {
            let (min, _) = dealt.table.game()?.baccarat().cut_range();
            PlayerCommand::Cut { at: min }
        }
        "deal" => PlayerCommand::Deal,
        "pass-shoe" => PlayerCommand::PassShoe,
        "insure" => {
            let coup = dealt.table.game()?.baccarat().coup()?;
            let (on, _) = *coup.insurance_offered().first()?;
            let stake = Chips::new(10).expect("ten units");
            PlayerCommand::Bet { on: AnyBet::Baccarat(on), stake, at_box: None }
        }
        "bet" => match mine.bets.first() {
            Some(bet) if luck.once_in(4) => change(bet.bet, bet.stake, luck),
            _ => any_bet(house, nth, luck),
        },
        other => panic!("no button `{other}`"),
    })
}

/// A change of one bet that lies there.
fn change(bet: BetId, stake: Chips, luck: &mut Luck) -> PlayerCommand {
    let half = Chips::new(stake.minor() / 2).expect("less than a stake");
    match luck.below(3) {
        0 => PlayerCommand::Cancel { bet },
        1 => PlayerCommand::Lower { bet, to: half },
        _ => {
            PlayerCommand::Move { bet, to: AnyBet::Baccarat(luck.of(&[Bet::Player, Bet::Banker])) }
        }
    }
}

/// A bet that the layout offers, mostly on a hand, of a few halves of the minimum.
fn any_bet(house: &House, nth: usize, luck: &mut Luck) -> PlayerCommand {
    let dealt = &house.tables[nth];
    let rules = dealt.rules.baccarat();
    let zones: Vec<Bet> = rules.layout().filter(|bet| !bet.is_insurance()).collect();
    let mains = [Bet::Player, Bet::Banker];
    let on = if luck.once_in(3) { luck.of(&zones) } else { luck.of(&mains) };
    let AnyLimits::Baccarat(limits) = &dealt.settings.limits;
    // A raise may be below the minimum.
    let halves = u64::try_from(1 + luck.below(8)).expect("a few");
    let stake = Chips::new(limits.range(on).min.minor() * halves / 2).expect("a small stake");
    PlayerCommand::Bet { on: AnyBet::Baccarat(on), stake, at_box: None }
}

fn any_seat(luck: &mut Luck, seats: u8) -> Seat {
    Seat(u8::try_from(luck.below(usize::from(seats) + 1)).expect("a seat"))
}

/// Anything at all, by anybody.
pub fn nonsense(house: &House, nth: usize, luck: &mut Luck) -> Command {
    let staff = StaffId(u32::try_from(luck.below(3)).expect("a few") + 1);
    match luck.below(10) {
        0..=4 => {
            let number = u64::try_from(luck.below(PLAYERS)).expect("a few") + 1;
            let command = any_player_command(house, nth, luck);
            let mut asked = request(house, nth, number, command);
            if luck.once_in(5) {
                asked.round = luck.of(&[None, Some(0), Some(house.tables[nth].table.round() + 1)]);
            }
            if luck.once_in(10) {
                asked.rules = Some("another".into());
            }
            Command::Player(asked)
        }
        5..=7 => {
            let command = any_dealer_command(luck);
            let by = luck.of(&[dealing(house, nth), Actor::Robot, Actor::Dealer(staff)]);
            Command::Dealer(by, command)
        }
        8 => Command::Pit(staff, any_pit_command(luck)),
        _ => Command::House(any_house_command(luck)),
    }
}

fn any_player_command(house: &House, nth: usize, luck: &mut Luck) -> PlayerCommand {
    let last = house.tables[nth]
        .table
        .game()
        .map_or(0, |game| game.wagers().last().map_or(0, |wager| wager.id.0));
    let bet = BetId(last.saturating_sub(u64::try_from(luck.below(4)).expect("a few")));
    let bets: Vec<Bet> = Bet::all().collect();
    let on = AnyBet::Baccarat(luck.of(&bets));
    let stake = Chips::new(luck.of(&[0, 1, 10, 55, 100, 1_000, 5_000, 100_000, (1 << 53) - 1]));
    let stake = stake.expect("an amount");
    match luck.below(14) {
        0 => PlayerCommand::Sit { seat: any_seat(luck, 20) },
        1 => PlayerCommand::Stand,
        2 => PlayerCommand::Bet { on, stake, at_box: None },
        3 => PlayerCommand::Bet { on, stake, at_box: Some(any_seat(luck, 20)) },
        4 => PlayerCommand::Cancel { bet },
        5 => PlayerCommand::Lower { bet, to: stake },
        6 => PlayerCommand::Move { bet, to: on },
        7 => PlayerCommand::Undo,
        8 => PlayerCommand::CancelAll,
        9 => PlayerCommand::Repeat,
        10 => PlayerCommand::Double,
        11 => PlayerCommand::Open,
        12 => PlayerCommand::Cut { at: u16::try_from(luck.below(700)).expect("a place") },
        _ => luck.of(&[PlayerCommand::Deal, PlayerCommand::PassShoe]),
    }
}

fn any_dealer_command(luck: &mut Luck) -> DealerCommand {
    match luck.below(14) {
        0 => DealerCommand::OpenTable,
        1 => DealerCommand::NewShoe,
        2 => DealerCommand::Step { step: luck.of(&Step::ALL), at: None },
        3 => DealerCommand::Step { step: luck.of(&Step::ALL), at: Some(100) },
        4 => DealerCommand::OpenRound { demonstration: luck.once_in(2) },
        5 => DealerCommand::CloseBets,
        6 => DealerCommand::ExtendBets,
        7 => DealerCommand::TakeBack,
        8 => DealerCommand::Burn,
        9 => DealerCommand::WhiteCard,
        10 => DealerCommand::Open,
        11 => DealerCommand::Declare,
        // These end a shoe, so they come seldom.
        _ if luck.once_in(3) => luck.of(&[DealerCommand::CloseTable, DealerCommand::ChangeShoe]),
        _ => DealerCommand::Declare,
    }
}

fn any_pit_command(luck: &mut Luck) -> PitCommand {
    match luck.below(7) {
        0 if luck.once_in(2) => PitCommand::Void { round: None, reason: "by the pit".into() },
        1 => PitCommand::Pause,
        2 => PitCommand::Disable { reason: "a test".into() },
        3 => PitCommand::ResetRoads,
        4 => PitCommand::Void { round: None, reason: "  ".into() },
        5 => PitCommand::Unpause,
        _ => PitCommand::Enable,
    }
}

fn any_house_command(luck: &mut Luck) -> HouseCommand {
    let who = player(u64::try_from(luck.below(PLAYERS)).expect("a few") + 1);
    match luck.below(8) {
        0 | 1 => HouseCommand::Left { player: who },
        2 => HouseCommand::Arrived { player: who },
        3 => HouseCommand::Commit { commitment: "a".repeat(63), previous: None },
        4 => HouseCommand::Reveal { shoe: 1_000_000, record: String::new() },
        5 if luck.once_in(6) => HouseCommand::SealLost,
        6 if luck.once_in(6) => HouseCommand::Void { reason: VoidReason::OutOfCards },
        _ => HouseCommand::Tick,
    }
}

/// Other settings or rules for a table, that fit its preset.
pub fn reconfigure(house: &mut House, nth: usize, luck: &mut Luck) -> Command {
    let dealt = &mut house.tables[nth];
    let AnyLimits::Baccarat(limits) = &mut dealt.settings.limits;
    let games::RuleSet::Baccarat(rules) = &mut dealt.rules;
    let rules = std::sync::Arc::make_mut(rules);
    let min = luck.of(&[500, 1_000, 2_000]);
    match luck.below(5) {
        0 => limits.main.min = Chips::new(min).expect("an amount"),
        1 => dealt.settings.bet_s = luck.of(&[10, 15, 20]),
        2 if rules.shuffle_mode != ShuffleMode::Continuous => {
            rules.decks = luck.of(&[rules.decks_min, rules.decks, rules.decks_max]);
        }
        3 if rules.name.starts_with("macau") => {
            rules.tie_policy = luck.of(&[
                games::baccarat::TiePolicy::Free,
                games::baccarat::TiePolicy::AddOnly,
                games::baccarat::TiePolicy::Return,
            ]);
        }
        _ => rules.squeeze_s = luck.of(&[5, 10, 20]),
    }
    let settings = Box::new(dealt.settings.clone());
    let rules = dealt.rules.canonical();
    Command::House(HouseCommand::Configure { settings, rules })
}

/// How long time goes by before the next act.
pub fn pause(house: &House, nth: usize, luck: &mut Luck) -> Timestamp {
    let table = &house.tables[nth].table;
    let deadlines = [table.next_deadline(), table.shown_until(), table.cut_until()];
    let next = deadlines.into_iter().flatten().find(|at| *at > house.now);
    match next {
        Some(next) if luck.once_in(4) => next,
        _ => {
            let ms = [1, 10, 100, 500, 1_000, 2_000];
            Timestamp(house.now.0 + luck.of(&ms))
        }
    }
}

/// Codes that no button may be answered with, as nothing of the kind is due.
pub const NOT_OFFERED: [Code; 11] = [
    Code::NotDue,
    Code::CardNotDue,
    Code::NotYourTurn,
    Code::NotSeated,
    Code::NotOpen,
    Code::Disabled,
    Code::TablePaused,
    Code::DemoCoup,
    Code::LastHandDone,
    Code::IllegalAction,
    Code::NothingToTakeBack,
];
