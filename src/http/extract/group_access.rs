//! A viewer's place in a group. Not yours = not there: without one, every path answers alike.

use std::sync::Arc;

use super::negotiate::RequestInfo;
use super::viewer::Viewer;
use crate::app::App;
use crate::domain::{EventId, Guid, Scope};
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

/// The group, or the one answer for all that is not there.
pub(crate) async fn group(app: &App, guid: &str) -> Result<Arc<LiveGroup>, Problem> {
    let guid: Guid = guid.parse().map_err(|_| Problem::not_there())?;
    app.hub().group(&guid).await?.ok_or_else(Problem::not_there)
}

impl GroupAccess {
    /// The viewer's place in this group, as of now or of the event they have seen already.
    pub(crate) async fn load(
        app: &App,
        viewer: &Viewer,
        guid: &str,
        info: &RequestInfo,
    ) -> Result<GroupAccess, Problem> {
        let group = group(app, guid).await?;
        reach(app, &group, info.last_event_id.as_ref()).await?;
        if let Some(scope) = scope_in(&group, viewer) {
            return Ok(GroupAccess { group, scope, lang: info.lang });
        }
        // A no is asked of the database before it is said.
        app.hub().refresh(&group).await?;
        let scope = scope_in(&group, viewer).ok_or_else(Problem::not_there)?;
        Ok(GroupAccess { group, scope, lang: info.lang })
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

/// Catches a group up with an event that the viewer has seen elsewhere.
pub(crate) async fn reach(app: &App, group: &LiveGroup, seen: Option<&EventId>) -> Result<(), Problem> {
    if let Some(seen) = seen.filter(|seen| *seen.epoch == *group.id(0).epoch) {
        app.hub().catch_up_to(group, seen.seq).await?;
    }
    Ok(())
}

fn scope_in(group: &LiveGroup, viewer: &Viewer) -> Option<Scope> {
    let state = group.state();
    if state.is_deleted() { None } else { state.roster().get(viewer.uid().as_str()).map(|member| member.scope) }
}
