//! Who asks for an act, where, and with what: read in the order of answers.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::super::problem::Problem;
use crate::app::App;
use crate::domain::{Guid, Scope, Uid};
use crate::http::extract::group_access::GroupAccess;
use crate::http::extract::{FormBody, Format, Path, RequestInfo, Viewer, input};
use crate::http::pages::groups;
use crate::http::respond::return_to;
use crate::i18n::TextKey;
use crate::membership::{self, Actor, Key, Request};
use crate::views::{Props, ViewContext};

/// Who acts, where, and how the answer is to look.
pub(super) struct ActRequest {
    pub(super) app: App,
    pub(super) viewer: Viewer,
    pub(super) access: GroupAccess,
    pub(super) context: ViewContext,
    pub(super) info: RequestInfo,
    /// The fields of the body.
    pub(super) fields: std::collections::HashMap<String, String>,
    key: Option<String>,
    pub(super) plain_form: bool,
}

impl ActRequest {
    /// Looks at who asks, then at the group, then at the body: in the order of answers.
    pub(super) async fn begin<P: InGroup>(
        (State(app), viewer, Path(path), info, headers, fields): At<P>,
    ) -> Result<(ActRequest, P), Problem> {
        let access = match GroupAccess::load(&app, &viewer, path.guid(), &info).await {
            Ok(access) => access,
            Err(refused) => replayed(&app, &viewer, path.guid(), &info, &headers).await?.ok_or(refused)?,
        };
        Ok((ActRequest::with(app, viewer, access, info, &headers, fields)?, path))
    }

    pub(super) fn with(
        app: App,
        viewer: Viewer,
        access: GroupAccess,
        info: RequestInfo,
        headers: &HeaderMap,
        fields: FormBody,
    ) -> Result<ActRequest, Problem> {
        info.check_shape()?;
        // The page may be an older one, or have no script of ours: what it is told stands by itself.
        let context = access.context(&app, &viewer, Props::parse(info.pairs())?)?.for_older_page(true);
        let plain_form = fields.method().is_some() && !info.htmx;
        let key = input::idempotency_key(headers)?;
        let fields = fields.read().map_err(|problem| problem.in_component(&context))?;
        Ok(ActRequest { app, viewer, access, context, info, fields, key, plain_form })
    }

    pub(super) fn request(&self) -> Request {
        let actor = Actor::Viewer(self.viewer.uid().clone());
        let key = self.key.clone().map(Key::of_act);
        Request { key, ..Request::new(self.access.group.guid().clone(), actor) }
    }

    /// Whom a path or field names.
    pub(super) fn uid(&self, value: &str) -> Result<Uid, Problem> {
        input::uid(value).map_err(|problem| self.invalid(problem))
    }

    /// The password opens nothing: a plain form comes back with the reason beside its field.
    pub(super) fn not_opened(&self, problem: Problem, why: TextKey) -> Result<Response, Problem> {
        if !self.plain_form || !matches!(self.info.format, Format::Page | Format::Fragment) {
            return Err(self.invalid(problem));
        }
        let back = self.fields.get("return").filter(|url| return_to::is_allowed(&self.app, url)).cloned();
        groups::not_opened(&self.app, &self.access.group.state(), &self.info, &problem, why, back)
    }

    /// A value of the body is not allowed.
    pub(super) fn invalid(&self, problem: Problem) -> Problem {
        problem.in_component(&self.context)
    }
}

/// Admits a former member who repeats their leave under its Idempotency-Key: the first answer may have been lost. What
/// they did before they left, or were put out, stays as closed as the group.
async fn replayed(
    app: &App,
    viewer: &Viewer,
    guid: &str,
    info: &RequestInfo,
    headers: &HeaderMap,
) -> Result<Option<GroupAccess>, Problem> {
    let Ok(Some(key)) = input::idempotency_key(headers) else { return Ok(None) };
    let Ok(guid) = guid.parse::<Guid>() else { return Ok(None) };
    let request = Request::new(guid.clone(), Actor::Viewer(viewer.uid().clone()));
    let request = Request { key: Some(Key::of_act(key)), ..request };
    // Asked also where no group is, so that the time does not tell.
    if !membership::has_left(app.store(), &request).await? {
        return Ok(None);
    }
    let group = app.hub().group(&guid).await?;
    Ok(group.map(|group| GroupAccess { group, scope: Scope::Participant, lang: info.lang }))
}

/// Everything an act is asked with.
pub(super) type At<P> = (State<App>, Viewer, Path<P>, RequestInfo, HeaderMap, FormBody);

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
