//! The API described by itself: OpenAPI, from the handlers' own types.

use axum::Json;
use utoipa::OpenApi;

use super::{health, pit, players, problem, rounds, staff, tables};

/// The document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "croupier",
        description = "The house's API. Amounts are whole numbers of the smallest unit, times are \
                       milliseconds since 1970 (UTC). A refusal is problem JSON with a stable \
                       code. Sessions are cookies; a browser may change something from the \
                       house's own pages and from allowed origins only. Bets are placed over \
                       WebSockets: `/ws` for players and spectators, `/ws/dealer` for staff; their \
                       messages are the generated wire types (web/src/wire/generated.ts).",
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    tags(
        (name = "players", description = "guests, chips, history"),
        (name = "staff", description = "dealers and pit bosses"),
        (name = "tables", description = "tables and their rules"),
        (name = "rounds", description = "rounds and shoes, read back from the log"),
        (name = "pit", description = "supervision"),
        (name = "operation", description = "health and figures"),
    ),
    paths(
        players::guest,
        players::me,
        players::history,
        players::refill,
        players::logout,
        staff::login,
        tables::all,
        tables::one,
        tables::rules,
        rounds::round,
        rounds::shoe,
        pit::void,
        pit::command,
        document,
        health::alive,
        health::ready,
        health::metrics,
    ),
    components(schemas(problem::Problem))
)]
struct Api;

/// The document as text, as it is committed in docs/openapi.json.
pub fn text() -> String {
    let mut text = Api::openapi().to_pretty_json().expect("the document is plain data");
    text.push('\n');
    text
}

/// This document.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    tag = "operation",
    responses((status = 200, body = Object))
)]
pub async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Api::openapi())
}
