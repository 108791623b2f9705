//! Checking: chains link by link, balances posting by posting.

use std::collections::BTreeMap;

use ledger::Account;
use rusqlite::Connection;

use super::read;
use super::schema::NUMBER_BITS;
use crate::failure::StoreFailure;
use crate::limits::{DIFFERENCES_MAX, OPENING_CHECK_RECORDS, PAGE_MAX};
use crate::record::{Head, Seq, StreamId};
use crate::report::{BooksReport, Difference};

/// The bits of a posting's row number that hold its number within its record.
const NUMBER_MASK: i64 = (1 << NUMBER_BITS) - 1;

/// What is looked at before a store is used: the sum of the balances and the newest links.
pub fn opening(connection: &Connection) -> Result<(), StoreFailure> {
    let transaction = connection.unchecked_transaction()?;
    if kept_sum(&transaction)? != 0 {
        return Err(StoreFailure::damaged("the balances do not add up to zero"));
    }
    for stream in read::streams(&transaction)? {
        let head = read::head(&transaction, stream)?;
        let newest = u64::try_from(OPENING_CHECK_RECORDS).expect("a small number");
        let after = Seq(head.seq.0.saturating_sub(newest));
        chain_from(&transaction, stream, after)?;
    }
    Ok(())
}

/// Reads the whole stream.
pub fn chain(connection: &Connection, stream: StreamId) -> Result<Head, StoreFailure> {
    let transaction = connection.unchecked_transaction()?;
    chain_from(&transaction, stream, Seq(0))
}

fn chain_from(connection: &Connection, stream: StreamId, after: Seq) -> Result<Head, StoreFailure> {
    let mut at = after;
    loop {
        let page = read::records(connection, stream, at, PAGE_MAX)?;
        match page.records.last() {
            Some(last) => at = last.seq,
            None => return Ok(Head { seq: at, hash: page.hash }),
        }
    }
}

/// The sum of all kept balances, which SQL itself could not add up without fear of overflow.
fn kept_sum(connection: &Connection) -> Result<i128, StoreFailure> {
    let mut find = connection.prepare_cached("SELECT balance FROM account")?;
    let rows = find.query_map([], |row| row.get::<_, i64>(0))?;
    let mut sum = 0i128;
    for balance in rows {
        sum += i128::from(balance?);
    }
    Ok(sum)
}

/// An account while its postings are counted.
struct Till {
    account: Account,
    kept: i128,
    counted: i128,
}

/// Counts every balance anew, in one view of the database.
pub fn books(connection: &Connection) -> Result<BooksReport, StoreFailure> {
    let transaction = connection.unchecked_transaction()?;
    let verdict: String =
        transaction.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(StoreFailure::Damaged {
            what: "the file contradicts itself",
            source: Some(verdict.into()),
        });
    }
    let mut report = BooksReport { sum: kept_sum(&transaction)?, ..BooksReport::default() };
    let mut tills = tills(&transaction)?;
    count(&transaction, &mut tills, &mut report)?;
    for Till { account, kept, counted } in tills.into_values() {
        report.accounts += 1;
        if kept != counted || (kept < 0 && !account.may_be_negative()) {
            report.different += 1;
            if report.differences.len() < DIFFERENCES_MAX {
                report.differences.push(Difference { account, kept, counted });
            }
        }
    }
    report.differences.sort_unstable_by_key(|difference| difference.account);
    Ok(report)
}

/// Every account with its kept balance, by its row number.
fn tills(connection: &Connection) -> Result<BTreeMap<i64, Till>, StoreFailure> {
    let mut find = connection.prepare_cached("SELECT id, name, balance FROM account")?;
    let mut rows = find.query([])?;
    let mut tills = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        let kept = i128::from(row.get::<_, i64>(2)?);
        tills.insert(row.get(0)?, Till { account: read::as_account(name)?, kept, counted: 0 });
    }
    Ok(tills)
}

/// Adds up all postings in the order of commit.
fn count(
    connection: &Connection,
    tills: &mut BTreeMap<i64, Till>,
    report: &mut BooksReport,
) -> Result<(), StoreFailure> {
    let mut find = connection.prepare_cached(
        "SELECT p.id, p.giver, p.taker, p.amount, p.player, r.id IS NULL
         FROM posting p LEFT JOIN record r ON r.id = p.id >> 20 ORDER BY p.id",
    )?;
    let mut rows = find.query([])?;
    let mut before = 0i64;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let amount = i128::from(row.get::<_, i64>(3)?);
        let mut player = None;
        for (account, amount) in [(row.get(2)?, amount), (row.get::<_, i64>(1)?, -amount)] {
            let missing = StoreFailure::damaged("a posting names an account that does not exist");
            let till = tills.get_mut(&account).ok_or(missing)?;
            till.counted += amount;
            player = till.account.player().or(player);
        }
        let first_of_record = id & NUMBER_MASK == 1 && id > before;
        let in_place = first_of_record || (id & NUMBER_MASK > 1 && id == before + 1);
        let listed: Option<i64> = row.get(4)?;
        let right = listed == player.map(|player| player.number().cast_signed());
        report.postings += 1;
        report.misplaced += u64::from(!in_place || !right || row.get::<_, bool>(5)?);
        before = id;
    }
    Ok(())
}
