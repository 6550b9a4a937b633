//! Starts a stream: registers it, with what it missed (`resume.rs`), and from then on sends it every change. A stream never gives its
//! client the id of an event that was not sent.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::group::LiveGroup;
use super::hub::Hub;
use super::presence::PresenceGuard;
use super::resume::with_newer;
use super::subscribers::{StreamRenderer, Subscription};
use crate::domain::{EventId, Guid, Uid};
use crate::store::StoreError;

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
        let mut attempts = 0;
        loop {
            let group = self.group(guid).await?.ok_or(SubscribeError::NotThere)?;
            let missed = self.missed(&group, since.as_ref()).await?;
            attempts += 1;
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
            let Some(replay) = with_newer(&state, missed, since.as_ref(), attempts) else { continue };
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
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.group.subscribers().remove(self.subscription.number);
    }
}
