//! A viewer's access to a group. A group that a viewer may not know of is answered like one that does not exist.

use std::sync::Arc;

use super::negotiate::RequestInfo;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{EventId, GroupType, Guid, Scope, Uid};
use crate::http::problem::Problem;
use crate::i18n::Lang;
use crate::live::LiveGroup;
use crate::views::{BadProp, Props, ViewContext};

/// A member's access to their group.
pub(in crate::http) struct GroupAccess {
    /// The group.
    pub group: Arc<LiveGroup>,
    /// The viewer's scope in the group.
    pub scope: Scope,
    /// The language they are answered in.
    pub lang: Lang,
}

/// A group that the viewer may know of.
pub(in crate::http) enum VisibleGroup {
    /// They are a member.
    Member(GroupAccess),
    /// They are not a member, and the group is not private.
    NonMember(Arc<LiveGroup>),
}

/// The group, at least as new as the event in `Last-Event-ID`. For a private group that the viewer is not in, the same queries run as
/// for a missing one, and nothing of it is loaded.
///
/// # Errors
/// 404 when there is no such group, or the viewer may not know of it; when the database cannot be read.
pub(in crate::http) async fn visible_group(
    app: &App,
    viewer: &Viewer,
    guid: &str,
    info: &RequestInfo,
) -> Result<VisibleGroup, Problem> {
    let guid: Guid = guid.parse().map_err(|_| Problem::not_there())?;
    // Members in memory need no query. Only the database can tell that somebody is not a member.
    if !app.hub().has_in_memory(&guid, viewer.uid()) {
        match app.store().read().await?.type_and_membership(&guid, viewer.uid()).await? {
            None | Some((GroupType::Private, false)) => return Err(Problem::not_there()),
            Some(_) => {}
        }
    }
    let group = app.hub().group(&guid).await?.ok_or_else(Problem::not_there)?;
    catch_up_to_seen(app, &group, info.last_event_id.as_ref()).await?;
    let member = |group: Arc<LiveGroup>, scope| Ok(VisibleGroup::Member(GroupAccess { group, scope, lang: info.lang }));
    if let Some(scope) = scope_in(&group, viewer, app.clock().now()) {
        return member(group, scope);
    }
    app.hub().refresh(&group).await?;
    if let Some(scope) = scope_in(&group, viewer, app.clock().now()) {
        return member(group, scope);
    }
    let is_closed = {
        let state = group.state();
        state.is_deleted() || state.roster().group().group_type == GroupType::Private
    };
    if is_closed { Err(Problem::not_there()) } else { Ok(VisibleGroup::NonMember(group)) }
}

impl GroupAccess {
    /// The access of a member.
    ///
    /// # Errors
    /// As [`visible_group`], and the same 404 for everybody else.
    pub(in crate::http) async fn load(
        app: &App,
        viewer: &Viewer,
        guid: &str,
        info: &RequestInfo,
    ) -> Result<GroupAccess, Problem> {
        match visible_group(app, viewer, guid, info).await? {
            VisibleGroup::Member(access) => Ok(access),
            VisibleGroup::NonMember(_) => Err(Problem::not_there()),
        }
    }

    /// As [`Hub::refresh_unless_members`](crate::live::Hub::refresh_unless_members).
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(in crate::http) async fn refresh_unless_members(&self, app: &App, uids: &[Uid]) -> Result<(), Problem> {
        Ok(app.hub().refresh_unless_members(&self.group, uids.iter().map(Uid::as_str)).await?)
    }

    /// The [`ViewContext`] of the viewer with these props.
    ///
    /// # Errors
    /// When a template is asked for that is not there.
    pub(in crate::http) fn context(&self, app: &App, viewer: &Viewer, props: Props) -> Result<ViewContext, Problem> {
        let slots = app.slots();
        props.templates.check(slots).map_err(|(slot, allowed)| BadProp { name: slot.parameter().into(), allowed })?;
        let context =
            ViewContext::new(app.base(), self.group.guid().clone(), props, self.scope, self.lang, slots.clone());
        Ok(context.with_undo_window(app.undo_window()).for_viewer(viewer.uid()))
    }
}

/// Catches a group up with an event that the viewer has seen, which another node may have sent.
async fn catch_up_to_seen(app: &App, group: &LiveGroup, seen: Option<&EventId>) -> Result<(), Problem> {
    if let Some(seen) = seen.filter(|seen| *seen.epoch == *group.id(0).epoch) {
        app.hub().catch_up_to(group, seen.seq).await?;
    }
    Ok(())
}

/// The viewer's scope at `now`, Unix milliseconds: a temporary one ends by itself, before the sweep takes it back.
fn scope_in(group: &LiveGroup, viewer: &Viewer, now: i64) -> Option<Scope> {
    let state = group.state();
    let member = state.roster().get(viewer.uid().as_str()).filter(|_| !state.is_deleted());
    member.map(|member| member.scope_at(now))
}
