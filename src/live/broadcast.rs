//! Sends pending changes to subscribers: changes of members at once, statuses at the pace of the group's presence
//! mode.

use std::collections::HashSet;
use std::sync::{Arc, RwLockReadGuard};
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::group::LiveGroup;
use super::group_state::GroupState;
use super::hub::Hub;
use super::presence::{HostReport, PresenceGuard};
use super::subscribers::Subscribers;
use crate::domain::{PresenceMode, Status, Uid};
use crate::roster::PresenceSnapshot;

/// Least time between two broadcasts of a group; what happens in between shares a message.
const TICK: Duration = Duration::from_millis(30);
/// Time between two broadcasts of statuses in groups with many people online.
const STATUS_INTERVAL: Duration = Duration::from_secs(5);

impl Hub {
    /// Counts a stream of this person as open until the returned value is dropped.
    pub fn track_stream(&self, uid: &Uid) -> PresenceGuard {
        let presence = self.presences().track_stream(uid);
        self.note_status_of(uid);
        presence
    }

    /// Records the host's report about somebody.
    pub fn set_host_report(&self, uid: &Uid, report: HostReport) {
        self.presences().set_host_report(uid, report);
        self.note_status_of(uid);
    }

    /// Records the host's report that somebody is online until its next report, or that they have just left.
    pub fn set_host_presence(&self, uid: &Uid, online: bool) {
        if online {
            self.presences().set_host_report(uid, HostReport { status: Status::Online, until: None });
        } else {
            self.presences().close_host_report(uid);
        }
        self.note_status_of(uid);
    }

    /// Makes every open page render again, after templates changed.
    pub fn templates_changed(&self) {
        self.loaded().iter().for_each(|group| group.templates_changed());
    }

    /// Sends pending changes to subscribers; statuses only with `statuses_too`. Returns the state that everybody has
    /// been sent; it does not change while the guard is held.
    pub(super) fn flush<'r>(
        &self,
        group: &'r LiveGroup,
        subscribers: &mut Subscribers,
        statuses_too: bool,
    ) -> RwLockReadGuard<'r, GroupState> {
        let (pending, state) = group.take_pending(statuses_too);
        let now = self.store().clock().now();
        if state.is_deleted() {
            subscribers.end_with_group(&state, pending, now);
        } else if !pending.is_empty() {
            subscribers.broadcast(&state, &pending, now);
        }
        state
    }

    /// Starts the group's broadcast task unless it runs; the task ends with the last subscriber.
    pub(super) fn ensure_broadcasting(&self, group: &Arc<LiveGroup>, subscribers: &mut Subscribers) {
        if !std::mem::replace(&mut subscribers.is_broadcasting, true) {
            self.spawn(self.clone().broadcast_loop(group.clone()));
        }
    }

    async fn broadcast_loop(self, group: Arc<LiveGroup>) {
        let mut statuses_at = Instant::now();
        loop {
            tokio::select! {
                () = group.pending_added.notified() => {}
                () = sleep_until(statuses_at + STATUS_INTERVAL) => {}
            }
            // After a pause the log may have moved on: nothing is sent until the group is known to be current.
            self.freshness().until_fresh().await;
            let live_statuses = group.state().presence_mode() == PresenceMode::Rows;
            let statuses_too = live_statuses || statuses_at.elapsed() >= STATUS_INTERVAL;
            if statuses_too {
                statuses_at = Instant::now();
            }
            {
                let mut subscribers = group.subscribers();
                drop(self.flush(&group, &mut subscribers, statuses_too));
                if subscribers.len() == 0 {
                    subscribers.is_broadcasting = false;
                    return;
                }
            }
            sleep(TICK).await;
        }
    }

    fn note_status_of(&self, uid: &Uid) {
        if self.freshness().is_fresh()
            && let Some(presence) = self.presences().change_of(uid)
        {
            self.note_statuses(&[(uid.clone(), presence)]);
        }
    }

    /// Notes every changed status on every group. A node that has lost touch with the log sends no
    /// statuses, not even those of its own viewers.
    pub(super) fn note_status_changes(&self) {
        if self.freshness().is_fresh() {
            self.note_statuses(&self.presences().changes());
        }
    }

    /// Sends these statuses again.
    pub(super) fn resend_status(&self, uids: &HashSet<Uid>) {
        if !uids.is_empty() {
            self.loaded().iter().for_each(|group| group.resend_status(uids));
        }
    }

    fn note_statuses(&self, changes: &[(Uid, PresenceSnapshot)]) {
        if changes.is_empty() {
            return;
        }
        self.presences().record_sent(changes);
        for group in self.loaded() {
            group.renew_statuses(changes.iter().map(|(uid, _)| uid), self.presences());
        }
    }
}
