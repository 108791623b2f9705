//! What is written in one transaction: records, postings and accepted commands of some streams.

use std::collections::BTreeSet;
use std::fmt;

use ledger::{PlayerId, Posting};
use thiserror::Error;

use crate::limits::{
    ANSWER_BYTES_MAX, APPENDS_MAX, BODY_BYTES_MAX, COMMAND_ID_BYTES_MAX, COMMANDS_MAX,
    KIND_BYTES_MAX, POSTINGS_MAX, RECORDS_MAX,
};
use crate::record::{Record, Seq, StreamId};

/// The right to write to a stream: a number that grows each time somebody takes the stream over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease(pub u64);

impl fmt::Display for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A command that changed something, remembered for ever under the id that its sender gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedCommand {
    /// Who sent it.
    pub player: PlayerId,
    /// The sender's id for it; 1 to [`COMMAND_ID_BYTES_MAX`] bytes.
    pub command_id: String,
    /// SHA-256 of what was asked: the same id with another body is refused (`DUPLICATE`, OPS-40).
    pub body_hash: [u8; 32],
    /// The stream it was written to.
    pub stream: StreamId,
    /// The record that says what it did.
    pub seq: Seq,
    /// The answer that was given, to be given again; at most [`ANSWER_BYTES_MAX`] bytes.
    pub answer: String,
}

/// What one stream gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The stream.
    pub stream: StreamId,
    /// The stream's head as the writer knows it; the first record is the one after it.
    pub expected: Seq,
    /// The writer's right to this stream.
    pub lease: Lease,
    /// At least one record, counted on from `expected` without a gap.
    pub records: Vec<Record>,
    /// What moves, each with the record that caused it; in the order of records.
    pub postings: Vec<(Seq, Posting)>,
    /// What is remembered.
    pub commands: Vec<AcceptedCommand>,
}

impl Append {
    /// Nothing yet, to be written after `expected`.
    pub fn new(stream: StreamId, expected: Seq, lease: Lease) -> Append {
        let (records, postings, commands) = (Vec::new(), Vec::new(), Vec::new());
        Append { stream, expected, lease, records, postings, commands }
    }

    /// Adds a record and tells its position.
    pub fn record(&mut self, at_ms: i64, kind: impl Into<String>, body: impl Into<String>) -> Seq {
        let seq = self.records.last().map_or(self.expected, |last| last.seq);
        let seq = Seq(seq.0.saturating_add(1));
        let (kind, body) = (kind.into(), body.into());
        self.records.push(Record { stream: self.stream, seq, at_ms, kind, body });
        seq
    }
}

/// One transaction. Each stream stands in it at most once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    /// What each stream gets, in the order in which it is posted.
    pub appends: Vec<Append>,
}

/// Why a batch cannot be written by anybody: a fault of the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Malformed {
    /// Nothing to write.
    #[error("a batch holds at least one record for each of its streams")]
    Empty,
    /// More than a batch may hold.
    #[error("a batch holds at most {max} {what}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The bound.
        max: usize,
    },
    /// A text that is empty or too long.
    #[error("a {what} has {min} to {max} bytes, not {found}")]
    Length {
        /// Which text.
        what: &'static str,
        /// The shortest.
        min: usize,
        /// The longest.
        max: usize,
        /// What came.
        found: usize,
    },
    /// Two appends to one stream.
    #[error("stream {0} stands twice in one batch")]
    StreamTwice(StreamId),
    /// A record or command of another stream.
    #[error("something for stream {found} stands among what stream {stream} gets")]
    OtherStream {
        /// The append's stream.
        stream: StreamId,
        /// The record's or command's stream.
        found: StreamId,
    },
    /// A record that does not follow the one before it.
    #[error("stream {stream}: record {found} stands where {right} is due")]
    SeqOutOfOrder {
        /// The stream.
        stream: StreamId,
        /// The position due.
        right: Seq,
        /// The position found.
        found: Seq,
    },
    /// A posting or command whose record is not in the batch, or a posting before an earlier one.
    #[error("stream {stream}: a posting or command names record {found}, which is not its place")]
    NoSuchRecord {
        /// The stream.
        stream: StreamId,
        /// The position named.
        found: Seq,
    },
    /// A posting between two players.
    #[error("stream {stream}: a posting of record {seq} is between two players")]
    TwoPlayers {
        /// The stream.
        stream: StreamId,
        /// The record.
        seq: Seq,
    },
}

/// Refuses a text that is too short or too long.
fn length(what: &'static str, text: &str, min: usize, max: usize) -> Result<(), Malformed> {
    let found = text.len();
    if (min..=max).contains(&found) {
        Ok(())
    } else {
        Err(Malformed::Length { what, min, max, found })
    }
}

/// Refuses more than `max` in all appends together.
fn at_most(
    what: &'static str,
    max: usize,
    counts: impl Iterator<Item = usize>,
) -> Result<(), Malformed> {
    let sum = counts.fold(0usize, usize::saturating_add);
    if sum > max { Err(Malformed::TooMany { what, max }) } else { Ok(()) }
}

impl Batch {
    /// Judges the form alone, without looking at what is kept.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), Malformed> {
        let appends = || self.appends.iter();
        if self.appends.is_empty() || appends().any(|append| append.records.is_empty()) {
            return Err(Malformed::Empty);
        }
        at_most("streams", APPENDS_MAX, std::iter::once(self.appends.len()))?;
        at_most("records", RECORDS_MAX, appends().map(|append| append.records.len()))?;
        at_most("postings", POSTINGS_MAX, appends().map(|append| append.postings.len()))?;
        at_most("commands", COMMANDS_MAX, appends().map(|append| append.commands.len()))?;
        let mut streams = BTreeSet::new();
        for append in &self.appends {
            if !streams.insert(append.stream) {
                return Err(Malformed::StreamTwice(append.stream));
            }
            append.check_records()?;
            append.check_postings()?;
            append.check_commands()?;
        }
        Ok(())
    }
}

impl Append {
    fn check_records(&self) -> Result<(), Malformed> {
        let stream = self.stream;
        let mut before = self.expected;
        for record in &self.records {
            let found = record.seq;
            if record.stream != stream {
                return Err(Malformed::OtherStream { stream, found: record.stream });
            }
            let right = before.checked_add(1).filter(|right| *right == found);
            let due = Seq(before.0.saturating_add(1));
            before = right.ok_or(Malformed::SeqOutOfOrder { stream, right: due, found })?;
            length("kind", &record.kind, 1, KIND_BYTES_MAX)?;
            length("body", &record.body, 0, BODY_BYTES_MAX)?;
        }
        Ok(())
    }

    /// True where `seq` is a record of this append.
    fn holds(&self, seq: Seq) -> bool {
        seq > self.expected && self.records.last().is_some_and(|last| seq <= last.seq)
    }

    fn check_postings(&self) -> Result<(), Malformed> {
        let stream = self.stream;
        let mut before = self.expected;
        for &(seq, posting) in &self.postings {
            if !self.holds(seq) || seq < before {
                return Err(Malformed::NoSuchRecord { stream, found: seq });
            }
            before = seq;
            let players = (posting.from().player(), posting.to().player());
            if let (Some(giver), Some(taker)) = players
                && giver != taker
            {
                return Err(Malformed::TwoPlayers { stream, seq });
            }
        }
        Ok(())
    }

    fn check_commands(&self) -> Result<(), Malformed> {
        let stream = self.stream;
        for command in &self.commands {
            if command.stream != stream {
                return Err(Malformed::OtherStream { stream, found: command.stream });
            }
            if !self.holds(command.seq) {
                return Err(Malformed::NoSuchRecord { stream, found: command.seq });
            }
            length("command id", &command.command_id, 1, COMMAND_ID_BYTES_MAX)?;
            length("answer", &command.answer, 0, ANSWER_BYTES_MAX)?;
        }
        Ok(())
    }
}
