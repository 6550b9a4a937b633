//! Listening: connections with timers and small buffers, and an end that drops nobody.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};

use crate::app::App;

/// Whoever has not sent its request's head by then is cut.
const HEAD: Duration = Duration::from_secs(10);
/// Whoever takes nothing of what was sent for so long is cut: slow readers, lost networks.
const UNREAD: Duration = Duration::from_secs(30);
/// Between "not ready any more" and "goodbye", for load balancers to notice.
const NOTICE: Duration = Duration::from_millis(200);
/// What is still open by then is cut.
const DEADLINE: Duration = Duration::from_secs(4);
/// Bytes a connection buffers: streams are many, and their messages small.
const BUFFER: usize = 8192;

/// Serves until `ended` completes, then drains. Prints the address it listens on.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn serve(app: App, listen: SocketAddr, ended: impl Future<Output = ()>) -> anyhow::Result<()> {
    serve_router(app.clone(), app.router(), listen, ended).await
}

/// The same with a router of one's own around the service.
pub async fn serve_router(
    app: App,
    router: Router,
    listen: SocketAddr,
    ended: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let listener =
        TcpListener::bind(listen).await.map_err(|error| anyhow::anyhow!("cannot listen on {listen}: {error}"))?;
    eprintln!("listening on http://{}", listener.local_addr()?);
    let connections = GracefulShutdown::new();
    tokio::pin!(ended);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => answer(stream, router.clone(), &connections),
                Err(error) => {
                    // Out of file descriptors, most likely: those who are connected go on.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            () = &mut ended => break,
        }
    }
    tracing::info!("draining");
    let app_drains = async {
        tokio::time::sleep(NOTICE).await;
        app.drain().await;
        connections.shutdown().await;
    };
    let _ = tokio::time::timeout(DEADLINE, app_drains).await;
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
pub async fn told_to_end() {
    let mut terminate =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("signals can be listened to");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

fn answer(stream: TcpStream, router: Router, connections: &GracefulShutdown) {
    if let Err(error) = set_up(&stream) {
        tracing::debug!(%error, "a connection was gone before it began");
        return;
    }
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(BUFFER.max(8192)).keep_alive(true);
    let connection = connections.watch(http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)));
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}

fn set_up(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(UNREAD))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNREAD))?;
    Ok(())
}
