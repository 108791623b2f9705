//! Staff sign in with login and password.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::AppendHeaders;
use serde::Deserialize;
use table::Code;
use utoipa::ToSchema;

use super::guard::Said;
use super::players::{MeAnswer, WithCookie, begin_session};
use super::{Doors, No, Problem};
use crate::desk::{SignIn, Who};

/// Login and password of a member of staff.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// His login.
    pub login: String,
    /// His password.
    #[schema(format = Password)]
    pub password: String,
}

/// Sign in as a member of staff. Whatever is wrong with the credentials, the answer is the same.
#[utoipa::path(
    post,
    path = "/api/staff/login",
    tag = "staff",
    request_body = LoginRequest,
    responses(
        (status = 200, body = MeAnswer, description = "a session, in a cookie"),
        (status = 401, body = Problem, description = "WRONG_CREDENTIALS"),
        (status = 429, body = Problem, description = "RATE_LIMITED"),
    )
)]
pub async fn login(
    State(doors): State<Doors>,
    headers: HeaderMap,
    Said(LoginRequest { login, password }): Said<LoginRequest>,
) -> Result<WithCookie<MeAnswer>, Problem> {
    let waiting = doors.0.sign_ins.try_acquire().map_err(|_| Problem::from(Code::RateLimited))?;
    let hashing = doors.0.hashes.acquire().await.map_err(|why| Problem::failed(&why))?;
    let now = doors.now();
    let signed_in = doors.at_desk(move |desk| desk.sign_in(&login, &password, now)).await?;
    drop((waiting, hashing));
    let (staff, login, role) = match signed_in {
        SignIn::Welcome { staff, login, role } => (staff, login, role),
        SignIn::WrongCredentials => {
            ::metrics::counter!("croupier_sign_ins_refused_total").increment(1);
            return Err(No::WrongCredentials.into());
        }
        SignIn::TooManyFailures => return Err(Code::RateLimited.into()),
    };
    doors.cage.staff_seen(staff, login.clone(), role).await?;
    let who = Who::Staff { staff, login: login.clone(), role };
    let cookie = begin_session(&doors, who, &headers).await?;
    let me = MeAnswer::staff(staff, login, role);
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Json(me)))
}
