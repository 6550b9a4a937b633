//! Detects a changed history of events. After a failover to a standby that lacked events, or after a backup was
//! restored, the log holds other events under sequence numbers that are in memory.

use std::collections::HashMap;
use std::sync::Arc;

use super::group::LiveGroup;
use super::hub::Hub;
use crate::domain::{Ending, Guid};
use crate::store::{Head, LogPosition, Reader, StoreError};

impl Hub {
    /// The newest event number of each of these groups. `None` when the log is another history: then every group has
    /// been evicted and every stream ended, so that clients start again.
    ///
    /// # Errors
    /// When the database cannot be read or written; [`StoreError::Unavailable`] when it lacks events that were seen, and keeps
    /// its epoch.
    pub(super) async fn heads(&self, groups: &[Arc<LiveGroup>]) -> Result<Option<HashMap<Guid, Head>>, StoreError> {
        // These were applied before the log is read, so the log must have them.
        let seen: Vec<LogPosition> =
            groups.iter().filter(|group| !group.state().is_deleted()).map(|group| group.position()).collect();
        let mut reader = self.store().read().await?;
        let mut epoch = reader.epoch().await?;
        if *epoch == *self.store().epoch() {
            let guids: Vec<Guid> = groups.iter().map(|group| group.guid().clone()).collect();
            let heads = reader.heads(&guids).await?.into_iter().map(|head| (head.guid.clone(), head)).collect();
            let Some(lost) = self.first_lost(&mut reader, &seen, &heads).await? else { return Ok(Some(heads)) };
            drop(reader);
            epoch = self.store().replace_epoch(lost).await?;
            if *epoch == *self.store().epoch() {
                return Err(StoreError::Unavailable("it does not have events that were seen".into()));
            }
        }
        self.replace_epoch(&epoch);
        Ok(None)
    }

    async fn first_lost<'m>(
        &self,
        reader: &mut Reader,
        seen: &'m [LogPosition],
        heads: &HashMap<Guid, Head>,
    ) -> Result<Option<&'m LogPosition>, StoreError> {
        let lost = seen.iter().find(|mark| heads.get(&mark.guid).is_none_or(|head| head.seq < mark.seq));
        // After a failover, other nodes may have written different events under the same numbers.
        if lost.is_none() && !self.freshness().is_same_server() { reader.first_lost(seen).await } else { Ok(lost) }
    }

    fn replace_epoch(&self, epoch: &str) {
        tracing::warn!(epoch, "the database has another epoch of events: every viewer reloads");
        self.store().set_epoch(epoch);
        for group in self.loaded() {
            let mut subscribers = group.subscribers();
            self.retire(&group, &mut subscribers);
            subscribers.end_all(&group.state(), Ending::NewEpoch);
        }
    }
}
