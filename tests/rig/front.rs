//! What stands in front of the nodes, and what wakes them: HAProxy and NATS, as Debian ships them.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::nodes::Beside;
use super::support::cluster::free_port;

/// The one address of the service.
pub struct Front {
    pub port: u16,
    _haproxy: Beside,
}

impl Front {
    /// A proxy before nodes on these ports.
    pub fn start(nodes: &[u16], folder: &Path) -> Front {
        let port = free_port();
        let file = folder.join("haproxy.cfg");
        std::fs::write(&file, config(port, nodes)).expect("the folder is ours");
        let haproxy = Beside::start(
            Command::new(program("haproxy")).arg("-db").arg("-f").arg(&file),
            &folder.join("haproxy.log"),
        );
        Front { port, _haproxy: haproxy.expect("haproxy is installed (Debian package haproxy)") }
    }
}

/// Requests go to nodes that are ready. When the database is away none is: then to those that live.
fn config(port: u16, nodes: &[u16]) -> String {
    let servers = |check: &str| {
        let lines = nodes.iter().enumerate();
        let lines: String = lines.map(|(at, port)| format!("    server node{at} 127.0.0.1:{port} check\n")).collect();
        format!("    option httpchk GET {check}\n{lines}")
    };
    format!(
        "defaults
    mode http
    timeout connect 1s
    timeout check 1s
    timeout queue 5s
    timeout http-request 10s
    timeout client 60s
    timeout server 60s
    retries 3
    option redispatch 1
    retry-on conn-failure empty-response
    balance random(2)
    default-server inter 200ms fall 2 rise 2
frontend front
    bind 127.0.0.1:{port}
    http-request disable-l7-retry unless METH_GET || {{ req.hdr(idempotency-key) -m found }}
    use_backend living if {{ nbsrv(nodes) eq 0 }}
    default_backend nodes
backend nodes
{}backend living
{}",
        servers("/readyz"),
        servers("/healthz")
    )
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
