//! A person and their relation to a group: profile, membership and what limits them.

use crate::domain::{
    HeldMembership, Member, Membership, Muted, PersonState, Restriction, Restrictions, Standing, TemporaryScope, Uid,
};

/// A person and their relation to a group.
#[derive(Debug, Clone)]
pub struct Person {
    /// The person.
    pub uid: Uid,
    /// Their profile, when the host or a token has reported one.
    pub profile: Option<Profile>,
    /// The membership of a member.
    pub membership: Option<Membership>,
    /// The ban in force.
    pub ban: Option<Restriction>,
    /// The mute in force.
    pub mute: Option<Restriction>,
    /// Whether the scope of a member has ended and is not taken back yet.
    pub scope_is_over: bool,
    /// Whether the end of a scope is stored. It may belong to an earlier scope: versions without such ends change scopes and leave the
    /// stored end as it is.
    pub has_end: bool,
}

/// The name and picture of a user.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The name as given.
    pub name: String,
    /// The picture, a URL.
    pub avatar: Option<String>,
    /// The key by which the name sorts.
    pub sort_key: String,
}

impl Person {
    /// Their standing, by which the rules decide.
    pub fn standing(&self) -> Standing {
        match (&self.membership, &self.ban) {
            (Some(Membership { temporary: Some(temporary), .. }), _) if self.scope_is_over => {
                Standing::Member(temporary.lasting)
            }
            (Some(membership), _) => Standing::Member(membership.scope),
            (None, Some(_)) => Standing::Banned,
            (None, None) => Standing::Outside,
        }
    }

    /// All that an act can change about them.
    pub fn state(&self) -> PersonState {
        let held = self.membership.map(|Membership { scope, joined_at, .. }| HeldMembership { scope, joined_at });
        PersonState { held, restrictions: self.restrictions() }
    }

    /// When the scope of a member ends, while it has not.
    pub fn temporary(&self) -> Option<TemporaryScope> {
        self.membership.and_then(|membership| membership.temporary).filter(|_| !self.scope_is_over)
    }

    /// The restrictions on them.
    pub fn restrictions(&self) -> Restrictions {
        let nameless = |restriction: &Restriction| Restriction { name: None, ..restriction.clone() };
        Restrictions {
            ban: self.ban.as_ref().map(nameless),
            mute: self.mute.as_ref().map(nameless),
            temporary: self.membership.and_then(|membership| membership.temporary),
        }
    }

    /// The name, or the uid when no name is stored.
    pub fn name(&self) -> &str {
        self.profile.as_ref().map_or(self.uid.as_str(), |profile| &profile.name)
    }

    /// The member, if they are one.
    pub fn member(&self) -> Option<Member> {
        let Profile { name, avatar, sort_key } = self.profile.as_ref()?;
        let member = Member::new(&self.uid, name, sort_key, avatar.as_deref(), self.membership?);
        Some(match self.mute.as_ref().and_then(muted) {
            None => member,
            muted => member.with_muted(muted),
        })
    }
}

/// The end and message of a mute, as the muted person may know it.
pub(in crate::store) fn muted(mute: &Restriction) -> Option<Muted<'_>> {
    Some(Muted { until: mute.until?, message: mute.message.as_deref() })
}
