//! WebSockets: a player's and a dealer's line to the tables.
//!
//! Each watched table has a forwarder that sends whole parts when they changed. The queue to a
//! browser is bounded and a browser that does not read in time is dropped; the next whole view
//! heals what it missed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use ledger::{PlayerId, TableId};
use serde_json::value::RawValue;
use table::{Actor, Code, CommandId, Rejection, StaffId};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::chat::Chat;
use crate::pit::{Part, Parts, Pit, PlayerAsk};
use crate::wire::{
    ChatLine, DealerMessage, MESSAGE_BYTES_MAX, Me, PartName, PlayerMessage, ServerMessage,
    WIRE_VERSION,
};

/// Messages that may wait for a browser.
const OUT_MAX: usize = 64;
/// Tables that one connection may watch.
const WATCHED_MAX: usize = 12;
/// How long a browser may take to read a message before it is dropped.
const SEND_MAX: Duration = Duration::from_secs(5);
/// A connection that says nothing for so long is closed; browsers ping every second or so.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// The lobby is sent at most so often.
const LOBBY_EVERY: Duration = Duration::from_millis(500);
/// Messages that cannot be read before the connection is closed.
const MALFORMED_MAX: u32 = 20;

/// What a connection needs of the house.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct Line {
    pub pit: Pit,
    pub chat: Chat,
    pub me: Me,
    pub rate: Rate,
    /// Becomes true when the house shuts down.
    pub stop: watch::Receiver<bool>,
}

/// How many messages a connection may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Rate {
    pub per_second: u32,
    pub burst: u32,
}

/// A bucket of messages that a connection may still send.
struct Bucket {
    rate: Rate,
    left_ms: u64,
    at: Instant,
}

impl Bucket {
    fn new(rate: Rate) -> Bucket {
        let per_message = 1_000 / u64::from(rate.per_second.max(1));
        Bucket { rate, left_ms: per_message * u64::from(rate.burst), at: Instant::now() }
    }

    /// Takes one message out, if there is one.
    fn take(&mut self) -> bool {
        let per_message = 1_000 / u64::from(self.rate.per_second.max(1));
        let full = per_message * u64::from(self.rate.burst);
        let now = Instant::now();
        let since = u64::try_from((now - self.at).as_millis()).unwrap_or(full);
        self.at = now;
        self.left_ms = self.left_ms.saturating_add(since).min(full);
        let there = self.left_ms >= per_message;
        if there {
            self.left_ms -= per_message;
        }
        there
    }
}

/// The queue to a browser.
#[derive(Clone)]
struct Out(mpsc::Sender<Utf8Bytes>);

impl Out {
    /// Waits for room; false once the connection is gone.
    async fn say(&self, message: &ServerMessage) -> bool {
        let text = serde_json::to_string(message).expect("messages are plain data");
        self.0.send(text.into()).await.is_ok()
    }

    async fn refuse(&self, refusal: Rejection) -> bool {
        self.say(&ServerMessage::Refused { refusal }).await
    }

    async fn answer(&self, id: CommandId, answer: Result<(), Rejection>) -> bool {
        let refusal = answer.err();
        self.say(&ServerMessage::Answer { id, ok: refusal.is_none(), refusal }).await
    }
}

/// Tasks that end with the connection.
#[derive(Default)]
struct Tasks(BTreeMap<u32, Vec<JoinHandle<()>>>);

/// The key of tasks that are not about one table.
const WHOLE_LINE: u32 = 0;

impl Tasks {
    fn add(&mut self, table: u32, task: JoinHandle<()>) {
        self.0.entry(table).or_default().push(task);
    }

    fn end(&mut self, table: u32) {
        self.0.remove(&table).into_iter().flatten().for_each(|task| task.abort());
    }

    fn watched(&self) -> usize {
        self.0.keys().filter(|table| **table != WHOLE_LINE).count()
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.values().flatten().for_each(JoinHandle::abort);
    }
}

/// Serves a player, or a spectator, until he is gone.
pub async fn player(socket: WebSocket, line: Line) {
    serve(socket, line, |line, out, tasks, text| Box::pin(player_says(line, out, tasks, text)))
        .await;
}

/// Serves a dealer until he is gone.
pub async fn dealer(socket: WebSocket, line: Line) {
    serve(socket, line, |line, out, tasks, text| Box::pin(dealer_says(line, out, tasks, text)))
        .await;
}

/// Handles one message; false if it cannot be read.
type Handled<'a> = std::pin::Pin<Box<dyn Future<Output = bool> + Send + 'a>>;

async fn serve(
    socket: WebSocket,
    line: Line,
    handle: impl for<'a> Fn(&'a Line, &'a Out, &'a mut Tasks, &'a str) -> Handled<'a>,
) {
    metrics::gauge!("croupier_connections").increment(1);
    let (sink, mut stream) = socket.split();
    let (send, receive) = mpsc::channel(OUT_MAX);
    let out = Out(send);
    let mut writer = tokio::spawn(write(sink, receive));
    let mut tasks = Tasks::default();
    let now = line.pit.clock().now();
    out.say(&ServerMessage::Hello { version: WIRE_VERSION, now, me: line.me.clone() }).await;
    tasks.add(WHOLE_LINE, tokio::spawn(lobby(line.pit.clone(), out.clone())));
    if let Me::Player { player, .. } = line.me {
        tasks.add(WHOLE_LINE, tokio::spawn(balance(line.pit.clone(), player, out.clone())));
    }
    let mut bucket = Bucket::new(line.rate);
    let mut malformed = 0;
    let mut writing = true;
    let mut stop = line.stop.clone();
    loop {
        let next = tokio::select! {
            next = tokio::time::timeout(SILENCE_MAX, stream.next()) => next,
            _ = &mut writer => {
                writing = false;
                break;
            }
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Ok(Some(Ok(message))) = next else { break };
        let text = match message {
            Message::Text(text) if text.len() <= MESSAGE_BYTES_MAX => text,
            Message::Text(_) | Message::Binary(_) => break,
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => break,
        };
        if !bucket.take() {
            limited(&out, &text).await;
            continue;
        }
        if !handle(&line, &out, &mut tasks, &text).await {
            malformed += 1;
            if malformed > MALFORMED_MAX {
                break;
            }
        }
    }
    drop(tasks);
    drop(out);
    // What was said already still goes out, unless the browser is gone.
    if writing && tokio::time::timeout(SEND_MAX, &mut writer).await.is_err() {
        writer.abort();
    }
    metrics::gauge!("croupier_connections").decrement(1);
}

/// Too many messages: whoever asked for something by an id is told so under it.
async fn limited(out: &Out, text: &str) {
    #[derive(serde::Deserialize)]
    struct Named {
        id: CommandId,
    }
    metrics::counter!("croupier_rate_limited_total").increment(1);
    let refusal = Rejection::new(Code::RateLimited);
    match serde_json::from_str::<Named>(text) {
        Ok(Named { id }) => out.answer(id, Err(refusal)).await,
        Err(_) => out.refuse(refusal).await,
    };
}

async fn write(mut sink: SplitSink<WebSocket, Message>, mut queue: mpsc::Receiver<Utf8Bytes>) {
    while let Some(text) = queue.recv().await {
        match tokio::time::timeout(SEND_MAX, sink.send(Message::Text(text))).await {
            Ok(Ok(())) => (),
            Ok(Err(_)) => return,
            Err(_) => {
                metrics::counter!("croupier_slow_clients_dropped_total").increment(1);
                return;
            }
        }
    }
    let _ = tokio::time::timeout(SEND_MAX, sink.close()).await;
}

/// Tells what cannot be read, and where; always false.
async fn unreadable(out: &Out, why: &serde_json::Error) -> bool {
    metrics::counter!("croupier_malformed_total").increment(1);
    let mut why = why.to_string();
    why.truncate(why.char_indices().nth(200).map_or(why.len(), |(at, _)| at));
    out.refuse(Rejection::because(Code::Malformed, why)).await;
    false
}

async fn player_says(line: &Line, out: &Out, tasks: &mut Tasks, text: &str) -> bool {
    let message = match serde_json::from_str::<PlayerMessage>(text) {
        Ok(message) => message,
        Err(why) => return unreadable(out, &why).await,
    };
    match message {
        PlayerMessage::Ping { at } => {
            out.say(&ServerMessage::Pong { at, now: line.pit.clock().now() }).await;
        }
        PlayerMessage::Watch { table } => watch_as_player(line, out, tasks, table).await,
        PlayerMessage::Unwatch { table } => tasks.end(table.max(WHOLE_LINE + 1)),
        PlayerMessage::Command { id, table, round, rules, command } => {
            let Me::Player { player, name } = &line.me else {
                return out.answer(id, Err(Code::RestrictedPlayer.into())).await;
            };
            let Some(table) = TableId::new(table) else {
                return out.answer(id, Err(Code::NotOpen.into())).await;
            };
            let ask = PlayerAsk { round, rules, command };
            let answer = line.pit.player(*player, name, table, id.clone(), ask).await;
            out.answer(id, answer.map(drop)).await;
        }
        PlayerMessage::Chat { table, text } => {
            if let Err(refusal) = line.chat.say(&line.me, table, &text, line.pit.clock().now()) {
                out.refuse(refusal).await;
            }
        }
    }
    true
}

async fn dealer_says(line: &Line, out: &Out, tasks: &mut Tasks, text: &str) -> bool {
    let message = match serde_json::from_str::<DealerMessage>(text) {
        Ok(message) => message,
        Err(why) => return unreadable(out, &why).await,
    };
    match message {
        DealerMessage::Ping { at } => {
            out.say(&ServerMessage::Pong { at, now: line.pit.clock().now() }).await;
        }
        DealerMessage::Watch { table } => watch_as_dealer(line, out, tasks, table).await,
        DealerMessage::Unwatch { table } => tasks.end(table.max(WHOLE_LINE + 1)),
        DealerMessage::Command { id, table, command } => {
            let (Me::Dealer { staff, .. }, Some(table)) = (&line.me, TableId::new(table)) else {
                return out.answer(id, Err(Code::NotYourTable.into())).await;
            };
            let by = Actor::Dealer(StaffId(*staff));
            let answer = line.pit.dealer(table, by, command).await;
            out.answer(id, answer).await;
        }
    }
    true
}

/// Room for one more table, and a table of that number.
async fn may_watch(out: &Out, tasks: &mut Tasks, table: u32) -> Option<TableId> {
    let id = TableId::new(table);
    tasks.end(table.max(WHOLE_LINE + 1));
    if tasks.watched() >= WATCHED_MAX {
        let why = format!("at most {WATCHED_MAX} tables at a time");
        out.refuse(Rejection::because(Code::LimitReached, why)).await;
        return None;
    }
    if id.is_none() {
        out.refuse(Code::NotOpen.into()).await;
    }
    id
}

async fn watch_as_player(line: &Line, out: &Out, tasks: &mut Tasks, table: u32) {
    let Some(id) = may_watch(out, tasks, table).await else { return };
    let player = match &line.me {
        Me::Player { player, .. } => Some(*player),
        Me::Spectator | Me::Dealer { .. } | Me::PitBoss { .. } => None,
    };
    let Some(watching) = line.pit.watch(id, player).await else {
        out.refuse(Code::NotOpen.into()).await;
        return;
    };
    if let Some((lines, fresh)) = line.chat.enter(id) {
        tasks.add(table, tokio::spawn(chat(table, lines, fresh, out.clone())));
    }
    let (pit, out) = (line.pit.clone(), out.clone());
    tasks.add(
        table,
        tokio::spawn(async move {
            let mut watching = watching;
            let mut sent = Sent::default();
            loop {
                let parts = Arc::clone(&watching.parts.borrow_and_update());
                let mine = player.map(|_| Arc::clone(&watching.mine.borrow_and_update()));
                if !sent.public(&pit, &out, table, &parts).await {
                    return;
                }
                if let Some(mine) = mine
                    && !sent.private(&pit, &out, table, PartName::Mine, mine).await
                {
                    return;
                }
                let mine_changed = async {
                    if player.is_some() && watching.mine.changed().await.is_ok() {
                        return;
                    }
                    std::future::pending().await
                };
                tokio::select! {
                    changed = watching.parts.changed() => if changed.is_err() { return },
                    () = mine_changed => (),
                }
            }
        }),
    );
}

async fn watch_as_dealer(line: &Line, out: &Out, tasks: &mut Tasks, table: u32) {
    let Some(id) = may_watch(out, tasks, table).await else { return };
    let Some(mut parts) = line.pit.follow(id) else {
        out.refuse(Code::NotOpen.into()).await;
        return;
    };
    let by = match &line.me {
        Me::Dealer { staff, .. } => Some(Actor::Dealer(StaffId(*staff))),
        Me::PitBoss { staff, .. } => Some(Actor::Pit(StaffId(*staff))),
        Me::Player { .. } | Me::Spectator => None,
    };
    let (pit, out) = (line.pit.clone(), out.clone());
    tasks.add(
        table,
        tokio::spawn(async move {
            let mut sent = Sent::default();
            loop {
                let public = Arc::clone(&parts.borrow_and_update());
                if !sent.public(&pit, &out, table, &public).await {
                    return;
                }
                if let Some(by) = by {
                    let view = pit.with_table(id, |table| table::dealer_view(table, by)).await;
                    let body = serde_json::to_string(&view).expect("views are plain data").into();
                    if !sent.private(&pit, &out, table, PartName::Dealer, body).await {
                        return;
                    }
                }
                if parts.changed().await.is_err() {
                    return;
                }
            }
        }),
    );
}

/// What a connection was sent of a table, so that only changed parts go out.
#[derive(Default)]
struct Sent {
    felt: Option<u64>,
    totals: Option<u64>,
    roads: Option<u64>,
    layout: Option<u64>,
    private: Arc<str>,
    private_version: u64,
}

impl Sent {
    async fn public(&mut self, pit: &Pit, out: &Out, table: u32, parts: &Parts) -> bool {
        let Parts { felt, totals, roads, layout, tile: _ } = parts;
        // The layout first: whoever draws the felt knows its zones then.
        let due = [
            (PartName::Layout, layout, &mut self.layout),
            (PartName::Roads, roads, &mut self.roads),
            (PartName::Felt, felt, &mut self.felt),
            (PartName::Totals, totals, &mut self.totals),
        ];
        for (name, part, sent) in due {
            if *sent != Some(part.version) && !part.body.is_empty() {
                *sent = Some(part.version);
                if !send_part(pit, out, table, name, part).await {
                    return false;
                }
            }
        }
        true
    }

    async fn private(
        &mut self,
        pit: &Pit,
        out: &Out,
        table: u32,
        name: PartName,
        body: Arc<str>,
    ) -> bool {
        if body.is_empty() || *body == *self.private {
            return true;
        }
        self.private_version += 1;
        self.private = Arc::clone(&body);
        send_part(pit, out, table, name, &Part { version: self.private_version, body }).await
    }
}

async fn send_part(pit: &Pit, out: &Out, table: u32, part: PartName, what: &Part) -> bool {
    let Ok(body) = RawValue::from_string(what.body.to_string()) else { return true };
    let (version, now) = (what.version, pit.clock().now());
    out.say(&ServerMessage::Part { table, part, version, now, body }).await
}

/// Sends all tiles of the lobby whenever one changed, not more often than anybody can look.
async fn lobby(pit: Pit, out: Out) {
    let mut changes = pit.lobby();
    loop {
        changes.mark_unchanged();
        let tiles = pit.tables().filter_map(|table| pit.parts(table));
        let tables =
            tiles.filter_map(|parts| RawValue::from_string(parts.tile.body.to_string()).ok());
        let tables: Vec<Box<RawValue>> = tables.filter(|tile| tile.get() != "null").collect();
        if !out.say(&ServerMessage::Lobby { now: pit.clock().now(), tables }).await {
            return;
        }
        tokio::time::sleep(LOBBY_EVERY).await;
        if changes.changed().await.is_err() {
            return;
        }
    }
}

async fn balance(pit: Pit, player: PlayerId, out: Out) {
    let mut purse = pit.wallet().follow(player);
    loop {
        let balance = *purse.borrow_and_update();
        if !out.say(&ServerMessage::Balance { balance }).await || purse.changed().await.is_err() {
            return;
        }
    }
}

async fn chat(
    table: u32,
    lines: Vec<ChatLine>,
    mut fresh: tokio::sync::broadcast::Receiver<ChatLine>,
    out: Out,
) {
    for line in lines {
        if !out.say(&ServerMessage::Chat { table, line }).await {
            return;
        }
    }
    loop {
        use tokio::sync::broadcast::error::RecvError;
        match fresh.recv().await {
            Ok(line) => {
                if !out.say(&ServerMessage::Chat { table, line }).await {
                    return;
                }
            }
            Err(RecvError::Lagged(_)) => (),
            Err(RecvError::Closed) => return,
        }
    }
}
