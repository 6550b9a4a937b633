//! Starts or resumes a stream: reads the events that it missed, registers it, and from then on sends it every change. A stream
//! never gives its client the id of an event that was not sent.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::group::LiveGroup;
use super::hub::Hub;
use super::pending::Replay;
use super::presence::PresenceGuard;
use super::subscribers::{StreamRenderer, Subscription};
use crate::domain::{EventId, EventKind, Guid, LoggedEvent, Uid};
use crate::store::StoreError;

/// Most events that are replayed one by one, as the contract promises; beyond that a stream resyncs.
const MAX_REPLAYED: usize = 10_000;
/// Attempts to catch up with the log before a stream resyncs.
const MAX_ATTEMPTS: usize = 4;

/// A stream that has begun.
pub struct OpenStream {
    /// The messages.
    pub subscription: Subscription,
    group: Arc<LiveGroup>,
    _presence: PresenceGuard,
}

/// Why a stream did not begin.
#[derive(Debug, thiserror::Error)]
pub enum SubscribeError {
    /// There is no such group, or the viewer is not in it.
    #[error("there is no such group")]
    NotThere,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hub {
    /// Opens a stream for this viewer: from `since` on, or from now.
    ///
    /// # Errors
    /// When there is no such group, the viewer is not a member, or the database cannot be read.
    pub async fn subscribe(
        &self,
        guid: &Guid,
        uid: &Uid,
        renderer: Arc<dyn StreamRenderer>,
        since: Option<EventId>,
    ) -> Result<OpenStream, SubscribeError> {
        let presence = self.track_stream(uid);
        // The flush below sends to everybody: it must wait until the log is certain.
        self.freshness().until_same_server().await?;
        for attempt in 0.. {
            let group = self.group(guid).await?.ok_or(SubscribeError::NotThere)?;
            let mut replay = self.missed(&group, since.as_ref()).await?;
            let mut subscribers = group.subscribers();
            if subscribers.retired {
                continue;
            }
            // A flush first: from here on, every event reaches this stream as well, exactly once. Statuses wait
            // for their tick: sending one twice is harmless, and when many streams begin at once, a
            // message to everybody for each of them would fill every queue.
            let state = self.flush(&group, &mut subscribers, false);
            let member =
                state.roster().get(uid.as_str()).filter(|_| !state.is_deleted()).ok_or(SubscribeError::NotThere)?;
            if let (Replay::Events(events), Some(since)) = (&mut replay, &since) {
                let known = events.last().map_or(since.seq, |last| last.seq);
                match state.since(known) {
                    Some(more) => events.extend(more),
                    None if attempt < MAX_ATTEMPTS && known < state.roster().seq() => continue,
                    None => replay = Replay::Resync,
                }
            }
            // The group was deleted and made again: whoever may see it now may not have seen it before.
            if let Replay::Events(events) = &replay
                && events.iter().any(|event| event.kind == EventKind::GroupDeleted)
            {
                replay = Replay::Resync;
            }
            if let (Replay::Resync, Some(since)) = (&replay, &since) {
                metrics::counter!("chat_group_members_streams_reset_total").increment(1);
                // An id of another history cannot be resumed; that is expected.
                if *since.epoch == *group.id(0).epoch {
                    let seq = state.roster().seq();
                    tracing::info!(group = %group.guid(), since = since.seq, seq, "cannot resume a stream: it starts again from the current state");
                }
            }
            let scope = member.scope_at(self.store().clock().now());
            let mut first = renderer.open(&state, scope, uid, &replay);
            if self.freshness().is_cut_off() {
                group.live.store(false, Ordering::Relaxed);
            }
            if !group.is_live() {
                first = [first, renderer.live(false)].concat().into();
            }
            let subscription = subscribers.add(renderer, &state, scope, uid.clone(), first);
            drop(state);
            self.ensure_broadcasting(&group, &mut subscribers);
            drop(subscribers);
            return Ok(OpenStream { subscription, group, _presence: presence });
        }
        unreachable!("the loop above ends by returning")
    }

    /// The events since the id, if the log has them.
    async fn missed(&self, group: &LiveGroup, since: Option<&EventId>) -> Result<Replay, StoreError> {
        let Some(since) = since else { return Ok(Replay::FromNow) };
        if *since.epoch != *group.id(0).epoch {
            return Ok(Replay::Resync);
        }
        self.catch_up_to(group, since.seq).await?;
        if since.seq < group.state().rewritten_seq {
            return Ok(Replay::Resync);
        }
        if let Some(events) = group.buffered_events(since.seq, self.store()).await? {
            return Ok(Replay::Events(events));
        }
        let head = group.state().roster().seq();
        let found = self.store().read().await?.events(group.guid(), since.seq, head, MAX_REPLAYED).await?;
        Ok(found.map_or(Replay::Resync, |events: Vec<LoggedEvent>| {
            Replay::Events(events.into_iter().map(Arc::new).collect())
        }))
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.group.subscribers().remove(self.subscription.number);
    }
}
