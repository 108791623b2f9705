//! The reception desk: staff accounts, sessions and chat, in a file of their own beside the log.
//!
//! What is here is either secret (password hashes, sessions) or must be deletable (chat), so it is
//! kept out of a log from which nothing is ever deleted (docs/decisions/0004). Of a session only
//! the hash of its token is kept: who reads the file cannot sign in with it.

mod chat;
mod file;
mod sessions;
mod staff;

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, ErrorCode};

pub use chat::{CHAT_AGE_MS, CHAT_LINES_MAX, CHAT_PAGE_MAX};
pub use file::{DESK_APPLICATION_ID, DESK_VERSION};
pub use sessions::{SESSIONS_MAX, Token, Who};
pub use staff::{
    FAILURES_MAX, FAILURES_WITHIN_MS, LOGIN_MAX, NotALogin, Password, STAFF_MAX, SignIn,
    StaffAccount,
};

/// Why the desk could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum DeskFailure {
    /// The file is something else.
    #[error("{} is no desk file", .0.display())]
    NotADesk(PathBuf),
    /// The file was written by another version of this program.
    #[error("{} has version {found}, this program reads version {DESK_VERSION}", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: i64,
    },
    /// Another process holds the file for too long; nothing was changed.
    #[error("the desk is held by another process")]
    Busy(#[source] rusqlite::Error),
    /// The disk or the file failed.
    #[error("the desk failed")]
    Disk(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A text that is no login.
    #[error(transparent)]
    NotALogin(#[from] NotALogin),
    /// There is a member of staff of this login already.
    #[error("there is a member of staff `{0}` already")]
    LoginTaken(String),
    /// There is no such member of staff.
    #[error("there is no member of staff `{0}`")]
    NoSuchLogin(String),
    /// As many as there may be.
    #[error("there may be at most {0}")]
    Full(usize),
}

impl DeskFailure {
    /// The stable code, for logs and exit messages.
    pub const fn code(&self) -> &'static str {
        match self {
            DeskFailure::NotADesk(_) => "DESK_NOT_A_DESK",
            DeskFailure::OtherVersion { .. } => "DESK_OTHER_VERSION",
            DeskFailure::Busy(_) => "DESK_BUSY",
            DeskFailure::Disk(_) => "DESK_DISK",
            DeskFailure::NotALogin(_) => "DESK_NOT_A_LOGIN",
            DeskFailure::LoginTaken(_) => "DESK_LOGIN_TAKEN",
            DeskFailure::NoSuchLogin(_) => "DESK_NO_SUCH_LOGIN",
            DeskFailure::Full(_) => "DESK_FULL",
        }
    }
}

impl From<rusqlite::Error> for DeskFailure {
    fn from(error: rusqlite::Error) -> DeskFailure {
        let code = error.sqlite_error_code();
        if code == Some(ErrorCode::DatabaseBusy) || code == Some(ErrorCode::DatabaseLocked) {
            DeskFailure::Busy(error)
        } else {
            DeskFailure::Disk(error.into())
        }
    }
}

/// The desk. Every call waits for the disk: from an asynchronous task it belongs into
/// `spawn_blocking`.
#[derive(Debug)]
pub struct Desk(Mutex<Connection>);

impl Desk {
    fn file(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
