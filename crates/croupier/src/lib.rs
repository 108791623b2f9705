//! The house: everything impure around the tables.

pub mod check;
