//! What keeps somebody out of a group.

use super::Ban;

/// What keeps somebody out of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restrictions {
    /// The ban in force.
    pub ban: Option<Ban>,
}

impl Restrictions {
    /// Whether nothing does.
    pub fn is_empty(&self) -> bool {
        self.ban.is_none()
    }

    /// Those that are still in force at `now`, milliseconds since the epoch.
    pub fn at(&self, now: i64) -> Restrictions {
        Restrictions { ban: self.ban.clone().filter(|ban| ban.until.is_none_or(|until| until > now)) }
    }
}
