//! What a supervisor is told: systemd's notifications (sd_notify(3)). Without one that listens, nothing is sent.

use std::time::Duration;

use sd_notify::NotifyState;

/// The service listens, or has read its files again.
pub(crate) fn ready() {
    notify(&[NotifyState::Ready]);
}

/// The service reads its files again; [`ready`] follows.
pub(crate) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => notify(&[NotifyState::Reloading, now]),
        Err(error) => tracing::warn!(%error, "cannot read the clock that a supervisor is told of"),
    }
}

/// The service drains.
pub(crate) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Says that the process lives, twice in each period that the supervisor allows, as long as this future is polled. Does
/// nothing when none is asked for.
pub(crate) async fn stay_alive() {
    let Some(allowed) = sd_notify::watchdog_enabled().filter(|allowed| *allowed > Duration::ZERO) else {
        return std::future::pending().await;
    };
    let mut beat = tokio::time::interval(allowed / 2);
    loop {
        beat.tick().await;
        notify(&[NotifyState::Watchdog]);
    }
}

fn notify(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "cannot tell the supervisor (NOTIFY_SOCKET)");
    }
}
