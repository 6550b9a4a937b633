//! Groups as of now: other nodes may have committed events that this one has not read yet.

use std::slice;
use std::sync::Arc;

use super::group::LiveGroup;
use super::hub::Hub;
use crate::domain::Guid;
use crate::store::StoreError;

impl Hub {
    /// The group like [`Hub::group`], with every event that any node committed before this call.
    ///
    /// # Errors
    /// As [`Hub::group`] and [`Hub::refresh_in_memory`].
    pub async fn current_group(&self, guid: &Guid) -> Result<Option<Arc<LiveGroup>>, StoreError> {
        let group = self.group(guid).await?;
        if group.is_none() || !self.is_on_many_nodes() {
            return Ok(group);
        }
        // Boxed: inlined in every handler, the queries would exceed the compiler's limit of nested types.
        Box::pin(self.refresh_in_memory(slice::from_ref(guid))).await?;
        // By the events that were missing it may be deleted, or created again.
        self.group(guid).await
    }

    /// Brings those of these groups that are in memory up to every event that any node committed before this call. On the only node
    /// nothing is read: its own events reach memory before they are answered.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn refresh_in_memory(&self, guids: &[Guid]) -> Result<(), StoreError> {
        if !self.is_on_many_nodes() {
            return Ok(());
        }
        let mut groups: Vec<Arc<LiveGroup>> = guids.iter().filter_map(|guid| self.in_memory(guid)).collect();
        groups.retain(|group| !group.state().is_deleted());
        if groups.is_empty() {
            return Ok(());
        }
        // One query for all, outside of the groups' locks: usually nothing is missing.
        let heads = self.store().read().await?.heads(guids).await?;
        let to_head = |group: Arc<LiveGroup>| {
            let head = heads.iter().find(|head| head.guid == *group.guid());
            (group, head.map_or(u64::MAX, |head| head.seq))
        };
        let behind = groups.into_iter().map(to_head).collect();
        // As in `Hub::catch_up_to`.
        self.freshness().until_same_server().await?;
        for (group, seq) in self.catch_up_together(behind).await? {
            self.catch_up_to(&group, seq).await?;
        }
        Ok(())
    }
}
