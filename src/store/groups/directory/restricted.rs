//! The banned and the muted of a group, read by a cursor as users and groups are.

use super::page::{DirectoryPage, DirectoryQuery, Listing};
use crate::domain::{Guid, Restriction, Search};
use crate::store::database::reader::Reader;
use crate::store::error::StoreError;
use crate::store::people::list_restrictions::{RestrictionKind, RestrictionsFrom};

impl Reader {
    /// A page of the bans or mutes in force that a search finds beyond the cursor of `query`.
    ///
    /// # Errors
    /// See [`Reader`].
    pub async fn restrictions_beyond(
        &mut self,
        kind: RestrictionKind,
        guid: &Guid,
        search: &Search,
        query: &DirectoryQuery,
    ) -> Result<Listing<Restriction>, StoreError> {
        let found = self.restrictions_in_force(kind, guid, RestrictionsFrom::Offset(0), usize::MAX).await?;
        let mut page = DirectoryPage::new(query, self.now);
        found.into_iter().filter(|one| one.is_found(search)).for_each(|one| page.offer(one));
        Ok(page.end())
    }
}
