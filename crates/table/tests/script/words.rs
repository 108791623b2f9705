//! The words of a script: commands of players, dealers, the pit and the house.

use std::str::FromStr;

use chips::Chips;
use games::{AnyBet, BetId, Card, Seat, Step};
use table::{DealerCommand, PitCommand, PlayerCommand};

/// Reads a value of the vocabulary.
pub fn read<T: FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Display,
{
    text.parse().unwrap_or_else(|why| panic!("`{text}`: {why}"))
}

fn bet_id(text: &str) -> BetId {
    BetId(read(text.trim_start_matches('#')))
}

fn seat(text: &str) -> Seat {
    Seat(read(text))
}

/// A step by its serde name.
fn step(text: &str) -> Step {
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// What a player asks.
pub fn player_command(words: &[&str]) -> PlayerCommand {
    match words {
        ["sit", at] => PlayerCommand::Sit { seat: seat(at) },
        ["stand"] => PlayerCommand::Stand,
        ["bet", on, stake] => {
            PlayerCommand::Bet { on: read::<AnyBet>(on), stake: read(stake), at_box: None }
        }
        ["bet", on, stake, "box", at] => {
            PlayerCommand::Bet { on: read(on), stake: read(stake), at_box: Some(seat(at)) }
        }
        ["cancel", bet] => PlayerCommand::Cancel { bet: bet_id(bet) },
        ["lower", bet, to] => PlayerCommand::Lower { bet: bet_id(bet), to: read::<Chips>(to) },
        ["move", bet, to] => PlayerCommand::Move { bet: bet_id(bet), to: read(to) },
        ["undo"] => PlayerCommand::Undo,
        ["cancel-all"] => PlayerCommand::CancelAll,
        ["repeat"] => PlayerCommand::Repeat,
        ["double"] => PlayerCommand::Double,
        ["open"] => PlayerCommand::Open,
        ["cut", at] => PlayerCommand::Cut { at: read(at) },
        ["deal"] => PlayerCommand::Deal,
        ["pass-shoe"] => PlayerCommand::PassShoe,
        other => panic!("no player asks {other:?}"),
    }
}

/// What a dealer asks.
pub fn dealer_command(words: &[&str]) -> DealerCommand {
    match words {
        ["open-table"] => DealerCommand::OpenTable,
        ["close-table"] => DealerCommand::CloseTable,
        ["new-shoe"] => DealerCommand::NewShoe,
        ["change-shoe"] => DealerCommand::ChangeShoe,
        ["step", taken] => DealerCommand::Step { step: step(taken), at: None },
        ["step", taken, "at", at] => DealerCommand::Step { step: step(taken), at: Some(read(at)) },
        ["open-round"] => DealerCommand::OpenRound { demonstration: false },
        ["demonstration"] => DealerCommand::OpenRound { demonstration: true },
        ["close-bets"] => DealerCommand::CloseBets,
        ["extend-bets"] => DealerCommand::ExtendBets,
        ["card", card] => DealerCommand::Card { card: read::<Card>(card) },
        ["burn"] => DealerCommand::Burn,
        ["white-card"] => DealerCommand::WhiteCard,
        ["take-back"] => DealerCommand::TakeBack,
        ["open"] => DealerCommand::Open,
        ["declare"] => DealerCommand::Declare,
        other => panic!("no dealer asks {other:?}"),
    }
}

/// What the pit asks.
pub fn pit_command(words: &[&str]) -> PitCommand {
    match words {
        ["void", reason @ ..] => PitCommand::Void { round: None, reason: reason.join(" ") },
        ["pause"] => PitCommand::Pause,
        ["unpause"] => PitCommand::Unpause,
        ["disable", reason @ ..] => PitCommand::Disable { reason: reason.join(" ") },
        ["enable"] => PitCommand::Enable,
        ["reset-roads"] => PitCommand::ResetRoads,
        other => panic!("the pit never asks {other:?}"),
    }
}
