//! `/v3/groups/{guid}/members/{uid}`: one member.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::domain::{Act, Guid, NewScope, Refusal, Scope, Uid};
use crate::http::extract::act_fields::{self, ActEnd};
use crate::http::extract::{ActField, ActFields};
use crate::http::openapi::{GrantedScope, IdempotencyHeader, MemberPath, OnBehalfOf};
use crate::http::v3::answer::{Data, Success, data, success};
use crate::http::v3::error::V3Error;
use crate::http::v3::records::{HostMember, MembershipRecord, UserRecord};
use crate::http::v3::request::auth::{Caller, confirmed, parse_uid_or_404};
use crate::http::v3::request::body::Sent;
use crate::http::v3::request::fields::kept;
use crate::http::v3::request::paging::Query;
use crate::http::v3::request::path::Path;
use crate::http::v3::restrictions::Until;
use crate::live::LiveGroup;
use crate::membership::{self, ActError};

/// Another scope.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"scope": "moderator"}))]
pub(in crate::http::v3) struct ScopeChange {
    /// `admin`, `moderator` or `participant`, which it is unless given; an owner is made by a transfer.
    #[serde(default, deserialize_with = "kept")]
    #[schema(required = false, value_type = GrantedScope)]
    scope: Option<Scope>,
    /// When it ends, RFC 3339 or seconds from now, at most 366 days; only for a scope above the one they have otherwise.
    until: Option<Until>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
}

/// What somebody is told who is put out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"message": "Please read the rules before you come back."}))]
pub(in crate::http::v3) struct Farewell {
    #[schema(max_length = 512)]
    message: Option<String>,
}

/// What somebody is in a group now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Standing, example = json!({"guid": "park", "uid": "dee", "scope": "moderator", "joinedAt": 1700000000}))]
pub(in crate::http::v3) struct ScopeAnswer {
    guid: Guid,
    uid: Uid,
    #[serde(flatten)]
    membership: MembershipRecord,
}

impl Sent<Farewell> {
    fn message(self) -> Result<Option<String>, V3Error> {
        let fields = ActFields::given([(ActField::Message, self.read()?.message)]);
        Ok(act_fields::message(&fields)?)
    }
}

impl ScopeChange {
    /// The scope that is asked for, and the end that it is given; `now` in Unix milliseconds.
    fn terms(self, now: i64) -> Result<(NewScope, ActEnd), V3Error> {
        let scope = self.scope.unwrap_or(Scope::Participant);
        if scope == Scope::Owner {
            return Err(V3Error::invalid(
                "scope",
                "one of admin, moderator, participant; an owner is made by PATCH /v3/groups/{guid}/owner",
            ));
        }
        let until = (ActField::Until, self.until.map(Until::into_word));
        let fields = ActFields::given([until, (ActField::Message, self.message)]);
        Ok(act_fields::scope_terms(scope, &fields, now)?)
    }
}

impl ScopeAnswer {
    fn of(app: &App, caller: &Caller, group: &LiveGroup, uid: Uid) -> Result<ScopeAnswer, V3Error> {
        let state = group.state();
        let member = state.roster().get(uid.as_str()).ok_or_else(V3Error::no_member)?;
        let muted_until = caller.visible_mute(&state, member, app.clock().now());
        let membership = MembershipRecord::of(member, muted_until);
        Ok(ScopeAnswer { guid: group.guid().clone(), uid, membership })
    }
}

/// A member.
#[utoipa::path(get, path = "/groups/{guid}/members/{uid}", operation_id = "getMember", tag = "Members",
    params(MemberPath, OnBehalfOf),
    responses((status = 200, description = "The member.", body = Data<HostMember>)))]
pub(in crate::http::v3) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    query: Query,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    query.end()?;
    app.hub().refresh_unless_members(&group, [uid.as_str()]).await?;
    let member = group.state().roster().get(&uid).cloned().ok_or_else(V3Error::no_member)?;
    let user = app.store().read().await?.user(&parse_uid_or_404(&uid)?).await?.ok_or_else(V3Error::no_member)?;
    let muted_until = caller.visible_mute(&group.state(), &member, app.clock().now());
    data(HostMember::of(UserRecord::with_tags(&app, user).seen_by(&caller), &member, muted_until))
}

/// Change a member's scope.
#[utoipa::path(put, path = "/groups/{guid}/members/{uid}", operation_id = "setScope", tag = "Members",
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = ScopeChange,
    responses((status = 200, description = "The member as they are now.", body = Data<ScopeAnswer>)))]
pub(in crate::http::v3) async fn set_scope(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<ScopeChange>,
) -> Result<Response, V3Error> {
    let group = caller.member_group(&app, &guid).await?;
    let uid = parse_uid_or_404(&uid)?;
    let (new, end) = sent.read()?.terms(app.clock().now())?;
    let scope = new.scope;
    let request = end.added_to(caller.act_request(group.guid()))?;
    let done = membership::act(app.store(), request, uid.clone(), Act::SetScope(new)).await;
    let outcome = match done {
        // The owner is an admin, as in the original.
        Err(ActError::Refused { refusal: Refusal::OwnerMustTransfer, .. }) if scope == Scope::Admin => {
            return Err(V3Error::same_scope());
        }
        outcome => outcome?,
    };
    app.hub().catch_up_after_commit(&group, outcome.seq).await?;
    data(ScopeAnswer::of(&app, &caller, &group, uid)?)
}

/// Kick a member; on behalf of themselves, leave.
#[utoipa::path(delete, path = "/groups/{guid}/members/{uid}", operation_id = "removeMember", tag = "Members",
    params(MemberPath, OnBehalfOf, IdempotencyHeader), request_body = Option<Farewell>,
    responses((status = 200, description = "Done.", body = Data<Success>)))]
pub(in crate::http::v3) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((guid, uid)): Path<(String, String)>,
    sent: Sent<Farewell>,
) -> Result<Response, V3Error> {
    let group = caller.group(&app, &guid).await?;
    let access = caller.must_be_inside(&app, &group).await;
    let outcome = if caller.user.as_ref().map(Uid::as_str) == Some(uid.as_str()) {
        let uid = parse_uid_or_404(&uid)?;
        // People who leave by themselves are told no reason.
        if access.is_ok() {
            sent.message()?;
        }
        confirmed(access, membership::act(app.store(), caller.act_request(group.guid()), uid, Act::Leave).await)?.0
    } else {
        access?;
        let message = sent.message()?;
        membership::act(app.store(), caller.act_request(group.guid()), parse_uid_or_404(&uid)?, Act::Kick { message })
            .await?
    };
    app.hub().catch_up_after_commit(&group, outcome.seq).await?;
    success(format!("User with {uid} has been removed from the group {guid}."))
}
