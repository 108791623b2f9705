//! Why the store says no: refusals that change nothing, and failures of the world.

use std::path::PathBuf;

use ledger::{PlayerId, Unpostable};
use thiserror::Error;

use crate::batch::{Lease, Malformed};
use crate::record::{Seq, StreamId};

/// What went wrong below, for the operator.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why the store did not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreFailure {
    /// Somebody has written past the position that the writer knows.
    #[error("stream {stream} stands at {head}, not at {expected}")]
    SeqTaken {
        /// The stream.
        stream: StreamId,
        /// The head that the writer expected.
        expected: Seq,
        /// The head.
        head: Seq,
    },
    /// The writer expects records that are not there.
    #[error("stream {stream} stands at {head}, before {expected}")]
    SeqAhead {
        /// The stream.
        stream: StreamId,
        /// The head that the writer expected.
        expected: Seq,
        /// The head.
        head: Seq,
    },
    /// Somebody else has taken the stream over.
    #[error("stream {stream}: lease {given} is not the current one")]
    StaleLease {
        /// The stream.
        stream: StreamId,
        /// The lease given.
        given: Lease,
        /// The lease that counts, if the stream was ever taken.
        current: Option<Lease>,
    },
    /// An account would leave its range (I5).
    #[error(transparent)]
    Overdraft(#[from] Unpostable),
    /// This player's command id is already remembered.
    #[error("player {player} has already sent command {command_id}")]
    DuplicateCommand {
        /// The player.
        player: PlayerId,
        /// The id.
        command_id: String,
    },
    /// The batch has no proper form.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The store was opened for reading only.
    #[error("the store is open for reading only")]
    ReadOnly,
    /// Another process holds the file for too long; nothing was changed.
    #[error("the store is held by another process")]
    Busy(#[source] Source),
    /// An earlier failure stopped the writer; open the store anew.
    #[error("the store has stopped after a failure ({0})")]
    Stopped(&'static str),
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull(#[source] Source),
    /// The disk or the operating system failed.
    #[error("the disk failed")]
    Disk(#[source] Source),
    /// There is no such file.
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    /// The file is something else.
    #[error("{} is no database", .0.display())]
    NotADatabase(PathBuf),
    /// The database belongs to another program.
    #[error("{} belongs to another application ({found:#010x})", path.display())]
    OtherApplication {
        /// The file.
        path: PathBuf,
        /// The application's number in the file.
        found: u32,
    },
    /// The database was written by another version of this program.
    #[error("{} has schema {found}, this program reads schema {right}", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The schema found.
        found: u32,
        /// The schema that this program reads and writes.
        right: u32,
    },
    /// What is kept contradicts itself.
    #[error("the store is damaged: {what}")]
    Damaged {
        /// What was found.
        what: &'static str,
        /// What went wrong below, if it was not found here.
        source: Option<Source>,
    },
    /// A record was altered, is missing, or does not follow the one before it.
    #[error("the chain of stream {stream} is broken at record {seq}")]
    BrokenChain {
        /// The stream.
        stream: StreamId,
        /// The first record that does not follow.
        seq: Seq,
    },
}

impl StoreFailure {
    /// The stable code, for logs, alarms and exit messages.
    pub const fn code(&self) -> &'static str {
        match self {
            StoreFailure::SeqTaken { .. } => "STORE_SEQ_TAKEN",
            StoreFailure::SeqAhead { .. } => "STORE_SEQ_AHEAD",
            StoreFailure::StaleLease { .. } => "STORE_STALE_LEASE",
            StoreFailure::Overdraft(_) => "STORE_OVERDRAFT",
            StoreFailure::DuplicateCommand { .. } => "STORE_DUPLICATE_COMMAND",
            StoreFailure::Malformed(_) => "STORE_MALFORMED",
            StoreFailure::ReadOnly => "STORE_READ_ONLY",
            StoreFailure::Busy(_) => "STORE_BUSY",
            StoreFailure::Stopped(_) => "STORE_STOPPED",
            StoreFailure::DiskFull(_) => "STORE_DISK_FULL",
            StoreFailure::Disk(_) => "STORE_DISK",
            StoreFailure::Missing(_) => "STORE_MISSING",
            StoreFailure::NotADatabase(_) => "STORE_NOT_A_DATABASE",
            StoreFailure::OtherApplication { .. } => "STORE_OTHER_APPLICATION",
            StoreFailure::OtherVersion { .. } => "STORE_OTHER_VERSION",
            StoreFailure::Damaged { .. } => "STORE_DAMAGED",
            StoreFailure::BrokenChain { .. } => "STORE_BROKEN_CHAIN",
        }
    }

    /// True for a refusal: the world is well, nothing was changed, and the store goes on.
    pub const fn is_refusal(&self) -> bool {
        match self {
            StoreFailure::SeqTaken { .. }
            | StoreFailure::SeqAhead { .. }
            | StoreFailure::StaleLease { .. }
            | StoreFailure::Overdraft(_)
            | StoreFailure::DuplicateCommand { .. }
            | StoreFailure::Malformed(_)
            | StoreFailure::ReadOnly => true,
            StoreFailure::Busy(_)
            | StoreFailure::Stopped(_)
            | StoreFailure::DiskFull(_)
            | StoreFailure::Disk(_)
            | StoreFailure::Missing(_)
            | StoreFailure::NotADatabase(_)
            | StoreFailure::OtherApplication { .. }
            | StoreFailure::OtherVersion { .. }
            | StoreFailure::Damaged { .. }
            | StoreFailure::BrokenChain { .. } => false,
        }
    }

    /// Damage found by this crate itself.
    pub(crate) const fn damaged(what: &'static str) -> StoreFailure {
        StoreFailure::Damaged { what, source: None }
    }
}
