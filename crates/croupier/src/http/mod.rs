//! HTTP: the API, the sockets' doors and the pages.

pub mod api;
mod guard;
mod health;
mod pages;
mod pit;
mod players;
mod problem;
mod rounds;
mod sockets;
mod staff;
mod tables;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use metrics_exporter_prometheus::PrometheusHandle;
use table::Timestamp;
use tokio::sync::{Semaphore, watch};
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::chat::Chat;
use crate::desk::{Desk, DeskFailure};
use crate::edges::Edges;
use crate::house::Cage;
use crate::pit::Pit;
use crate::recall::{Archive, NotRead};
use crate::settings::Settings;
pub use guard::{BODY_BYTES_MAX, COOKIE};
pub use pages::{ARE_MISSING, are_missing};
pub use problem::{No, PROBLEM_JSON, Problem};

/// How long a request may take.
const REQUEST_MAX: Duration = Duration::from_secs(30);
/// Passwords that are computed at a time.
const HASHES_AT_A_TIME: usize = 2;
/// Sign-ins that may wait for that.
const SIGN_INS_WAITING_MAX: usize = 64;

/// What the doors need of the house.
pub struct House {
    /// The tables.
    pub pit: Pit,
    /// The cage.
    pub cage: Cage,
    /// The desk.
    pub desk: Arc<Desk>,
    /// The chat.
    pub chat: Chat,
    /// The archive.
    pub archive: Archive,
    /// Edges of rule sets.
    pub edges: Edges,
    /// The settings.
    pub settings: Settings,
    /// What is counted.
    pub metrics: PrometheusHandle,
    /// Becomes true when the house shuts down.
    pub stop: watch::Receiver<bool>,
}

/// The state of every handler.
#[derive(Clone)]
pub struct Doors(Arc<Inner>);

/// The house with what the doors themselves keep.
pub struct Inner {
    house: House,
    guests: guard::Rates,
    sign_ins: Semaphore,
    hashes: Semaphore,
}

impl std::ops::Deref for Doors {
    type Target = House;

    fn deref(&self) -> &House {
        &self.0.house
    }
}

impl Doors {
    /// Doors of this house.
    pub fn new(house: House) -> Doors {
        let guests = guard::Rates::new(house.settings.bounds.guests_per_minute);
        let sign_ins = Semaphore::new(SIGN_INS_WAITING_MAX);
        let hashes = Semaphore::new(HASHES_AT_A_TIME);
        Doors(Arc::new(Inner { house, guests, sign_ins, hashes }))
    }

    /// Now, by the house's clock.
    fn now(&self) -> Timestamp {
        self.pit.clock().now()
    }

    /// Asks the desk something, away from the tasks that must not wait.
    async fn at_desk<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Desk) -> Result<T, DeskFailure> + Send + 'static,
    ) -> Result<T, Problem> {
        let desk = Arc::clone(&self.desk);
        let asked = tokio::task::spawn_blocking(move || ask(&desk)).await;
        Ok(asked.map_err(|why| Problem::failed(&why))??)
    }

    /// Asks the archive something, likewise.
    async fn in_archive<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Archive) -> Result<T, NotRead> + Send + 'static,
    ) -> Result<T, Problem> {
        let archive = self.archive.clone();
        let asked = tokio::task::spawn_blocking(move || ask(&archive)).await;
        Ok(asked.map_err(|why| Problem::failed(&why))??)
    }
}

/// Every route of the house.
pub fn router(doors: Doors) -> Router {
    let api = Router::new()
        .route("/api/openapi.json", get(api::document))
        .route("/api/guest", post(players::guest))
        .route("/api/me", get(players::me))
        .route("/api/me/rounds", get(players::history))
        .route("/api/refill", post(players::refill))
        .route("/api/logout", post(players::logout))
        .route("/api/staff/login", post(staff::login))
        .route("/api/tables", get(tables::all))
        .route("/api/tables/{table}", get(tables::one))
        .route("/api/tables/{table}/rules", get(tables::rules))
        .route("/api/rounds/{round}", get(rounds::round))
        .route("/api/shoes/{shoe}", get(rounds::shoe))
        .route("/api/pit/rounds/{round}/void", post(pit::void))
        .route("/api/pit/tables/{table}", post(pit::command))
        .route("/api/{*rest}", get(nothing_here).post(nothing_here))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics))
        .fallback(get(pages::page))
        .method_not_allowed_fallback(async || Problem::from(No::MethodNotAllowed))
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, REQUEST_MAX));
    let sockets =
        Router::new().route("/ws", get(sockets::player)).route("/ws/dealer", get(sockets::dealer));
    api.merge(sockets)
        .layer(from_fn_with_state(doors.clone(), guard::origin))
        .layer(from_fn(guard::headers))
        .layer(from_fn(counted))
        .with_state(doors)
}

async fn nothing_here() -> Response {
    Problem::from(No::NotFound).into_response()
}

/// Counts every request by route and status, and how long it took.
async fn counted(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "page".to_owned());
    let method = request.method().as_str().to_owned();
    let started = std::time::Instant::now();
    let response = next.run(request).await;
    let labels =
        [("route", route), ("method", method), ("status", response.status().as_str().to_owned())];
    ::metrics::counter!("croupier_http_requests_total", &labels).increment(1);
    ::metrics::histogram!("croupier_http_seconds").record(started.elapsed());
    response
}
