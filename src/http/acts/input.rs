//! The input of an act's HTTP request (viewer, group and body), checked in the order in which errors are reported.

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::de::DeserializeOwned;

use super::super::problem::Problem;
use super::dry_run;
use crate::app::App;
use crate::domain::{ActKind, EventId, Guid, Scope, Uid};
use crate::http::extract::group_access::GroupAccess;
use crate::http::extract::{
    ActField, ActFields, FormBody, Format, Path, RequestInfo, Viewer, act_fields, idempotency_key,
};
use crate::http::pages::groups;
use crate::http::respond::return_to;
use crate::i18n::TextKey;
use crate::membership::{self, ActError, ActRequest, Actor, IdempotencyKey};
use crate::views::{Props, ViewContext, WayBack};

/// The parsed request for an act: who acts, where, and in which format the response is.
pub(super) struct ActInput {
    pub(super) app: App,
    pub(super) viewer: Viewer,
    pub(super) access: GroupAccess,
    pub(super) context: ViewContext,
    pub(super) info: RequestInfo,
    /// The fields of the body.
    pub(super) fields: ActFields,
    /// The uids of a body that is about several people.
    pub(super) uids: Vec<String>,
    key: Option<String>,
    /// The event number up to which the group was seen when the act was chosen.
    as_of: Option<u64>,
    pub(super) plain_form: bool,
    /// Whether the viewer has left the group, and repeats that. All else is answered as to everybody who is not in it.
    pub(super) is_former: bool,
}

impl ActInput {
    /// Checks the viewer, then the group, then the body, and reports the first error.
    ///
    /// # Errors
    /// As [`GroupAccess::load`] and [`ActInput::with`].
    pub(super) async fn begin<P: InGroup, const LISTS: bool>(
        ActParts { app, viewer, path, info, headers, fields }: ActParts<P, LISTS>,
    ) -> Result<(ActInput, P), Problem> {
        let access = GroupAccess::load(&app, &viewer, path.guid(), &info).await?;
        Ok((ActInput::with(app, viewer, access, info, &headers, fields)?, path))
    }

    /// Like [`ActInput::begin`], for the removal of the member in the path. It also admits a former member who repeats their leave.
    ///
    /// # Errors
    /// As [`ActInput::begin`]; to a former member always the same 404.
    pub(super) async fn begin_removal(
        ActParts { app, viewer, path, info, headers, fields }: ActParts<(String, String)>,
    ) -> Result<(ActInput, (String, String)), Problem> {
        let refused = match GroupAccess::load(&app, &viewer, path.guid(), &info).await {
            Ok(access) => return Ok((ActInput::with(app, viewer, access, info, &headers, fields)?, path)),
            Err(refused) => refused,
        };
        let is_own = path.1 == viewer.uid().as_str();
        let access = if is_own { replayed(&app, &viewer, path.guid(), &info, &headers).await? } else { None };
        let access = access.ok_or(refused)?;
        let input = ActInput::with(app, viewer, access, info, &headers, fields).map_err(|_| Problem::not_there())?;
        Ok((ActInput { is_former: true, ..input }, path))
    }

    /// The input of a viewer whose access to the group has been checked.
    ///
    /// # Errors
    /// 422 when `format`, `part`, a place, a prop, the Idempotency-Key or `asOf` has a value that is not allowed, the
    /// address has a term of the act, or an act on one person is to be previewed; 400 when a field is given twice; when the body
    /// could not be read.
    pub(super) fn with<const LISTS: bool>(
        app: App,
        viewer: Viewer,
        access: GroupAccess,
        info: RequestInfo,
        headers: &HeaderMap,
        fields: FormBody<LISTS>,
    ) -> Result<ActInput, Problem> {
        // Before the places: `until` is one in the address of a list, and a term in that of an act.
        no_terms_in_address(&info)?;
        info.check_shape()?;
        // The page may be older, or lack our script, so the response must not rely on either.
        let context =
            access.context(&app, &viewer, Props::parse(info.pairs(), app.clock().now())?)?.for_older_page(true);
        let plain_form = fields.method().is_some() && !info.htmx;
        let key = idempotency_key(headers)?;
        let fields = fields.into_fields().map_err(|problem| problem.in_component(&context))?;
        let is_uid = |(name, _): &&(String, String)| LISTS && name == ActField::Uid.as_str();
        let uids = fields.iter().filter(is_uid).map(|(_, uid)| uid.clone()).collect();
        let fields = ActFields::once_each(fields, LISTS).map_err(|problem| problem.in_component(&context))?;
        dry_run::not_misspelt(&info, &fields).map_err(|problem| problem.in_component(&context))?;
        if !LISTS {
            dry_run::not_asked_for(&info, &fields).map_err(|problem| problem.in_component(&context))?;
        }
        let as_of = as_of(&access, &fields).map_err(|problem| problem.in_component(&context))?;
        let is_former = false;
        Ok(ActInput { app, viewer, access, context, info, fields, uids, key, as_of, plain_form, is_former })
    }

    /// The request for an act without an end; [`ActEnd::added_to`](act_fields::ActEnd::added_to) adds one.
    pub(super) fn request(&self) -> ActRequest {
        let actor = Actor::Viewer(self.viewer.uid().clone());
        let key = self.key.clone().map(IdempotencyKey::of_act);
        ActRequest { key, as_of: self.as_of, ..ActRequest::new(self.access.group.guid().clone(), actor) }
    }

    /// Whether a field says true; false without it.
    ///
    /// # Errors
    /// 422 when it has another value.
    pub(super) fn flag(&self, field: ActField) -> Result<bool, Problem> {
        match self.fields.get(field) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(self.invalid(Problem::invalid(format!("{field}: true or false")))),
        }
    }

    /// The uid in a path or field.
    ///
    /// # Errors
    /// As [`act_fields::uid`].
    pub(super) fn uid(&self, value: &str) -> Result<Uid, Problem> {
        act_fields::uid(value).map_err(|problem| self.invalid(problem))
    }

    /// The password is missing or wrong: a plain form comes back with the reason beside its field.
    ///
    /// # Errors
    /// `problem` itself, unless the request is a plain form that wants HTML; when the template fails.
    pub(super) fn join_refused(&self, problem: Problem, why: TextKey) -> Result<Response, Problem> {
        if !self.plain_form || self.info.format.is_data() {
            return Err(self.invalid(problem));
        }
        let back = self.allowed_return().map(str::to_owned);
        groups::join_refused(&self.app, &self.access.group.state(), &self.info, &problem, why, back)
    }

    /// The field `return` of the form that was sent, when it may be led back to.
    pub(super) fn allowed_return(&self) -> Option<&str> {
        self.fields.get(ActField::Return).filter(|url| return_to::is_allowed(&self.app, url))
    }

    /// A value of the body is not allowed.
    pub(super) fn invalid(&self, problem: Problem) -> Problem {
        if self.is_former { Problem::not_there() } else { self.in_component(problem) }
    }

    /// The problem in the component of the form that was sent. Its page leads back to where the form would have led, that of an act on
    /// several people to the list with them selected.
    pub(super) fn in_component(&self, problem: Problem) -> Problem {
        let problem = problem.in_component(&self.context);
        let page = || self.allowed_return().map(|url| WayBack::Page(url.to_owned()));
        match self.selection().or_else(page) {
            Some(back) => problem.leading_back(back),
            None => problem,
        }
    }

    /// The list with those selected whom the form of an act on several names; `None` for other forms, and where no page is answered.
    fn selection(&self) -> Option<WayBack> {
        if self.info.format != Format::Page {
            return None;
        }
        let uids = self.uids.iter().filter_map(|uid| uid.parse::<Uid>().ok());
        let uids: Vec<_> = uids.take(Props::MAX_SELECTED).collect();
        (!uids.is_empty()).then(|| WayBack::Selection { action: self.context.selection_href(), uids })
    }

    /// Like [`ActInput::invalid`], for the form of this act on this person.
    pub(super) fn invalid_form(&self, problem: Problem, uid: &Uid, kind: ActKind) -> Problem {
        match self.form_page(uid, kind) {
            Some(page) => self.invalid_on(&page, problem),
            None => self.invalid(problem),
        }
    }

    /// The page with the form of this act on this person: only members have one.
    pub(super) fn form_page(&self, uid: &Uid, kind: ActKind) -> Option<String> {
        let is_member = self.access.group.state().roster().get(uid.as_str()).is_some();
        is_member.then(|| self.context.form_page(uid, kind))
    }

    /// Like [`ActInput::invalid`], for a form on this page: without JavaScript the answer leads back to the page, which leads on to
    /// where the form would have led.
    pub(super) fn invalid_on(&self, page: &str, problem: Problem) -> Problem {
        let problem = self.invalid(problem);
        if self.is_former { problem } else { self.back_to_form(page, problem) }
    }

    /// The problem, whose page leads back to this page with the form that was sent, and from there on to where the form would have led.
    pub(super) fn back_to_form(&self, page: &str, problem: Problem) -> Problem {
        let list = self.context.href_with("");
        let after = self.allowed_return().filter(|url| ![page, list.as_str()].contains(url));
        problem.leading_back(WayBack::Page(return_to::with_parameter(page, "return", after.unwrap_or_default())))
    }

    /// Refuses an act whose end has passed, with the reason `passed`, unless it repeats a request that was done before.
    ///
    /// # Errors
    /// That reason, in the words of the form.
    pub(super) fn check_passed<T>(&self, passed: Option<Problem>, result: &Result<T, ActError>) -> Result<(), Problem> {
        let refused = passed.filter(|_| matches!(result, Err(ActError::Invalid(_))));
        refused.map_or(Ok(()), |problem| Err(self.invalid(problem)))
    }
}

/// The event number in the field `asOf`; 0 for an id of another epoch, whose numbers mean other events.
fn as_of(access: &GroupAccess, fields: &ActFields) -> Result<Option<u64>, Problem> {
    let Some(text) = fields.get(ActField::AsOf).filter(|text| !text.is_empty()) else { return Ok(None) };
    let id: EventId = text.parse().map_err(|()| Problem::invalid("asOf: an event id, as Last-Event-ID gives it"))?;
    let is_ours = access.group.id(id.seq) == id && i64::try_from(id.seq).is_ok();
    Ok(Some(if is_ours { id.seq } else { 0 }))
}

/// Admits a former member who repeats their leave under its Idempotency-Key, since the first response may have been
/// lost. Their earlier acts cannot be repeated: the group is closed to them.
async fn replayed(
    app: &App,
    viewer: &Viewer,
    guid: &str,
    info: &RequestInfo,
    headers: &HeaderMap,
) -> Result<Option<GroupAccess>, Problem> {
    let Ok(Some(key)) = idempotency_key(headers) else { return Ok(None) };
    let Ok(guid) = guid.parse::<Guid>() else { return Ok(None) };
    let request = ActRequest::new(guid.clone(), Actor::Viewer(viewer.uid().clone()));
    let request = ActRequest { key: Some(IdempotencyKey::of_act(key)), ..request };
    // The query runs also for a missing group, so that timing does not reveal which groups exist.
    if !membership::has_left(app.store(), &request).await? {
        return Ok(None);
    }
    let group = app.hub().group(&guid).await?;
    Ok(group.map(|group| GroupAccess { group, scope: Scope::Participant, lang: info.lang }))
}

/// Refuses the terms of an act in its address: ignored there, they would make it one without an end, or without a reason, or undo it of one
/// person instead of all. The pages that forms lead back to have `batch` in their addresses; those are read, and no acts.
///
/// # Errors
/// 422 with the name of the first of them.
fn no_terms_in_address(info: &RequestInfo) -> Result<(), Problem> {
    let is_term = |name: &str| name.parse::<ActField>().is_ok_and(ActField::is_read_from_the_body_alone);
    match info.pairs().find(|(name, _)| is_term(name)) {
        Some((name, _)) => Err(Problem::invalid(format!("{name}: a field of the body, and not of the address"))),
        None => Ok(()),
    }
}

/// The extracted parts of an act's request, before any of them is checked.
pub(in crate::http) struct ActParts<P, const LISTS: bool = false> {
    pub(super) app: App,
    pub(super) viewer: Viewer,
    pub(super) path: P,
    pub(super) info: RequestInfo,
    pub(super) headers: HeaderMap,
    pub(super) fields: FormBody<LISTS>,
}

/// Those of an act on several people: the field `uid` may have several values.
pub(in crate::http) type BatchParts = ActParts<String, true>;

impl<P: DeserializeOwned + Send + 'static, const LISTS: bool> FromRequest<App> for ActParts<P, LISTS> {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<ActParts<P, LISTS>, Response> {
        type Extractors<P, const LISTS: bool> = (Viewer, Path<P>, RequestInfo, HeaderMap, FormBody<LISTS>);
        let (viewer, Path(path), info, headers, fields) = Extractors::<P, LISTS>::from_request(request, app).await?;
        Ok(ActParts { app: app.clone(), viewer, path, info, headers, fields })
    }
}

/// A path below a group.
pub(super) trait InGroup {
    fn guid(&self) -> &str;
}

impl InGroup for String {
    fn guid(&self) -> &str {
        self
    }
}

impl InGroup for (String, String) {
    fn guid(&self) -> &str {
        &self.0
    }
}

/// The answer to a plain form whose field `_method` names nothing that its path takes.
///
/// # Errors
/// Always: as [`GroupAccess::load`], and else 400.
pub(super) async fn unknown_method<P: InGroup>(
    ActParts { app, viewer, path, info, .. }: ActParts<P>,
) -> Result<Response, Problem> {
    GroupAccess::load(&app, &viewer, path.guid(), &info).await?;
    Err(Problem::bad_request("A form says in its field _method what it means: PUT, DELETE, or POST to join."))
}
