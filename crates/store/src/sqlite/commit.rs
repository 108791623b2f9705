//! Writing: one batch in one transaction.

use std::collections::{BTreeMap, HashMap};

use ledger::{Account, Balance, Posting};
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

use super::read;
use super::schema::NUMBER_BITS;
use crate::batch::{Append, Batch, Lease};
use crate::failure::StoreFailure;
use crate::limits::ACCOUNTS_REMEMBERED_MAX;
use crate::record::{Seq, StreamId};

/// Gives the stream to whoever asks, with the next fencing number.
pub fn acquire_lease(connection: &Connection, stream: StreamId) -> Result<Lease, StoreFailure> {
    let mut take = connection.prepare_cached(
        "INSERT INTO lease (stream, fence) VALUES (?1, 1)
         ON CONFLICT (stream) DO UPDATE SET fence = fence + 1 RETURNING fence",
    )?;
    let fence: i64 = take.query_row([stream.0], |row| row.get(0))?;
    let fence = u64::try_from(fence).map_err(|_| StoreFailure::damaged("a lease is below 1"))?;
    Ok(Lease(fence))
}

/// Writes the batch; whoever calls has begun the transaction and ends it.
pub fn commit(
    connection: &Connection,
    accounts: &mut HashMap<Account, i64>,
    batch: &Batch,
) -> Result<(), StoreFailure> {
    for append in &batch.appends {
        check_lease(connection, append)?;
    }
    let first_ids = write_records(connection, batch)?;
    write_commands(connection, batch, &first_ids)?;
    write_postings(connection, accounts, batch, &first_ids)
}

fn check_lease(connection: &Connection, append: &Append) -> Result<(), StoreFailure> {
    let (stream, given) = (append.stream, append.lease);
    let mut find = connection.prepare_cached("SELECT fence FROM lease WHERE stream = ?1")?;
    let fence: Option<i64> = find.query_row([stream.0], |row| row.get(0)).optional()?;
    let current = fence.and_then(|fence| u64::try_from(fence).ok()).map(Lease);
    if current == Some(given) {
        Ok(())
    } else {
        Err(StoreFailure::StaleLease { stream, given, current })
    }
}

/// Writes all records; returns the row number of each append's first.
fn write_records(connection: &Connection, batch: &Batch) -> Result<Vec<i64>, StoreFailure> {
    let mut hashes = Vec::with_capacity(batch.appends.len());
    for append in &batch.appends {
        let (stream, expected) = (append.stream, append.expected);
        let head = read::head(connection, stream)?;
        if head.seq > expected {
            return Err(StoreFailure::SeqTaken { stream, expected, head: head.seq });
        }
        if head.seq < expected {
            return Err(StoreFailure::SeqAhead { stream, expected, head: head.seq });
        }
        hashes.push(head.hash);
    }
    let mut id: i64 = connection
        .prepare_cached("SELECT coalesce(max(id), 0) FROM record")?
        .query_row([], |row| row.get(0))?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO record (id, stream, seq, at_ms, kind, body, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let mut first_ids = Vec::with_capacity(batch.appends.len());
    for (append, mut hash) in batch.appends.iter().zip(hashes) {
        first_ids.push(id + 1);
        for record in &append.records {
            id += 1;
            hash = hash.then(record);
            insert.execute(params![
                id,
                record.stream.0,
                record.seq.0.cast_signed(),
                record.at_ms,
                record.kind,
                record.body,
                hash.0,
            ])?;
        }
    }
    assert!(id < i64::MAX >> NUMBER_BITS, "the row numbers of postings have room for all records");
    Ok(first_ids)
}

/// The row number of a record of this append; its form has been checked.
fn record_id(append: &Append, first_id: i64, seq: Seq) -> i64 {
    first_id + (seq.0 - append.expected.0 - 1).cast_signed()
}

fn write_commands(
    connection: &Connection,
    batch: &Batch,
    first_ids: &[i64],
) -> Result<(), StoreFailure> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO command (player, id, record, body_hash, answer) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (player, id) DO NOTHING",
    )?;
    for (append, first_id) in batch.appends.iter().zip(first_ids) {
        for command in &append.commands {
            let inserted = insert.execute(params![
                command.player.number().cast_signed(),
                command.command_id,
                record_id(append, *first_id, command.seq),
                command.body_hash,
                command.answer,
            ])?;
            if inserted == 0 {
                let (player, command_id) = (command.player, command.command_id.clone());
                return Err(StoreFailure::DuplicateCommand { player, command_id });
            }
        }
    }
    Ok(())
}

/// An account that this batch moves chips in or out of.
struct Touched {
    id: i64,
    before: Balance,
    balance: Balance,
}

/// The accounts of one batch, with the statements that find them.
struct Tills<'c> {
    ids: &'c mut HashMap<Account, i64>,
    touched: BTreeMap<Account, Touched>,
    by_id: CachedStatement<'c>,
    by_name: CachedStatement<'c>,
    insert: CachedStatement<'c>,
    update: CachedStatement<'c>,
}

impl<'c> Tills<'c> {
    fn new(
        connection: &'c Connection,
        ids: &'c mut HashMap<Account, i64>,
    ) -> Result<Tills<'c>, StoreFailure> {
        if ids.len() > ACCOUNTS_REMEMBERED_MAX {
            ids.clear();
        }
        Ok(Tills {
            ids,
            touched: BTreeMap::new(),
            by_id: connection.prepare_cached("SELECT balance FROM account WHERE id = ?1")?,
            by_name: connection
                .prepare_cached("SELECT id, balance FROM account WHERE name = ?1")?,
            insert: connection
                .prepare_cached("INSERT INTO account (name) VALUES (?1) RETURNING id")?,
            update: connection.prepare_cached("UPDATE account SET balance = ?2 WHERE id = ?1")?,
        })
    }

    /// The row number and the balance of an account as the batch has left it so far.
    fn holds(&mut self, account: Account) -> Result<(i64, Balance), StoreFailure> {
        if let Some(touched) = self.touched.get(&account) {
            return Ok((touched.id, touched.balance));
        }
        let (id, balance) = self.find(account)?;
        self.touched.insert(account, Touched { id, before: balance, balance });
        Ok((id, balance))
    }

    fn find(&mut self, account: Account) -> Result<(i64, Balance), StoreFailure> {
        let (id, minor) = if let Some(id) = self.ids.get(&account) {
            (*id, self.by_id.query_row([id], |row| row.get(0))?)
        } else {
            let name = account.to_string();
            let known = self.by_name.query_row([&name], |row| Ok((row.get(0)?, row.get(1)?)));
            let (id, minor) = match known.optional()? {
                Some(known) => known,
                None => (self.insert.query_row([&name], |row| row.get(0))?, 0),
            };
            self.ids.insert(account, id);
            (id, minor)
        };
        Ok((id, read::as_balance(minor)?))
    }

    fn post(&mut self, posting: Posting) -> Result<(i64, i64), StoreFailure> {
        let (giver, from) = self.holds(posting.from())?;
        let (taker, to) = self.holds(posting.to())?;
        let (rest, full) = posting.moved(from, to)?;
        for (account, balance) in [(posting.from(), rest), (posting.to(), full)] {
            let touched = self.touched.get_mut(&account).expect("both accounts were just found");
            touched.balance = balance;
        }
        Ok((giver, taker))
    }

    fn close(mut self) -> Result<(), StoreFailure> {
        for touched in self.touched.values().filter(|t| t.balance != t.before) {
            self.update.execute(params![touched.id, touched.balance.minor()])?;
        }
        Ok(())
    }
}

fn write_postings(
    connection: &Connection,
    accounts: &mut HashMap<Account, i64>,
    batch: &Batch,
    first_ids: &[i64],
) -> Result<(), StoreFailure> {
    let mut tills = Tills::new(connection, accounts)?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO posting (id, giver, taker, amount, reason, player)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (append, first_id) in batch.appends.iter().zip(first_ids) {
        let (mut seq, mut number) = (append.expected, 0i64);
        for &(record, posting) in &append.postings {
            number = if record == seq { number + 1 } else { 1 };
            seq = record;
            assert!(number < 1 << NUMBER_BITS, "a batch holds fewer postings than a record may");
            let (giver, taker) = tills.post(posting)?;
            let player = posting.from().player().or(posting.to().player());
            insert.execute(params![
                (record_id(append, *first_id, record) << NUMBER_BITS) | number,
                giver,
                taker,
                posting.amount().minor().cast_signed(),
                posting.reason().as_str(),
                player.map(|player| player.number().cast_signed()),
            ])?;
        }
    }
    tills.close()
}
