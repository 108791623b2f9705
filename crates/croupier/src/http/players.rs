//! Players: a guest joins, sees who he is, gets chips again, reads his history.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use chips::Chips;
use ledger::PlayerId;
use serde::{Deserialize, Serialize};
use table::{Code, CommandId, StaffId};
use utoipa::{IntoParams, ToSchema};

use super::guard::{Player, Said, Visitor, forget_cookie, set_cookie};
use super::{Doors, Problem};
use crate::desk::{Token, Who};
use crate::house::Role;
use crate::recall::HISTORY_MAX;

/// Rounds of a history where nothing else is asked for (OPS-81: at least 50).
const HISTORY_USUAL: usize = 50;

/// Who asks, and what he has. Amounts are whole numbers of the smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "role", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum MeAnswer {
    Player {
        #[schema(value_type = u64)]
        player: PlayerId,
        name: String,
        /// What he may stake now.
        #[schema(value_type = u64)]
        balance: Chips,
        /// What he has at stake over all tables.
        #[schema(value_type = u64)]
        at_stake: Chips,
    },
    /// Nobody signed in.
    Spectator,
    Dealer {
        staff: u32,
        name: String,
    },
    PitBoss {
        staff: u32,
        name: String,
    },
}

impl MeAnswer {
    pub(super) fn staff(StaffId(staff): StaffId, name: String, role: Role) -> MeAnswer {
        match role {
            Role::Dealer => MeAnswer::Dealer { staff, name },
            Role::PitBoss => MeAnswer::PitBoss { staff, name },
        }
    }

    pub(super) async fn player(doors: &Doors, player: PlayerId) -> MeAnswer {
        let name = doors.cage.name(player).unwrap_or_else(|| format!("Guest {player}"));
        let balance = doors.pit.wallet().available(player);
        let at_stake = doors.pit.at_stake(player).await;
        MeAnswer::Player { player, name, balance, at_stake }
    }

    async fn of(doors: &Doors, who: Option<Who>) -> MeAnswer {
        match who {
            None => MeAnswer::Spectator,
            Some(Who::Player(player)) => MeAnswer::player(doors, player).await,
            Some(Who::Staff { staff, login, role }) => MeAnswer::staff(staff, login, role),
        }
    }
}

/// An answer that sets a cookie.
pub(super) type WithCookie<T> = (AppendHeaders<[(header::HeaderName, HeaderValue); 1]>, Json<T>);

/// Begins a session and gives the cookie.
pub(super) async fn begin_session(
    doors: &Doors,
    who: Who,
    headers: &HeaderMap,
) -> Result<HeaderValue, Problem> {
    const DAY_MS: i64 = 24 * 3_600 * 1_000;
    let days = doors.settings.bounds.session_days;
    let now = doors.now();
    let ends = table::Timestamp(now.0.saturating_add(i64::from(days) * DAY_MS));
    let token: Token = doors.at_desk(move |desk| desk.begin_session(&who, now, ends)).await?;
    Ok(set_cookie(&token, days, headers))
}

/// Play as a guest, with play chips from the cage. Who has a session already keeps it.
#[utoipa::path(
    post,
    path = "/api/guest",
    tag = "players",
    responses(
        (status = 200, body = MeAnswer, description = "a session, in a cookie"),
        (status = 403, body = Problem, description = "RESTRICTED_PLAYER, ORIGIN_REFUSED"),
        (status = 429, body = Problem, description = "RATE_LIMITED"),
        (status = 503, body = Problem, description = "HOUSE_FULL, UNAVAILABLE"),
    )
)]
pub async fn guest(
    State(doors): State<Doors>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<axum::response::Response, Problem> {
    match visitor.who {
        Some(Who::Player(player)) => {
            return Ok(Json(MeAnswer::player(&doors, player).await).into_response());
        }
        Some(Who::Staff { .. }) => return Err(Code::RestrictedPlayer.into()),
        None => {}
    }
    doors.0.guests.take(peer.ip(), doors.now())?;
    let player = doors.cage.join().await?;
    let cookie = begin_session(&doors, Who::Player(player), &headers).await?;
    ::metrics::counter!("croupier_guests_total").increment(1);
    let me = MeAnswer::player(&doors, player).await;
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Json(me)).into_response())
}

/// Who asks, and what he has.
#[utoipa::path(get, path = "/api/me", tag = "players", responses((status = 200, body = MeAnswer)))]
pub async fn me(State(doors): State<Doors>, visitor: Visitor) -> Json<MeAnswer> {
    Json(MeAnswer::of(&doors, visitor.who).await)
}

/// What is asked of the cage.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefillRequest {
    /// One's own id for this command: asked again with the same id it counts once. 1 to 64
    /// letters, digits, `-` or `_`.
    #[schema(value_type = String, example = "refill-1")]
    pub id: CommandId,
}

/// What the cage gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefillAnswer {
    /// How much, in smallest units.
    #[schema(value_type = u64)]
    pub amount: Chips,
    /// What may be staked now.
    #[schema(value_type = u64)]
    pub balance: Chips,
}

/// Chips again, free, for a player who has less than the smallest minimum of all tables.
#[utoipa::path(
    post,
    path = "/api/refill",
    tag = "players",
    request_body = RefillRequest,
    responses(
        (status = 200, body = RefillAnswer),
        (status = 401, body = Problem, description = "NOT_SIGNED_IN"),
        (status = 409, body = Problem, description = "ENOUGH_CHIPS, DUPLICATE"),
    )
)]
pub async fn refill(
    State(doors): State<Doors>,
    Player(player): Player,
    Said(RefillRequest { id }): Said<RefillRequest>,
) -> Result<Json<RefillAnswer>, Problem> {
    let amount = doors.cage.refill(player, id).await?;
    Ok(Json(RefillAnswer { amount, balance: doors.pit.wallet().available(player) }))
}

/// Ends the session.
#[utoipa::path(post, path = "/api/logout", tag = "players", responses((status = 204)))]
pub async fn logout(
    State(doors): State<Doors>,
    visitor: Visitor,
) -> Result<impl IntoResponse, Problem> {
    if let Some(token) = visitor.token {
        doors.at_desk(move |desk| desk.end_session(&token)).await?;
    }
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, forget_cookie())])))
}

/// How much of a history is asked for.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryRequest {
    /// How many rounds, 1 to 200; 50 unless said otherwise.
    pub limit: Option<usize>,
}

/// One's own last rounds.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HistoryAnswer {
    /// Newest first. Each is `MyRound` of the generated wire types with `rules`, `balance_before`
    /// and `balance_after`.
    #[schema(value_type = Vec<Object>)]
    pub rounds: Vec<crate::recall::HistoryRound>,
}

/// One's own last finished rounds over all tables, with cards, bets, payouts and the balance
/// before and after (OPS-81).
#[utoipa::path(
    get,
    path = "/api/me/rounds",
    tag = "players",
    params(HistoryRequest),
    responses(
        (status = 200, body = HistoryAnswer),
        (status = 401, body = Problem, description = "NOT_SIGNED_IN"),
    )
)]
pub async fn history(
    State(doors): State<Doors>,
    Player(player): Player,
    query: Result<Query<HistoryRequest>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<HistoryAnswer>, Problem> {
    let why = |why: axum::extract::rejection::QueryRejection| {
        Problem::from(Code::Malformed).because(why.body_text())
    };
    let limit = query.map_err(why)?.limit.unwrap_or(HISTORY_USUAL);
    if !(1..=HISTORY_MAX).contains(&limit) {
        let why = format!("limit: expected 1 to {HISTORY_MAX}, got {limit}");
        return Err(Problem::from(Code::Malformed).because(why));
    }
    let rounds = doors.in_archive(move |archive| archive.history(player, limit)).await?;
    Ok(Json(HistoryAnswer { rounds }))
}
