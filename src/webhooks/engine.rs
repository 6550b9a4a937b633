//! The webhooks of one node: a dispatcher for each endpoint.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::{DeliveryResult, Sender};
use super::deliver::Endpoint;
use super::dispatcher::{Dispatcher, Inbox};
use super::presence::PresenceReporter;
use crate::config::Webhook;
use crate::domain::event_type::USER_PRESENCE;
use crate::live::Hub;
use crate::store::{Store, new_delivery_id, random_id};

/// Longest wait of a drain for deliveries to end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);

/// Longest wait of the start for an endpoint to be stored. An endpoint that cannot be stored now is stored before it
/// is delivered to.
const REGISTER_TIMEOUT: Duration = Duration::from_secs(3);

/// The webhooks of this node. Cheap to clone.
#[derive(Clone)]
pub struct Webhooks(Arc<Inner>);

struct Inner {
    endpoints: Vec<(Arc<Endpoint>, Arc<Inbox>)>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
    stop: CancellationToken,
}

/// The result of a test message.
#[derive(Debug, Clone)]
pub struct TestResult {
    /// Whether it was taken.
    pub delivered: bool,
    /// The answer in words.
    pub answer: String,
    /// The id it was sent under.
    pub id: String,
}

impl Webhooks {
    /// Delivers to these endpoints until `stop` is cancelled. `base` begins the URLs of the service. A new endpoint gets
    /// what is committed after this call, unless the database cannot be written now.
    ///
    /// # Errors
    /// When the system has no TLS certificates to trust.
    pub async fn start(
        webhooks: &[Webhook],
        store: &Store,
        hub: &Hub,
        base: &str,
        stop: CancellationToken,
    ) -> anyhow::Result<Webhooks> {
        let (mut endpoints, mut tasks) = (Vec::new(), Vec::new());
        for webhook in webhooks {
            let endpoint = Arc::new(Endpoint {
                id: webhook.id(),
                sender: Sender::new(webhook.clone())?,
                webhook: webhook.clone(),
                store: store.clone(),
                hub: hub.clone(),
                base: base.to_owned(),
                delivered: AtomicU64::new(0),
                answer: Mutex::default(),
            });
            for name in [
                "chat_group_members_webhook_deliveries_total",
                "chat_group_members_webhook_failures_total",
                "chat_group_members_webhook_dead_total",
            ] {
                metrics::counter!(name, "endpoint" => endpoint.id.clone()).increment(0);
            }
            for name in ["chat_group_members_webhook_backlog", "chat_group_members_webhook_oldest_seconds"] {
                metrics::gauge!(name, "endpoint" => endpoint.id.clone()).set(0.0);
            }
            let inbox = Arc::<Inbox>::default();
            let committed = inbox.clone();
            store.on_commit(move |appended| committed.committed(appended));
            let mut dispatcher = Dispatcher::new(endpoint.clone(), inbox.clone(), random_id());
            if let Ok(Err(error)) = timeout(REGISTER_TIMEOUT, dispatcher.ensure_registered()).await {
                tracing::debug!(%error, endpoint = endpoint.id, "an endpoint of webhooks is not registered yet");
            }
            tasks.push(tokio::spawn(dispatcher.run(stop.clone())));
            endpoints.push((endpoint, inbox));
        }
        if webhooks.iter().any(|webhook| webhook.wants(USER_PRESENCE)) {
            let reporter = PresenceReporter::new(store.clone(), hub.presences().clone(), random_id());
            tasks.push(tokio::spawn(reporter.run(stop.clone())));
        }
        Ok(Webhooks(Arc::new(Inner { endpoints, tasks: Mutex::new(tasks), stop })))
    }

    /// Signs from now on with the keys that the endpoints have here. Nothing else of them is taken over.
    pub fn set_keys(&self, webhooks: &[Webhook]) {
        for (endpoint, _) in &self.0.endpoints {
            if let Some(webhook) = webhooks.iter().find(|webhook| webhook.id() == endpoint.id) {
                endpoint.sender.set_keys(&webhook.keys);
            }
        }
    }

    /// Whether this node has the endpoint in its configuration.
    pub fn knows(&self, id: &str) -> bool {
        self.0.endpoints.iter().any(|(endpoint, _)| endpoint.id == id)
    }

    /// Looks for work at once: an operator has changed something.
    pub fn poll(&self) {
        self.0.endpoints.iter().for_each(|(_, inbox)| inbox.poll());
    }

    /// Sends a test to an endpoint now, whatever its state; `None` when this node has none of this id.
    pub async fn test(&self, id: &str) -> Option<TestResult> {
        let (endpoint, _) = self.0.endpoints.iter().find(|(endpoint, _)| endpoint.id == id)?;
        let id = new_delivery_id();
        let answer = endpoint.test(&id).await;
        Some(TestResult { delivered: matches!(answer, DeliveryResult::Delivered(_)), answer: answer.to_string(), id })
    }

    /// Ends deliveries, and writes how far they came.
    pub async fn drain(&self) {
        self.0.stop.cancel();
        let tasks = std::mem::take(&mut *self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for task in tasks {
            let _ = timeout(DRAIN_TIMEOUT, task).await;
        }
    }
}
