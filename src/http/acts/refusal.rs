//! The response to an act that is refused: the reason, who changed what meanwhile, and the fresh row.

use askama::Template;
use axum::http::StatusCode;

use super::response::{ActResponse, is_within};
use crate::domain::{ActKind, EventId, Refusal};
use crate::http::detail::Detail;
use crate::http::problem::Problem;
use crate::http::stream::swaps::{may_see, swap};
use crate::i18n::Message;
use crate::live::Pending;
use crate::membership::{ActError, UndoError};
use crate::views::{Swap, change_in_words};

/// For this long after a change, a refusal names who made it; milliseconds.
const RECENT: i64 = 10 * 60_000;

impl ActResponse {
    /// The refusal: its reason, who made the change, and the member's current row.
    pub(super) async fn refusal(&self, error: ActError) -> Problem {
        let refused = matches!(error, ActError::Refused { .. } | ActError::Undo { .. });
        let is_outdated = matches!(error, ActError::Refused { refusal: Refusal::Outdated, .. });
        let is_about_target = is_about_target(&error);
        let undone = if let ActError::Undo { seq, .. } = &error { Some(*seq) } else { None };
        let mut problem = Problem::from(error);
        if self.input.is_former && problem.status.is_client_error() {
            return Problem::not_there();
        }
        if problem.status == StatusCode::NOT_FOUND && problem.code == "ERR_GUID_NOT_FOUND" {
            return problem;
        }
        if refused {
            // The reason of the refusal may not have reached this node yet.
            if is_about_target {
                // When it cannot be read, the refusal says less.
                drop(self.input.app.hub().refresh(&self.input.access.group).await);
            }
            problem.fresh = self.fresh().map(Box::new);
            // Only members see what happened and who did it.
            if is_about_target
                && problem.fresh.is_some()
                && let Ok(Some(change)) = self.last_change(undone).await
                && let Detail::Messages(sentences) = &mut problem.detail
            {
                sentences.push(change);
            }
        }
        let problem = self.input.in_component(problem);
        if is_outdated && let Some(page) = self.form_page() {
            return self.input.back_to_form(&page, problem);
        }
        problem
    }

    /// The page with the form of the act, which shows the person as they are now; `None` where they have none, and when the form was in the
    /// list of bans or mutes.
    fn form_page(&self) -> Option<String> {
        let (input, kind, uid) = (&self.input, self.operation.act()?, self.uid.as_ref()?);
        let urls = input.context.urls();
        let is_of_list = |url: &str| is_within(url, &[urls.bans(), urls.mutes()]);
        let lifts = matches!(kind, ActKind::Unban | ActKind::Unmute);
        if lifts && input.allowed_return().is_some_and(is_of_list) { None } else { input.form_page(uid, kind) }
    }

    /// The last change of the person in words; of an undo that is refused, only one after the act `undone`.
    async fn last_change(&self, undone: Option<u64>) -> Result<Option<Message>, Problem> {
        let (input, Some(uid)) = (&self.input, &self.uid) else { return Ok(None) };
        let event = input.app.store().read().await?.last_event_of(input.access.group.guid(), uid).await?;
        let (scope, is_own) = (input.access.scope, uid == input.viewer.uid());
        let since = event.filter(|event| undone.is_none_or(|undone| event.seq > undone));
        let recent = since.filter(|event| input.app.clock().now() - event.at < RECENT);
        // Some changes are visible only to the team and to their subject.
        let recent = recent.filter(|event| is_own || may_see(scope, event, &input.access.group.state()));
        Ok(recent.and_then(|event| change_in_words(&event, scope.is_staff())))
    }

    fn fresh(&self) -> Option<(String, EventId)> {
        let input = &self.input;
        let state = input.access.group.state();
        let mut pending = Pending::default();
        pending.dirty.extend(self.uid.clone());
        let me = state.roster().get(input.viewer.uid().as_str())?;
        let context = input.context.with_scope(me.scope_at(input.app.clock().now()));
        let Swap { items, .. } = swap(&context, &state, &pending, Some(input.viewer.uid()), false)?;
        let row = Swap::of_items(&context, items).render().ok()?;
        Some((row, state.last_id()))
    }
}

/// Whether it is the target's state that an act is refused for, so that what changed it last explains the refusal.
fn is_about_target(error: &ActError) -> bool {
    match error {
        ActError::Refused { refusal, .. } => refusal.is_about_target(),
        ActError::Undo { why, .. } => *why == UndoError::Overtaken,
        _ => false,
    }
}
