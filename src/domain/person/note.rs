//! Notes: what staff write down about somebody, for staff.

use std::borrow::Cow;

use crate::domain::{Uid, shown};

/// Longest note, in characters.
pub const MAX_NOTE: usize = 2_000;

/// Most notes about one person in a group.
pub const MAX_NOTES: usize = 100;

/// A note about somebody in a group, who may have left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonNote {
    /// The number of the event that added it.
    pub id: u64,
    /// Its text.
    pub text: String,
    /// Its author.
    pub by: Uid,
    /// Their name now; `None` when it is not known.
    pub by_name: Option<String>,
    /// When, Unix milliseconds.
    pub at: i64,
}

impl PersonNote {
    /// The name of the author as people read it; the uid when it is not known.
    pub fn author(&self) -> Cow<'_, str> {
        shown(self.by_name.as_deref().unwrap_or(self.by.as_str()), self.by.as_str())
    }
}
