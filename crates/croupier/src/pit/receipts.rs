//! Receipts: what a repeated command is answered (OPS-30, cases.md 124, 152).

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use ledger::PlayerId;
use table::{CommandId, Rejection};
use tokio::sync::oneshot;

/// Receipts that are remembered beside the store, which keeps those of accepted commands for ever.
const KEPT_MAX: usize = 100_000;
/// Twins of one command that may wait for its answer.
const TWINS_MAX: usize = 64;

/// What a command came to: the stored text of an acceptance, or the refusal.
pub type Answer = Result<String, Rejection>;

type Key = (PlayerId, CommandId);

enum Receipt {
    /// Being decided; its twins wait.
    Pending { body: [u8; 32], twins: Vec<oneshot::Sender<Answer>> },
    /// Answered.
    Given { body: [u8; 32], answer: Answer },
}

/// What is known of a command that came in.
pub enum Known {
    /// Nothing: it is now pending, and must be answered through [`Receipts::give`].
    New,
    /// It was answered.
    Given(Answer),
    /// Its twin is being decided.
    Pending(oneshot::Receiver<Answer>),
    /// The same id stands for another command.
    OtherBody,
    /// Too many of its twins wait already.
    TooMany,
}

/// The receipts of the process.
#[derive(Default)]
pub struct Receipts(Mutex<Book>);

#[derive(Default)]
struct Book {
    receipts: BTreeMap<Key, Receipt>,
    order: VecDeque<Key>,
}

impl Receipts {
    /// Looks a command up, and notes it as pending if it is new.
    pub fn look_up(&self, key: &Key, body: [u8; 32]) -> Known {
        let mut book = self.0.lock().expect("nobody panics holding the receipts");
        match book.receipts.get_mut(key) {
            None => {
                let pending = Receipt::Pending { body, twins: Vec::new() };
                book.receipts.insert(key.clone(), pending);
                Known::New
            }
            Some(Receipt::Pending { body: first, .. } | Receipt::Given { body: first, .. })
                if *first != body =>
            {
                Known::OtherBody
            }
            Some(Receipt::Pending { twins, .. }) if twins.len() >= TWINS_MAX => Known::TooMany,
            Some(Receipt::Pending { twins, .. }) => {
                let (send, receive) = oneshot::channel();
                twins.push(send);
                Known::Pending(receive)
            }
            Some(Receipt::Given { answer, .. }) => Known::Given(answer.clone()),
        }
    }

    /// Answers a pending command and all its twins. Without `keep` the command is forgotten, so
    /// that it may be asked again: nothing is known of what became of it.
    pub fn give(&self, key: &Key, answer: &Answer, keep: bool) {
        let mut book = self.0.lock().expect("nobody panics holding the receipts");
        if let Some(Receipt::Pending { body, twins }) = book.receipts.remove(key) {
            twins.into_iter().for_each(|twin| drop(twin.send(answer.clone())));
            if keep {
                let given = Receipt::Given { body, answer: answer.clone() };
                book.receipts.insert(key.clone(), given);
                book.order.push_back(key.clone());
            }
        }
        while book.order.len() > KEPT_MAX {
            if let Some(oldest) = book.order.pop_front() {
                book.receipts.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_waits_and_gets_the_same_answer_and_another_body_is_refused() {
        let receipts = Receipts::default();
        let key = (PlayerId::new(1).unwrap(), "a".parse::<CommandId>().unwrap());
        assert!(matches!(receipts.look_up(&key, [1; 32]), Known::New));
        let Known::Pending(mut twin) = receipts.look_up(&key, [1; 32]) else { panic!("waits") };
        assert!(matches!(receipts.look_up(&key, [2; 32]), Known::OtherBody));
        receipts.give(&key, &Ok("yes".into()), true);
        assert_eq!(twin.try_recv().unwrap(), Ok("yes".into()));
        assert!(matches!(receipts.look_up(&key, [1; 32]), Known::Given(Ok(a)) if a == "yes"));
        assert!(matches!(receipts.look_up(&key, [2; 32]), Known::OtherBody));
    }
}
