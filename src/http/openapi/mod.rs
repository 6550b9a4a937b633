//! The OpenAPI 3.1 document. A handler says what it takes and answers (`#[utoipa::path]`), and its route is made
//! from that, so no route is missing. What many operations share stands here: ids, identities, errors.
//!
//! Not here: the bodies of `/v3`, which are read and described by the same structs, and the forms of acts: both are beside their
//! handlers.

mod answers;
mod bodies;
mod domain;
mod errors;
mod examples;
mod forms;
mod parameters;
mod rate_headers;
mod webhooks;

use std::sync::LazyLock;

use axum::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{Info, License, OpenApi, Server};

pub(super) use answers::*;
pub(super) use errors::Audience;
pub(super) use examples::log_entry;
pub(super) use forms::*;
pub(super) use parameters::*;

/// What is put before the operations of each kind.
const TAGS: [(&str, &str); 10] = [
    ("Users", "People, as the host keeps them."),
    ("Groups", "Groups, as the host keeps them, and who owns them."),
    ("Members", "Who is in a group, for the host."),
    ("Banned users", "Who may not come in, for the host."),
    ("Muted users", "Who may not speak, for the host."),
    ("Webhooks", "Who is told of what happens, and how far that has come."),
    ("Component", "What viewers see: pages, fragments, data and streams."),
    ("Acts", "What viewers do to each other and to themselves. Bodies are JSON or forms; unknown fields are ignored."),
    ("Session", "The viewer's token as a cookie."),
    ("Operation", "For operators."),
];

/// The document, and its text.
#[derive(Debug)]
pub(super) struct Document {
    /// As programs read it.
    json: String,
    /// The same, to be shown.
    pub value: serde_json::Value,
}

/// The document, which is made when it is first read.
pub(super) type LazyDocument = &'static LazyLock<Document>;

impl Document {
    /// Adds to what the routes say whatever they have in common.
    pub(super) fn of(routes: OpenApi) -> Document {
        let mut document = routes;
        document.info = info();
        document.servers = Some(vec![Server::new(".")]);
        document.tags = Some(TAGS.iter().map(|(name, words)| tag(name, words)).collect());
        let components = document.components.get_or_insert_default();
        errors::add_to(components);
        for (name, scheme) in identities() {
            components.security_schemes.insert(name.into(), scheme.into());
        }
        document.webhooks = Some(webhooks::all(components));
        bodies::describe(&mut document);
        let mut value = serde_json::to_value(&document).expect("a document of strings is JSON");
        bodies::add_rules(&mut value);
        Document { json: value.to_string(), value }
    }
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", operation_id = "openapi", tag = "Operation", security(()),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json")))]
pub(super) async fn document(Extension(document): Extension<LazyDocument>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], document.json.as_str()).into_response()
}

/// The key of the host's server.
pub(super) fn host_security() -> Vec<SecurityRequirement> {
    vec![SecurityRequirement::new("apikey", [] as [&str; 0])]
}

/// The token of a viewer.
pub(super) fn viewer_security() -> Vec<SecurityRequirement> {
    ["bearer", "cookie"].map(|name| SecurityRequirement::new(name, [] as [&str; 0])).into()
}

fn info() -> Info {
    let mut license = License::new("MIT");
    license.identifier = Some("MIT".into());
    let mut info = Info::new("chat-group-members", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "The members of a chat group: the component that viewers see, and `/v3` for the host's back end. Paths are relative to \
         the mount. Under `/v3` a field or parameter that is not listed is refused by name, and an empty array in place of an \
         object is an empty object, as PHP writes it. A body has at most 64 kB; one with \
         a list of people (`createGroup`, `addMembers`, `replaceMembers`) 1 MB, and as NDJSON any length."
            .into(),
    );
    info.license = Some(license);
    info
}

fn tag(name: &str, words: &str) -> Tag {
    let mut tag = Tag::new(name);
    tag.description = Some(words.into());
    tag
}

fn identities() -> [(&'static str, SecurityScheme); 3] {
    let named_by_option = ApiKeyValue::with_description("chat_token", "The viewer's token; named by --viewer-cookie.");
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.bearer_format = Some("JWT".into());
    bearer.description = Some("A viewer's token, minted by the host.".into());
    [
        (
            "apikey",
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
                "apikey",
                "A key of --api-key. For servers only.",
            ))),
        ),
        ("bearer", SecurityScheme::Http(bearer)),
        ("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(named_by_option))),
    ]
}
