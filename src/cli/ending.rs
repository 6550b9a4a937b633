//! The end of a command by a signal.

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};

/// Exit code of a process that a signal has ended, as shells count: this and the number of the signal.
const ENDED_BY_SIGNAL: i32 = 128;

/// Has SIGTERM and Ctrl-C end this process at once. The first process of a container ignores signals without a handler.
/// The database rolls back what was not committed; what was, such as the repairs of `doctor --mend` so far, stays.
///
/// # Errors
/// When a signal cannot be handled.
pub fn end_at_signal() -> anyhow::Result<()> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut signals = signal(kind).context("cannot handle the signals that end a command")?;
        // In a task of its own: a command may block its thread, as one that reads standard input does.
        tokio::spawn(async move {
            if signals.recv().await.is_some() {
                std::process::exit(ENDED_BY_SIGNAL + kind.as_raw_value());
            }
        });
    }
    Ok(())
}
