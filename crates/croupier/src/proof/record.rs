//! The record of one shoe: all that the proof needs, as a table page, the API and the CLI give it.

use std::fmt;
use std::str::FromStr;

use games::{Card, Rank};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::commitment::quoted;
use super::{Commitment, DECK_CARDS, MAX_RECORD_BYTES, Salt, ShoeId, ShuffleMode, VERSION};

/// One shoe from its commitment to its reveal. Its text form is JSON (docs/fairness.md).
///
/// While the shoe is in play `order`, `salt` and `end` are absent (OPS-69).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShoeRecord {
    /// The version of this form, [`VERSION`].
    pub version: u16,
    /// The table's number.
    pub table: u32,
    /// The number of the shoe at this table, from 1.
    pub shoe: u32,
    /// The rules of shuffle, burn and white card that the shoe was dealt by.
    pub rules: ShoeRules,
    /// The commitment of the table's shoe before; none at its first.
    pub previous: Option<Commitment>,
    /// The commitment as it was published before the cut.
    pub commitment: Commitment,
    /// The cards in shuffled order before the cut; absent until the end, or if the file was lost.
    #[serde(with = "order_text")]
    pub order: Option<Vec<Card>>,
    /// The salt, revealed with the order.
    pub salt: Option<Salt>,
    /// The cut; absent before it was taken, for a single deck and with `continuous`.
    pub cut: Option<Cut>,
    /// The burn of the new shoe; absent before it, and with `continuous`.
    pub burn: Option<Burned>,
    /// What was dealt, in order.
    pub rounds: Vec<RecordedRound>,
    /// The counts of cards.
    pub totals: Totals,
    /// Why the shoe ended; absent while it is in play.
    pub end: Option<End>,
}

impl ShoeRecord {
    /// Which shoe this is.
    pub fn id(&self) -> ShoeId {
        ShoeId { table: self.table, shoe: self.shoe }
    }

    /// Reads a record from its JSON text.
    ///
    /// # Errors
    /// [`NotARecord`] with the place. A record that can be read need not be true: [`super::verify`]
    /// it.
    pub fn parse(text: &str) -> Result<ShoeRecord, NotARecord> {
        if text.len() > MAX_RECORD_BYTES {
            return Err(NotARecord::TooLong { most: MAX_RECORD_BYTES, got: text.len() });
        }
        /// The version alone, read first: a later form may have other fields.
        #[derive(Deserialize)]
        struct Version {
            version: u16,
        }
        let version = serde_json::from_str::<Version>(text).map_err(NotARecord::malformed)?.version;
        if version != VERSION {
            return Err(NotARecord::Version { expected: VERSION, got: version });
        }
        serde_json::from_str(text).map_err(NotARecord::malformed)
    }

    /// The JSON text, for reading by eye.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record has only text keys")
    }
}

/// Why a text is no record of a shoe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotARecord {
    /// Longer than [`MAX_RECORD_BYTES`].
    #[error("expected at most {most} bytes, got {got}")]
    TooLong {
        /// The bound, in bytes.
        most: usize,
        /// The length, in bytes.
        got: usize,
    },
    /// No JSON, or not the fields of a record.
    #[error("line {line}, column {column}: {why}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        why: String,
    },
    /// A record of another version.
    #[error("expected a record of version {expected}, got version {got}")]
    Version {
        /// The version that this program reads.
        expected: u16,
        /// The version in the text.
        got: u16,
    },
}

impl NotARecord {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            NotARecord::TooLong { .. } => "RECORD_TOO_LONG",
            NotARecord::Malformed { .. } => "RECORD_MALFORMED",
            NotARecord::Version { .. } => "RECORD_VERSION",
        }
    }

    fn malformed(error: serde_json::Error) -> NotARecord {
        let why = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = quoted(why.strip_suffix(&place).unwrap_or(&why));
        NotARecord::Malformed { line: error.line(), column: error.column(), why }
    }
}

/// The part of a rule set that decides which card lies where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShoeRules {
    /// The count of decks, 1 to 12.
    pub decks: u8,
    /// One shuffle per shoe or per coup.
    pub shuffle: ShuffleMode,
    /// How many cards lie behind the white card (BAC-23); absent with `continuous`.
    pub white_card_from_back: Option<u16>,
    /// How many coups are dealt when the white card has come (BAC-91).
    pub last_hand: LastHand,
    /// A white card that comes before a coup's first card makes that coup the last (BAC-91).
    pub white_first_is_last: bool,
    /// The burn of a new shoe (BAC-25).
    pub burn_new_shoe: BurnRule,
    /// What a ten, jack, queen or king as first card burns.
    pub burn_court_value: u8,
    /// The turned card counts among the burned ones.
    pub burn_includes_first: bool,
    /// The cards burned in each coup before its first card (BAC-26).
    pub burn_per_coup: u8,
}

impl ShoeRules {
    /// The cards in a full shoe.
    pub fn cards(&self) -> u16 {
        u16::from(self.decks) * DECK_CARDS
    }

    /// How many cards a new shoe burns, given the card that lies first in it (BAC-25).
    pub fn burn_count(&self, first: Card) -> u16 {
        match self.burn_new_shoe {
            BurnRule::None => 0,
            BurnRule::Decks => u16::from(self.decks),
            BurnRule::Fixed(count) => u16::from(count),
            BurnRule::FirstCardValue => {
                let value = match first.rank {
                    Rank::Ace => 1,
                    Rank::Two => 2,
                    Rank::Three => 3,
                    Rank::Four => 4,
                    Rank::Five => 5,
                    Rank::Six => 6,
                    Rank::Seven => 7,
                    Rank::Eight => 8,
                    Rank::Nine => 9,
                    Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => self.burn_court_value,
                };
                u16::from(value) + u16::from(!self.burn_includes_first)
            }
        }
    }
}

/// What follows when the white card has come (BAC-91).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastHand {
    /// The coup in which it came is the last.
    Current,
    /// One more coup is dealt.
    OneMore,
}

/// How many cards a new shoe burns (BAC-25). Its text form is `none`, `decks`,
/// `first_card_value` or `fixed(3)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurnRule {
    /// No card.
    None,
    /// As many as there are decks.
    Decks,
    /// As many as the first card counts.
    FirstCardValue,
    /// This many.
    Fixed(u8),
}

/// Why a text is no burn rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected none, decks, first_card_value or fixed(3), got `{0}`")]
pub struct NotBurnRule(pub String);

impl fmt::Display for BurnRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BurnRule::None => f.write_str("none"),
            BurnRule::Decks => f.write_str("decks"),
            BurnRule::FirstCardValue => f.write_str("first_card_value"),
            BurnRule::Fixed(count) => write!(f, "fixed({count})"),
        }
    }
}

impl FromStr for BurnRule {
    type Err = NotBurnRule;

    fn from_str(text: &str) -> Result<BurnRule, NotBurnRule> {
        for rule in [BurnRule::None, BurnRule::Decks, BurnRule::FirstCardValue] {
            if text == rule.to_string() {
                return Ok(rule);
            }
        }
        let count = text.strip_prefix("fixed(").and_then(|rest| rest.strip_suffix(')'));
        let rule = count.and_then(|count| count.parse().ok()).map(BurnRule::Fixed);
        rule.filter(|rule| rule.to_string() == text).ok_or_else(|| NotBurnRule(quoted(text)))
    }
}

impl Serialize for BurnRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BurnRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BurnRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Where the shoe was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Who chose the place.
    pub by: CutBy,
    /// How many cards lay in front of the cut card and went behind the rest (BAC-22).
    pub at: u16,
}

/// Who cut the shoe (BAC-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutBy {
    /// A player, after the commitment was published.
    Player,
    /// A dealer in person.
    Dealer,
    /// The house's own random number, as the rule says or because nobody cut in time.
    House,
}

/// The burn of a new shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burned {
    /// How many cards were burned, the turned one included.
    pub count: u16,
    /// The first card, if it was turned for all to see; the others stay face down.
    pub shown: Option<Card>,
}

/// One round as it came out of the shoe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRound {
    /// The round's number, growing along the shoe.
    pub round: u64,
    /// Whether it counted.
    pub kind: RoundKind,
    /// The cards burned face down before its first card (BAC-26).
    pub burned: u16,
    /// The cards in the order in which they were dealt.
    #[serde(with = "seen_text")]
    pub cards: Vec<Seen>,
}

/// Whether a round counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundKind {
    /// Dealt to the end and settled.
    Played,
    /// Broken off or voided; its stakes were returned, its cards left the shoe.
    Void,
    /// Shown without bets, before the first betting window (BAC-27).
    Demo,
}

/// A dealt card: its face, or `??` if it left the shoe and nobody saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The face that the table saw.
    Face(Card),
    /// Never turned; only in a round that did not count.
    Down,
}

/// The text form of a card that nobody saw.
const FACE_DOWN: &str = "??";

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Face(card) => write!(f, "{card}"),
            Seen::Down => f.write_str(FACE_DOWN),
        }
    }
}

impl FromStr for Seen {
    type Err = games::NotACard;

    fn from_str(text: &str) -> Result<Seen, games::NotACard> {
        if text == FACE_DOWN { Ok(Seen::Down) } else { text.parse().map(Seen::Face) }
    }
}

/// The counts of cards of one shoe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Burned, of the new shoe and of all coups.
    pub burned: u32,
    /// Dealt in all rounds, demonstrations and voided rounds included.
    pub dealt: u32,
    /// Left in the shoe.
    pub left: u32,
}

/// Why a shoe ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The white card came and the last hand was dealt (BAC-91).
    WhiteCard,
    /// The coup of a continuous shuffler is over (BAC-28).
    CoupOver,
    /// The supervisor changed the shoe (BAC-29).
    Pit,
    /// The table closed.
    TableClosed,
    /// A round found no card left.
    Exhausted,
    /// The robot's file is lost: the open round was voided, the order cannot be revealed.
    FileLost,
}

impl End {
    /// The word in texts.
    pub const fn word(self) -> &'static str {
        match self {
            End::WhiteCard => "white-card",
            End::CoupOver => "coup-over",
            End::Pit => "pit",
            End::TableClosed => "table-closed",
            End::Exhausted => "exhausted",
            End::FileLost => "file-lost",
        }
    }
}

/// Reads words between single spaces; the error names the place.
fn words<T: FromStr<Err = games::NotACard>, E: serde::de::Error>(text: &str) -> Result<Vec<T>, E> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let read = |(place, word): (usize, &str)| {
        word.parse().map_err(|why| E::custom(format!("card {}: {why}", place + 1)))
    };
    text.split(' ').enumerate().map(read).collect()
}

/// The words of a list between single spaces.
fn joined<T: fmt::Display>(list: &[T]) -> String {
    list.iter().map(T::to_string).collect::<Vec<String>>().join(" ")
}

/// The order as in the canonical text: `9H TD AS`.
mod order_text {
    use super::*;

    pub fn serialize<S: Serializer>(
        order: &Option<Vec<Card>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        order.as_deref().map(joined).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<Card>>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| words(&text)).transpose()
    }
}

/// Dealt cards: `9H ?? AS`.
mod seen_text {
    use super::*;

    pub fn serialize<S: Serializer>(cards: &[Seen], serializer: S) -> Result<S::Ok, S::Error> {
        joined(cards).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Seen>, D::Error> {
        words(&String::deserialize(deserializer)?)
    }
}
