//! What the books tell: postings with their places, and the outcome of a recount.

use ledger::{Account, Posting};

use crate::record::{Seq, StreamId};

/// Where a posting stands in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostingPlace {
    /// The record that caused it.
    pub seq: Seq,
    /// Its number among the postings of that record, from 1.
    pub number: u32,
}

impl PostingPlace {
    /// Before the first posting of a stream.
    pub const START: PostingPlace = PostingPlace { seq: Seq(0), number: 0 };
}

/// A posting as it stands in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptPosting {
    /// Its place in the order of commit of the whole house; grows, with gaps.
    pub order: u64,
    /// The stream of the record that caused it.
    pub stream: StreamId,
    /// Its place there.
    pub place: PostingPlace,
    /// The stamp of that record: milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The posting.
    pub posting: Posting,
}

/// An account whose kept balance is not what its postings come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The account.
    pub account: Account,
    /// The balance kept, in smallest units.
    pub kept: i128,
    /// What the postings come to.
    pub counted: i128,
}

/// The outcome of counting every balance anew.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BooksReport {
    /// Postings counted.
    pub postings: u64,
    /// Accounts compared.
    pub accounts: u64,
    /// Postings whose record is missing, that are not numbered on within it, or that stand in the
    /// wrong player's statement.
    pub misplaced: u64,
    /// The sum of all kept balances in smallest units; zero where all is right (I1).
    pub sum: i128,
    /// How many accounts differ.
    pub different: u64,
    /// The first of them, up to [`crate::limits::DIFFERENCES_MAX`].
    pub differences: Vec<Difference>,
}

impl BooksReport {
    /// True where the kept balances are what the postings come to.
    pub fn is_right(&self) -> bool {
        self.different == 0 && self.misplaced == 0 && self.sum == 0
    }
}
