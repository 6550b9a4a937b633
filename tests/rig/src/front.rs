//! What stands in front of the nodes, and what wakes them: HAProxy and NATS, as Debian ships them.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::nodes::Beside;
use super::support::cluster::free_port;

/// The one address of the service, and that of the host's back end.
pub struct Front {
    pub port: u16,
    pub internal: u16,
    _haproxy: Beside,
}

impl Front {
    /// A proxy before nodes on these ports.
    pub fn start(nodes: &[u16], folder: &Path) -> Front {
        let (port, internal) = (free_port(), free_port());
        // The one that operators are shown.
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nodes/haproxy.cfg");
        let places =
            nodes.iter().enumerate().map(|(at, port)| (format!("NODE_{}", at + 1), format!("127.0.0.1:{port}")));
        let haproxy = Beside::start(
            Command::new(program("haproxy"))
                .arg("-db")
                .arg("-f")
                .arg(file)
                .env("LISTEN", format!("127.0.0.1:{port}"))
                .env("INTERNAL", format!("127.0.0.1:{internal}"))
                .envs(places),
            &folder.join("haproxy.log"),
        );
        Front { port, internal, _haproxy: haproxy.expect("haproxy is installed (Debian package haproxy)") }
    }
}

/// A NATS that can die and come back.
pub struct Nats {
    pub port: u16,
    log: std::path::PathBuf,
    server: Mutex<Option<Beside>>,
}

impl Nats {
    pub fn start(folder: &Path) -> Nats {
        let nats = Nats { port: free_port(), log: folder.join("nats.log"), server: Mutex::default() };
        nats.begin();
        nats
    }

    /// Dead for so long.
    pub async fn die(&self, away: Duration) {
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = None;
        tokio::time::sleep(away).await;
        self.begin();
    }

    fn begin(&self) {
        let mut command = Command::new(program("nats-server"));
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        let server = Beside::start(&mut command, &self.log).expect("NATS is installed (Debian package nats-server)");
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
    }
}

/// Debian puts servers where not every path leads.
fn program(name: &str) -> String {
    let there = format!("/usr/sbin/{name}");
    if Path::new(&there).exists() { there } else { name.into() }
}
