//! The component after its viewer has lost access.

use std::borrow::Cow;

use askama::Template;

use crate::domain::{Ending, Group, GroupType};
use crate::i18n::{Message, SafeHtml, key};
use crate::views::context::ViewContext;
use crate::views::labels::{banned_until, moderator_message};

/// Replaces the component when its viewer has left, was removed, or the group was deleted.
#[derive(Template)]
#[template(path = "members/ended.html")]
pub struct Ended<'a> {
    context: &'a ViewContext,
    why: Cow<'a, Ending>,
    /// `None` where the viewer may not know of the group.
    group: Option<&'a Group>,
    /// Whether it asks again whether the act was undone, while that is possible.
    asks_again: bool,
}

impl<'a> Ended<'a> {
    /// The reason, in words. For a private group it does not contain the name: outsiders may not know it.
    pub fn new(context: &'a ViewContext, why: &'a Ending, group: &'a Group) -> Ended<'a> {
        Ended { context, why: Cow::Borrowed(why), group: Some(group), asks_again: false }
    }

    /// The page of somebody who left some time ago: nothing about the group's current state.
    pub fn without_group(context: &'a ViewContext) -> Ended<'a> {
        Ended { context, why: Cow::Owned(Ending::Left), group: None, asks_again: false }
    }

    /// The same page, which asks again whether the act was undone while that is possible.
    pub fn asking_again(self) -> Ended<'a> {
        Ended { asks_again: true, ..self }
    }

    /// [`waits_to_ask_again`], unless nothing would come of it.
    fn waits(&self) -> Option<String> {
        let may_be_undone = matches!(*self.why, Ending::Kicked { .. } | Ending::Banned { .. });
        (self.asks_again && may_be_undone && self.context.undo_window > 0)
            .then(|| waits_to_ask_again(self.context.undo_window))
    }

    /// The sentences: what has happened, and what the viewer can do.
    fn words(&self) -> (SafeHtml, SafeHtml) {
        let is_private = self.is_private();
        let back = if is_private { key::LEFT_ASK } else { key::ENDED_LEFT_HINT };
        let (what, hint) = match *self.why {
            Ending::Kicked { .. } if is_private => (key::ENDED_KICKED.into(), back.into()),
            Ending::Kicked { .. } => (key::ENDED_KICKED.into(), key::ENDED_KICKED_HINT.into()),
            Ending::Banned { until, .. } => (key::ENDED_BANNED.into(), banned_until(until)),
            Ending::Deleted => (key::ENDED_DELETED.into(), key::ENDED_DELETED_HINT.into()),
            Ending::Left => match self.group.filter(|_| !is_private) {
                Some(group) => (Message::from(key::LEFT_TITLE).with("group", group.shown_name()), back.into()),
                None => (key::LEFT_UNTOLD.into(), back.into()),
            },
            Ending::Out | Ending::Expired | Ending::ServerDraining | Ending::NewEpoch => {
                (key::ENDED_LEFT.into(), back.into())
            }
        };
        (what.html(self.context.lang), hint.html(self.context.lang))
    }

    /// The message of the moderator who removed them.
    fn message(&self) -> Option<SafeHtml> {
        match &*self.why {
            Ending::Kicked { message } | Ending::Banned { message, .. } => {
                message.as_deref().map(|message| moderator_message(message).html(self.context.lang))
            }
            Ending::Left
            | Ending::Out
            | Ending::Deleted
            | Ending::Expired
            | Ending::ServerDraining
            | Ending::NewEpoch => None,
        }
    }

    /// The page on which the viewer can join again, if they can.
    fn rejoin_href(&self) -> Option<String> {
        let is_closed = self.is_private() || matches!(*self.why, Ending::Banned { .. } | Ending::Deleted);
        (!is_closed).then(|| self.context.urls().group_in(self.context.lang))
    }

    fn theme(&self) -> &'static str {
        self.context.props.theme.as_str()
    }

    fn is_private(&self) -> bool {
        self.group.is_none_or(|group| group.group_type == GroupType::Private)
    }
}

/// The waits before the screen of somebody who was put out asks again, milliseconds: until 5 and 15 seconds after the act, and
/// until after the last moment in which it is undone. `undo_window` in milliseconds. The script scales each by 0.7 to 1.3, but
/// the last, which it takes from the window itself: seven tenths of all waits are the window. Scripts of an earlier version, in
/// pages that are still open, scale the last one too, and must not ask before the window ends either.
pub(super) fn waits_to_ask_again(undo_window: i64) -> String {
    let last = undo_window * 10 / 7;
    // Also when it is scaled by 1.3, each comes before the window ends.
    let moments = [5_000, 15_000].into_iter().filter(|&moment| moment * 13 / 10 < undo_window).chain([last]);
    let mut before = 0;
    let waits = moments.map(|moment| (moment - std::mem::replace(&mut before, moment)).to_string());
    waits.collect::<Vec<_>>().join(" ")
}
