//! How a stream begins: register, say what was missed, go live. Never an id that was not delivered.

use std::sync::Arc;

use super::audience::{Listener, View};
use super::hub::Hub;
use super::news::Backlog;
use super::presence::Attendance;
use super::room::Room;
use crate::domain::{EventId, Guid, Logged, Uid};
use crate::store::StoreError;

/// Events that are told one by one to somebody who comes back, as many as the contract promises;
/// for more they look again.
const MISSED: usize = 10_000;
/// How often it is tried to meet the present before saying "look again".
const TRIES: usize = 4;

/// A stream that has begun.
pub struct Joined {
    /// Its messages.
    pub listener: Listener,
    room: Arc<Room>,
    _there: Attendance,
}

/// Why a stream did not begin.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// There is no such group, or the viewer is not in it.
    #[error("there is no such group")]
    NotThere,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hub {
    /// Begins a stream of this viewer, from `since` on, or from now.
    pub async fn join(
        &self,
        guid: &Guid,
        uid: &Uid,
        view: Arc<dyn View>,
        since: Option<EventId>,
    ) -> Result<Joined, JoinError> {
        let there = self.attend(uid);
        // Whoever begins has everybody else told first: not before it is known that it is true.
        self.fresh().same_server().await?;
        for attempt in 0.. {
            let room = self.room(guid).await?.ok_or(JoinError::NotThere)?;
            let mut backlog = self.missed(&room, since.as_ref()).await?;
            let mut audience = room.audience();
            if audience.retired {
                continue;
            }
            // Everybody else is told first: what this stream has not missed is then all in the past.
            // Statuses wait for their tick: told twice they do no harm, and when many come at once,
            // telling everybody of each of them would fill every queue.
            // What happens from here on is told to this stream as well, and only then.
            let state = self.flush(&room, &mut audience, false);
            let member = state.roster().get(uid.as_str()).filter(|_| !state.is_deleted()).ok_or(JoinError::NotThere)?;
            if let (Backlog::Events(events), Some(since)) = (&mut backlog, &since) {
                let known = events.last().map_or(since.seq, |last| last.seq);
                match state.since(known) {
                    Some(more) => events.extend(more),
                    None if attempt < TRIES && known < state.roster().seq() => continue,
                    None => backlog = Backlog::Unknown,
                }
            }
            if let (Backlog::Unknown, Some(since)) = (&backlog, &since) {
                metrics::counter!("streams_reset_total").increment(1);
                // Of another history it is no wonder.
                if *since.epoch == *room.id(0).epoch {
                    let seq = state.roster().seq();
                    tracing::info!(group = %room.guid(), since = since.seq, seq, "a stream cannot be resumed: it begins anew");
                }
            }
            let mut first = view.open(&state, member.scope, uid, &backlog);
            if self.fresh().is_cut_off() {
                first = [first, view.live(false)].concat().into();
            }
            let listener = audience.add(view, &state, member.scope, uid.clone(), first);
            drop(state);
            self.serve(&room, &mut audience);
            drop(audience);
            return Ok(Joined { listener, room, _there: there });
        }
        unreachable!("the loop above ends by returning")
    }

    /// What happened since the id, as far as the log tells.
    async fn missed(&self, room: &Room, since: Option<&EventId>) -> Result<Backlog, StoreError> {
        let Some(since) = since else { return Ok(Backlog::Fresh) };
        if *since.epoch != *room.id(0).epoch {
            return Ok(Backlog::Unknown);
        }
        self.catch_up_to(room, since.seq).await?;
        if let Some(recent) = room.recent(since.seq, self.store()).await? {
            return Ok(Backlog::Events(recent));
        }
        let head = room.state().roster().seq();
        let found = self.store().read().await?.events(room.guid(), since.seq, head, MISSED).await?;
        Ok(found.map_or(Backlog::Unknown, |events: Vec<Logged>| {
            Backlog::Events(events.into_iter().map(Arc::new).collect())
        }))
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.room.audience().remove(self.listener.number);
    }
}
