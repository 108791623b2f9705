//! The tables, and how the file tells whose it is.

use rusqlite::Connection;

use crate::failure::StoreFailure;

/// The number in the file's header that says whose file it is: `crpr` in ASCII.
pub const APPLICATION_ID: u32 = 0x6372_7072;

/// The version of the tables that this program reads and writes, in the file's header too.
pub const SCHEMA_VERSION: u32 = 1;

/// A posting's row number is its record's, shifted by this many bits, plus its number among the
/// postings of that record: so postings lie in the order of commit and need no index to be found.
pub const NUMBER_BITS: u32 = 20;

/// Everything in the file, as SQLite keeps it.
///
/// The rules are the last wall, not the first: the code has judged before it writes. Nothing that
/// was written can be edited or taken out (OPS-52).
pub const SCHEMA: [&str; 12] = [
    "CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL CHECK (stream BETWEEN 0 AND 4294967295),
  seq INTEGER NOT NULL CHECK (seq BETWEEN 1 AND 9007199254740991),
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  UNIQUE (stream, seq)
) STRICT",
    "CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  balance INTEGER NOT NULL DEFAULT 0
    CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991)
    CHECK (balance >= 0 OR name = 'cage' OR name GLOB 'float:*')
) STRICT",
    "CREATE TABLE posting (
  id INTEGER PRIMARY KEY,
  record INTEGER GENERATED ALWAYS AS (id >> 20) VIRTUAL REFERENCES record (id),
  giver INTEGER NOT NULL REFERENCES account (id),
  taker INTEGER NOT NULL REFERENCES account (id) CHECK (taker <> giver),
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  reason TEXT NOT NULL,
  player INTEGER
) STRICT",
    "CREATE INDEX posting_of_player ON posting (player) WHERE player IS NOT NULL",
    "CREATE TABLE command (
  player INTEGER NOT NULL,
  id TEXT NOT NULL,
  record INTEGER NOT NULL REFERENCES record (id),
  body_hash BLOB NOT NULL CHECK (length(body_hash) = 32),
  answer TEXT NOT NULL,
  PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID",
    "CREATE TABLE lease (
  stream INTEGER PRIMARY KEY CHECK (stream BETWEEN 0 AND 4294967295),
  fence INTEGER NOT NULL CHECK (fence >= 1)
) STRICT",
    "CREATE TRIGGER record_stays BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'a record is never edited'); END",
    "CREATE TRIGGER record_is_kept BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'a record is never taken out'); END",
    "CREATE TRIGGER posting_stays BEFORE UPDATE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never edited'); END",
    "CREATE TRIGGER posting_is_kept BEFORE DELETE ON posting
BEGIN SELECT RAISE(ABORT, 'a posting is never taken out'); END",
    "CREATE TRIGGER command_stays BEFORE UPDATE ON command
BEGIN SELECT RAISE(ABORT, 'a command is never edited'); END",
    "CREATE TRIGGER command_is_kept BEFORE DELETE ON command
BEGIN SELECT RAISE(ABORT, 'a command is never forgotten'); END",
];

/// Makes the tables in one transaction if the database is still empty.
pub fn create_if_empty(connection: &mut Connection) -> Result<(), StoreFailure> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive)?;
    let things: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if things == 0 && version(&transaction)? == 0 && application(&transaction)? == 0 {
        for statement in SCHEMA {
            transaction.execute(statement, [])?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    Ok(transaction.commit()?)
}

/// The application's number in the header.
pub fn application(connection: &Connection) -> Result<u32, StoreFailure> {
    Ok(connection.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

/// The version in the header.
pub fn version(connection: &Connection) -> Result<u32, StoreFailure> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Refuses a file whose tables are not the ones that this version makes.
pub fn check(connection: &Connection) -> Result<(), StoreFailure> {
    let mut find = connection.prepare("SELECT count(*) FROM sqlite_schema WHERE sql = ?1")?;
    for statement in SCHEMA {
        let found: i64 = find.query_row([statement], |row| row.get(0))?;
        if found != 1 {
            return Err(StoreFailure::damaged("a table, index or trigger is not as it was made"));
        }
    }
    Ok(())
}
