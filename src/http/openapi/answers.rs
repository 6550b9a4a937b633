//! The answers and refusals of operations. Those that are text for viewers are only described here.

use utoipa::ToSchema;
use utoipa::openapi::Components;

use crate::domain::{Guid, Name, Uid};

/// A note about somebody.
#[derive(ToSchema)]
#[schema(example = json!({"id": 12, "text": "Asked twice to stop.", "by": {"uid": "cy", "name": "Cy"}, "at": "2027-01-31T12:00:00Z"}))]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct ViewedNote {
    /// The number of the event that added it.
    id: u64,
    text: String,
    by: NoteAuthor,
    /// RFC 3339.
    at: String,
}

/// Who wrote a note.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct NoteAuthor {
    uid: Uid,
    /// Null for somebody who is not known any more.
    name: Option<String>,
}

/// One note; of a repeated request, nothing when it was removed since.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct NoteAnswer {
    data: ViewedNote,
}

/// The notes about somebody, newest first.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct NotesAnswer {
    data: Vec<ViewedNote>,
    meta: NotesMeta,
}

/// How many there are, at most 100.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
struct NotesMeta {
    count: u64,
}

/// What came of a request about several people.
#[derive(ToSchema)]
#[schema(example = json!({"data": [{"uid": "dee", "ok": true, "seq": 12}], "meta": {"batch": 12}}))]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct BatchAnswer {
    /// For each person `uid`, and `ok` with the number of the event (null when there was nothing to do), or `code` and `detail`.
    data: serde_json::Value,
    meta: Option<BatchMeta>,
}

/// The events of a request about several people.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct BatchMeta {
    /// The first of them; null when there are none.
    batch: Option<u64>,
}

/// Done; there is nothing to show.
#[derive(ToSchema)]
#[schema(example = json!({"data": {}}))]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct Nothing {
    data: serde_json::Map<String, serde_json::Value>,
}

/// A member as viewers read one.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: the domain's record is answered")]
pub(in crate::http) struct ViewedMember {
    #[schema(example = "dee")]
    uid: Uid,
    #[schema(example = "Dee")]
    name: Name,
    avatar: Option<String>,
    /// `owner`, `admin`, `moderator` or `participant`.
    #[schema(example = "participant")]
    scope: Option<String>,
    /// `online`, `away` or `offline`; null where statuses are not shown.
    #[schema(example = "online")]
    status: Option<String>,
    /// Unix time, in seconds.
    #[schema(example = 1_700_000_000)]
    joined_at: Option<i64>,
    /// Until when they may not speak, RFC 3339; for moderators and up, and of the viewer.
    muted_until: Option<String>,
    /// When their scope ends, RFC 3339; not there when it lasts.
    scope_until: Option<String>,
}

/// One member.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct MemberAnswer {
    data: ViewedMember,
}

/// The member whose mute was lifted; empty for somebody who has left.
#[derive(ToSchema)]
#[schema(example = json!({"data": {"uid": "dee", "name": "Dee", "scope": "participant", "joinedAt": 1700000000}}))]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct UnmutedAnswer {
    /// The fields of a member, or none.
    data: serde_json::Map<String, serde_json::Value>,
}

/// Members, and where the list goes on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct ListAnswer {
    data: Vec<ViewedMember>,
    meta: ListMeta,
}

/// The selected people who are members, and who is not any more.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct SelectedAnswer {
    data: Vec<ViewedMember>,
    meta: SelectedMeta,
}

/// How many of the selected are members, and who is not.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
struct SelectedMeta {
    count: u64,
    gone: Vec<Uid>,
}

/// Where a list goes on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
struct ListMeta {
    /// Of the whole filtered list.
    count: u64,
    /// The place before which there are more.
    previous: Option<String>,
    /// The place after which there are more.
    next: Option<String>,
    /// The event id of this snapshot.
    id: String,
}

/// The group as a viewer sees it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct GroupAnswer {
    data: ViewedGroup,
}

/// A group as viewers read one.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described")]
struct ViewedGroup {
    #[schema(example = "park")]
    guid: Guid,
    #[schema(example = "Park")]
    name: Name,
    /// `public`, `private` or `password`.
    #[schema(rename = "type", example = "public")]
    group_type: String,
    icon: Option<String>,
    description: Option<String>,
    /// The owner's uid; null to people who are not in it.
    owner: Option<Uid>,
    members_count: u64,
    /// Null to people who are not in it.
    online_members_count: Option<u64>,
    /// The viewer's.
    scope: Option<String>,
}

/// A ban or a mute.
#[derive(ToSchema)]
#[schema(as = Ban)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct RestrictionAnswer {
    #[schema(example = "flo")]
    uid: Uid,
    /// Null for somebody who is not known.
    name: Option<String>,
    #[schema(example = "spam")]
    reason: Option<String>,
    /// RFC 3339; null: until lifted.
    until: Option<String>,
    /// Who did it; null: the host.
    by: Option<Uid>,
    /// What the person is told.
    message: Option<String>,
    /// RFC 3339.
    #[schema(example = "2027-01-31T12:00:00Z")]
    at: String,
}

/// Parts of a sentence, each in all forms of its language: `one={n} joined|other={n} joined`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct DigestWords {
    joined: String,
    left: String,
    removed: String,
    changed: String,
}

/// The banned or the muted, and where the list goes on.
#[derive(ToSchema)]
#[schema(as = BansAnswer)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(in crate::http) struct RestrictionsAnswer {
    data: Vec<RestrictionAnswer>,
    meta: RestrictionsMeta,
}

/// How many, and where the list goes on.
#[derive(ToSchema)]
#[schema(as = BansMeta)]
#[expect(dead_code, reason = "only described: handlers read them")]
struct RestrictionsMeta {
    count: u64,
    next: Option<String>,
}

/// A refusal as viewers get one (RFC 9457).
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
struct Problem {
    #[schema(rename = "type")]
    kind: String,
    title: String,
    status: u16,
    detail: String,
    code: String,
    /// The id of the request, as in the header `X-Request-Id`; not in the 404 of a group that is not there, or not theirs to see.
    #[schema(rename = "requestId")]
    request_id: Option<String>,
}

/// A refusal of `/v3`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
struct ErrorAnswer {
    error: ErrorValue,
}

/// What went wrong.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(in crate::http) struct ErrorValue {
    /// `ERR_…` or `AUTH_ERR_…`.
    code: String,
    /// In words.
    message: String,
    /// What is wrong with which field or parameter, in sentences; of `ERR_STALE_SYNC` the `last` version.
    #[schema(example = json!({"name": ["this is required"]}))]
    details: std::collections::BTreeMap<String, serde_json::Value>,
}

/// Adds the schemas of refusals, which no operation names.
pub(super) fn add_errors_to(components: &mut Components) {
    fn add<T: ToSchema>(components: &mut Components) {
        let mut schemas = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut schemas);
        components.schemas.extend(schemas);
    }
    add::<Problem>(components);
    add::<ErrorAnswer>(components);
}
