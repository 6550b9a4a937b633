//! Counts the members for payloads of the original, which have these numbers.

use std::collections::BTreeMap;

use crate::config::WebhookFormat;
use crate::live::Hub;
use crate::store::{Feed, Store, StoreError};

/// The numbers that only payloads of the original have.
#[derive(Default)]
pub(super) struct Counts {
    /// Members online now.
    pub(super) online: usize,
    /// Members after each event, by its number.
    pub(super) members: BTreeMap<u64, u64>,
}

impl Counts {
    /// The numbers for the events of this part of the log; none are read where no payload has them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) async fn of(feed: &Feed, format: WebhookFormat, store: &Store, hub: &Hub) -> Result<Counts, StoreError> {
        match format {
            WebhookFormat::Original if !feed.events.is_empty() => {
                let online = online(feed, store, hub).await?;
                let (guid, now) = (&feed.group.group.guid, (feed.head, feed.group.members));
                let events: Vec<u64> = feed.events.iter().map(|event| event.seq).collect();
                Ok(Counts { online, members: store.read().await?.members_after(guid, &events, now).await? })
            }
            WebhookFormat::Original | WebhookFormat::Standard => Ok(Counts::default()),
        }
    }
}

/// How many members of the group are online or away. A large group is not loaded for this one number: then those who are online
/// are looked up in it.
async fn online(feed: &Feed, store: &Store, hub: &Hub) -> Result<usize, StoreError> {
    let guid = &feed.group.group.guid;
    if let Some(count) = hub.online_in_memory(guid) {
        return Ok(count);
    }
    let online = hub.presences().online();
    if feed.group.members < online.len() as u64 {
        let group = hub.group(guid).await?;
        return Ok(group.map_or(0, |group| group.state().roster().online_len()));
    }
    let counted = store.read().await?.count_among(std::slice::from_ref(guid), &online).await?;
    Ok(counted.first().map_or(0, |(_, count)| *count))
}
