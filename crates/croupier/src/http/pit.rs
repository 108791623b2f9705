//! What a pit boss does: void a round, pause or disable a table.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use table::{Code, PitCommand};
use utoipa::ToSchema;

use super::guard::{PitBoss, Said};
use super::tables::table_id;
use super::{Doors, No, Problem};
use crate::replay::round_id;

/// Why a round is to be void.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// In words; players read them.
    pub reason: String,
}

/// Void the open round: every stake goes back (OPS-51).
#[utoipa::path(
    post,
    path = "/api/pit/rounds/{round}/void",
    tag = "pit",
    params(("round" = String, Path, description = "table and number: 3-17")),
    request_body = VoidRequest,
    responses(
        (status = 204),
        (status = 400, body = Problem, description = "REASON_REQUIRED, MALFORMED"),
        (status = 403, body = Problem, description = "ROLE_REQUIRED"),
        (status = 404, body = Problem, description = "NOT_FOUND"),
        (status = 409, body = Problem, description = "STALE_ROUND: it is not the open round"),
    )
)]
pub async fn void(
    State(doors): State<Doors>,
    PitBoss(staff): PitBoss,
    Path(round): Path<String>,
    Said(VoidRequest { reason }): Said<VoidRequest>,
) -> Result<StatusCode, Problem> {
    let nothing = || Problem::from(No::NotFound).because("no such round");
    let id = round_id(&round).ok_or_else(nothing)?;
    doors.pit.with_table(id.table, table::Table::id).await.ok_or_else(nothing)?;
    let void = PitCommand::Void { round: Some(id.number), reason };
    doors.pit.pit(id.table, staff, void).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Something else that the pit asks of a table: `pause`, `unpause`, `disable` with a reason,
/// `enable`, `reset-roads`.
#[utoipa::path(
    post,
    path = "/api/pit/tables/{table}",
    tag = "pit",
    params(("table" = u32, Path, description = "its number")),
    request_body(content = Object, description = "`PitCommand` of the generated wire types"),
    responses(
        (status = 204),
        (status = 400, body = Problem, description = "MALFORMED; a round is voided by its id"),
        (status = 403, body = Problem, description = "ROLE_REQUIRED"),
        (status = 409, body = Problem, description = "why not"),
    )
)]
pub async fn command(
    State(doors): State<Doors>,
    PitBoss(staff): PitBoss,
    Path(table): Path<String>,
    Said(command): Said<PitCommand>,
) -> Result<StatusCode, Problem> {
    let table = table_id(&table)?;
    if matches!(command, PitCommand::Void { .. }) {
        let why = "a round is voided by its id: /api/pit/rounds/3-17/void";
        return Err(Problem::from(Code::Malformed).because(why));
    }
    doors.pit.pit(table, staff, command).await?;
    Ok(StatusCode::NO_CONTENT)
}
