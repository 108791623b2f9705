//! The writer: one thread that owns the store and commits what waits for it together.

use std::sync::mpsc;
use std::thread;

use ledger::PlayerId;
use store::{
    AcceptedCommand, Append, Batch, Head, Lease, Record, Seq, Store, StoreFailure, StreamId,
};
use tokio::sync::oneshot;

/// Jobs that may wait for the writer; whoever comes later waits to hand his in.
const QUEUE_MAX: usize = 1_024;
/// Appends that share one commit.
const GROUP_MAX: usize = 256;
/// Records read at a time.
const PAGE: usize = 1_000;

/// A question to the store, asked between two commits.
type Question = Box<dyn FnOnce(&mut dyn Store) + Send>;

enum Job {
    Commit(Box<Append>, oneshot::Sender<Result<(), Refusal>>),
    Ask(Question),
}

/// Why something was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The store refused it; nothing changed and others go on.
    #[error("the store refused: {0}")]
    Refused(String),
    /// The writer stopped: nothing more is written until the process starts again.
    #[error("the writer stopped: {0}")]
    Stopped(String),
}

/// The way to the writer, for all tables of the process.
#[derive(Clone, Debug)]
pub struct Writer(mpsc::SyncSender<Job>);

impl Writer {
    /// Starts the thread that owns `store`; it ends when the last handle is gone.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(store: Box<dyn Store>) -> std::io::Result<(Writer, thread::JoinHandle<()>)> {
        let (send, receive) = mpsc::sync_channel(QUEUE_MAX);
        let run = move || run(store, &receive);
        let thread = thread::Builder::new().name("writer".into()).spawn(run)?;
        Ok((Writer(send), thread))
    }

    fn send(&self, job: Job) -> Result<(), Refusal> {
        // The queue is bounded; a full one makes the sender wait for the disk, which is the point.
        tokio::task::block_in_place(|| self.0.send(job))
            .map_err(|_| Refusal::Stopped("the writer is gone".into()))
    }

    /// Writes an append durably, together with what else waits.
    ///
    /// # Errors
    /// [`Refusal`]; nothing of the append was written then.
    pub async fn commit(&self, append: Append) -> Result<(), Refusal> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Commit(Box::new(append), reply))?;
        answer.await.map_err(|_| Refusal::Stopped("the writer is gone".into()))?
    }

    /// Asks the store something.
    ///
    /// # Errors
    /// What the store says.
    pub async fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut dyn Store) -> Result<R, StoreFailure> + Send + 'static,
    ) -> Result<R, Refusal> {
        let (reply, answer) = oneshot::channel();
        let ask = move |store: &mut dyn Store| {
            let _ = reply.send(question(store));
        };
        self.send(Job::Ask(Box::new(ask)))?;
        let answered = answer.await.map_err(|_| Refusal::Stopped("the writer is gone".into()))?;
        answered.map_err(|failure| refusal(&failure))
    }

    /// Everything in a stream after a position.
    ///
    /// # Errors
    /// What the store says.
    pub async fn load(&self, stream: StreamId, after: Seq) -> Result<Vec<Record>, Refusal> {
        self.ask(move |store| load_all(store, stream, after)).await
    }

    /// Takes a stream over and tells where it stands.
    ///
    /// # Errors
    /// What the store says.
    pub async fn take(&self, stream: StreamId) -> Result<(Lease, Head), Refusal> {
        self.ask(move |store| Ok((store.acquire_lease(stream)?, store.head(stream)?))).await
    }

    /// The command that a player's id was accepted as, if it was.
    ///
    /// # Errors
    /// What the store says.
    pub async fn command(
        &self,
        player: PlayerId,
        id: String,
    ) -> Result<Option<AcceptedCommand>, Refusal> {
        self.ask(move |store| store.command(player, &id)).await
    }
}

/// Reads a stream page by page.
///
/// # Errors
/// What the store says.
pub fn load_all(
    store: &mut dyn Store,
    stream: StreamId,
    mut after: Seq,
) -> Result<Vec<Record>, StoreFailure> {
    let mut records = Vec::new();
    loop {
        let page = store.load(stream, after, PAGE)?;
        let Some(last) = page.last() else { return Ok(records) };
        after = last.seq;
        records.extend(page);
    }
}

fn refusal(failure: &StoreFailure) -> Refusal {
    let text = format!("{}: {failure}", failure.code());
    if failure.is_refusal() { Refusal::Refused(text) } else { Refusal::Stopped(text) }
}

fn run(mut store: Box<dyn Store>, jobs: &mpsc::Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let mut group = Vec::new();
        let mut questions = Vec::new();
        let mut job = Some(first);
        while let Some(next) = job {
            match next {
                Job::Commit(append, reply) => group.push((append, reply)),
                Job::Ask(question) => questions.push(question),
            }
            job = if group.len() < GROUP_MAX { jobs.try_recv().ok() } else { None };
        }
        commit(&mut *store, group);
        for question in questions {
            question(&mut *store);
        }
    }
}

type Waiting = (Box<Append>, oneshot::Sender<Result<(), Refusal>>);

/// One transaction for all, and if that is refused one for each, so that nobody is refused for a
/// neighbour's fault.
fn commit(store: &mut dyn Store, group: Vec<Waiting>) {
    let started = std::time::Instant::now();
    let mut streams = std::collections::BTreeSet::new();
    let (together, apart): (Vec<Waiting>, Vec<Waiting>) =
        group.into_iter().partition(|(append, _)| streams.insert(append.stream));
    let (appends, replies): (Vec<Append>, Vec<_>) =
        together.into_iter().map(|(append, reply)| (*append, reply)).unzip();
    if appends.is_empty() {
        return;
    }
    metrics::histogram!("croupier_commit_appends")
        .record(u32::try_from(appends.len()).unwrap_or(0));
    let batch = Batch { appends };
    match store.commit(&batch) {
        Ok(()) => replies.into_iter().for_each(|reply| drop(reply.send(Ok(())))),
        Err(failure) if failure.is_refusal() && replies.len() > 1 => {
            for (append, reply) in batch.appends.into_iter().zip(replies) {
                let alone = store.commit(&Batch { appends: vec![append] });
                let _ = reply.send(alone.map_err(|failure| refusal(&failure)));
            }
        }
        Err(failure) => {
            tracing::error!(code = failure.code(), %failure, "not committed");
            metrics::counter!("croupier_commits_failed_total").increment(1);
            let why = refusal(&failure);
            replies.into_iter().for_each(|reply| drop(reply.send(Err(why.clone()))));
        }
    }
    metrics::histogram!("croupier_commit_seconds").record(started.elapsed());
    commit(store, apart);
}
