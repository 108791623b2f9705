//! The wire: what browsers say over a WebSocket and what they are told, as JSON texts.
//!
//! A player's socket parses [`PlayerMessage`] and nothing else, a dealer's [`DealerMessage`]: who
//! may do what is a question of type. The TypeScript of all of it is generated
//! (`web/src/wire/generated.ts`) and compared by a test.

use chips::Chips;
use ledger::PlayerId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{CommandId, DealerCommand, PlayerCommand, Rejection, Timestamp};

/// Most bytes of a message from a browser.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024;
/// Most letters of a chat line.
pub const CHAT_LETTERS_MAX: usize = 200;
/// The version of the wire; a client of another version is told so and reloads (STD-8).
pub const WIRE_VERSION: u32 = 1;

/// What a player's browser says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum PlayerMessage {
    /// Send this table's parts from now on.
    Watch { table: u32 },
    /// No more of this table.
    Unwatch { table: u32 },
    /// Do something at a table; the answer carries the same id.
    Command {
        id: CommandId,
        table: u32,
        #[serde(default)]
        round: Option<u64>,
        #[serde(default)]
        rules: Option<String>,
        command: PlayerCommand,
    },
    /// Say something at a table.
    Chat { table: u32, text: String },
    /// Measure the line; `at` comes back as it is.
    Ping {
        #[cfg_attr(test, ts(type = "number"))]
        at: i64,
    },
}

/// What a dealer's browser says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum DealerMessage {
    Watch {
        table: u32,
    },
    Unwatch {
        table: u32,
    },
    Command {
        id: CommandId,
        table: u32,
        command: DealerCommand,
    },
    Ping {
        #[cfg_attr(test, ts(type = "number"))]
        at: i64,
    },
}

/// Who the socket belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "role", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Me {
    Player {
        player: PlayerId,
        name: String,
    },
    /// Somebody who watches only.
    Spectator,
    Dealer {
        staff: u32,
        name: String,
    },
    PitBoss {
        staff: u32,
        name: String,
    },
}

/// The parts of a table's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PartName {
    /// [`table::FeltView`].
    Felt,
    /// A list of [`table::ZoneView`].
    Totals,
    /// [`games::baccarat::roads::RoadMaps`].
    Roads,
    /// A list of [`table::LayoutZone`].
    Layout,
    /// [`table::MineView`], for a player alone.
    Mine,
    /// [`table::DealerView`], for the dealer alone.
    Dealer,
}

/// What the house says. Bodies of parts are rendered once and sent to many.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum ServerMessage {
    Hello {
        version: u32,
        now: Timestamp,
        me: Me,
    },
    Pong {
        #[cfg_attr(test, ts(type = "number"))]
        at: i64,
        now: Timestamp,
    },
    /// All tables; each is a [`table::TileView`].
    Lobby {
        now: Timestamp,
        #[cfg_attr(test, ts(type = "TileView[]"))]
        tables: Vec<Box<RawValue>>,
    },
    /// One part of one table, whole.
    Part {
        table: u32,
        part: PartName,
        #[cfg_attr(test, ts(type = "number"))]
        version: u64,
        now: Timestamp,
        #[cfg_attr(test, ts(type = "unknown"))]
        body: Box<RawValue>,
    },
    /// What one may stake, over all tables.
    Balance {
        balance: Chips,
    },
    /// What a command came to.
    Answer {
        id: CommandId,
        ok: bool,
        refusal: Option<Rejection>,
    },
    /// Something that cannot be read, without an id that could be answered.
    Refused {
        refusal: Rejection,
    },
    /// A line of a table's chat.
    Chat {
        table: u32,
        line: ChatLine,
    },
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct ChatLine {
    #[cfg_attr(test, ts(type = "number"))]
    pub number: u64,
    pub at: Timestamp,
    pub name: String,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ts_rs::{Config, TS};

    /// Every type that crosses the wire, so that no generated file is stale.
    #[test]
    fn the_typescript_of_the_wire_is_as_generated() {
        // Numbers of JSON stay far below 2^53 here.
        let config = Config::default().with_large_int("number");
        let mut text =
            String::from("// Generated from the house's own types; `make types` writes it anew.\n");
        macro_rules! export {
            ($($type:ty),* $(,)?) => {
                $(text += &format!("\nexport {}\n", <$type>::decl(&config));)*
            };
        }
        use games::baccarat::{self, roads};
        export!(
            table::Code,
            table::Phase,
            table::DealtBy,
            table::VoidReason,
            games::GameName,
            games::Ending,
            games::Step,
            games::AnyOutcome,
            games::Due,
            baccarat::Side,
            baccarat::Winner,
            baccarat::Outcome,
            baccarat::PrintedPay,
            roads::Mark,
            roads::Cell,
            roads::Bead,
            roads::Entry,
            roads::TieMarks,
            roads::BigRoadCell,
            roads::MarkCell,
            roads::Asked,
            roads::AskRoad,
            roads::Statistics,
            roads::RoadMaps,
            Rejection,
            table::SeatView,
            table::HandView,
            table::CutView,
            table::ShoeView,
            table::InsuranceOffer,
            table::FaceView,
            table::FeltView,
            table::ZoneView,
            table::LayoutZone,
            table::MyBet,
            table::MyPayout,
            table::MyRound,
            table::MineView,
            table::DealerView,
            table::TileView,
            PlayerCommand,
            DealerCommand,
            table::PitCommand,
            PlayerMessage,
            DealerMessage,
            Me,
            PartName,
            ChatLine,
            ServerMessage,
        );
        for (name, plain) in [
            ("Chips", "number"),
            ("Pays", "string"),
            ("Card", "string"),
            ("AnyBet", "string"),
            ("BetId", "number"),
            ("Seat", "number"),
            ("Timestamp", "number"),
            ("CommandId", "string"),
            ("PlayerId", "number"),
            ("StaffId", "number"),
        ] {
            if !text.contains(&format!("type {name} ")) {
                text += &format!("\nexport type {name} = {plain};\n");
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire/generated.ts");
        if std::env::var_os("CROUPIER_WRITE_TYPES").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert!(there == text, "stale: run `make types`");
    }

    #[test]
    fn nonsense_is_refused_at_the_door() {
        for text in [
            "",
            "[]",
            "null",
            "{}",
            r#"{"type":"watch"}"#,
            r#"{"type":"watch","table":-1}"#,
            r#"{"type":"watch","table":1,"extra":1}"#,
            r#"{"type":"command","id":"","table":1,"command":{"do":"undo"}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"void","reason":"x"}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"card","card":"9H"}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"bet","on":"tie","stake":-1}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"bet","on":"tie","stake":1.5}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"bet","on":"tie","stake":1e300}}"#,
            r#"{"type":"command","id":"a","table":1,"command":{"do":"bet","on":"red","stake":1}}"#,
        ] {
            assert!(serde_json::from_str::<PlayerMessage>(text).is_err(), "{text}");
        }
    }
}
