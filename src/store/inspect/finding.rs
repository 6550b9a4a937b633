//! The findings of checks.

/// Most findings of one check that are listed; the others are counted.
pub(super) const LISTED: usize = 20;

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
}

impl Findings {
    /// None yet.
    pub(super) fn of(check: Check) -> Findings {
        Findings { check, total: 0, listed: Vec::new(), skipped: None }
    }

    /// Adds one.
    pub(super) fn add(&mut self, group: &str, uid: &str, detail: impl Into<String>) {
        self.total += 1;
        if self.listed.len() < LISTED {
            self.listed.push(Finding { group: group.to_owned(), uid: uid.to_owned(), detail: detail.into() });
        }
    }
}
