//! Double entry.
