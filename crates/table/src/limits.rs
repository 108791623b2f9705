//! Named bounds of the table.

/// Most letters of a command id.
pub const COMMAND_ID_MAX: usize = 64;
/// Most players present at one table at a time.
pub const PRESENT_MAX: usize = 50_000;
/// Most bets on one layout: their settlement is one event, and must fit into one record of the
/// store.
pub const BETS_MAX: usize = 90_000;
/// Most bets of one player on one layout.
pub const BETS_PER_PLAYER_MAX: usize = games::baccarat::BETS_PER_OWNER_MAX;
/// Rounds that a table remembers for its players' own history (OPS-81: at least 50).
pub const ROUNDS_KEPT: usize = 100;
/// Payouts that a table remembers for its players' own history, over all rounds kept.
pub const PAYOUTS_KEPT: usize = 100_000;
/// A digest is written at least every so many events.
pub const EVENTS_PER_DIGEST: u64 = 1_000;
/// Most letters of a reason, a name or a note in an event.
pub const TEXT_MAX: usize = 200;
/// Most bytes of a revealed record.
pub const RECORD_MAX: usize = 256 * 1024;
/// Seconds by which a dealer may delay the close, once (OPS-33).
pub const EXTENSION_S: u16 = 15;
/// Seconds before the close at which the last call is given (OPS-20).
pub const LAST_CALL_S: u16 = 5;
/// Seconds for which the seat of somebody who is gone is kept, until the next round opens.
pub const SEAT_KEPT_S: u16 = 60;
/// Seconds that a shoe-holder has for each card before the house deals (BAC-132).
pub const SHOE_HOLDER_S: u16 = 5;
