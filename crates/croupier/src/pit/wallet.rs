//! The one wallet of the process: what each player may still stake, over all tables.

use std::collections::BTreeMap;
use std::sync::Mutex;

use chips::Chips;
use ledger::{Account, PlayerId, Posting};
use tokio::sync::watch;

/// Balances less what is reserved for bets that are not committed yet.
///
/// A stake is reserved before its bet is decided, so that an overdraft refuses that one bet and
/// never a neighbour's; what comes back to a player counts once it is committed.
#[derive(Debug, Default)]
pub struct Wallet(Mutex<BTreeMap<PlayerId, watch::Sender<Chips>>>);

impl Wallet {
    /// The wallet of these balances.
    pub fn of(balances: impl IntoIterator<Item = (PlayerId, Chips)>) -> Wallet {
        let purses =
            balances.into_iter().map(|(player, chips)| (player, watch::Sender::new(chips)));
        Wallet(Mutex::new(purses.collect()))
    }

    fn with<R>(&self, player: PlayerId, act: impl FnOnce(&watch::Sender<Chips>) -> R) -> R {
        let mut purses = self.0.lock().expect("nobody panics holding the wallet");
        act(purses.entry(player).or_insert_with(|| watch::Sender::new(Chips::ZERO)))
    }

    /// What a player may stake now.
    pub fn available(&self, player: PlayerId) -> Chips {
        self.with(player, |purse| *purse.borrow())
    }

    /// Follows what a player may stake.
    pub fn follow(&self, player: PlayerId) -> watch::Receiver<Chips> {
        self.with(player, watch::Sender::subscribe)
    }

    /// Sets an amount aside.
    ///
    /// # Errors
    /// What there is, if that is less.
    pub fn reserve(&self, player: PlayerId, amount: Chips) -> Result<(), Chips> {
        self.with(player, |purse| {
            let there = *purse.borrow();
            let rest = there.checked_sub(amount).ok_or(there)?;
            if !amount.is_zero() {
                purse.send_replace(rest);
            }
            Ok(())
        })
    }

    /// Gives an amount back, or adds what was won.
    pub fn add(&self, player: PlayerId, amount: Chips) {
        if amount.is_zero() {
            return;
        }
        self.with(player, |purse| {
            let there = *purse.borrow();
            purse.send_replace(there.checked_add(amount).unwrap_or(Chips::MAX));
        });
    }

    /// Adds what committed postings bring to players.
    pub fn credit<'a>(&self, postings: impl IntoIterator<Item = &'a Posting>) {
        for posting in postings {
            if let Account::Player(player) = posting.to() {
                self.add(player, posting.amount());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// cases.md 148, 149: concurrent spending over several tables.
    #[test]
    fn exactly_as_many_bets_are_funded_as_the_balance_covers() {
        let player = PlayerId::new(1).unwrap();
        let ten = Chips::new(10).unwrap();
        let wallet = Wallet::of([(player, Chips::new(100).unwrap())]);
        let funded: usize = std::thread::scope(|scope| {
            let bets = (0..8).map(|_| {
                let bet = || (0..5).filter(|_| wallet.reserve(player, ten).is_ok()).count();
                scope.spawn(bet)
            });
            bets.collect::<Vec<_>>().into_iter().map(|bet| bet.join().unwrap()).sum()
        });
        assert_eq!(funded, 10);
        assert_eq!(wallet.reserve(player, ten), Err(Chips::ZERO));
        wallet.add(player, ten);
        assert_eq!(wallet.available(player), ten);
    }
}
