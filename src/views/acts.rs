//! The appearance of each act: its words in menus, forms and reports, the URL that a form sends it to, its place in
//! a menu, and the prop that hides it.

use super::props::Props;
use super::urls::GroupUrls;
use crate::domain::{ActKind, BatchAct, MAX_BAN, Uid};
use crate::i18n::{ArgsKey, Day, Message, PluralKey, TextKey, key};

/// The words of one act.
#[derive(Debug, Clone)]
pub struct ActWords {
    /// The label in a menu.
    pub label: TextKey,
    /// The heading of its form; may take the name.
    pub(super) question: Message,
    /// The effect.
    pub(super) hint: TextKey,
    /// The label of the submit button; may take the name.
    pub(super) button: Message,
    /// Whether it takes something away that does not come back by itself.
    pub(super) is_dangerous: bool,
}

impl ActWords {
    /// The words of this act. `own` is whether the viewer does it to themselves.
    pub fn of(kind: ActKind, own: bool) -> ActWords {
        match kind {
            ActKind::Kick => dangerous(words(key::ACT_KICK, key::ASK_KICK, key::HINT_KICK, key::DO_KICK)),
            ActKind::Ban => dangerous(words(key::ACT_BAN, key::ASK_BAN, key::HINT_BAN, key::DO_BAN)),
            ActKind::Scope if own => words(key::ACT_SCOPE_OWN, key::ASK_SCOPE_OWN, key::HINT_SCOPE_OWN, key::DO_SCOPE),
            ActKind::Scope => words(key::ACT_SCOPE, key::ASK_SCOPE, key::HINT_SCOPE, key::DO_SCOPE),
            ActKind::Transfer => {
                dangerous(words(key::ACT_TRANSFER, key::ASK_TRANSFER, key::HINT_TRANSFER, key::DO_TRANSFER))
            }
            ActKind::Mute => dangerous(words(key::ACT_MUTE, key::ASK_MUTE, key::HINT_MUTE, key::DO_MUTE)),
            ActKind::Unmute => words(key::ACT_UNMUTE, key::ASK_UNMUTE, key::HINT_UNMUTE, key::DO_UNMUTE),
            ActKind::Unban => words(key::ACT_UNBAN, key::ASK_UNBAN, key::HINT_UNBAN, key::DO_UNBAN),
            ActKind::Leave => dangerous(words(key::ACT_LEAVE, key::ASK_LEAVE, key::HINT_LEAVE, key::DO_LEAVE)),
            ActKind::Join => words(key::ACT_JOIN, key::GROUP_JOIN, key::GROUP_JOIN, key::ACT_JOIN),
        }
    }
}

fn words(label: TextKey, question: impl Into<Message>, hint: TextKey, button: impl Into<Message>) -> ActWords {
    ActWords { label, question: question.into(), hint, button: button.into(), is_dangerous: false }
}

fn dangerous(words: ActWords) -> ActWords {
    ActWords { is_dangerous: true, ..words }
}

/// The sentence for a finished act; `None` for acts that another page reports.
pub fn done(act: ActKind) -> Option<ArgsKey> {
    match act {
        ActKind::Kick => Some(key::DONE_KICK),
        ActKind::Ban => Some(key::DONE_BAN),
        ActKind::Unban => Some(key::DONE_UNBAN),
        ActKind::Mute => Some(key::DONE_MUTE),
        ActKind::Unmute => Some(key::DONE_UNMUTE),
        ActKind::Scope => Some(key::DONE_SCOPE),
        ActKind::Transfer => Some(key::DONE_TRANSFER),
        // The pages after joining and leaving report these themselves.
        ActKind::Join | ActKind::Leave => None,
    }
}

/// The words of one act on several people.
#[derive(Debug, Clone, Copy)]
pub struct BatchWords {
    /// What it does to all of them.
    pub(super) hint: TextKey,
    /// To how many it would be done.
    pub(super) will: PluralKey,
    /// To how many it was done.
    pub done: PluralKey,
}

/// The words of this act on several people.
pub fn batch_words(act: BatchAct) -> BatchWords {
    let (hint, will, done) = match act {
        BatchAct::Kick => (key::BATCH_HINT_KICK, key::BATCH_WILL_KICK, key::BATCH_DONE_KICK),
        BatchAct::Ban => (key::BATCH_HINT_BAN, key::BATCH_WILL_BAN, key::BATCH_DONE_BAN),
        BatchAct::Mute => (key::BATCH_HINT_MUTE, key::BATCH_WILL_MUTE, key::BATCH_DONE_MUTE),
        BatchAct::Scope => (key::BATCH_HINT_SCOPE, key::BATCH_WILL_SCOPE, key::BATCH_DONE_SCOPE),
    };
    BatchWords { hint, will, done }
}

/// The URL that a form sends this act on this person to, and the method.
pub(super) fn address(kind: ActKind, urls: GroupUrls<'_>, uid: &Uid) -> (String, &'static str) {
    match kind {
        ActKind::Kick | ActKind::Leave => (urls.member(uid), "DELETE"),
        ActKind::Ban => (urls.ban(uid), "PUT"),
        ActKind::Unban => (urls.ban(uid), "DELETE"),
        ActKind::Mute => (urls.mute(uid), "PUT"),
        ActKind::Unmute => (urls.mute(uid), "DELETE"),
        ActKind::Scope => (urls.scope(uid), "PUT"),
        ActKind::Transfer => (urls.owner(), "PUT"),
        ActKind::Join => (urls.members(), "POST"),
    }
}

/// The place of an act in a menu.
pub(super) fn menu_order(kind: ActKind) -> u8 {
    match kind {
        ActKind::Scope => 0,
        ActKind::Transfer => 1,
        ActKind::Mute => 2,
        ActKind::Unmute => 3,
        ActKind::Kick => 4,
        ActKind::Ban => 5,
        ActKind::Unban => 6,
        ActKind::Leave => 7,
        ActKind::Join => 8,
    }
}

/// Whether a prop hides this act.
pub(super) fn is_hidden(props: &Props, kind: ActKind) -> bool {
    match kind {
        ActKind::Kick => props.hide_kick,
        ActKind::Ban | ActKind::Unban => props.hide_ban,
        ActKind::Mute | ActKind::Unmute => props.hides_mutes(),
        ActKind::Scope | ActKind::Transfer => props.hide_scope,
        ActKind::Leave => props.hide_leave,
        ActKind::Join => false,
    }
}

/// The ends that a form accepts beside those that it offers.
pub(super) struct EndBounds {
    /// The longest time in hours.
    pub(super) most_hours: i64,
    /// The first day, in UTC.
    pub(super) first_day: Day,
    /// The last day, in UTC: its end is still within the longest time.
    pub(super) last_day: Day,
}

impl EndBounds {
    /// The bounds for a form of this act that is shown at `now`, Unix milliseconds.
    pub(super) fn of(kind: ActKind, now: i64) -> EndBounds {
        // The form of an act without an end has no field for it.
        let (longest, second) = (kind.longest().unwrap_or(MAX_BAN) / 1000, now / 1000);
        EndBounds {
            most_hours: longest / 3600,
            first_day: Day::of(second),
            last_day: Day::of(second + longest - 24 * 3600),
        }
    }
}
