//! The default stream: messages of out-of-band swaps, rendered for a class of viewers.

use std::sync::OnceLock;

use askama::Template;
use bytes::Bytes;

use super::sse::Frame;
use super::swaps::{event_instruction, presence, statuses, swap};
use crate::domain::{Ending, PresenceMode, Scope, Uid};
use crate::http::respond::{group_totals, list_window, panel};
use crate::live::{GroupState, Pending, Replay, StreamRenderer};
use crate::roster::PageRange;
use crate::views::{Ended, Instruction, InstructionName, MARKUP_VERSION, Swap, SwapItem, Totals, ViewContext};

/// Renders the stream for viewers with the same props, with one context for each scope.
pub(in crate::http) struct HtmlRenderer {
    key: String,
    /// The context of the first viewer.
    context: ViewContext,
    /// Contexts of the other scopes, made on first use.
    others: [OnceLock<Box<ViewContext>>; 4],
    /// The page was rendered with older custom templates.
    outdated: bool,
    /// The page was rendered with other markup, by another version of this program, or for another viewer: somebody else has
    /// signed in since.
    is_of_other: bool,
}

/// The versions of the page that a stream is for, from the stream's URL.
pub(in crate::http) struct PageVersion {
    /// The version of the custom templates that it was rendered with.
    pub views: Option<String>,
    /// The version of the markup that it was rendered with.
    pub markup: Option<String>,
    /// The uid of the viewer that it was rendered for.
    pub viewer: Option<String>,
}

impl HtmlRenderer {
    /// A renderer for viewers of every scope; `page_version` is the version of the page that asks, `own` its viewer now.
    pub(in crate::http) fn new(context: &ViewContext, page_version: &PageVersion, own: &Uid) -> HtmlRenderer {
        let (whose, age) = (context.viewer.as_ref().map_or("", Uid::as_str), u8::from(context.for_older_page));
        // "In the last hour" is another moment for each page.
        let since = context.props.filter().joined_since.unwrap_or_default();
        HtmlRenderer {
            key: format!("html {} {whose} {age} {} {} {since}", context.base, context.query, context.lang.tag()),
            context: context.clone(),
            others: Default::default(),
            outdated: page_version.views.is_some() && context.templates_version() != page_version.views,
            is_of_other: page_version.markup.as_ref().is_some_and(|markup| markup != MARKUP_VERSION)
                || page_version.viewer.as_ref().is_some_and(|viewer| viewer != own.as_str()),
        }
    }

    fn context(&self, scope: Scope) -> &ViewContext {
        if scope == self.context.scope {
            return &self.context;
        }
        self.others[scope.index()].get_or_init(|| Box::new(self.context.with_scope(scope)))
    }
}

impl StreamRenderer for HtmlRenderer {
    fn key(&self) -> &str {
        &self.key
    }

    fn render_update(
        &self,
        state: &GroupState,
        scope: Scope,
        own: Option<&Uid>,
        pending: &Pending,
        renewed: bool,
    ) -> Option<Bytes> {
        let context = self.context(scope);
        let update = swap(context, state, pending, own, renewed)?;
        let own = own.filter(|_| renewed);
        let written = update.render().and_then(|update| {
            let component = own.map(|own| component(context, state, own)).transpose()?;
            Ok(update + component.as_deref().unwrap_or_default())
        });
        Some(Frame::unnamed(&state.last_id(), &or_resync(context, written)).finish())
    }

    fn open(&self, state: &GroupState, scope: Scope, own: &Uid, replay: &Replay) -> Bytes {
        let context = self.context(scope);
        let mut pending = match replay {
            Replay::FromNow => Pending::default(),
            Replay::Events(events) => Pending::missed(events.clone()),
            Replay::Resync => Pending { resync: true, ..Pending::default() },
        };
        // The log does not hold status changes. A list filtered by status, or with custom rows that show it, fetches
        // its window again; the script patches only the built-in rows.
        let by_status = context.props.filter().online.is_some() || context.rows_show_status();
        let has_gap = pending.resync;
        pending.resync |= by_status && !matches!(replay, Replay::FromNow);
        pending.templates = self.outdated;
        // The notice that the viewer is muted, of the end of their scope, or of the message that came with it, stands outside
        // the list, so rows do not update it. Without a gap it is current, unless one of the events is about the viewer.
        let member = state.roster().get(own.as_str());
        let has_end = member.is_some_and(|member| member.muted().is_some() || member.temporary().is_some());
        let has_notice = has_end || state.scope_message(own, state.changed_at()).is_some();
        let renewed = self.is_of_other || if has_gap { has_notice } else { pending.dirty.contains(own) };
        let nothing = || Swap::of_items(context, vec![]);
        let mut update = swap(context, state, &pending, Some(own), renewed).unwrap_or_else(nothing);
        for item in &mut update.items {
            if let SwapItem::Instruction(instruction) = item
                && instruction.name == InstructionName::Resync
                && has_notice
            {
                instruction.keep_notice();
            }
        }
        // Totals include presence, whose changes since the page was made are not in the log.
        if !context.props.hide_user_status || !update.items.is_empty() {
            update.header = Some(Totals::new(context, group_totals(state)).into_swap());
        }
        let few = state.presence_mode() == PresenceMode::Rows;
        if !few || !matches!(replay, Replay::FromNow) {
            update.items.push(presence(context, state));
        }
        update.items.extend(statuses(context, state).filter(|_| few));
        Frame::unnamed(&state.last_id(), &or_resync(context, update.render())).retry(retry(own)).finish()
    }

    fn online_snapshot(&self, state: &GroupState) -> Option<Bytes> {
        if state.presence_mode() != PresenceMode::Batched {
            return None;
        }
        let items = vec![statuses(&self.context, state)?];
        let written = Swap::of_items(&self.context, items).render();
        Some(Frame::plain(&or_resync(&self.context, written)).finish())
    }

    fn live(&self, live: bool) -> Bytes {
        let items = vec![Instruction::live(live).into()];
        Frame::plain(&or_resync(&self.context, Swap::of_items(&self.context, items).render())).finish()
    }

    fn end(&self, state: &GroupState, why: &Ending) -> Bytes {
        // The viewer has lost access: the lowest scope's context reveals nothing that they may not see.
        let context = self.context(Scope::Participant);
        match why {
            Ending::ServerDraining | Ending::NewEpoch => Frame::named("bye", None, "{}").finish(),
            Ending::Expired => {
                // It has no id: what is applied here may not have been sent to this stream yet, and a stream that resumes gets it.
                let items = vec![Instruction::expired().into()];
                Frame::plain(&or_resync(context, Swap::of_items(context, items).render())).finish()
            }
            why => {
                // The group's end is an event for the host's page like every other.
                let last = state.last_event().filter(|_| *why == Ending::Deleted);
                let items =
                    last.and_then(|event| event_instruction(context, event, state, None, None)).into_iter().collect();
                let update = Swap::of_items(context, items);
                let ended = Ended::new(context, why, state.roster().group());
                // Nobody comes back to a group that was deleted since.
                let ended = if state.is_deleted() { ended } else { ended.asking_again() };
                let written = ended.render().and_then(|ended| match update.items.is_empty() {
                    true => Ok(ended),
                    false => Ok(update.render()? + &ended),
                });
                Frame::unnamed(&state.last_id(), &or_resync(context, written)).finish()
            }
        }
    }
}

/// The delay before a client reconnects, milliseconds; varies by person, so that not all return at once.
pub(super) fn retry(uid: &Uid) -> u32 {
    1000 + uid.as_str().bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 2000
}

/// The component rendered again, for a viewer whose rights have changed.
///
/// # Errors
/// When a template fails.
fn component(context: &ViewContext, state: &GroupState, own: &Uid) -> askama::Result<String> {
    let filter = context.props.filter();
    let window = state.roster().window(&filter, &PageRange::first(context.props.limit()));
    let list = list_window(state, &filter, &window);
    panel(context, state, &list, own, state.changed_at()).into_swap().render()
}

/// The written text, or, when a template failed, an instruction to fetch the rows again: the message has an id, after which a stream
/// would resume without these changes.
fn or_resync(context: &ViewContext, written: askama::Result<String>) -> String {
    written.unwrap_or_else(|error| {
        tracing::error!(%error, "a message of a stream cannot be written; its viewers fetch the list again");
        Swap::of_items(context, vec![Instruction::resync(context.scope).into()]).render().unwrap_or_default()
    })
}
