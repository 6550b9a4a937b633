//! A person's state in a group, the change that a rule makes of it, and the one that restores an earlier state.

use crate::domain::{Restriction, Restrictions, Scope, Standing, TemporaryScope};

/// A membership, apart from who holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldMembership {
    /// Their scope in the group.
    pub scope: Scope,
    /// When they became a member, Unix seconds.
    pub joined_at: i64,
}

/// A person's state in a group: all that an act can change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PersonState {
    /// The membership of a member.
    pub held: Option<HeldMembership>,
    /// The restrictions on them.
    pub restrictions: Restrictions,
}

/// The change that a rule decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is already so: no event, and the answer is yes.
    Nothing,
    /// The target stops being a member.
    Remove,
    /// The target stops being a member, if they are one, and may not come back.
    Ban,
    /// The target may come back.
    Unban,
    /// The target may not speak.
    Mute,
    /// The target may speak again.
    Unmute,
    /// The target's scope becomes this one, with this end.
    SetScope(Scope, Option<TemporaryScope>),
    /// The target becomes owner, and the owner before, if there is one, admin.
    Transfer,
    /// The actor becomes a participant.
    Join,
}

/// The change that restores a person's earlier state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutBack {
    /// No change: what would be restored has ended by now.
    Nothing,
    /// They are a member again, with the date on which they had joined, and the end of their scope.
    Readmit(HeldMembership, Option<TemporaryScope>),
    /// A member has the scope again that they had, and its end.
    Rescope(Scope, Option<TemporaryScope>),
    /// They are banned again, on the earlier terms.
    Ban(Restriction),
    /// They are banned no more.
    Unban,
    /// They are muted again, on the earlier terms.
    Mute(Restriction),
    /// They are muted no more.
    Unmute,
}

impl PersonState {
    /// The standing at `now` (Unix milliseconds), by which the rules decide.
    pub fn standing_at(&self, now: i64) -> Standing {
        match (self.scope_at(now), &self.restrictions.ban) {
            (Some((scope, _)), _) => Standing::Member(scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// The change from this state to the state `before`, as of `now` (Unix milliseconds).
    pub fn put_back(&self, before: &PersonState, now: i64) -> PutBack {
        let restrictions = before.restrictions.at(now);
        let (scope, temporary) = before.scope_at(now).unzip();
        match (before.held.zip(scope), self.held) {
            (Some((before, scope)), None) => {
                return PutBack::Readmit(HeldMembership { scope, ..before }, temporary.flatten());
            }
            (Some((_, scope)), Some(_)) => {
                let temporary = temporary.flatten();
                // The temporary scope of the present state may have ended without having been taken back yet.
                if Some((scope, temporary)) != self.scope_at(now) {
                    return PutBack::Rescope(scope, temporary);
                }
            }
            (None, _) => match change(restrictions.ban, &self.restrictions.ban) {
                Some(Some(ban)) => return PutBack::Ban(ban),
                Some(None) => return PutBack::Unban,
                None => {}
            },
        }
        match change(restrictions.mute, &self.restrictions.mute) {
            Some(Some(mute)) => PutBack::Mute(mute),
            Some(None) => PutBack::Unmute,
            None => PutBack::Nothing,
        }
    }

    /// The scope of a member at `now`, and its end; one that has ended by then is the lasting one.
    fn scope_at(&self, now: i64) -> Option<(Scope, Option<TemporaryScope>)> {
        let scope = self.held?.scope;
        Some(match self.restrictions.temporary {
            Some(temporary) if temporary.until <= now => (temporary.lasting, None),
            temporary => (scope, temporary),
        })
    }
}

/// The value to set to restore the earlier restriction (`None` inside: no restriction); `None` when it is the same.
fn change(before: Option<Restriction>, now: &Option<Restriction>) -> Option<Option<Restriction>> {
    (before != *now).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(scope: Scope) -> PersonState {
        PersonState { held: Some(HeldMembership { scope, joined_at: 7 }), restrictions: Restrictions::default() }
    }

    fn banned(reason: &str, until: Option<i64>) -> PersonState {
        let uid = "dee".parse().unwrap();
        let ban = Restriction { uid, name: None, reason: Some(reason.into()), message: None, until, by: None, at: 1 };
        PersonState { held: None, restrictions: Restrictions { ban: Some(ban), ..Restrictions::default() } }
    }

    fn outside() -> PersonState {
        PersonState::default()
    }

    #[test]
    fn whoever_was_put_out_is_a_member_again_as_they_were() {
        let before = member(Scope::Moderator);
        let readmitted = PutBack::Readmit(HeldMembership { scope: Scope::Moderator, joined_at: 7 }, None);
        assert_eq!(outside().put_back(&before, 5), readmitted);
        assert_eq!(banned("rude", None).put_back(&before, 5), readmitted);
        assert_eq!(member(Scope::Participant).put_back(&before, 5), PutBack::Rescope(Scope::Moderator, None));
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

    #[test]
    fn a_mute_comes_back_with_its_terms_unless_it_would_have_ended() {
        let mute = banned("rude", Some(9)).restrictions.ban;
        let muted = |mute: &Option<Restriction>| PersonState {
            restrictions: Restrictions { mute: mute.clone(), ..Restrictions::default() },
            ..member(Scope::Participant)
        };
        let (free, silent) = (member(Scope::Participant), muted(&mute));
        assert_eq!(free.put_back(&silent, 8), PutBack::Mute(mute.clone().unwrap()));
        assert_eq!(free.put_back(&silent, 9), PutBack::Nothing);
        assert_eq!(silent.put_back(&free, 8), PutBack::Unmute);
        assert_eq!(silent.put_back(&silent, 8), PutBack::Nothing);
    }

    #[test]
    fn a_scope_comes_back_with_its_end_and_as_the_lasting_one_after_it() {
        let until_nine = Some(TemporaryScope { lasting: Scope::Participant, until: 9 });
        let before = PersonState {
            restrictions: Restrictions { temporary: until_nine, ..Restrictions::default() },
            ..member(Scope::Moderator)
        };
        let back = |scope| HeldMembership { scope, joined_at: 7 };
        assert_eq!(outside().put_back(&before, 8), PutBack::Readmit(back(Scope::Moderator), until_nine));
        assert_eq!(outside().put_back(&before, 9), PutBack::Readmit(back(Scope::Participant), None));
        let lasting = member(Scope::Moderator);
        assert_eq!(lasting.put_back(&before, 8), PutBack::Rescope(Scope::Moderator, until_nine));
        assert_eq!(lasting.put_back(&before, 9), PutBack::Rescope(Scope::Participant, None));
        assert_eq!(before.put_back(&lasting, 8), PutBack::Rescope(Scope::Moderator, None));
    }

    #[test]
    fn a_mute_is_put_back_also_when_a_scope_has_ended_that_is_still_to_be_taken_back() {
        let until_nine = Some(TemporaryScope { lasting: Scope::Participant, until: 9 });
        let before = PersonState {
            restrictions: Restrictions { temporary: until_nine, ..Restrictions::default() },
            ..member(Scope::Moderator)
        };
        let mute = banned("rude", None).restrictions.ban;
        let restrictions = Restrictions { mute, ..before.restrictions.clone() };
        let muted = PersonState { restrictions, ..before.clone() };
        assert_eq!(muted.put_back(&before, 9), PutBack::Unmute);
    }

    #[test]
    fn a_standing_is_the_lasting_one_from_the_end_of_a_scope_on() {
        let until_nine = Some(TemporaryScope { lasting: Scope::Participant, until: 9 });
        let member = PersonState {
            restrictions: Restrictions { temporary: until_nine, ..Restrictions::default() },
            ..member(Scope::Moderator)
        };
        assert_eq!(member.standing_at(8), Standing::Member(Scope::Moderator));
        assert_eq!(member.standing_at(9), Standing::Member(Scope::Participant));
        assert_eq!(banned("rude", None).standing_at(9), Standing::Banned);
        assert_eq!(outside().standing_at(9), Standing::Outside);
    }
}
