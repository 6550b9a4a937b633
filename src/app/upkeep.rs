//! The background tasks of the service. They end with [`App::stop`].

use std::time::Duration;

use super::App;
use crate::clock::every;
use crate::{membership, telemetry};

/// Time between two checks whether templates have changed.
const TEMPLATE_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two rounds of [`App::upkeep`].
const UPKEEP_INTERVAL: Duration = Duration::from_secs(10);

impl App {
    /// Starts the tasks.
    pub(super) fn start_tasks(&self) {
        self.spawn(self.store().clone().try_acts_forever());
        self.spawn(self.store().clone().try_reads_forever());
        self.spawn(membership::end_forever(self.store().clone()));
        self.spawn(membership::sweep_forever(self.store().clone(), self.config().retention));
        let app = self.clone();
        self.spawn(async move { app.upkeep().await });
        self.spawn(membership::finish_erasures_forever(self.store().clone()));
        let app = self.clone();
        self.spawn(async move { app.forget_erased_people().await });
        let app = self.clone();
        self.spawn(async move { app.watch_slots().await });
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.0.stop.clone();
        tokio::spawn(async move { stop.run_until_cancelled(work).await });
    }

    /// Drops rendered windows when somebody was erased who may be in them, and the claims of those who are being erased.
    async fn forget_erased_people(&self) {
        let (mut erasures, mut people) = (self.hub().erasures(), self.hub().being_erased());
        loop {
            tokio::select! {
                Ok(()) = erasures.changed() => self.render_cache().clear(),
                Ok(()) = people.changed() => self.keys().forget(&people.borrow_and_update().clone()),
                else => return,
            }
        }
    }

    /// Lets open pages render again when a template has changed.
    async fn watch_slots(&self) {
        let mut tick = every(TEMPLATE_POLL_INTERVAL);
        let mut version = self.slots().version();
        loop {
            tick.tick().await;
            let slots = self.slots().clone();
            if let Err(error) = tokio::task::spawn_blocking(move || slots.refresh()).await {
                tracing::error!(%error, "the check for changed templates panicked");
            }
            if std::mem::replace(&mut version, self.slots().version()) != version {
                self.hub().templates_changed();
            }
        }
    }

    /// Drops old measurements and idle callers, and loads the keys of viewers again when that is due.
    async fn upkeep(&self) {
        let mut tick = every(UPKEEP_INTERVAL);
        loop {
            tick.tick().await;
            telemetry::handle().run_upkeep();
            if let Some(limiter) = &self.0.limiter {
                limiter.forget_idle();
            }
            // Streams under a key that the JWKS has lost end also while nobody asks for anything.
            self.keys().refresh(self.clock().now() / 1000).await;
        }
    }
}
