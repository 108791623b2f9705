//! Opens the house: data, tables, robots, doors; and closes it in order.

use std::fs::{DirBuilder, File, OpenOptions};
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use metrics_exporter_prometheus::PrometheusHandle;
use store::Sqlite;
use table::DealtBy;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::chat::Chat;
use crate::desk::Desk;
use crate::edges::Edges;
use crate::house::{Cage, Gifts};
use crate::http::{self, Doors, House};
use crate::pit::{Pit, TablePlan, Writer};
use crate::recall::Archive;
use crate::robot::dealer::{Habits, Robot};
use crate::robot::sealed::SealedShoes;
use crate::settings::{Settings, TableSettings};

/// How long a browser may take to send the head of a request.
const HEAD_MAX: Duration = Duration::from_secs(10);
/// Bytes of the longest head of a request.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// How long connections have to end when the house closes.
const DRAIN_MAX: Duration = Duration::from_secs(10);
/// How long the door stays shut when the system has no more sockets to give.
const NO_SOCKET_REST: Duration = Duration::from_millis(100);
/// The file whose lock says that a house is open on this folder.
const LOCK_FILE: &str = "croupier.lock";

/// A place at the door: it is free again when the last that holds it is gone, the request's
/// connection or the socket that came of it.
#[derive(Clone, Debug)]
pub struct PlaceAtDoor {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// A house that is open.
pub struct OpenHouse {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    connections: Arc<Semaphore>,
    connections_max: u32,
    /// The tables, which stop last.
    tables: Pit,
    /// Held as long as the house is open.
    _lock: File,
}

/// Makes the folder of all that is kept, for its owner alone, and locks it.
fn lock(settings: &Settings) -> anyhow::Result<File> {
    let folder = &settings.data;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("the data folder {} cannot be made", folder.display()))?;
    let path = folder.join(LOCK_FILE);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.with_context(|| format!("{} cannot be opened", path.display()))?;
    let held = format!("a house is open already on the data folder {}", folder.display());
    file.try_lock().context(held)?;
    Ok(file)
}

impl OpenHouse {
    /// Opens everything and begins to serve.
    ///
    /// # Errors
    /// What could not be opened, and why.
    pub async fn open(settings: Settings, metrics: PrometheusHandle) -> anyhow::Result<OpenHouse> {
        let listener = TcpListener::bind(settings.listen)
            .await
            .with_context(|| format!("listen: {} cannot be taken", settings.listen))?;
        let address = listener.local_addr().context("listen")?;
        let lock = lock(&settings)?;
        let path = settings.house_file();
        let store = Sqlite::open(&path)
            .map_err(|why| anyhow::anyhow!("{}: {}: {why}", why.code(), path.display()))?;
        let (writer, _) = Writer::start(Box::new(store)).context("no thread for the writer")?;
        let plan = |t: &TableSettings| TablePlan {
            id: t.id,
            settings: t.table.clone(),
            rules: t.rules.clone(),
        };
        let pit = Pit::open(writer, settings.tables.iter().map(plan).collect()).await?;
        let desk_file = settings.desk_file();
        let desk = Desk::open(&desk_file)
            .map_err(|why| anyhow::anyhow!("{}: {}: {why}", why.code(), desk_file.display()))?;
        let desk = Arc::new(desk);
        let gifts = Gifts {
            grant: settings.play_chips,
            refill: settings.refill,
            below: settings.smallest_min(),
        };
        let cage = Cage::open(pit.clone(), gifts).await?;
        let (stop, stopped) = watch::channel(false);
        let archive = Archive::new(&path);
        robots(&settings, &pit, &archive, &stopped)?;
        let connections_max = settings.bounds.connections_max;
        let chat = Chat::new(Arc::clone(&desk), pit.tables());
        let stop_doors = stopped.clone();
        let edges = Edges::default();
        let tables = pit.clone();
        let house =
            House { pit, cage, desk, chat, archive, edges, settings, metrics, stop: stop_doors };
        let router = http::router(Doors::new(house));
        let connections_count = usize::try_from(connections_max).unwrap_or(usize::MAX);
        let connections = Arc::new(Semaphore::new(connections_count.min(Semaphore::MAX_PERMITS)));
        tokio::spawn(accept(listener, router, Arc::clone(&connections), stopped));
        Ok(OpenHouse { address, stop, tables, connections, connections_max, _lock: lock })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the house: no new connections, robots stop, sockets end, requests that are being
    /// answered are answered. What is committed is on the disk already.
    pub async fn close(self) {
        self.stop.send_replace(true);
        let all = self.connections.acquire_many(self.connections_max);
        if tokio::time::timeout(DRAIN_MAX, all).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        self.tables.close().await;
    }
}

/// Puts a robot at each table that one deals.
fn robots(
    settings: &Settings,
    pit: &Pit,
    archive: &Archive,
    stop: &watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let dealt = |t: &&TableSettings| t.table.dealt_by == DealtBy::Robot;
    if !settings.tables.iter().any(|t| dealt(&t)) {
        return Ok(());
    }
    let sealed = SealedShoes::open(&settings.sealed_folder(), &settings.robot_key)
        .context("the robot's sealed shoes")?;
    let sealed = Arc::new(sealed);
    for table in settings.tables.iter().filter(dealt) {
        let pace = Duration::from_millis(u64::from(table.pace_ms));
        let habits = Habits { pace, idle_pause: table.idle_pause };
        let (sealed, archive) = (Arc::clone(&sealed), archive.clone());
        let robot = Robot::new(pit.clone(), table.id, habits, sealed, archive, stop.clone());
        tokio::spawn(robot.deal());
    }
    Ok(())
}

/// Lets connections in, as many at a time as may be.
async fn accept(
    listener: TcpListener,
    router: Router,
    connections: Arc<Semaphore>,
    mut stop: watch::Receiver<bool>,
) {
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(&mut stop) => return,
        };
        match accepted {
            Ok((stream, peer)) => {
                let place = PlaceAtDoor { _permit: Arc::new(permit) };
                tokio::spawn(serve(stream, peer, router.clone(), place, stop.clone()));
            }
            Err(why) => {
                tracing::warn!(%why, "a connection could not be taken");
                tokio::time::sleep(NO_SOCKET_REST).await;
            }
        }
    }
}

/// Waits until the house closes.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    drop(stop.wait_for(|stop| *stop).await);
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    place: PlaceAtDoor,
    mut stop: watch::Receiver<bool>,
) {
    // Small messages go out at once.
    drop(stream.set_nodelay(true));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(place.clone());
        TowerToHyperService::new(router.clone()).call(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(why) = ended {
        tracing::debug!(%why, %peer, "a connection broke off");
    }
}
