//! One running table: drains its inbox, decides the whole batch, commits it, and only then answers
//! and shows (architecture §5).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use chips::Chips;
use ledger::{Account, PlayerId, TableId};
use store::{AcceptedCommand, Append, Lease, Seq, StreamId};
use table::{Code, Command, Event, HouseCommand, Rejection, Stamped, Table, Timestamp};
use tokio::sync::{RwLock, mpsc, oneshot, watch};

use super::parts::concerns;
use super::watchful::suspicion;
use super::{Answer, House, Place, Refusal, TablePlan};

/// Commands that are decided and committed together.
const BATCH_MAX: usize = 1_000;
/// Records that one commit of a table may hold beside its commands'.
const RECORDS_MAX: usize = 20_000;
/// How long a table waits for the disk to come back before it tries to read its log again.
const RELOAD_AFTER: Duration = Duration::from_millis(500);

/// A command on its way to a table.
pub(crate) struct Asked {
    pub command: Command,
    /// The player's id for it and the hash of what he asked.
    pub receipt: Option<(String, [u8; 32])>,
    pub reply: Option<oneshot::Sender<Answer>>,
}

/// What stands of a batch that is not committed yet.
struct Pending {
    append: Append,
    events: Vec<Event>,
    answers: Vec<(oneshot::Sender<Answer>, Answer)>,
    /// Reserved in the wallet and not debited yet, to be given back if the commit fails.
    reserved: Vec<(PlayerId, Chips)>,
    /// What came back to players within this batch and may be staked again in it.
    freed: BTreeMap<PlayerId, Chips>,
    /// What of that was staked again: the wallet has it already when the commit credits it.
    lent: BTreeMap<PlayerId, Chips>,
}

/// The task of one table.
pub(crate) struct Running {
    house: Arc<House>,
    place: Arc<Place>,
    lease: Lease,
    head: Seq,
}

/// The private part of a player, as JSON.
pub(crate) fn mine(table: &Table, player: PlayerId) -> Arc<str> {
    let view = table::mine_view(table, player);
    serde_json::to_string(&view).expect("views are plain data").into()
}

/// A table as its log tells it; every digest in the log is compared.
pub(crate) async fn replayed(writer: &super::Writer, id: TableId) -> anyhow::Result<Table> {
    let records = writer.load(StreamId::from(id), Seq(0)).await?;
    let mut table = Table::new(id);
    for record in records {
        let place = || format!("table {id}, record {}", record.seq.0);
        let event: Event = serde_json::from_str(&record.body).with_context(place)?;
        if let Event::Digest { hash } = &event {
            anyhow::ensure!(*hash == table.digest(), "{}: another state than in the log", place());
        }
        table.apply(Timestamp(record.at_ms), &event);
    }
    Ok(table)
}

impl Running {
    /// Takes the stream over, puts the settings in force, resumes what was open, and runs.
    pub async fn start(
        house: Arc<House>,
        plan: TablePlan,
        table: Table,
        inbox_max: usize,
    ) -> anyhow::Result<Arc<Place>> {
        let (lease, head) = house.writer.take(StreamId::from(plan.id)).await?;
        let (send, inbox) = mpsc::channel(inbox_max);
        let place = Arc::new(Place {
            id: plan.id,
            inbox: send,
            table: Arc::new(RwLock::new(table)),
            parts: watch::Sender::new(Arc::default()),
            mine: Mutex::default(),
        });
        let mut running = Running { house, place: Arc::clone(&place), lease, head: head.seq };
        let settings = Box::new(plan.settings);
        let configure = HouseCommand::Configure { settings, rules: plan.rules };
        for command in [HouseCommand::Resume, configure] {
            // A table without a log has nothing to resume.
            if command == HouseCommand::Resume && running.head == Seq(0) {
                continue;
            }
            let (reply, answer) = oneshot::channel();
            let command = Command::House(command);
            running.batch(vec![Asked { command, receipt: None, reply: Some(reply) }]).await;
            let answer = answer.await.unwrap_or_else(|_| Err(Code::Unavailable.into()));
            answer.map_err(|no| anyhow::anyhow!("table {}: {no}", plan.id))?;
        }
        running.show(&[]).await;
        tokio::spawn(running.run(inbox));
        Ok(place)
    }

    async fn run(mut self, mut inbox: mpsc::Receiver<Asked>) {
        let mut waiting = Vec::new();
        let mut stop = self.house.stop.subscribe();
        loop {
            let deadline = self.place.table.read().await.next_deadline();
            let pause = deadline.map(|at| {
                let left = at.0.saturating_sub(self.house.clock.now().0).max(0);
                Duration::from_millis(u64::try_from(left).unwrap_or(0))
            });
            let timer = async {
                match pause {
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                count = inbox.recv_many(&mut waiting, BATCH_MAX) => {
                    if count == 0 {
                        return;
                    }
                }
                () = timer => {
                    let command = Command::House(HouseCommand::Tick);
                    waiting.push(Asked { command, receipt: None, reply: None });
                }
            }
            self.batch(std::mem::take(&mut waiting)).await;
        }
    }

    /// Decides, commits, answers and shows one batch.
    async fn batch(&mut self, asked: Vec<Asked>) {
        let place = Arc::clone(&self.place);
        let mut table = place.table.write().await;
        let mut pending = Pending {
            append: Append::new(StreamId::from(place.id), self.head, self.lease),
            events: Vec::new(),
            answers: Vec::new(),
            reserved: Vec::new(),
            freed: BTreeMap::new(),
            lent: BTreeMap::new(),
        };
        for asked in asked {
            self.decide(&mut table, asked, &mut pending);
        }
        let committed = if pending.append.records.is_empty() {
            Ok(())
        } else {
            self.house.writer.commit(pending.append.clone()).await
        };
        match committed {
            Ok(()) => {
                if let Some(last) = pending.append.records.last() {
                    self.head = last.seq;
                }
                let postings = pending.append.postings.iter();
                let credits = postings.filter_map(|(_, p)| Some((p.to().player()?, p.amount())));
                self.add_less_lent(credits, &pending.lent);
                drop(table);
                for (reply, answer) in pending.answers {
                    let _ = reply.send(answer);
                }
                self.show(&pending.events).await;
            }
            Err(why) => self.recover(&mut table, pending, &why).await,
        }
    }

    /// Decides one command with everything before it standing.
    fn decide(&self, table: &mut Table, asked: Asked, pending: &mut Pending) {
        let Asked { mut command, receipt, reply } = asked;
        let reserved = self.reserve(table, &mut command, pending);
        let at = self.house.clock.now().max(table.at());
        let who = match &command {
            Command::Player(request) => Some(request.player),
            Command::Dealer(..) | Command::Pit(..) | Command::House(_) => None,
        };
        let full = pending.append.records.len() >= RECORDS_MAX;
        let decided =
            if full { Err(Code::RateLimited.into()) } else { table.step(&Stamped { at, command }) };
        let answer = match decided {
            Ok(events) => {
                self.note(at, &events, who.zip(receipt), pending);
                if let (Some(who), Some(reserved)) = (who, reserved) {
                    self.settle_reservation(who, reserved, &events, pending);
                }
                pending.events.extend(events);
                Ok(String::from("{}"))
            }
            Err(no) => {
                if let (Some(who), Some(reserved)) = (who, reserved) {
                    self.house.wallet.add(who, reserved);
                }
                self.count_refusal(table.id(), &no);
                Err(no)
            }
        };
        pending.answers.extend(reply.map(|reply| (reply, answer)));
    }

    /// Sets aside what a player's command needs; what was freed for him within this batch is used
    /// when the wallet does not reach.
    fn reserve(
        &self,
        table: &Table,
        command: &mut Command,
        pending: &mut Pending,
    ) -> Option<Chips> {
        let Command::Player(request) = command else { return None };
        let who = request.player;
        let needs = table.needs(who, &request.command);
        let wallet = &self.house.wallet;
        let funded = wallet.reserve(who, needs).or_else(|there| {
            let freed = pending.freed.get(&who).copied().unwrap_or_default();
            let short = needs.saturating_sub(there);
            if short > freed {
                return Err(there.checked_add(freed).unwrap_or(there));
            }
            wallet.add(who, short);
            pending.freed.insert(who, freed.saturating_sub(short));
            let lent = pending.lent.entry(who).or_default();
            *lent = lent.checked_add(short).unwrap_or(Chips::MAX);
            wallet.reserve(who, needs)
        });
        request.funds = funded;
        funded.is_ok().then_some(needs)
    }

    /// Writes events, postings and the receipt of a decided command down for the commit.
    fn note(
        &self,
        at: Timestamp,
        events: &[Event],
        receipt: Option<(PlayerId, (String, [u8; 32]))>,
        pending: &mut Pending,
    ) {
        let mut first = None;
        for event in events {
            let body = serde_json::to_string(event).expect("events are plain data");
            let seq = pending.append.record(at.0, event.kind(), body);
            first.get_or_insert(seq);
            let postings = table::postings(self.place.id, event);
            pending.append.postings.extend(postings.into_iter().map(|posting| (seq, posting)));
        }
        if let (Some(seq), Some((player, (command_id, body_hash)))) = (first, receipt) {
            let stream = StreamId::from(self.place.id);
            let answer = String::from("{}");
            let command = AcceptedCommand { player, command_id, body_hash, stream, seq, answer };
            pending.append.commands.push(command);
        }
    }

    /// Gives back what was reserved and not staked, and remembers what may fail with the commit.
    fn settle_reservation(
        &self,
        who: PlayerId,
        reserved: Chips,
        events: &[Event],
        pending: &mut Pending,
    ) {
        let (mut staked, mut freed) = (Chips::ZERO, Chips::ZERO);
        for posting in events.iter().flat_map(|e| table::postings(self.place.id, e)) {
            if posting.from() == Account::Player(who) {
                staked = staked.checked_add(posting.amount()).unwrap_or(Chips::MAX);
            }
            if posting.to() == Account::Player(who) {
                freed = freed.checked_add(posting.amount()).unwrap_or(Chips::MAX);
            }
        }
        self.house.wallet.add(who, reserved.saturating_sub(staked));
        pending.reserved.push((who, staked));
        let before = pending.freed.get(&who).copied().unwrap_or_default();
        pending.freed.insert(who, before.checked_add(freed).unwrap_or(Chips::MAX));
    }

    /// Adds amounts to the wallet, each player's sum less what he was lent of it.
    fn add_less_lent(
        &self,
        amounts: impl Iterator<Item = (PlayerId, Chips)>,
        lent: &BTreeMap<PlayerId, Chips>,
    ) {
        let mut sums: BTreeMap<PlayerId, Chips> = BTreeMap::new();
        for (who, amount) in amounts {
            let sum = sums.entry(who).or_default();
            *sum = sum.checked_add(amount).unwrap_or(Chips::MAX);
        }
        for (who, sum) in sums {
            let lent = lent.get(&who).copied().unwrap_or_default();
            self.house.wallet.add(who, sum.saturating_sub(lent));
        }
    }

    fn count_refusal(&self, table: TableId, no: &Rejection) {
        let labels = [("table", table.to_string()), ("code", no.code.to_string())];
        metrics::counter!("croupier_refusals_total", &labels).increment(1);
        if no.alarms() {
            tracing::warn!(table = table.number(), code = %no.code, detail = ?no.detail, "alarm");
            metrics::counter!("croupier_alarms_total", &labels).increment(1);
        }
    }

    /// The commit failed: reservations go back, the state is read anew from the log, and nobody
    /// gets an acknowledgement.
    async fn recover(&mut self, table: &mut Table, pending: Pending, why: &Refusal) {
        tracing::error!(table = self.place.id.number(), %why, "batch not committed");
        self.add_less_lent(pending.reserved.into_iter(), &pending.lent);
        for (reply, _) in pending.answers {
            let no = Rejection::because(Code::Unavailable, "not committed; ask again by its id");
            let _ = reply.send(Err(no));
        }
        loop {
            match replayed(&self.house.writer, self.place.id).await {
                Ok(anew) => {
                    *table = anew;
                    break;
                }
                Err(failure) => {
                    tracing::error!(table = self.place.id.number(), %failure, "log not read");
                    tokio::time::sleep(RELOAD_AFTER).await;
                }
            }
        }
        let stream = StreamId::from(self.place.id);
        if let Ok((lease, head)) = self.house.writer.take(stream).await {
            (self.lease, self.head) = (lease, head.seq);
        }
    }

    /// Shows what the events changed: public parts once for all, private parts to whom they
    /// concern.
    async fn show(&self, events: &[Event]) {
        let table = self.place.table.read().await;
        let old = Arc::clone(&self.place.parts.borrow());
        let new = old.after(&table, events);
        let tile = new.tile != old.tile;
        // A burned card changes nothing that players see, but the dealer's part: he is woken too.
        let everybody = events.iter().any(|event| concerns(event).is_none());
        if new != *old || everybody {
            self.place.parts.send_replace(Arc::new(new));
        }
        if tile {
            self.house.lobby.send_modify(|turn| *turn += 1);
        }
        self.show_mine(&table, events);
        let id = self.place.id.to_string();
        for event in events {
            let labels = [("table", id.clone()), ("event", event.kind().to_owned())];
            metrics::counter!("croupier_events_total", &labels).increment(1);
            if let Some(why) = suspicion(&table, event) {
                tracing::warn!(table = self.place.id.number(), %why, "alarm");
                let labels = [("table", id.clone()), ("code", "SUSPICIOUS_SHOE".to_owned())];
                metrics::counter!("croupier_alarms_total", &labels).increment(1);
            }
        }
    }

    fn show_mine(&self, table: &Table, events: &[Event]) {
        let everybody = events.iter().any(|event| concerns(event).is_none());
        let viewers = self.place.mine.lock().expect("nobody panics holding the viewers");
        let update = |player: PlayerId| {
            let Some(viewer) = viewers.get(&player) else { return };
            let part = mine(table, player);
            viewer.part.send_if_modified(|old| {
                let changed = **old != *part;
                if changed {
                    *old = part;
                }
                changed
            });
        };
        if everybody {
            viewers.keys().copied().for_each(update);
        } else {
            let some: std::collections::BTreeSet<_> = events.iter().filter_map(concerns).collect();
            some.into_iter().for_each(update);
        }
    }
}
