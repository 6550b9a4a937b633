//! The findings of checks.

/// One row, or one part of the schema, that breaks an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The group it is about; empty when it is about none.
    pub group: String,
    /// The person it is about; empty when it is about none.
    pub uid: String,
    /// The problem in words.
    pub detail: String,
}

/// An invariant that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// Its name in reports and in `docs/doctor.md`.
    pub name: &'static str,
    /// How an operator mends what breaks it.
    pub mend: &'static str,
}

/// The findings of one check.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The check.
    pub check: Check,
    /// How many there are.
    pub total: u64,
    /// The first of them.
    pub listed: Vec<Finding>,
    /// The reason why the check could not be made, if so: the schema lacks a table or column that it reads.
    pub skipped: Option<String>,
    /// Most findings that are listed; the others are counted.
    pub(super) most: usize,
}

impl Findings {
    /// None yet, of which this many will be listed at most.
    pub(super) fn of(check: Check, most: usize) -> Findings {
        Findings { check, total: 0, listed: Vec::new(), skipped: None, most }
    }

    /// Adds one.
    pub(super) fn add(&mut self, group: &str, uid: &str, detail: impl Into<String>) {
        self.total += 1;
        if self.listed.len() < self.most {
            self.listed.push(Finding { group: group.to_owned(), uid: uid.to_owned(), detail: detail.into() });
        }
    }
}
