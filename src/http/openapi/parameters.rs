//! The parameters of paths, queries and headers that many operations share. They are only described here: handlers and
//! extractors read them.

use utoipa::IntoParams;

use crate::domain::{Guid, Uid};

/// The group of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(in crate::http) struct GroupPath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
}

/// The user of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(in crate::http) struct UserPath {
    /// The person.
    #[param(example = "dee")]
    uid: Uid,
}

/// The member of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(in crate::http) struct MemberPath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
    /// The person.
    #[param(example = "dee")]
    uid: Uid,
}

/// The note of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(in crate::http) struct NotePath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
    /// The person.
    #[param(example = "dee")]
    uid: Uid,
    /// The number of the note.
    #[param(example = 7, minimum = 1)]
    id: u64,
}

/// The event of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(in crate::http) struct EventPath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
    /// The number of the event.
    #[param(example = 7, minimum = 1)]
    seq: u64,
}

/// The user with whose rights the host acts.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: the middleware of `/v3` reads it")]
pub(in crate::http) struct OnBehalfOf {
    /// A user with whose rights it is done; without it, the host's own.
    #[param(rename = "onBehalfOf")]
    on_behalf_of: Option<Uid>,
}

/// The user in whose name the host acts, where only a user can act.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: the middleware of `/v3` reads it")]
pub(in crate::http) struct OnBehalfOfSomebody {
    /// The user who does it.
    #[param(rename = "onBehalfOf")]
    on_behalf_of: Uid,
}

/// The key by which a repeated request is recognised.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: extractors read it")]
pub(in crate::http) struct IdempotencyHeader {
    /// A request repeated with the same key within a day is done once, and answered from the present state. The same key with another
    /// request is refused.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]([ -~]*[!-~])?$")]
    idempotency_key: Option<String>,
}

/// Which rows of a list. A place is a value that an earlier answer gave.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct WindowQuery {
    /// How many rows.
    #[param(minimum = 1, maximum = 100, default = 30)]
    limit: Option<u32>,
    /// The rows after this place.
    #[param(pattern = "^[A-Za-z0-9_~.-]*$")]
    cursor: Option<String>,
    /// The rows before this place, or the last ones (`end`).
    #[param(pattern = "^[A-Za-z0-9_~.-]*$")]
    before: Option<String>,
    /// From this place on, that one included.
    #[param(pattern = "^[A-Za-z0-9_~.-]*$")]
    from: Option<String>,
    /// Up to and with this place, at most 1,000 rows.
    #[param(pattern = "^[A-Za-z0-9_~.-]*$")]
    until: Option<String>,
    /// Of a page: a window around this member, if the list shows them.
    member: Option<String>,
}

/// Which members: the props of the component that filter the list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct ListFilter {
    /// Words that are parts of a name or uid, compared folded.
    #[param(max_length = 100)]
    search_keyword: Option<String>,
    /// Only members of these scopes, comma-separated.
    #[param(pattern = "^((owner|admin|moderator|participant)(,(owner|admin|moderator|participant))*)?$")]
    scopes: Option<String>,
    /// Only members who are `online` (away counts as online), or only those who are `offline`.
    #[param(pattern = "^(online|offline)?$")]
    status: Option<String>,
    /// Who joined at this moment or later: RFC 3339, or a number of seconds before the request.
    #[param(max_length = 64, example = "3600")]
    joined_since: Option<String>,
}

/// Which part of a list's page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct ListPart {
    /// `component`, `view` or `rows`.
    #[param(pattern = "^(component|view|rows)?$")]
    part: Option<String>,
}

/// Which part of a member's page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct MemberPart {
    /// `menu`; or `dialog`, with the act in `act`.
    #[param(pattern = "^(menu|dialog)?$")]
    part: Option<String>,
    /// `kick`, `ban`, `unban`, `mute`, `unmute`, `scope`, `transfer` or `leave`.
    act: Option<String>,
}

/// In which shape to answer a list of members.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct ListFormat {
    /// `json`, `csv` or `atom`, instead of an Accept header.
    #[param(pattern = "^(json|csv|atom)?$")]
    format: Option<String>,
}

/// In which shape to answer.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct DataFormat {
    /// `json` or `csv`, instead of an Accept header; the answer to both is JSON.
    #[param(pattern = "^(json|csv)?$")]
    format: Option<String>,
}

/// Which of the banned or the muted.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct RestrictionWindow {
    /// Words that are parts of a name or uid, compared folded.
    #[param(max_length = 100)]
    search_keyword: Option<String>,
    /// How many.
    #[param(minimum = 1, maximum = 100, default = 30)]
    limit: Option<u32>,
    /// Those after this place, as `meta.next` gives it.
    #[param(pattern = "^([1-9][0-9]{0,14}[.][A-Za-z0-9_-]{1,100})?$")]
    cursor: Option<String>,
}

/// Where a stream goes on.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct Resume {
    /// The last event that was seen; the header Last-Event-ID wins.
    last_event_id: Option<String>,
    /// `json`: one message for each event, instead of swaps.
    #[param(pattern = "^(json|csv)?$")]
    format: Option<String>,
}

/// In which language.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct Language {
    /// A BCP 47 tag; the nearest language is taken.
    lang: Option<String>,
}

/// The file of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct AssetPath {
    /// `css-variables.css`, `chat-group-members.js`, or a name with a hash.
    #[param(example = "css-variables.css")]
    file: String,
}
