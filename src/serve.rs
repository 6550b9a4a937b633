//! Listening: connections with timers and small buffers, and an end that drops nobody.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tower::util::MapResponse;

use crate::app::{App, DRAIN_STREAMS};

/// Whoever has not sent its request's head by then is cut.
const HEAD: Duration = Duration::from_secs(10);
/// Whoever takes nothing of what was sent for so long is cut: slow readers, lost networks.
const UNREAD: Duration = Duration::from_secs(30);
/// From "not ready any more" on, so long everything is answered as before, until load balancers
/// have noticed and send nobody any more.
const NOTICE: Duration = Duration::from_millis(1500);
/// Who connected last sends a request by then.
const LAST: Duration = Duration::from_millis(200);
/// What is still open by then, counted from the signal, is cut.
const DEADLINE: Duration = Duration::from_millis(4500);
/// Bytes a connection buffers: streams are many, and their messages small.
const BUFFER: usize = 8192;

/// Who said that it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// A supervisor (SIGTERM): others are there to go on, and whoever sends people here needs time
    /// to notice.
    BySupervisor,
    /// Somebody at a terminal (Ctrl-C), who waits for it.
    ByPerson,
}

impl Told {
    fn notice(self) -> Duration {
        if self == Told::BySupervisor { NOTICE } else { Duration::ZERO }
    }

    fn goodbye(self) -> Duration {
        if self == Told::BySupervisor { DRAIN_STREAMS } else { Duration::ZERO }
    }
}

/// A host that ends its service in its own way ends it as a supervisor does.
impl From<()> for Told {
    fn from((): ()) -> Told {
        Told::BySupervisor
    }
}

/// Serves until `ended` completes, then drains. Prints the address it listens on.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn serve(app: App, listen: SocketAddr, ended: impl Future<Output = impl Into<Told>>) -> anyhow::Result<()> {
    serve_router(app.clone(), app.router(), listen, ended).await
}

/// The same with a router of one's own around the service.
///
/// While it drains, SIGTERM or Ctrl-C ends it at once.
pub async fn serve_router(
    app: App,
    router: Router,
    listen: SocketAddr,
    ended: impl Future<Output = impl Into<Told>>,
) -> anyhow::Result<()> {
    let listener =
        TcpListener::bind(listen).await.map_err(|error| anyhow::anyhow!("cannot listen on {listen}: {error}"))?;
    eprintln!("listening on http://{}", listener.local_addr()?);
    let door = Door { app: app.clone(), router, connections: GracefulShutdown::new() };
    let told = door.open_until(&listener, ended).await.into();
    app.withdraw();
    tracing::info!(?told, "draining");
    tokio::select! {
        drained = tokio::time::timeout(DEADLINE, door.drain(listener, told)) => {
            if drained.is_err() {
                tracing::warn!("what was not answered in time is cut");
            }
        }
        _ = told_to_end() => tracing::warn!("told to end again: what was not answered is cut"),
    }
    app.stop();
    Ok(())
}

/// A file that has reached the limit an operator set (`ulimit -f`) is a full disk: acts are refused
/// until there is room, and the rest goes on. Unhandled, the signal for it would end the program.
pub fn outlive_file_limits() {
    /// SIGXFSZ of Linux, macOS and the BSDs.
    const FILE_TOO_LARGE: i32 = 25;
    let kind = tokio::signal::unix::SignalKind::from_raw(FILE_TOO_LARGE);
    // The handler stays when the listener is gone.
    if let Err(error) = tokio::signal::unix::signal(kind) {
        tracing::warn!(%error, "a file that reaches its limit will end this program");
    }
}

/// SIGTERM or Ctrl-C.
pub async fn told_to_end() -> Told {
    let mut terminate =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("signals can be listened to");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => Told::ByPerson,
        _ = terminate.recv() => Told::BySupervisor,
    }
}

/// Where people come in, and are seen off.
struct Door {
    app: App,
    router: Router,
    connections: GracefulShutdown,
}

impl Door {
    async fn open_until<T>(&self, listener: &TcpListener, ended: impl Future<Output = T>) -> T {
        tokio::pin!(ended);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => self.answer(stream),
                    Err(error) => {
                        // Out of file descriptors, most likely: those who are connected go on.
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                told = &mut ended => return told,
            }
        }
    }

    /// Everybody is answered to the end. Nobody is let in who would find the door shut: first
    /// others hear that there is nothing here any more, then the door closes behind the last.
    async fn drain(self, listener: TcpListener, told: Told) {
        self.open_until(&listener, tokio::time::sleep(told.notice())).await;
        self.let_in_who_waits(listener);
        self.app.drain_streams(told.goodbye()).await;
        if self.connections.count() > 0 {
            tokio::time::sleep(LAST).await;
        }
        // Who asked for a stream in the last moment has it, and its end.
        let late_goodbyes = async {
            loop {
                self.app.drain_streams(Duration::ZERO).await;
                tokio::time::sleep(LAST).await;
            }
        };
        tokio::select! { () = self.connections.shutdown() => {}, () = late_goodbyes => {} }
    }

    /// The system has accepted them already: with a listener that just closes, they would be cut.
    fn let_in_who_waits(&self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else { return };
        while let Ok((stream, _)) = listener.accept() {
            match stream.set_nonblocking(true).and_then(|()| TcpStream::from_std(stream)) {
                Ok(stream) => self.answer(stream),
                Err(error) => tracing::debug!(%error, "a connection was gone before it began"),
            }
        }
    }

    fn answer(&self, stream: TcpStream) {
        if let Err(error) = set_up(&stream) {
            tracing::debug!(%error, "a connection was gone before it began");
            return;
        }
        let app = self.app.clone();
        let answers = MapResponse::new(self.router.clone(), move |mut response: Response| {
            // A connection that ends with its answer is one on which no request meets the end.
            if app.is_draining() {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            response
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER.max(8192)).keep_alive(true);
        let connection =
            self.connections.watch(http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(answers)));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
}

fn set_up(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(UNREAD))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNREAD))?;
    Ok(())
}
