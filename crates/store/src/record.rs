//! Records of the log and the hash chain that holds them together.

use std::fmt;

use ledger::TableId;
use sha2::{Digest, Sha256};

/// A log of its own: 0 is the house's, table `n` has stream `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

impl StreamId {
    /// The house's own log: accounts, chip grants, staff acts, rule sets.
    pub const HOUSE: StreamId = StreamId(0);
}

impl From<TableId> for StreamId {
    fn from(table: TableId) -> StreamId {
        StreamId(table.number())
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The position of a record in its stream, from 1; 0 is before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seq(pub u64);

impl Seq {
    /// The largest position: 2^53 - 1, so that every reader of JSON holds it exactly.
    pub const MAX: Seq = Seq((1 << 53) - 1);

    /// The position `count` further on, or `None` above [`Seq::MAX`].
    pub fn checked_add(self, count: usize) -> Option<Seq> {
        let sum = self.0.checked_add(u64::try_from(count).ok()?)?;
        if sum <= Seq::MAX.0 { Some(Seq(sum)) } else { None }
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// One thing that happened, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where it is written.
    pub stream: StreamId,
    /// Its position there.
    pub seq: Seq,
    /// When the house stamped it: milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// What kind of thing; 1 to [`crate::limits::KIND_BYTES_MAX`] bytes.
    pub kind: String,
    /// All about it, as JSON; opaque here. At most [`crate::limits::BODY_BYTES_MAX`] bytes.
    pub body: String,
}

/// A link of the chain: SHA-256 over the link before and every field of the record.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; 32]);

impl ChainHash {
    /// What the first record of a stream follows.
    pub const START: ChainHash = ChainHash([0; 32]);

    /// The link of `record` after this one.
    ///
    /// Hashed are the 32 bytes of the link before, then stream (4 bytes), seq (8), time (8), kind
    /// and body (UTF-8); each preceded by its length in 8 bytes; numbers are big-endian.
    #[must_use]
    pub fn then(self, record: &Record) -> ChainHash {
        let mut sha = Sha256::new_with_prefix(self.0);
        let mut field = |bytes: &[u8]| {
            let length = u64::try_from(bytes.len()).expect("a length fits into 64 bits");
            sha.update(length.to_be_bytes());
            sha.update(bytes);
        };
        field(&record.stream.0.to_be_bytes());
        field(&record.seq.0.to_be_bytes());
        field(&record.at_ms.to_be_bytes());
        field(record.kind.as_bytes());
        field(record.body.as_bytes());
        ChainHash(sha.finalize().into())
    }
}

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Where a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The last record's position, which is also the number of records.
    pub seq: Seq,
    /// The last record's link.
    pub hash: ChainHash,
}

impl Head {
    /// A stream without records.
    pub const START: Head = Head { seq: Seq(0), hash: ChainHash::START };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: &str, body: &str) -> Record {
        let (kind, body) = (kind.to_owned(), body.to_owned());
        Record { stream: StreamId(3), seq: Seq(1), at_ms: 1_767_225_600_000, kind, body }
    }

    /// Computed by another SHA-256 over the bytes that [`ChainHash::then`] describes.
    #[test]
    fn the_chain_can_be_recomputed_elsewhere() {
        let first = ChainHash::START.then(&record("bets-opened", "{}"));
        let right = "2311e2bf740abc8537a7d1a98b7b0ab2168e8d8c16160b925d8df6b68f86c3f2";
        assert_eq!(first.to_string(), right);
        let second = first.then(&Record { seq: Seq(2), ..record("bet", "{\"é\":1}") });
        assert_eq!(
            second.to_string(),
            "960572ac8b8252a1b29357df128f14680ba6eeb101433146d724ee4e4bcfedcb"
        );
    }

    #[test]
    fn every_field_counts() {
        let base = record("ab", "c");
        let others = [
            record("a", "bc"),
            Record { stream: StreamId(4), ..base.clone() },
            Record { seq: Seq(2), ..base.clone() },
            Record { at_ms: -1, ..base.clone() },
            record("ab", "d"),
            record("ac", "c"),
        ];
        let link = ChainHash::START.then(&base);
        assert_eq!(link, ChainHash::START.then(&base.clone()));
        for other in others {
            assert_ne!(link, ChainHash::START.then(&other), "{other:?}");
        }
        assert_ne!(link, link.then(&base), "the link before counts");
    }
}
