//! Sessions: an opaque token in the visitor's cookie, its hash in the file, an end.

use std::fmt;

use ledger::PlayerId;
use rand::TryRng;
use rand::rngs::SysRng;
use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};
use table::{StaffId, Timestamp};

use super::{Desk, DeskFailure};
use crate::house::Role;

/// Most sessions at a time; beyond it those that end first are ended.
pub const SESSIONS_MAX: u32 = 1_000_000;

/// The bytes of a token.
const TOKEN_BYTES: usize = 32;

/// The secret of a session: 256 random bits. It is shown once, to its owner.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; TOKEN_BYTES]);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The text in the cookie.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// Reads the text of a cookie.
    pub fn read(text: &str) -> Option<Token> {
        let mut bytes = [0; TOKEN_BYTES];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Token(bytes))
    }

    fn fresh() -> Result<Token, DeskFailure> {
        let mut bytes = [0; TOKEN_BYTES];
        SysRng.try_fill_bytes(&mut bytes).map_err(|why| DeskFailure::Disk(why.into()))?;
        Ok(Token(bytes))
    }

    fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

/// Who a session belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Who {
    Player(PlayerId),
    Staff { staff: StaffId, login: String, role: Role },
}

impl Desk {
    /// Begins a session of a player, or of a member of staff, until `ends`.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn begin_session(
        &self,
        who: &Who,
        now: Timestamp,
        ends: Timestamp,
    ) -> Result<Token, DeskFailure> {
        let token = Token::fresh()?;
        let (player, staff) = match who {
            Who::Player(player) => (Some(player.number().cast_signed()), None),
            Who::Staff { staff, .. } => (None, Some(staff.0)),
        };
        let file = self.file();
        file.prepare_cached("DELETE FROM session WHERE ends_ms <= ?1")?.execute([now.0])?;
        file.prepare_cached(
            "DELETE FROM session WHERE token IN (SELECT token FROM session ORDER BY ends_ms
             LIMIT max(0, (SELECT count(*) FROM session) - ?1 + 1))",
        )?
        .execute([SESSIONS_MAX])?;
        file.prepare_cached(
            "INSERT INTO session (token, player, staff, ends_ms) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![token.hash(), player, staff, ends.0])?;
        Ok(token)
    }

    /// Who holds this token; none if there is no such session, or it is over. Staff lose their
    /// sessions when they are taken off the list.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn session(&self, token: &Token, now: Timestamp) -> Result<Option<Who>, DeskFailure> {
        let file = self.file();
        let mut find = file.prepare_cached(
            "SELECT session.player, staff.id, staff.login, staff.role
             FROM session LEFT JOIN staff ON staff.id = session.staff AND staff.active = 1
             WHERE token = ?1 AND ends_ms > ?2",
        )?;
        type Row = (Option<i64>, Option<u32>, Option<String>, Option<String>);
        let row: Option<Row> = find
            .query_row(params![token.hash(), now.0], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()?;
        Ok(row.and_then(|(player, staff, login, role)| {
            if let Some(player) = player {
                return PlayerId::new(u64::try_from(player).ok()?).map(Who::Player);
            }
            let role = role?.parse().ok()?;
            Some(Who::Staff { staff: StaffId(staff?), login: login?, role })
        }))
    }

    /// Ends a session; one that is gone already is no error.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn end_session(&self, token: &Token) -> Result<(), DeskFailure> {
        let file = self.file();
        file.prepare_cached("DELETE FROM session WHERE token = ?1")?.execute([token.hash()])?;
        Ok(())
    }
}
