//! What commands and the start of the service print. A reader that has gone, as in `… | head -3`, or a full disk
//! behind `>` makes nothing panic and undoes nothing.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::clock::Clock;

/// A line of a command's result could not be written, and somebody still waits for it.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);
/// Standard error is a log in JSON: its readers expect JSON in every line.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Prints a line of a command's result, like `println!`.
macro_rules! line {
    ($($part:tt)*) => {
        $crate::print::write_line(format_args!($($part)*))
    };
}

/// Prints a sentence beside the result, like `eprintln!`.
macro_rules! note {
    ($($part:tt)*) => {
        $crate::print::write_note(format_args!($($part)*))
    };
}

pub(crate) use {line, note};

/// Writes a line to standard output. A failure, but for a reader that wants no more, is reported once on standard
/// error, and by [`is_incomplete`] from then on.
pub fn write_line(words: Arguments<'_>) {
    let Err(error) = writeln!(stdout(), "{words}") else { return };
    if error.kind() != ErrorKind::BrokenPipe && !IS_INCOMPLETE.swap(true, Ordering::Relaxed) {
        write_failure(format_args!("the result cannot be printed: {error}"));
    }
}

/// Writes a line to standard error. A failure is ignored: there is no other place to report it.
pub fn write_note(words: Arguments<'_>) {
    write_beside("INFO", words);
}

/// Like [`write_note`], for the reason why a command, or a part of it, could not be done.
pub fn write_failure(words: Arguments<'_>) {
    write_beside("ERROR", words);
}

/// From now on each sentence has the form of a line of the log in JSON. No filter of the log hides it.
pub(crate) fn write_notes_as_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

fn write_beside(level: &'static str, words: Arguments<'_>) {
    let mut line = if IS_JSON.load(Ordering::Relaxed) { json_line(level, words) } else { words.to_string() };
    line.push('\n');
    let _ = stderr().write_all(line.as_bytes());
}

/// A sentence in the form of a line that `tracing_subscriber` writes as JSON.
fn json_line(level: &'static str, words: Arguments<'_>) -> String {
    #[derive(Serialize)]
    struct Line {
        timestamp: String,
        level: &'static str,
        fields: Fields,
        target: &'static str,
    }
    #[derive(Serialize)]
    struct Fields {
        message: String,
    }
    let now = jiff::Timestamp::from_millisecond(Clock::default().own()).unwrap_or_default();
    let fields = Fields { message: words.to_string() };
    let line = Line { timestamp: format!("{now:.6}"), level, fields, target: "chat_group_members" };
    serde_json::to_string(&line).expect("a struct of texts is JSON")
}

/// Whether part of the result could not be printed. The caller should not take it for the whole.
pub fn is_incomplete() -> bool {
    IS_INCOMPLETE.load(Ordering::Relaxed)
}
