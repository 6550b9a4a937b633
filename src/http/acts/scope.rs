//! The scope of a member.

use axum::response::Response;
use utoipa::ToSchema;

use super::input::{ActInput, ActParts, unknown_method};
use super::response::perform_until;
use crate::domain::{Act, ActKind, NewScope, Uid};
use crate::http::extract::ActField;
use crate::http::extract::act_fields::{self, ActEnd};
use crate::http::openapi::{GrantedScope, IdempotencyHeader, MemberAnswer, MemberPath, Nothing};
use crate::http::problem::Problem;

/// Another scope.
#[derive(ToSchema)]
#[schema(example = json!({"scope": "moderator"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
struct ScopeForm {
    scope: GrantedScope,
    /// RFC 3339, or seconds from now, at most 366 days: then they are again what they are otherwise, which is less.
    until: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
}

/// `PUT /groups/{guid}/members/{uid}/scope`.
#[utoipa::path(put, path = "/groups/{guid}/members/{uid}/scope", operation_id = "changeScope", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "Another scope, also for a time; of oneself, only a lower one.", request_body(content((ScopeForm = "application/json"), (ScopeForm = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done, or already so; as the request wants it.",
        content((MemberAnswer = "application/json"), (String = "text/html")))))]
pub(super) async fn set_scope(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    let (input, (_, uid)) = ActInput::begin(parts).await?;
    let uid = input.uid(&uid)?;
    let (new, end) = act_fields::new_scope(&input.fields, input.app.clock().now())
        .map_err(|problem| input.invalid_form(problem, &uid, ActKind::Scope))?;
    let (new, end) = as_chosen(&input, &uid, new, end);
    perform_until(input, Act::SetScope(new), uid, end).await
}

/// The scope and its end as they were chosen. The form for somebody with a scope for a time comes with its end selected, the only moment
/// among its choices: beside a scope that cannot end it is nobody's choice, also when the end was changed since.
fn as_chosen(input: &ActInput, uid: &Uid, new: NewScope, end: ActEnd) -> (NewScope, ActEnd) {
    let is_form = input.fields.contains(ActField::Method) && !input.info.format.is_data();
    let state = input.access.group.state();
    let member = state.roster().get(uid.as_str());
    let lasting = member.map(|member| member.temporary().map_or(member.scope, |temporary| temporary.lasting));
    if is_form && end.is_moment_of_form(&input.fields) && lasting.is_some_and(|lasting| new.scope <= lasting) {
        return (NewScope { until: None, ..new }, end.dropped());
    }
    (new, end)
}

/// A change of scope as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "scope": "moderator"}))]
#[expect(dead_code, reason = "only described")]
struct PlainScope {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^PUT$")]
    method: String,
    scope: GrantedScope,
    /// RFC 3339, or seconds from now, at most 366 days; without it, for good.
    until: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A plain form to `/members/{uid}/scope`.
#[utoipa::path(post, path = "/groups/{guid}/members/{uid}/scope", operation_id = "formScope", tag = "Acts", params(MemberPath, IdempotencyHeader),
    summary = "The same as a plain form: the field _method says which.", request_body(content((PlainScope = "application/json"), (PlainScope = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "Done; to JSON, as the method named.", body = Nothing),
        (status = 303, description = "Back to where the form was.")))]
pub(super) async fn post_scope(parts: ActParts<(String, String)>) -> Result<Response, Problem> {
    match parts.fields.method().as_deref() {
        Some("PUT") => set_scope(parts).await,
        _ => unknown_method(parts).await,
    }
}
