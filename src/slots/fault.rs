//! What is wrong with a template, and where.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use minijinja::{Error, ErrorKind};

/// A fault of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// The line, when it is known.
    pub line: Option<usize>,
    /// The problem in a sentence.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

impl Fault {
    /// The fault of an error in this file. The innermost error with a line is named: the outer ones name the line of the
    /// include.
    pub(super) fn of(file: &str, error: &Error) -> Fault {
        let mut innermost = error;
        let mut source = error.source();
        while let Some(cause) = source {
            if let Some(inner) = cause.downcast_ref::<Error>().filter(|inner| inner.line().is_some()) {
                innermost = inner;
            }
            source = cause.source();
        }
        let mut problem = innermost.kind().to_string();
        // A template that is not found is named by a value, which may be somebody's name: the log may not hold it.
        let detail = innermost.detail().filter(|_| innermost.kind() != ErrorKind::TemplateNotFound);
        if let Some(detail) = detail {
            problem = format!("{problem}: {detail}");
        }
        Fault { file: innermost.name().unwrap_or(file).to_owned(), line: innermost.line(), problem }
    }
}

/// The count of failures of the template `name`.
fn counter(name: &str) -> metrics::Counter {
    metrics::counter!("chat_group_members_template_failures_total", "template" => name.to_owned())
}

/// Begins the count of each template: an alarm finds the first failure only where the count was 0 before.
pub(super) fn count_from_zero(names: &[String]) {
    names.iter().for_each(|name| counter(name).increment(0));
}

/// The failures of templates while they render: each is counted, and the first of a template is logged.
#[derive(Default)]
pub(super) struct Failures(Mutex<BTreeSet<String>>);

impl Failures {
    /// Counts a failure of the template `name`; `why` is a phrase about it, `None` when it was logged before.
    pub(super) fn note(&self, name: &str, why: Option<impl fmt::Display>) {
        counter(name).increment(1);
        let is_first = || self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        if let Some(why) = why.filter(|_| is_first()) {
            tracing::warn!("template {why}; the built-in view is shown instead");
        }
    }
}
