//! What people read about each act.

use crate::domain::ActKind;
use crate::lang::{Key, key};

/// The words of one act.
#[derive(Debug, Clone, Copy)]
pub struct ActWords {
    /// In a menu.
    pub label: Key,
    /// Over its form; knows the name.
    pub(super) question: Key,
    /// What will happen.
    pub(super) hint: Key,
    /// On the button that does it; knows the name.
    pub(super) button: Key,
    /// Whether somebody loses something by it that is not given back by itself.
    pub(super) is_dangerous: bool,
}

impl ActWords {
    /// The words of this act; `own` when it is about oneself.
    pub fn of(kind: ActKind, own: bool) -> ActWords {
        let words = |label, question, hint, button| ActWords { label, question, hint, button, is_dangerous: false };
        let dangerous = |words| ActWords { is_dangerous: true, ..words };
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
