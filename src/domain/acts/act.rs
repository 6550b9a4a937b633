//! The acts: what one person does to another in a group, or to themselves.
//!
//! A new act begins here. The compiler then names each place that has to know it: no `match` over these types has a
//! catch-all arm.

use strum::VariantArray as _;

use crate::domain::{DAY, EventKind, NewScope, PersonState, Scope, Terms, Uid};

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
    /// Keep from speaking for a time.
    #[strum(serialize = "mute")]
    Mute,
    /// Let speak again.
    #[strum(serialize = "unmute")]
    Unmute,
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

    /// The act on several people at once; `None` of one that is done to one person at a time.
    pub fn in_batch(self) -> Option<BatchAct> {
        match self {
            ActKind::Kick => Some(BatchAct::Kick),
            ActKind::Ban => Some(BatchAct::Ban),
            ActKind::Mute => Some(BatchAct::Mute),
            ActKind::Scope => Some(BatchAct::Scope),
            ActKind::Transfer | ActKind::Unmute | ActKind::Unban | ActKind::Leave | ActKind::Join => None,
        }
    }

    /// Whether it is done to somebody else.
    pub fn is_on_others(self) -> bool {
        match self {
            ActKind::Kick
            | ActKind::Ban
            | ActKind::Scope
            | ActKind::Transfer
            | ActKind::Mute
            | ActKind::Unmute
            | ActKind::Unban => true,
            ActKind::Leave | ActKind::Join => false,
        }
    }

    /// The refusal of `/v3` for an act that changes nothing; `None` when that succeeds, as it does for viewers.
    pub fn already_so(self) -> Option<AlreadySo> {
        match self {
            ActKind::Scope => Some(AlreadySo::Scope),
            ActKind::Ban => Some(AlreadySo::Banned),
            ActKind::Unban => Some(AlreadySo::NotBanned),
            ActKind::Join => Some(AlreadySo::Member),
            ActKind::Kick | ActKind::Leave | ActKind::Transfer | ActKind::Mute | ActKind::Unmute => None,
        }
    }

    /// Whether the person it is about is a member afterwards.
    pub fn keeps_member(self) -> bool {
        match self {
            ActKind::Scope | ActKind::Transfer | ActKind::Mute | ActKind::Unmute | ActKind::Join => true,
            ActKind::Kick | ActKind::Ban | ActKind::Unban | ActKind::Leave => false,
        }
    }

    /// The longest time from now after which its effect may end by itself, in milliseconds; `None` of an act without an end.
    pub fn longest(self) -> Option<i64> {
        match self {
            ActKind::Ban => Some(MAX_BAN),
            ActKind::Mute => Some(MAX_MUTE),
            ActKind::Scope => Some(MAX_SCOPE),
            ActKind::Kick | ActKind::Transfer | ActKind::Unmute | ActKind::Unban | ActKind::Leave | ActKind::Join => {
                None
            }
        }
    }

    /// The event that reports the act.
    pub fn event(self) -> EventKind {
        match self {
            ActKind::Kick => EventKind::MemberKicked,
            ActKind::Ban => EventKind::MemberBanned,
            ActKind::Scope => EventKind::MemberScopeChanged,
            ActKind::Transfer => EventKind::OwnerTransferred,
            ActKind::Mute => EventKind::MemberMuted,
            ActKind::Unmute => EventKind::MemberUnmuted,
            ActKind::Unban => EventKind::MemberUnbanned,
            ActKind::Leave => EventKind::MemberLeft,
            ActKind::Join => EventKind::MemberJoined,
        }
    }
}

/// Why the original refuses an act that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlreadySo {
    /// They have this scope.
    Scope,
    /// They are banned.
    Banned,
    /// They are not banned.
    NotBanned,
    /// They are a member.
    Member,
}

/// The acts that are done to several people at once. Declared in the order in which the interface lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum BatchAct {
    /// Put out; may come back.
    Kick,
    /// Put out and keep out.
    Ban,
    /// Keep from speaking for a time.
    Mute,
    /// Change scope.
    Scope,
}

impl BatchAct {
    /// The act by name.
    pub fn kind(self) -> ActKind {
        match self {
            BatchAct::Kick => ActKind::Kick,
            BatchAct::Ban => ActKind::Ban,
            BatchAct::Mute => ActKind::Mute,
            BatchAct::Scope => ActKind::Scope,
        }
    }

    /// The act on several people that an event of this kind reports; `None` of an event that no such act makes.
    pub fn reported_by(event: EventKind) -> Option<BatchAct> {
        BatchAct::VARIANTS.iter().copied().find(|act| act.kind().event() == event)
    }

    /// Whether a preview depends on the terms: the act changes nothing for those who already have the scope, or are banned on the same
    /// terms. A mute always has a new end.
    pub fn depends_on_terms(self) -> bool {
        match self {
            BatchAct::Scope | BatchAct::Ban => true,
            BatchAct::Kick | BatchAct::Mute => false,
        }
    }
}

/// An act with its details. Joining is not among them: it is decided by the group's type and password, and brings
/// a profile and a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Put out; may come back.
    Kick {
        /// The message for the person; at most [`MAX_WORDS`](crate::domain::MAX_WORDS) characters.
        message: Option<String>,
    },
    /// Put out and keep out on these terms.
    Ban(Terms),
    /// Make somebody a participant, moderator or admin; oneself only a lower one.
    SetScope(NewScope),
    /// Hand the group over.
    Transfer,
    /// Keep from speaking on these terms, which have an end.
    Mute(Terms),
    /// Let speak again.
    Unmute,
    /// Lift a ban.
    Unban,
    /// Go by oneself.
    Leave,
}

impl Act {
    /// The kind of the act.
    pub fn kind(&self) -> ActKind {
        match self {
            Act::Kick { .. } => ActKind::Kick,
            Act::Ban(_) => ActKind::Ban,
            Act::SetScope(_) => ActKind::Scope,
            Act::Transfer => ActKind::Transfer,
            Act::Mute(_) => ActKind::Mute,
            Act::Unmute => ActKind::Unmute,
            Act::Unban => ActKind::Unban,
            Act::Leave => ActKind::Leave,
        }
    }

    /// The message for the person.
    pub fn message(&self) -> Option<&str> {
        match self {
            Act::Kick { message } => message.as_deref(),
            Act::Ban(terms) | Act::Mute(terms) => terms.message.as_deref(),
            Act::SetScope(new) => new.message.as_deref(),
            Act::Transfer | Act::Unmute | Act::Unban | Act::Leave => None,
        }
    }

    /// The reason, for the group's staff.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Act::Ban(terms) | Act::Mute(terms) => terms.reason.as_deref(),
            Act::Kick { .. } | Act::SetScope(_) | Act::Transfer | Act::Unmute | Act::Unban | Act::Leave => None,
        }
    }

    /// The end of its effect, Unix milliseconds.
    pub fn until(&self) -> Option<i64> {
        match self {
            Act::Ban(terms) | Act::Mute(terms) => terms.until,
            Act::SetScope(new) => new.until,
            Act::Kick { .. } | Act::Transfer | Act::Unmute | Act::Unban | Act::Leave => None,
        }
    }

    /// Whether what it replaces (the ban, the mute, or the scope and its end) is `now` as it was `seen`.
    pub fn finds_as_seen(&self, seen: &PersonState, now: &PersonState) -> bool {
        let (before, after) = (&seen.restrictions, &now.restrictions);
        match self {
            Act::Ban(_) | Act::Unban => before.ban == after.ban,
            Act::Mute(_) | Act::Unmute => before.mute == after.mute,
            Act::SetScope(_) => {
                let scope = |state: &PersonState| state.held.map(|held| held.scope);
                (scope(seen), before.temporary) == (scope(now), after.temporary)
            }
            Act::Kick { .. } | Act::Transfer | Act::Leave => true,
        }
    }

    /// Whether somebody is banned or muted already, on the terms that this asks for.
    pub fn is_on_terms_of(&self, state: &PersonState) -> bool {
        let (terms, restriction) = match self {
            Act::Ban(terms) => (terms, &state.restrictions.ban),
            Act::Mute(terms) => (terms, &state.restrictions.mute),
            Act::Kick { .. } | Act::SetScope(_) | Act::Transfer | Act::Unmute | Act::Unban | Act::Leave => {
                return false;
            }
        };
        let Terms { reason, message, until } = terms;
        restriction.as_ref().is_some_and(|restriction| {
            (reason, message, until) == (&restriction.reason, &restriction.message, &restriction.until)
        })
    }

    /// What an Idempotency-Key stands for when it comes with this act on this person. A stored form, as are all fingerprints
    /// (`membership/request/fingerprint/mod.rs`): never changed later. Reasons and messages are in it as the debug output of a
    /// text. The end is not part of it: it is added as the request gives it, since "an hour from now" is another moment in every retry.
    pub fn fingerprint(&self, target: &Uid) -> String {
        match self {
            Act::Kick { message } => format!("Kick {target}{}", message_suffix(message.as_deref())),
            Act::Ban(terms) => format!("Ban {}", terms_on(target, terms)),
            Act::Mute(terms) => format!("Mute {}", terms_on(target, terms)),
            Act::Unmute => format!("Unmute {target}"),
            Act::Unban => format!("Unban {target}"),
            Act::SetScope(new) => {
                let scope = match new.scope {
                    Scope::Participant => "Participant",
                    Scope::Moderator => "Moderator",
                    Scope::Admin => "Admin",
                    Scope::Owner => "Owner",
                };
                let ends = if new.until.is_some() { " for a time" } else { "" };
                format!("SetScope({scope}) {target}{ends}{}", message_suffix(new.message.as_deref()))
            }
            Act::Transfer => format!("Transfer {target}"),
            Act::Leave => format!("Leave {target}"),
        }
    }
}

/// The terms of a ban or a mute, in a fingerprint.
fn terms_on(target: &Uid, terms: &Terms) -> String {
    let reason = terms.reason.as_ref().map_or_else(|| "None".to_owned(), |reason| format!("Some({reason:?})"));
    format!("{reason} {target}{}", message_suffix(terms.message.as_deref()))
}

/// The message for the person, at the end of a fingerprint; empty without one, as in the first version.
fn message_suffix(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(" told {message:?}"))
}

/// Longest ban with an end, in milliseconds: 36,600 days.
pub const MAX_BAN: i64 = 100 * 366 * DAY;
/// Longest mute, in milliseconds: 28 days.
pub const MAX_MUTE: i64 = 28 * DAY;
/// Longest time that a scope is given for, in milliseconds: 366 days, so that a year fits also when it is a leap year.
pub const MAX_SCOPE: i64 = 366 * DAY;

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_word_of_every_act_is_the_contract_s() {
        let words = ["kick", "ban", "scope", "transfer", "mute", "unmute", "unban", "leave", "join"];
        assert_eq!(ActKind::VARIANTS.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(), words);
        assert_eq!(words.map(|word| word.parse()), std::array::from_fn(|at| Ok(ActKind::VARIANTS[at])));
        assert!("Kick".parse::<ActKind>().is_err() && "".parse::<ActKind>().is_err());
    }

    #[test]
    fn the_acts_on_several_people_are_listed_as_the_contract_lists_them() {
        let words: Vec<_> = BatchAct::VARIANTS.iter().map(|act| act.kind().as_str()).collect();
        assert_eq!(words, ["kick", "ban", "mute", "scope"]);
        assert!(BatchAct::VARIANTS.iter().all(|act| act.kind().in_batch() == Some(*act)));
    }

    #[test]
    fn an_event_tells_which_act_on_several_people_it_reports() {
        assert!(BatchAct::VARIANTS.iter().all(|act| BatchAct::reported_by(act.kind().event()) == Some(*act)));
    }
}
