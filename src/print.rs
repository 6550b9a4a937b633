//! What commands and the start of the service print. A reader that has gone, as in `… | head -3`, or a full disk
//! behind `>` makes nothing panic and undoes nothing.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// A line of a command's result could not be written, and somebody still waits for it.
static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);

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

/// Writes a line to standard output. What fails, but for a reader that wants no more, is said once on standard error,
/// and [`is_incomplete`] from then on.
pub fn write_line(words: Arguments<'_>) {
    let Err(error) = writeln!(stdout(), "{words}") else { return };
    if error.kind() != ErrorKind::BrokenPipe && !IS_INCOMPLETE.swap(true, Ordering::Relaxed) {
        write_note(format_args!("the result cannot be printed: {error}"));
    }
}

/// Writes a line to standard error, where that can be done: nobody is left to hear that it cannot.
pub fn write_note(words: Arguments<'_>) {
    let _ = writeln!(stderr(), "{words}");
}

/// Whether part of the result could not be printed. Whoever asked for it should not take it for the whole.
pub fn is_incomplete() -> bool {
    IS_INCOMPLETE.load(Ordering::Relaxed)
}
