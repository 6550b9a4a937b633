//! Whether what is in memory is what the log tells: after a failover to a standby that did not have
//! everything, or a backup in the place of the database, it tells something else under the same numbers.

use std::collections::HashMap;
use std::sync::Arc;

use super::hub::Hub;
use super::room::Room;
use crate::domain::{Ending, Guid};
use crate::store::{Mark, Reader, StoreError};

impl Hub {
    /// The last events of these groups by the log, when it tells the history that is in memory. `None`
    /// when it tells another one: then memory is empty, and every viewer comes back to look again.
    pub(super) async fn heads(&self, rooms: &[Arc<Room>]) -> Result<Option<HashMap<Guid, u64>>, StoreError> {
        // Seen before the log is read, which therefore has them.
        let seen: Vec<Mark> = rooms.iter().filter(|room| !room.state().is_deleted()).map(|room| room.mark()).collect();
        let mut reader = self.store().read().await?;
        let mut epoch = reader.epoch().await?;
        if *epoch == *self.store().epoch() {
            let guids: Vec<Guid> = rooms.iter().map(|room| room.guid().clone()).collect();
            let heads: HashMap<Guid, u64> = reader.heads(&guids).await?.into_iter().collect();
            let Some(lost) = self.first_lost(&mut reader, &seen, &heads).await? else { return Ok(Some(heads)) };
            drop(reader);
            epoch = self.store().begin_anew(lost).await?;
            if *epoch == *self.store().epoch() {
                return Err(StoreError::Unavailable("it does not have events that were seen".into()));
            }
        }
        self.begin_anew(&epoch);
        Ok(None)
    }

    async fn first_lost<'m>(
        &self,
        reader: &mut Reader,
        seen: &'m [Mark],
        heads: &HashMap<Guid, u64>,
    ) -> Result<Option<&'m Mark>, StoreError> {
        let lost = seen.iter().find(|mark| heads.get(&mark.guid).is_none_or(|head| *head < mark.seq));
        // Others may have acted since on what another server tells.
        if lost.is_none() && !self.fresh().is_same_server() { reader.first_replaced(seen).await } else { Ok(lost) }
    }

    fn begin_anew(&self, epoch: &str) {
        tracing::warn!(epoch, "the database tells another history of events: every viewer looks again");
        self.store().follow_epoch(epoch);
        for room in self.loaded() {
            let mut audience = room.audience();
            self.retire(&room, &mut audience);
            audience.end_all(&room.state(), Ending::Bye);
        }
    }
}
