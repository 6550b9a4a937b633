//! The end of a command by a signal.

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Exit code of a process that a signal has ended, as shells count: this and the number of the signal.
const ENDED_BY_SIGNAL: i32 = 128;

/// Has SIGTERM and Ctrl-C end this process at once, after `last_words`, which print what was done by then. The first process
/// of a container ignores signals without a handler.
/// The database rolls back what was not committed; what was, such as the repairs of `doctor --mend` so far, stays.
///
/// # Errors
/// When a signal cannot be handled.
pub fn end_at_signal(last_words: impl FnOnce() + Clone + Send + 'static) -> anyhow::Result<()> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut signals = signals_of(kind)?;
        let last_words = last_words.clone();
        // In a task of its own: a command may block its thread, as one that reads standard input does.
        tokio::spawn(async move {
            if signals.recv().await.is_some() {
                last_words();
                std::process::exit(exit_code(kind));
            }
        });
    }
    Ok(())
}

/// SIGTERM and Ctrl-C, for a command that has something to do before its end.
#[derive(Debug)]
pub struct EndSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl EndSignals {
    /// Receives them from now on: they do not end the process by themselves any more.
    ///
    /// # Errors
    /// When a signal cannot be handled.
    pub fn receive() -> anyhow::Result<EndSignals> {
        Ok(EndSignals {
            terminate: signals_of(SignalKind::terminate())?,
            interrupt: signals_of(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one. Answers the exit code of a process that it ends.
    pub async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => exit_code(SignalKind::terminate()),
            _ = self.interrupt.recv() => exit_code(SignalKind::interrupt()),
        }
    }
}

fn signals_of(kind: SignalKind) -> anyhow::Result<Signal> {
    signal(kind).context("cannot handle the signals that end a command")
}

fn exit_code(kind: SignalKind) -> i32 {
    ENDED_BY_SIGNAL + kind.as_raw_value()
}
