//! Telling audiences what is new: rows as they change, statuses as they do.

use std::collections::HashSet;
use std::sync::{Arc, RwLockReadGuard};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::audience::Audience;
use super::hub::Hub;
use super::presence::Attendance;
use super::room::Room;
use super::state::State;
use crate::domain::{Ending, PresenceMode, Uid};
use crate::roster::Presence;

/// After telling an audience, so long nothing is told: what comes meanwhile shares a message.
const TICK: Duration = Duration::from_millis(30);
/// How long statuses wait in groups with many people online.
const STATUSES: Duration = Duration::from_secs(5);

impl Hub {
    /// Somebody's stream is open as long as the answer lives.
    pub fn attend(&self, uid: &Uid) -> Attendance {
        let there = self.presences().attend(uid);
        self.tell_status_of(uid);
        there
    }

    /// The host says whether somebody is there.
    pub fn host_says(&self, uid: &Uid, online: bool) {
        self.presences().host_says(uid, online);
        self.tell_status_of(uid);
    }

    /// Tells every stream that views are drawn in another way than before.
    pub fn views_changed(&self) {
        self.loaded().iter().for_each(|room| room.views_changed());
    }

    /// Tells an audience what is new. Statuses wait, unless `statuses_too`. What it returns is the
    /// state that everybody has been told of: nothing happens while it is held.
    pub(super) fn flush<'r>(
        &self,
        room: &'r Room,
        audience: &mut Audience,
        statuses_too: bool,
    ) -> RwLockReadGuard<'r, State> {
        let (news, state) = room.take_news(statuses_too);
        if state.is_deleted() {
            audience.end_all(&state, Ending::Deleted);
        } else if !news.is_empty() {
            audience.tell(&state, &news);
        }
        state
    }

    /// Starts telling an audience, unless that runs already; ends when it is empty.
    pub(super) fn serve(&self, room: &Arc<Room>, audience: &mut Audience) {
        if !std::mem::replace(&mut audience.served, true) {
            self.spawn(self.clone().tell_forever(room.clone()));
        }
    }

    async fn tell_forever(self, room: Arc<Room>) {
        let mut statuses_at = Instant::now();
        loop {
            tokio::select! {
                () = room.wake.notified() => {}
                () = sleep(STATUSES) => {}
            }
            // After a pause the log may have gone on: nothing is told before it is known.
            self.fresh().known().await;
            let live_statuses = room.state().presence_mode() == PresenceMode::Rows;
            let statuses_too = live_statuses || statuses_at.elapsed() >= STATUSES;
            if statuses_too {
                statuses_at = Instant::now();
            }
            {
                let mut audience = room.audience();
                drop(self.flush(&room, &mut audience, statuses_too));
                if audience.len() == 0 {
                    audience.served = false;
                    return;
                }
            }
            sleep(TICK).await;
        }
    }

    fn tell_status_of(&self, uid: &Uid) {
        if self.fresh().is_known()
            && let Some(presence) = self.presences().change_of(uid)
        {
            self.tell(&[(uid.clone(), presence)]);
        }
    }

    /// Notes on every group whose status is another than before. A node that does not know the
    /// present says nothing new, not even of itself.
    pub(super) fn tell_statuses(&self) {
        if self.fresh().is_known() {
            self.tell(&self.presences().changes());
        }
    }

    /// Has screens told these statuses once more.
    pub(super) fn tell_again(&self, uids: &HashSet<Uid>) {
        if !uids.is_empty() {
            self.loaded().iter().for_each(|room| room.tell_again(uids));
        }
    }

    fn tell(&self, changes: &[(Uid, Presence)]) {
        if changes.is_empty() {
            return;
        }
        self.presences().note_told(changes);
        for room in self.loaded() {
            for (uid, presence) in changes {
                room.set_status(uid, *presence);
            }
        }
    }
}
