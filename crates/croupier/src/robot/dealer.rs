//! The robot at the table: it looks at what is expected and does what a dealer does.
//!
//! It knows the order of the shoe and nothing of the bets; it is told what is due and sends the
//! card at the position that the log has reached, so that a crash repeats no draw.

use std::sync::Arc;
use std::time::Duration;

use games::baccarat::ShuffleMode;
use games::{Due, Expects, Step};
use ledger::TableId;
use table::{Actor, Code, DealerCommand, HouseCommand, Rejection, Table, Timestamp};
use tokio::sync::watch;

use super::sealed::{SealedError, SealedShoes};
use super::shuffle::{fresh_shoe, house_cut};
use crate::pit::Pit;
use crate::pit::record::reveal;
use crate::proof::{self, Commitment, ShoeId, ShuffledShoe};
use crate::recall::Archive;

/// How long the robot rests after something went wrong.
const REST: Duration = Duration::from_secs(1);
/// How often it looks at the table though nothing seems to have changed.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// How a robot deals.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// The pause between two acts.
    pub pace: Duration,
    /// It opens no round while nobody is connected.
    pub idle_pause: bool,
}

/// One robot at one table.
pub struct Robot {
    pit: Pit,
    table: TableId,
    habits: Habits,
    sealed: Arc<SealedShoes>,
    archive: Archive,
    /// The order of the shoe in use.
    order: Option<ShuffledShoe>,
    stop: watch::Receiver<bool>,
}

/// What the robot is to do next.
#[derive(Debug, PartialEq, Eq)]
enum Act {
    /// Something of a dealer's, after a pause.
    Deal(DealerCommand),
    /// The card at this position of the order.
    Card(u16, Option<u16>),
    /// Shuffle and commit, under this number.
    Commit { shoe: u32, decks: u8, continuous: bool, previous: Option<String> },
    /// Show a finished shoe.
    Reveal(u32),
    /// Cut the shoe.
    Cut(u8),
    /// Wait until then, or for a change.
    Wait(Option<Timestamp>),
}

impl Robot {
    /// A robot for a table.
    pub fn new(
        pit: Pit,
        table: TableId,
        habits: Habits,
        sealed: Arc<SealedShoes>,
        archive: Archive,
        stop: watch::Receiver<bool>,
    ) -> Robot {
        Robot { pit, table, habits, sealed, archive, order: None, stop }
    }

    /// Deals until it is stopped.
    pub async fn deal(mut self) {
        let Some(mut changes) = self.pit.follow(self.table) else { return };
        loop {
            let act = self.next().await;
            let pause = match &act {
                Some(Act::Wait(until)) => self.left(*until),
                Some(Act::Commit { .. } | Act::Reveal(_)) => Duration::ZERO,
                Some(Act::Deal(_) | Act::Card(..) | Act::Cut(_)) => self.habits.pace,
                None => return,
            };
            let waits = matches!(act, Some(Act::Wait(_)));
            tokio::select! {
                () = tokio::time::sleep(pause) => (),
                changed = changes.changed(), if waits => {
                    if changed.is_err() {
                        return;
                    }
                }
                _ = self.stop.wait_for(|stop| *stop) => return,
            }
            let Some(act) = act.filter(|_| !waits) else { continue };
            if let Err(no) = self.perform(act).await {
                tracing::warn!(table = self.table.number(), %no, "the robot was refused");
                tokio::time::sleep(REST).await;
            }
        }
    }

    /// The time left until a stamp, and never longer than a look takes.
    fn left(&self, until: Option<Timestamp>) -> Duration {
        let now = self.pit.clock().now();
        let left = until.map(|at| u64::try_from(at.0.saturating_sub(now.0)).unwrap_or(0));
        left.map_or(LOOK_AGAIN, |ms| Duration::from_millis(ms.max(1)).min(LOOK_AGAIN))
    }

    async fn next(&self) -> Option<Act> {
        let (now, habits) = (self.pit.clock().now(), self.habits);
        self.pit.with_table(self.table, |table| next_act(table, now, habits)).await
    }

    async fn perform(&mut self, act: Act) -> Result<(), Rejection> {
        match act {
            Act::Deal(command) => self.say(command).await,
            Act::Card(position, cut) => self.card(position, cut).await,
            Act::Commit { shoe, decks, continuous, previous } => {
                self.commit(shoe, decks, continuous, previous).await
            }
            Act::Reveal(shoe) => self.reveal(shoe).await,
            Act::Cut(decks) => {
                let at = house_cut(decks).map_err(failed)?;
                self.say(DealerCommand::Step { step: Step::Cut, at }).await
            }
            Act::Wait(_) => Ok(()),
        }
    }

    async fn say(&self, command: DealerCommand) -> Result<(), Rejection> {
        self.pit.dealer(self.table, Actor::Robot, command).await
    }

    fn id(&self, shoe: u32) -> ShoeId {
        ShoeId { table: self.table.number(), shoe }
    }

    /// Shuffles a shoe, seals its order, and only then publishes the commitment. An order that was
    /// sealed before a crash is taken up again, not shuffled anew.
    async fn commit(
        &mut self,
        shoe: u32,
        decks: u8,
        continuous: bool,
        previous: Option<String>,
    ) -> Result<(), Rejection> {
        let id = self.id(shoe);
        let mode =
            if continuous { proof::ShuffleMode::Continuous } else { proof::ShuffleMode::Rng };
        let previous: Option<Commitment> = previous.and_then(|text| text.parse().ok());
        let order = match self.sealed.load(id) {
            Ok(order) if order.previous() == previous && order.decks() == decks => order,
            Ok(_) | Err(SealedError::Missing { .. } | SealedError::Damaged { .. }) => {
                self.sealed.remove(id).map_err(failed)?;
                let order = fresh_shoe(id, previous, decks, mode).map_err(failed)?;
                self.sealed.seal(&order).map_err(failed)?;
                order
            }
            Err(other) => return Err(failed(other)),
        };
        let commitment = order.commitment().to_string();
        let previous = previous.map(|p| p.to_string());
        self.order = Some(order);
        let commit = HouseCommand::Commit { commitment, previous };
        self.pit.house(self.table, commit).await
    }

    /// The order of the shoe in use, from memory or from its sealed file.
    async fn order(&mut self) -> Result<&ShuffledShoe, Rejection> {
        let known = self.pit.with_table(self.table, |table| {
            let shoe = table.game().map_or(0, games::Game::shoe_number);
            (shoe, table.commitments().0.map(str::to_owned))
        });
        let (shoe, commitment) = known.await.ok_or(Code::NotOpen)?;
        let id = self.id(shoe);
        let fits = |order: &ShuffledShoe| {
            order.id() == id && Some(order.commitment().to_string()) == commitment
        };
        if !self.order.as_ref().is_some_and(fits) {
            self.order = match self.sealed.load(id) {
                Ok(order) if fits(&order) => Some(order),
                Ok(_) => None,
                Err(why) if why.is_lost() => None,
                Err(why) => return Err(failed(why)),
            };
        }
        if self.order.is_none() {
            tracing::error!(table = self.table.number(), shoe, "the sealed order is lost");
            self.pit.house(self.table, HouseCommand::SealLost).await?;
        }
        self.order.as_ref().ok_or_else(|| Code::NotDue.into())
    }

    async fn card(&mut self, position: u16, cut: Option<u16>) -> Result<(), Rejection> {
        let card = self.order().await?.card(cut.unwrap_or(0), position);
        let card =
            card.ok_or_else(|| Rejection::because(Code::NotDue, "the order is at its end"))?;
        self.say(DealerCommand::Card { card }).await
    }

    /// Shows order and salt of a finished shoe, then forgets the sealed file.
    async fn reveal(&mut self, shoe: u32) -> Result<(), Rejection> {
        let id = self.id(shoe);
        let read = tokio::task::block_in_place(|| self.archive.shoe(id)).map_err(failed)?;
        let record =
            read.ok_or_else(|| Rejection::because(Code::NotDue, "the log knows no such shoe"))?;
        let record = match self.sealed.load(id) {
            Ok(order) => reveal(record, &order),
            Err(why) if why.is_lost() => record,
            Err(why) => return Err(failed(why)),
        };
        let record = record.to_json();
        self.pit.house(self.table, HouseCommand::Reveal { shoe, record }).await?;
        self.sealed.remove(id).map_err(failed)
    }
}

/// A failure of the robot's own world, told in the log of the process.
fn failed(why: impl std::fmt::Display) -> Rejection {
    tracing::error!(%why, "the robot cannot go on");
    Code::Unavailable.into()
}

/// What a dealer would do at this table now.
fn next_act(table: &Table, now: Timestamp, habits: Habits) -> Act {
    let Some(game) = table.game() else { return Act::Wait(None) };
    if !table.is_robot_dealt() {
        return Act::Wait(None);
    }
    if let Some(shoe) = table.revealable().next() {
        return Act::Reveal(shoe);
    }
    if !table.is_open() {
        let open = Act::Deal(DealerCommand::OpenTable);
        return if table.is_halted() { Act::Wait(None) } else { open };
    }
    let course = game.baccarat();
    let continuous = course.rules().shuffle_mode == ShuffleMode::Continuous;
    if let Some(shoe) = table.next_commitment_number() {
        let (_, previous) = table.commitments();
        let (decks, previous) = (course.rules().decks, previous.map(str::to_owned));
        return Act::Commit { shoe, decks, continuous, previous };
    }
    match game.expects() {
        Expects::ShoeChange if table.is_halted() => Act::Wait(None),
        Expects::ShoeChange => match table.shown_until() {
            Some(until) if now < until => Act::Wait(Some(until)),
            Some(_) | None => Act::Deal(DealerCommand::NewShoe),
        },
        Expects::Step(Step::Cut) => match table.cut_until() {
            Some(until) if now < until => Act::Wait(Some(until)),
            Some(_) | None => Act::Cut(course.rules().decks),
        },
        Expects::Step(step) => Act::Deal(DealerCommand::Step { step, at: None }),
        Expects::Opening { demonstration } => open_round(table, now, habits, demonstration),
        Expects::Draw { due, .. } => draw(table, now, due),
        Expects::Open { holder: None, .. } => Act::Deal(DealerCommand::Open),
        Expects::Declaration => Act::Deal(DealerCommand::Declare),
        Expects::Bets | Expects::Insurance | Expects::Open { holder: Some(_), .. } => {
            Act::Wait(None)
        }
    }
}

fn open_round(table: &Table, now: Timestamp, habits: Habits, demonstration: bool) -> Act {
    let idle = habits.idle_pause && table.present().is_empty();
    if table.is_halted() || table.is_closing() || idle {
        return Act::Wait(None);
    }
    if let Some(until) = table.shown_until().filter(|until| now < *until) {
        return Act::Wait(Some(until));
    }
    let dealt = table.game().map_or(0, |game| game.baccarat().demonstrations());
    let wanted = table.settings().map_or(0, |settings| settings.demo_coups);
    let demonstration = demonstration && dealt < wanted;
    Act::Deal(DealerCommand::OpenRound { demonstration })
}

fn draw(table: &Table, now: Timestamp, due: Due) -> Act {
    // At the shoe-passing table the holder triggers each card, for some seconds (BAC-132).
    if let Some(until) = table.shoe_holder_until().filter(|until| now < *until) {
        return Act::Wait(Some(until));
    }
    let out = table.game().map_or(0, |game| game.baccarat().cards_out());
    match due {
        Due::Burn { .. } => Act::Deal(DealerCommand::Burn),
        Due::WhiteCard => Act::Deal(DealerCommand::WhiteCard),
        Due::Turned | Due::Card { .. } => Act::Card(out, table.cut_at()),
    }
}
