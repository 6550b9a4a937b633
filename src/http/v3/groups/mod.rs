//! `/v3/groups`: groups, as the host keeps them, with the owner and the log of each.
//!
//! Not here: who is in a group (`members/`), and who is banned or muted in it (`restrictions/`).

mod draft;
pub(super) mod events;
mod filter;
pub(super) mod owner;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use self::draft::{Buckets, NewGroup, OwnerName, draft};
use self::filter::{GroupFilter, GroupListParams};
use super::answer::{Data, Page, Success, data, success};
use super::error::V3Error;
use super::lists::{LARGEST_LIST, Listed, Lists, Results};
use super::presence::with_online_counts;
use super::records::HostGroup;
use super::request::auth::{Caller, confirmed};
use super::request::body::{NoFields, Sent, clearable, given};
use super::request::fields::{Description, Metadata, Password, Picture, Tags, changed, kept, tags_of, texts};
use super::request::paging::{ByCursor, Ordered, Paged, Paging, Query, Searched};
use super::request::path::Path;
use crate::app::App;
use crate::domain::{Group, GroupType, Guid, HOST_UID, Name, Uid};
use crate::http::openapi::{GroupPath, IdempotencyHeader, OnBehalfOf};
use crate::json_faults::unfit;
use crate::live::LiveGroup;
use crate::membership::{self, GroupPatch, ListAnswers};
use crate::store::{GroupDetails, GroupSummary, Listing, Reader, StoreError};

/// What is to be different about a group. What is not named stays; null and `unset` take away, but for what every group has: there
/// null is refused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Big park", "unset": ["description"]}))]
pub(super) struct GroupChange {
    #[serde(default, deserialize_with = "kept")]
    #[schema(required = false, value_type = Name)]
    name: Option<Name>,
    #[serde(default, rename = "type", deserialize_with = "kept")]
    #[schema(required = false, value_type = GroupType)]
    group_type: Option<GroupType>,
    /// Of a group of the type `password`. Beside another type it is not kept; without a type it is refused unless the group is one.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Picture>)]
    icon: Option<Option<Picture>>,
    #[serde(default, deserialize_with = "clearable")]
    #[schema(value_type = Option<Description>)]
    description: Option<Option<Description>>,
    #[serde(default, deserialize_with = "changed")]
    #[schema(value_type = Option<Metadata>)]
    metadata: Option<Option<Metadata>>,
    #[serde(default, deserialize_with = "changed")]
    #[schema(value_type = Option<Tags>)]
    tags: Option<Option<Tags>>,
    /// Hands the group over, with `app_system` to the host; null is refused. Ignored on behalf of a user, whatever it is.
    #[serde(default, deserialize_with = "changed")]
    #[schema(required = false, value_type = Uid)]
    owner: Option<Option<Value>>,
    /// Fields to be emptied.
    unset: Option<Vec<GroupField>>,
}

/// A field of a group that can be emptied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum GroupField {
    Icon,
    Description,
    Metadata,
    Tags,
}

/// A group that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NewGroupRecord {
    #[serde(flatten)]
    group: HostGroup,
    /// What came of each who was to be put in.
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Results>,
}

/// Groups, in the order of their ids unless another is asked for. On behalf of a user: theirs, and those that are not private.
#[utoipa::path(get, path = "/groups", operation_id = "listGroups", tag = "Groups",
    params(OnBehalfOf, Searched, Paged, ByCursor, Ordered, GroupListParams),
    responses((status = 200, description = "A page of them.", body = Page<HostGroup>)))]
pub(super) async fn list(State(app): State<App>, caller: Caller, mut query: Query) -> Result<Response, V3Error> {
    let (search, paging) = (query.search()?, query.paging()?);
    let directory = query.directory(&paging, "guid")?;
    let filter = GroupFilter::read(&mut query, search)?;
    query.end()?;
    if filter.joined && caller.user.is_none() {
        return Err(V3Error::invalid(
            "hasJoined",
            "true needs the header onBehalfOf, which says whose groups they are",
        ));
    }
    let wanted = |group: &Group, details: &GroupDetails| filter.matches(group, details);
    let mut reader = app.store().read().await?;
    let user = caller.user.as_ref();
    let Listing { entries: groups, total, resume_at } = reader.groups(&directory, user, filter.joined, &wanted).await?;
    let (changed, total) = (groups.iter().map(|one| one.details.updated_at), total as usize);
    let next = resume_at.or_else(|| Paging::resume_by_number(changed, total, app.clock().now()));
    let records = records(reader, &caller, groups).await?;
    paging.answer(with_online_counts(&app, &caller, records).await?, total, next)
}

/// The groups of a list, as the caller reads them.
async fn records(mut reader: Reader, caller: &Caller, groups: Vec<GroupSummary>) -> Result<Vec<HostGroup>, V3Error> {
    let mut records = Vec::with_capacity(groups.len());
    for GroupSummary { group, details, owner, members } in groups {
        let membership = match &caller.user {
            None => None,
            Some(user) => reader.person(&group.guid, user).await?.membership,
        };
        // A private group is listed for its members and the host alone, so that everybody here may read who owns it.
        let record = HostGroup::listed(&group, details, members, Some(owner.as_ref().map(Uid::as_str)));
        records.push(record.joined(caller, membership.map(|membership| (membership.scope, membership.joined_at))));
    }
    Ok(records)
}

/// Make a group, perhaps with an owner and members in it.
///
/// With at most 1,000 people, in a body of at most 1 MB.
#[utoipa::path(post, path = "/groups", operation_id = "createGroup", tag = "Groups", params(OnBehalfOf, IdempotencyHeader),
    request_body = NewGroup,
    responses((status = 200, description = "Made.", body = Data<NewGroupRecord>)))]
pub(super) async fn create(
    State(app): State<App>,
    caller: Caller,
    sent: Sent<NewGroup, LARGEST_LIST>,
) -> Result<Response, V3Error> {
    let (mut body, content) = sent.read_with_content()?;
    let Buckets { admins, moderators, participants, users_to_ban } = body.members.take().unwrap_or_default();
    let lists = Lists::of(Listed { members: None, admins, moderators, participants, users_to_ban })?;
    let draft = draft(&caller, body)?;
    let (guid, list) = (draft.group.guid.clone(), lists.to_add_list()?);
    let is_actor = |uid: &Uid| caller.user.as_ref() == Some(uid);
    let joins =
        draft.owner.as_ref().is_some_and(is_actor) || list.people.iter().any(|one| is_actor(&one.placement.uid));
    let made = membership::create_group(app.store(), caller.global_request(&app, &content), draft, list).await?;
    let answers = made.ok_or_else(V3Error::other_group)?;
    if joins {
        // A user who has left since learns nothing from a repeated request.
        caller.member_group(&app, guid.as_str()).await.map_err(V3Error::after_commit)?;
    }
    data(new_record(&app, &caller, &guid, (&lists, answers)).await.map_err(V3Error::after_commit)?)
}

/// The group that was made, with what came of its members.
async fn new_record(
    app: &App,
    caller: &Caller,
    guid: &Guid,
    (lists, answers): (&Lists, ListAnswers),
) -> Result<NewGroupRecord, V3Error> {
    let group = caller.group(app, guid.as_str()).await?;
    app.hub().refresh(&group).await?;
    let members = if lists.is_empty() { None } else { Some(lists.answers(app, caller, &group, answers).await?) };
    Ok(NewGroupRecord { group: record(app, &group, caller).await?, members })
}

/// A group.
#[utoipa::path(get, path = "/groups/{guid}", operation_id = "getGroup", tag = "Groups", params(GroupPath, OnBehalfOf),
    responses((status = 200, description = "The group.", body = Data<HostGroup>)))]
pub(super) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    query: Query,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    if group.state().roster().group().group_type == GroupType::Private {
        caller.must_be_inside(&app, &group).await?;
    }
    query.end()?;
    data(record(&app, &group, &caller).await?)
}

/// Change a group. On behalf of a user: for moderators and up.
#[utoipa::path(put, path = "/groups/{guid}", operation_id = "updateGroup", tag = "Groups",
    params(GroupPath, OnBehalfOf, IdempotencyHeader), request_body = GroupChange,
    responses((status = 200, description = "The group as it is now.", body = Data<HostGroup>)))]
pub(super) async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<GroupChange>,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let (mut body, content) = sent.read_with_content()?;
    let named = body.owner.take().filter(|_| caller.user.is_none());
    let owner = named.map(new_owner).transpose()?;
    let patch = GroupPatch { owner, ..body.patch() };
    let request = caller.act_request_with_content(&app, group.guid(), &content);
    membership::update_group(app.store(), request, patch).await.map_err(V3Error::of_group_change)?;
    data(changed_record(&app, &group, &caller).await.map_err(V3Error::after_commit)?)
}

/// To whom a change hands the group; `None` for the host.
fn new_owner(named: Option<Value>) -> Result<Option<Uid>, V3Error> {
    let Some(named) = named else {
        let words = format!("null gives the group to nobody; send a uid, or \"{HOST_UID}\" for the host");
        return Err(V3Error::invalid("owner", words));
    };
    let owner: OwnerName =
        serde_json::from_value(named).map_err(|error| V3Error::invalid("owner", unfit(&error.to_string())))?;
    Ok(owner.0)
}

/// The group after a change.
async fn changed_record(app: &App, group: &LiveGroup, caller: &Caller) -> Result<HostGroup, V3Error> {
    app.hub().refresh(group).await?;
    record(app, group, caller).await
}

/// End a group: nobody is in it any more. On behalf of a user: for admins and the owner.
#[utoipa::path(delete, path = "/groups/{guid}", operation_id = "deleteGroup", tag = "Groups",
    params(GroupPath, OnBehalfOf, IdempotencyHeader),
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(super) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(guid): Path<String>,
    sent: Sent<NoFields>,
) -> Result<Response, V3Error> {
    let access = caller.member_group(&app, &guid).await;
    let request = caller.act_request(&guid.parse().map_err(|_| V3Error::no_group())?);
    if access.is_ok() {
        sent.must_be_empty()?;
    }
    let ended = membership::delete_group(app.store(), request).await;
    if let ((), Some(group)) = confirmed(access, ended)? {
        app.hub().refresh(&group).await.map_err(StoreError::after_commit)?;
    }
    success(format!("Group with guid {guid} has been deleted."))
}

/// The group as the caller may see it.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn record(app: &App, group: &LiveGroup, caller: &Caller) -> Result<HostGroup, V3Error> {
    let details = app.store().read().await?.group_details(group.guid()).await?.unwrap_or_default();
    Ok(HostGroup::of(&group.state(), details, caller))
}

impl GroupChange {
    fn patch(self) -> GroupPatch {
        let unset = self.unset.unwrap_or_default();
        let cleared = |field, change: Option<Option<String>>| if unset.contains(&field) { Some(None) } else { change };
        // With a type that has no password it is not kept, as for a new group.
        let has_none = matches!(self.group_type, Some(GroupType::Public | GroupType::Private));
        GroupPatch {
            name: self.name,
            group_type: self.group_type,
            password: self.password.filter(|_| !has_none).map(|password| password.0),
            icon: cleared(GroupField::Icon, texts(self.icon)),
            description: cleared(GroupField::Description, texts(self.description)),
            metadata: cleared(GroupField::Metadata, texts(self.metadata)),
            tags: if unset.contains(&GroupField::Tags) { Some(Vec::new()) } else { tags_of(self.tags) },
            owner: None,
        }
    }
}
