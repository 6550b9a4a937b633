//! The routes of a group, which several tests and the benchmark of times ask one by one. Without imports: that benchmark includes
//! this file by its path.

/// A request of one route.
pub struct Route {
    pub method: &'static str,
    /// `{g}` is the group, `{u}` a person.
    pub path: &'static str,
    /// The body as JSON, with `{u}` for a person; empty when there is none.
    pub fields: &'static str,
}

const fn route(method: &'static str, path: &'static str, fields: &'static str) -> Route {
    Route { method, path, fields }
}

/// A request of every route. Those with the field `_method` are plain forms.
pub static ROUTES: [Route; 27] = [
    route("GET", "/groups/{g}", ""),
    route("GET", "/groups/{g}/members", ""),
    route("POST", "/groups/{g}/members", "{}"),
    route("GET", "/groups/{g}/members/{u}", ""),
    route("POST", "/groups/{g}/members/{u}", r#"{"_method": "DELETE"}"#),
    route("DELETE", "/groups/{g}/members/{u}", "{}"),
    route("PUT", "/groups/{g}/members/{u}/scope", r#"{"scope": "moderator"}"#),
    route("POST", "/groups/{g}/members/{u}/scope", r#"{"_method": "PUT", "scope": "moderator"}"#),
    route("PUT", "/groups/{g}/owner", r#"{"uid": "{u}"}"#),
    route("POST", "/groups/{g}/owner", r#"{"_method": "PUT", "uid": "{u}"}"#),
    route("GET", "/groups/{g}/bans", ""),
    route("PUT", "/groups/{g}/bans/{u}", "{}"),
    route("POST", "/groups/{g}/bans/{u}", r#"{"_method": "PUT"}"#),
    route("DELETE", "/groups/{g}/bans/{u}", "{}"),
    route("GET", "/groups/{g}/mutes", ""),
    route("PUT", "/groups/{g}/mutes/{u}", r#"{"until": "1h"}"#),
    route("POST", "/groups/{g}/mutes/{u}", r#"{"_method": "PUT", "until": "1h"}"#),
    route("DELETE", "/groups/{g}/mutes/{u}", "{}"),
    route("GET", "/groups/{g}/members/{u}/notes", ""),
    route("POST", "/groups/{g}/members/{u}/notes", r#"{"text": "Asked for help."}"#),
    route("POST", "/groups/{g}/members/{u}/notes/1", r#"{"_method": "DELETE"}"#),
    route("DELETE", "/groups/{g}/members/{u}/notes/1", "{}"),
    route("POST", "/groups/{g}/bulk", r#"{"act": "kick", "uid": ["{u}"]}"#),
    route("GET", "/groups/{g}/events", ""),
    route("POST", "/groups/{g}/events/1/undo", "{}"),
    route("GET", "/groups/{g}/selection", ""),
    route("POST", "/groups/{g}/selection", r#"{"selected": ["{u}"]}"#),
];
