//! The log and the books on disk: events and postings in one transaction, or nothing.
//!
//! The crate knows records and postings, not games: what a record says is text to it. Each table
//! has a stream of its own and the house has one ([`StreamId::HOUSE`]); each stream counts its
//! records from 1 and chains them by hash, so that an altered row shows (I3). Balances are a cache
//! of the postings, kept in the same transaction and compared by [`Store::verify_books`].
//!
//! A [`Store`] is driven by one thread. It is synchronous on purpose
//! (docs/decisions/0002-store-is-synchronous.md).
//!
//! ```
//! use store::{Append, Batch, Record, Seq, Sqlite, Store, StreamId};
//!
//! let mut store = Sqlite::in_memory()?;
//! let stream = StreamId::HOUSE;
//! let lease = store.acquire_lease(stream)?;
//! let mut append = Append::new(stream, Seq(0), lease);
//! append.record(1_767_225_600_000, "opened", "{}");
//! store.commit(&Batch { appends: vec![append] })?;
//! assert_eq!(store.load(stream, Seq(0), 10)?[0].kind, "opened");
//! # Ok::<(), store::StoreFailure>(())
//! ```

mod batch;
mod failure;
pub mod limits;
mod record;
mod report;
mod sqlite;

use ledger::{Account, Balance, PlayerId};

pub use batch::{AcceptedCommand, Append, Batch, Lease, Malformed};
pub use failure::StoreFailure;
pub use record::{ChainHash, Head, Record, Seq, StreamId};
pub use report::{BooksReport, Difference, KeptPosting, PostingPlace};
pub use sqlite::{APPLICATION_ID, SCHEMA_VERSION, Sqlite};

/// What holds log and books. One thread drives it; the contract suite in this crate's tests holds
/// every implementation to the same answers.
///
/// Reading methods see what is committed. Each of them can fail with
/// [`StoreFailure::Damaged`], [`StoreFailure::Disk`] or [`StoreFailure::Busy`].
pub trait Store: Send {
    /// Takes over a stream: whoever held it before can commit nothing more to it.
    ///
    /// # Errors
    /// Any failure of the disk; [`StoreFailure::ReadOnly`], [`StoreFailure::Stopped`].
    fn acquire_lease(&mut self, stream: StreamId) -> Result<Lease, StoreFailure>;

    /// Writes the whole batch durably, or changes nothing.
    ///
    /// Checked in this order: form, lease, seq, duplicate command, overdraft. Postings are judged
    /// one after the other in the order of the batch.
    ///
    /// # Errors
    /// A refusal ([`StoreFailure::is_refusal`]) leaves the store as it was. After any other failure
    /// but [`StoreFailure::Busy`] nobody knows what is on the disk: the batch may stand or not, and
    /// every further commit answers [`StoreFailure::Stopped`] until the store is opened anew.
    fn commit(&mut self, batch: &Batch) -> Result<(), StoreFailure>;

    /// The last record's position and hash; [`Head::START`] for a stream without records.
    ///
    /// # Errors
    /// See the trait.
    fn head(&mut self, stream: StreamId) -> Result<Head, StoreFailure>;

    /// Up to `limit` records after `after`, in order, each link of the chain checked.
    ///
    /// A page may be shorter than asked for ([`limits::PAGE_MAX`], [`limits::PAGE_BYTES_MAX`]);
    /// only an empty one is the end.
    ///
    /// # Errors
    /// [`StoreFailure::BrokenChain`] where a row was altered, is missing or does not follow.
    fn load(
        &mut self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreFailure>;

    /// Every stream that has records, in order.
    ///
    /// # Errors
    /// See the trait.
    fn streams(&mut self) -> Result<Vec<StreamId>, StoreFailure>;

    /// Every balance that is not zero, in the order of accounts.
    ///
    /// # Errors
    /// See the trait.
    fn balances(&mut self) -> Result<Vec<(Account, Balance)>, StoreFailure>;

    /// What one account holds.
    ///
    /// # Errors
    /// See the trait.
    fn balance(&mut self, account: Account) -> Result<Balance, StoreFailure>;

    /// Up to `limit` postings of a stream after `after`, in order.
    ///
    /// # Errors
    /// See the trait.
    fn postings(
        &mut self,
        stream: StreamId,
        after: PostingPlace,
        limit: usize,
    ) -> Result<Vec<KeptPosting>, StoreFailure>;

    /// Up to `limit` postings that touched a player's chips, newest first; older than
    /// [`KeptPosting::order`] `before` where given (statement, OPS-81).
    ///
    /// # Errors
    /// See the trait.
    fn player_postings(
        &mut self,
        player: PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<KeptPosting>, StoreFailure>;

    /// The accepted command that a player sent under this id, with its first answer (OPS-30).
    ///
    /// # Errors
    /// See the trait.
    fn command(
        &mut self,
        player: PlayerId,
        command_id: &str,
    ) -> Result<Option<AcceptedCommand>, StoreFailure>;

    /// Reads a whole stream and checks every link.
    ///
    /// # Errors
    /// [`StoreFailure::BrokenChain`] at the first record that does not follow.
    fn verify_chain(&mut self, stream: StreamId) -> Result<Head, StoreFailure>;

    /// Counts every balance anew from the postings and compares it with the one kept; looks
    /// through everything else that is kept for inner contradictions.
    ///
    /// # Errors
    /// See the trait; a difference is no error here but stands in the report.
    fn verify_books(&mut self) -> Result<BooksReport, StoreFailure>;
}
