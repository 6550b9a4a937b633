//! The limit of open files of this process (`ulimit -n`). Every connection is one: streams, which stay, must leave
//! some to acts and health checks, and connections that wait for a request leave some to newcomers and to the database.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that streams leave to everything else: one in eight, between these.
const RESERVED: (u64, u64) = (64, 1024);
/// Least time between two log lines about streams that are refused.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Raises the soft limit of open files to the hard one.
pub(crate) fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, ?current, ?maximum, "the limit of open files cannot be raised");
    }
}

/// Whether this process, or the whole system, may open no further file.
pub(crate) fn are_exhausted(error: &io::Error) -> bool {
    Errno::from_io_error(error).is_some_and(|errno| [Errno::MFILE, Errno::NFILE].contains(&errno))
}

/// The room that the limit leaves for a further connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// Connections may stay open without a request.
    Ample,
    /// Few files are left: idle connections are closed, and busy ones after their answer.
    Scarce,
    /// No connection is accepted until one ends: what is left is for the database and whatever else the process opens.
    None,
}

/// The room beside so many open connections, streams included.
pub(crate) fn room_beside(connections: usize) -> Room {
    match getrlimit(Resource::Nofile).current {
        Some(limit) => room_under(limit, connections as u64),
        None => Room::Ample,
    }
}

/// Counts open streams against the limit.
#[derive(Default)]
pub(crate) struct StreamSlots {
    open: AtomicU64,
    logged: Mutex<Option<Instant>>,
}

/// The place of one stream; dropped with it.
pub(crate) struct StreamSlot(Arc<StreamSlots>);

impl StreamSlots {
    /// A place for one more stream; `None` when the limit of open files leaves none, which is logged once a minute.
    pub(crate) fn take(self: &Arc<Self>) -> Option<StreamSlot> {
        let limit = getrlimit(Resource::Nofile).current;
        let open = self.open.fetch_add(1, Ordering::Relaxed);
        let slot = StreamSlot(self.clone());
        match limit {
            Some(limit) if open >= most_streams(limit) => {
                if self.is_log_due(Instant::now()) {
                    tracing::warn!(
                        open,
                        limit,
                        "streams are refused: this process may open {limit} files, and the rest are for acts and \
                         health checks; set LimitNOFILE in its systemd unit (or `ulimit -Hn`) to about 1.3 times the \
                         streams you expect"
                    );
                }
                None
            }
            _ => Some(slot),
        }
    }

    /// Whether a stream that is refused at `now` is logged.
    fn is_log_due(&self, now: Instant) -> bool {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = logged.is_none_or(|at| now.duration_since(at) >= LOG_INTERVAL);
        if is_due {
            *logged = Some(now);
        }
        is_due
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number of streams that may be open under this limit.
fn most_streams(limit: u64) -> u64 {
    limit - reserved(limit)
}

/// The room beside so many connections under this limit: those without a request get none of the files that streams leave, and
/// all of them together a half.
fn room_under(limit: u64, connections: u64) -> Room {
    if connections < most_streams(limit) {
        Room::Ample
    } else if connections < most_streams(limit) + reserved(limit) / 2 {
        Room::Scarce
    } else {
        Room::None
    }
}

fn reserved(limit: u64) -> u64 {
    let (least, most) = RESERVED;
    (limit / 8).clamp(least, most).min(limit / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_leave_files_to_everything_else() {
        for (limit, streams) in [(64, 32), (240, 176), (1024, 896), (65_536, 64_512), (1, 1), (0, 0)] {
            assert_eq!(most_streams(limit), streams, "of {limit}");
        }
    }

    #[test]
    fn connections_leave_files_to_newcomers_and_these_to_the_database() {
        for (limit, scarce, none) in [(64, 32, 48), (240, 176, 208), (1024, 896, 960), (65_536, 64_512, 65_024)] {
            let rooms = [scarce - 1, scarce, none - 1, none].map(|open| room_under(limit, open));
            assert_eq!(rooms, [Room::Ample, Room::Scarce, Room::Scarce, Room::None], "of {limit}");
        }
    }

    #[test]
    fn refused_streams_are_logged_once_a_minute_at_most() {
        let (slots, begun) = (StreamSlots::default(), Instant::now());
        let logged: Vec<u64> = (0..150).filter(|&s| slots.is_log_due(begun + Duration::from_secs(s))).collect();
        assert_eq!(logged, [0, 60, 120]);
    }
}
