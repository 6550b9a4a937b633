//! How each act appears: its words in menus and forms, its place in a menu, and the prop that hides it.

use super::props::Props;
use crate::domain::ActKind;
use crate::i18n::{Message, TextKey, key};

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

/// The place of an act in a menu.
pub(super) fn menu_order(kind: ActKind) -> u8 {
    match kind {
        ActKind::Scope => 0,
        ActKind::Transfer => 1,
        ActKind::Kick => 2,
        ActKind::Ban => 3,
        ActKind::Unban => 4,
        ActKind::Leave => 5,
        ActKind::Join => 6,
    }
}

/// Whether a prop hides this act.
pub(super) fn is_hidden(props: &Props, kind: ActKind) -> bool {
    match kind {
        ActKind::Kick => props.hide_kick,
        ActKind::Ban | ActKind::Unban => props.hide_ban,
        ActKind::Scope | ActKind::Transfer => props.hide_scope,
        ActKind::Leave => props.hide_leave,
        ActKind::Join => false,
    }
}
