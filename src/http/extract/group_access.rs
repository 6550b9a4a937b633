//! A viewer's place in a group. Not yours = not there: without one, every path answers alike.

use std::sync::Arc;

use super::negotiate::Ask;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{EventId, Guid, Scope};
use crate::http::problem::Problem;
use crate::lang::Lang;
use crate::live::Room;
use crate::views::{BadProp, Look, Props};

/// A member's place in their group.
pub struct Seat {
    /// The group.
    pub room: Arc<Room>,
    /// What they are in it.
    pub scope: Scope,
    /// The language they are answered in.
    pub lang: Lang,
}

/// The group, or the one answer for all that is not there.
pub async fn room(app: &App, guid: &str) -> Result<Arc<Room>, Problem> {
    let guid: Guid = guid.parse().map_err(|_| Problem::not_there())?;
    app.hub().room(&guid).await?.ok_or_else(Problem::not_there)
}

impl Seat {
    /// The viewer's place in this group, as of now or of the event they have seen already.
    pub async fn of(app: &App, viewer: &Viewer, guid: &str, ask: &Ask) -> Result<Seat, Problem> {
        let room = room(app, guid).await?;
        reach(app, &room, ask.last_event_id.as_ref()).await?;
        if let Some(scope) = scope_in(&room, viewer) {
            return Ok(Seat { room, scope, lang: ask.lang });
        }
        // A no is asked of the database before it is said.
        app.hub().refresh(&room).await?;
        let scope = scope_in(&room, viewer).ok_or_else(Problem::not_there)?;
        Ok(Seat { room, scope, lang: ask.lang })
    }

    /// How the viewer sees the group with these props.
    ///
    /// # Errors
    /// When a template is asked for that is not there.
    pub fn look(&self, app: &App, viewer: &Viewer, props: Props) -> Result<Look, Problem> {
        let slots = app.slots();
        props.views.check(slots).map_err(|(slot, allowed)| BadProp { name: slot.parameter().into(), allowed })?;
        let look = Look::new(app.base(), self.room.guid().clone(), props, self.scope, self.lang, slots.clone());
        Ok(look.for_viewer(viewer.uid()))
    }
}

/// Brings a room up to an event that somebody has seen elsewhere.
pub async fn reach(app: &App, room: &Room, seen: Option<&EventId>) -> Result<(), Problem> {
    if let Some(seen) = seen.filter(|seen| *seen.epoch == *room.id(0).epoch) {
        app.hub().catch_up_to(room, seen.seq).await?;
    }
    Ok(())
}

fn scope_in(room: &Room, viewer: &Viewer) -> Option<Scope> {
    let state = room.state();
    if state.is_deleted() { None } else { state.roster().get(viewer.uid().as_str()).map(|member| member.scope) }
}
