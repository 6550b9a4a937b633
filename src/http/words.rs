//! What the custom element says when the service cannot be reached. It asks for these words while it
//! can, so that its browser has them by then.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::extract::RequestInfo;
use super::problem::Problem;
use super::respond::reply;
use crate::http::openapi::{Language, Words};
use crate::i18n::key;

/// A week. The name carries no hash of the content: the words of last week do as well.
const CACHING: &str = "public, max-age=604800";

/// The words in one language, for pages of any origin.
#[utoipa::path(get, path = "/static/words.json", operation_id = "words", tag = "Component", security(()), params(Language),
    summary = "What the custom element says when the service cannot be reached.",
    responses((status = 200, description = "The words; kept for a week.", body = Words)))]
pub(super) async fn show(info: RequestInfo) -> Result<Response, Problem> {
    let lang = info.lang;
    let words = json!({
        "lang": lang.tag(),
        "failed": lang.text(key::MEMBERS_FAILED),
        "retry": lang.text(key::REQUEST_RETRY),
    });
    let headers = [
        (header::CACHE_CONTROL, CACHING),
        (header::CONTENT_LANGUAGE, lang.tag()),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    Ok((headers, reply::json(&words)?).into_response())
}
