//! People: what they are called, which scope and restrictions they have, and how they are sorted and found.
//!
//! Not here: their ids (`id.rs`), what may be done to them (`acts/`, `rules/`), and what was done (`log/`).

mod avatar;
mod member;
mod name;
mod note;
mod restrictions;
mod scope;
mod search;
mod section;
mod standing;
mod status;

pub use avatar::{hue, initials, is_shown};
pub use member::{Member, Membership, Muted, OrderKey};
pub use name::{InvalidName, Name, fold, fold_for_order, is_seen, shown, sort_key};
pub use note::{MAX_NOTE, MAX_NOTES, PersonNote};
pub use restrictions::{Restriction, RestrictionPlace, Restrictions, TemporaryScope};
pub use scope::Scope;
pub use search::Search;
pub use section::{Section, SectionCounts};
pub use standing::Standing;
pub use status::Status;
