//! The tables' chat: kept at the desk, told to whoever is at the table.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger::TableId;
use table::{Code, Rejection, Timestamp};
use tokio::sync::broadcast;

use crate::desk::{Desk, Who};
use crate::wire::{CHAT_LETTERS_MAX, ChatLine, Me};

/// Lines that may wait for one reader; a slower one misses some.
const WAITING_MAX: usize = 128;
/// Lines shown to whoever comes to a table.
const SHOWN: usize = 50;

/// The chat of all tables.
#[derive(Clone)]
pub struct Chat {
    desk: Arc<Desk>,
    tables: Arc<BTreeMap<TableId, broadcast::Sender<ChatLine>>>,
}

impl Chat {
    /// A chat for each of these tables.
    pub fn new(desk: Arc<Desk>, tables: impl Iterator<Item = TableId>) -> Chat {
        let channel = |table| (table, broadcast::Sender::new(WAITING_MAX));
        Chat { desk, tables: Arc::new(tables.map(channel).collect()) }
    }

    /// The last lines of a table, and those to come.
    pub fn enter(&self, table: TableId) -> Option<(Vec<ChatLine>, broadcast::Receiver<ChatLine>)> {
        let fresh = self.tables.get(&table)?.subscribe();
        let read = tokio::task::block_in_place(|| self.desk.last_lines(table, SHOWN));
        let lines = read.unwrap_or_else(|why| {
            tracing::error!(%why, "chat not read");
            Vec::new()
        });
        Some((lines, fresh))
    }

    /// Says something at a table. Only players talk: a dealer's words are the table's calls
    /// (OPS-72), a spectator only watches (OPS-1).
    ///
    /// # Errors
    /// Who may not talk, and what is no line.
    pub fn say(&self, me: &Me, table: u32, text: &str, now: Timestamp) -> Result<(), Rejection> {
        let (who, name) = match me {
            Me::Player { player, name } => (Who::Player(*player), name.as_str()),
            Me::Spectator | Me::Dealer { .. } | Me::PitBoss { .. } => {
                return Err(Code::RestrictedPlayer.into());
            }
        };
        let fresh = TableId::new(table).and_then(|id| Some((id, self.tables.get(&id)?)));
        let (id, fresh) = fresh.ok_or(Code::NotOpen)?;
        if text.chars().count() > CHAT_LETTERS_MAX {
            let why = format!("at most {CHAT_LETTERS_MAX} letters");
            return Err(Rejection::because(Code::Malformed, why));
        }
        let keep = || self.desk.keep_line(id, &who, name, text, now);
        let kept = tokio::task::block_in_place(keep).map_err(|why| {
            tracing::error!(%why, "chat not kept");
            Rejection::new(Code::Unavailable)
        })?;
        let line = kept.ok_or_else(|| Rejection::because(Code::Malformed, "an empty line"))?;
        let _ = fresh.send(line);
        Ok(())
    }
}
