//! What stands before every handler: headers, origins, cookies, bodies, rates.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ledger::PlayerId;
use serde::de::DeserializeOwned;
use table::{Code, StaffId, Timestamp};

use super::Doors;
use super::problem::{No, Problem};
use crate::desk::{Token, Who};
use crate::house::Role;

/// Bytes of the largest body that is read.
pub const BODY_BYTES_MAX: usize = 16 * 1024;
/// The name of the cookie.
pub const COOKIE: &str = "croupier_session";
/// Addresses whose rate is remembered.
const ADDRESSES_MAX: usize = 20_000;

/// The headers of every answer. Pages run scripts of their own host alone and are framed by nobody.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; \
         object-src 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the security headers; answers of the API are not to be kept by caches unless they say so.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let unsaid = HeaderValue::from_static("no-store");
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(unsaid);
    response
}

/// Refuses what another site's page makes a browser ask: requests that change something, and
/// sockets. Whoever sends no origin is no browser and has no cookie that he does not know.
pub async fn origin(State(doors): State<Doors>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrades = request.headers().contains_key(header::UPGRADE);
    if (changes || upgrades) && !is_ours(request.headers(), &doors.settings.allowed_origins) {
        return Problem::from(No::OriginRefused).into_response();
    }
    next.run(request).await
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_ours(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let origin = origin.to_ascii_lowercase();
    if allowed.contains(&origin) {
        return true;
    }
    let host = text(headers, header::HOST).map(str::to_ascii_lowercase);
    let own = origin.split_once("://").map(|(_, host)| host.to_owned());
    own.is_some() && own == host
}

/// The session's token in the cookies of a request.
fn token(headers: &HeaderMap) -> Option<Token> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let mut ours = pairs.filter(|(name, _)| name.trim() == COOKIE);
    ours.find_map(|(_, value)| Token::read(value.trim()))
}

/// The header that gives a browser its session. Over TLS the cookie goes nowhere else.
pub fn set_cookie(token: &Token, days: u32, headers: &HeaderMap) -> HeaderValue {
    let secure = text(headers, header::ORIGIN).is_some_and(|origin| origin.starts_with("https:"));
    let seconds = u64::from(days) * 24 * 3_600;
    let flags = if secure { "; Secure" } else { "" };
    let value = format!(
        "{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{flags}",
        token.reveal()
    );
    HeaderValue::from_str(&value).expect("a cookie of letters, digits and marks is a header")
}

/// The header that takes it away again.
pub fn forget_cookie() -> HeaderValue {
    const NONE: &str = "croupier_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";
    HeaderValue::from_static(NONE)
}

/// Who asks, if he has a session.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Who.
    pub who: Option<Who>,
    /// His token.
    pub token: Option<Token>,
}

impl FromRequestParts<Doors> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<Visitor, Problem> {
        let Some(token) = token(&parts.headers) else {
            return Ok(Visitor { who: None, token: None });
        };
        let now = doors.now();
        let own = token.clone();
        let who = doors.at_desk(move |desk| desk.session(&own, now)).await?;
        Ok(Visitor { token: who.is_some().then_some(token), who })
    }
}

/// A player who asks; staff do not play (OPS-78).
#[derive(Clone, Copy, Debug)]
pub struct Player(pub PlayerId);

impl FromRequestParts<Doors> for Player {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<Player, Problem> {
        match Visitor::from_request_parts(parts, doors).await?.who {
            Some(Who::Player(player)) => Ok(Player(player)),
            Some(Who::Staff { .. }) => Err(Code::RestrictedPlayer.into()),
            None => Err(No::NotSignedIn.into()),
        }
    }
}

/// A pit boss who asks.
#[derive(Clone, Copy, Debug)]
pub struct PitBoss(pub StaffId);

impl FromRequestParts<Doors> for PitBoss {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, doors: &Doors) -> Result<PitBoss, Problem> {
        match Visitor::from_request_parts(parts, doors).await?.who {
            Some(Who::Staff { staff, role: Role::PitBoss, .. }) => Ok(PitBoss(staff)),
            Some(Who::Staff { role: Role::Dealer, .. } | Who::Player(_)) => {
                Err(Problem::from(No::RoleRequired).because("a pit boss may do this"))
            }
            None => Err(No::NotSignedIn.into()),
        }
    }
}

/// A body of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Said<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Doors> for Said<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Doors) -> Result<Said<T>, Problem> {
        let kind = text(request.headers(), header::CONTENT_TYPE).unwrap_or_default();
        if !kind.to_ascii_lowercase().starts_with("application/json") {
            let why = "expected a body of application/json";
            return Err(Problem::from(No::NotJson).because(why));
        }
        let body: Body = request.into_body();
        let large = |_| {
            let why = format!("expected at most {BODY_BYTES_MAX} bytes");
            Problem::from(No::TooLarge).because(why)
        };
        let bytes = to_bytes(body, BODY_BYTES_MAX).await.map_err(large)?;
        let unreadable = |why: serde_json::Error| {
            let why: String = why.to_string().chars().take(200).collect();
            Problem::from(Code::Malformed).because(why)
        };
        serde_json::from_slice(&bytes).map(Said).map_err(unreadable)
    }
}

/// How often each address may do something in a minute.
#[derive(Debug)]
pub struct Rates {
    per_minute: u32,
    addresses: Mutex<BTreeMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// What is left, in milliseconds of a minute's worth.
    left_ms: i64,
    at: Timestamp,
}

const MINUTE_MS: i64 = 60_000;

impl Rates {
    /// So many in a minute.
    pub fn new(per_minute: u32) -> Rates {
        Rates { per_minute, addresses: Mutex::default() }
    }

    /// Takes one, if there is one left.
    ///
    /// # Errors
    /// `RATE_LIMITED`.
    pub fn take(&self, address: IpAddr, now: Timestamp) -> Result<(), Problem> {
        let price = MINUTE_MS / i64::from(self.per_minute).max(1);
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if addresses.len() >= ADDRESSES_MAX {
            addresses.retain(|_, bucket| now.0 - bucket.at.0 < MINUTE_MS);
        }
        if addresses.len() >= ADDRESSES_MAX {
            return Err(Code::RateLimited.into());
        }
        let full = Bucket { left_ms: MINUTE_MS, at: now };
        let bucket = addresses.entry(network(address)).or_insert(full);
        let since = now.0.saturating_sub(bucket.at.0).max(0);
        bucket.left_ms = bucket.left_ms.saturating_add(since).min(MINUTE_MS);
        bucket.at = now;
        if bucket.left_ms < price {
            return Err(Code::RateLimited.into());
        }
        bucket.left_ms -= price;
        Ok(())
    }
}

/// One household: an IPv4 address, or the first 64 bits of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let net = address.segments();
            IpAddr::V6(Ipv6Addr::new(net[0], net[1], net[2], net[3], 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_house_and_those_allowed_may_change_something() {
        let allowed = ["https://tables.example".to_owned()];
        for (host, origin, right) in [
            ("127.0.0.1:8080", None, true),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080"), true),
            ("House.example", Some("https://house.example"), true),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8081"), false),
            ("127.0.0.1:8080", Some("http://evil.example"), false),
            ("127.0.0.1:8080", Some("null"), false),
            ("127.0.0.1:8080", Some(""), false),
            ("127.0.0.1:8080", Some("https://tables.example"), true),
            ("127.0.0.1:8080", Some("https://tables.example.evil"), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(is_ours(&headers, &allowed), right, "{host} {origin:?}");
        }
    }

    #[test]
    fn an_address_has_so_many_in_a_minute() {
        let rates = Rates::new(2);
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        let take = |address, at| rates.take(address, Timestamp(at)).is_ok();
        assert!(take(address, 0) && take(address, 0) && !take(address, 0));
        assert!(take("192.0.2.2".parse().unwrap(), 0), "another address");
        assert!(!take(address, 29_999) && take(address, 30_000));
        let net: [IpAddr; 2] = ["2001:db8::1", "2001:db8::2"].map(|text| text.parse().unwrap());
        assert_eq!(network(net[0]), network(net[1]));
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let right = "a".repeat(64);
        for (line, found) in [
            (format!("{COOKIE}={right}"), true),
            (format!("x=1; {COOKIE}={right}; y=2"), true),
            (format!("{COOKIE}=short; {COOKIE}={right}"), true),
            (format!("x{COOKIE}={right}"), false),
            (String::new(), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(&line).unwrap());
            assert_eq!(token(&headers).is_some(), found, "{line}");
        }
    }
}
