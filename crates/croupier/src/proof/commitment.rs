//! The shuffled shoe, the canonical text that binds it, and the commitment: the text's SHA-256.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use games::Card;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::{DECK_CARDS, MAX_CARDS, MAX_DECKS, VERSION};

/// The key of the first line; it keeps this hash apart from every other hash of the house.
const DOMAIN: &str = "croupier-shoe";

/// What `previous` says at a table's first shoe.
const NO_PREVIOUS: &str = "none";

/// The longest piece of a refused text that is repeated in an error.
const QUOTED_LETTERS: usize = 80;

/// Why a text is no hash, salt or key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits, got `{0}`")]
pub struct NotHex(pub String);

/// Reads 32 bytes from their one text form.
pub(crate) fn bytes_from_hex(text: &str) -> Result<[u8; 32], NotHex> {
    let no = || NotHex(quoted(text));
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| no())?;
    if text.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return Err(no());
    }
    Ok(bytes)
}

/// The first letters of a text that was refused.
pub(super) fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_LETTERS).collect()
}

/// The hash that binds the house to one shuffled order; public before the first bet (OPS-69).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Commitment(pub [u8; 32]);

/// The 32 random bytes that keep the order from being guessed from the commitment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt(pub [u8; 32]);

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(hidden)")
    }
}

macro_rules! hex_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl FromStr for $name {
            type Err = NotHex;

            fn from_str(text: &str) -> Result<$name, NotHex> {
                bytes_from_hex(text).map($name)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hex_text!(Commitment);
hex_text!(Salt);

/// Which shoe: the table's number and the count of shuffles at that table, from 1.
///
/// With a continuous shuffler every coup has a shuffle, and so a shoe number, of its own (BAC-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShoeId {
    /// The table's number.
    pub table: u32,
    /// The number of the shoe at this table, from 1.
    pub shoe: u32,
}

impl fmt::Display for ShoeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {} shoe {}", self.table, self.shoe)
    }
}

/// How the robot shuffles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShuffleMode {
    /// One shuffle and one cut for a whole shoe (BAC-21).
    Rng,
    /// One shuffle for every coup, no cut (BAC-28).
    Continuous,
}

impl ShuffleMode {
    /// The word in texts.
    pub const fn word(self) -> &'static str {
        match self {
            ShuffleMode::Rng => "rng",
            ShuffleMode::Continuous => "continuous",
        }
    }
}

/// Where a shoe may be cut: at least one deck in front and one behind (BAC-21); in cards.
///
/// `None` for a single deck, which has no such place and is dealt uncut.
pub fn cut_range(decks: u8) -> Option<RangeInclusive<u16>> {
    let most = u16::from(decks).checked_mul(DECK_CARDS)?.checked_sub(DECK_CARDS)?;
    (most >= DECK_CARDS).then_some(DECK_CARDS..=most)
}

/// What the public sees before the cut: the commitment and its place in the table's chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Which shoe is announced.
    pub id: ShoeId,
    /// The commitment of the shoe before; none at the table's first.
    pub previous: Option<Commitment>,
    /// The commitment to this shoe's order.
    pub commitment: Commitment,
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} previous ", self.id)?;
        match &self.previous {
            Some(previous) => write!(f, "{previous}")?,
            None => f.write_str(NO_PREVIOUS)?,
        }
        write!(f, " commitment {}", self.commitment)
    }
}

/// The canonical text of a shuffle: the exact bytes whose SHA-256 is the commitment.
///
/// Eight lines `key: value`, each ended by one line feed, ASCII only; docs/fairness.md shows one.
/// Any order can be written, so that a false one can be hashed and refused.
pub fn seal_text(
    id: ShoeId,
    previous: Option<Commitment>,
    decks: u8,
    shuffle: ShuffleMode,
    order: &[Card],
    salt: &Salt,
) -> String {
    let previous = previous.map_or(NO_PREVIOUS.to_owned(), |previous| previous.to_string());
    let order: Vec<String> = order.iter().map(Card::to_string).collect();
    format!(
        "{DOMAIN}: {VERSION}\ntable: {}\nshoe: {}\nprevious: {previous}\ndecks: {decks}\n\
         shuffle: {}\norder: {}\nsalt: {salt}\n",
        id.table,
        id.shoe,
        shuffle.word(),
        order.join(" "),
    )
}

/// The commitment to a canonical text.
pub(super) fn commitment_of(text: &str) -> Commitment {
    Commitment(Sha256::digest(text.as_bytes()).into())
}

/// Why something is no shuffled shoe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAShoe {
    /// The count of decks is outside 1 ..= [`MAX_DECKS`].
    #[error("expected 1 to {MAX_DECKS} decks, got {0}")]
    Decks(u8),
    /// The order is shorter or longer than its decks.
    #[error("expected {expected} cards, got {got}")]
    Length {
        /// 52 for each deck.
        expected: usize,
        /// The cards that came.
        got: usize,
    },
    /// A card is there more or less often than the decks hold it.
    #[error("expected {card} {expected} times, got it {got} times")]
    Copies {
        /// The card.
        card: Card,
        /// Once for each deck.
        expected: u8,
        /// How often it came.
        got: usize,
    },
    /// A line of the canonical text is missing or not as it is written.
    #[error("line {line}: expected `{expected}`, got `{got}`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What stands there in a right text.
        expected: String,
        /// What came.
        got: String,
    },
}

/// How often each card is in an order, by [`Card::index`].
pub(super) fn copies(order: impl IntoIterator<Item = Card>) -> [usize; 52] {
    let mut copies = [0; 52];
    for card in order {
        copies[card.index()] += 1;
    }
    copies
}

/// A shoe in its shuffled order before the cut, with the salt: the robot's secret until the end.
///
/// It holds every card of its decks exactly once per deck. It shows neither order nor salt in
/// `Debug` and cannot be serialized; only [`crate::robot::sealed`] writes it, encrypted (STD-15).
#[derive(Clone, PartialEq, Eq)]
pub struct ShuffledShoe {
    id: ShoeId,
    previous: Option<Commitment>,
    decks: u8,
    shuffle: ShuffleMode,
    order: Vec<Card>,
    salt: Salt,
}

impl fmt::Debug for ShuffledShoe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShuffledShoe({}, {} decks, order hidden)", self.id, self.decks)
    }
}

impl ShuffledShoe {
    /// A shoe in this order.
    ///
    /// # Errors
    /// [`NotAShoe`] if the order is not exactly the cards of `decks` decks.
    pub fn new(
        id: ShoeId,
        previous: Option<Commitment>,
        decks: u8,
        shuffle: ShuffleMode,
        order: Vec<Card>,
        salt: Salt,
    ) -> Result<ShuffledShoe, NotAShoe> {
        if decks == 0 || decks > MAX_DECKS {
            return Err(NotAShoe::Decks(decks));
        }
        let expected = usize::from(decks) * usize::from(DECK_CARDS);
        if order.len() != expected {
            return Err(NotAShoe::Length { expected, got: order.len() });
        }
        for (card, got) in Card::deck().zip(copies(order.iter().copied())) {
            if got != usize::from(decks) {
                return Err(NotAShoe::Copies { card, expected: decks, got });
            }
        }
        Ok(ShuffledShoe { id, previous, decks, shuffle, order, salt })
    }

    /// Which shoe this is.
    pub fn id(&self) -> ShoeId {
        self.id
    }

    /// The commitment of the shoe before.
    pub fn previous(&self) -> Option<Commitment> {
        self.previous
    }

    /// The count of decks.
    pub fn decks(&self) -> u8 {
        self.decks
    }

    /// How it was shuffled.
    pub fn shuffle(&self) -> ShuffleMode {
        self.shuffle
    }

    /// The cards before the cut. Nobody may see them before the shoe is over (OPS-71).
    pub fn order(&self) -> &[Card] {
        &self.order
    }

    /// The salt, as secret as the order.
    pub fn salt(&self) -> Salt {
        self.salt
    }

    /// The card at `position` (from 0) after `cut` cards went from the front to the back (BAC-22).
    ///
    /// The position is what the log has counted out of the shoe, burned and dealt, so a restart
    /// goes on with the same card. `None` past the last card or for a cut outside the shoe.
    pub fn card(&self, cut: u16, position: u16) -> Option<Card> {
        card_after_cut(&self.order, usize::from(cut), usize::from(position))
    }

    /// The canonical text, see [`seal_text`]. Secret.
    pub fn text(&self) -> String {
        seal_text(self.id, self.previous, self.decks, self.shuffle, &self.order, &self.salt)
    }

    /// The hash of the text; says nothing about the order.
    pub fn commitment(&self) -> Commitment {
        commitment_of(&self.text())
    }

    /// Reads the canonical text back; only the very text that [`ShuffledShoe::text`] writes.
    ///
    /// # Errors
    /// [`NotAShoe`], naming the line.
    pub fn from_text(text: &str) -> Result<ShuffledShoe, NotAShoe> {
        let mut lines = Lines { lines: text.split('\n'), number: 0 };
        lines.value(DOMAIN, "1", |value| (value == VERSION.to_string()).then_some(()))?;
        let table = lines.value("table", "a number", |value| value.parse().ok())?;
        let shoe = lines.value("shoe", "a number", |value| value.parse().ok())?;
        let previous = lines.value("previous", "a hash or none", |value| {
            if value == NO_PREVIOUS { Some(None) } else { value.parse().ok().map(Some) }
        })?;
        let decks = lines.value("decks", "a number", |value| value.parse().ok())?;
        let shuffle = lines.value("shuffle", "rng or continuous", |value| {
            [ShuffleMode::Rng, ShuffleMode::Continuous].into_iter().find(|m| m.word() == value)
        })?;
        let order = lines.value("order", "cards", |value| {
            let cards = value.split(' ').take(MAX_CARDS + 1).map(str::parse);
            cards.collect::<Result<Vec<Card>, _>>().ok()
        })?;
        let salt = lines.value("salt", "64 digits", |value| value.parse().ok())?;
        let shoe =
            ShuffledShoe::new(ShoeId { table, shoe }, previous, decks, shuffle, order, salt)?;
        if shoe.text() != text {
            let expected = "nothing after the salt and no other spelling".to_owned();
            return Err(NotAShoe::Line {
                line: lines.number + 1,
                expected,
                got: "more".to_owned(),
            });
        }
        Ok(shoe)
    }
}

/// The card at a position after the cut; `None` outside the order.
pub(super) fn card_after_cut(order: &[Card], cut: usize, position: usize) -> Option<Card> {
    if cut > order.len() || position >= order.len() {
        return None;
    }
    order.get((cut + position) % order.len()).copied()
}

/// The lines of a canonical text, read one after the other.
struct Lines<'a> {
    lines: std::str::Split<'a, char>,
    number: usize,
}

impl Lines<'_> {
    fn value<T>(
        &mut self,
        key: &str,
        form: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, NotAShoe> {
        self.number += 1;
        let line = self.lines.next().unwrap_or("");
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(": "));
        value.and_then(read).ok_or_else(|| NotAShoe::Line {
            line: self.number,
            expected: format!("{key}: {form}"),
            // Never the line itself: it may hold the order or the salt of a shoe in play.
            got: if line.is_empty() { "nothing".to_owned() } else { "another text".to_owned() },
        })
    }
}
