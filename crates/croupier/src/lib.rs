//! The one binary's parts: everything impure, from luck to disk, and the proof of fairness.

pub mod check;
pub mod clock;
pub mod pit;
pub mod proof;
pub mod robot;
pub mod wire;
