//! People in ranges, so that no statement takes long.

/// Some of the people of a sync, or of a group, in the order of their uids: those after the first uid up to the
/// second one.
#[derive(Debug, Clone)]
pub struct UidRange {
    after: String,
    until: String,
}

impl UidRange {
    /// Most people of a range: bounds how long one statement takes.
    pub const SIZE: u64 = 10_000;
    /// Greater than every uid.
    const END: &str = "~";

    /// The position before the first range.
    pub fn start() -> UidRange {
        UidRange { after: String::new(), until: String::new() }
    }

    /// The range of all.
    pub(in crate::store) fn everybody() -> UidRange {
        UidRange { after: String::new(), until: UidRange::END.into() }
    }

    /// Whether there is nobody after it.
    pub fn is_last(&self) -> bool {
        self.until == UidRange::END
    }

    /// The uid after which it begins, and the one with which it ends.
    pub(in crate::store) fn bounds(&self) -> (&str, &str) {
        (&self.after, &self.until)
    }

    /// As [`UidRange::bounds`], owned.
    pub(in crate::store) fn into_bounds(self) -> (String, String) {
        (self.after, self.until)
    }

    /// The range after this one, which ends with `last`, or with the last of all.
    pub(in crate::store) fn next(&self, last: Option<String>) -> UidRange {
        UidRange { after: self.until.clone(), until: last.unwrap_or_else(|| UidRange::END.into()) }
    }
}
