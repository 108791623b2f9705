//! Hashes of state and of rule sets: what proves that a replay gave the same table.

use std::fmt::{self, Write};

use sha2::{Digest, Sha256};

use crate::state::Table;

/// Text that goes straight into a hash.
struct Feed(Sha256);

impl Write for Feed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

fn hex(hash: &[u8]) -> String {
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a text cannot fail");
        text
    })
}

/// The hash by which a rule set is known: SHA-256 of its canonical text.
pub fn rules_hash(canonical: &str) -> String {
    hex(&Sha256::digest(canonical.as_bytes()))
}

impl Table {
    /// SHA-256 over every field of the state in a fixed order; of the finished rounds, which follow
    /// from their events, over their number and the last one.
    pub fn digest(&self) -> String {
        let mut feed = Feed(Sha256::new());
        self.describe(&mut feed).expect("a hash takes any text");
        hex(&feed.0.finalize())
    }
}
