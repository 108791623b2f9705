//! The tables as everybody may see them, and the rules that each is played by.

use axum::Json;
use axum::extract::{Path, State};
use ledger::TableId;
use serde::Serialize;
use serde_json::value::RawValue;
use table::{LayoutZone, Timestamp};
use utoipa::ToSchema;

use super::{Doors, No, Problem};
use crate::edges::BetEdge;
use crate::pit::Part;

/// The lobby.
#[derive(Debug, Serialize, ToSchema)]
pub struct TablesAnswer {
    /// The house's clock: milliseconds since 1970, UTC.
    #[schema(value_type = i64)]
    pub now: Timestamp,
    /// A `TileView` of the generated wire types for each table.
    #[schema(value_type = Vec<Object>)]
    pub tables: Vec<Box<RawValue>>,
}

/// One table.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableAnswer {
    /// The house's clock: milliseconds since 1970, UTC.
    #[schema(value_type = i64)]
    pub now: Timestamp,
    /// `FeltView` of the generated wire types.
    #[schema(value_type = Object)]
    pub felt: Box<RawValue>,
    /// A `ZoneView` for each zone with stakes on it.
    #[schema(value_type = Vec<Object>)]
    pub totals: Box<RawValue>,
    /// `RoadMaps`.
    #[schema(value_type = Object)]
    pub roads: Box<RawValue>,
    /// A `LayoutZone` for each bet: what it pays, minimum, maximum, step.
    #[schema(value_type = Vec<Object>)]
    pub layout: Box<RawValue>,
}

/// The rules of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesAnswer {
    /// The game.
    pub game: String,
    /// The preset that the rule set is made from.
    pub preset: String,
    /// The hash by which rounds name the rule set: SHA-256 of `text`.
    pub hash: String,
    /// The whole rule set as TOML, every option spelled out.
    pub text: String,
    /// The same as an object.
    #[schema(value_type = Object)]
    pub options: serde_json::Value,
    /// A `LayoutZone` for each bet: what it pays, minimum, maximum, step.
    #[schema(value_type = Vec<Object>)]
    pub layout: Vec<LayoutZone>,
    /// The edge of each bet from a full shoe, exactly.
    pub edges: Vec<BetEdge>,
}

fn raw(part: &Part) -> Box<RawValue> {
    RawValue::from_string(part.body.to_string()).unwrap_or_default()
}

/// The number in a path.
pub(super) fn table_id(text: &str) -> Result<TableId, Problem> {
    text.parse().map_err(|_| Problem::from(No::NotFound).because("no such table"))
}

/// All tables, as the lobby shows them.
#[utoipa::path(
    get,
    path = "/api/tables",
    tag = "tables",
    responses((status = 200, body = TablesAnswer))
)]
pub async fn all(State(doors): State<Doors>) -> Json<TablesAnswer> {
    let parts = doors.pit.tables().filter_map(|table| doors.pit.parts(table));
    let tiles = parts.map(|parts| raw(&parts.tile)).filter(|tile| tile.get() != "null");
    Json(TablesAnswer { now: doors.now(), tables: tiles.collect() })
}

/// One table: felt, totals, roads, layout. The sockets send the same as it changes.
#[utoipa::path(
    get,
    path = "/api/tables/{table}",
    tag = "tables",
    params(("table" = u32, Path, description = "its number")),
    responses(
        (status = 200, body = TableAnswer),
        (status = 404, body = Problem, description = "NOT_FOUND"),
    )
)]
pub async fn one(
    State(doors): State<Doors>,
    Path(table): Path<String>,
) -> Result<Json<TableAnswer>, Problem> {
    let parts = doors.pit.parts(table_id(&table)?);
    let parts = parts.ok_or_else(|| Problem::from(No::NotFound).because("no such table"))?;
    Ok(Json(TableAnswer {
        now: doors.now(),
        felt: raw(&parts.felt),
        totals: raw(&parts.totals),
        roads: raw(&parts.roads),
        layout: raw(&parts.layout),
    }))
}

/// The rule set that is in force at a table, with what each bet pays, its limits and its edge: all
/// from the one record that settles the bets.
#[utoipa::path(
    get,
    path = "/api/tables/{table}/rules",
    tag = "tables",
    params(("table" = u32, Path, description = "its number")),
    responses(
        (status = 200, body = RulesAnswer),
        (status = 404, body = Problem, description = "NOT_FOUND"),
    )
)]
pub async fn rules(
    State(doors): State<Doors>,
    Path(table): Path<String>,
) -> Result<Json<RulesAnswer>, Problem> {
    let look = |table: &table::Table| {
        let (rules, hash) = table.rules()?;
        Some((rules.clone(), hash.to_owned(), table::layout(table)))
    };
    let seen = doors.pit.with_table(table_id(&table)?, look).await.flatten();
    let nothing = || Problem::from(No::NotFound).because("no such table");
    let (rules, hash, layout) = seen.ok_or_else(nothing)?;
    let edges = doors.edges.clone();
    let counted = rules.clone();
    let edges = tokio::task::spawn_blocking(move || edges.of(&counted)).await;
    let edges = edges.map_err(|why| Problem::failed(&why))?;
    let options = serde_json::to_value(&**rules.baccarat()).map_err(|why| Problem::failed(&why))?;
    let game = options.get("game").and_then(serde_json::Value::as_str).unwrap_or_default();
    Ok(Json(RulesAnswer {
        game: game.to_owned(),
        preset: rules.name().to_owned(),
        hash,
        text: rules.canonical(),
        options,
        layout,
        edges: edges.to_vec(),
    }))
}
