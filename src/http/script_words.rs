//! Texts that scripts fetch by themselves: the message of the custom element for when the service cannot be reached, which
//! it fetches while it can be, and the parts of sentences that sum up what others did.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::extract::RequestInfo;
use super::problem::Problem;
use super::respond::reply;
use crate::http::openapi::{DigestWords, Language, ScriptWords};
use crate::i18n::{Lang, key};

/// A week: the name carries no hash of the content, and texts of last week are still correct.
const CACHING: &str = "public, max-age=604800";

/// The words in one language, for pages of any origin.
#[utoipa::path(get, path = "/static/words.json", operation_id = "words", tag = "Component", security(()), params(Language),
    summary = "What the custom element says when the service cannot be reached.",
    responses((status = 200, description = "The words; kept for a week.", body = ScriptWords)))]
pub(super) async fn show(info: RequestInfo) -> Result<Response, Problem> {
    let lang = info.lang;
    answer(
        lang,
        &json!({
            "lang": lang.tag(),
            "failed": lang.text(key::MEMBERS_FAILED),
            "retry": lang.text(key::REQUEST_RETRY),
        }),
    )
}

/// The parts of a digest in one language, each in all forms that a number takes there. Few pages ever need them.
#[utoipa::path(get, path = "/static/digest.json", operation_id = "digestWords", tag = "Component", security(()), params(Language),
    summary = "What a digest of others' acts is made of.",
    responses((status = 200, description = "The words; kept for a week.", body = DigestWords)))]
pub(super) async fn digest(info: RequestInfo) -> Result<Response, Problem> {
    let lang = info.lang;
    answer(
        lang,
        &json!({
            "joined": lang.plural_forms(key::DIGEST_JOINED),
            "left": lang.plural_forms(key::DIGEST_LEFT),
            "removed": lang.plural_forms(key::DIGEST_REMOVED),
            "changed": lang.plural_forms(key::DIGEST_CHANGED),
        }),
    )
}

fn answer(lang: Lang, words: &Value) -> Result<Response, Problem> {
    let headers = [
        (header::CACHE_CONTROL, CACHING),
        (header::CONTENT_LANGUAGE, lang.tag()),
        // For a request that names no language, or one that is not there.
        (header::VARY, "Accept-Encoding, Accept-Language"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    Ok((headers, reply::json(words)?).into_response())
}
