//! Every balance, and the two laws: the sum is zero, and nobody but the house is below nothing.

use std::collections::BTreeMap;
use std::fmt;

use chips::Chips;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::account::{Account, AccountKind};
use crate::posting::Posting;

/// What an account holds, in smallest units: from `-Chips::MAX` to `Chips::MAX`, so that every
/// reader of JSON holds it exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "number"))]
pub struct Balance(i64);

/// [`Chips::MAX`] as a signed number.
const MAX_MINOR: i64 = Chips::MAX.minor().cast_signed();

impl Balance {
    /// Nothing.
    pub const ZERO: Balance = Balance(0);

    /// A balance of `minor` smallest units, if it is within the range.
    pub const fn new(minor: i64) -> Option<Balance> {
        if minor >= -MAX_MINOR && minor <= MAX_MINOR { Some(Balance(minor)) } else { None }
    }

    /// The number of smallest units, below zero for a debt.
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// True for nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The amount, or `None` for a debt.
    pub fn chips(self) -> Option<Chips> {
        u64::try_from(self.0).ok().and_then(Chips::new)
    }

    /// The balance with `amount` more, or `None` above the range.
    pub fn checked_add(self, amount: Chips) -> Option<Balance> {
        self.0.checked_add_unsigned(amount.minor()).and_then(Balance::new)
    }

    /// The balance with `amount` less, or `None` below the range.
    pub fn checked_sub(self, amount: Chips) -> Option<Balance> {
        self.0.checked_sub_unsigned(amount.minor()).and_then(Balance::new)
    }
}

impl From<Chips> for Balance {
    fn from(chips: Chips) -> Balance {
        Balance(chips.minor().cast_signed())
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = Chips::new(self.0.unsigned_abs()).expect("a balance is within Chips::MAX");
        let sign = if self.0 < 0 { "-" } else { "" };
        f.pad(&format!("{sign}{size}"))
    }
}

impl fmt::Debug for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Balance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Balance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Balance, D::Error> {
        let minor = i64::deserialize(deserializer)?;
        let out_of_range = || D::Error::custom(format_args!("no balance can be {minor}"));
        Balance::new(minor).ok_or_else(out_of_range)
    }
}

/// Why postings cannot be posted; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unpostable {
    /// The giving account holds too little (`INSUFFICIENT_FUNDS`, OPS-31, OPS-40).
    #[error("{account} holds {balance}, {needed} needed")]
    Overdraft {
        /// The account that gives.
        account: Account,
        /// What it holds when its turn comes.
        balance: Balance,
        /// What it should give.
        needed: Chips,
    },
    /// The receiving account would hold more than can be written.
    #[error("{account} holds {balance}, no room for {added}")]
    Overfull {
        /// The account that receives.
        account: Account,
        /// What it holds when its turn comes.
        balance: Balance,
        /// What it should receive.
        added: Chips,
    },
}

impl Posting {
    /// Both balances after this posting, or why it cannot be posted.
    ///
    /// The one place where the laws of the books are judged: whatever keeps balances asks here.
    ///
    /// # Errors
    /// An overdraft, or a balance out of range.
    pub fn moved(self, from: Balance, to: Balance) -> Result<(Balance, Balance), Unpostable> {
        let lawful = |rest: &Balance| *rest >= Balance::ZERO || self.from().may_be_negative();
        let rest = from.checked_sub(self.amount()).filter(lawful).ok_or(Unpostable::Overdraft {
            account: self.from(),
            balance: from,
            needed: self.amount(),
        })?;
        let full = to.checked_add(self.amount()).ok_or(Unpostable::Overfull {
            account: self.to(),
            balance: to,
            added: self.amount(),
        })?;
        Ok((rest, full))
    }
}

/// Why a list of balances is no set of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotBooks {
    /// Chips were made or lost (I1).
    #[error("the balances add up to {0} smallest units, not to zero")]
    Unbalanced(i128),
    /// An account other than the house's is below nothing (I5).
    #[error("{0} cannot hold {1}")]
    Negative(Account, Balance),
    /// An account is listed twice.
    #[error("{0} is listed twice")]
    Twice(Account),
}

/// Every balance of the house. The sum is zero, always (I1).
///
/// An account that holds nothing is the same as one that was never touched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Books {
    balances: BTreeMap<Account, Balance>,
}

impl Books {
    /// Books with these balances, as kept elsewhere.
    ///
    /// # Errors
    /// Balances that no postings can lead to.
    pub fn with<I: IntoIterator<Item = (Account, Balance)>>(
        balances: I,
    ) -> Result<Books, NotBooks> {
        let mut books = Books::default();
        for (account, balance) in balances {
            if balance < Balance::ZERO && !account.may_be_negative() {
                return Err(NotBooks::Negative(account, balance));
            }
            if !balance.is_zero() && books.balances.insert(account, balance).is_some() {
                return Err(NotBooks::Twice(account));
            }
        }
        match books.sum() {
            0 => Ok(books),
            sum => Err(NotBooks::Unbalanced(sum)),
        }
    }

    /// What an account holds.
    pub fn balance(&self, account: Account) -> Balance {
        self.balances.get(&account).copied().unwrap_or_default()
    }

    /// Tells whether all of `postings` can be posted, one after the other, and changes nothing.
    ///
    /// Each is judged with those before it already posted: a player may stake what the posting
    /// before has just paid him, and not what the one after will.
    ///
    /// # Errors
    /// The first posting that cannot stand.
    pub fn verify(&self, postings: &[Posting]) -> Result<(), Unpostable> {
        let mut working: BTreeMap<Account, Balance> = BTreeMap::new();
        for posting in postings {
            let (from, to) = (posting.from(), posting.to());
            let held = |account: Account| match working.get(&account) {
                Some(balance) => *balance,
                None => self.balance(account),
            };
            let (rest, full) = posting.moved(held(from), held(to))?;
            working.insert(from, rest);
            working.insert(to, full);
        }
        Ok(())
    }

    /// Posts all of `postings`, one after the other.
    ///
    /// # Panics
    /// Where [`Books::verify`] would have refused: whoever posts has verified, so that is a bug.
    pub fn post(&mut self, postings: &[Posting]) {
        for posting in postings {
            let (from, to) = (posting.from(), posting.to());
            let (rest, full) = match posting.moved(self.balance(from), self.balance(to)) {
                Ok(balances) => balances,
                Err(refusal) => panic!("postings are verified before they are posted: {refusal}"),
            };
            self.set(from, rest);
            self.set(to, full);
        }
    }

    fn set(&mut self, account: Account, balance: Balance) {
        if balance.is_zero() {
            self.balances.remove(&account);
        } else {
            self.balances.insert(account, balance);
        }
    }

    /// The sum of all balances in smallest units; zero, or chips were made or lost (I1).
    pub fn sum(&self) -> i128 {
        self.balances.values().map(|balance| i128::from(balance.minor())).sum()
    }

    /// What all accounts of one kind hold together, in smallest units.
    pub fn total_in(&self, kind: AccountKind) -> i128 {
        let of_kind = self.iter().filter(|(account, _)| account.kind() == kind);
        of_kind.map(|(_, balance)| i128::from(balance.minor())).sum()
    }

    /// Every account that holds something, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Account, Balance)> + '_ {
        self.balances.iter().map(|(account, balance)| (*account, *balance))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::posting::Reason;

    fn account(text: &str) -> Account {
        text.parse().unwrap()
    }

    fn posting(from: &str, to: &str, minor: u64, reason: Reason) -> Posting {
        let amount = Chips::new(minor).unwrap();
        Posting::new(account(from), account(to), amount, reason).unwrap()
    }

    fn grant(minor: u64) -> Posting {
        posting("cage", "player:7", minor, Reason::Grant)
    }

    fn stake(minor: u64) -> Posting {
        posting("player:7", "layout:3", minor, Reason::Stake)
    }

    /// BAC-150: Banker 20.00 wins 20.00, of which 1.00 is commission.
    #[test]
    fn a_banker_win_leaves_the_layout_clear() {
        let mut books = Books::default();
        let coup = [
            grant(10_000),
            stake(2_000),
            posting("float:3", "player:7", 2_000, Reason::Winnings),
            posting("player:7", "commission:3", 100, Reason::Commission),
            posting("layout:3", "player:7", 2_000, Reason::StakeReturned),
        ];
        books.verify(&coup).unwrap();
        books.post(&coup);
        let shown: Vec<String> = books.iter().map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(
            shown.join(", "),
            "cage -100.00, player:7 119.00, float:3 -20.00, commission:3 1.00"
        );
        assert_eq!(books.balance(account("layout:3")), Balance::ZERO);
        assert_eq!(books.total_in(AccountKind::Float), -2_000);
        assert_eq!(books.total_in(AccountKind::Player), 11_900);
        assert_eq!(books.sum(), 0);
    }

    /// cases.md 148 and 149: the second stake of a balance that covers one is refused.
    #[test]
    fn a_balance_is_spent_once() {
        let mut books = Books::default();
        books.post(&[grant(100)]);
        let unchanged = books.clone();
        let both = [stake(100), posting("player:7", "layout:4", 100, Reason::Stake)];
        assert_eq!(
            books.verify(&both),
            Err(Unpostable::Overdraft {
                account: account("player:7"),
                balance: Balance::ZERO,
                needed: Chips::new(100).unwrap(),
            })
        );
        assert_eq!(books, unchanged, "verify changes nothing");
        books.post(&[grant(100)]);
        books.verify(&both).unwrap();
    }

    #[test]
    fn the_order_of_a_batch_counts() {
        let books = Books::default();
        assert!(books.verify(&[stake(50), grant(50)]).is_err());
        assert!(books.verify(&[grant(50), stake(50)]).is_ok());
        assert!(books.verify(&[grant(50), stake(50), stake(1)]).is_err());
        assert!(books.verify(&[]).is_ok());
    }

    /// cases.md 164: no wrap and no clamp.
    #[test]
    fn no_balance_leaves_its_range() {
        let most = Chips::MAX.minor();
        let mut books = Books::default();
        books.post(&[grant(most)]);
        let more = posting("float:3", "player:7", 1, Reason::Winnings);
        assert!(matches!(books.verify(&[more]), Err(Unpostable::Overfull { .. })));
        let deeper = posting("cage", "player:8", 1, Reason::Grant);
        assert!(matches!(books.verify(&[deeper]), Err(Unpostable::Overdraft { .. })));
        assert_eq!(Balance::new(i64::MIN), None);
        assert_eq!(Balance::new(MAX_MINOR + 1), None);
        assert_eq!(Balance::new(-MAX_MINOR).unwrap().to_string(), "-90071992547409.91");
        assert!(serde_json::from_str::<Balance>("9007199254740992").is_err());
        assert_eq!(serde_json::to_string(&Balance::new(-5).unwrap()).unwrap(), "-5");
    }

    #[test]
    #[should_panic(expected = "postings are verified before they are posted")]
    fn an_unverified_overdraft_is_a_bug() {
        Books::default().post(&[stake(1)]);
    }

    #[test]
    fn balances_that_no_postings_lead_to_are_no_books() {
        let minor = |n| Balance::new(n).unwrap();
        let (cage, player) = (account("cage"), account("player:7"));
        let cases = [
            (vec![(cage, minor(-5)), (player, minor(4))], Err(NotBooks::Unbalanced(-1))),
            (
                vec![(cage, minor(5)), (player, minor(-5))],
                Err(NotBooks::Negative(player, minor(-5))),
            ),
            (
                vec![(cage, minor(-5)), (cage, minor(-5)), (player, minor(10))],
                Err(NotBooks::Twice(cage)),
            ),
            (vec![(cage, minor(-5)), (player, minor(5)), (account("rake:1"), minor(0))], Ok(())),
        ];
        for (balances, right) in cases {
            assert_eq!(Books::with(balances).map(|_| ()), right);
        }
        let mut books = Books::default();
        books.post(&[grant(100), stake(40)]);
        assert_eq!(Books::with(books.iter()), Ok(books));
    }

    fn any_account() -> impl Strategy<Value = Account> {
        let kinds = ["cage", "player:1", "player:2", "stack:1:1", "layout:1", "float:1", "rake:1"];
        prop::sample::select(kinds.to_vec()).prop_map(account)
    }

    fn any_posting() -> impl Strategy<Value = Posting> {
        let amount = prop_oneof![4 => 1..200u64, 1 => Chips::MAX.minor() - 2..=Chips::MAX.minor()];
        let reason = prop::sample::select(Reason::ALL.to_vec());
        let parts = (any_account(), any_account(), amount, reason);
        parts.prop_filter_map("two accounts", |(from, to, minor, reason)| {
            Posting::new(from, to, Chips::new(minor)?, reason).ok()
        })
    }

    /// What random books have to show for themselves: the laws hold, and both answers came up.
    #[test]
    fn the_laws_hold_for_any_postings() {
        let (posted, refused) = (std::cell::Cell::new(0u32), std::cell::Cell::new(0u32));
        let batches = prop::collection::vec(prop::collection::vec(any_posting(), 0..6), 0..40);
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let outcome = runner.run(&batches, |batches| {
            let mut books = Books::default();
            for batch in batches {
                let before = books.clone();
                match books.verify(&batch) {
                    Ok(()) => {
                        books.post(&batch);
                        posted.set(posted.get() + 1);
                    }
                    Err(_) => refused.set(refused.get() + 1),
                }
                lawful(&books)?;
                one_by_one(&before, &books, &batch)?;
            }
            Ok(())
        });
        outcome.unwrap();
        assert!(posted.get() > 1_000 && refused.get() > 1_000, "{posted:?} {refused:?}");
    }

    /// Sum zero, never negative where not allowed, and the same books when listed anew.
    fn lawful(books: &Books) -> Result<(), TestCaseError> {
        prop_assert_eq!(books.sum(), 0);
        let by_kind: i128 = AccountKind::ALL.iter().map(|kind| books.total_in(*kind)).sum();
        prop_assert_eq!(by_kind, 0);
        for (account, balance) in books.iter() {
            prop_assert!(balance >= Balance::ZERO || account.may_be_negative());
            prop_assert!(!balance.is_zero());
        }
        prop_assert_eq!(&Books::with(books.iter()), &Ok(books.clone()));
        Ok(())
    }

    /// A batch is the same as its postings one by one, or refused whole; reversed it is undone.
    fn one_by_one(before: &Books, after: &Books, batch: &[Posting]) -> Result<(), TestCaseError> {
        let mut single = before.clone();
        for posting in batch {
            if single.verify(&[*posting]).is_err() {
                prop_assert_eq!(before, after);
                return Ok(());
            }
            single.post(&[*posting]);
        }
        prop_assert_eq!(&single, after);
        let undone: Vec<Posting> = batch.iter().rev().map(|p| p.reversal()).collect();
        prop_assert!(single.verify(&undone).is_ok());
        single.post(&undone);
        prop_assert_eq!(&single, before);
        Ok(())
    }
}
