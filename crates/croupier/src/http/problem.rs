//! Why a request was not served: problem JSON with a stable code (RFC 9457).

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chips::Chips;
use serde::Serialize;
use table::{Code, Rejection};
use utoipa::ToSchema;

use crate::desk::DeskFailure;
use crate::house::CageRefusal;
use crate::recall::NotRead;

/// The media type of problems.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// A problem as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// `about:blank`: the code says it all.
    #[serde(rename = "type")]
    #[schema(example = "about:blank")]
    pub kind: &'static str,
    /// The meaning of the status.
    #[schema(example = "Unauthorized")]
    pub title: &'static str,
    /// The HTTP status.
    #[schema(example = 401)]
    pub status: u16,
    /// The stable code, as on the sockets where both have it.
    #[schema(example = "WRONG_CREDENTIALS")]
    pub code: &'static str,
    /// What was expected, and what came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The smallest amount that would be accepted, in smallest units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub min: Option<Chips>,
    /// The largest amount that would be accepted, or that there is, in smallest units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub max: Option<Chips>,
}

/// What HTTP says no with, beside the tables' own codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum No {
    NotFound,
    MethodNotAllowed,
    NotSignedIn,
    RoleRequired,
    OriginRefused,
    WrongCredentials,
    TooLarge,
    NotJson,
    EnoughChips,
    HouseFull,
    Unavailable,
}

impl No {
    /// The stable code and the status.
    pub const fn parts(self) -> (&'static str, StatusCode) {
        match self {
            No::NotFound => ("NOT_FOUND", StatusCode::NOT_FOUND),
            No::MethodNotAllowed => ("METHOD_NOT_ALLOWED", StatusCode::METHOD_NOT_ALLOWED),
            No::NotSignedIn => ("NOT_SIGNED_IN", StatusCode::UNAUTHORIZED),
            No::RoleRequired => ("ROLE_REQUIRED", StatusCode::FORBIDDEN),
            No::OriginRefused => ("ORIGIN_REFUSED", StatusCode::FORBIDDEN),
            No::WrongCredentials => ("WRONG_CREDENTIALS", StatusCode::UNAUTHORIZED),
            No::TooLarge => ("TOO_LARGE", StatusCode::PAYLOAD_TOO_LARGE),
            No::NotJson => ("NOT_JSON", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            No::EnoughChips => ("ENOUGH_CHIPS", StatusCode::CONFLICT),
            No::HouseFull => ("HOUSE_FULL", StatusCode::SERVICE_UNAVAILABLE),
            No::Unavailable => ("UNAVAILABLE", StatusCode::SERVICE_UNAVAILABLE),
        }
    }
}

impl Problem {
    fn new(code: &'static str, status: StatusCode) -> Problem {
        let title = status.canonical_reason().unwrap_or("Problem");
        let status = status.as_u16();
        Problem { kind: "about:blank", title, status, code, detail: None, min: None, max: None }
    }

    /// With what was expected, and what came.
    #[must_use]
    pub fn because(self, detail: impl Into<String>) -> Problem {
        Problem { detail: Some(detail.into()), ..self }
    }

    /// Something of the house failed: told in its log, not to the visitor.
    pub fn failed(why: &(dyn std::error::Error + 'static)) -> Problem {
        let mut text = why.to_string();
        let mut source = why.source();
        while let Some(deeper) = source {
            text = format!("{text}: {deeper}");
            source = deeper.source();
        }
        tracing::error!(why = %text, "a request failed");
        No::Unavailable.into()
    }
}

impl From<No> for Problem {
    fn from(no: No) -> Problem {
        let (code, status) = no.parts();
        Problem::new(code, status)
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Problem {
        Rejection::new(code).into()
    }
}

impl From<Rejection> for Problem {
    fn from(no: Rejection) -> Problem {
        let status = if matches!(no.code, Code::RateLimited) {
            StatusCode::TOO_MANY_REQUESTS
        } else if matches!(no.code, Code::Unavailable) {
            StatusCode::SERVICE_UNAVAILABLE
        } else if matches!(no.code, Code::Malformed | Code::ReasonRequired) {
            StatusCode::BAD_REQUEST
        } else if matches!(no.code, Code::RestrictedPlayer) {
            StatusCode::FORBIDDEN
        } else {
            StatusCode::CONFLICT
        };
        let problem = Problem::new(no.code.as_str(), status);
        Problem { detail: no.detail, min: no.min, max: no.max, ..problem }
    }
}

impl From<CageRefusal> for Problem {
    fn from(no: CageRefusal) -> Problem {
        match &no {
            CageRefusal::Full => No::HouseFull.into(),
            CageRefusal::EnoughChips { has, below } => {
                let problem = Problem::from(No::EnoughChips).because(no.to_string());
                Problem { min: Some(*below), max: Some(*has), ..problem }
            }
            CageRefusal::Duplicate => Code::Duplicate.into(),
            CageRefusal::NoSuchPlayer => No::NotSignedIn.into(),
            CageRefusal::NotWritten(why) => Problem::failed(why),
        }
    }
}

impl From<DeskFailure> for Problem {
    fn from(why: DeskFailure) -> Problem {
        Problem::failed(&why)
    }
}

impl From<NotRead> for Problem {
    fn from(why: NotRead) -> Problem {
        Problem::failed(&why)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let kind = HeaderValue::from_static(PROBLEM_JSON);
        let cache = HeaderValue::from_static("no-store");
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)];
        (status, headers, Json(self)).into_response()
    }
}
