//! What viewers send: forms, which are only described here.

use strum::VariantArray;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, Schema};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::{BatchAct, Uid};

/// A kick, or leaving, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "DELETE"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainKick {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^DELETE$")]
    method: String,
    /// What the person is told who is put out.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// The removal of a note as a form without JavaScript.
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
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 36,600 days; without it, until lifted.
    until: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A note.
#[derive(ToSchema)]
#[schema(example = json!({"text": "Asked twice to stop."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct NoteForm {
    /// What it says.
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
    /// For plain forms.
    #[schema(rename = "_method", pattern = "^POST$")]
    method: Option<String>,
    /// Where it leads back to, on an allowed origin.
    #[schema(rename = "return")]
    back: Option<String>,
}

/// A mute, or its end, as a form without JavaScript.
#[derive(ToSchema)]
#[schema(example = json!({"_method": "PUT", "until": "3600"}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct PlainMute {
    /// The method that it stands for.
    #[schema(rename = "_method", pattern = "^(PUT|DELETE)$")]
    method: String,
    /// Of a mute: RFC 3339, or seconds from now, at most 28 days.
    until: Option<String>,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
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

/// One act on several people.
#[derive(ToSchema)]
#[schema(as = BulkRequest, rename_all = "camelCase", example = json!({"act": "kick", "uid": ["dee", "eve"], "dryRun": true}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct BatchRequest {
    #[schema(schema_with = batch_act)]
    act: String,
    /// Whom; repeated ones count as often as they are.
    #[schema(min_items = 1, max_items = 1000)]
    uid: Vec<Uid>,
    /// Only what would come of it.
    dry_run: Option<bool>,
    /// Of a scope change.
    scope: Option<GrantedScope>,
    /// Of a ban or mute, for moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now; without it a ban lasts until it is lifted, and a scope lasts. A mute has one.
    until: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    as_of: Option<String>,
}

/// The words of the acts on several people.
fn batch_act() -> Object {
    let words: Vec<_> = BatchAct::VARIANTS.iter().map(|act| act.kind().as_str()).collect();
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(format!("^({})$", words.join("|")))).build()
}

/// What is undone.
#[derive(ToSchema)]
#[schema(example = json!({"batch": true}))]
#[expect(dead_code, reason = "only described")]
pub(crate) struct UndoRequest {
    /// Every act of the request that this one belongs to.
    batch: Option<bool>,
    /// For plain forms.
    #[schema(rename = "_method", pattern = "^POST$")]
    method: Option<String>,
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

/// What opens a password group.
#[derive(ToSchema)]
#[schema(example = json!({"password": "sesame"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct JoinForm {
    password: Option<String>,
}

/// What somebody is told who is put out; of oneself, who leaves, nothing.
#[derive(ToSchema)]
#[schema(example = json!({"message": "Please read the rules before you come back."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct KickForm {
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
}

/// Another scope.
#[derive(ToSchema)]
#[schema(example = json!({"scope": "moderator"}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct ScopeForm {
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
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// RFC 3339, or seconds from now, at most 36,600 days; without it, until lifted.
    until: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
}

/// Terms of a mute.
#[derive(ToSchema)]
#[schema(example = json!({"until": "3600", "message": "Slow down, please."}))]
#[expect(dead_code, reason = "only described: handlers read them")]
pub(crate) struct MuteForm {
    /// RFC 3339, or seconds from now, at most 28 days.
    until: String,
    /// For moderators and up.
    #[schema(max_length = 512)]
    reason: Option<String>,
    /// What the person is told.
    #[schema(max_length = 512)]
    message: Option<String>,
    /// The event id as of which the act was chosen: what it would replace and is newer stays, and the answer is 409.
    #[schema(rename = "asOf")]
    as_of: Option<String>,
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
