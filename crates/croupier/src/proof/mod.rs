//! The proof of a fair shoe: the commitment published before it, the record after it, the check.
//!
//! The house shuffles, publishes the hash of the order, takes the cut, deals, and reveals the
//! order when the shoe is over (OPS-69). Whoever holds a [`ShoeRecord`] can [`verify`] it without
//! the house; docs/fairness.md says the same in plain words. Nothing here draws, reads a clock or
//! touches a disk.

mod commitment;
mod record;
mod verify;

pub(crate) use commitment::bytes_from_hex;

pub use commitment::{
    Announcement, Commitment, NotAShoe, NotHex, Salt, ShoeId, ShuffleMode, ShuffledShoe, cut_range,
    seal_text,
};
pub use record::{
    BurnRule, Burned, Cut, CutBy, End, LastHand, NotARecord, NotBurnRule, RecordedRound, RoundKind,
    Seen, ShoeRecord, ShoeRules, Totals,
};
pub use verify::{
    ChainVerdict, Code, FieldName, Finding, Outcome, Place, Verdict, verify, verify_chain,
};

/// The version of the canonical text and of the record.
pub const VERSION: u16 = 1;

/// The cards of one deck.
pub const DECK_CARDS: u16 = 52;

/// The most decks in one shoe (spec BAC, `decks`).
pub const MAX_DECKS: u8 = 12;

/// The most cards in one shoe.
pub const MAX_CARDS: usize = 12 * 52;

/// The most rounds in one record; rounds that took no card need no line.
pub const MAX_ROUNDS: usize = 1_024;

/// The longest text that is read as a record, in bytes.
pub const MAX_RECORD_BYTES: usize = 256 * 1_024;

/// The most records in one chain.
pub const MAX_CHAIN_RECORDS: usize = 10_000;

/// The most findings of one code listed in one verdict; the others are counted. A single missing
/// card shifts all that follow, and must not hide what else is wrong.
pub const MAX_FINDINGS_OF_A_CODE: usize = 8;
