//! The types of events, as the host's back end receives them.

use strum::VariantArray;

use crate::domain::EventKind;

/// Another history of events begins: mirrors must be read again.
pub const LOG_RESTARTED: &str = "log.restarted";
/// A person was erased.
pub const USER_DELETED: &str = "user.deleted";
/// Somebody's status changed. Sent only to endpoints that ask for it.
pub const USER_PRESENCE: &str = "user.presence";
/// A delivery that an operator asked for.
pub const TEST: &str = "test";

impl EventKind {
    /// The type of its events: the word with a full stop after what it is about, such as `member.joined`.
    pub fn event_type(self) -> String {
        self.as_str().replacen('_', ".", 1)
    }
}

/// Every type, as a list for people and as what may be chosen.
pub fn event_types() -> Vec<String> {
    let of_groups = EventKind::VARIANTS.iter().map(|kind| kind.event_type());
    of_groups.chain([LOG_RESTARTED, USER_DELETED, USER_PRESENCE, TEST].map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_begins_with_what_it_is_about() {
        let types = event_types();
        for (kind, word) in [
            (EventKind::MemberScopeChanged, "member.scope_changed"),
            (EventKind::OwnerTransferred, "owner.transferred"),
            (EventKind::MembersSynced, "members.synced"),
            (EventKind::GroupCreated, "group.created"),
        ] {
            assert_eq!(kind.event_type(), word);
            assert!(types.iter().any(|listed| listed == word));
        }
    }
}
