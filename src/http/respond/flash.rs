//! What came of an act that a plain form did, said on the page it leads back to.

use crate::app::App;
use crate::domain::{ActKind, Uid};
use crate::http::extract::{Format, GroupAccess, RequestInfo, Viewer};
use crate::http::problem::Problem;
use crate::i18n::{Message, SafeHtml, key};

/// The outcome in a sentence; `None` when nothing was done.
pub(crate) async fn notice(
    app: &App,
    access: &GroupAccess,
    viewer: &Viewer,
    info: &RequestInfo,
) -> Result<Option<SafeHtml>, Problem> {
    if info.format != Format::Page {
        return Ok(None);
    }
    let Some(Ok(act)) = info.value("done").map(|word| word.parse::<ActKind>()) else { return Ok(None) };
    let done = match act {
        ActKind::Kick => key::DONE_KICK,
        ActKind::Ban => key::DONE_BAN,
        ActKind::Unban => key::DONE_UNBAN,
        ActKind::Scope => key::DONE_SCOPE,
        ActKind::Transfer => key::DONE_TRANSFER,
        ActKind::Join => return Ok(Some(Message::from(key::DONE_JOIN).html(info.lang))),
        // Whoever has left reads so on the page for joining the group.
        ActKind::Leave => return Ok(None),
    };
    let Some(uid) = info.value("uid").and_then(|uid| uid.parse::<Uid>().ok()) else { return Ok(None) };
    Ok(Some(Message::from(done).with("name", name(app, access, viewer, &uid).await?).html(info.lang)))
}

/// The name of a member, or of somebody whom this viewer was the last to act on. Of others only the
/// uid: anybody can write it into an address.
async fn name(app: &App, access: &GroupAccess, viewer: &Viewer, uid: &Uid) -> Result<String, Problem> {
    if let Some(member) = access.group.state().roster().get(uid.as_str()) {
        return Ok(member.shown_name().into_owned());
    }
    let event = app.store().read().await?.last_event_of(access.group.guid(), uid).await?;
    let own = event.filter(|event| event.by.as_ref().is_some_and(|by| by.uid == *viewer.uid()));
    Ok(own.and_then(|event| Some(event.touched.first()?.shown_name().into_owned())).unwrap_or_else(|| uid.to_string()))
}
