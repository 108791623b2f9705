//! Reading: pages of records and postings, balances, remembered commands.

use chips::Chips;
use ledger::{Account, Balance, PlayerId, Posting};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::schema::NUMBER_BITS;
use crate::batch::AcceptedCommand;
use crate::failure::StoreFailure;
use crate::limits::PAGE_BYTES_MAX;
use crate::record::{ChainHash, Head, Record, Seq, StreamId};
use crate::report::{KeptPosting, PostingPlace};

/// A page of records, and the hash of the last one.
pub struct Page {
    pub records: Vec<Record>,
    pub hash: ChainHash,
}

/// A row number or bound that fits whatever came.
fn clamped(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn as_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn as_seq(number: i64) -> Result<Seq, StoreFailure> {
    u64::try_from(number).map(Seq).map_err(|_| StoreFailure::damaged("a seq is below 0"))
}

fn as_stream(number: i64) -> Result<StreamId, StoreFailure> {
    u32::try_from(number).map(StreamId).map_err(|_| StoreFailure::damaged("a stream is no stream"))
}

/// A kept balance.
pub fn as_balance(minor: i64) -> Result<Balance, StoreFailure> {
    Balance::new(minor).ok_or(StoreFailure::damaged("a balance is out of range"))
}

/// A kept name of an account.
pub fn as_account(name: &str) -> Result<Account, StoreFailure> {
    name.parse().map_err(|_| StoreFailure::damaged("an account has no proper name"))
}

pub fn head(connection: &Connection, stream: StreamId) -> Result<Head, StoreFailure> {
    let mut find = connection.prepare_cached(
        "SELECT seq, hash FROM record WHERE stream = ?1 ORDER BY seq DESC LIMIT 1",
    )?;
    let found = find.query_row([stream.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((seq, hash)) = found else { return Ok(Head::START) };
    Ok(Head { seq: as_seq(seq)?, hash: ChainHash(hash) })
}

/// The link that a record stands for; `None` where there is no such record.
fn link(
    connection: &Connection,
    stream: StreamId,
    seq: Seq,
) -> Result<Option<ChainHash>, StoreFailure> {
    if seq == Seq(0) {
        return Ok(Some(ChainHash::START));
    }
    let mut find =
        connection.prepare_cached("SELECT hash FROM record WHERE stream = ?1 AND seq = ?2")?;
    let hash = find.query_row(params![stream.0, clamped(seq.0)], |row| row.get(0)).optional()?;
    Ok(hash.map(ChainHash))
}

/// Up to `limit` records after `after`; each must follow the one before it.
pub fn records(
    connection: &Connection,
    stream: StreamId,
    after: Seq,
    limit: usize,
) -> Result<Page, StoreFailure> {
    let Some(hash) = link(connection, stream, after)? else {
        return missing_start(connection, stream, after);
    };
    let mut page = Page { records: Vec::new(), hash };
    let mut find = connection.prepare_cached(
        "SELECT seq, at_ms, kind, body, hash FROM record
         WHERE stream = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = find.query(params![stream.0, clamped(after.0), as_limit(limit)])?;
    let mut bytes = 0;
    let mut before = after;
    while let Some(row) = rows.next()? {
        let seq = as_seq(row.get(0)?)?;
        let record =
            Record { stream, seq, at_ms: row.get(1)?, kind: row.get(2)?, body: row.get(3)? };
        page.hash = page.hash.then(&record);
        let due = before.checked_add(1);
        if due != Some(seq) || page.hash != ChainHash(row.get(4)?) {
            return Err(StoreFailure::BrokenChain { stream, seq: due.unwrap_or(seq) });
        }
        before = seq;
        bytes += record.kind.len() + record.body.len();
        page.records.push(record);
        if bytes >= PAGE_BYTES_MAX {
            break;
        }
    }
    Ok(page)
}

/// Whoever asks for what comes after a record that is not there is past the end, or a record is
/// missing in the middle.
fn missing_start(
    connection: &Connection,
    stream: StreamId,
    after: Seq,
) -> Result<Page, StoreFailure> {
    let head = head(connection, stream)?;
    if head.seq > after {
        return Err(StoreFailure::BrokenChain { stream, seq: after });
    }
    Ok(Page { records: Vec::new(), hash: head.hash })
}

pub fn streams(connection: &Connection) -> Result<Vec<StreamId>, StoreFailure> {
    let mut find = connection.prepare_cached(
        "SELECT stream FROM lease
         WHERE EXISTS (SELECT 1 FROM record WHERE record.stream = lease.stream) ORDER BY stream",
    )?;
    let rows = find.query_map([], |row| row.get::<_, i64>(0))?;
    rows.map(|stream| as_stream(stream?)).collect()
}

pub fn balances(connection: &Connection) -> Result<Vec<(Account, Balance)>, StoreFailure> {
    let mut find =
        connection.prepare_cached("SELECT name, balance FROM account WHERE balance <> 0")?;
    let mut rows = find.query([])?;
    let mut balances = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        balances.push((as_account(name)?, as_balance(row.get(1)?)?));
    }
    balances.sort_unstable();
    Ok(balances)
}

pub fn balance(connection: &Connection, account: Account) -> Result<Balance, StoreFailure> {
    let mut find = connection.prepare_cached("SELECT balance FROM account WHERE name = ?1")?;
    let found = find.query_row([account.to_string()], |row| row.get(0)).optional()?;
    found.map_or(Ok(Balance::ZERO), as_balance)
}

/// The columns that [`as_posting`] reads.
macro_rules! posting_columns {
    () => {
        "SELECT p.id, r.stream, r.seq, r.at_ms, g.name, t.name, p.amount, p.reason "
    };
}

fn as_posting(row: &Row<'_>) -> Result<KeptPosting, StoreFailure> {
    let damaged = || StoreFailure::damaged("a posting is none");
    let id: u64 = u64::try_from(row.get::<_, i64>(0)?).map_err(|_| damaged())?;
    let number = u32::try_from(id & ((1 << NUMBER_BITS) - 1)).map_err(|_| damaged())?;
    let name = |column: usize| -> Result<Account, StoreFailure> {
        as_account(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
    };
    let amount = u64::try_from(row.get::<_, i64>(6)?).ok().and_then(Chips::new);
    let reason = row.get_ref(7)?.as_str().map_err(rusqlite::Error::from)?;
    let reason = reason.parse().map_err(|_| damaged())?;
    let posting = Posting::new(name(4)?, name(5)?, amount.ok_or_else(damaged)?, reason);
    Ok(KeptPosting {
        order: id,
        stream: as_stream(row.get(1)?)?,
        place: PostingPlace { seq: as_seq(row.get(2)?)?, number },
        at_ms: row.get(3)?,
        posting: posting.map_err(|_| damaged())?,
    })
}

fn page_of_postings(
    connection: &Connection,
    sql: &'static str,
    parameters: &[&dyn rusqlite::ToSql],
) -> Result<Vec<KeptPosting>, StoreFailure> {
    let mut find = connection.prepare_cached(sql)?;
    let mut rows = find.query(parameters)?;
    let mut page = Vec::new();
    while let Some(row) = rows.next()? {
        page.push(as_posting(row)?);
    }
    Ok(page)
}

pub fn postings(
    connection: &Connection,
    stream: StreamId,
    after: PostingPlace,
    limit: usize,
) -> Result<Vec<KeptPosting>, StoreFailure> {
    let sql = concat!(
        posting_columns!(),
        "FROM record r
         CROSS JOIN posting p ON p.id >= r.id << 20 AND p.id < (r.id + 1) << 20
         CROSS JOIN account g ON g.id = p.giver CROSS JOIN account t ON t.id = p.taker
         WHERE r.stream = ?1 AND r.seq >= ?2 AND (r.seq > ?2 OR p.id > (r.id << 20) + ?3)
         ORDER BY r.seq, p.id LIMIT ?4"
    );
    let (seq, number) = (clamped(after.seq.0), after.number);
    page_of_postings(connection, sql, params![stream.0, seq, number, as_limit(limit)])
}

pub fn player_postings(
    connection: &Connection,
    player: PlayerId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<KeptPosting>, StoreFailure> {
    let sql = concat!(
        posting_columns!(),
        "FROM posting p CROSS JOIN record r ON r.id = p.id >> 20
         CROSS JOIN account g ON g.id = p.giver CROSS JOIN account t ON t.id = p.taker
         WHERE p.player = ?1 AND p.id < ?2 ORDER BY p.id DESC LIMIT ?3"
    );
    let (player, before) = (clamped(player.number()), clamped(before.unwrap_or(u64::MAX)));
    page_of_postings(connection, sql, params![player, before, as_limit(limit)])
}

pub fn command(
    connection: &Connection,
    player: PlayerId,
    command_id: &str,
) -> Result<Option<AcceptedCommand>, StoreFailure> {
    let mut find = connection.prepare_cached(
        "SELECT r.stream, r.seq, c.body_hash, c.answer
         FROM command c CROSS JOIN record r ON r.id = c.record
         WHERE c.player = ?1 AND c.id = ?2",
    )?;
    let mut rows = find.query(params![clamped(player.number()), command_id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(AcceptedCommand {
        player,
        command_id: command_id.to_owned(),
        stream: as_stream(row.get(0)?)?,
        seq: as_seq(row.get(1)?)?,
        body_hash: row.get(2)?,
        answer: row.get(3)?,
    }))
}
