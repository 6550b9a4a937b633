//! The address that the service listens on.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Longest path of a unix socket, in bytes (unix(7): 108 with the zero at the end).
const MAX_PATH: usize = 107;

/// The source of connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// An address; port 0 lets the system pick one.
    Address(SocketAddr),
    /// A name that the system resolves, and a port.
    Name(String, u16),
    /// A unix socket at this absolute path.
    Unix(PathBuf),
    /// The socket that systemd passes (`LISTEN_FDS`, sd_listen_fds(3)).
    Systemd,
}

impl Listen {
    /// The port, where there is one.
    pub fn port(&self) -> Option<u16> {
        match self {
            Listen::Address(address) => Some(address.port()),
            Listen::Name(_, port) => Some(*port),
            Listen::Unix(_) | Listen::Systemd => None,
        }
    }

    /// Whether other machines may connect, as far as this says: what systemd passes is not known before.
    pub fn is_reachable(&self) -> bool {
        match self {
            Listen::Address(address) => !address.ip().is_loopback(),
            Listen::Name(name, _) => name != "localhost",
            Listen::Unix(_) | Listen::Systemd => false,
        }
    }
}

impl From<SocketAddr> for Listen {
    fn from(address: SocketAddr) -> Listen {
        Listen::Address(address)
    }
}

/// The text is not an address to listen on. The message says what is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ListenError(String);

impl FromStr for Listen {
    type Err = ListenError;

    fn from_str(text: &str) -> Result<Listen, ListenError> {
        if text == "systemd" {
            return Ok(Listen::Systemd);
        }
        if let Some(path) = text.strip_prefix("unix:") {
            return unix(Path::new(path)).map_err(ListenError);
        }
        if let Ok(address) = text.parse() {
            return Ok(Listen::Address(address));
        }
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
        };
        let named = text.rsplit_once(':').filter(|(name, _)| is_name(name));
        let port = named.and_then(|(name, port)| Some(Listen::Name(name.to_owned(), port.parse().ok()?)));
        port.ok_or_else(|| {
            ListenError(format!(
                "{text:?} is not an address to listen on; give HOST:PORT such as 127.0.0.1:8080, localhost:8080 or \
                 0.0.0.0:8080, unix:/PATH, or systemd for a socket that systemd passes"
            ))
        })
    }
}

fn unix(path: &Path) -> Result<Listen, String> {
    if !path.is_absolute() || path.file_name().is_none() {
        return Err(format!(
            "the path of a unix socket begins with / and names a file, as in unix:/run/chat-group-members/http.sock; {:?} \
             does not",
            path.display().to_string()
        ));
    }
    let length = path.as_os_str().len();
    if length > MAX_PATH {
        return Err(format!("the path of a unix socket has at most {MAX_PATH} bytes; this one has {length}"));
    }
    Ok(Listen::Unix(path.to_owned()))
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listen::Address(address) => address.fmt(f),
            Listen::Name(name, port) => write!(f, "{name}:{port}"),
            Listen::Unix(path) => write!(f, "unix:{}", path.display()),
            Listen::Systemd => f.write_str("systemd"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_paths_and_what_systemd_passes_are_understood() {
        for text in
            ["127.0.0.1:8080", "[::1]:0", "localhost:80", "chat-1.example:8080", "unix:/run/a b/x.sock", "systemd"]
        {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
        assert_eq!("localhost:80".parse(), Ok(Listen::Name("localhost".into(), 80)));
    }

    #[test]
    fn what_is_none_of_these_is_refused_with_what_is() {
        for bad in [
            "8080",
            ":8080",
            "*:80",
            "localhost",
            "localhost:http",
            "localhost:70000",
            "1.2.3:80",
            "http://localhost:80",
            "",
        ] {
            let problem = bad.parse::<Listen>().unwrap_err().to_string();
            assert!(problem.contains("localhost:8080") && problem.contains("unix:/PATH"), "{problem}");
        }
        for bad in ["unix:", "unix:x.sock", "unix:/", "unix:/run/.."] {
            assert!(bad.parse::<Listen>().unwrap_err().to_string().contains("begins with /"), "{bad}");
        }
        assert!(
            format!("unix:/{}", "x".repeat(107))
                .parse::<Listen>()
                .unwrap_err()
                .to_string()
                .contains("at most 107 bytes")
        );
    }
}
