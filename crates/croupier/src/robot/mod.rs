//! The robot dealer's luck: how a shoe is shuffled and where its order is kept until the reveal.

pub mod sealed;
pub mod shuffle;
