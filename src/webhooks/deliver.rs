//! Delivers the next events of one lane, one after the other.
//!
//! Not here: when a failed delivery is tried again (`dispatcher/outcomes.rs`).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use strum::VariantArray;
use tokio::time::Instant;

use super::client::{DeliveryResult, Sender};
use super::counts::Counts;
use super::lane_cursor::LaneCursor;
use super::original::Original;
use super::original_parts::{Part, parts};
use super::payload::Payload;
use crate::config::{Webhook, WebhookFormat};
use crate::domain::event_type::{LOG_RESTARTED, TEST, USER_DELETED, USER_PRESENCE};
use crate::domain::{EventKind, Guid};
use crate::live::Hub;
use crate::store::{
    DELIVERY_LIFETIME, Feed, FeedEvent, FeedPerson, Lane, LogPosition, MAX_PEOPLE, OutboxEvent, Store, StoreError,
};

/// Events that are read at once.
const EVENTS_PER_READ: usize = 50;
/// Age at which the rest of a batch is read again, so that a slow receiver gets names as they are, and gets nothing more once it is
/// paused.
const MAX_BATCH_AGE: Duration = Duration::from_secs(1);

/// The parts that every delivery to one endpoint needs.
pub(super) struct Endpoint {
    pub(super) id: String,
    pub(super) webhook: Webhook,
    pub(super) sender: Sender,
    pub(super) store: Store,
    pub(super) hub: Hub,
    /// Begins the URLs of the service.
    pub(super) base: String,
    /// Messages that were delivered.
    pub(super) delivered: AtomicU64,
    /// The last answer in words, and when it came, Unix milliseconds.
    pub(super) answer: Mutex<Option<(String, i64)>>,
}

/// The end of a lane's delivery.
#[derive(Debug)]
pub(super) enum LaneOutcome {
    /// There was nothing more.
    Drained,
    /// There is more.
    More,
    /// The next event failed; with the milliseconds that the receiver asks to wait.
    Failed(String, Option<i64>),
    /// The endpoint wants nothing any more.
    Gone,
    /// Another node may deliver it now.
    LeaseLost,
    /// The log has lost events that were delivered.
    HistoryLost(LogPosition),
    /// The log could not be read.
    Unreadable(StoreError),
}

/// The reason why a delivery stops before the last event that was read.
enum DeliveryError {
    Failed(String, Option<i64>),
    Gone,
    LeaseLost,
    Unreadable(StoreError),
}

impl From<DeliveryError> for LaneOutcome {
    fn from(error: DeliveryError) -> LaneOutcome {
        match error {
            DeliveryError::Failed(answer, retry_after) => LaneOutcome::Failed(answer, retry_after),
            DeliveryError::Gone => LaneOutcome::Gone,
            DeliveryError::LeaseLost => LaneOutcome::LeaseLost,
            DeliveryError::Unreadable(error) => LaneOutcome::Unreadable(error),
        }
    }
}

impl From<StoreError> for DeliveryError {
    fn from(error: StoreError) -> DeliveryError {
        DeliveryError::Unreadable(error)
    }
}

impl Endpoint {
    /// Delivers up to [`EVENTS_PER_READ`] events of a lane, and no further one once they were read [`MAX_BATCH_AGE`] ago.
    pub(super) async fn deliver(&self, cursor: &LaneCursor) -> LaneOutcome {
        let delivered = match &cursor.lane {
            Lane::Group(guid) => self.deliver_group(guid, cursor).await,
            Lane::Outbox(_) | Lane::Presence(_) => self.deliver_outbox(cursor).await,
        };
        delivered.unwrap_or_else(LaneOutcome::from)
    }

    async fn deliver_group(&self, guid: &Guid, cursor: &LaneCursor) -> Result<LaneOutcome, DeliveryError> {
        let since = cursor.seq();
        let members = self.hub.members_in_memory(guid);
        let Some(feed) = self.store.read().await?.feed(guid, since, EVENTS_PER_READ, members).await? else {
            return Ok(LaneOutcome::Drained);
        };
        let is_another = cursor.contradicts(since, feed.previous.as_deref());
        if since > feed.head || is_another {
            let at = if is_another { LogPosition::REPLACED } else { LogPosition::TIME_UNKNOWN };
            return Ok(LaneOutcome::HistoryLost(LogPosition { guid: guid.clone(), seq: since, at }));
        }
        if !cursor.is_of(&feed.epoch) {
            return Ok(LaneOutcome::LeaseLost);
        }
        // Events that the log has already dropped by age cannot be delivered.
        let gap = feed.first.min(feed.head + 1) - 1;
        if gap > since {
            self.miss(cursor, gap);
        }
        let counts = Counts::of(&feed, self.webhook.format, &self.store, &self.hub).await?;
        let read_at = Instant::now();
        for event in &feed.events {
            let is_wanted = self.webhook.wants(&event.kind.event_type());
            if is_wanted && self.is_dead(cursor, event.seq, event.at) && self.has_messages(&feed, event) {
                self.give_up(cursor, event.seq);
            } else {
                if is_wanted && self.send_event(&feed, event, cursor, &counts).await? {
                    self.delivered(cursor);
                }
                cursor.pass(event.seq, &event.id);
            }
            if read_at.elapsed() >= MAX_BATCH_AGE {
                break;
            }
        }
        let has_more = !feed.events.is_empty() && cursor.seq() < feed.head;
        Ok(if has_more { LaneOutcome::More } else { LaneOutcome::Drained })
    }

    async fn deliver_outbox(&self, cursor: &LaneCursor) -> Result<LaneOutcome, DeliveryError> {
        let (head, events) = self.store.read().await?.outbox(&cursor.lane, cursor.seq(), EVENTS_PER_READ).await?;
        let read_at = Instant::now();
        for event in &events {
            if event.seq() > cursor.seq() + 1 {
                self.miss(cursor, event.seq() - 1);
            }
            let is_wanted = self.wants_of_outbox(&event.kind);
            if is_wanted && self.is_dead(cursor, event.seq(), event.at) {
                self.give_up(cursor, event.seq());
            } else {
                if is_wanted && self.send_outbox(event, cursor).await? {
                    self.delivered(cursor);
                }
                cursor.pass(event.seq(), &event.id);
            }
            if read_at.elapsed() >= MAX_BATCH_AGE {
                return Ok(LaneOutcome::More);
            }
        }
        if events.is_empty() && head > cursor.seq() {
            self.miss(cursor, head);
        }
        Ok(if events.len() < EVENTS_PER_READ { LaneOutcome::Drained } else { LaneOutcome::More })
    }

    /// Sends the messages of an event; `false` when the format has none for it.
    async fn send_event(
        &self,
        feed: &Feed,
        event: &FeedEvent,
        cursor: &LaneCursor,
        counts: &Counts,
    ) -> Result<bool, DeliveryError> {
        let original = match self.webhook.format {
            WebhookFormat::Standard => {
                let body = Payload::of_event(feed, event, &self.base).to_body();
                self.send(&event.id, body, cursor).await?;
                return Ok(true);
            }
            WebhookFormat::Original => Original {
                online: counts.online,
                members: counts.members.get(&event.seq).copied().unwrap_or(feed.group.members),
                ..self.original()
            },
        };
        if event.kind != EventKind::MembersSynced {
            let messages = original.messages(feed, event, &event.people);
            if let [message] = &messages[..] {
                self.send(&event.id, message.to_string(), cursor).await?;
                return Ok(true);
            }
            for (part, message) in (1..).zip(&messages) {
                self.send(&part_id(event, part), message.to_string(), cursor).await?;
            }
            return Ok(!messages.is_empty());
        }
        let (mut part, mut after) = (0, String::new());
        let owners = self.store.read().await?.owners_of_event(&feed.group.group.guid, event.seq).await?;
        let mut messages = original.owner_synced(feed, event, &owners);
        loop {
            for message in messages {
                part += 1;
                for Part { people, body } in parts(message) {
                    let range = people.map_or_else(String::new, |(first, last)| format!(".{first}-{last}"));
                    self.send(&(part_id(event, part) + &range), body, cursor).await?;
                }
            }
            let people = self.people(feed, event, &after).await?;
            let Some(last) = people.last() else { return Ok(part > 0) };
            after = last.uid.to_string();
            messages = original.messages(feed, event, &people);
        }
    }

    async fn people(&self, feed: &Feed, event: &FeedEvent, after: &str) -> Result<Vec<FeedPerson>, StoreError> {
        let mut reader = self.store.read().await?;
        reader.people_of_event(&feed.group.group.guid, event.seq, after, MAX_PEOPLE).await
    }

    async fn send_outbox(&self, event: &OutboxEvent, cursor: &LaneCursor) -> Result<bool, DeliveryError> {
        let body = match self.webhook.format {
            WebhookFormat::Standard => Payload::of_outbox(event).to_body(),
            WebhookFormat::Original => match self.original_status(event).await? {
                Some(message) => message.to_string(),
                None => return Ok(false),
            },
        };
        self.send(&event.id, body, cursor).await?;
        Ok(true)
    }

    /// A person's status in the original's form; `None` of somebody who is no more.
    async fn original_status(&self, event: &OutboxEvent) -> Result<Option<Value>, StoreError> {
        let data: Value = serde_json::from_str(&event.data).unwrap_or_else(|error| {
            tracing::error!(endpoint = self.id, id = event.id, %error, "an event that cannot be read is passed over");
            Value::Null
        });
        let status = data["status"].as_str().and_then(|word| word.parse().ok());
        let Some((uid, status)) = data["uid"].as_str().and_then(|uid| uid.parse().ok()).zip(status) else {
            return Ok(None);
        };
        let user = self.store.read().await?.user(&uid).await?;
        Ok(user.map(|user| self.original().status_changed(&user, status, event.at)))
    }

    /// The builder of payloads in the original's format that are about no group.
    fn original(&self) -> Original<'_> {
        Original { webhook: &self.id, online: 0, members: 0, presences: self.hub.presences() }
    }

    /// Counts an event, all of whose messages were delivered. It ends the lane's consecutive failures.
    fn delivered(&self, cursor: &LaneCursor) {
        self.delivered.fetch_add(1, Ordering::AcqRel);
        if cursor.attempts.swap(0, Ordering::AcqRel) > 0 {
            tracing::info!(endpoint = self.id, lane = %cursor.lane, "a webhook is delivered again");
        }
    }

    async fn send(&self, id: &str, body: String, cursor: &LaneCursor) -> Result<(), DeliveryError> {
        let now = self.store.clock().now();
        if !cursor.is_held(now) {
            return Err(DeliveryError::LeaseLost);
        }
        let answer = self.sender.send(id, body, now).await;
        let now = self.store.clock().now();
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some((answer.to_string(), now));
        let count = |name: &'static str| metrics::counter!(name, "endpoint" => self.id.clone()).increment(1);
        match answer {
            DeliveryResult::Delivered(_) => {
                count("chat_group_members_webhook_deliveries_total");
                Ok(())
            }
            DeliveryResult::Gone => {
                count("chat_group_members_webhook_failures_total");
                Err(DeliveryError::Gone)
            }
            DeliveryResult::Failed(_, retry_after) => {
                count("chat_group_members_webhook_failures_total");
                Err(DeliveryError::Failed(answer.to_string(), retry_after))
            }
        }
    }

    /// Sends a test, whatever the state of the endpoint.
    pub(super) async fn test(&self, id: &str) -> DeliveryResult {
        let now = self.store.clock().now();
        let body = match self.webhook.format {
            WebhookFormat::Standard => {
                let data = serde_json::json!({"endpoint": self.id});
                Payload::unstored(TEST, now, data).to_body()
            }
            WebhookFormat::Original => Value::to_string(&self.original().test()),
        };
        self.sender.send(id, body, now).await
    }

    fn is_dead(&self, cursor: &LaneCursor, seq: u64, at: i64) -> bool {
        let begun = if seq <= cursor.replay_seq { at.max(cursor.replay_at) } else { at };
        self.store.clock().now() - begun >= DELIVERY_LIFETIME
    }

    fn give_up(&self, cursor: &LaneCursor, seq: u64) {
        let events = seq - cursor.seq();
        tracing::warn!(
            endpoint = self.id, lane = %cursor.lane, seq, events,
            "events could not be delivered in three days and are given up; `webhooks replay` delivers what the log keeps"
        );
        metrics::counter!("chat_group_members_webhook_dead_total", "endpoint" => self.id.clone()).increment(events);
        cursor.give_up(seq);
    }

    /// Events up to this number are no longer stored: by age, or because later ones of the same people replace them. Their types are
    /// not known any more, so that all of them count as dead unless the endpoint gets none of the types that the lane has.
    fn miss(&self, cursor: &LaneCursor, seq: u64) {
        let may_be_wanted = match &cursor.lane {
            Lane::Presence(_) => false,
            Lane::Outbox(Some(_)) => self.wants_of_outbox(USER_DELETED),
            Lane::Outbox(None) => self.wants_of_outbox(LOG_RESTARTED),
            Lane::Group(_) => EventKind::VARIANTS.iter().any(|&kind| self.may_send(kind)),
        };
        if may_be_wanted { self.give_up(cursor, seq) } else { cursor.skip(seq) }
    }

    /// Whether the endpoint asks for events of this kind, and its format has them.
    fn may_send(&self, kind: EventKind) -> bool {
        let is_known = self.webhook.format == WebhookFormat::Standard || Original::has(kind);
        is_known && self.webhook.wants(&kind.event_type())
    }

    /// Whether the endpoint gets events of the outbox of this type. The original has only statuses.
    fn wants_of_outbox(&self, kind: &str) -> bool {
        self.webhook.wants(kind) && (self.webhook.format == WebhookFormat::Standard || kind == USER_PRESENCE)
    }

    /// Whether the format has messages for an event. People of a synchronisation are not read for this: it counts as one that has.
    fn has_messages(&self, feed: &Feed, event: &FeedEvent) -> bool {
        self.webhook.format == WebhookFormat::Standard
            || event.kind == EventKind::MembersSynced
            || !self.original().messages(feed, event, &event.people).is_empty()
    }
}

/// The id of one of several payloads of an event: each has its own, the same in every try.
fn part_id(event: &FeedEvent, part: usize) -> String {
    format!("{}.{part}", event.id)
}
