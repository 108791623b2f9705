//! Chat lines of the tables, kept beside the log (OPS-105).

use ledger::{PlayerId, TableId};
use rusqlite::params;
use table::{StaffId, Timestamp};

use super::{Desk, DeskFailure, Who};
use crate::wire::{CHAT_LETTERS_MAX, ChatLine};

/// How long a line is kept: 90 days, in milliseconds (OPS-105).
pub const CHAT_AGE_MS: i64 = 90 * 24 * 3_600 * 1_000;
/// Most lines that are kept; beyond it the oldest go.
pub const CHAT_LINES_MAX: i64 = 5_000_000;
/// Most lines that are read at a time.
pub const CHAT_PAGE_MAX: usize = 200;

/// A line as it may be shown: one line of printable text, or nothing if nothing is left.
fn cleaned(text: &str) -> Option<String> {
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain: String = spaced.filter(|c| !c.is_control()).take(CHAT_LETTERS_MAX).collect();
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

impl Desk {
    /// Keeps a line and gives it back as all may see it; none if there is nothing to show.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn keep_line(
        &self,
        table: TableId,
        who: &Who,
        name: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<Option<ChatLine>, DeskFailure> {
        let Some(text) = cleaned(text) else { return Ok(None) };
        let (player, staff): (Option<PlayerId>, Option<StaffId>) = match who {
            Who::Player(player) => (Some(*player), None),
            Who::Staff { staff, .. } => (None, Some(*staff)),
        };
        let file = self.file();
        file.prepare_cached("DELETE FROM chat WHERE at_ms <= ?1")?
            .execute([now.0.saturating_sub(CHAT_AGE_MS)])?;
        file.prepare_cached(
            "INSERT INTO chat (at_ms, house_table, player, staff, name, line)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            now.0,
            table.number(),
            player.map(|player| player.number().cast_signed()),
            staff.map(|staff| staff.0),
            name,
            text,
        ])?;
        let number = u64::try_from(file.last_insert_rowid()).unwrap_or(0);
        file.prepare_cached("DELETE FROM chat WHERE id <= (SELECT max(id) FROM chat) - ?1")?
            .execute([CHAT_LINES_MAX])?;
        Ok(Some(ChatLine { number, at: now, name: name.to_owned(), text }))
    }

    /// The last lines of a table, oldest first.
    ///
    /// # Errors
    /// [`DeskFailure`].
    pub fn last_lines(&self, table: TableId, count: usize) -> Result<Vec<ChatLine>, DeskFailure> {
        let count = i64::try_from(count.min(CHAT_PAGE_MAX)).unwrap_or(0);
        let file = self.file();
        let mut find = file.prepare_cached(
            "SELECT id, at_ms, name, line FROM chat
             WHERE house_table = ?1 ORDER BY id DESC LIMIT ?2",
        )?;
        let mut rows = find.query(params![table.number(), count])?;
        let mut lines = Vec::new();
        while let Some(row) = rows.next()? {
            let number = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
            let (at, name, text) = (Timestamp(row.get(1)?), row.get(2)?, row.get(3)?);
            lines.push(ChatLine { number, at, name, text });
        }
        lines.reverse();
        Ok(lines)
    }
}
