//! The one binary's parts: everything impure, from luck to disk, and the proof of fairness.

pub mod audit;
pub mod chat;
pub mod check;
pub mod cli;
pub mod clock;
pub mod desk;
pub mod edges;
pub mod figures;
pub mod house;
pub mod http;
pub mod pit;
pub mod presets;
pub mod proof;
pub mod recall;
pub mod replay;
pub mod robot;
pub mod serve;
pub mod settings;
pub mod socket;
pub mod wire;
