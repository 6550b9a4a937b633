//! How somebody stands in a group at a moment, as this node has it in memory.

use crate::domain::{Standing, Uid};
use crate::live::GroupState;

/// The person's standing at `now`, milliseconds since the epoch: from its end on, also before the sweep, a scope for a time is the
/// lasting one.
pub(crate) fn standing_at(state: &GroupState, uid: &Uid, now: i64) -> Standing {
    let member = state.roster().get(uid.as_str());
    member.map_or_else(|| state.standing(uid), |member| Standing::Member(member.scope_at(now)))
}
