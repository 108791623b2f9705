//! The bounds of what the store takes in one go and gives back in one page.

/// Streams in one batch.
pub const APPENDS_MAX: usize = 10_000;
/// Records in one batch.
pub const RECORDS_MAX: usize = 100_000;
/// Postings in one batch.
pub const POSTINGS_MAX: usize = 500_000;
/// Accepted commands in one batch.
pub const COMMANDS_MAX: usize = 100_000;
/// Bytes of a record's kind.
pub const KIND_BYTES_MAX: usize = 64;
/// Bytes of a record's body: the settlement of a full layout is one record.
pub const BODY_BYTES_MAX: usize = 16 << 20;
/// Bytes of a client's id for a command.
pub const COMMAND_ID_BYTES_MAX: usize = 64;
/// Bytes of a remembered answer.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;
/// Rows in one page.
pub const PAGE_MAX: usize = 10_000;
/// Bytes of text after which a page of records ends.
pub const PAGE_BYTES_MAX: usize = 16 << 20;
/// Differences that a report lists one by one.
pub const DIFFERENCES_MAX: usize = 100;
/// Accounts whose row numbers are kept in memory.
pub const ACCOUNTS_REMEMBERED_MAX: usize = 200_000;
/// Newest records of each stream that are checked when the store opens.
pub const OPENING_CHECK_RECORDS: usize = 100;
