//! The money of an event: a total function, one match, no wildcard arm.

use games::Ending;
use ledger::{Account, Posting, Reason, TableId};

use crate::event::{Event, PaidOut, Returned};

/// One posting, left out where nothing moves.
fn moved(
    from: Account,
    to: Account,
    amount: chips::Chips,
    reason: Reason,
) -> impl Iterator<Item = Posting> {
    Posting::new(from, to, amount, reason).ok().into_iter()
}

/// What an event at `table` moves between accounts, in order.
pub fn postings(table: TableId, event: &Event) -> Vec<Posting> {
    let layout = Account::Layout(table);
    let back =
        |r: &Returned| moved(layout, Account::Player(r.owner), r.stake, Reason::StakeReturned);
    match event {
        Event::BetPlaced { owner, stake, .. } => {
            moved(Account::Player(*owner), layout, *stake, Reason::Stake).collect()
        }
        Event::BetReduced { owner, by, .. } => {
            moved(layout, Account::Player(*owner), *by, Reason::StakeReturned).collect()
        }
        Event::Settled { payouts, .. } => payouts.iter().flat_map(|p| payout(table, p)).collect(),
        Event::Voided { returned, .. } => returned.iter().flat_map(back).collect(),
        Event::CarriedReturned { returned, .. } => back(returned).collect(),
        Event::Configured { .. }
        | Event::TableOpened { .. }
        | Event::Closing { .. }
        | Event::TableClosed
        | Event::Paused { .. }
        | Event::Unpaused { .. }
        | Event::Disabled { .. }
        | Event::Enabled { .. }
        | Event::SatDown { .. }
        | Event::StoodUp { .. }
        | Event::Arrived { .. }
        | Event::Left { .. }
        | Event::ShoeBegun { .. }
        | Event::Committed { .. }
        | Event::StepTaken { .. }
        | Event::RoundOpened { .. }
        | Event::LastCall
        | Event::BettingExtended { .. }
        | Event::BetMoved { .. }
        | Event::BetsClosed { .. }
        | Event::Drawn { .. }
        | Event::TakenBack { .. }
        | Event::CardsOpened { .. }
        | Event::InsuranceClosed
        | Event::ShoeEnded { .. }
        | Event::Revealed { .. }
        | Event::CardAsked { .. }
        | Event::ShoePassed { .. }
        | Event::RoadsReset { .. }
        | Event::Resumed
        | Event::Digest { .. } => Vec::new(),
    }
}

/// One bet: the stake off the layout, winnings from the float, commission to its own account
/// (BAC-64, BAC-65).
fn payout(table: TableId, paid: &PaidOut) -> Vec<Posting> {
    let (layout, float) = (Account::Layout(table), Account::Float(table));
    let player = Account::Player(paid.owner);
    match paid.ending {
        Ending::Won => {
            let won = paid.winnings.saturating_sub(paid.commission);
            let commission = Account::Commission(table);
            moved(layout, player, paid.stake, Reason::StakeReturned)
                .chain(moved(float, player, won, Reason::Winnings))
                .chain(moved(float, commission, paid.commission, Reason::Commission))
                .collect()
        }
        Ending::Pushed => moved(layout, player, paid.stake, Reason::StakeReturned).collect(),
        Ending::Lost => moved(layout, float, paid.stake, Reason::StakeLost).collect(),
        Ending::Carried => Vec::new(),
    }
}
