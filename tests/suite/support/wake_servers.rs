//! Real servers that wake nodes, to be killed and started again.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::cluster::free_port;

/// A NATS server on this machine; killed when dropped.
pub struct Nats {
    port: u16,
    child: Child,
}

impl Nats {
    /// A server that answers.
    pub fn start() -> Nats {
        let port = free_port();
        Nats { port, child: start(port) }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Cuts the power.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub fn start_again(&mut self) {
        self.child = start(self.port);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(port: u16) -> Child {
    let port = port.to_string();
    // Debian puts it where only root looks by itself.
    let debians = "/usr/sbin/nats-server";
    let program = if Path::new(debians).exists() { debians } else { "nats-server" };
    let child = Command::new(program)
        .args(["-a", "127.0.0.1", "-p", &port])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server is installed");
    let begun = Instant::now();
    while TcpStream::connect(format!("127.0.0.1:{port}")).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "NATS does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}
