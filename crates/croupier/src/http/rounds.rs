//! Rounds and shoes, read back from the log.

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use table::{MyRound, my_round};
use utoipa::ToSchema;

use super::guard::Visitor;
use super::{Doors, No, Problem};
use crate::desk::Who;
use crate::proof::ShoeRecord;
use crate::recall::{PublicRound, shoe_id};
use crate::replay::round_id;

/// A round as who asks may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoundAnswer {
    /// What everybody may see: `id`, `table`, `round`, `shoe`, `rules`, `demonstration`, `is_open`,
    /// `opened_at`, `closed_at`, `ended_at`, the cards `player` and `banker`, `outcome`, `void`.
    /// Of an open round only the cards that lie open.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub round: PublicRound,
    /// One's own bets of it and what they came to, as `MyRound`; none for others, and none before
    /// the round is over.
    #[schema(value_type = Option<Object>)]
    pub mine: Option<MyRound>,
}

/// A round, by its id `table-number`.
#[utoipa::path(
    get,
    path = "/api/rounds/{round}",
    tag = "rounds",
    params(("round" = String, Path, description = "table and number: 3-17")),
    responses(
        (status = 200, body = RoundAnswer),
        (status = 404, body = Problem, description = "NOT_FOUND"),
    )
)]
pub async fn round(
    State(doors): State<Doors>,
    Path(round): Path<String>,
    visitor: Visitor,
) -> Result<Json<RoundAnswer>, Problem> {
    let nothing = || Problem::from(No::NotFound).because("no such round");
    let id = round_id(&round).ok_or_else(nothing)?;
    if !doors.pit.tables().any(|table| table == id.table) {
        return Err(nothing());
    }
    let sheet = doors.in_archive(move |archive| archive.round(id)).await?.ok_or_else(nothing)?;
    let player = match visitor.who {
        Some(Who::Player(player)) => Some(player),
        Some(Who::Staff { .. }) | None => None,
    };
    let mine = player.filter(|_| !sheet.is_open);
    let mine = mine.and_then(|player| my_round(&sheet.record, player));
    Ok(Json(RoundAnswer { round: PublicRound::from(&sheet), mine }))
}

/// The record of a shoe, by its id `table-number`: the commitment and what was dealt so far; its
/// order and salt once it is over, for anybody to check (docs/fairness.md).
#[utoipa::path(
    get,
    path = "/api/shoes/{shoe}",
    tag = "rounds",
    params(("shoe" = String, Path, description = "table and number: 3-17")),
    responses(
        (status = 200, body = Object, description = "the record (docs/fairness.md)"),
        (status = 404, body = Problem, description = "NOT_FOUND"),
    )
)]
pub async fn shoe(
    State(doors): State<Doors>,
    Path(shoe): Path<String>,
) -> Result<Json<ShoeRecord>, Problem> {
    let nothing = || Problem::from(No::NotFound).because("no robot shuffled such a shoe");
    let id = shoe_id(&shoe).ok_or_else(nothing)?;
    if !doors.pit.tables().any(|table| table.number() == id.table) {
        return Err(nothing());
    }
    let record = doors.in_archive(move |archive| archive.shoe(id)).await?;
    record.map(Json).ok_or_else(nothing)
}
