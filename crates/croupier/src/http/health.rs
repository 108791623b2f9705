//! Is the process alive, is the house open, and what is counted.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::{Batch, StoreFailure};
use utoipa::ToSchema;

use super::Doors;

/// How long the writer may take to say that it is well.
const WRITER_MAX: Duration = Duration::from_secs(2);

/// Whether the house takes bets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadyAnswer {
    /// True if it does.
    pub ready: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The process runs.
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200)))]
pub async fn alive() -> &'static str {
    "alive\n"
}

/// The house takes bets: its writer has not stopped and the process is not shutting down.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operation",
    responses((status = 200, body = ReadyAnswer), (status = 503, body = ReadyAnswer))
)]
pub async fn ready(State(doors): State<Doors>) -> Response {
    let why = if *doors.stop.borrow() { Some("shutting down".to_owned()) } else { None };
    let why = match why {
        Some(why) => Some(why),
        None => writer_stopped(&doors).await,
    };
    let status = if why.is_none() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(ReadyAnswer { ready: why.is_none(), why })).into_response()
}

/// Why the writer writes nothing any more. It is offered an empty batch: a writer that is well
/// refuses that for its form, one that stopped says so first.
async fn writer_stopped(doors: &Doors) -> Option<String> {
    let asked = doors.pit.writer().ask(|store| {
        let offered = store.commit(&Batch::default());
        let well = matches!(offered, Err(StoreFailure::Malformed(_)) | Ok(()));
        Ok(if well { None } else { offered.err().map(|why| why.code()) })
    });
    match tokio::time::timeout(WRITER_MAX, asked).await {
        Ok(Ok(stopped)) => stopped.map(|code| format!("the writer stopped: {code}")),
        Ok(Err(why)) => Some(why.to_string()),
        Err(_) => Some("the writer does not answer".to_owned()),
    }
}

/// Counters and gauges as Prometheus reads them (docs/operations.md).
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200)))]
pub async fn metrics(State(doors): State<Doors>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], doors.metrics.render()).into_response()
}
