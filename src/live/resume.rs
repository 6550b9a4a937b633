//! Resumes a stream: what happened since the last event that its client has, or that it has to start again from the current state.

use std::sync::Arc;

use super::group::LiveGroup;
use super::group_state::GroupState;
use super::hub::Hub;
use super::pending::Replay;
use crate::domain::{EventId, EventKind, LoggedEvent};
use crate::store::StoreError;

/// Most events that are replayed one by one, as the contract promises; beyond that a stream resyncs.
const MAX_REPLAYED: usize = 10_000;
/// Attempts to catch up with the log before a stream resyncs.
const MAX_ATTEMPTS: usize = 5;

impl Hub {
    /// The events since the id, if the log has them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn missed(&self, group: &LiveGroup, since: Option<&EventId>) -> Result<Replay, StoreError> {
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

/// The first content of a stream that resumes after `since`: the events that it `missed` according to the log, and those that were applied
/// since. `None` when the log has to be read again; after `MAX_ATTEMPTS` `attempts` the stream begins with a resync instead.
pub(super) fn with_newer(
    state: &GroupState,
    missed: Replay,
    since: Option<&EventId>,
    attempts: usize,
) -> Option<Replay> {
    let replay = match (missed, since) {
        (Replay::Events(mut events), Some(since)) => {
            let known = events.last().map_or(since.seq, |last| last.seq);
            match state.since(known) {
                Some(more) => events.extend(more),
                None if attempts < MAX_ATTEMPTS && known < state.roster().seq() => return None,
                None => return Some(reset(state, since)),
            }
            // The group was deleted and made again: this viewer was perhaps not allowed to see it before.
            let is_of_earlier_life = events.iter().any(|event| event.kind == EventKind::GroupDeleted);
            if is_of_earlier_life { reset(state, since) } else { Replay::Events(events) }
        }
        (Replay::Resync, Some(since)) => reset(state, since),
        (replay, _) => replay,
    };
    Some(replay)
}

/// The stream starts again from the current state, which is counted.
fn reset(state: &GroupState, since: &EventId) -> Replay {
    metrics::counter!("chat_group_members_streams_reset_total").increment(1);
    // An id of another history cannot be resumed; that is expected.
    let here = state.last_id();
    if *since.epoch == *here.epoch {
        let group = state.guid().as_str();
        tracing::info!(
            group,
            since = since.seq,
            seq = here.seq,
            "cannot resume a stream: it starts again from the current state"
        );
    }
    Replay::Resync
}
