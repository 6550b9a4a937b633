//! `/v3/groups`: groups, as the host keeps them.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{Data, Page, Success};
use super::auth::Caller;
use super::body::{Sent, clearable, given};
use super::error::Failure;
use super::fields::{Description, Password, Picture};
use super::lists::{Listed, ListedPerson, Lists, Results};
use super::paging::{PagedSearch, Query, data, success};
use crate::app::App;
use crate::domain::{Group, GroupType, Guid, HOST_UID, Name, Scope, Uid};
use crate::http::openapi::{GroupPath, OnBehalfOf};
use crate::live::LiveGroup;
use crate::membership::{self, Created, GroupDraft, GroupPatch};
use crate::store::{DirectoryQuery, GroupSummary};

/// A group to be made, perhaps with people in it from the start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"guid": "park", "name": "Park", "type": "public", "owner": "ada", "participants": ["dee"]}))]
pub(super) struct NewGroup {
    guid: Guid,
    name: Name,
    /// `private` unless given.
    #[serde(rename = "type")]
    group_type: Option<GroupType>,
    /// For the type `password`, and only for it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Picture>)]
    icon: Option<Picture>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Description>)]
    description: Option<Description>,
    /// A known user; without one, who asks: the user of onBehalfOf, or the host.
    owner: Option<Uid>,
    admins: Option<Vec<Uid>>,
    moderators: Option<Vec<Uid>>,
    participants: Option<Vec<Uid>>,
    members: Option<Vec<ListedPerson>>,
    /// Are banned; in no other list counts.
    users_to_ban: Option<Vec<Uid>>,
}

/// What is to be different about a group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Big park", "description": null}))]
pub(super) struct GroupChange {
    name: Option<Name>,
    #[serde(rename = "type")]
    group_type: Option<GroupType>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
    /// null takes it away.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    icon: Option<Option<Picture>>,
    /// null takes it away.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Description>)]
    description: Option<Option<Description>>,
}

/// A group as the host reads one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Group, example = json!({"guid": "park", "name": "Park", "type": "public", "icon": null, "description": null, "owner": "ada", "membersCount": 5, "onlineMembersCount": 2, "scope": null}))]
pub(super) struct GroupRecord {
    guid: Guid,
    #[schema(value_type = Name)]
    name: String,
    #[serde(rename = "type")]
    #[schema(value_type = GroupType)]
    group_type: &'static str,
    icon: Option<String>,
    description: Option<String>,
    /// `app_system` stands for the host. Not told to users who are not in it.
    owner: Option<String>,
    members_count: u64,
    /// Not in lists; not told to users who are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    online_members_count: Option<Option<usize>>,
    /// Of the user who asks. Not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<Option<&'static str>>,
    /// What came of each who was put in, when the group was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Results>,
}

/// Groups, in the order of their ids. On behalf of a user: theirs, and those that are not private.
#[utoipa::path(get, path = "/groups", operation_id = "listGroups", tag = "Groups", params(OnBehalfOf, PagedSearch),
    responses((status = 200, description = "A page of them.", body = Page<GroupRecord>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, Failure> {
    let (search, paging) = (query.search()?, query.paging()?);
    query.end()?;
    let slice = DirectoryQuery { search, skip: paging.skip(), limit: paging.per_page };
    let (groups, total) = app.store().read().await?.groups(&slice, caller.user.as_ref()).await?;
    let listed = groups.into_iter().map(|GroupSummary { group, owner, members }| {
        record(&group, members, Some(owner.as_ref().map_or(HOST_UID, Uid::as_str)))
    });
    paging.answer(listed.collect(), total as usize)
}

/// Make a group with its owner, and perhaps members, in it.
#[utoipa::path(post, path = "/groups", operation_id = "createGroup", tag = "Groups", params(OnBehalfOf), request_body = NewGroup,
    responses((status = 200, description = "Made, or there just so.", body = Data<GroupRecord>)))]
pub(super) async fn create(State(app): State<App>, caller: Caller, sent: Sent<NewGroup>) -> Result<Response, Failure> {
    let mut body = sent.read()?;
    let lists = Lists::of(Listed {
        members: body.members.take(),
        admins: body.admins.take(),
        moderators: body.moderators.take(),
        participants: body.participants.take(),
        users_to_ban: body.users_to_ban.take(),
    })?;
    let draft = draft(&caller, body)?;
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
    let members = (!answers.is_empty()).then(|| lists.answers(&guid, answers));
    data(GroupRecord { members, ..value(&group, &caller) })
}

/// A group.
#[utoipa::path(get, path = "/groups/{guid}", operation_id = "getGroup", tag = "Groups", params(GroupPath, OnBehalfOf),
    responses((status = 200, description = "The group.", body = Data<GroupRecord>)))]
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

/// Change a group.
#[utoipa::path(put, path = "/groups/{guid}", operation_id = "updateGroup", tag = "Groups", params(GroupPath),
    request_body = GroupChange,
    responses((status = 200, description = "The group as it is now.", body = Data<GroupRecord>)))]
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<GroupChange>,
) -> Result<Response, Failure> {
    let group = caller.inside(&app, &guid).await?;
    let GroupChange { name, group_type, password, icon, description } = sent.read()?;
    caller.must_be_host()?;
    let patch = GroupPatch {
        name,
        group_type,
        password: password.map(|password| password.0),
        icon: icon.map(|change| change.map(|url| url.0)),
        description: description.map(|change| change.map(|text| text.0)),
    };
    membership::update_group(app.store(), group.guid().clone(), patch).await?;
    app.hub().refresh(&group).await?;
    data(value(&group, &caller))
}

/// End a group: nobody is in it any more.
#[utoipa::path(delete, path = "/groups/{guid}", operation_id = "deleteGroup", tag = "Groups", params(GroupPath),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
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

fn draft(caller: &Caller, body: NewGroup) -> Result<GroupDraft, Failure> {
    let group_type = body.group_type.unwrap_or(GroupType::Private);
    if (group_type == GroupType::Password) != body.password.is_some() {
        return Err(Failure::invalid("password", "a group of the type password has one, and no other"));
    }
    let owner = body.owner.or(caller.user.clone());
    let group = Group {
        guid: body.guid,
        name: body.name,
        group_type,
        icon: body.icon.map(|url| url.0),
        description: body.description.map(|text| text.0),
    };
    Ok(GroupDraft { group, password: body.password.map(|password| password.0), owner })
}

/// The group; who is online is for its members and the host, the scope for the user who asks.
fn value(group: &LiveGroup, caller: &Caller) -> GroupRecord {
    let state = group.state();
    let roster = state.roster();
    let scope = caller.user.as_ref().and_then(|user| roster.get(user.as_str())).map(|member| member.scope);
    let inside = caller.user.is_none() || scope.is_some();
    let owner = inside.then(|| roster.owner().map_or(HOST_UID, |owner| owner.uid()));
    let online = Some(inside.then(|| roster.online_len()));
    let listed = record(roster.group(), roster.len() as u64, owner);
    GroupRecord { online_members_count: online, scope: Some(scope.map(Scope::as_str)), ..listed }
}

/// The group as lists have it.
pub(super) fn record(group: &Group, members: u64, owner: Option<&str>) -> GroupRecord {
    GroupRecord {
        guid: group.guid.clone(),
        name: group.name.as_str().to_owned(),
        group_type: group.group_type.as_str(),
        icon: group.icon.clone(),
        description: group.description.clone(),
        owner: owner.map(str::to_owned),
        members_count: members,
        online_members_count: None,
        scope: None,
        members: None,
    }
}
