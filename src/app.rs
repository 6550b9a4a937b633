//! The service, put together: one constructor for the program, for tests, and for hosts that nest
//! it in an application of their own.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::HeaderValue;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::config::Config;
use crate::identity::Keys;
use crate::live::{Hub, Transport};
use crate::slots::{Folder, SharedSlots, Slots};
use crate::store::Store;
use crate::views::{Layout, RenderCache};
use crate::{assets, membership};

/// How long streams are told goodbye for when the service drains.
pub(crate) const DRAIN_STREAMS: Duration = Duration::from_secs(2);
/// How often templates are looked at.
const TEMPLATES: Duration = Duration::from_secs(1);

/// The running service. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    config: Config,
    store: Store,
    hub: Hub,
    keys: Keys,
    layout: Layout,
    policy: HeaderValue,
    render_cache: RenderCache,
    slots: SharedSlots,
    limiter: Option<DefaultKeyedRateLimiter<String>>,
    run: u64,
    draining: AtomicBool,
    stop: CancellationToken,
}

impl App {
    /// Opens the database, reads the viewer keys, and starts what runs by itself.
    ///
    /// # Errors
    /// When the database cannot be opened or the keys cannot be read.
    pub async fn open(config: Config) -> anyhow::Result<App> {
        App::open_at(config, Clock::default()).await
    }

    /// The same with a clock of one's own, for tests of what ends by itself.
    pub async fn open_at(config: Config, clock: Clock) -> anyhow::Result<App> {
        let slots = match &config.views {
            Some(folder) => SharedSlots::new(Folder::open(folder)?),
            None => SharedSlots::default(),
        };
        App::put_together(config, clock, slots).await
    }

    /// The same with parts of the component drawn by the host (see [`Slots`]), in place of a
    /// folder of templates.
    ///
    /// # Errors
    /// As [`App::open`], and when the configuration names a folder of templates as well.
    pub async fn open_with_slots(config: Config, slots: impl Slots + 'static) -> anyhow::Result<App> {
        anyhow::ensure!(config.views.is_none(), "views: this host draws its own, and needs no folder of templates");
        App::put_together(config, Clock::default(), SharedSlots::new(slots)).await
    }

    async fn put_together(config: Config, clock: Clock, slots: SharedSlots) -> anyhow::Result<App> {
        let keys = Keys::from_config(&config, clock.now() / 1000).await?;
        let store = Store::open(&config.database_url, clock).await?;
        let stop = CancellationToken::new();
        let transport = Transport::of(&config, &store).await?;
        let hub = Hub::new(store.clone(), transport, config.roster_memory, stop.clone());
        let run = store.clock().now() as u64 ^ u64::from(std::process::id()) << 48;
        let limiter = config.rate_limit.map(|limit| RateLimiter::keyed(quota(limit.count, limit.per)));
        let (layout, policy) = (layout(&config), policy(&config)?);
        let app = App(Arc::new(Inner {
            config,
            store,
            hub,
            keys,
            layout,
            policy,
            render_cache: RenderCache::default(),
            slots,
            limiter,
            run,
            draining: AtomicBool::new(false),
            stop,
        }));
        metrics_handle();
        app.spawn(membership::sweep_forever(app.store().clone(), app.config().retention));
        let upkeep = app.clone();
        app.spawn(async move { upkeep.upkeep().await });
        let watch = app.clone();
        app.spawn(async move { watch.watch_slots().await });
        Ok(app)
    }

    /// Gets ready to go: not ready any more for new work, and every stream is told and ended.
    pub async fn drain(&self) {
        self.withdraw();
        self.drain_streams(DRAIN_STREAMS).await;
    }

    /// Not ready any more, so that load balancers look elsewhere; whoever comes is still answered.
    pub fn withdraw(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    /// Tells every stream goodbye and ends it, one after the other, `within` this time.
    pub async fn drain_streams(&self, within: Duration) {
        self.hub().drain_streams(within).await;
    }

    /// Ends everything that runs by itself.
    pub fn stop(&self) {
        self.0.stop.cancel();
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The groups in memory.
    pub fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// The time.
    pub fn clock(&self) -> &Clock {
        self.0.store.clock()
    }

    /// What the operator decided.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.0.layout
    }

    pub(crate) fn policy(&self) -> &HeaderValue {
        &self.0.policy
    }

    /// Windows as they were rendered.
    pub(crate) fn render_cache(&self) -> &RenderCache {
        &self.0.render_cache
    }

    /// Who draws what is not drawn in the built-in way.
    pub(crate) fn slots(&self) -> &SharedSlots {
        &self.0.slots
    }

    /// What URLs begin with.
    pub(crate) fn base(&self) -> Arc<str> {
        self.0.layout.base.clone()
    }

    /// Differs from one start of the process to the next.
    pub(crate) fn run(&self) -> u64 {
        self.0.run
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    pub(crate) fn metrics_text(&self) -> String {
        metrics_handle().render()
    }

    /// Counts a request of this caller; the seconds to wait when it is one too many.
    pub(crate) fn limit(&self, caller: &str) -> Result<(), u32> {
        let Some(limiter) = &self.0.limiter else { return Ok(()) };
        limiter.check_key(&caller.to_owned()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            wait.as_secs() as u32 + 1
        })
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.0.stop.clone();
        tokio::spawn(async move {
            tokio::select! { () = work => {}, () = stop.cancelled() => {} }
        });
    }

    /// Open screens renew themselves when they are drawn in another way than before.
    async fn watch_slots(&self) {
        let mut tick = tokio::time::interval(TEMPLATES);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut version = self.slots().version();
        loop {
            tick.tick().await;
            let slots = self.slots().clone();
            if let Err(error) = tokio::task::spawn_blocking(move || slots.refresh()).await {
                tracing::error!(%error, "templates could not be looked at");
            }
            if std::mem::replace(&mut version, self.slots().version()) != version {
                self.hub().views_changed();
            }
        }
    }

    async fn upkeep(&self) {
        let mut tick = tokio::time::interval(Duration::from_secs(10));
        loop {
            tick.tick().await;
            metrics_handle().run_upkeep();
            if let Some(limiter) = &self.0.limiter {
                limiter.retain_recent();
            }
        }
    }
}

/// The recorder is the process's; every service in it shares it.
fn metrics_handle() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        // A host that nests us may have a recorder of its own: then that one measures.
        let _ = metrics::set_global_recorder(recorder);
        handle
    })
}

fn quota(count: NonZeroU32, per: Duration) -> Quota {
    let each = per / count.get();
    Quota::with_period(each.max(Duration::from_nanos(1))).expect("a period is never zero").allow_burst(count)
}

fn layout(config: &Config) -> Layout {
    let base: Arc<str> = match &config.public_url {
        Some(url) if config.base_path.is_empty() || url.ends_with(&config.base_path) => url.as_str().into(),
        Some(url) => format!("{url}{}", config.base_path).into(),
        None => config.base_path.as_str().into(),
    };
    let path = |name: &str| format!("{base}{}", assets::url(name));
    Layout {
        style: path("page.css"),
        pages_style: path("pages.css"),
        scripts: vec![path("chat-group-members-page.js")],
        base: base.clone(),
    }
}

fn policy(config: &Config) -> anyhow::Result<HeaderValue> {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https: data:; \
         form-action 'self'; base-uri 'none'; frame-ancestors {}",
        config.frame_ancestors_csp()
    );
    Ok(HeaderValue::from_str(&policy)?)
}
