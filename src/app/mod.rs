//! The service: the state that handlers share. One constructor serves the program, the tests, and hosts that nest the service in an
//! application of their own. Its background tasks are in `upkeep.rs`.
//!
//! Not here: the routes (`http`).

mod content_security_policy;
mod reload;
mod upkeep;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use anyhow::Context as _;
use axum::http::HeaderValue;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::{Config, Credentials};
use crate::identity::Keys;
use crate::live::{Hub, Transport};
use crate::open_files::StreamSlots;
use crate::rate_limiter::Limiter;
use crate::slots::{Folder, SharedSlots, Slots};
use crate::store::Store;
use crate::telemetry;
use crate::views::{Layout, RenderCache};
use crate::webhooks::Webhooks;

/// The time over which a drain spreads the ends of streams, so that they do not all reconnect at once.
pub(crate) const DRAIN_STREAMS: Duration = Duration::from_secs(2);

/// The running service. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    store: Store,
    hub: Hub,
    keys: Keys,
    credentials: RwLock<Arc<Credentials>>,
    layout: Layout,
    content_security_policy: HeaderValue,
    render_cache: RenderCache,
    slots: SharedSlots,
    webhooks: Webhooks,
    limiter: Option<Limiter>,
    stream_slots: Arc<StreamSlots>,
    boot_id: u64,
    draining: AtomicBool,
    stop: CancellationToken,
}

impl App {
    /// Opens the database, loads the viewer keys, and starts the background tasks.
    ///
    /// # Errors
    /// When the database cannot be opened, or the keys or the folder of templates cannot be read.
    pub async fn open(config: Config) -> anyhow::Result<App> {
        App::open_at(config, Clock::default()).await
    }

    /// Like [`App::open`], with a clock that a test can advance.
    ///
    /// # Errors
    /// As [`App::open`].
    pub async fn open_at(config: Config, clock: Clock) -> anyhow::Result<App> {
        // Runs before anything is counted.
        telemetry::handle();
        let slots = match &config.views {
            Some(folder) => SharedSlots::new(Folder::open(folder).with_context(|| config.places.of("views"))?),
            None => SharedSlots::default(),
        };
        App::build(config, clock, slots).await
    }

    /// Like [`App::open`], with parts of the component rendered by the host (see [`Slots`]) in place of a folder of
    /// templates.
    ///
    /// # Errors
    /// As [`App::open`], and when the configuration names a folder of templates as well.
    pub async fn open_with_slots(config: Config, slots: impl Slots + 'static) -> anyhow::Result<App> {
        anyhow::ensure!(config.views.is_none(), "views: this host draws its own, and needs no folder of templates");
        telemetry::handle();
        App::build(config, Clock::default(), SharedSlots::new(slots)).await
    }

    async fn build(config: Config, clock: Clock, slots: SharedSlots) -> anyhow::Result<App> {
        let keys = Keys::from_config(&config, clock.now() / 1000).await?;
        let store = Store::open(config.database(), clock).await?;
        let stop = CancellationToken::new();
        let transport = Transport::of(&config, &store).await?;
        let hub = Hub::start(store.clone(), transport, config.roster_memory, stop.clone());
        // Runs before the first request, so that refused tokens stay refused.
        hub.follow_logouts().await?;
        // Also before it, unless that takes long: people who are online on another node are not shown as offline.
        hub.presences().until_known().await;
        let boot_id = store.clock().now() as u64 ^ u64::from(std::process::id()) << 48;
        let limiter = config.rate_limit.map(Limiter::new);
        let (layout, content_security_policy) = (Layout::new(base_url(&config)), content_security_policy::of(&config)?);
        let webhooks = Webhooks::start(&config.webhooks, &store, &hub, &layout.base, stop.child_token()).await?;
        let app = App(Arc::new(Inner {
            credentials: RwLock::new(Arc::new((&config).into())),
            config,
            store,
            hub,
            keys,
            layout,
            content_security_policy,
            render_cache: RenderCache::default(),
            slots,
            webhooks,
            limiter,
            stream_slots: Arc::default(),
            boot_id,
            draining: AtomicBool::new(false),
            stop,
        }));
        tokio::join!(app.store().try_acts(), app.store().try_reads());
        app.start_tasks();
        Ok(app)
    }

    /// Fails readiness and ends every stream: what a host does before it shuts down.
    pub async fn drain(&self) {
        self.fail_readiness();
        self.drain_streams(DRAIN_STREAMS).await;
    }

    /// Makes `/readyz` fail, so that load balancers send requests elsewhere. Requests are still answered.
    pub fn fail_readiness(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Ends every stream with its last message, one after the other, `within` this time, and deliveries of webhooks,
    /// which other nodes continue.
    pub async fn drain_streams(&self, within: Duration) {
        tokio::join!(self.hub().drain_streams(within), self.webhooks().drain());
    }

    /// Ends the background tasks.
    pub fn stop(&self) {
        self.0.stop.cancel();
    }

    /// Ends the background tasks and closes the database: a SQLite file then has everything in itself. What a host does last, when it
    /// serves nothing any more.
    pub async fn close(&self) {
        self.stop();
        self.store().close().await;
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The groups in memory and their subscribers.
    pub fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// The time in which an act can be undone, in milliseconds.
    pub(crate) fn undo_window(&self) -> i64 {
        self.0.config.undo_window.as_millis() as i64
    }

    /// The clock, the database's where nodes share one.
    pub fn clock(&self) -> &Clock {
        self.0.store.clock()
    }

    /// The configuration that the service was opened with. What a reload takes over is in [`App::credentials`].
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The secrets and keys as configured now.
    pub(crate) fn credentials(&self) -> Arc<Credentials> {
        self.0.credentials.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.0.layout
    }

    /// The header `Content-Security-Policy` of every page.
    pub(crate) fn content_security_policy(&self) -> &HeaderValue {
        &self.0.content_security_policy
    }

    /// The cache of rendered windows.
    pub(crate) fn render_cache(&self) -> &RenderCache {
        &self.0.render_cache
    }

    /// The custom templates.
    pub(crate) fn slots(&self) -> &SharedSlots {
        &self.0.slots
    }

    /// The places of open streams.
    pub(crate) fn stream_slots(&self) -> &Arc<StreamSlots> {
        &self.0.stream_slots
    }

    /// The webhooks of this node.
    pub(crate) fn webhooks(&self) -> &Webhooks {
        &self.0.webhooks
    }

    /// The start of every URL: the base path or the public URL.
    pub(crate) fn base(&self) -> Arc<str> {
        self.0.layout.base.clone()
    }

    /// A number that differs from one start of the process to the next.
    pub(crate) fn boot_id(&self) -> u64 {
        self.0.boot_id
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// The measurements of this process in Prometheus' text format, for a host that serves them itself.
    pub fn metrics_text(&self) -> String {
        telemetry::render()
    }

    /// Counts a request of this caller against the rate limit.
    ///
    /// # Errors
    /// When none is left: the seconds until the next is allowed.
    pub(crate) fn check_rate_limit(&self, caller: &str) -> Result<(), u32> {
        self.count_request(caller).unwrap_or(Ok(0)).map(|_| ())
    }

    /// Like [`Self::check_rate_limit`], with the number of requests left; `None` without a limit.
    ///
    /// # Errors
    /// As [`Self::check_rate_limit`].
    pub(crate) fn count_request(&self, caller: &str) -> Option<Result<u32, u32>> {
        // Hashed, so that it names nobody who is erased.
        Some(self.0.limiter.as_ref()?.count(&self.store().pseudonyms().content(caller)))
    }
}

/// The start of every URL.
fn base_url(config: &Config) -> Arc<str> {
    match &config.public_url {
        Some(url) if config.base_path.is_empty() || url.ends_with(&config.base_path) => url.as_str().into(),
        Some(url) => format!("{url}{}", config.base_path).into(),
        None => config.base_path.as_str().into(),
    }
}
