//! `/v3/groups`: groups, as the host keeps them.

use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::Value;

use super::auth::Caller;
use super::body::{JsonBody, Sent};
use super::error::Failure;
use super::lists::Lists;
use super::paging::{Query, data, success};
use crate::app::App;
use crate::domain::{Group, GroupType, Guid, HOST_UID, Name};
use crate::http::respond::json;
use crate::live::LiveGroup;
use crate::membership::{self, Created, GroupDraft, GroupPatch};
use crate::store::{DirectoryQuery, GroupSummary};

/// Longest description, in characters.
const DESCRIPTION: usize = 1000;
/// Longest password of a group, in characters.
const PASSWORD: usize = 128;

/// `GET /v3/groups`.
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, Failure> {
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    let slice = DirectoryQuery { search, skip: paging.skip(), limit: paging.per_page };
    let (groups, total) = app.store().read().await?.groups(&slice, caller.user.as_ref()).await?;
    let value = |GroupSummary { group, owner, members }: &GroupSummary| {
        let mut value = json::group(
            group,
            *members as usize,
            Some(owner.as_ref().map_or(HOST_UID, |uid| uid.as_str())),
            None,
            None,
        );
        // Not known without looking into each group.
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| name != "onlineMembersCount" && name != "scope");
        }
        value
    };
    paging.answer(groups.iter().map(value).collect(), total as usize)
}

/// `POST /v3/groups`: `guid`, `name`, `type`, `password`, `icon`, `description`, `owner` (else who
/// asks), and who is in from the start.
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent) -> Result<Response, Failure> {
    let mut fields = sent.read()?;
    let lists = Lists::take(&mut fields, true)?;
    let draft = draft(&caller, &mut fields)?;
    fields.end()?;
    if caller.user.as_ref().is_some_and(|user| draft.owner.as_ref() != Some(user) || lists.tells()) {
        return Err(Failure::host_only());
    }
    let guid = draft.group.guid.clone();
    let answers = match membership::create_group_with(app.store(), draft, lists.intake()?).await? {
        Created::New(answers) | Created::Same(answers) => answers,
        Created::Other => return Err(Failure::other_group()),
    };
    let group = caller.group(&app, guid.as_str()).await?;
    app.hub().refresh(&group).await?;
    let mut group = value(&group, &caller);
    if !answers.is_empty() {
        group["members"] = lists.answers(&guid, answers);
    }
    data(group)
}

/// `GET /v3/groups/{guid}`.
pub(super) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
) -> Result<Response, Failure> {
    let group = caller.group(&app, &guid).await?;
    if group.state().roster().group().group_type == GroupType::Private {
        caller.inside(&app, &guid).await?;
    }
    data(value(&group, &caller))
}

/// `PUT /v3/groups/{guid}`: `name`, `type`, `password`, `icon`, `description` (null takes the last
/// two away).
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let mut fields = sent.read()?;
    let patch = GroupPatch {
        name: fields.name("name")?,
        group_type: group_type(&mut fields)?,
        password: password(&mut fields)?,
        icon: fields.picture("icon")?,
        description: description(&mut fields)?,
    };
    fields.end()?;
    caller.must_be_host()?;
    membership::update_group(app.store(), group.guid().clone(), patch).await?;
    app.hub().refresh(&group).await?;
    data(value(&group, &caller))
}

/// `DELETE /v3/groups/{guid}`.
pub(super) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    caller.must_be_host()?;
    membership::delete_group(app.store(), group.guid().clone()).await?;
    app.hub().refresh(&group).await?;
    success(format!("Group {guid} was deleted."))
}

fn draft(caller: &Caller, fields: &mut JsonBody) -> Result<GroupDraft, Failure> {
    let (guid, name) = (fields.text("guid")?, fields.name("name")?);
    let guid: Guid =
        fields.required("guid", guid)?.parse().map_err(|error| fields.invalid("guid", format!("{error}")))?;
    let name: Name = fields.required("name", name)?;
    let group_type = group_type(fields)?.unwrap_or(GroupType::Private);
    let password = password(fields)?;
    if (group_type == GroupType::Password) != password.is_some() {
        return Err(fields.invalid("password", "a group of the type password has one, and no other"));
    }
    let owner = fields.uid("owner")?.or(caller.user.clone());
    let group = Group {
        guid,
        name,
        group_type,
        icon: fields.picture("icon")?.flatten(),
        description: description(fields)?.flatten(),
    };
    Ok(GroupDraft { group, password, owner })
}

fn group_type(fields: &mut JsonBody) -> Result<Option<GroupType>, Failure> {
    fields
        .text("type")?
        .map(|word| word.parse().map_err(|()| fields.invalid("type", "one of public, private, password")))
        .transpose()
}

fn password(fields: &mut JsonBody) -> Result<Option<String>, Failure> {
    let password = fields.text("password")?;
    match &password {
        Some(text) if text.chars().count() > PASSWORD => {
            Err(fields.invalid("password", format!("at most {PASSWORD} characters")))
        }
        _ => Ok(password),
    }
}

fn description(fields: &mut JsonBody) -> Result<Option<Option<String>>, Failure> {
    let given = fields.clearable("description")?;
    let odd = |c: char| c.is_control() && !c.is_whitespace();
    match given.as_ref().and_then(Option::as_deref) {
        Some(text) if text.chars().count() > DESCRIPTION || text.contains(odd) => {
            Err(fields.invalid("description", format!("at most {DESCRIPTION} characters of text")))
        }
        _ => Ok(given),
    }
}

/// The group; who is online is for its members and the host, the scope for the user who asks.
fn value(group: &LiveGroup, caller: &Caller) -> Value {
    let state = group.state();
    let roster = state.roster();
    let scope = caller.user.as_ref().and_then(|user| roster.get(user.as_str())).map(|member| member.scope);
    let inside = caller.user.is_none() || scope.is_some();
    let owner = inside.then(|| roster.owner().map_or(HOST_UID, |owner| owner.uid()));
    json::group(roster.group(), roster.len(), owner, inside.then(|| roster.online_len()), scope)
}
