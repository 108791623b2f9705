//! Random batches, good and bad, against books and logs kept in memory by the plainest means.

use std::collections::BTreeMap;

use ledger::Books;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use store::{Append, Batch, ChainHash, Head, Lease, Seq, Sqlite, Store, StreamId};

use crate::contract::{START_MS, append, batch, grant, stake};

/// What somebody does to the store.
#[derive(Debug, Clone)]
enum Deed {
    /// Takes a stream over.
    Take(u32),
    /// Commits one append for each.
    Commit(Vec<Offer>),
}

/// One append, right or a little wrong.
#[derive(Debug, Clone)]
struct Offer {
    stream: u32,
    /// Added to the right seq.
    seq_off: u64,
    /// Added to the right lease.
    lease_off: u64,
    /// Grants (true) and stakes (false): player and smallest units.
    postings: Vec<(bool, u64, u64)>,
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let mostly_right = || prop_oneof![12 => Just(0u64), 1 => Just(1u64)];
    let postings = prop::collection::vec((any::<bool>(), 1..4u64, 1..60u64), 0..4);
    let one = (1..4u32, mostly_right(), mostly_right(), postings).prop_map(
        |(stream, seq_off, lease_off, postings)| Offer { stream, seq_off, lease_off, postings },
    );
    prop_oneof![
        1 => (1..4u32).prop_map(Deed::Take),
        5 => prop::collection::vec(one, 1..3).prop_map(Deed::Commit),
    ]
}

#[derive(Default)]
struct Model {
    leases: BTreeMap<u32, u64>,
    heads: BTreeMap<u32, Head>,
    books: Books,
}

impl Model {
    /// The code of the refusal that is right for this batch.
    fn judge(&self, batch: &Batch) -> Option<&'static str> {
        let mut seen: Vec<StreamId> = batch.appends.iter().map(|append| append.stream).collect();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() < batch.appends.len() {
            return Some("STORE_MALFORMED");
        }
        let current = |a: &Append| self.leases.get(&a.stream.0).copied().map(Lease);
        if batch.appends.iter().any(|a| current(a) != Some(a.lease)) {
            return Some("STORE_STALE_LEASE");
        }
        for append in &batch.appends {
            match self.head(append.stream.0).seq.cmp(&append.expected) {
                std::cmp::Ordering::Less => return Some("STORE_SEQ_AHEAD"),
                std::cmp::Ordering::Greater => return Some("STORE_SEQ_TAKEN"),
                std::cmp::Ordering::Equal => {}
            }
        }
        let postings: Vec<_> = postings_of(batch);
        self.books.verify(&postings).err().map(|_| "STORE_OVERDRAFT")
    }

    fn head(&self, stream: u32) -> Head {
        self.heads.get(&stream).copied().unwrap_or(Head::START)
    }

    /// What is offered, against the seq and the lease that are right now.
    fn append(&self, offer: &Offer) -> Append {
        let lease = self.leases.get(&offer.stream).copied().unwrap_or(0) + offer.lease_off;
        let expected = self.head(offer.stream).seq.0 + offer.seq_off;
        let postings: Vec<_> = offer
            .postings
            .iter()
            .map(|(give, player, minor)| match give {
                true => grant(*player, *minor),
                false => stake(*player, offer.stream, *minor),
            })
            .collect();
        let mut append = append(offer.stream, expected, Lease(lease), &postings);
        append.record(START_MS, "more", "[]");
        append
    }

    fn write(&mut self, batch: &Batch) {
        self.books.post(&postings_of(batch));
        for append in &batch.appends {
            let head = self.head(append.stream.0);
            let hash = append.records.iter().fold(head.hash, ChainHash::then);
            let seq = append.records.last().unwrap().seq;
            self.heads.insert(append.stream.0, Head { seq, hash });
        }
    }
}

fn postings_of(batch: &Batch) -> Vec<ledger::Posting> {
    batch.appends.iter().flat_map(|a| a.postings.iter().map(|(_, posting)| *posting)).collect()
}

#[test]
fn a_store_does_what_plain_books_do() {
    let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    let seen = std::cell::RefCell::new(&mut counts);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(any_deed(), 1..60), |deeds| {
        let mut store = Sqlite::in_memory().unwrap();
        let mut model = Model::default();
        for deed in deeds {
            let code = act(&mut store, &mut model, deed)?;
            *seen.borrow_mut().entry(code).or_default() += 1;
        }
        Ok(())
    });
    outcome.unwrap();
    let reached = [
        "OK",
        "TAKEN",
        "STORE_MALFORMED",
        "STORE_STALE_LEASE",
        "STORE_SEQ_AHEAD",
        "STORE_OVERDRAFT",
    ];
    for code in reached {
        assert!(counts.get(code).is_some_and(|count| *count >= 20), "{code}: {counts:?}");
    }
}

/// Does the deed to both and compares all that can be seen.
fn act(store: &mut Sqlite, model: &mut Model, deed: Deed) -> Result<&'static str, TestCaseError> {
    let code = match deed {
        Deed::Take(stream) => {
            let lease = store.acquire_lease(StreamId(stream)).unwrap();
            let fence = model.leases.entry(stream).or_default();
            *fence += 1;
            prop_assert_eq!(lease, Lease(*fence));
            "TAKEN"
        }
        Deed::Commit(appends) => {
            let appends = appends.iter().map(|offer| model.append(offer));
            let batch = batch(appends.collect());
            let right = model.judge(&batch);
            match store.commit(&batch) {
                Ok(()) => model.write(&batch),
                Err(failure) => prop_assert_eq!(Some(failure.code()), right),
            }
            right.unwrap_or("OK")
        }
    };
    prop_assert_eq!(store.balances().unwrap(), model.books.iter().collect::<Vec<_>>());
    for stream in 1..4 {
        prop_assert_eq!(store.verify_chain(StreamId(stream)).unwrap(), model.head(stream));
        prop_assert!(store.load(StreamId(stream), Seq(0), 1).is_ok());
    }
    prop_assert!(store.verify_books().unwrap().is_right());
    Ok(code)
}
