//! The pit: all tables of one process, each a task with an inbox, one writer behind them.

mod parts;
pub mod receipts;
pub mod record;
mod running;
pub mod wallet;
mod watchful;
pub mod writer;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chips::Chips;
use ledger::{PlayerId, Posting, TableId};
use sha2::{Digest, Sha256};
use store::{AcceptedCommand, Append, Lease, Seq, StreamId};
use table::{
    Actor, Code, Command, CommandId, DealerCommand, HouseCommand, PitCommand, PlayerCommand,
    Rejection, Request, Settings, StaffId, Table, Timestamp,
};
use tokio::sync::{Mutex as AsyncMutex, RwLock, mpsc, oneshot, watch};

pub use parts::{Part, Parts};
pub use receipts::Answer;
use receipts::{Known, Receipts};
use running::{Asked, Running};
use wallet::Wallet;
pub use writer::{Refusal, Writer};

use crate::clock::Clock;

/// Commands that may wait at one table; more are answered `RATE_LIMITED`.
const INBOX_MAX: usize = 10_000;
/// How long a player may be without a connection before the table counts him as gone
/// (architecture §6).
const ABSENT_AFTER: Duration = Duration::from_secs(5);

/// What all tables share.
pub(crate) struct House {
    pub clock: Clock,
    pub writer: Writer,
    pub wallet: Wallet,
    pub receipts: Receipts,
    pub lobby: watch::Sender<u64>,
    /// Becomes true when the tables are to stop after what they are doing.
    pub stop: watch::Sender<bool>,
}

/// One table as the rest of the process reaches it.
pub(crate) struct Place {
    id: TableId,
    inbox: mpsc::Sender<Asked>,
    /// The committed state: the table's task holds the lock while a batch is between decision and
    /// disk, so that nobody sees what is not durable.
    table: Arc<RwLock<Table>>,
    parts: watch::Sender<Arc<Parts>>,
    mine: Mutex<BTreeMap<PlayerId, Viewer>>,
}

/// A player whose private part is kept up to date.
struct Viewer {
    part: watch::Sender<Arc<str>>,
    /// His open connections to the table.
    connections: usize,
    /// Counts comings and goings, so that an old departure does not undo a new arrival.
    turn: u64,
}

/// What a table needs to be opened: its number, its settings, its rule set.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct TablePlan {
    pub id: TableId,
    pub settings: Settings,
    pub rules: String,
}

/// All tables of the process.
#[derive(Clone)]
pub struct Pit {
    house: Arc<House>,
    places: Arc<BTreeMap<TableId, Arc<Place>>>,
    house_log: Arc<AsyncMutex<HouseLog>>,
}

/// Where the house's own log stands.
struct HouseLog {
    lease: Lease,
    head: Seq,
}

/// A player's connection to a table. While it lives the player counts as present.
pub struct Watching {
    place: Arc<Place>,
    player: Option<PlayerId>,
    house: Arc<House>,
    /// The public parts.
    pub parts: watch::Receiver<Arc<Parts>>,
    /// The private part, as JSON; empty for a spectator.
    pub mine: watch::Receiver<Arc<str>>,
}

impl Pit {
    /// Replays every table from the log, puts the settings in force and starts the tasks.
    ///
    /// # Errors
    /// A store that cannot be read, a log that does not replay, settings that cannot be.
    pub async fn open(writer: Writer, plans: Vec<TablePlan>) -> anyhow::Result<Pit> {
        let balances = writer.ask(|store| store.balances()).await?;
        let purses = balances
            .into_iter()
            .filter_map(|(account, balance)| Some((account.player()?, balance.chips()?)))
            .collect::<Vec<_>>();
        let (lease, head) = writer.take(StreamId::HOUSE).await?;
        let mut loaded = Vec::new();
        for plan in &plans {
            loaded.push(running::replayed(&writer, plan.id).await?);
        }
        let before_last = Seq(head.seq.0.saturating_sub(1));
        let last = writer.load(StreamId::HOUSE, before_last).await?;
        let stamps = loaded.iter().map(Table::at).chain(last.iter().map(|r| Timestamp(r.at_ms)));
        let newest = stamps.max().unwrap_or_default();
        let house = Arc::new(House {
            clock: Clock::not_before(newest),
            writer,
            wallet: Wallet::of(purses.into_iter().fold(BTreeMap::new(), |mut all, (p, c)| {
                all.insert(p, c);
                all
            })),
            receipts: Receipts::default(),
            lobby: watch::Sender::new(0),
            stop: watch::Sender::new(false),
        });
        let mut places = BTreeMap::new();
        for (plan, table) in plans.into_iter().zip(loaded) {
            let place = Running::start(Arc::clone(&house), plan, table, INBOX_MAX).await?;
            places.insert(place.id, place);
        }
        let house_log = Arc::new(AsyncMutex::new(HouseLog { lease, head: head.seq }));
        Ok(Pit { house, places: Arc::new(places), house_log })
    }

    /// Stops the tables after the batch that each is busy with; open rounds stay open in the log
    /// and are resumed by the next start. Returns when no table will write any more.
    pub async fn close(&self) {
        self.house.stop.send_replace(true);
        for place in self.places.values() {
            place.inbox.closed().await;
        }
    }

    /// The numbers of all tables.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.places.keys().copied()
    }

    /// The one clock.
    pub fn clock(&self) -> &Clock {
        &self.house.clock
    }

    /// The wallet.
    pub fn wallet(&self) -> &Wallet {
        &self.house.wallet
    }

    /// The writer.
    pub fn writer(&self) -> &Writer {
        &self.house.writer
    }

    /// Follows changes of the lobby.
    pub fn lobby(&self) -> watch::Receiver<u64> {
        self.house.lobby.subscribe()
    }

    /// The public parts of a table.
    pub fn parts(&self, table: TableId) -> Option<Arc<Parts>> {
        self.places.get(&table).map(|place| Arc::clone(&place.parts.borrow()))
    }

    /// Follows the public parts of a table without being present at it.
    pub fn follow(&self, table: TableId) -> Option<watch::Receiver<Arc<Parts>>> {
        self.places.get(&table).map(|place| place.parts.subscribe())
    }

    /// Reads the committed state of a table.
    pub async fn with_table<R>(&self, table: TableId, read: impl FnOnce(&Table) -> R) -> Option<R> {
        let place = self.places.get(&table)?;
        let table = place.table.read().await;
        Some(read(&table))
    }

    /// What a player has at stake over all tables.
    pub async fn at_stake(&self, player: PlayerId) -> Chips {
        let mut all = Vec::new();
        for place in self.places.values() {
            all.push(table::mine_view(&*place.table.read().await, player).at_stake);
        }
        Chips::try_sum(all).unwrap_or(Chips::MAX)
    }

    /// Connects to a table: a player counts as present until the last of his connections is gone.
    pub async fn watch(&self, table: TableId, player: Option<PlayerId>) -> Option<Watching> {
        let place = Arc::clone(self.places.get(&table)?);
        let parts = place.parts.subscribe();
        let mine = match player {
            None => watch::Sender::new(Arc::from("")).subscribe(),
            Some(player) => {
                let state = place.table.read().await;
                let first = running::mine(&state, player);
                drop(state);
                place.enter(player, first)
            }
        };
        if let Some(player) = player {
            place.tell(Command::House(HouseCommand::Arrived { player })).await;
        }
        Some(Watching { place, player, house: Arc::clone(&self.house), parts, mine })
    }

    /// A player's command, once whatever happens on the way (OPS-30).
    pub async fn player(
        &self,
        player: PlayerId,
        name: &str,
        table: TableId,
        id: CommandId,
        ask: PlayerAsk,
    ) -> Answer {
        let body = ask.hash(table);
        let key = (player, id);
        match self.house.receipts.look_up(&key, body) {
            Known::Given(answer) => return answer,
            Known::OtherBody => return Err(Code::Duplicate.into()),
            Known::TooMany => return Err(Code::RateLimited.into()),
            Known::Pending(twin) => {
                return twin.await.unwrap_or_else(|_| Err(Code::Unavailable.into()));
            }
            Known::New => (),
        }
        // To its end even if whoever asked goes away: its twins wait for the answer.
        let (pit, name) = (self.clone(), name.to_owned());
        let decided = tokio::spawn(async move {
            let answer = pit.new_command(&key, &name, table, body, ask).await;
            let keep = !matches!(&answer, Err(no) if no.code == Code::Unavailable);
            pit.house.receipts.give(&key, &answer, keep);
            answer
        });
        decided.await.unwrap_or_else(|_| Err(Code::Unavailable.into()))
    }

    /// A command that this process has not seen yet: perhaps one before it has.
    async fn new_command(
        &self,
        key: &(PlayerId, CommandId),
        name: &str,
        table: TableId,
        body: [u8; 32],
        ask: PlayerAsk,
    ) -> Answer {
        let place = self.places.get(&table).ok_or(Code::NotOpen)?;
        let (player, id) = (key.0, key.1.as_str().to_owned());
        match self.house.writer.command(player, id.clone()).await {
            Ok(None) => (),
            Ok(Some(before)) if before.body_hash == body => return Ok(before.answer),
            Ok(Some(_)) => return Err(Code::Duplicate.into()),
            Err(_) => return Err(Code::Unavailable.into()),
        }
        let PlayerAsk { round, rules, command } = ask;
        let (name, funds) = (name.to_owned(), Ok(()));
        let request = Request { player, name, round, rules, funds, command };
        let receipt = Some((id, body));
        place.ask(Command::Player(request), receipt).await
    }

    /// A dealer's command.
    ///
    /// # Errors
    /// Why not.
    pub async fn dealer(
        &self,
        table: TableId,
        by: Actor,
        command: DealerCommand,
    ) -> Result<(), Rejection> {
        let place = self.places.get(&table).ok_or(Code::NotOpen)?;
        place.ask(Command::Dealer(by, command), None).await.map(drop)
    }

    /// A command of the pit.
    ///
    /// # Errors
    /// Why not.
    pub async fn pit(
        &self,
        table: TableId,
        by: StaffId,
        command: PitCommand,
    ) -> Result<(), Rejection> {
        let place = self.places.get(&table).ok_or(Code::NotOpen)?;
        place.ask(Command::Pit(by, command), None).await.map(drop)
    }

    /// Something that the house brings about.
    ///
    /// # Errors
    /// Why not.
    pub async fn house(&self, table: TableId, command: HouseCommand) -> Result<(), Rejection> {
        let place = self.places.get(&table).ok_or(Code::NotOpen)?;
        place.ask(Command::House(command), None).await.map(drop)
    }

    /// Writes an event of the house's own log with its postings, and the command that it carries
    /// out if a player's repetition of that must find it again.
    ///
    /// # Errors
    /// What the writer says; nothing was written then.
    pub async fn write_house(
        &self,
        kind: &str,
        body: String,
        postings: Vec<Posting>,
        command: Option<(PlayerId, CommandId, [u8; 32], String)>,
    ) -> Result<Seq, Refusal> {
        // To its end even if whoever asked goes away: half a write would leave nobody knowing where
        // the log stands.
        let (pit, kind) = (self.clone(), kind.to_owned());
        let written =
            tokio::spawn(async move { pit.write_house_now(kind, body, postings, command).await });
        written.await.unwrap_or_else(|_| Err(Refusal::Stopped("the house log is closed".into())))
    }

    async fn write_house_now(
        &self,
        kind: String,
        body: String,
        postings: Vec<Posting>,
        command: Option<(PlayerId, CommandId, [u8; 32], String)>,
    ) -> Result<Seq, Refusal> {
        let mut log = self.house_log.lock().await;
        let mut append = Append::new(StreamId::HOUSE, log.head, log.lease);
        let seq = append.record(self.house.clock.now().0, kind, body);
        append.postings.extend(postings.iter().map(|p| (seq, *p)));
        append.commands.extend(command.map(|(player, id, body_hash, answer)| AcceptedCommand {
            player,
            command_id: id.as_str().to_owned(),
            body_hash,
            stream: StreamId::HOUSE,
            seq,
            answer,
        }));
        self.house.writer.commit(append).await?;
        log.head = seq;
        self.house.wallet.credit(&postings);
        Ok(seq)
    }

    /// Receipts, for commands to the house that must count once.
    pub fn receipts(&self) -> &Receipts {
        &self.house.receipts
    }
}

/// What a player asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PlayerAsk {
    pub round: Option<u64>,
    pub rules: Option<String>,
    pub command: PlayerCommand,
}

impl PlayerAsk {
    /// By which a repetition is told from another command under the same id.
    fn hash(&self, table: TableId) -> [u8; 32] {
        let command = serde_json::to_string(&self.command).expect("commands are plain data");
        let round = self.round.map_or_else(String::new, |round| round.to_string());
        Sha256::digest(format!("{table}\n{round}\n{command}")).into()
    }
}

impl Place {
    async fn ask(&self, command: Command, receipt: Option<(String, [u8; 32])>) -> Answer {
        let (reply, answer) = oneshot::channel();
        let asked = Asked { command, receipt, reply: Some(reply) };
        match self.inbox.try_send(asked) {
            Ok(()) => answer.await.unwrap_or_else(|_| Err(Code::Unavailable.into())),
            Err(mpsc::error::TrySendError::Full(_)) => Err(Code::RateLimited.into()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(Code::Unavailable.into()),
        }
    }

    /// Says something whose answer nobody waits for; it waits for room in the inbox.
    async fn tell(&self, command: Command) {
        let _ = self.inbox.send(Asked { command, receipt: None, reply: None }).await;
    }

    fn enter(&self, player: PlayerId, first: Arc<str>) -> watch::Receiver<Arc<str>> {
        let mut viewers = self.mine.lock().expect("nobody panics holding the viewers");
        let viewer = viewers.entry(player).or_insert_with(|| Viewer {
            part: watch::Sender::new(Arc::clone(&first)),
            connections: 0,
            turn: 0,
        });
        viewer.connections += 1;
        viewer.turn += 1;
        viewer.part.send_replace(first);
        viewer.part.subscribe()
    }

    /// One connection less; the turn at which the player may be counted as gone.
    fn leave(&self, player: PlayerId) -> Option<u64> {
        let mut viewers = self.mine.lock().expect("nobody panics holding the viewers");
        let viewer = viewers.get_mut(&player)?;
        viewer.connections = viewer.connections.saturating_sub(1);
        viewer.turn += 1;
        (viewer.connections == 0).then_some(viewer.turn)
    }

    /// True if the player has not come back since `turn`; he is forgotten then.
    fn is_gone(&self, player: PlayerId, turn: u64) -> bool {
        let mut viewers = self.mine.lock().expect("nobody panics holding the viewers");
        let gone = viewers.get(&player).is_some_and(|v| v.connections == 0 && v.turn == turn);
        if gone {
            viewers.remove(&player);
        }
        gone
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let Some(player) = self.player else { return };
        let Some(turn) = self.place.leave(player) else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (place, _house) = (Arc::clone(&self.place), Arc::clone(&self.house));
        runtime.spawn(async move {
            tokio::time::sleep(ABSENT_AFTER).await;
            if place.is_gone(player, turn) {
                place.tell(Command::House(HouseCommand::Left { player })).await;
            }
        });
    }
}
