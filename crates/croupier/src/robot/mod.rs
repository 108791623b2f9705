//! The robot dealer: its luck, where it keeps the order of a shoe, and what it does at the table.

pub mod dealer;
pub mod sealed;
pub mod shuffle;
