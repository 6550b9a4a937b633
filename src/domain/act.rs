//! The acts: what somebody asks to be done to another person of a group, or to themselves.
//!
//! Whoever adds an act begins here. The compiler then names each place that has to know it: no
//! `match` over these types has a catch-all arm.

use super::{EventKind, PersonState, Scope};

/// The acts by name. Declared in the order of the contract's `data-acts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
pub enum ActKind {
    /// Put out; may come back.
    #[strum(serialize = "kick")]
    Kick,
    /// Put out and keep out.
    #[strum(serialize = "ban")]
    Ban,
    /// Change scope, one's own included.
    #[strum(serialize = "scope")]
    Scope,
    /// Hand the group over.
    #[strum(serialize = "transfer")]
    Transfer,
    /// Let in again.
    #[strum(serialize = "unban")]
    Unban,
    /// Go by oneself.
    #[strum(serialize = "leave")]
    Leave,
    /// Come in by oneself.
    #[strum(serialize = "join")]
    Join,
}

impl ActKind {
    /// The word of the contract, as in `data-acts`, `data-action`, `?act=` and `?done=`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether whom it is about is a member afterwards.
    pub fn keeps_member(self) -> bool {
        match self {
            ActKind::Scope | ActKind::Transfer | ActKind::Join => true,
            ActKind::Kick | ActKind::Ban | ActKind::Unban | ActKind::Leave => false,
        }
    }

    /// The event that reports the act.
    pub fn event(self) -> EventKind {
        match self {
            ActKind::Kick => EventKind::MemberKicked,
            ActKind::Ban => EventKind::MemberBanned,
            ActKind::Scope => EventKind::MemberScopeChanged,
            ActKind::Transfer => EventKind::OwnerTransferred,
            ActKind::Unban => EventKind::MemberUnbanned,
            ActKind::Leave => EventKind::MemberLeft,
            ActKind::Join => EventKind::MemberJoined,
        }
    }
}

/// An act with its details. Joining is not among them: it is decided by the group's type and password, and brings
/// a profile and a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Put out; may come back.
    Kick {
        /// What the person is told; at most 512 characters.
        message: Option<String>,
    },
    /// Put out and keep out on these terms.
    Ban(BanTerms),
    /// Make somebody a participant, moderator or admin; oneself only a lower one.
    SetScope(Scope),
    /// Hand the group over.
    Transfer,
    /// Lift a ban.
    Unban,
    /// Go by oneself.
    Leave,
}

impl Act {
    /// Which act it is.
    pub fn kind(&self) -> ActKind {
        match self {
            Act::Kick { .. } => ActKind::Kick,
            Act::Ban(_) => ActKind::Ban,
            Act::SetScope(_) => ActKind::Scope,
            Act::Transfer => ActKind::Transfer,
            Act::Unban => ActKind::Unban,
            Act::Leave => ActKind::Leave,
        }
    }

    /// What the person is told.
    pub fn message(&self) -> Option<&str> {
        match self {
            Act::Kick { message } => message.as_deref(),
            Act::Ban(terms) => terms.message.as_deref(),
            Act::SetScope(_) | Act::Transfer | Act::Unban | Act::Leave => None,
        }
    }

    /// The reason and the end that its event keeps.
    pub fn terms(&self) -> Option<&BanTerms> {
        match self {
            Act::Ban(terms) => Some(terms),
            Act::Kick { .. } | Act::SetScope(_) | Act::Transfer | Act::Unban | Act::Leave => None,
        }
    }
}

impl Act {
    /// Whether somebody is banned already, on the terms that this asks for.
    pub fn is_on_terms_of(&self, state: &PersonState) -> bool {
        self.terms().zip(state.restrictions.ban.as_ref()).is_some_and(|(terms, ban)| {
            let BanTerms { reason, message, until } = terms;
            (reason, message, until) == (&ban.reason, &ban.message, &ban.until)
        })
    }
}

/// The terms of a ban.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BanTerms {
    /// Why; at most 512 characters.
    pub reason: Option<String>,
    /// What the person is told; at most 512 characters.
    pub message: Option<String>,
    /// When it ends, milliseconds since the epoch; `None` until lifted.
    pub until: Option<i64>,
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_word_of_every_act_is_the_contract_s() {
        let words = ["kick", "ban", "scope", "transfer", "unban", "leave", "join"];
        assert_eq!(ActKind::VARIANTS.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(), words);
        assert_eq!(words.map(|word| word.parse()), std::array::from_fn(|at| Ok(ActKind::VARIANTS[at])));
        assert!("Kick".parse::<ActKind>().is_err() && "".parse::<ActKind>().is_err());
    }
}
