//! What is wrong with a template, and where.

use std::error::Error as _;
use std::fmt;

use minijinja::Error;

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
        if let Some(detail) = innermost.detail() {
            problem = format!("{problem}: {detail}");
        }
        Fault { file: innermost.name().unwrap_or(file).to_owned(), line: innermost.line(), problem }
    }
}
