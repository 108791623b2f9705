//! What only a file can suffer: reopening, crashes, damage, strangers, full disks.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use store::{
    APPLICATION_ID, Append, Lease, SCHEMA_VERSION, Seq, Sqlite, Store, StoreFailure, StreamId,
};
use tempfile::TempDir;

use crate::contract::{START_MS, append, batch, grant, kept, sight, stake};

/// A folder with a file that holds `count` records in stream 3, all balanced; the store is closed.
fn house(count: u64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("house.sqlite");
    let mut store = Sqlite::open(&path).unwrap();
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    for expected in 0..count {
        deal(&mut store, lease, expected);
    }
    (folder, path)
}

/// One commit: a record in which player 7 gets 10.00 and stakes 4.00.
fn deal(store: &mut Sqlite, lease: Lease, expected: u64) {
    let postings = [grant(7, 1_000), stake(7, 3, 400)];
    store.commit(&batch(vec![append(3, expected, lease, &postings)])).unwrap();
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Changes rows behind the store's back, past the rules of its tables.
fn alter(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "ignore_check_constraints", true).unwrap();
    let mut find = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
        .unwrap();
    let triggers: Vec<(String, String)> = find
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    drop(find);
    for (name, _) in &triggers {
        connection.execute(&format!("DROP TRIGGER {name}"), []).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    for (_, sql) in &triggers {
        connection.execute(sql, []).unwrap();
    }
}

/// Opening for writing and for reading both answer this, and the file is as it was.
fn cannot_be_opened(path: &Path, code: &str) {
    let before = fs::read(path).unwrap();
    for (how, opened) in [("write", Sqlite::open(path)), ("read", Sqlite::open_read_only(path))] {
        let failure = opened.unwrap_err();
        assert_eq!(failure.code(), code, "{how}: {failure}");
        assert_eq!(fs::read(path).unwrap(), before, "{how}");
    }
}

#[test]
fn a_store_opened_again_is_the_same() {
    let (_folder, path) = house(3);
    let first = sight(&mut Sqlite::open(&path).unwrap());
    let mut again = Sqlite::open(&path).unwrap();
    assert_eq!(sight(&mut again), first);
    assert_eq!(kept(&mut again), "cage -3000, player:7 1800, layout:3 1200");
    let stale = again.commit(&batch(vec![append(3, 3, Lease(0), &[])])).unwrap_err();
    assert_eq!(stale.code(), "STORE_STALE_LEASE");
    let lease = again.acquire_lease(StreamId(3)).unwrap();
    deal(&mut again, lease, 3);
    assert_eq!(again.verify_chain(StreamId(3)).unwrap().seq, Seq(4));
}

/// F21: the old writer's lease is void the moment that another one takes the stream.
#[test]
fn of_two_writers_one_goes_on() {
    let (_folder, path) = house(1);
    let (mut old, mut new) = (Sqlite::open(&path).unwrap(), Sqlite::open(&path).unwrap());
    let stale = old.acquire_lease(StreamId(3)).unwrap();
    deal(&mut old, stale, 1);
    let lease = new.acquire_lease(StreamId(3)).unwrap();
    let late = old.commit(&batch(vec![append(3, 2, stale, &[grant(9, 1)])])).unwrap_err();
    assert_eq!(late.code(), "STORE_STALE_LEASE");
    deal(&mut new, lease, 2);
    let house = old.acquire_lease(StreamId::HOUSE).unwrap();
    old.commit(&batch(vec![append(0, 0, house, &[grant(7, 5)])])).unwrap();
    deal(&mut new, lease, 3);
    assert_eq!(kept(&mut old), "cage -4005, player:7 2405, layout:3 1600");
    assert_eq!(sight(&mut old), sight(&mut new));
}

#[test]
fn an_altered_row_breaks_the_chain() {
    for (sql, at) in [
        ("UPDATE record SET body = '{}' WHERE seq = 2", 2),
        ("UPDATE record SET at_ms = at_ms + 1 WHERE seq = 3", 3),
        ("UPDATE record SET kind = 'other' WHERE seq = 1", 1),
        ("UPDATE record SET hash = zeroblob(32) WHERE seq = 2", 2),
        ("UPDATE record SET seq = 9 WHERE seq = 4", 4),
        (
            "DELETE FROM posting; DELETE FROM record WHERE seq = 2; UPDATE account SET balance = 0",
            2,
        ),
    ] {
        let (_folder, path) = house(4);
        alter(&path, sql);
        cannot_be_opened(&path, "STORE_BROKEN_CHAIN");
        let Err(StoreFailure::BrokenChain { stream: StreamId(3), seq }) = Sqlite::open(&path)
        else {
            panic!("{sql}: the place is named")
        };
        assert_eq!(seq, Seq(at), "{sql}");
    }
}

/// Further back than opening looks, whoever reads on finds it.
#[test]
fn an_old_altered_row_is_found_when_it_is_read() {
    let (_folder, path) = house(150);
    alter(&path, "UPDATE record SET body = 'x' WHERE seq = 5");
    let mut store = Sqlite::open(&path).unwrap();
    let broken = |failure: StoreFailure| {
        matches!(failure, StoreFailure::BrokenChain { stream: StreamId(3), seq: Seq(5) })
    };
    assert!(broken(store.load(StreamId(3), Seq(0), 10).unwrap_err()));
    assert!(broken(store.load(StreamId(3), Seq(4), 1).unwrap_err()));
    assert!(broken(store.verify_chain(StreamId(3)).unwrap_err()));
    assert_eq!(store.load(StreamId(3), Seq(0), 4).unwrap().len(), 4);
}

#[test]
fn an_altered_balance_is_found() {
    let (_folder, path) = house(2);
    alter(&path, "UPDATE account SET balance = balance + 5 WHERE name = 'player:7'");
    cannot_be_opened(&path, "STORE_DAMAGED");
    alter(&path, "UPDATE account SET balance = balance - 5 WHERE name = 'layout:3'");
    let mut store = Sqlite::open_read_only(&path).unwrap();
    let report = store.verify_books().unwrap();
    assert!(!report.is_right());
    let shown: Vec<String> = report
        .differences
        .iter()
        .map(|d| format!("{} {} {}", d.account, d.kept, d.counted))
        .collect();
    assert_eq!(shown, ["player:7 1205 1200", "layout:3 795 800"]);
    assert_eq!((report.different, report.sum, report.misplaced), (2, 0, 0));
}

#[test]
fn an_altered_posting_is_found() {
    for sql in [
        "UPDATE posting SET amount = amount + 1 WHERE id = (SELECT max(id) FROM posting)",
        "DELETE FROM posting WHERE id = (SELECT max(id) FROM posting)",
        "UPDATE posting SET id = id + 1 WHERE id = (SELECT max(id) FROM posting)",
        "UPDATE posting SET id = 99 << 20 | 1 WHERE id = (SELECT max(id) FROM posting)",
        "UPDATE posting SET player = 8 WHERE id = (SELECT max(id) FROM posting)",
        "UPDATE posting SET player = NULL WHERE id = (SELECT max(id) FROM posting)",
    ] {
        let (_folder, path) = house(2);
        alter(&path, &format!("PRAGMA foreign_keys = OFF; {sql}"));
        let mut store = Sqlite::open(&path).unwrap();
        assert!(!store.verify_books().unwrap().is_right(), "{sql}");
    }
}

#[test]
fn nothing_written_can_be_edited() {
    let (_folder, path) = house(2);
    let connection = Connection::open(&path).unwrap();
    for sql in [
        "UPDATE record SET body = ''",
        "DELETE FROM record",
        "UPDATE posting SET amount = 1",
        "DELETE FROM posting",
        "UPDATE account SET balance = -1 WHERE name = 'player:7'",
        "UPDATE account SET balance = -1 WHERE name = 'layout:3'",
        "INSERT INTO posting (giver, taker, amount, reason) VALUES (1, 1, 5, 'grant')",
        "INSERT INTO posting (giver, taker, amount, reason) VALUES (1, 2, 0, 'grant')",
    ] {
        assert!(connection.execute(sql, []).is_err(), "{sql}");
    }
    connection.execute("UPDATE account SET balance = -1 WHERE name = 'cage'", []).unwrap();
}

#[test]
fn a_file_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.sqlite");
    for (text, code) in [
        (&b"not a database at all"[..], "STORE_NOT_A_DATABASE"),
        (&[0u8; 4096][..], "STORE_NOT_A_DATABASE"),
        (&b"SQLite format 3\0"[..], "STORE_NOT_A_DATABASE"),
    ] {
        fs::write(&path, text).unwrap();
        cannot_be_opened(&path, code);
    }
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE t (a); PRAGMA user_version = 1").unwrap();
    cannot_be_opened(&path, "STORE_OTHER_APPLICATION");
    other.pragma_update(None, "application_id", 0x0f05_5111).unwrap();
    cannot_be_opened(&path, "STORE_OTHER_APPLICATION");
    drop(other);
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing was put beside it: {files:?}");
    assert_eq!(Sqlite::open(folder.path()).unwrap_err().code(), "STORE_DISK", "a folder");
}

#[test]
fn another_version_is_left_alone() {
    let (_folder, path) = house(1);
    for version in [0, SCHEMA_VERSION + 1] {
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        drop(connection);
        cannot_be_opened(&path, "STORE_OTHER_VERSION");
    }
    let connection = Connection::open(&path).unwrap();
    let found: u32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
    assert_eq!(found, APPLICATION_ID);
}

#[test]
fn a_changed_table_is_damage() {
    for sql in ["DROP TRIGGER record_stays", "DROP INDEX posting_of_player", "DROP TABLE command"] {
        let (_folder, path) = house(1);
        Connection::open(&path).unwrap().execute(sql, []).unwrap();
        cannot_be_opened(&path, "STORE_DAMAGED");
    }
}

/// F6: a file with bytes changed anywhere is refused or reads right, and never panics.
#[test]
fn damaged_bytes_never_pass_for_another_balance() {
    let (_folder, path) = house(20);
    drop(Sqlite::open(&path).unwrap());
    let whole = fs::read(&path).unwrap();
    let right = sight(&mut Sqlite::open_read_only(&path).unwrap());
    let (mut refused, mut unhurt) = (0u32, 0u32);
    for at in (0..whole.len()).step_by(61) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let mut store = match Sqlite::open(&path) {
            Ok(store) => store,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        match whole_sight(&mut store) {
            Some(found) if found == right => unhurt += 1,
            Some(found) => panic!("byte {at} passed: {found:?}"),
            None => refused += 1,
        }
    }
    assert!(refused > 50 && unhurt > 50, "{refused} refused, {unhurt} unhurt");
}

type Sight = (Vec<Vec<store::Record>>, String, Vec<store::Head>, Vec<store::KeptPosting>);

/// What can be seen, if every check that a careful reader makes is content.
fn whole_sight(store: &mut Sqlite) -> Option<Sight> {
    let streams = store.streams().ok()?;
    if streams != [StreamId(3)] || !store.verify_books().ok()?.is_right() {
        return None;
    }
    store.verify_chain(StreamId(3)).ok()?;
    store.load(StreamId(3), Seq(0), 100).ok()?;
    let balances = store.balances().ok()?;
    let postings = store.postings(StreamId(3), store::PostingPlace::START, 100).ok()?;
    let mut books = ledger::Books::default();
    for kept in &postings {
        books.verify(&[kept.posting]).ok()?;
        books.post(&[kept.posting]);
    }
    (books.iter().collect::<Vec<_>>() == balances).then(|| sight(store))
}

#[test]
fn a_cut_file_is_refused() {
    let (_folder, path) = house(20);
    let whole = fs::read(&path).unwrap();
    for length in [99, 100, 4_000, 4_096, 8_192, whole.len() - 4_096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let code = if length < 100 { "STORE_NOT_A_DATABASE" } else { "STORE_DAMAGED" };
        cannot_be_opened(&path, code);
    }
}

/// F4, F5: what was committed is in the files at that moment, and a torn commit is no commit.
#[test]
fn a_crash_keeps_what_was_committed() {
    let (folder, path) = house(2);
    let log = beside(&path, "-wal");
    let copy = folder.path().join("copy.sqlite");
    let mut store = Sqlite::open(&path).unwrap();
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut lengths = Vec::new();
    for expected in 2..6 {
        deal(&mut store, lease, expected);
        lengths.push((fs::metadata(&log).unwrap().len(), expected + 1));
        let (right, found) = (sight(&mut store), crash(&path, &copy, u64::MAX));
        assert_eq!(found.unwrap(), right, "after {expected}");
    }
    let (first, last) = (lengths[0].0, lengths[3].0);
    for length in (first..=last).step_by(509) {
        let found = crash(&path, &copy, length).unwrap();
        let committed = lengths.iter().rev().find(|(l, _)| *l <= length).unwrap().1;
        assert_eq!(found.2[0].seq, Seq(committed), "log cut at {length}");
        let stakes = 400 * committed;
        assert!(found.1.ends_with(&format!("layout:3 {stakes}")), "{}", found.1);
    }
}

/// Opens a copy of the files as they are on the disk, the write-ahead log cut at `length`.
fn crash(path: &Path, copy: &Path, length: u64) -> Result<Sight, StoreFailure> {
    for ending in ["", "-wal"] {
        fs::copy(beside(path, ending), beside(copy, ending)).unwrap();
    }
    let log = fs::File::options().write(true).open(beside(copy, "-wal")).unwrap();
    let whole = log.metadata().unwrap().len();
    log.set_len(whole.min(length)).unwrap();
    let mut store = Sqlite::open(copy)?;
    Ok(sight(&mut store))
}

#[test]
fn a_reader_sees_what_is_committed_and_writes_nothing() {
    let (folder, path) = house(2);
    let mut writer = Sqlite::open(&path).unwrap();
    let lease = writer.acquire_lease(StreamId(3)).unwrap();
    let mut reader = Sqlite::open_read_only(&path).unwrap();
    assert_eq!(reader.head(StreamId(3)).unwrap().seq, Seq(2));
    deal(&mut writer, lease, 2);
    assert_eq!(reader.head(StreamId(3)).unwrap().seq, Seq(3));
    assert_eq!(sight(&mut reader), sight(&mut writer));
    let writes = [
        reader.commit(&batch(vec![append(3, 3, lease, &[])])).unwrap_err(),
        reader.acquire_lease(StreamId(3)).unwrap_err(),
    ];
    assert_eq!(writes.map(|failure| failure.code()), ["STORE_READ_ONLY"; 2]);

    let missing = folder.path().join("missing.sqlite");
    let failure = Sqlite::open_read_only(&missing).unwrap_err();
    assert_eq!(failure.code(), "STORE_MISSING");
    assert!(failure.to_string().contains("missing.sqlite"), "{failure}");
    assert!(!missing.exists());
    fs::write(&missing, "").unwrap();
    assert_eq!(Sqlite::open_read_only(&missing).unwrap_err().code(), "STORE_NOT_A_DATABASE");
    assert_eq!(fs::metadata(&missing).unwrap().len(), 0);
}

#[test]
fn a_copy_can_be_read() {
    let (folder, path) = house(2);
    let mut store = Sqlite::open(&path).unwrap();
    let right = sight(&mut store);
    drop(store);
    let copy = folder.path().join("a copy? of #1 100%.sqlite");
    fs::copy(&path, &copy).unwrap();
    assert_eq!(sight(&mut Sqlite::open_read_only(&copy).unwrap()), right);
    // A name so long that nothing can be put beside it, as in a folder without that right.
    let folder = tempfile::tempdir().unwrap();
    let lonely = folder.path().join(format!("a?b#c%{}.sqlite", "x".repeat(241)));
    fs::copy(&path, &lonely).unwrap();
    assert_eq!(sight(&mut Sqlite::open_read_only(&lonely).unwrap()), right);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The write-ahead log is copied back in time and does not grow for ever.
#[test]
fn the_log_file_stays_small() {
    let (_folder, path) = house(0);
    let mut store = Sqlite::open(&path).unwrap();
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    let mut longest = 0;
    for number in 0..60 {
        let mut append = Append::new(StreamId(3), Seq(number * 10), lease);
        for _ in 0..10 {
            append.record(START_MS, "note", "x".repeat(100_000));
        }
        store.commit(&batch(vec![append])).unwrap();
        longest = longest.max(fs::metadata(beside(&path, "-wal")).unwrap().len());
    }
    assert!(fs::metadata(&path).unwrap().len() > 50_000_000);
    assert!(longest < 10_000_000, "{longest}");
}
