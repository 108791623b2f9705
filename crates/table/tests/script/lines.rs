//! Events as one line each, the way scripts quote them.

use games::{AnyOutcome, Draw, Ending, Step};
use table::{Actor, Event, OpenedBy, PaidOut, Returned, TakenOff};

/// A value's serde name without quotes.
pub fn word<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).expect("vocabulary can be written");
    json.trim_matches('"').to_owned()
}

/// Who did it, where that is not whoever deals.
fn by(actor: Actor) -> String {
    match actor {
        Actor::House => " by the house".into(),
        Actor::Robot | Actor::Dealer(_) => String::new(),
        Actor::Pit(_) => " by the pit".into(),
        Actor::Player(player) => format!(" by {player}"),
    }
}

fn opened_by(by: OpenedBy) -> String {
    match by {
        OpenedBy::Dealer => String::new(),
        OpenedBy::Holder(player) => format!(" by {player}"),
        OpenedBy::TimeOut => " on time".into(),
        OpenedBy::HolderLeft => " as the holder left".into(),
    }
}

fn taken_off(why: TakenOff) -> String {
    match why {
        TakenOff::Cancelled => "cancelled".into(),
        TakenOff::Lowered => "lowered".into(),
        TakenOff::MainBetGone => "main bet gone".into(),
        TakenOff::Returned(reason) => word(&reason),
    }
}

fn paid(paid: &PaidOut) -> String {
    let PaidOut { bet, owner, on, stake, .. } = paid;
    let came = match paid.ending {
        Ending::Won if paid.commission.is_zero() => format!("won {}", paid.winnings),
        Ending::Won => format!("won {} less {}", paid.winnings, paid.commission),
        Ending::Pushed => "pushed".into(),
        Ending::Lost => "lost".into(),
        Ending::Carried => "carried".into(),
    };
    format!("; #{bet} {owner} {on} {stake} {came}")
}

fn back(returned: &Returned) -> String {
    let Returned { bet, owner, on, stake } = returned;
    format!("#{bet} {owner} {on} {stake}")
}

fn drawn(draw: Draw) -> String {
    match draw {
        Draw::Card(card) => card.to_string(),
        Draw::FaceDown(card) => format!("{card} face down"),
        Draw::Unseen => "unseen".into(),
        Draw::WhiteCard => "white card".into(),
    }
}

fn step(step: Step, at: Option<u16>, actor: Actor) -> String {
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    format!("step {}{at}{}", word(&step), by(actor))
}

fn round_opened(event: &Event) -> String {
    let Event::RoundOpened { round, demonstration, last, carried, .. } = event else {
        panic!("a round that was opened");
    };
    let demonstration = if *demonstration { " demonstration" } else { "" };
    let last = if *last { " last" } else { "" };
    let carried: String =
        carried.iter().map(|c| format!(" carried #{} as #{}", c.from, c.bet)).collect();
    format!("round {round}{demonstration}{last}{carried}")
}

/// An event as one line.
pub fn told(event: &Event) -> String {
    match event {
        Event::Configured { text, .. } => {
            let name = text.lines().find_map(|l| l.strip_prefix("name = "));
            format!("configured {}", name.unwrap_or("?").trim_matches('"'))
        }
        Event::TableOpened { by: actor }
        | Event::Closing { by: actor }
        | Event::Paused { by: actor }
        | Event::Unpaused { by: actor }
        | Event::Enabled { by: actor }
        | Event::BettingExtended { by: actor, .. }
        | Event::BetsClosed { by: actor }
        | Event::TakenBack { by: actor }
        | Event::RoadsReset { by: actor } => format!("{}{}", event.kind(), by(*actor)),
        Event::Disabled { by: actor, reason } => format!("disabled{}: {reason}", by(*actor)),
        Event::SatDown { player, seat, .. } => format!("sat-down {player} at {}", seat.0),
        Event::StoodUp { player, seat } => format!("stood-up {player} from {}", seat.0),
        Event::Arrived { player } | Event::Left { player } => format!("{} {player}", event.kind()),
        Event::CardAsked { player } => format!("card-asked by {player}"),
        Event::ShoePassed { player } => format!("shoe-passed by {player}"),
        Event::ShoeBegun { shoe, .. }
        | Event::Committed { shoe, .. }
        | Event::Revealed { shoe, .. } => {
            format!("{} {shoe}", event.kind())
        }
        Event::ShoeEnded { shoe, reason } => format!("shoe-ended {shoe} {}", word(reason)),
        Event::StepTaken { step: taken, at, by } => step(*taken, *at, *by),
        Event::RoundOpened { .. } => round_opened(event),
        Event::BetPlaced { bet, owner, on, stake } => format!("#{bet} {owner} {on} {stake}"),
        Event::BetReduced { bet, owner, by, why } => {
            format!("#{bet} {owner} less {by} {}", taken_off(*why))
        }
        Event::BetMoved { bet, owner, to } => format!("#{bet} {owner} to {to}"),
        Event::Drawn { draw, .. } => format!("drawn {}", drawn(*draw)),
        Event::CardsOpened { sides, by } => {
            let sides: String = sides.iter().map(|s| format!(" {}", word(s))).collect();
            format!("opened{sides}{}", opened_by(*by))
        }
        Event::Settled { outcome: AnyOutcome::Baccarat(o), payouts, .. } => {
            let totals = format!("{}-{}", o.player_total, o.banker_total);
            let payouts: String = payouts.iter().map(paid).collect();
            format!("settled {} {totals}{payouts}", word(&o.winner))
        }
        Event::Voided { reason, by: actor, returned } => {
            let returned: String = returned.iter().map(|r| format!("; {}", back(r))).collect();
            format!("voided{} {}{returned}", by(*actor), word(reason))
        }
        Event::CarriedReturned { returned, why } => {
            format!("carried returned {} {}", back(returned), word(why))
        }
        Event::TableClosed
        | Event::LastCall
        | Event::InsuranceClosed
        | Event::Resumed
        | Event::Digest { .. } => event.kind().to_owned(),
    }
}
