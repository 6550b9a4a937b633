//! Follows logouts and erasures: reads them from the database once a second, and at once when another node announces
//! them. Memberships of erased people end through the log, like any other.

use tokio::sync::watch;

use super::hub::Hub;
use crate::domain::Uid;
use crate::store::StoreError;

impl Hub {
    /// Reads the logouts that are new to this node.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn follow_logouts(&self) -> Result<(), StoreError> {
        let known = self.logouts().version();
        let mut reader = self.store().read().await?;
        let newest = reader.logout_version().await?;
        if newest != known {
            // A lower version belongs to another history of the database: all of its logouts are new.
            let since = if newest < known { 0 } else { known };
            let now = self.store().clock().now() / 1000;
            self.logouts().add(reader.logouts_since(since).await?, newest, now);
        }
        Ok(())
    }

    /// Applies at once a logout that was made through this node, and announces it to the others.
    ///
    /// # Errors
    /// When the database cannot be read: then this node follows within about a second, like the others.
    pub async fn logged_out(&self) -> Result<(), StoreError> {
        if let Some(wake) = self.wake() {
            wake.announce_people();
        }
        self.follow_logouts().await
    }

    /// Changes when somebody was erased, so that caches of rendered windows can drop them.
    pub fn erasures(&self) -> watch::Receiver<u64> {
        self.erasures_recorded().subscribe()
    }

    /// The people who have left every group and are being erased. They are sent with each poll until their erasure has ended: what
    /// names them may be kept again meanwhile.
    pub fn being_erased(&self) -> watch::Receiver<Vec<Uid>> {
        self.erased_people().subscribe()
    }

    /// An erasure has rewritten the log of a group in memory.
    pub(super) fn record_erasure(&self) {
        self.erasures_recorded().send_modify(|count| *count += 1);
    }

    /// Drops the presence of those who are being erased, and passes their uids to whatever else holds data about them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn forget_erased_people(&self) -> Result<(), StoreError> {
        let mut reader = self.store().read().await?;
        let mut erased = Vec::new();
        for erasure in reader.erasures().await? {
            // A person who is still in a group may have a stream open, which ends when they leave.
            if erasure.left_at.is_none() {
                continue;
            }
            // Somebody new may have the id by now.
            if reader.user(&erasure.uid).await?.is_none() && self.presences().drop_person(&erasure.uid) {
                self.record_erasure();
            }
            erased.push(erasure.uid);
        }
        self.erased_people().send_if_modified(|people| {
            let has_changes = !people.is_empty() || !erased.is_empty();
            *people = erased;
            has_changes
        });
        Ok(())
    }
}
