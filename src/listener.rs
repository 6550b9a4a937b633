//! The socket that connections come from: TCP, a unix socket, or one that systemd passes.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use listenfd::ListenFd;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio_util::either::Either;

use crate::config::Listen;

/// Longest time that sent data may stay unacknowledged: a slow reader or a lost network is disconnected after it.
const UNACKED_TIMEOUT: Duration = Duration::from_secs(30);
/// Permissions of our unix socket: its owner and its group may connect.
const SOCKET_MODE: u32 = 0o660;

/// A connection.
pub(crate) type ClientStream = Either<TcpStream, UnixStream>;

/// A socket that is listened on.
pub struct Listener(BoundSocket);

enum BoundSocket {
    Tcp(TcpListener),
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
            Listen::Name(name, port) => {
                TcpListener::bind((name.as_str(), *port)).await.map(Listener::from).map_err(Into::into)
            }
            Listen::Unix(path) => bind_unix(path).await,
            Listen::Systemd => passed(),
        };
        bound.with_context(|| format!("cannot listen on {listen}"))
    }

    /// The address that it listens on, for people.
    ///
    /// # Errors
    /// When the socket has no address.
    pub fn address(&self) -> io::Result<String> {
        match &self.0 {
            BoundSocket::Tcp(listener) => Ok(format!("http://{}", listener.local_addr()?)),
            BoundSocket::Unix(listener, _) => {
                let address = listener.local_addr()?;
                Ok(address.as_pathname().map_or_else(|| "unix:".into(), |path| format!("unix:{}", path.display())))
            }
        }
    }

    /// Its address, when it listens on TCP.
    pub fn tcp_address(&self) -> Option<std::net::SocketAddr> {
        match &self.0 {
            BoundSocket::Tcp(listener) => listener.local_addr().ok(),
            BoundSocket::Unix(..) => None,
        }
    }

    /// The next connection.
    ///
    /// # Errors
    /// When it ended before it was accepted, or the process or the system has no descriptor for it.
    pub(crate) async fn accept(&self) -> io::Result<ClientStream> {
        match &self.0 {
            BoundSocket::Tcp(listener) => Ok(Either::Left(listener.accept().await?.0)),
            BoundSocket::Unix(listener, _) => Ok(Either::Right(listener.accept().await?.0)),
        }
    }

    /// Closes the socket. Returns the connections that the system has accepted already, which would be reset otherwise.
    ///
    /// # Errors
    /// The last entry, when the next connection cannot be accepted.
    pub(crate) fn into_backlog(self) -> Vec<io::Result<ClientStream>> {
        match self.0 {
            BoundSocket::Tcp(listener) => backlog(listener.into_std(), |listener| {
                let (stream, _) = listener.accept()?;
                stream.set_nonblocking(true)?;
                TcpStream::from_std(stream).map(Either::Left)
            }),
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
        Listener(BoundSocket::Tcp(listener))
    }
}

impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Listener {
        Listener(BoundSocket::Unix(listener, None))
    }
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

async fn bind_unix(path: &Path) -> anyhow::Result<Listener> {
    remove_stale(path).await?;
    let listener = UnixListener::bind(path).with_context(|| folder_of(path))?;
    let file = SocketFile::of(path)?;
    fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
    Ok(Listener(BoundSocket::Unix(listener, Some(file))))
}

/// The folder to look at when a socket cannot be created in it.
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
