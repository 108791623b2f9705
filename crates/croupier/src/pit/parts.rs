//! The public parts of a table as its watchers get them: rendered once, versioned, each whole.

use std::sync::Arc;

use serde::Serialize;
use table::{Event, Table};

/// One part: its body as JSON, and the position in the log at which it last changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Part {
    pub version: u64,
    pub body: Arc<str>,
}

/// All public parts of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Parts {
    pub felt: Part,
    pub totals: Part,
    pub roads: Part,
    pub layout: Part,
    pub tile: Part,
}

fn render(old: &Part, version: u64, view: &impl Serialize) -> Part {
    let body = serde_json::to_string(view).expect("views are plain data");
    if *old.body == *body { old.clone() } else { Part { version, body: body.into() } }
}

impl Parts {
    /// The parts after some events; what those cannot have changed is kept as it is.
    pub fn after(&self, table: &Table, events: &[Event]) -> Parts {
        let version = table.events();
        let all = self.felt.body.is_empty();
        let roads = all || events.iter().any(changes_roads);
        let layout = all || events.iter().any(changes_layout);
        let tile = all || events.iter().any(changes_tile);
        let keep_or = |changed: bool, old: &Part, part: &dyn Fn() -> Part| {
            if changed { part() } else { old.clone() }
        };
        Parts {
            felt: render(&self.felt, version, &table::felt_view(table)),
            totals: render(&self.totals, version, &table::totals_view(table)),
            roads: keep_or(roads, &self.roads, &|| {
                render(&self.roads, version, &table::roads_view(table))
            }),
            layout: keep_or(layout, &self.layout, &|| {
                render(&self.layout, version, &table::layout(table))
            }),
            tile: keep_or(tile, &self.tile, &|| {
                render(&self.tile, version, &table::tile_view(table))
            }),
        }
    }
}

fn changes_roads(event: &Event) -> bool {
    matches!(
        event.kind(),
        "settled" | "shoe-begun" | "roads-reset" | "configured" | "round-opened" | "table-closed"
    )
}

fn changes_layout(event: &Event) -> bool {
    matches!(event.kind(), "configured" | "round-opened" | "settled" | "voided" | "table-closed")
        || event.kind() == "shoe-begun"
}

/// A bet changes nothing in the lobby.
fn changes_tile(event: &Event) -> bool {
    !matches!(event.kind(), "bet-placed" | "bet-reduced" | "bet-moved" | "digest")
}

/// Whether an event changes only what the player named sees; `None` concerns everybody.
pub fn concerns(event: &Event) -> Option<ledger::PlayerId> {
    match event {
        Event::BetPlaced { owner, .. }
        | Event::BetReduced { owner, .. }
        | Event::BetMoved { owner, .. } => Some(*owner),
        Event::SatDown { player, .. }
        | Event::StoodUp { player, .. }
        | Event::Arrived { player }
        | Event::Left { player } => Some(*player),
        Event::Configured { .. }
        | Event::TableOpened { .. }
        | Event::Closing { .. }
        | Event::TableClosed
        | Event::Paused { .. }
        | Event::Unpaused { .. }
        | Event::Disabled { .. }
        | Event::Enabled { .. }
        | Event::ShoeBegun { .. }
        | Event::Committed { .. }
        | Event::StepTaken { .. }
        | Event::RoundOpened { .. }
        | Event::LastCall
        | Event::BettingExtended { .. }
        | Event::BetsClosed { .. }
        | Event::Drawn { .. }
        | Event::TakenBack { .. }
        | Event::CardsOpened { .. }
        | Event::InsuranceClosed
        | Event::Settled { .. }
        | Event::Voided { .. }
        | Event::CarriedReturned { .. }
        | Event::ShoeEnded { .. }
        | Event::Revealed { .. }
        | Event::CardAsked { .. }
        | Event::ShoePassed { .. }
        | Event::RoadsReset { .. }
        | Event::Resumed
        | Event::Digest { .. } => None,
    }
}
