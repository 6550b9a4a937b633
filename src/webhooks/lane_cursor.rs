//! How far a lane is delivered to an endpoint by this node, shared by the task that sends and by the one that writes positions.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::store::{ClaimedLane, Lane, LaneProgress};

/// How far a lane is delivered, and the lease under which this node delivers it.
pub(super) struct LaneCursor {
    pub(super) lane: Lane,
    /// The last event that the endpoint has or that was skipped.
    seq: AtomicU64,
    /// Events that were given up and are not written yet.
    dead: AtomicU64,
    /// Tries of the next event that failed.
    pub(super) attempts: AtomicU32,
    /// The time since which it fails, Unix milliseconds; 0 when it does not.
    pub(super) failing_since: i64,
    /// The position when the lane was claimed, and when its next event was due then, Unix milliseconds.
    claimed: (u64, i64),
    /// The last event of a replay; 0 for none.
    pub(super) replay_seq: u64,
    /// When the replay was asked for, from which its lifetime counts; Unix milliseconds.
    pub(super) replay_at: i64,
    /// The end of the lease on the position, Unix milliseconds; 0 when it was lost.
    lease_until: AtomicI64,
    /// The last event that was delivered, and the history of events it belongs to.
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    epoch: Option<String>,
    event: Option<(u64, String)>,
}

impl LaneCursor {
    /// The cursor of a lane that was claimed until `lease_until`, Unix milliseconds.
    pub(super) fn new(claimed: ClaimedLane, lease_until: i64) -> LaneCursor {
        let ClaimedLane { lane, seq, attempts, failing_since, due_at, replay_seq, replay_at } = claimed;
        LaneCursor {
            lane,
            seq: AtomicU64::new(seq),
            dead: AtomicU64::new(0),
            attempts: AtomicU32::new(attempts),
            failing_since,
            claimed: (seq, due_at),
            replay_seq,
            replay_at,
            lease_until: AtomicI64::new(lease_until),
            last: Mutex::default(),
        }
    }

    /// The last event that the endpoint has or that was skipped.
    pub(super) fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }

    /// When the next event was due that is tried now, Unix milliseconds, once the position is written: one behind an event that was
    /// delivered is due at once.
    pub(super) fn tried_due_at(&self) -> i64 {
        let (claimed_seq, due_at) = self.claimed;
        if self.seq() == claimed_seq { due_at } else { 0 }
    }

    /// The endpoint has this event, or it was skipped.
    pub(super) fn pass(&self, seq: u64, id: &str) {
        self.last().event = Some((seq, id.to_owned()));
        self.move_to(seq);
    }

    /// There are no events up to this one any more.
    pub(super) fn skip(&self, seq: u64) {
        self.seq.store(seq, Ordering::Release);
    }

    /// The events up to this one are given up.
    pub(super) fn give_up(&self, seq: u64) {
        self.dead.fetch_add(seq - self.seq(), Ordering::AcqRel);
        self.move_to(seq);
    }

    /// The failures were those of an event that is over.
    fn move_to(&self, seq: u64) {
        self.attempts.store(0, Ordering::Release);
        self.seq.store(seq, Ordering::Release);
    }

    /// Notes the history of events that was read; `false` when it is another than before.
    pub(super) fn is_of(&self, epoch: &str) -> bool {
        self.last().epoch.get_or_insert_with(|| epoch.to_owned()) == epoch
    }

    /// Whether the log has another event where this one was delivered.
    pub(super) fn contradicts(&self, seq: u64, id: Option<&str>) -> bool {
        let last = self.last();
        last.event.as_ref().zip(id).is_some_and(|((known, delivered), id)| *known == seq && delivered != id)
    }

    /// The history of events that was read last.
    pub(super) fn epoch(&self) -> Option<String> {
        self.last().epoch.clone()
    }

    /// Whether the position is held at this time, Unix milliseconds.
    pub(super) fn is_held(&self, now: i64) -> bool {
        now < self.lease_until.load(Ordering::Acquire)
    }

    /// The end of the lease on the position, Unix milliseconds.
    pub(super) fn lease_until(&self) -> i64 {
        self.lease_until.load(Ordering::Acquire)
    }

    /// The position is held until then, Unix milliseconds; 0 when it was lost.
    pub(super) fn set_lease(&self, until: i64) {
        self.lease_until.store(until, Ordering::Release);
    }

    /// The progress to write.
    pub(super) fn progress(&self) -> LaneProgress {
        LaneProgress { lane: self.lane.clone(), seq: self.seq(), dead: self.dead.load(Ordering::Acquire) }
    }

    /// This progress was written: events that it counts as given up are not counted again.
    pub(super) fn progress_written(&self, progress: &LaneProgress) {
        self.dead.fetch_sub(progress.dead, Ordering::AcqRel);
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
