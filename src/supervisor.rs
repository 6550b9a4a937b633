//! Notifications to systemd (sd_notify(3)). Without a listening supervisor, nothing is sent.

use std::env;
use std::ffi::OsStr;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt as _;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use sd_notify::NotifyState;

/// Longest wait for a supervisor that does not read.
const SEND_TIMEOUT: Duration = Duration::from_millis(100);

/// The service listens, or has read its files again.
pub(crate) fn ready() {
    notify(&[NotifyState::Ready]);
}

/// The service reads its files again; [`ready`] follows.
pub(crate) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => notify(&[NotifyState::Reloading, now]),
        Err(error) => tracing::warn!(%error, "cannot read the monotonic clock for systemd"),
    }
}

/// The service drains.
pub(crate) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Notifies the supervisor's watchdog, twice in each of its periods, as long as this future is polled. Does nothing without a watchdog.
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
    let message: String = state.iter().map(|one| format!("{one}\n")).collect();
    if let Err(error) = send(&message) {
        tracing::warn!(%error, "cannot notify systemd (NOTIFY_SOCKET)");
    }
}

/// Sends to the socket that the environment names, and waits only for a moment when nobody reads there: the library's own way
/// would wait for as long as that lasts, and the service with it.
fn send(message: &str) -> io::Result<()> {
    let Some(place) = env::var_os("NOTIFY_SOCKET").filter(|place| !place.is_empty()) else { return Ok(()) };
    let socket = UnixDatagram::unbound()?;
    socket.set_write_timeout(Some(SEND_TIMEOUT))?;
    socket.send_to_addr(message.as_bytes(), &address(&place)?)?;
    Ok(())
}

fn address(place: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(name) = place.as_bytes().strip_prefix(b"@") {
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(place)
}
