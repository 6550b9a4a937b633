//! People and their relation to a group: profiles, memberships, bans, mutes, scopes that end, notes; and who was logged out.
//!
//! Not here: changes to many by a list (`sync/`), and what is exported or erased of somebody (`personal_data/`).

pub(super) mod list_restrictions;
pub(super) mod logouts;
mod membership_row;
pub(super) mod memberships;
pub(super) mod notes;
pub(super) mod person;
pub(super) mod person_rows;
pub(super) mod uid_range;
pub(super) mod users;
pub(super) mod write_restrictions;
