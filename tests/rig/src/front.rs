//! What stands in front of the nodes, and what wakes them: HAProxy and NATS, as Debian ships them.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::nodes::ChildProcess;
use super::support::cluster::free_port;

/// The one address of the service, and that of the host's back end.
pub struct Front {
    pub port: u16,
    pub internal: u16,
    _haproxy: ChildProcess,
}

impl Front {
    /// Starts a proxy in front of nodes on these ports.
    pub fn start(nodes: &[u16], folder: &Path) -> Front {
        let (port, internal) = (free_port(), free_port());
        // The example of the documentation.
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/nodes/haproxy.cfg");
        let places =
            nodes.iter().enumerate().map(|(at, port)| (format!("NODE_{}", at + 1), format!("127.0.0.1:{port}")));
        let haproxy = ChildProcess::start(
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

/// A NATS server that can be killed and started again.
pub struct Nats {
    pub port: u16,
    log: std::path::PathBuf,
    server: Mutex<Option<ChildProcess>>,
}

impl Nats {
    pub fn start(folder: &Path) -> Nats {
        let nats = Nats { port: free_port(), log: folder.join("nats.log"), server: Mutex::default() };
        nats.begin();
        nats
    }

    /// Kills the server, and starts it again `away` later.
    pub async fn kill(&self, away: Duration) {
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = None;
        tokio::time::sleep(away).await;
        self.begin();
    }

    fn begin(&self) {
        let mut command = Command::new(program("nats-server"));
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        let server =
            ChildProcess::start(&mut command, &self.log).expect("NATS is installed (Debian package nats-server)");
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
    }
}

/// Debian puts servers into a folder that is not in every `PATH`.
fn program(name: &str) -> String {
    let there = format!("/usr/sbin/{name}");
    if Path::new(&there).exists() { there } else { name.into() }
}
