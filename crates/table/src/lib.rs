//! The table: commands come in, events go out; state, money and views are functions of the events.
//!
//! A command is decided (`&self`, nothing changes), its events are committed by whoever runs the
//! table, and applied. No clock and no luck: time is in the stamp, chance is in the command.

mod command;
mod decide;
mod digest;
mod event;
pub mod limits;
mod postings;
mod rejection;
mod settings;
mod state;
mod view;

pub use command::{
    Actor, Command, CommandId, DealerCommand, HouseCommand, NotACommandId, PitCommand,
    PlayerCommand, Request, StaffId, Stamped, Timestamp,
};
pub use digest::rules_hash;
pub use event::{CarriedOver, Event, OpenedBy, PaidOut, Returned, RoundId, TakenOff, VoidReason};
pub use postings::postings;
pub use rejection::{Code, Rejection};
pub use settings::{DealtBy, Settings, WrongSettings};
pub use state::{Phase, RoundRecord, Table};
pub use view::{
    CutView, DealerView, FaceView, FeltView, HandView, InsuranceOffer, LayoutZone, MineView, MyBet,
    MyPayout, MyRound, SeatView, ShoeView, TileView, ZoneView, dealer_view, felt_view, layout,
    mine_view, my_round, roads_view, tile_view, totals_view,
};
