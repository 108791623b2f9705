//! Staff accounts: login, role, and an argon2id hash of the password.

use std::fmt;
use std::sync::OnceLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use table::{StaffId, Timestamp};

use super::{Desk, DeskFailure};
use crate::house::Role;

/// Most letters of a login.
pub const LOGIN_MAX: usize = 40;
/// Most members of staff.
pub const STAFF_MAX: usize = 10_000;
/// Wrong passwords after which a login is refused for a while.
pub const FAILURES_MAX: u32 = 10;
/// How long a wrong password counts, in milliseconds.
pub const FAILURES_WITHIN_MS: i64 = 15 * 60 * 1_000;

/// Most failures that are kept.
const FAILURES_KEPT: i64 = 100_000;
/// Fewest letters of a password.
const PASSWORD_MIN: usize = 8;
/// Most bytes of a password.
const PASSWORD_BYTES_MAX: usize = 1_024;

/// A password that may be given to a member of staff. It is never shown.
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl std::str::FromStr for Password {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Password, &'static str> {
        if text.chars().count() < PASSWORD_MIN {
            return Err("a password has at least 8 letters");
        }
        if text.len() > PASSWORD_BYTES_MAX {
            return Err("a password has at most 1024 bytes");
        }
        Ok(Password(text.to_owned()))
    }
}

/// Why a text is no login.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a login has 1 to {LOGIN_MAX} of a-z, 0-9, `.`, `-` and `_`")]
pub struct NotALogin;

/// A login in its one form, in small letters.
fn login_form(text: &str) -> Result<String, NotALogin> {
    let login = text.to_ascii_lowercase();
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-_".contains(&b);
    let fits = (1..=LOGIN_MAX).contains(&login.len()) && login.bytes().all(plain);
    if fits { Ok(login) } else { Err(NotALogin) }
}

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StaffAccount {
    /// His number, never given twice.
    pub staff: u32,
    /// His login.
    pub login: String,
    /// His role.
    pub role: Role,
    /// False once he is taken off the list.
    pub active: bool,
}

/// What an attempt to sign in came to. The two refusals tell nothing of whether the login exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SignIn {
    Welcome {
        staff: StaffId,
        login: String,
        role: Role,
    },
    WrongCredentials,
    /// Too many wrong passwords for this login lately.
    TooManyFailures,
}

fn hash(password: &Password) -> Result<String, DeskFailure> {
    let hashed = Argon2::default().hash_password(password.0.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|why| DeskFailure::Disk(why.into()))
}

/// Whether a password is the hashed one. Without a hash another one is computed for nothing, so
/// that the time tells nobody whether a login exists.
fn is_right(password: &str, hashed: Option<&str>) -> bool {
    static OTHER: OnceLock<String> = OnceLock::new();
    let other = || hash(&Password("nobody has this one".into())).unwrap_or_default();
    let text = hashed.unwrap_or_else(|| OTHER.get_or_init(other));
    let Ok(parsed) = PasswordHash::new(text) else { return false };
    let right = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    right && hashed.is_some() && password.len() <= PASSWORD_BYTES_MAX
}

/// Notes an act of whoever runs the house on a staff account.
fn note(
    transaction: &Transaction<'_>,
    now: Timestamp,
    act: &str,
    account: &StaffAccount,
) -> Result<(), DeskFailure> {
    transaction.execute(
        "INSERT INTO staff_act (at_ms, act, staff, login, role) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![now.0, act, account.staff, account.login, account.role.as_str()],
    )?;
    Ok(())
}

/// The account of a login, with its hash.
fn find(file: &Connection, login: &str) -> Result<Option<(StaffAccount, String)>, DeskFailure> {
    let row: Option<(u32, String, bool, String)> = file
        .prepare_cached("SELECT id, role, active, password FROM staff WHERE login = ?1")?
        .query_row([login], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    Ok(row.and_then(|(staff, role, active, password)| {
        let role = role.parse().ok()?;
        Some((StaffAccount { staff, login: login.to_owned(), role, active }, password))
    }))
}

impl Desk {
    /// Changes staff accounts in one transaction, and has it on the disk before it answers.
    fn change<T>(
        &self,
        act: impl FnOnce(&Transaction<'_>) -> Result<T, DeskFailure>,
    ) -> Result<T, DeskFailure> {
        let mut file = self.file();
        let transaction = file.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = act(&transaction)?;
        transaction.commit()?;
        file.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
        Ok(done)
    }

    /// Adds a member of staff. Works while the house is open: the next sign-in finds him.
    ///
    /// # Errors
    /// [`DeskFailure::NotALogin`], [`DeskFailure::LoginTaken`], [`DeskFailure::Full`], and what the
    /// disk does.
    pub fn add_staff(
        &self,
        login: &str,
        role: Role,
        password: &Password,
        now: Timestamp,
    ) -> Result<StaffAccount, DeskFailure> {
        let login = login_form(login)?;
        let hashed = hash(password)?;
        self.change(|transaction| {
            if find(transaction, &login)?.is_some() {
                return Err(DeskFailure::LoginTaken(login.clone()));
            }
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM staff", [], |row| row.get(0))?;
            if usize::try_from(count).unwrap_or(STAFF_MAX) >= STAFF_MAX {
                return Err(DeskFailure::Full(STAFF_MAX));
            }
            let staff: u32 = transaction.query_row(
                "INSERT INTO staff (login, role, password) VALUES (?1, ?2, ?3) RETURNING id",
                params![login, role.as_str(), hashed],
                |row| row.get(0),
            )?;
            let account = StaffAccount { staff, login: login.clone(), role, active: true };
            note(transaction, now, "added", &account)?;
            Ok(account)
        })
    }

    /// Gives a member of staff another password, puts him back on the list if he was off it, and
    /// ends his sessions.
    ///
    /// # Errors
    /// [`DeskFailure::NoSuchLogin`], and what the disk does.
    pub fn set_password(
        &self,
        login: &str,
        password: &Password,
        now: Timestamp,
    ) -> Result<StaffAccount, DeskFailure> {
        let hashed = hash(password)?;
        self.change(|transaction| {
            let account = known(transaction, login)?;
            transaction.execute(
                "UPDATE staff SET password = ?2, active = 1 WHERE id = ?1",
                params![account.staff, hashed],
            )?;
            transaction.execute("DELETE FROM session WHERE staff = ?1", [account.staff])?;
            note(transaction, now, "password-changed", &account)?;
            Ok(StaffAccount { active: true, ..account })
        })
    }

    /// Takes a member of staff off the list and ends his sessions.
    ///
    /// # Errors
    /// [`DeskFailure::NoSuchLogin`], and what the disk does.
    pub fn remove_staff(&self, login: &str, now: Timestamp) -> Result<StaffAccount, DeskFailure> {
        self.change(|transaction| {
            let account = known(transaction, login)?;
            transaction.execute("UPDATE staff SET active = 0 WHERE id = ?1", [account.staff])?;
            transaction.execute("DELETE FROM session WHERE staff = ?1", [account.staff])?;
            note(transaction, now, "removed", &account)?;
            Ok(StaffAccount { active: false, ..account })
        })
    }

    /// All members of staff, those taken off the list as well, by number.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn staff(&self) -> Result<Vec<StaffAccount>, DeskFailure> {
        let file = self.file();
        let mut all =
            file.prepare_cached("SELECT id, login, role, active FROM staff ORDER BY id")?;
        let mut rows = all.query([])?;
        let mut staff = Vec::new();
        while let Some(row) = rows.next()? {
            let role: String = row.get(2)?;
            if let Ok(role) = role.parse() {
                let (number, login, active) = (row.get(0)?, row.get(1)?, row.get(3)?);
                staff.push(StaffAccount { staff: number, login, role, active });
            }
        }
        Ok(staff)
    }

    /// Tries to sign a member of staff in. Slow on purpose: it computes a password hash.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn sign_in(
        &self,
        login: &str,
        password: &str,
        now: Timestamp,
    ) -> Result<SignIn, DeskFailure> {
        let form = login_form(login).unwrap_or_default();
        let since = now.0.saturating_sub(FAILURES_WITHIN_MS);
        let (found, failures) = {
            let file = self.file();
            let failures: u32 = file
                .prepare_cached("SELECT count(*) FROM failure WHERE login = ?1 AND at_ms > ?2")?
                .query_row(params![form, since], |row| row.get(0))?;
            (find(&file, &form)?.filter(|(account, _)| account.active), failures)
        };
        if failures >= FAILURES_MAX {
            return Ok(SignIn::TooManyFailures);
        }
        let right = is_right(password, found.as_ref().map(|(_, hashed)| hashed.as_str()));
        let file = self.file();
        match found.filter(|_| right) {
            Some((account, _)) => {
                file.prepare_cached("DELETE FROM failure WHERE login = ?1")?.execute([form])?;
                let StaffAccount { staff, login, role, .. } = account;
                Ok(SignIn::Welcome { staff: StaffId(staff), login, role })
            }
            None => {
                file.prepare_cached(
                    "DELETE FROM failure WHERE at_ms <= ?1 OR id <= (SELECT max(id) FROM failure)
                     - ?2",
                )?
                .execute(params![since, FAILURES_KEPT])?;
                file.prepare_cached("INSERT INTO failure (at_ms, login) VALUES (?1, ?2)")?
                    .execute(params![now.0, form])?;
                Ok(SignIn::WrongCredentials)
            }
        }
    }
}

fn known(file: &Connection, login: &str) -> Result<StaffAccount, DeskFailure> {
    let form = login_form(login).unwrap_or_default();
    let unknown = || DeskFailure::NoSuchLogin(login.chars().take(LOGIN_MAX).collect());
    find(file, &form)?.map(|(account, _)| account).ok_or_else(unknown)
}
