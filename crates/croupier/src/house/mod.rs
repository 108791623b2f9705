//! The house's own log, stream 0: who plays, what chips the cage gave, which staff were seen.
//!
//! Secrets and sessions are not in it; the desk keeps those (docs/decisions/0004).

mod cage;

use std::collections::BTreeMap;

use chips::Chips;
use ledger::{Account, PlayerId, Posting, Reason};
use serde::{Deserialize, Serialize};
use store::{Record, StreamId};
use table::StaffId;

pub use cage::{Cage, CageRefusal, Gifts, NotOpened};

/// Most players of one house.
pub const PLAYERS_MAX: usize = 10_000_000;

/// What a member of staff may do (OPS-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Deals.
    Dealer,
    /// Supervises: voids, pauses, disables.
    PitBoss,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 2] = [Role::Dealer, Role::PitBoss];

    /// The text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Dealer => "dealer",
            Role::PitBoss => "pit_boss",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let found = Role::ALL.into_iter().find(|role| role.as_str() == text);
        found.ok_or_else(|| "expected dealer or pit_boss".to_owned())
    }
}

/// What happened in the house. Names and fields are for ever, as those of the tables' events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum HouseEvent {
    /// Somebody plays here from now on, with these chips from the cage.
    PlayerJoined { player: PlayerId, name: String, grant: Chips },
    /// The cage gave chips again.
    Refilled { player: PlayerId, amount: Chips },
    /// A member of staff signed in for the first time, or with another login or role than before:
    /// so the log itself tells who stands behind a number.
    StaffSeen { staff: StaffId, login: String, role: Role },
}

impl HouseEvent {
    /// The name of the kind, as on disk.
    pub const fn kind(&self) -> &'static str {
        match self {
            HouseEvent::PlayerJoined { .. } => "player-joined",
            HouseEvent::Refilled { .. } => "refilled",
            HouseEvent::StaffSeen { .. } => "staff-seen",
        }
    }

    /// What it moves between accounts.
    pub fn postings(&self) -> Vec<Posting> {
        let given = |player: &PlayerId, amount: &Chips, reason| {
            Posting::new(Account::Cage, Account::Player(*player), *amount, reason).ok()
        };
        let posting = match self {
            HouseEvent::PlayerJoined { player, grant, .. } => given(player, grant, Reason::Grant),
            HouseEvent::Refilled { player, amount } => given(player, amount, Reason::Refill),
            HouseEvent::StaffSeen { .. } => None,
        };
        posting.into_iter().collect()
    }
}

/// Why a record is none of this house's log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {seq} of the house's log: {why}")]
pub struct NotOurs {
    /// Its position.
    pub seq: u64,
    /// What is wrong.
    pub why: String,
}

/// A member of staff as the log knows him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// His login.
    pub login: String,
    /// His role.
    pub role: Role,
}

/// What follows from the house's log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct House {
    players: BTreeMap<PlayerId, String>,
    staff: BTreeMap<StaffId, Seen>,
}

impl House {
    /// Reads one record: the event, and whether it can follow on what is known.
    ///
    /// # Errors
    /// [`NotOurs`] for a record that no version of this program wrote, or that does not follow.
    pub fn read(&self, record: &Record) -> Result<HouseEvent, NotOurs> {
        let wrong = |why: String| NotOurs { seq: record.seq.0, why };
        if record.stream != StreamId::HOUSE {
            return Err(wrong(format!("it belongs to stream {}", record.stream)));
        }
        let event: HouseEvent =
            serde_json::from_str(&record.body).map_err(|why| wrong(why.to_string()))?;
        if event.kind() != record.kind {
            return Err(wrong(format!("`{}` is written as `{}`", event.kind(), record.kind)));
        }
        self.verify(&event).map_err(wrong)?;
        Ok(event)
    }

    /// Can this event follow?
    ///
    /// # Errors
    /// Why not.
    pub fn verify(&self, event: &HouseEvent) -> Result<(), String> {
        match event {
            HouseEvent::PlayerJoined { player, .. } if self.players.contains_key(player) => {
                Err(format!("player {player} has joined already"))
            }
            HouseEvent::Refilled { player, amount } => {
                if amount.is_zero() {
                    Err("the cage gives an amount above nothing".into())
                } else if self.players.contains_key(player) {
                    Ok(())
                } else {
                    Err(format!("player {player} has not joined"))
                }
            }
            HouseEvent::PlayerJoined { .. } | HouseEvent::StaffSeen { .. } => Ok(()),
        }
    }

    /// Applies an event that is committed.
    pub fn apply(&mut self, event: &HouseEvent) {
        match event {
            HouseEvent::PlayerJoined { player, name, .. } => {
                self.players.insert(*player, name.clone());
            }
            HouseEvent::Refilled { .. } => {}
            HouseEvent::StaffSeen { staff, login, role } => {
                let seen = Seen { login: login.clone(), role: *role };
                self.staff.insert(*staff, seen);
            }
        }
    }

    /// The house after all these records.
    ///
    /// # Errors
    /// The first that is none of its log.
    pub fn of(records: &[Record]) -> Result<House, NotOurs> {
        let mut house = House::default();
        for record in records {
            let event = house.read(record)?;
            house.apply(&event);
        }
        Ok(house)
    }

    /// The name of a player; none if he never joined.
    pub fn player(&self, player: PlayerId) -> Option<&str> {
        self.players.get(&player).map(String::as_str)
    }

    /// How many players have joined.
    pub fn players(&self) -> usize {
        self.players.len()
    }

    /// A member of staff, if he ever signed in.
    pub fn staff(&self, staff: StaffId) -> Option<&Seen> {
        self.staff.get(&staff)
    }

    /// The number for the next player; none if the house is full.
    fn next_player(&self) -> Option<PlayerId> {
        let last = self.players.last_key_value().map_or(0, |(player, _)| player.number());
        let next = PlayerId::new(last + 1);
        next.filter(|_| self.players.len() < PLAYERS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use store::Seq;

    use super::*;

    fn player(number: u64) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    fn record(seq: u64, kind: &str, body: &str) -> Record {
        let (kind, body) = (kind.to_owned(), body.to_owned());
        Record { stream: StreamId::HOUSE, seq: Seq(seq), at_ms: 0, kind, body }
    }

    /// The form on disk: a name or a field that changes makes old logs unreadable.
    #[test]
    fn events_keep_their_form_on_disk() {
        let amount = Chips::new(1_000_000).unwrap();
        let forms = [
            (
                HouseEvent::PlayerJoined {
                    player: player(7),
                    name: "Guest 7".into(),
                    grant: amount,
                },
                r#"{"event":"player-joined","player":7,"name":"Guest 7","grant":1000000}"#,
            ),
            (
                HouseEvent::Refilled { player: player(7), amount },
                r#"{"event":"refilled","player":7,"amount":1000000}"#,
            ),
            (
                HouseEvent::StaffSeen {
                    staff: StaffId(2),
                    login: "ana".into(),
                    role: Role::PitBoss,
                },
                r#"{"event":"staff-seen","staff":2,"login":"ana","role":"pit_boss"}"#,
            ),
        ];
        for (event, text) in forms {
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<HouseEvent>(text).unwrap(), event);
            assert!(text.contains(&format!("\"event\":\"{}\"", event.kind())));
        }
    }

    #[test]
    fn a_house_is_what_its_log_says() {
        let records = [
            record(
                1,
                "player-joined",
                r#"{"event":"player-joined","player":1,"name":"Guest 1","grant":5}"#,
            ),
            record(2, "refilled", r#"{"event":"refilled","player":1,"amount":5}"#),
            record(
                3,
                "staff-seen",
                r#"{"event":"staff-seen","staff":1,"login":"ana","role":"dealer"}"#,
            ),
        ];
        let house = House::of(&records).unwrap();
        assert_eq!(house.player(player(1)), Some("Guest 1"));
        assert_eq!(house.staff(StaffId(1)).unwrap().role, Role::Dealer);
        assert_eq!(house.next_player(), Some(player(2)));
        assert_eq!(house.players(), 1);
        let event = House::of(&records[..1]).unwrap().read(&records[1]).unwrap();
        assert_eq!(event.postings()[0].to(), Account::Player(player(1)));
    }

    #[test]
    fn what_does_not_follow_is_told_with_its_place() {
        let joined = r#"{"event":"player-joined","player":1,"name":"x","grant":5}"#;
        let refilled = r#"{"event":"refilled","player":1,"amount":5}"#;
        let wrong = [
            (record(1, "refilled", refilled), "not joined"),
            (record(1, "refilled", joined), "is written as `refilled`"),
            (record(1, "player-joined", "{}"), "missing field"),
            (record(1, "player-joined", r#"{"event":"robbed"}"#), "unknown variant"),
            (Record { stream: StreamId(3), ..record(1, "player-joined", joined) }, "stream 3"),
        ];
        for (record, part) in wrong {
            let answer = House::of(&[record]).unwrap_err().to_string();
            assert!(answer.contains("record 1") && answer.contains(part), "{answer}");
        }
        let twice = [record(1, "player-joined", joined), record(2, "player-joined", joined)];
        assert_eq!(House::of(&twice).unwrap_err().seq, 2);
    }
}
