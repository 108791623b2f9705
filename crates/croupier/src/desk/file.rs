//! The desk's file: whose it is, which version, its tables.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::Connection;

use super::{Desk, DeskFailure};

/// The application's number in the file: `CrDk`.
pub const DESK_APPLICATION_ID: i64 = 0x4372_446b;
/// The version of the tables.
pub const DESK_VERSION: i64 = 1;
/// How long a connection waits for another process.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// The tables of version 1. A password is an argon2id hash in PHC form; a session is the SHA-256
/// of its token; roles and acts are words.
const TABLES: &str = "
CREATE TABLE staff (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE staff_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    act TEXT NOT NULL,
    staff INTEGER NOT NULL REFERENCES staff (id),
    login TEXT NOT NULL,
    role TEXT NOT NULL
) STRICT;
CREATE TABLE failure (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    login TEXT NOT NULL
) STRICT;
CREATE INDEX failure_of ON failure (login, at_ms);
CREATE TABLE session (
    token BLOB PRIMARY KEY,
    player INTEGER,
    staff INTEGER REFERENCES staff (id),
    ends_ms INTEGER NOT NULL,
    CHECK ((player IS NULL) <> (staff IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX session_end ON session (ends_ms);
CREATE TABLE chat (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    house_table INTEGER NOT NULL,
    player INTEGER,
    staff INTEGER,
    name TEXT NOT NULL,
    line TEXT NOT NULL
) STRICT;
CREATE INDEX chat_of ON chat (house_table, id);
CREATE INDEX chat_age ON chat (at_ms);
";

impl Desk {
    /// Opens the file at `path`, or makes it; a new file is readable by its owner alone.
    ///
    /// # Errors
    /// [`DeskFailure::NotADesk`] or [`DeskFailure::OtherVersion`] for another file, which is left
    /// as it is; [`DeskFailure::Busy`] and [`DeskFailure::Disk`].
    pub fn open(path: &Path) -> Result<Desk, DeskFailure> {
        let mut make = OpenOptions::new();
        make.read(true).append(true).create(true).mode(0o600);
        make.open(path).map_err(|why| DeskFailure::Disk(why.into()))?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_WAIT)?;
        whose(&mut connection, path)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        // A session lost with the power is signed in again; what staff accounts need is copied
        // back, and so synced, at once.
        connection.pragma_update(None, "synchronous", "normal")?;
        Ok(Desk(Mutex::new(connection)))
    }

    /// A desk that is gone when it is dropped.
    ///
    /// # Errors
    /// None but for want of memory.
    pub fn in_memory() -> Result<Desk, DeskFailure> {
        let mut connection = Connection::open_in_memory()?;
        create(&mut connection)?;
        Ok(Desk(Mutex::new(connection)))
    }
}

/// Makes the tables of a new file; refuses a stranger's.
fn whose(connection: &mut Connection, path: &Path) -> Result<(), DeskFailure> {
    let stranger = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => DeskFailure::NotADesk(path.to_owned()),
        _ => error.into(),
    };
    let number = |connection: &Connection, name: &str| {
        connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0))
    };
    let application = number(connection, "application_id").map_err(stranger)?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(stranger)?;
    if application == 0 && tables == 0 {
        return create(connection);
    }
    if application != DESK_APPLICATION_ID {
        return Err(DeskFailure::NotADesk(path.to_owned()));
    }
    let found = number(connection, "user_version")?;
    if found == DESK_VERSION {
        Ok(())
    } else {
        Err(DeskFailure::OtherVersion { path: path.to_owned(), found })
    }
}

fn create(connection: &mut Connection) -> Result<(), DeskFailure> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let made: i64 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if made == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", DESK_APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", DESK_VERSION)?;
    }
    Ok(transaction.commit()?)
}
