//! `/v3/groups/{guid}/members/{uid}`: one member.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::{Value, json};

use super::auth::Caller;
use super::body::Sent;
use super::error::Failure;
use super::paging::{data, success};
use crate::app::App;
use crate::domain::{Act, Member, MemberRecord, Scope, Uid};
use crate::live::LiveGroup;
use crate::membership;
use crate::roster::Roster;

/// `GET /v3/groups/{guid}/members/{uid}`.
pub(super) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    one(&group, &uid)
}

/// `PUT /v3/groups/{guid}/members/{uid}`: `scope`.
pub(super) async fn set_scope(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = known(&uid)?;
    let mut fields = sent.read()?;
    let scope = fields.text("scope")?.and_then(|word| word.parse().ok()).filter(|&scope| scope != Scope::Owner);
    let scope = scope.ok_or_else(|| {
        fields
            .invalid("scope", "one of admin, moderator, participant; an owner is made by PATCH /v3/groups/{guid}/owner")
    })?;
    fields.end()?;
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), Act::SetScope(scope)).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    one(&group, uid.as_str())
}

/// `DELETE /v3/groups/{guid}/members/{uid}`: kicked; on behalf of themselves, left.
pub(super) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let uid = known(&uid)?;
    let act = if caller.user.as_ref() == Some(&uid) { Act::Leave } else { Act::Kick };
    let outcome = membership::act(app.store(), caller.act(group.guid()), uid.clone(), act).await?;
    app.hub().catch_up_to(&group, outcome.seq).await?;
    success(format!("{uid} is not a member of group {guid} any more."))
}

/// A member as `/v3` shows one.
pub(super) fn value(group: &LiveGroup, roster: &Roster, member: &Member) -> Value {
    let mut value = json!(MemberRecord::new(member, roster.presence(member.uid()).status));
    value["guid"] = group.guid().as_str().into();
    value
}

fn one(group: &LiveGroup, uid: &str) -> Result<Response, Failure> {
    let state = group.state();
    let member = state.roster().get(uid).ok_or_else(Failure::no_member)?;
    data(value(group, state.roster(), member))
}

/// An id that nobody can have is a user who is not there.
fn known(uid: &str) -> Result<Uid, Failure> {
    uid.parse().map_err(|_| Failure::no_user())
}
