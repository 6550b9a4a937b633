//! The response to an act: swaps, data, or a redirect; and a refusal with the fresh row.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use askama::Template;
use axum::http::HeaderValue;
use axum::response::Response;

use super::input::ActInput;
use crate::domain::{Act, ActKind, Ending, GroupType, LoggedEvent, MemberRecord, Uid};
use crate::http::extract::{Format, act_fields};
use crate::http::problem::Problem;
use crate::http::respond::flash;
use crate::http::respond::operation::Operation;
use crate::http::respond::reply::{self, as_of, html, json, rendered, see_other};
use crate::http::stream::swaps::{event_for, swap};
use crate::i18n::{Message, key};
use crate::live::{GroupState, Pending};
use crate::membership::{self, ActError, Outcome};
use crate::views::{self, Ended, Instruction, LeftOut, Swap, SwapItem, UndoForm, ViewContext, urls};

/// Does an act to one person, and responds.
///
/// # Errors
/// As [`ActResponse::into_response`].
pub(super) async fn perform(input: ActInput, act: Act, uid: Uid) -> Result<Response, Problem> {
    perform_until(input, act, uid, act_fields::ActEnd::default()).await
}

/// Like [`perform`], for an act that may have an end.
///
/// # Errors
/// As [`perform`]; 422 when the end has passed and the act was not done before, in the words of the form.
pub(super) async fn perform_until(
    input: ActInput,
    act: Act,
    uid: Uid,
    end: act_fields::ActEnd,
) -> Result<Response, Problem> {
    let (kind, passed) = (act.kind(), end.passed().cloned());
    let in_form = |problem| input.invalid_form(problem, &uid, kind);
    let request = end.added_to(input.request()).map_err(in_form)?;
    let result = membership::act(input.app.store(), request, uid.clone(), act).await;
    input.check_passed(passed, &result).map_err(in_form)?;
    ActResponse::new(input, Operation::Act(kind), uid).into_response(result).await
}

/// The response to an act, before its result is known.
pub(super) struct ActResponse {
    /// The request.
    pub(super) input: ActInput,
    pub(super) operation: Operation,
    /// The person whom it is about; of several, its author. `None` when the log no longer says who it was.
    pub(super) uid: Option<Uid>,
}

impl ActResponse {
    /// The response to this act on this person.
    pub(super) fn new(input: ActInput, operation: Operation, uid: impl Into<Option<Uid>>) -> ActResponse {
        ActResponse { input, operation, uid: uid.into() }
    }

    /// Renders it in the format that the request accepts.
    ///
    /// # Errors
    /// As [`ActResponse::settle`].
    pub(super) async fn into_response(self, result: Result<Outcome, ActError>) -> Result<Response, Problem> {
        let outcome = match self.settle(result).await? {
            ControlFlow::Break(answer) => return Ok(answer),
            ControlFlow::Continue(outcome) => outcome,
        };
        if self.input.info.format.is_data() {
            return self.data();
        }
        let repeated = if outcome.is_repeat { self.repeated().await? } else { None };
        // How somebody is whom an act did not change, their row shows. No row shows that an undo had nothing left to put back.
        let unchanged = if self.operation == Operation::Undo { self.unchanged(&outcome).await? } else { None };
        self.swaps(outcome.logged, repeated, unchanged)
    }

    /// The person whom an act changed nothing about, or of whom an undo had nothing left to put back, as an act on several names those whom
    /// it changed nothing about; `None` of every other outcome.
    ///
    /// # Errors
    /// When the log cannot be read.
    async fn unchanged(&self, outcome: &Outcome) -> Result<Option<LeftOut>, Problem> {
        let Some(uid) = self.uid.as_ref().filter(|_| outcome.unchanged) else { return Ok(None) };
        let access = &self.input.access;
        let last = self.input.app.store().read().await?.last_event_of(access.group.guid(), uid).await?;
        let mut unchanged = LeftOut::new(self.input.context.lang);
        unchanged.add(key::BATCH_UNCHANGED, uid.clone(), flash::name(access, uid, last.as_ref(), false), 1);
        Ok(Some(unchanged))
    }

    /// The event of an act that is repeated under its key, unless the person was changed again since: whoever did not get the
    /// first answer can undo the act after the second.
    ///
    /// # Errors
    /// When the log cannot be read.
    async fn repeated(&self) -> Result<Option<LoggedEvent>, Problem> {
        let (input, Some(uid), Some(kind)) = (&self.input, &self.uid, self.operation.act()) else { return Ok(None) };
        let last = input.app.store().read().await?.last_event_of(input.access.group.guid(), uid).await?;
        let is_own = |event: &LoggedEvent| event.by.as_ref().is_some_and(|by| by.uid == *input.viewer.uid());
        Ok(last.filter(|event| event.kind == kind.event() && is_own(event)))
    }

    /// Returns a refusal as an error, or waits until the group in memory includes the act. Breaks with the response
    /// for people who are out of the group, and for plain forms.
    ///
    /// # Errors
    /// The refusal in `result`; when the log cannot be read, or a template fails.
    pub(super) async fn settle(
        &self,
        result: Result<Outcome, ActError>,
    ) -> Result<ControlFlow<Response, Outcome>, Problem> {
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => return Err(self.refusal(error).await),
        };
        let input = &self.input;
        input.app.hub().catch_up_after_commit(&input.access.group, outcome.seq).await?;
        if self.is_out() && (outcome.is_repeat || self.operation != Operation::Act(ActKind::Leave)) {
            return self.bare().map(ControlFlow::Break);
        }
        let plain = input.plain_form || input.info.format == Format::Page;
        if plain && !input.info.format.is_data() {
            // The redirect carries the event id, so that every node shows at least this state.
            let id = input.access.group.id(outcome.seq);
            let url = match self.unchanged(&outcome).await? {
                Some(unchanged) => {
                    let query = flash::of_batch_in_url(self.operation.act(), 0, None, &unchanged);
                    self.return_url_with(&query, &id.to_string())
                }
                None => self.return_url(&id.to_string()),
            };
            return Ok(ControlFlow::Break(as_of(see_other(&url), &id)));
        }
        Ok(ControlFlow::Continue(outcome))
    }

    /// Whether the requester is no longer in the group.
    pub(super) fn is_out(&self) -> bool {
        self.input.access.group.state().roster().get(self.input.viewer.uid().as_str()).is_none()
    }

    /// A success response for somebody who is out of the group: no event, and nothing about the group's current
    /// state.
    fn bare(&self) -> Result<Response, Problem> {
        let (input, context) = (&self.input, &self.input.context);
        if input.info.format.is_data() {
            return json(&serde_json::json!({"data": {}}));
        }
        if input.plain_form || input.info.format == Format::Page {
            let out = urls::after_leaving(&context.base, context.lang);
            return Ok(see_other(self.external_return_url().unwrap_or(&out)));
        }
        let mut response = rendered(&Ended::without_group(context))?;
        // It names no event. By this header the script knows it from a proxy's page; the markup says itself where it goes.
        let place = HeaderValue::from_str(&format!("#{}", context.id)).expect("ids are plain ASCII");
        response.headers_mut().insert("hx-retarget", place);
        Ok(response)
    }

    fn data(&self) -> Result<Response, Problem> {
        let group = &self.input.access.group;
        let state = group.state();
        let data = self.data_of(&state)?;
        Ok(as_of(data, &state.last_id()))
    }

    fn data_of(&self, state: &GroupState) -> Result<Response, Problem> {
        let uid = self.uid.as_ref().filter(|_| self.operation.keeps_member());
        match uid.and_then(|uid| state.roster().get(uid.as_str())) {
            Some(member) => {
                let record = MemberRecord::new(member, state.roster().presence(member.uid()).status);
                let ActInput { app, viewer, context, .. } = &self.input;
                let muted_until = context.visible_mute(member, viewer.uid(), app.clock().now());
                json(&serde_json::json!({"data": record.with_ends(member, muted_until)}))
            }
            None => json(&serde_json::json!({"data": {}})),
        }
    }

    fn swaps(
        &self,
        logged: Option<Arc<LoggedEvent>>,
        repeated: Option<LoggedEvent>,
        unchanged: Option<LeftOut>,
    ) -> Result<Response, Problem> {
        let undoable = logged.as_deref().or(repeated.as_ref());
        let done = || flash::done_to(self.input.context.lang, self.operation.act(), 0);
        let alert = unchanged.map(|unchanged| unchanged.of_outcome(done()).render()).transpose()?;
        let result = |context: &ViewContext| {
            let undo = undoable.and_then(|event| self.undo(context, event));
            let alert = alert.clone().map(|html| SwapItem::from(Instruction::left_out(html)));
            undo.into_iter().chain(alert).collect::<Vec<_>>()
        };
        self.swaps_about(self.uid.iter().cloned().collect(), logged.clone(), result)
    }

    /// The fresh rows of these people, the event, and what `and` adds for the author of the act.
    ///
    /// # Errors
    /// When a template fails.
    pub(super) fn swaps_about(
        &self,
        uids: BTreeSet<Uid>,
        event: Option<Arc<LoggedEvent>>,
        and: impl Fn(&ViewContext) -> Vec<SwapItem<'static>>,
    ) -> Result<Response, Problem> {
        let input = &self.input;
        let (state, own) = (input.access.group.state(), input.viewer.uid());
        let mut pending = Pending { totals: true, dirty: uids, ..Pending::default() };
        if let Some(event) = &event {
            pending.add(event.clone());
        }
        let response = match state.roster().get(own.as_str()) {
            None => html(Ended::new(&input.context, &Ending::Left, state.roster().group()).render()?),
            Some(me) => {
                let scope = me.scope_at(input.app.clock().now());
                let context = input.context.with_scope(scope);
                let mut swap = swap(&context, &state, &pending, Some(own), scope != input.access.scope);
                let added = and(&context);
                if !added.is_empty() {
                    swap.get_or_insert_with(|| Swap::of_items(&context, Vec::new())).items.extend(added);
                }
                html(swap.map(|swap| swap.render()).transpose()?.unwrap_or_default())
            }
        };
        let response = self.with_events(response, event.as_deref(), &state);
        Ok(as_of(response, &state.last_id()))
    }

    /// The response with these events, each of another kind, for the host's page.
    pub(super) fn with_events<'e>(
        &self,
        response: Response,
        events: impl IntoIterator<Item = &'e LoggedEvent>,
        state: &GroupState,
    ) -> Response {
        let (scope, own) = (self.input.access.scope, self.input.viewer.uid());
        let mut named = serde_json::Map::new();
        for event in events {
            let name = event.kind.as_str().replace('_', "-");
            let data = event_for(scope, Some(own), event, state);
            named.extend(data.map(|data| (format!("chat-group-members:{name}"), data)));
        }
        if named.is_empty() { response } else { reply::with_events(response, &serde_json::Value::Object(named)) }
    }

    /// The text of the finished act, with its undo button.
    fn undo(&self, context: &ViewContext, event: &LoggedEvent) -> Option<SwapItem<'static>> {
        let name = event.touched.first()?.shown_name();
        let Operation::Act(kind) = self.operation else {
            let text = Message::from(key::DONE_UNDO).with("name", name).html(context.lang);
            return Some(Instruction::undone(text.to_string()).into());
        };
        if context.hides(kind) {
            return None;
        }
        let undoable = flash::undoable(&self.input.app, event)?;
        let text = Message::from(views::done(kind)?).with("name", name).html(context.lang);
        Some(SwapItem::Undo(UndoForm::new(context, text, &undoable)))
    }

    /// The URL that a plain form redirects to: its field `return`, when that is ours or an allowed origin's; else the
    /// list. Our own lists show what was done, on any node.
    fn return_url(&self, id: &str) -> String {
        if let Some(elsewhere) = self.external_return_url() {
            return elsewhere.to_owned();
        }
        if self.operation == Operation::Act(ActKind::Leave) {
            return self.left_url(id);
        }
        let uid = self.uid.as_ref().map(|uid| format!("&uid={uid}")).unwrap_or_default();
        self.return_url_with(&format!("done={}{uid}", self.operation.as_str()), id)
    }

    /// The list, or the page that the form came from, if it is still there; that page shows what was done.
    pub(super) fn return_url_with(&self, query: &str, id: &str) -> String {
        if let Some(elsewhere) = self.external_return_url() {
            return elsewhere.to_owned();
        }
        let list = self.input.context.href_with("");
        let back = self.input.allowed_return().filter(|url| !self.is_gone(url)).unwrap_or(&list);
        urls::with_parameters(back, &format!("{query}&lastEventId={id}"))
    }

    /// Whether an address is of the page of the person whom the act was about, who is no member any more and has none. Their notes stay.
    fn is_gone(&self, url: &str) -> bool {
        let (Some(uid), urls) = (&self.uid, self.input.context.urls()) else { return false };
        let is_theirs = is_within(url, &[urls.member(uid)]) && !is_within(url, &[urls.notes(uid)]);
        is_theirs && self.input.access.group.state().roster().get(uid.as_str()).is_none()
    }

    /// The `return` page of the form when it is outside our lists.
    fn external_return_url(&self) -> Option<&str> {
        let urls = self.input.context.urls();
        self.input.allowed_return().filter(|url| !is_within(url, &[urls.members(), urls.bans(), urls.mutes()]))
    }

    /// The URL of the page after leaving: the one for joining the group, or for a private group one that does not show the group.
    fn left_url(&self, id: &str) -> String {
        let (context, state) = (&self.input.context, self.input.access.group.state());
        if state.roster().group().group_type == GroupType::Private {
            return urls::after_leaving(&context.base, context.lang);
        }
        let query = format!("done={}&lastEventId={id}", self.operation.as_str());
        urls::with_parameters(&context.urls().group_in(context.lang), &query)
    }
}

/// Whether an address is of one of these pages of ours, or of a page below it: written out, or, with `--public-url`, also as a path.
pub(super) fn is_within(url: &str, pages: &[String]) -> bool {
    pages.iter().any(|page| {
        let path = page.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find('/')?..]));
        let mut rests = [Some(page.as_str()), path].into_iter().flatten().filter_map(|page| url.strip_prefix(page));
        rests.any(|rest| rest.is_empty() || rest.starts_with(['?', '#', '/']))
    })
}
