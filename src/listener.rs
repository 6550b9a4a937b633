//! The socket that connections come from: TCP, a unix socket, or one that systemd passes. A name with several addresses has a
//! socket for each.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::iter;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use listenfd::ListenFd;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream, lookup_host};
use tokio_util::either::Either;

use crate::config::Listen;

/// Longest time that sent data may stay unacknowledged: a slow reader or a lost network is disconnected after it.
const UNACKED_TIMEOUT: Duration = Duration::from_secs(30);
/// Permissions of our unix socket: its owner and its group may connect.
const SOCKET_MODE: u32 = 0o660;
/// Most ports that are tried for a name with several addresses: the system picks one that is free at the first of them.
const PORT_ATTEMPTS: usize = 10;

/// A connection.
pub(crate) type ClientStream = Either<TcpStream, UnixStream>;

/// A socket that is listened on, or one for each address of a name.
pub struct Listener(BoundSocket);

enum BoundSocket {
    /// A socket, and those at further addresses of the same name.
    Tcp(TcpListener, Vec<TcpListener>),
    /// A unix socket, with the file that is removed with it.
    Unix(UnixListener, Option<SocketFile>),
}

impl Listener {
    /// Listens there. To be called before the service is opened: a process that cannot listen, such as a second one by
    /// mistake, must not take deliveries over from the one that can.
    ///
    /// # Errors
    /// When it cannot be listened there, or systemd has not passed a socket.
    pub async fn bind(listen: &Listen) -> anyhow::Result<Listener> {
        let bound = match listen {
            Listen::Address(address) => TcpListener::bind(address).await.map(Listener::from).map_err(Into::into),
            Listen::Name(name, port) => bind_name(name, *port).await.map_err(Into::into),
            Listen::Unix(path) => bind_unix(path).await,
            Listen::Systemd => passed(),
        };
        bound.with_context(|| format!("cannot listen on {listen}"))
    }

    /// The address that it listens on, the first one of several, for people.
    ///
    /// # Errors
    /// When the socket has no address.
    pub fn address(&self) -> io::Result<String> {
        match &self.0 {
            BoundSocket::Tcp(listener, _) => Ok(format!("http://{}", listener.local_addr()?)),
            BoundSocket::Unix(listener, _) => {
                let address = listener.local_addr()?;
                Ok(address.as_pathname().map_or_else(|| "unix:".into(), |path| format!("unix:{}", path.display())))
            }
        }
    }

    /// Its address, the first one of several, when it listens on TCP.
    pub fn tcp_address(&self) -> Option<SocketAddr> {
        match &self.0 {
            BoundSocket::Tcp(listener, _) => listener.local_addr().ok(),
            BoundSocket::Unix(..) => None,
        }
    }

    /// Whether each of its addresses is a loopback address.
    pub(crate) fn is_loopback(&self) -> bool {
        let is_loopback =
            |listener: &TcpListener| listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
        match &self.0 {
            BoundSocket::Tcp(first, others) => iter::once(first).chain(others).all(is_loopback),
            BoundSocket::Unix(..) => false,
        }
    }

    /// The next connection.
    ///
    /// # Errors
    /// When it ended before it was accepted, or the process or the system has no descriptor for it.
    pub(crate) async fn accept(&self) -> io::Result<ClientStream> {
        poll_fn(|cx| self.poll_accept(cx)).await
    }

    fn poll_accept(&self, cx: &mut TaskContext<'_>) -> Poll<io::Result<ClientStream>> {
        match &self.0 {
            BoundSocket::Tcp(first, others) => {
                for listener in iter::once(first).chain(others) {
                    if let Poll::Ready(accepted) = listener.poll_accept(cx) {
                        return Poll::Ready(accepted.map(|(stream, _)| Either::Left(stream)));
                    }
                }
                Poll::Pending
            }
            BoundSocket::Unix(listener, _) => listener.poll_accept(cx).map_ok(|(stream, _)| Either::Right(stream)),
        }
    }

    /// Closes the socket. Returns the connections that the system has accepted already, which would be reset otherwise.
    ///
    /// # Errors
    /// The last entry, when the next connection cannot be accepted.
    pub(crate) fn into_backlog(self) -> Vec<io::Result<ClientStream>> {
        match self.0 {
            BoundSocket::Tcp(first, others) => iter::once(first).chain(others).flat_map(tcp_backlog).collect(),
            BoundSocket::Unix(listener, file) => {
                drop(file);
                backlog(listener.into_std(), |listener| {
                    let (stream, _) = listener.accept()?;
                    stream.set_nonblocking(true)?;
                    UnixStream::from_std(stream).map(Either::Right)
                })
            }
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Listener {
        Listener(BoundSocket::Tcp(listener, Vec::new()))
    }
}

impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Listener {
        Listener(BoundSocket::Unix(listener, None))
    }
}

fn tcp_backlog(listener: TcpListener) -> Vec<io::Result<ClientStream>> {
    backlog(listener.into_std(), |listener| {
        let (stream, _) = listener.accept()?;
        stream.set_nonblocking(true)?;
        TcpStream::from_std(stream).map(Either::Left)
    })
}

fn backlog<L>(
    listener: io::Result<L>,
    accept: impl Fn(&L) -> io::Result<ClientStream>,
) -> Vec<io::Result<ClientStream>> {
    let Ok(listener) = listener else { return Vec::new() };
    let is_there =
        |accepted: &io::Result<ClientStream>| !matches!(accepted, Err(error) if error.kind() == ErrorKind::WouldBlock);
    let mut accepted = Vec::new();
    loop {
        let next = accept(&listener);
        let (goes_on, ended) = (is_there(&next), next.is_err());
        if goes_on {
            accepted.push(next);
        }
        if ended {
            return accepted;
        }
    }
}

/// Sets what a connection over a network needs; one within the machine needs nothing.
///
/// # Errors
/// When the connection has ended already.
pub(crate) fn configure(stream: &ClientStream) -> io::Result<()> {
    let Either::Left(stream) = stream else { return Ok(()) };
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(UNACKED_TIMEOUT))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKED_TIMEOUT))?;
    Ok(())
}

/// The one socket that systemd has passed to this process.
fn passed() -> anyhow::Result<Listener> {
    let mut passed = ListenFd::from_env();
    ensure!(
        passed.len() > 0,
        "systemd has passed no socket; start the .socket unit of the service, or give an address to --listen"
    );
    ensure!(passed.len() == 1, "systemd has passed {} sockets, and one can be used: one ListenStream=", passed.len());
    if let Ok(Some(listener)) = passed.take_tcp_listener(0) {
        listener.set_nonblocking(true)?;
        return Ok(TcpListener::from_std(listener)?.into());
    }
    match passed.take_unix_listener(0) {
        Ok(Some(listener)) => {
            listener.set_nonblocking(true)?;
            Ok(UnixListener::from_std(listener)?.into())
        }
        _ => bail!("systemd has passed something that is not a stream socket (ListenStream=)"),
    }
}

/// Sockets on one port at every address of a name: clients may take any of them.
async fn bind_name(name: &str, port: u16) -> io::Result<Listener> {
    let addresses: BTreeSet<SocketAddr> = lookup_host((name, port)).await?.collect();
    let mut attempts = if port == 0 { PORT_ATTEMPTS } else { 1 };
    loop {
        attempts -= 1;
        match bind_all(&addresses).await {
            Err(error) if error.kind() == ErrorKind::AddrInUse && attempts > 0 => {}
            bound => return bound,
        }
    }
}

/// Sockets at these addresses, on the port of the first.
async fn bind_all(addresses: &BTreeSet<SocketAddr>) -> io::Result<Listener> {
    let (mut bound, mut port, mut failure) = (Vec::new(), None, None);
    for &(mut address) in addresses {
        address.set_port(port.unwrap_or(address.port()));
        match TcpListener::bind(address).await {
            Ok(listener) => {
                port = Some(listener.local_addr()?.port());
                bound.push(listener);
            }
            // Its clients would reach another process.
            Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(error),
            // A name may have addresses that this machine lacks, such as that of IPv6 where it is switched off.
            Err(error) => {
                tracing::info!(%address, %error, "an address of the name cannot be listened on");
                failure = Some(error);
            }
        }
    }
    let mut bound = bound.into_iter();
    match bound.next() {
        Some(first) => Ok(Listener(BoundSocket::Tcp(first, bound.collect()))),
        None => Err(failure.unwrap_or_else(|| ErrorKind::AddrNotAvailable.into())),
    }
}

async fn bind_unix(path: &Path) -> anyhow::Result<Listener> {
    remove_stale(path).await?;
    let listener = UnixListener::bind(path).with_context(|| folder_of(path))?;
    let file = SocketFile::of(path)?;
    fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
    Ok(Listener(BoundSocket::Unix(listener, Some(file))))
}

/// Why a socket may not be created, for the error: its folder, and whether that exists.
fn folder_of(path: &Path) -> String {
    let folder = path.parent().unwrap_or(path);
    match folder.is_dir() {
        true => format!("a socket cannot be made in {}", folder.display()),
        false => format!("there is no folder {}", folder.display()),
    }
}

/// Removes the socket of a process that was killed.
async fn remove_stale(path: &Path) -> anyhow::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        // The attempt to create it reports the error.
        Err(_) => return Ok(()),
        Ok(file) => ensure!(
            file.file_type().is_socket(),
            "there is something else than a socket; remove it, or give another path"
        ),
    }
    match UnixStream::connect(path).await {
        Ok(_) => bail!("another process listens there"),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            fs::remove_file(path).context("a socket that nobody listens on cannot be removed")
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).context("whether another process listens there cannot be seen"),
    }
}

/// The file of a unix socket, which is removed in the end, unless another process has put its own there.
struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl SocketFile {
    fn of(path: &Path) -> io::Result<SocketFile> {
        Ok(SocketFile { path: path.to_owned(), identity: identity(path)? })
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|identity| identity == self.identity) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(port: u16) -> BTreeSet<SocketAddr> {
        // Linux has all of 127.0.0.0/8; 192.0.2.1 is an address of documents alone (RFC 5737).
        ["127.0.0.1", "127.0.0.2", "192.0.2.1"].map(|ip| SocketAddr::new(ip.parse().unwrap(), port)).into()
    }

    #[tokio::test]
    async fn every_address_of_a_name_that_is_of_this_machine_is_listened_on_at_one_port() {
        let listener = bind_all(&addresses(0)).await.unwrap();
        let port = listener.tcp_address().unwrap().port();
        assert!(listener.is_loopback());
        for ip in ["127.0.0.2", "127.0.0.1"] {
            let client = TcpStream::connect((ip, port)).await.unwrap();
            let Either::Left(accepted) = listener.accept().await.unwrap() else { panic!("not TCP") };
            assert_eq!(accepted.peer_addr().unwrap(), client.local_addr().unwrap());
        }
        let _waiting = TcpStream::connect(("127.0.0.2", port)).await.unwrap();
        assert_eq!(listener.into_backlog().len(), 1);
    }

    #[tokio::test]
    async fn a_port_that_another_process_has_at_one_of_the_addresses_is_an_error() {
        let other = TcpListener::bind("127.0.0.2:0").await.unwrap();
        let taken = bind_all(&addresses(other.local_addr().unwrap().port())).await;
        assert_eq!(taken.err().unwrap().kind(), ErrorKind::AddrInUse);
    }
}
