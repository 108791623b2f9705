//! The cage: who joins gets chips, who has none left gets them again; all of it in the house's
//! log.

use std::sync::{Arc, PoisonError, RwLock};

use chips::Chips;
use ledger::PlayerId;
use sha2::{Digest, Sha256};
use store::{Seq, StreamId};
use table::{CommandId, StaffId};
use tokio::sync::Mutex;

use super::{House, HouseEvent, NotOurs, Role, Seen};
use crate::pit::{Pit, Refusal};

/// Why the cage says no.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CageRefusal {
    /// The house takes no more players.
    #[error("the house is full")]
    Full,
    /// The player has enough for a bet still.
    #[error("a refill is given to whoever has less than {below}; there are {has}")]
    EnoughChips {
        /// What he has, with what is at stake.
        has: Chips,
        /// The smallest minimum of all tables.
        below: Chips,
    },
    /// The same command id with another body (OPS-40 `DUPLICATE`).
    #[error("the same command id stands for another command")]
    Duplicate,
    /// No such player.
    #[error("no such player")]
    NoSuchPlayer,
    /// It could not be written.
    #[error(transparent)]
    NotWritten(#[from] Refusal),
}

/// Why the cage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] Refusal),
    /// The log is none of a house.
    #[error(transparent)]
    Log(#[from] NotOurs),
}

/// What the cage gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gifts {
    /// To who joins.
    pub grant: Chips,
    /// To who has less than `below`.
    pub refill: Chips,
    /// The smallest minimum of all tables.
    pub below: Chips,
}

/// The cage of the house.
#[derive(Clone)]
pub struct Cage {
    pit: Pit,
    gifts: Gifts,
    house: Arc<RwLock<House>>,
    /// One teller: numbers and refills are given one after the other.
    teller: Arc<Mutex<()>>,
}

impl Cage {
    /// Reads the house's log.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub async fn open(pit: Pit, gifts: Gifts) -> Result<Cage, NotOpened> {
        let records = pit.writer().load(StreamId::HOUSE, Seq(0)).await?;
        let house = Arc::new(RwLock::new(House::of(&records)?));
        Ok(Cage { pit, gifts, house, teller: Arc::default() })
    }

    /// Looks at the house as its log stands.
    pub fn house<R>(&self, eyes: impl FnOnce(&House) -> R) -> R {
        eyes(&self.house.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The name of a player; none if he never joined.
    pub fn name(&self, player: PlayerId) -> Option<String> {
        self.house(|house| house.player(player).map(str::to_owned))
    }

    /// Writes an event; whoever calls is the teller.
    async fn write(
        &self,
        event: &HouseEvent,
        command: Option<(PlayerId, CommandId, [u8; 32], String)>,
    ) -> Result<(), Refusal> {
        let body = serde_json::to_string(event).expect("an event is plain data");
        self.pit.write_house(event.kind(), body, event.postings(), command).await?;
        self.house.write().unwrap_or_else(PoisonError::into_inner).apply(event);
        Ok(())
    }

    /// Does something to its end even if whoever asked for it goes away: half a write would leave
    /// nobody knowing where the log stands.
    async fn to_the_end<T: Send + 'static>(
        &self,
        act: impl Future<Output = Result<T, CageRefusal>> + Send + 'static,
    ) -> Result<T, CageRefusal> {
        let lost = |_| Refusal::Stopped("the cage is closed".into());
        tokio::spawn(act).await.map_err(lost)?
    }

    /// Lets somebody in as a guest, with chips.
    ///
    /// # Errors
    /// [`CageRefusal::Full`], [`CageRefusal::NotWritten`].
    pub async fn join(&self) -> Result<PlayerId, CageRefusal> {
        let cage = self.clone();
        self.to_the_end(async move { cage.join_now().await }).await
    }

    /// Gives a player chips again, once per command id; tells how much.
    ///
    /// # Errors
    /// [`CageRefusal`].
    pub async fn refill(&self, player: PlayerId, id: CommandId) -> Result<Chips, CageRefusal> {
        let cage = self.clone();
        self.to_the_end(async move { cage.refill_now(player, id).await }).await
    }

    /// Notes in the log who stands behind the number of a member of staff, unless it is known.
    ///
    /// # Errors
    /// [`CageRefusal::NotWritten`].
    pub async fn staff_seen(
        &self,
        staff: StaffId,
        login: String,
        role: Role,
    ) -> Result<(), CageRefusal> {
        let cage = self.clone();
        self.to_the_end(async move { cage.staff_seen_now(staff, login, role).await }).await
    }

    async fn join_now(&self) -> Result<PlayerId, CageRefusal> {
        let _teller = self.teller.lock().await;
        let player = self.house(House::next_player).ok_or(CageRefusal::Full)?;
        let (name, grant) = (format!("Guest {player}"), self.gifts.grant);
        self.write(&HouseEvent::PlayerJoined { player, name, grant }, None).await?;
        Ok(player)
    }

    async fn refill_now(&self, player: PlayerId, id: CommandId) -> Result<Chips, CageRefusal> {
        let _teller = self.teller.lock().await;
        let body_hash: [u8; 32] = Sha256::digest(b"refill").into();
        if let Some(first) = self.pit.writer().command(player, id.as_str().to_owned()).await? {
            let given: Option<Chips> = serde_json::from_str(&first.answer).ok();
            return given.filter(|_| first.body_hash == body_hash).ok_or(CageRefusal::Duplicate);
        }
        if self.house(|house| house.player(player).is_none()) {
            return Err(CageRefusal::NoSuchPlayer);
        }
        let Gifts { refill: amount, below, .. } = self.gifts;
        let parts = [self.pit.wallet().available(player), self.pit.at_stake(player).await];
        let has = Chips::try_sum(parts).unwrap_or(Chips::MAX);
        if has >= below {
            return Err(CageRefusal::EnoughChips { has, below });
        }
        let answer = amount.minor().to_string();
        let event = HouseEvent::Refilled { player, amount };
        self.write(&event, Some((player, id, body_hash, answer))).await?;
        Ok(amount)
    }

    async fn staff_seen_now(
        &self,
        staff: StaffId,
        login: String,
        role: Role,
    ) -> Result<(), CageRefusal> {
        let _teller = self.teller.lock().await;
        let seen = Seen { login: login.clone(), role };
        if self.house(|house| house.staff(staff) == Some(&seen)) {
            return Ok(());
        }
        Ok(self.write(&HouseEvent::StaffSeen { staff, login, role }, None).await?)
    }
}
