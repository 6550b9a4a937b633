//! One act on several people: a preview of its effect (`dryRun`), then the act.

use std::collections::HashSet;

use axum::http::HeaderValue;
use axum::response::Response;
use strum::VariantArray;
use utoipa::ToSchema;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use super::batch_response;
use super::input::{ActInput, BatchParts};
use crate::domain::{Act, ActKind, BatchAct, Refusal, Uid, shown};
use crate::http::extract::{ActField, Format, act_fields};
use crate::http::openapi::{BatchAnswer, GrantedScope, GroupPath, IdempotencyHeader};
use crate::http::problem::Problem;
use crate::http::respond::operation::Operation;
use crate::http::respond::reply::{as_of, rendered};
use crate::i18n::{Lang, key};
use crate::membership::{self, ActRequest, BatchItem, BatchOutcome};
use crate::views::{self, BatchForm, BatchPage, BatchPreview, Props};

/// One act on several people.
#[derive(ToSchema)]
#[schema(as = BulkRequest, rename_all = "camelCase", example = json!({"act": "kick", "uid": ["dee", "eve"], "dryRun": true}))]
#[expect(dead_code, reason = "only described")]
struct BatchRequest {
    #[schema(schema_with = batch_act)]
    act: String,
    /// Whom; repeated ones count as often as they are.
    #[schema(min_items = 1, max_items = 1000)]
    uid: Vec<Uid>,
    /// Only what would come of it. Acts on one person are not previewed: they refuse this field.
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

/// `POST /groups/{guid}/bulk`.
#[utoipa::path(post, path = "/groups/{guid}/bulk", operation_id = "bulk", tag = "Acts", params(GroupPath, IdempotencyHeader),
    summary = "One act on up to 1,000 people, in one transaction; with dryRun=true only what would come of it.",
    request_body(content((BatchRequest = "application/json"), (BatchRequest = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "What came of each person, also when it could be done to nobody; as the request wants it.",
        content((BatchAnswer = "application/json"), (String = "text/html"))),
        (status = 303, description = "To a plain form: back to where it was.")))]
pub(in crate::http) async fn post(parts: BatchParts) -> Result<Response, Problem> {
    let (input, _) = ActInput::begin(parts).await?;
    let BatchInput { wanted, act, uids, request, passed, dry_run, before_terms } = BatchInput::read(&input)?;
    let result = membership::act_batch(input.app.store(), request, act, uids, dry_run).await;
    input.check_passed(passed, &result)?;
    let is_shown = !input.info.format.is_data();
    match result {
        Ok(outcome) if is_shown && (dry_run || outcome.is_for_nobody()) => {
            let preview = preview(input.access.lang, &outcome, before_terms);
            form(&input, wanted, outcome, preview, !dry_run)
        }
        result => batch_response::respond(input, Operation::Act(wanted.kind()), result).await,
    }
}

/// The act, with its details, and the people.
struct BatchInput {
    wanted: BatchAct,
    act: Act,
    uids: Vec<Uid>,
    request: ActRequest,
    /// Why it is refused unless it was done before: its end has passed.
    passed: Option<Problem>,
    /// Whether it is only previewed.
    dry_run: bool,
    /// Whether it asks about a scope before one is chosen, or about a ban before its terms are: then it is not known for whom it would
    /// change nothing.
    before_terms: bool,
}

impl BatchInput {
    /// Reads the fields in the order in which errors are reported.
    ///
    /// # Errors
    /// 422 when a field has a value that is not allowed.
    fn read(input: &ActInput) -> Result<BatchInput, Problem> {
        input.info.one_of(ActField::DryRun.as_str(), &["true", "false"])?;
        // An empty `dryRun` that counted as absent would perform the act instead of previewing it.
        if input.info.pairs().any(|(name, value)| name == ActField::DryRun.as_str() && value.is_empty()) {
            return Err(input.invalid(Problem::invalid("dryRun: true or false")));
        }
        let in_address = input.info.value(ActField::DryRun.as_str()).is_some_and(|value| value == "true");
        let dry_run = in_address || input.flag(ActField::DryRun)?;
        let wanted = named(input).map_err(|problem| input.invalid(problem))?;
        let has_terms =
            [ActField::Scope, ActField::Until, ActField::Hours, ActField::Day, ActField::Reason, ActField::Message]
                .into_iter()
                .any(|field| input.fields.contains(field));
        let before_terms = in_address && !has_terms && wanted.depends_on_terms();
        let (act, end) = act_fields::of_batch(wanted, &input.fields, input.app.clock().now(), in_address)
            .map_err(|problem| input.invalid(problem))?;
        let uids = uids(input).map_err(|problem| input.invalid(problem))?;
        let request = input.request();
        // A dry run changes nothing and uses no key.
        let request = if dry_run { ActRequest { key: None, ..request } } else { request };
        let passed = end.passed().cloned();
        let request = end.added_to(request).map_err(|problem| input.invalid(problem))?;
        Ok(BatchInput { wanted, act, uids, request, passed, dry_run, before_terms })
    }
}

/// Responds with what the act would do, and the form that does it to those it can be done to. As the answer to the act itself it says
/// why it could be done to nobody, in place of the form that was sent.
fn form(
    input: &ActInput,
    act: BatchAct,
    outcome: BatchOutcome<Refusal>,
    preview: BatchPreview,
    is_answer: bool,
) -> Result<Response, Problem> {
    let (id, is_page) = (input.access.group.id(outcome.seq), input.info.format == Format::Page);
    let selected = outcome.items.into_iter().map(|item| item.uid).collect();
    let form = BatchForm::new(&input.context, act, preview, id.clone(), input.app.clock().now(), !is_page);
    let form = if is_answer { form.answering() } else { form };
    if is_page {
        let (layout, theme, lang) = (input.app.layout(), input.context.props.theme, input.context.lang);
        let selection = input.context.selection_href();
        return rendered(&BatchPage { layout, theme, form, selected, selection, lang });
    }
    let mut response = as_of(rendered(&form)?, &id);
    if is_answer {
        response.headers_mut().insert("hx-reswap", HeaderValue::from_static("outerHTML"));
    }
    Ok(response)
}

/// The people by what would come of the act: whom it can be done to, whom not, and last those about whom it would change nothing, of
/// whom there are none before the terms are chosen.
fn preview(lang: Lang, outcome: &BatchOutcome<Refusal>, before_terms: bool) -> BatchPreview {
    let mut preview = BatchPreview::new(lang);
    for (BatchItem { uid, result, unchanged }, person) in outcome.items.iter().zip(&outcome.people) {
        let name = shown(&person.name, uid.as_str()).into_owned();
        match result {
            Err(Refusal::Outdated) => preview.outdated.push(name.clone()),
            Err(refusal) => {
                preview.refused.add(views::refused_of_several(*refusal), uid.clone(), name, Props::MAX_SELECTED);
                continue;
            }
            Ok(_) if *unchanged && !before_terms => continue,
            Ok(_) => {}
        }
        if person.notes > 0 {
            preview.noted.push((name.clone(), person.notes));
        }
        if !person.is_member {
            preview.left.push(name.clone());
        }
        preview.names.push(name);
        preview.uids.push(uid.clone());
    }
    for (uid, person) in outcome.unchanged().filter(|_| !before_terms) {
        let name = shown(&person.name, uid.as_str()).into_owned();
        preview.refused.add(key::BATCH_UNCHANGED, uid.clone(), name, Props::MAX_SELECTED);
    }
    preview
}

/// The act that the fields name.
fn named(input: &ActInput) -> Result<BatchAct, Problem> {
    let word = input.fields.get(ActField::Act).unwrap_or_default();
    word.parse::<ActKind>().ok().and_then(ActKind::in_batch).ok_or_else(|| {
        let words: Vec<_> = BatchAct::VARIANTS.iter().map(|act| act.kind().as_str()).collect();
        Problem::invalid(format!("act: one of {}", words.join(", ")))
    })
}

/// The people, each once. The limit is on how many are sent: a repeated one counts as often as it is.
fn uids(input: &ActInput) -> Result<Vec<Uid>, Problem> {
    if input.uids.is_empty() {
        return Err(Problem::field(key::SELECTION_CHOOSE, "uid: at least one person"));
    }
    act_fields::check_count(input.uids.len(), Props::MAX_SELECTED)?;
    let uids = input.uids.iter().map(|uid| act_fields::uid(uid)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    Ok(uids.into_iter().filter(|uid| seen.insert(uid.clone())).collect())
}
