//! Listening: accepted connections with timeouts and small buffers, and a graceful shutdown that drops no request.
//!
//! `axum::serve` has no timeout for slow headers and no limit for the buffers of a connection, so the accept loop is
//! here. `connections.rs` counts the open connections and ends them. `host.rs`, `ambiguous_length.rs` and `refusal.rs` reject
//! requests that no handler may see, and `socket.rs` makes sure that the client receives the rejection.
//!
//! Not here: opening the socket (`listener`), routes and handlers (`http`), and options (`config`).

mod ambiguous_length;
mod connections;
mod host;
mod refusal;
mod socket;

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tower::{ServiceExt, service_fn};

use self::ambiguous_length::AmbiguousLength;
use self::connections::{Connections, LAST_REQUEST_GRACE, Progress};
use self::refusal::EarlyRejection;
use self::socket::Socket;
use crate::app::{App, DRAIN_STREAMS};
use crate::config::Listen;
use crate::listener::{ClientStream, Listener, configure};
use crate::open_files::{self, Room};
use crate::print::note;
use crate::store::FailureLog;
use crate::supervisor;

/// After `/readyz` begins to fail, connections are accepted for this long, until load balancers have noticed.
const READINESS_GRACE: Duration = Duration::from_millis(1500);
/// Time between two attempts to accept a connection while that fails, or there is no room for one.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// Longest wait until the other nodes can read what the host reported last.
const LAST_REPORTS: Duration = Duration::from_secs(1);
/// After the signal the service has ended within this time. Its threads have the rest of five seconds.
pub(crate) const SHUTDOWN_LIMIT: Duration = Duration::from_millis(4800);
/// Connections still open this long after the signal are closed.
const DRAIN_DEADLINE: Duration = Duration::from_millis(4500);

/// The kind of a shutdown, by its signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shutdown {
    /// SIGTERM of a supervisor: load balancers and other nodes get time to take over.
    Graceful,
    /// Ctrl-C at a terminal: nobody has to take over, so only open requests are finished.
    Immediate,
}

impl Shutdown {
    fn readiness_grace(self) -> Duration {
        if self == Shutdown::Graceful { READINESS_GRACE } else { Duration::ZERO }
    }

    fn stream_drain(self) -> Duration {
        if self == Shutdown::Graceful { DRAIN_STREAMS } else { Duration::ZERO }
    }
}

/// How a drain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drain {
    /// With its last request, or at its deadline.
    Complete,
    /// By a second signal: nothing else is waited for.
    CutShort,
}

/// A host with a shutdown signal of its own shuts down gracefully.
impl From<()> for Shutdown {
    fn from((): ()) -> Shutdown {
        Shutdown::Graceful
    }
}

/// Listens there: see [`Listener::bind`].
///
/// # Errors
/// When it cannot be listened there.
pub async fn bind(listen: impl Into<Listen>) -> anyhow::Result<Listener> {
    Listener::bind(&listen.into()).await
}

/// Serves the measurements on a listener of their own, until the process ends. Prints the address it listens on.
///
/// # Errors
/// When the listener has no address.
pub fn serve_metrics(app: &App, listener: TcpListener) -> anyhow::Result<()> {
    note!("metrics on http://{}/metrics", listener.local_addr()?);
    let router = app.metrics_router();
    // Only the operator reaches it: it needs none of the limits of the public listener.
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(())
}

/// Serves until `shutdown` completes, then drains. Prints the address it listens on.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    app: App,
    listener: impl Into<Listener>,
    shutdown: impl Future<Output = impl Into<Shutdown>>,
) -> anyhow::Result<()> {
    serve_router(app.clone(), app.router(), listener, shutdown).await
}

/// Like [`serve`], with a router that the host has built around the service.
///
/// A second SIGTERM or Ctrl-C ends the drain at once.
///
/// # Errors
/// When the listener has no address.
pub async fn serve_router(
    app: App,
    router: Router,
    listener: impl Into<Listener>,
    shutdown: impl Future<Output = impl Into<Shutdown>>,
) -> anyhow::Result<()> {
    serve_until_drained(app, router, listener, shutdown).await?;
    Ok(())
}

/// Like [`serve_router`], and answers how the drain ended.
///
/// # Errors
/// When the listener has no address.
pub(crate) async fn serve_until_drained(
    app: App,
    router: Router,
    listener: impl Into<Listener>,
    shutdown: impl Future<Output = impl Into<Shutdown>>,
) -> anyhow::Result<Drain> {
    let listener = listener.into();
    note!("listening on {}", listener.address()?);
    let server = Server { app, router, connections: Connections::default() };
    supervisor::ready();
    // Polled by the task that accepts connections: when that hangs, the supervisor gets no further notification.
    tokio::select! {
        drain = server.run(listener, shutdown) => Ok(drain),
        () = supervisor::stay_alive() => Ok(Drain::Complete),
    }
}

/// Keeps the process alive when a file reaches the operator's size limit (`ulimit -f`), by handling the signal that
/// would end it. Writes then fail as on a full disk: acts are refused until there is room, and a command says why it ends.
pub fn outlive_file_limits() {
    /// SIGXFSZ of Linux, macOS and the BSDs.
    const FILE_TOO_LARGE: i32 = 25;
    let kind = tokio::signal::unix::SignalKind::from_raw(FILE_TOO_LARGE);
    // Dropping the listener does not uninstall the handler.
    if let Err(error) = tokio::signal::unix::signal(kind) {
        tracing::warn!(%error, "cannot handle SIGXFSZ: a file that reaches its size limit will end this process");
    }
}

/// Completes at SIGTERM or Ctrl-C.
pub async fn shutdown_signal() -> Shutdown {
    let mut terminate =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("signals can be listened to");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => Shutdown::Immediate,
        _ = terminate.recv() => Shutdown::Graceful,
    }
}

/// The accept loop and its open connections.
struct Server {
    app: App,
    router: Router,
    connections: Connections,
}

impl Server {
    /// Serves until `shutdown` completes, then drains.
    async fn run(self, listener: Listener, shutdown: impl Future<Output = impl Into<Shutdown>>) -> Drain {
        let shutdown: Shutdown = self.accept_until(&listener, shutdown).await.into();
        let began = Instant::now();
        let app = self.app.clone();
        app.fail_readiness();
        supervisor::stopping();
        tracing::info!(?shutdown, "draining");
        let drained = async {
            if tokio::time::timeout(DRAIN_DEADLINE, self.drain(listener, shutdown)).await.is_err() {
                tracing::warn!("drain deadline reached: closing connections with unfinished requests");
            }
            let left = LAST_REPORTS.min(SHUTDOWN_LIMIT.saturating_sub(began.elapsed()));
            let _ = tokio::time::timeout(left, app.hub().presences().reports_written()).await;
        };
        let drain = tokio::select! {
            () = drained => Drain::Complete,
            _ = shutdown_signal() => {
                tracing::warn!("second signal: closing connections with unfinished requests");
                Drain::CutShort
            }
        };
        app.stop();
        drain
    }

    async fn accept_until<T>(&self, listener: &Listener, shutdown: impl Future<Output = T>) -> T {
        static FAILURES: FailureLog = FailureLog::new();
        tokio::pin!(shutdown);
        loop {
            tokio::select! {
                accepted = self.accept(listener) => match accepted {
                    Ok(stream) => {
                        if FAILURES.succeeded(Instant::now()) {
                            tracing::info!("connections are accepted again");
                        }
                        self.serve_connection(stream);
                    }
                    Err(error) => {
                        if open_files::are_exhausted(&error) {
                            self.connections.make_room();
                        }
                        if FAILURES.failed(&error.to_string(), Instant::now()) {
                            tracing::warn!(
                                %error,
                                "cannot accept connections; when too many files are open, set LimitNOFILE in the systemd unit \
                                 (or `ulimit -Hn`) higher"
                            );
                        }
                        tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
                    }
                },
                kind = &mut shutdown => return kind,
            }
        }
    }

    /// The next connection, as soon as there is room for it. A newcomer comes before connections that wait for a request: when
    /// few files are left, those are closed.
    async fn accept(&self, listener: &Listener) -> io::Result<ClientStream> {
        static CROWDED: FailureLog = FailureLog::new();
        loop {
            let connections = self.connections.count();
            let room = open_files::room_beside(connections);
            if room == Room::Ample {
                if CROWDED.succeeded(Instant::now()) {
                    tracing::info!(connections, "connections may stay open again: enough files are left");
                }
                return listener.accept().await;
            }
            if CROWDED.failed("few files are left", Instant::now()) {
                tracing::warn!(
                    connections,
                    "connections are closed after their answers, idle ones after a second: few of the files that this process may \
                     open are left (FilesRunOut in docs/alarms.md says what to set)"
                );
            }
            self.connections.make_room();
            if room == Room::Scarce {
                return listener.accept().await;
            }
            tokio::time::sleep(ACCEPT_RETRY_INTERVAL).await;
        }
    }

    /// Finishes every request. The listener closes only after load balancers had time to stop sending, so that no
    /// connection is refused.
    async fn drain(self, listener: Listener, shutdown: Shutdown) {
        self.accept_until(&listener, tokio::time::sleep(shutdown.readiness_grace())).await;
        self.accept_backlog(listener);
        self.app.drain_streams(shutdown.stream_drain()).await;
        // Streams opened by a request during the drain are ended as well.
        let late_streams = async {
            loop {
                self.app.drain_streams(Duration::ZERO).await;
                tokio::time::sleep(LAST_REQUEST_GRACE).await;
            }
        };
        tokio::select! { () = self.connections.shutdown() => {}, () = late_streams => {} }
    }

    /// Serves the connections that the system has accepted already: closing the listener would reset them.
    fn accept_backlog(&self, listener: Listener) {
        for accepted in listener.into_backlog() {
            match accepted {
                Ok(stream) => self.serve_connection(stream),
                Err(error) => tracing::debug!(%error, "a connection closed before its first request"),
            }
        }
    }

    fn serve_connection(&self, stream: ClientStream) {
        if let Err(error) = configure(&stream) {
            tracing::debug!(%error, "a connection closed before its first request");
            return;
        }
        let app = self.app.clone();
        let router = self.router.clone();
        let ambiguous_length = AmbiguousLength::default();
        let socket = Socket::new(stream, ambiguous_length.clone());
        let progress = Progress::default();
        let progress_of_service = progress.clone();
        let service = service_fn(move |request: axum::http::Request<Incoming>| {
            let (app, router, progress) = (app.clone(), router.clone(), progress_of_service.clone());
            progress.begin_request();
            let is_ambiguous = ambiguous_length.is_next();
            async move {
                let both = is_ambiguous.then_some("A request has Content-Length or Transfer-Encoding, not both.");
                if let Some(why) = both.or_else(|| host::refusal(&request)) {
                    let rejection = EarlyRejection::bad_request(why).of_request(&request, &app.config().base_path);
                    rejection.trace(Some(request.method()));
                    return Ok::<_, Infallible>(rejection.into_response());
                }
                let mut response = router.oneshot(request.map(Body::new) as Request).await?;
                // A client that reuses the connection could send its next request just as the server closes it.
                if app.is_draining() || progress.is_ending() {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok(response)
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            // hyper counts from the end of the request before. The limit of a head that has begun is that of the socket.
            .header_read_timeout(self.app.config().keep_alive)
            .max_buf_size(refusal::CONNECTION_BUFFER)
            .keep_alive(true);
        let connection = http.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
        let connection = self.connections.serve(connection, progress);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
}
