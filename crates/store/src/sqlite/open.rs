//! Opening: whose file is it, which version, is it whole? A file that is refused is left as it is.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{Sqlite, Standing, schema, verify};
use crate::failure::StoreFailure;

/// How long a connection waits for another process before it answers `STORE_BUSY`.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// Prepared statements kept per connection.
const STATEMENTS_MAX: usize = 64;
/// Pages of the database kept in memory per connection, in KiB, negative as SQLite wants it.
const CACHE_KIB: i64 = -65_536;
/// The write-ahead log is cut back to this many bytes when it starts anew.
const LOG_BYTES_KEPT: i64 = 64 << 20;
/// Bytes of a database file's header.
const HEADER_BYTES: usize = 100;
/// What every such file begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Where the header holds the size of a page, in two bytes; 1 stands for 65,536.
const PAGE_BYTES_AT: usize = 16;
/// Where the header holds the number of pages.
const PAGES_AT: usize = 28;
/// Where the header holds the version of the tables.
const VERSION_AT: usize = 60;
/// Where the header holds the application's number.
const APPLICATION_AT: usize = 68;

/// What lies at a path, from its first bytes, without opening it as a database.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Empty,
    Ours,
}

impl Sqlite {
    /// Opens the file at `path` for writing, or makes it.
    ///
    /// # Errors
    /// [`StoreFailure::NotADatabase`], [`StoreFailure::OtherApplication`],
    /// [`StoreFailure::OtherVersion`], [`StoreFailure::Damaged`], [`StoreFailure::BrokenChain`] for
    /// a file that cannot be used, which is left as it is; [`StoreFailure::Disk`] or
    /// [`StoreFailure::Busy`] where the world fails.
    pub fn open(path: &Path) -> Result<Sqlite, StoreFailure> {
        let found = look(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        prepare(&connection)?;
        if found != Found::Ours {
            schema::create_if_empty(&mut connection)?;
        }
        check(&connection, path)?;
        write_ahead(&connection, "wal")?;
        Sqlite::with(connection, Standing::Writing)
    }

    /// Opens the file at `path` for reading only, also while another process writes to it. Makes
    /// no database where there is none.
    ///
    /// # Errors
    /// As [`Sqlite::open`], and [`StoreFailure::Missing`] where there is no file.
    pub fn open_read_only(path: &Path) -> Result<Sqlite, StoreFailure> {
        match look(path)? {
            Found::Nothing => return Err(StoreFailure::Missing(path.to_path_buf())),
            Found::Empty => return Err(StoreFailure::NotADatabase(path.to_path_buf())),
            Found::Ours => {}
        }
        let connection = match reader(path, false) {
            Err(_) if nobody_writes(path) => reader(path, true)?,
            opened => opened?,
        };
        check(&connection, path)?;
        Sqlite::with(connection, Standing::ReadingOnly)
    }

    /// A store that is gone when it is dropped; for tests, drills and demonstrations.
    ///
    /// # Errors
    /// None but for want of memory.
    pub fn in_memory() -> Result<Sqlite, StoreFailure> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&connection)?;
        schema::create_if_empty(&mut connection)?;
        write_ahead(&connection, "memory")?;
        Sqlite::with(connection, Standing::Writing)
    }
}

/// Reads the header as plain bytes: a stranger's file is not even opened as a database.
fn look(path: &Path) -> Result<Found, StoreFailure> {
    let mut header = Vec::with_capacity(HEADER_BYTES);
    let read = File::open(path).and_then(|file| {
        let bytes = file.metadata()?.len();
        file.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
        Ok(bytes)
    });
    let bytes = match read {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(StoreFailure::Disk(error.into())),
        Ok(0) => return Ok(Found::Empty),
        Ok(bytes) => bytes,
    };
    let Ok(header) = <[u8; HEADER_BYTES]>::try_from(header) else {
        return Err(StoreFailure::NotADatabase(path.to_path_buf()));
    };
    if !header.starts_with(MAGIC) {
        return Err(StoreFailure::NotADatabase(path.to_path_buf()));
    }
    whose(path, number(&header, APPLICATION_AT), number(&header, VERSION_AT))?;
    let page_bytes = number(&header, PAGE_BYTES_AT) >> 16;
    let page_bytes = if page_bytes == 1 { 1 << 16 } else { u64::from(page_bytes) };
    if bytes < page_bytes * u64::from(number(&header, PAGES_AT)) && nobody_writes(path) {
        return Err(StoreFailure::damaged("the file is shorter than it says"));
    }
    Ok(Found::Ours)
}

/// Four bytes of the header.
fn number(header: &[u8; HEADER_BYTES], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&header[at..at + 4]);
    u32::from_be_bytes(bytes)
}

/// Refuses another application's file and another version's.
fn whose(path: &Path, application: u32, version: u32) -> Result<(), StoreFailure> {
    let path = path.to_path_buf();
    if application != schema::APPLICATION_ID {
        return Err(StoreFailure::OtherApplication { path, found: application });
    }
    if version != schema::SCHEMA_VERSION {
        let right = schema::SCHEMA_VERSION;
        return Err(StoreFailure::OtherVersion { path, found: version, right });
    }
    Ok(())
}

/// The same question once more through the database, then whether it is whole.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreFailure> {
    whose(path, schema::application(connection)?, schema::version(connection)?)?;
    schema::check(connection)?;
    verify::opening(connection)
}

fn prepare(connection: &Connection) -> Result<(), StoreFailure> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cache_size", CACHE_KIB)?;
    Ok(connection.pragma_update(None, "synchronous", "full")?)
}

/// Turns the write-ahead log on and makes sure that it and full syncing are in force.
fn write_ahead(connection: &Connection, mode: &str) -> Result<(), StoreFailure> {
    let found: String =
        connection.pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES_KEPT, |_| Ok(()))?;
    let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
    if found != mode || synchronous != 2 {
        let refused = "the file system does not allow a write-ahead log with full syncing";
        return Err(StoreFailure::Disk(refused.into()));
    }
    Ok(())
}

/// A reading connection; `alone` promises that nobody writes, so that nothing needs to be created
/// beside the file (a copy in a folder without the right to write).
fn reader(path: &Path, alone: bool) -> Result<Connection, StoreFailure> {
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if alone {
        let uri = immutable_uri(path)?;
        Connection::open_with_flags(uri, read_only | OpenFlags::SQLITE_OPEN_URI)?
    } else {
        Connection::open_with_flags(path, read_only)?
    };
    prepare(&connection)?;
    schema::version(&connection)?;
    Ok(connection)
}

/// True where no write-ahead log lies beside the file: nobody has it open for writing.
fn nobody_writes(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    !PathBuf::from(log).exists()
}

/// The path as SQLite's URI for a file that does not change.
fn immutable_uri(path: &Path) -> Result<String, StoreFailure> {
    let whole = std::path::absolute(path).map_err(|error| StoreFailure::Disk(error.into()))?;
    let not_text = || StoreFailure::Disk("the path is no UTF-8 text".into());
    let text = whole.to_str().ok_or_else(not_text)?;
    let quoted = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:{quoted}?immutable=1"))
}
