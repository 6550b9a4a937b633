//! A real PgBouncer of one's own before a server.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::cluster::free_port;

/// PgBouncer, with settings as Debian ships them but for the mode and the number of connections. Killed when dropped.
pub struct Pooler {
    child: Child,
    mode: &'static str,
    connections: u32,
    port: u16,
    folder: tempfile::TempDir,
}

impl Pooler {
    /// Before the server at this port, in this mode, with so many connections to it.
    pub fn before(server: u16, mode: &'static str, connections: u32) -> Pooler {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].map(PathBuf::from);
        let program = program.iter().find(|path| path.exists()).expect("Debian's package pgbouncer");
        // What is tried is what docs/many-nodes.md names.
        let version = Command::new(program).arg("--version").output().unwrap().stdout;
        let version = String::from_utf8_lossy(&version).lines().next().unwrap_or_default().to_owned();
        assert!(
            version.starts_with("PgBouncer 1.18."),
            "docs/many-nodes.md says PgBouncer 1.18, and this is {version}"
        );
        eprintln!("{version}");
        let mut command = if root { Command::new("setpriv") } else { Command::new(program) };
        if root {
            // It does not run as root.
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
            let done = Command::new("chown").arg("postgres").arg(folder.path()).status().unwrap();
            assert!(done.success());
        }
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, "").unwrap();
        command.arg("-q").arg(&file).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        fs::write(&file, settings(server, port, mode, connections)).unwrap();
        let child = command.spawn().unwrap();
        let pooler = Pooler { child, mode, connections, port, folder };
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "pgbouncer does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    /// Where a database is behind it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://tester@127.0.0.1:{}/{database}", self.port)
    }

    /// From now on it leads to the server at this port; nobody is cut off.
    pub fn leads_to(&self, server: u16) {
        let file = self.folder.path().join("pgbouncer.ini");
        fs::write(file, settings(server, self.port, self.mode, self.connections)).unwrap();
        let status = Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

fn settings(server: u16, port: u16, mode: &str, connections: u32) -> String {
    format!(
        "[databases]\n* = host=127.0.0.1 port={server} user=tester\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
         listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n\
         default_pool_size = {connections}\nmax_client_conn = 500\nserver_login_retry = 1\n"
    )
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
