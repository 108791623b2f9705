//! Who can hold chips: players, tables and accounts, each with one text form.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Characters of a refused text that are repeated in the error.
pub(crate) const QUOTED_MAX: usize = 40;

/// The start of a refused text, short enough for an error.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_MAX).collect()
}

/// Why a text is no number of a player or table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no number from 1 to {1}")]
pub struct NotAnId(String, u64);

/// Reads a plain number from 1 to `max`: digits only, no sign, no leading zero.
fn plain_number(text: &str, max: u64) -> Result<u64, NotAnId> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    let number = if plain { text.parse().ok() } else { None };
    number.filter(|n| (1..=max).contains(n)).ok_or_else(|| NotAnId(quoted(text), max))
}

/// A player, by number; staff who act at tables have such a number too.
///
/// From 1 to [`PlayerId::MAX`], so that every reader of JSON holds it exactly; its text form is
/// the plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
pub struct PlayerId(u64);

impl PlayerId {
    /// The largest number: 2^53 - 1.
    pub const MAX: u64 = (1 << 53) - 1;

    /// Player `number`, from 1 to [`PlayerId::MAX`].
    pub const fn new(number: u64) -> Option<PlayerId> {
        if number >= 1 && number <= PlayerId::MAX { Some(PlayerId(number)) } else { None }
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for PlayerId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<PlayerId, NotAnId> {
        plain_number(text, PlayerId::MAX).map(PlayerId)
    }
}

impl Serialize for PlayerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for PlayerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerId, D::Error> {
        let number = u64::deserialize(deserializer)?;
        PlayerId::new(number)
            .ok_or_else(|| D::Error::custom(NotAnId(number.to_string(), PlayerId::MAX)))
    }
}

/// A table of the house, by number, from 1; the text form is the plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
pub struct TableId(u32);

impl TableId {
    /// Table `number`, from 1: number 0 is the house itself.
    pub const fn new(number: u32) -> Option<TableId> {
        if number >= 1 { Some(TableId(number)) } else { None }
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for TableId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<TableId, NotAnId> {
        let no = || NotAnId(quoted(text), u64::from(u32::MAX));
        let number = plain_number(text, u64::from(u32::MAX))?;
        u32::try_from(number).ok().and_then(TableId::new).ok_or_else(no)
    }
}

impl Serialize for TableId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de> Deserialize<'de> for TableId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableId, D::Error> {
        let number = u32::deserialize(deserializer)?;
        TableId::new(number)
            .ok_or_else(|| D::Error::custom(NotAnId(number.to_string(), u64::from(u32::MAX))))
    }
}

/// A place where chips are held.
///
/// Its text form, for people, disk and wire alike: `cage`, `player:7`, `stack:3:7` (table 3,
/// player 7), `layout:3`, `float:3`, `commission:3`, `rake:3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub enum Account {
    /// Where the house's chips come from; below nothing by all that it has put into play.
    Cage,
    /// A player's balance, from which stakes are taken.
    Player(PlayerId),
    /// What a player has bought in with at a table (table stakes).
    Stack(TableId, PlayerId),
    /// What is at stake on a table.
    Layout(TableId),
    /// The tray of a table: pays winnings, takes lost stakes; below nothing when players are ahead.
    Float(TableId),
    /// Commission kept at a table.
    Commission(TableId),
    /// Rake kept at a table.
    Rake(TableId),
}

/// The kinds of [`Account`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKind {
    /// The cage.
    Cage,
    /// Players' balances.
    Player,
    /// Players' chips at tables.
    Stack,
    /// Chips at stake.
    Layout,
    /// Tables' trays.
    Float,
    /// Commission kept.
    Commission,
    /// Rake kept.
    Rake,
}

impl AccountKind {
    /// Every kind, in order.
    pub const ALL: [AccountKind; 7] = [
        AccountKind::Cage,
        AccountKind::Player,
        AccountKind::Stack,
        AccountKind::Layout,
        AccountKind::Float,
        AccountKind::Commission,
        AccountKind::Rake,
    ];

    /// The first word of the text form of such an account.
    pub const fn word(self) -> &'static str {
        match self {
            AccountKind::Cage => "cage",
            AccountKind::Player => "player",
            AccountKind::Stack => "stack",
            AccountKind::Layout => "layout",
            AccountKind::Float => "float",
            AccountKind::Commission => "commission",
            AccountKind::Rake => "rake",
        }
    }
}

impl Account {
    /// What kind of account it is.
    pub const fn kind(self) -> AccountKind {
        match self {
            Account::Cage => AccountKind::Cage,
            Account::Player(_) => AccountKind::Player,
            Account::Stack(_, _) => AccountKind::Stack,
            Account::Layout(_) => AccountKind::Layout,
            Account::Float(_) => AccountKind::Float,
            Account::Commission(_) => AccountKind::Commission,
            Account::Rake(_) => AccountKind::Rake,
        }
    }

    /// True where the balance may be below nothing: the house's own cage and trays (I5).
    pub const fn may_be_negative(self) -> bool {
        match self {
            Account::Cage | Account::Float(_) => true,
            Account::Player(_)
            | Account::Stack(_, _)
            | Account::Layout(_)
            | Account::Commission(_)
            | Account::Rake(_) => false,
        }
    }

    /// The player whose chips lie here.
    pub const fn player(self) -> Option<PlayerId> {
        match self {
            Account::Player(player) | Account::Stack(_, player) => Some(player),
            Account::Cage
            | Account::Layout(_)
            | Account::Float(_)
            | Account::Commission(_)
            | Account::Rake(_) => None,
        }
    }

    /// The table that the account belongs to.
    pub const fn table(self) -> Option<TableId> {
        match self {
            Account::Stack(table, _)
            | Account::Layout(table)
            | Account::Float(table)
            | Account::Commission(table)
            | Account::Rake(table) => Some(table),
            Account::Cage | Account::Player(_) => None,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().word())?;
        if let Some(table) = self.table() {
            write!(f, ":{table}")?;
        }
        self.player().map_or(Ok(()), |player| write!(f, ":{player}"))
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is no account.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no account; write it like cage, player:7, stack:3:7 or layout:3")]
pub struct NotAnAccount(String);

impl FromStr for Account {
    type Err = NotAnAccount;

    fn from_str(text: &str) -> Result<Account, NotAnAccount> {
        let no = || NotAnAccount(quoted(text));
        let (word, rest) = text.split_once(':').map_or((text, None), |(w, r)| (w, Some(r)));
        let kind = AccountKind::ALL.into_iter().find(|k| k.word() == word).ok_or_else(no)?;
        let table = || rest.and_then(|r| r.parse::<TableId>().ok());
        let player = |text: &str| text.parse::<PlayerId>().ok();
        let account = match kind {
            AccountKind::Cage => rest.is_none().then_some(Account::Cage),
            AccountKind::Player => rest.and_then(player).map(Account::Player),
            AccountKind::Stack => rest
                .and_then(|r| r.split_once(':'))
                .and_then(|(t, p)| Some(Account::Stack(t.parse().ok()?, player(p)?))),
            AccountKind::Layout => table().map(Account::Layout),
            AccountKind::Float => table().map(Account::Float),
            AccountKind::Commission => table().map(Account::Commission),
            AccountKind::Rake => table().map(Account::Rake),
        };
        account.ok_or_else(no)
    }
}

impl Serialize for Account {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Account, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: u32) -> TableId {
        TableId::new(number).unwrap()
    }

    fn player(number: u64) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    #[test]
    fn each_account_has_one_text_form() {
        let accounts = [
            (Account::Cage, "cage"),
            (Account::Player(player(7)), "player:7"),
            (Account::Stack(table(3), player(7)), "stack:3:7"),
            (Account::Layout(table(3)), "layout:3"),
            (Account::Float(table(3)), "float:3"),
            (Account::Commission(table(3)), "commission:3"),
            (Account::Rake(table(u32::MAX)), "rake:4294967295"),
        ];
        for (account, text) in accounts {
            assert_eq!(account.to_string(), text);
            assert_eq!(text.parse(), Ok(account));
            let json = serde_json::to_string(&account).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Account>(&json).unwrap(), account);
        }
        assert_eq!(accounts.map(|(a, _)| a.kind()), AccountKind::ALL);
    }

    #[test]
    fn other_texts_are_no_accounts() {
        for text in [
            "",
            "Cage",
            "cage:",
            "cage:1",
            "player",
            "player:",
            "player:0",
            "player:07",
            "player:+7",
            "player:-7",
            "player: 7",
            "player:7:1",
            "player:9007199254740992",
            "player:99999999999999999999",
            "stack:3",
            "stack:3:",
            "stack::7",
            "stack:3:7:1",
            "layout:0",
            "layout:4294967296",
            "layout:3:7",
            "float",
            "house",
            "\u{ff11}",
        ] {
            assert!(text.parse::<Account>().is_err(), "{text}");
        }
        let long = "x".repeat(1_000_000).parse::<Account>().unwrap_err().to_string();
        assert!(long.len() < 200, "a refused text is not repeated whole");
    }

    #[test]
    fn numbers_are_safe_in_json() {
        assert_eq!(serde_json::to_string(&player(PlayerId::MAX)).unwrap(), "9007199254740991");
        assert_eq!(serde_json::to_string(&table(3)).unwrap(), "3");
        for text in ["0", "9007199254740992", "-1", "1.5", "\"7\"", "null"] {
            assert!(serde_json::from_str::<PlayerId>(text).is_err(), "{text}");
        }
        for text in ["0", "4294967296", "-1"] {
            assert!(serde_json::from_str::<TableId>(text).is_err(), "{text}");
        }
        assert_eq!("12".parse(), Ok(player(12)));
        assert!("012".parse::<TableId>().is_err());
    }

    /// I5: no account but the house's own is ever below nothing.
    #[test]
    fn only_cage_and_float_may_be_negative() {
        for text in ["player:7", "stack:3:7", "layout:3", "commission:3", "rake:3"] {
            assert!(!text.parse::<Account>().unwrap().may_be_negative(), "{text}");
        }
        for text in ["cage", "float:3"] {
            assert!(text.parse::<Account>().unwrap().may_be_negative(), "{text}");
        }
    }
}
