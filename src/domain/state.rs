//! How a person stands in a group, and what puts them back.

use super::{Ban, Restrictions, Scope, Standing};

/// What a membership is, apart from who holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// What they are in the group.
    pub scope: Scope,
    /// When they became a member, seconds since the epoch.
    pub joined_at: i64,
}

/// How a person stands in a group: all that an act can change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PersonState {
    /// The membership of a member.
    pub held: Option<Held>,
    /// What keeps them out.
    pub restrictions: Restrictions,
}

/// What puts a person back as they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutBack {
    /// Nothing does: what was has ended by now.
    Nothing,
    /// They are a member again, with the date on which they had joined.
    Readmit(Held),
    /// A member has the scope again that they had.
    Rescope(Scope),
    /// They are banned again, on the terms of before.
    Ban(Ban),
    /// They are banned no more.
    Unban,
}

impl PersonState {
    /// What the rules decide by.
    pub fn standing(&self) -> Standing {
        match (self.held, &self.restrictions.ban) {
            (Some(held), _) => Standing::Member(held.scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// What leads from here to how they stood `before`, as of `now` (milliseconds since the epoch).
    pub fn put_back(&self, before: &PersonState, now: i64) -> PutBack {
        match (before.held, self.held) {
            (Some(before), None) => return PutBack::Readmit(before),
            (Some(before), Some(held)) if before.scope != held.scope => return PutBack::Rescope(before.scope),
            (Some(_), Some(_)) => return PutBack::Nothing,
            (None, _) => {}
        }
        match (before.restrictions.at(now).ban, &self.restrictions.ban) {
            (Some(before), Some(ban)) if before == *ban => PutBack::Nothing,
            (Some(before), _) => PutBack::Ban(before),
            (None, Some(_)) => PutBack::Unban,
            (None, None) => PutBack::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(scope: Scope) -> PersonState {
        PersonState { held: Some(Held { scope, joined_at: 7 }), restrictions: Restrictions::default() }
    }

    fn banned(reason: &str, until: Option<i64>) -> PersonState {
        let uid = "dee".parse().unwrap();
        let ban = Ban { uid, name: None, reason: Some(reason.into()), message: None, until, by: None, at: 1 };
        PersonState { held: None, restrictions: Restrictions { ban: Some(ban) } }
    }

    fn outside() -> PersonState {
        PersonState::default()
    }

    #[test]
    fn whoever_was_put_out_is_a_member_again_as_they_were() {
        let before = member(Scope::Moderator);
        let readmitted = PutBack::Readmit(Held { scope: Scope::Moderator, joined_at: 7 });
        assert_eq!(outside().put_back(&before, 5), readmitted);
        assert_eq!(banned("rude", None).put_back(&before, 5), readmitted);
        assert_eq!(member(Scope::Participant).put_back(&before, 5), PutBack::Rescope(Scope::Moderator));
        assert_eq!(before.put_back(&before, 5), PutBack::Nothing);
    }

    #[test]
    fn a_ban_comes_back_with_its_terms_unless_it_would_have_ended() {
        let before = banned("rude", Some(9));
        let ban = before.restrictions.ban.clone().unwrap();
        assert_eq!(outside().put_back(&before, 8), PutBack::Ban(ban.clone()));
        assert_eq!(banned("loud", None).put_back(&before, 8), PutBack::Ban(ban));
        assert_eq!(outside().put_back(&before, 9), PutBack::Nothing);
        assert_eq!(banned("loud", None).put_back(&before, 9), PutBack::Unban);
        assert_eq!(banned("loud", None).put_back(&outside(), 0), PutBack::Unban);
        assert_eq!(outside().put_back(&outside(), 0), PutBack::Nothing);
    }
}
