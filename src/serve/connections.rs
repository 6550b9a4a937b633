//! The open connections. All of them can be asked to close: each first answers the requests that it has received.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper_util::server::graceful::GracefulConnection;
use tokio::sync::watch;
use tokio::time::timeout;

/// In a shutdown, a connection that is asked to close waits this long for a request that is on its way.
pub(super) const LAST_REQUEST_GRACE: Duration = Duration::from_millis(200);
/// When files run short, an idle connection may stay this long.
const CROWDED_GRACE: Duration = Duration::from_secs(1);

/// Every open connection.
#[derive(Default)]
pub(super) struct Connections {
    /// Each connection has a receiver. The value is the cause of the last request to close.
    ending: watch::Sender<Cause>,
}

/// Why connections end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Cause {
    /// The service shuts down.
    #[default]
    Shutdown,
    /// Newcomers need their files.
    Crowded,
}

impl Cause {
    fn grace(self) -> Duration {
        match self {
            Cause::Shutdown => LAST_REQUEST_GRACE,
            Cause::Crowded => CROWDED_GRACE,
        }
    }
}

/// What a connection and the service behind it know of each other.
#[derive(Clone, Default)]
pub(super) struct Progress(Arc<Flags>);

#[derive(Default)]
struct Flags {
    has_request: AtomicBool,
    is_ending: AtomicBool,
}

impl Progress {
    /// Notes that a request has arrived.
    pub(super) fn begin_request(&self) {
        self.0.has_request.store(true, Ordering::Relaxed);
    }

    /// Whether the connection closes after the answer.
    pub(super) fn is_ending(&self) -> bool {
        self.0.is_ending.load(Ordering::Relaxed)
    }
}

impl Connections {
    /// How many are open.
    pub(super) fn count(&self) -> usize {
        self.ending.receiver_count()
    }

    /// Closes every connection that is open now: those with a request after its answer, the others after a moment, also when a
    /// first request has begun to arrive.
    pub(super) fn make_room(&self) {
        self.ending.send_replace(Cause::Crowded);
    }

    /// Closes every connection after the answer to its last request, and waits until none is open.
    pub(super) async fn shutdown(&self) {
        self.ending.send_replace(Cause::Shutdown);
        self.ending.closed().await;
    }

    /// Serves a connection to its end.
    ///
    /// # Errors
    /// Those of the connection.
    pub(super) fn serve<C: GracefulConnection>(
        &self,
        connection: C,
        progress: Progress,
    ) -> impl Future<Output = Result<(), C::Error>> + use<C> {
        let mut ending = self.ending.subscribe();
        // On the heap: a future that moves what it has captured has room for it twice.
        let mut connection = Box::pin(connection);
        async move {
            tokio::select! {
                biased;
                ended = connection.as_mut() => return ended,
                _ = ending.changed() => progress.0.is_ending.store(true, Ordering::Relaxed),
            }
            let cause = *ending.borrow();
            if let Ok(ended) = timeout(cause.grace(), connection.as_mut()).await {
                return ended;
            }
            if cause == Cause::Crowded && !progress.0.has_request.load(Ordering::Relaxed) {
                return Ok(());
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    }
}
