//! Double entry: accounts, postings and the books. Knows no game.
//!
//! Every movement of chips is a [`Posting`]: one amount from one [`Account`] to another, so it
//! cannot be out of balance. [`Books`] hold every balance; their sum is always zero (invariant
//! I1), and only the house's own accounts may stand below nothing (I5, OPS-31). A posting is never
//! edited: a correction is a new posting (OPS-52).
//!
//! ```
//! use chips::Chips;
//! use ledger::{Account, Books, PlayerId, Posting, Reason, TableId};
//!
//! let player = Account::Player(PlayerId::new(7).unwrap());
//! let layout = Account::Layout(TableId::new(3).unwrap());
//! let chips = |minor| Chips::new(minor).unwrap();
//! let grant = Posting::new(Account::Cage, player, chips(5_000), Reason::Grant).unwrap();
//! let stake = Posting::new(player, layout, chips(2_000), Reason::Stake).unwrap();
//!
//! let mut books = Books::default();
//! assert!(books.verify(&[stake, grant]).is_err(), "the order counts");
//! books.verify(&[grant, stake]).unwrap();
//! books.post(&[grant, stake]);
//! assert_eq!(books.balance(player).chips(), Some(chips(3_000)));
//! assert_eq!(books.sum(), 0);
//! ```

mod account;
mod books;
mod posting;

pub use account::{Account, AccountKind, NotAnAccount, NotAnId, PlayerId, TableId};
pub use books::{Balance, Books, NotBooks, Unpostable};
pub use posting::{NotAPosting, NotAReason, Posting, Reason};
