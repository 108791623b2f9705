//! F7: where the system refuses to write, the writer stops; whatever was answered for stands.
//!
//! The test runs itself a second time under a limit on the size of files, so that a real write
//! fails in the middle of a real commit.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use store::{Append, Batch, Seq, Sqlite, Store, StoreFailure, StreamId};

/// Tells the second run where its file is.
const FILE: &str = "CROUPIER_TEST_STORE_FILE";
/// The largest file in the second run, in blocks of 512 bytes.
const BLOCKS: u32 = 1_000;
/// More commits than can fit.
const COMMITS_MAX: u64 = 10_000;

#[test]
fn a_writer_that_cannot_write_stops() {
    if let Some(path) = std::env::var_os(FILE) {
        return write_until_it_fails(&PathBuf::from(path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("house.sqlite");
    drop(Sqlite::open(&path).unwrap());
    let script = format!("trap '' XFSZ; ulimit -f {BLOCKS}; exec \"$0\" --nocapture");
    let test = std::env::current_exe().unwrap();
    let run = Command::new("sh").arg("-c").arg(script).arg(test).env(FILE, &path).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    let answered = said.lines().find_map(|line| line.split_once("answered ")?.1.parse().ok());
    let answered: u64 = answered.expect("the second run tells how far it came");
    assert!(answered > 5, "{answered}");

    let mut store = Sqlite::open(&path).unwrap();
    let head = store.verify_chain(StreamId(3)).unwrap().seq.0;
    assert!(head == answered || head == answered + 1, "{head} kept, {answered} answered");
    assert!(store.verify_books().unwrap().is_right());
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    store.commit(&note(head, lease)).unwrap();
}

fn note(expected: u64, lease: store::Lease) -> Batch {
    let mut append = Append::new(StreamId(3), Seq(expected), lease);
    append.record(0, "note", "x".repeat(1_000));
    Batch { appends: vec![append] }
}

fn write_until_it_fails(path: &Path) {
    let mut store = Sqlite::open(path).unwrap();
    let lease = store.acquire_lease(StreamId(3)).unwrap();
    for answered in 0..COMMITS_MAX {
        let Err(failure) = store.commit(&note(answered, lease)) else { continue };
        println!("\nanswered {answered}");
        assert!(matches!(failure, StoreFailure::Disk(_) | StoreFailure::DiskFull(_)), "{failure}");
        for _ in 0..3 {
            let next = store.commit(&note(answered, lease)).unwrap_err();
            let StoreFailure::Stopped(code) = next else { panic!("{next}") };
            assert_eq!(code, failure.code());
            assert_eq!(store.acquire_lease(StreamId(3)).unwrap_err().code(), "STORE_STOPPED");
        }
        assert_eq!(store.verify_chain(StreamId(3)).unwrap().seq, Seq(answered), "reading goes on");
        return;
    }
    panic!("the limit was never reached");
}
