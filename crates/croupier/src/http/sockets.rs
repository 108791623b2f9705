//! The doors of the sockets: who a connection belongs to is settled before it stands.

use axum::Extension;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use table::StaffId;

use super::guard::Visitor;
use super::{Doors, No, Problem};
use crate::desk::Who;
use crate::house::Role;
use crate::serve::PlaceAtDoor;
use crate::socket::{self, Line, Rate};
use crate::wire::{MESSAGE_BYTES_MAX, Me};

/// The connection's place at the door, which its socket keeps.
type Place = Option<Extension<PlaceAtDoor>>;

type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

fn me(doors: &Doors, who: Option<Who>) -> Me {
    match who {
        None => Me::Spectator,
        Some(Who::Player(player)) => {
            let name = doors.cage.name(player).unwrap_or_else(|| format!("Guest {player}"));
            Me::Player { player, name }
        }
        Some(Who::Staff { staff: StaffId(staff), login: name, role }) => match role {
            Role::Dealer => Me::Dealer { staff, name },
            Role::PitBoss => Me::PitBoss { staff, name },
        },
    }
}

fn line(doors: &Doors, me: Me) -> Line {
    let bounds = doors.settings.bounds;
    Line {
        pit: doors.pit.clone(),
        chat: doors.chat.clone(),
        me,
        rate: Rate { per_second: bounds.commands_per_second, burst: bounds.commands_burst },
        stop: doors.stop.clone(),
    }
}

fn upgrade(asked: Upgrade) -> Result<WebSocketUpgrade, Problem> {
    let unfit = |why: WebSocketUpgradeRejection| {
        let status = why.status();
        let no = if status == StatusCode::METHOD_NOT_ALLOWED {
            Problem::from(No::MethodNotAllowed)
        } else {
            Problem::from(table::Code::Malformed)
        };
        no.because("expected a WebSocket")
    };
    let upgrade = asked.map_err(unfit)?;
    Ok(upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX))
}

/// A player's line, or a spectator's.
pub async fn player(
    State(doors): State<Doors>,
    visitor: Visitor,
    place: Place,
    asked: Upgrade,
) -> Result<Response, Problem> {
    let line = line(&doors, me(&doors, visitor.who));
    Ok(upgrade(asked)?.on_upgrade(async move |socket| {
        socket::player(socket, line).await;
        drop(place);
    }))
}

/// A dealer's line; a pit boss may look on.
pub async fn dealer(
    State(doors): State<Doors>,
    visitor: Visitor,
    place: Place,
    asked: Upgrade,
) -> Result<Response, Problem> {
    match &visitor.who {
        Some(Who::Staff { .. }) => {}
        Some(Who::Player(_)) => return Err(No::RoleRequired.into()),
        None => return Err(No::NotSignedIn.into()),
    }
    let line = line(&doors, me(&doors, visitor.who));
    Ok(upgrade(asked)?.on_upgrade(async move |socket| {
        socket::dealer(socket, line).await;
        drop(place);
    }))
}
