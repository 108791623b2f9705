//! One amount from one account to another, and why.

use std::fmt;
use std::str::FromStr;

use chips::Chips;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::account::{Account, quoted};

/// Why chips moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub enum Reason {
    /// The house gave a player chips to begin with.
    Grant,
    /// The house gave chips again: to a player who ran out, or to a tray.
    Refill,
    /// A bet was placed (OPS-31).
    Stake,
    /// A stake went back to its owner: standoff, cancelled, lowered, trimmed or void (OPS-51).
    StakeReturned,
    /// What a bet won on top of its stake.
    Winnings,
    /// A stake that the house won.
    StakeLost,
    /// What the house keeps of winnings (BAC-65).
    Commission,
    /// The opposite of an earlier posting, when a result is corrected (OPS-52).
    Reversal,
}

impl Reason {
    /// Every reason, in order.
    pub const ALL: [Reason; 8] = [
        Reason::Grant,
        Reason::Refill,
        Reason::Stake,
        Reason::StakeReturned,
        Reason::Winnings,
        Reason::StakeLost,
        Reason::Commission,
        Reason::Reversal,
    ];

    /// The text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Grant => "grant",
            Reason::Refill => "refill",
            Reason::Stake => "stake",
            Reason::StakeReturned => "stake-returned",
            Reason::Winnings => "winnings",
            Reason::StakeLost => "stake-lost",
            Reason::Commission => "commission",
            Reason::Reversal => "reversal",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a text is no reason for a posting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no reason for a posting")]
pub struct NotAReason(String);

impl FromStr for Reason {
    type Err = NotAReason;

    fn from_str(text: &str) -> Result<Reason, NotAReason> {
        let found = Reason::ALL.into_iter().find(|reason| reason.as_str() == text);
        found.ok_or_else(|| NotAReason(quoted(text)))
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reason, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// One amount, above nothing, from one account to another.
///
/// It cannot be out of balance, and it is never edited: [`Posting::reversal`] undoes it (OPS-52).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Posting {
    from: Account,
    to: Account,
    amount: Chips,
    reason: Reason,
}

/// Why a posting cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotAPosting {
    /// Nothing would move.
    #[error("a posting moves an amount above nothing")]
    ZeroAmount,
    /// The chips would stay where they are.
    #[error("a posting moves chips between two accounts, not within {0}")]
    SameAccount(Account),
}

impl Posting {
    /// `amount` from `from` to `to`.
    ///
    /// # Errors
    /// An amount of nothing, or one account on both sides.
    pub fn new(
        from: Account,
        to: Account,
        amount: Chips,
        reason: Reason,
    ) -> Result<Posting, NotAPosting> {
        if amount.is_zero() {
            return Err(NotAPosting::ZeroAmount);
        }
        if from == to {
            return Err(NotAPosting::SameAccount(from));
        }
        Ok(Posting { from, to, amount, reason })
    }

    /// The account that gives.
    pub const fn from(self) -> Account {
        self.from
    }

    /// The account that receives.
    pub const fn to(self) -> Account {
        self.to
    }

    /// How much moves; never nothing.
    pub const fn amount(self) -> Chips {
        self.amount
    }

    /// Why.
    pub const fn reason(self) -> Reason {
        self.reason
    }

    /// The same amount the other way round, which undoes this posting (OPS-52).
    pub const fn reversal(self) -> Posting {
        Posting { from: self.to, to: self.from, amount: self.amount, reason: Reason::Reversal }
    }
}

impl<'de> Deserialize<'de> for Posting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Posting, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            from: Account,
            to: Account,
            amount: Chips,
            reason: Reason,
        }
        let written = Written::deserialize(deserializer)?;
        Posting::new(written.from, written.to, written.amount, written.reason)
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(text: &str) -> Account {
        text.parse().unwrap()
    }

    fn chips(minor: u64) -> Chips {
        Chips::new(minor).unwrap()
    }

    #[test]
    fn empty_and_circular_postings_cannot_be_made() {
        let (cage, player) = (account("cage"), account("player:7"));
        assert_eq!(
            Posting::new(cage, player, Chips::ZERO, Reason::Grant),
            Err(NotAPosting::ZeroAmount)
        );
        assert_eq!(
            Posting::new(player, player, chips(1), Reason::Stake),
            Err(NotAPosting::SameAccount(player))
        );
        for json in [
            r#"{"from":"cage","to":"player:7","amount":0,"reason":"grant"}"#,
            r#"{"from":"cage","to":"cage","amount":1,"reason":"grant"}"#,
            r#"{"from":"cage","to":"player:7","amount":-1,"reason":"grant"}"#,
            r#"{"from":"cage","to":"player:7","amount":1.5,"reason":"grant"}"#,
            r#"{"from":"cage","to":"player:7","amount":9007199254740992,"reason":"grant"}"#,
            r#"{"from":"cage","to":"player:7","amount":1,"reason":"gift"}"#,
            r#"{"from":"cage","to":"player:7","amount":1,"reason":"grant","also":1}"#,
            r#"{"from":"cage","to":"player:7","amount":1}"#,
        ] {
            assert!(serde_json::from_str::<Posting>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn the_written_form_stays() {
        let posting =
            Posting::new(account("player:7"), account("layout:3"), chips(2_000), Reason::Stake)
                .unwrap();
        let json = serde_json::to_string(&posting).unwrap();
        assert_eq!(json, r#"{"from":"player:7","to":"layout:3","amount":2000,"reason":"stake"}"#);
        assert_eq!(serde_json::from_str::<Posting>(&json).unwrap(), posting);
        let reasons = Reason::ALL.map(|reason| serde_json::to_string(&reason).unwrap());
        assert_eq!(
            reasons.join(" "),
            "\"grant\" \"refill\" \"stake\" \"stake-returned\" \"winnings\" \"stake-lost\" \
             \"commission\" \"reversal\""
        );
        for reason in Reason::ALL {
            assert_eq!(reason.to_string().parse(), Ok(reason));
        }
    }

    #[test]
    fn a_reversal_is_the_other_way_round() {
        let posting =
            Posting::new(account("float:3"), account("player:7"), chips(1_900), Reason::Winnings)
                .unwrap();
        let back = posting.reversal();
        assert_eq!((back.from(), back.to()), (posting.to(), posting.from()));
        assert_eq!((back.amount(), back.reason()), (chips(1_900), Reason::Reversal));
    }
}
