//! A viewer's place in a group. Not yours = not there: without one, every path answers alike.

use std::sync::Arc;

use super::negotiate::RequestInfo;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{EventId, GroupType, Guid, Scope, Uid};
use crate::http::problem::Problem;
use crate::i18n::Lang;
use crate::live::LiveGroup;
use crate::views::{BadProp, Props, ViewContext};

/// A member's place in their group.
pub(crate) struct GroupAccess {
    /// The group.
    pub group: Arc<LiveGroup>,
    /// What they are in it.
    pub scope: Scope,
    /// The language they are answered in.
    pub lang: Lang,
}

/// Where somebody stands who asks about a group.
pub(crate) enum Door {
    /// In it.
    Inside(GroupAccess),
    /// Before it, and may know of it: it is not private.
    Outside(Arc<LiveGroup>),
}

/// Where the viewer stands, as of now or of the event they have seen already; or the one answer for all that is not there.
/// Whoever is not in a private group is answered after the same queries as where no group is, and nothing of it is loaded.
pub(crate) async fn door(app: &App, viewer: &Viewer, guid: &str, info: &RequestInfo) -> Result<Door, Problem> {
    let guid: Guid = guid.parse().map_err(|_| Problem::not_there())?;
    // The members in memory know it without a query; a no is asked of the database before it is said.
    if !app.hub().has_in_memory(&guid, viewer.uid()) {
        match app.store().read().await?.door(&guid, viewer.uid()).await? {
            None | Some((GroupType::Private, false)) => return Err(Problem::not_there()),
            Some(_) => {}
        }
    }
    let group = app.hub().group(&guid).await?.ok_or_else(Problem::not_there)?;
    reach(app, &group, info.last_event_id.as_ref()).await?;
    let inside = |group: Arc<LiveGroup>, scope| Ok(Door::Inside(GroupAccess { group, scope, lang: info.lang }));
    if let Some(scope) = scope_in(&group, viewer) {
        return inside(group, scope);
    }
    app.hub().refresh(&group).await?;
    if let Some(scope) = scope_in(&group, viewer) {
        return inside(group, scope);
    }
    let is_closed = {
        let state = group.state();
        state.is_deleted() || state.roster().group().group_type == GroupType::Private
    };
    if is_closed { Err(Problem::not_there()) } else { Ok(Door::Outside(group)) }
}

impl GroupAccess {
    /// The viewer's place in this group; everybody else gets the one answer.
    pub(crate) async fn load(
        app: &App,
        viewer: &Viewer,
        guid: &str,
        info: &RequestInfo,
    ) -> Result<GroupAccess, Problem> {
        match door(app, viewer, guid, info).await? {
            Door::Inside(access) => Ok(access),
            Door::Outside(_) => Err(Problem::not_there()),
        }
    }

    /// How the viewer sees the group with these props.
    ///
    /// # Errors
    /// When a template is asked for that is not there.
    pub(crate) fn context(&self, app: &App, viewer: &Viewer, props: Props) -> Result<ViewContext, Problem> {
        let slots = app.slots();
        props.templates.check(slots).map_err(|(slot, allowed)| BadProp { name: slot.parameter().into(), allowed })?;
        let context =
            ViewContext::new(app.base(), self.group.guid().clone(), props, self.scope, self.lang, slots.clone());
        Ok(context.for_viewer(viewer.uid()))
    }
}

/// Refuses a banned person before anything else about joining, and says until when.
pub(crate) async fn refuse_banned(app: &App, guid: &Guid, uid: &Uid) -> Result<(), Problem> {
    let person = app.store().read().await?.person(guid, uid).await?;
    match person.ban {
        Some(ban) if person.membership.is_none() => Err(Problem::banned(ban.until)),
        _ => Ok(()),
    }
}

/// Catches a group up with an event that the viewer has seen elsewhere.
async fn reach(app: &App, group: &LiveGroup, seen: Option<&EventId>) -> Result<(), Problem> {
    if let Some(seen) = seen.filter(|seen| *seen.epoch == *group.id(0).epoch) {
        app.hub().catch_up_to(group, seen.seq).await?;
    }
    Ok(())
}

fn scope_in(group: &LiveGroup, viewer: &Viewer) -> Option<Scope> {
    let state = group.state();
    if state.is_deleted() { None } else { state.roster().get(viewer.uid().as_str()).map(|member| member.scope) }
}
