//! A refusal in the place of a list. The alert replaces the line of markup that a host wrote into its page, so it requests the list
//! again when the host has a new token, and dispatches the same DOM event as any other refusal.

use askama::Template as _;
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use serde_json::json;

use super::reply;
use crate::app::App;
use crate::http::extract::{Format, RequestInfo};
use crate::views::Alert;

/// The URL of the list that a line of markup asks for; nothing for any other request.
pub(super) fn list_url(app: &App, info: &RequestInfo, method: &Method, uri: &Uri) -> Option<String> {
    let is_list = matches!(uri.path().split('/').collect::<Vec<_>>()[..], ["", "groups", _, "members"]);
    // The script's own requests name the part that they want, and report for themselves.
    let asks = info.htmx && info.format == Format::Fragment && info.value("part").is_none();
    let path = uri.path_and_query().filter(|_| method == Method::GET && is_list && asks)?;
    Some(format!("{}{path}", app.base()))
}

/// The alert in the place of the list, with the events of the refusal for htmx to dispatch.
pub(super) fn refused(alert: &Alert<'_>, status: StatusCode) -> Response {
    let Alert { code, title, plain, .. } = alert;
    let mut events = json!({
        "chat-group-members:error": {"code": code, "name": code, "message": title, "details": plain},
    });
    if status == StatusCode::UNAUTHORIZED {
        events["chat-group-members:expired"] = json!({});
    }
    reply::with_events(reply::html(alert.render().unwrap_or_default()), &events)
}
