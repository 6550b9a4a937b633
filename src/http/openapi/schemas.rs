//! What many operations take and answer. The structs of the viewer's side are only described here: its bodies are forms.

use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{Components, RefOr, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::domain::{GroupType, Guid, Name, Scope, Uid};

/// The group of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(crate) struct GroupPath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
}

/// The user of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(crate) struct UserPath {
    /// The person.
    #[param(example = "dee")]
    uid: Uid,
}

/// The member of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read the path themselves")]
pub(crate) struct MemberPath {
    /// The group.
    #[param(example = "park")]
    guid: Guid,
    /// The person.
    #[param(example = "dee")]
    uid: Uid,
}

/// With whose rights the host asks.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: the middleware of `/v3` reads it")]
pub(crate) struct OnBehalfOf {
    /// A user with whose rights it is done; without it, the host's own.
    #[param(rename = "onBehalfOf")]
    on_behalf_of: Option<Uid>,
}

/// In whose name it is done, for what only a user does.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: the middleware of `/v3` reads it")]
pub(crate) struct OnBehalfOfSomebody {
    /// The user who does it.
    #[param(rename = "onBehalfOf")]
    on_behalf_of: Uid,
}

/// That a request repeated is not a second act.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described: extractors read it")]
pub(crate) struct IdempotencyHeader {
    /// A request repeated with the same key within a day is done once, and answered from the present state. The same key with another
    /// request is refused.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]([\\t -~]*[!-~])?$")]
    idempotency_key: Option<String>,
}

/// A kick, or leaving, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "DELETE"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainRemoval {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^DELETE$")]
    method: String,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A change of scope as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "scope": "moderator"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainScope {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^PUT$")]
    method: String,
    scope: GrantedScope,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A transfer as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "uid": "ben"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainTransfer {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^PUT$")]
    method: String,
    /// A member.
    uid: Uid,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A ban, or the end of one, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "reason": "spam"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainBan {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^(PUT|DELETE)$")]
    method: String,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// RFC 3339, or seconds from now; without it, until lifted.
    until: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A scope that can be given.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum GrantedScope {
    Admin,
    Moderator,
    Participant,
}

/// Done; there is nothing to show.
#[derive(ToSchema)]
#[schema(example = json!({"data": {}}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct Nothing {
    data: serde_json::Map<String, serde_json::Value>,
}

/// A member as viewers read one.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: the domain's record is answered")]
pub(crate) struct ViewedMember {
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
    /// Seconds since the epoch.
    #[schema(example = 1_700_000_000)]
    joined_at: Option<i64>,
}

/// One member.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct MemberAnswer {
    data: ViewedMember,
}

/// Members, and where the list goes on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ListAnswer {
    data: Vec<ViewedMember>,
    meta: ListMeta,
}

/// The selected people who are members, and who is not any more.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct SelectedAnswer {
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
pub(crate) struct GroupAnswer {
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

/// A ban.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct Ban {
    #[schema(example = "flo")]
    uid: Uid,
    /// Null for somebody who is not known.
    name: Option<String>,
    #[schema(example = "spam")]
    reason: Option<String>,
    /// RFC 3339; null: until lifted.
    until: Option<String>,
    /// Who banned them; null: the host.
    by: Option<Uid>,
    /// RFC 3339.
    #[schema(example = "2027-01-31T12:00:00Z")]
    at: String,
}

/// Which rows of a list; a place is as answers give it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct Window {
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
    /// A window around this member; nobody's uid is like none.
    member: Option<String>,
}

/// Which members, and how they are shown: the props of the component, of which these filter.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct ListFilter {
    /// Words that are parts of a name or uid, compared folded.
    #[param(max_length = 100)]
    search_keyword: Option<String>,
    /// Out of owner, admin, moderator, participant, with commas between them.
    #[param(pattern = "^((owner|admin|moderator|participant)(,(owner|admin|moderator|participant))*)?$")]
    scopes: Option<String>,
    /// `online` or `offline`; away counts as online.
    #[param(pattern = "^(online|offline)?$")]
    status: Option<String>,
}

/// Which part of a list's page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct ListPart {
    /// `component`, `view` or `rows`.
    #[param(pattern = "^(component|view|rows)?$")]
    part: Option<String>,
}

/// Which part of a member's page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct MemberPart {
    /// `menu`; or `dialog`, with the act in `act`.
    #[param(pattern = "^(menu|dialog)?$")]
    part: Option<String>,
    /// `kick`, `ban`, `unban`, `scope`, `transfer` or `leave`.
    act: Option<String>,
}

/// In which shape to answer a list of members.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct ListFormat {
    /// `json`, `csv` or `atom`, instead of an Accept header.
    #[param(pattern = "^(json|csv|atom)?$")]
    format: Option<String>,
}

/// In which shape to answer.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct DataFormat {
    /// `json` or `csv` instead of an Accept header; here they are the same.
    /// `json`, `csv` or `atom`, instead of an Accept header.
    #[param(pattern = "^(json|csv)?$")]
    format: Option<String>,
}

/// Which of the banned.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct BanWindow {
    /// Words that are parts of a name or uid, compared folded.
    #[param(max_length = 100)]
    search_keyword: Option<String>,
    /// How many.
    #[param(minimum = 1, maximum = 100, default = 30)]
    limit: Option<u32>,
    /// Those after this place.
    #[param(pattern = "^[0-9]{0,15}$")]
    cursor: Option<String>,
}

/// Where a stream goes on.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct Resume {
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
pub(crate) struct Language {
    /// A BCP 47 tag; the nearest language is taken.
    lang: Option<String>,
}

/// The file of a path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct AssetPath {
    /// `css-variables.css`, `chat-group-members.js`, or a name with a hash.
    #[param(example = "css-variables.css")]
    file: String,
}

/// What opens a password group.
#[derive(ToSchema)]
#[schema(example = json!({"password": "sesame"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct JoinForm {
    password: Option<String>,
}

/// Another scope.
#[derive(ToSchema)]
#[schema(example = json!({"scope": "moderator"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct ScopeForm {
    scope: GrantedScope,
}

/// Another owner.
#[derive(ToSchema)]
#[schema(example = json!({"uid": "ben"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct OwnerForm {
    /// A member.
    uid: Uid,
}

/// Terms of a ban.
#[derive(ToSchema)]
#[schema(example = json!({"reason": "spam", "until": "3600"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct BanForm {
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// RFC 3339, or seconds from now; without it, until lifted.
    until: Option<String>,
}

/// Who is selected.
#[derive(ToSchema)]
#[schema(example = json!({"uid": ["dee", "eve"]}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct Selection {
    uid: Option<SomeUids>,
    /// Where to go on, with them in the query.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// One person, or several; in a form the field is repeated.
struct SomeUids;

impl PartialSchema for SomeUids {
    fn schema() -> RefOr<Schema> {
        let several = ArrayBuilder::new().items(Uid::schema()).max_items(Some(1000));
        let words = "One person, or several; in a form the field is repeated.";
        RefOr::T(AnyOfBuilder::new().item(Uid::schema()).item(several).description(Some(words)).build().into())
    }
}

impl ToSchema for SomeUids {}

/// What the custom element says.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct Words {
    /// The language they are in.
    lang: String,
    failed: String,
    retry: String,
}

/// The banned, and where the list goes on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct BansAnswer {
    data: Vec<Ban>,
    meta: BansMeta,
}

/// How many, and where the list goes on.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only described: handlers read them")]
struct BansMeta {
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
pub(crate) struct ErrorValue {
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

fn id(words: &str) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(words));
    RefOr::T(object.pattern(Some("^[A-Za-z0-9_-]{1,100}$")).max_length(Some(100)).build().into())
}

impl PartialSchema for Uid {
    fn schema() -> RefOr<Schema> {
        id("A person's id, compared exactly.")
    }
}

impl ToSchema for Uid {}

impl PartialSchema for Guid {
    fn schema() -> RefOr<Schema> {
        id("A group's id, compared exactly.")
    }
}

impl ToSchema for Guid {}

impl PartialSchema for Name {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(100));
        // Something other than white space, and no control character.
        let pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$";
        let words = "Not white space alone, and without control characters.";
        RefOr::T(object.pattern(Some(pattern)).description(Some(words)).build().into())
    }
}

impl ToSchema for Name {}

fn word(description: &str, words: &[&str]) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    RefOr::T(object.enum_values(Some(words.iter().copied())).build().into())
}

impl PartialSchema for Scope {
    fn schema() -> RefOr<Schema> {
        word("What a member is in a group, from the highest to the lowest.", &Scope::DESCENDING.map(Scope::as_str))
    }
}

impl ToSchema for Scope {}

impl PartialSchema for GroupType {
    fn schema() -> RefOr<Schema> {
        word(
            "How one gets in: by joining, by being added, or by joining with a password.",
            &[GroupType::Public, GroupType::Private, GroupType::Password].map(GroupType::as_str),
        )
    }
}

impl ToSchema for GroupType {}
