//! Log and books in one SQLite file, or in memory.
//!
//! Write-ahead log, `synchronous=FULL`: a commit that has returned is on the disk. The writer
//! copies the write-ahead log back itself, so that no failure of that copy goes unseen, and after
//! any failure it stops for good: nothing is synced a second time.

mod commit;
mod open;
mod read;
mod schema;
mod verify;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ledger::{Account, Balance, PlayerId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};

use crate::batch::{AcceptedCommand, Batch, Lease};
use crate::failure::StoreFailure;
use crate::record::{Head, Record, Seq, StreamId};
use crate::report::{BooksReport, KeptPosting, PostingPlace};
use crate::{Store, limits};

pub use schema::{APPLICATION_ID, SCHEMA_VERSION};

/// Pages of the write-ahead log after which it is copied back into the database file.
const CHECKPOINT_PAGES: u32 = 1_000;

/// What may still be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Everything.
    Writing,
    /// Reading only, as asked.
    ReadingOnly,
    /// Reading only, after the failure with this code.
    Stopped(&'static str),
}

/// A [`Store`] in SQLite.
///
/// One writer per file; any number of readers beside it, each with a `Sqlite` of its own from
/// [`Sqlite::open_read_only`].
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    accounts: HashMap<Account, i64>,
    standing: Standing,
    log_pages: Arc<AtomicU32>,
}

impl From<rusqlite::Error> for StoreFailure {
    fn from(error: rusqlite::Error) -> StoreFailure {
        let Some(code) = error.sqlite_error_code() else {
            let what = "a row holds what it cannot hold";
            return StoreFailure::Damaged { what, source: Some(error.into()) };
        };
        if code == ErrorCode::DatabaseBusy || code == ErrorCode::DatabaseLocked {
            StoreFailure::Busy(error.into())
        } else if code == ErrorCode::DiskFull {
            StoreFailure::DiskFull(error.into())
        } else if code == ErrorCode::DatabaseCorrupt || code == ErrorCode::NotADatabase {
            StoreFailure::Damaged {
                what: "the file contradicts itself",
                source: Some(error.into()),
            }
        } else if code == ErrorCode::ConstraintViolation {
            StoreFailure::Damaged { what: "a row breaks its rule", source: Some(error.into()) }
        } else {
            StoreFailure::Disk(error.into())
        }
    }
}

/// Runs a statement that has no parameters and no rows.
fn run(connection: &Connection, sql: &'static str) -> Result<(), StoreFailure> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

impl Sqlite {
    fn with(mut connection: Connection, standing: Standing) -> Result<Sqlite, StoreFailure> {
        let log_pages = Arc::new(AtomicU32::new(0));
        if standing == Standing::Writing {
            let pages = Arc::clone(&log_pages);
            let note = move |_: &mut rusqlite::hooks::Wal, count: i32| {
                pages.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
                Ok(())
            };
            connection.wal_hook(Some(note))?;
        }
        Ok(Sqlite { connection, accounts: HashMap::new(), standing, log_pages })
    }

    fn may_write(&self) -> Result<(), StoreFailure> {
        match self.standing {
            Standing::Writing => Ok(()),
            Standing::ReadingOnly => Err(StoreFailure::ReadOnly),
            Standing::Stopped(code) => Err(StoreFailure::Stopped(code)),
        }
    }

    /// Writes nothing ever again, not even when it is dropped.
    fn stop(&mut self, code: &'static str) {
        self.standing = Standing::Stopped(code);
        // On failure the file is copied back at the end: from pages that were synced long ago.
        let quiet = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        drop(self.connection.set_db_config(quiet, true));
    }

    /// Does `work` in one transaction; whatever is not committed is undone.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Connection, &mut HashMap<Account, i64>) -> Result<T, StoreFailure>,
    ) -> Result<T, StoreFailure> {
        self.may_write()?;
        if let Err(failure) = run(&self.connection, "BEGIN IMMEDIATE") {
            if !matches!(failure, StoreFailure::Busy(_)) {
                self.stop(failure.code());
            }
            return Err(failure);
        }
        let done = work(&self.connection, &mut self.accounts)
            .and_then(|value| run(&self.connection, "COMMIT").map(|()| value));
        match done {
            Ok(value) => {
                self.copy_back();
                Ok(value)
            }
            Err(failure) => {
                self.accounts.clear();
                let open = !self.connection.is_autocommit();
                let undone = if open { run(&self.connection, "ROLLBACK") } else { Ok(()) };
                if !failure.is_refusal() || undone.is_err() {
                    self.stop(failure.code());
                }
                Err(failure)
            }
        }
    }

    /// Copies the write-ahead log back when it has grown long. What was committed is durable
    /// already; a failure here stops the writer before it commits anything more.
    fn copy_back(&mut self) {
        if self.log_pages.load(Ordering::Relaxed) < CHECKPOINT_PAGES {
            return;
        }
        let copied = self
            .connection
            .prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")
            .and_then(|mut statement| statement.query_row([], |_| Ok(())));
        if let Err(error) = copied {
            self.stop(StoreFailure::from(error).code());
        }
    }
}

impl Store for Sqlite {
    fn acquire_lease(&mut self, stream: StreamId) -> Result<Lease, StoreFailure> {
        self.write(|connection, _| commit::acquire_lease(connection, stream))
    }

    fn commit(&mut self, batch: &Batch) -> Result<(), StoreFailure> {
        self.may_write()?;
        batch.check()?;
        self.write(|connection, accounts| commit::commit(connection, accounts, batch))
    }

    fn head(&mut self, stream: StreamId) -> Result<Head, StoreFailure> {
        read::head(&self.connection, stream)
    }

    fn load(
        &mut self,
        stream: StreamId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Record>, StoreFailure> {
        let page = read::records(&self.connection, stream, after, limit.min(limits::PAGE_MAX))?;
        Ok(page.records)
    }

    fn streams(&mut self) -> Result<Vec<StreamId>, StoreFailure> {
        read::streams(&self.connection)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Balance)>, StoreFailure> {
        read::balances(&self.connection)
    }

    fn balance(&mut self, account: Account) -> Result<Balance, StoreFailure> {
        read::balance(&self.connection, account)
    }

    fn postings(
        &mut self,
        stream: StreamId,
        after: PostingPlace,
        limit: usize,
    ) -> Result<Vec<KeptPosting>, StoreFailure> {
        read::postings(&self.connection, stream, after, limit.min(limits::PAGE_MAX))
    }

    fn player_postings(
        &mut self,
        player: PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<KeptPosting>, StoreFailure> {
        read::player_postings(&self.connection, player, before, limit.min(limits::PAGE_MAX))
    }

    fn command(
        &mut self,
        player: PlayerId,
        command_id: &str,
    ) -> Result<Option<AcceptedCommand>, StoreFailure> {
        read::command(&self.connection, player, command_id)
    }

    fn verify_chain(&mut self, stream: StreamId) -> Result<Head, StoreFailure> {
        verify::chain(&self.connection, stream)
    }

    fn verify_books(&mut self) -> Result<BooksReport, StoreFailure> {
        verify::books(&self.connection)
    }
}
