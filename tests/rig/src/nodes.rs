//! Three services in processes of their own, kept running as an operating system would.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::notes::Notes;
use super::support::SECRET;
use super::support::cluster::free_port;
use super::support::proxy::Proxy;

/// The key of the host's back end.
pub const API_KEY: &str = "a-key-for-the-rig";

/// One node, with a way to the database of its own.
pub struct Node {
    pub number: usize,
    pub port: u16,
    /// Its way to the database.
    pub way: Proxy,
    /// How often it was started.
    pub starts: AtomicU32,
    /// Nobody does anything to its process at the moment.
    pub undisturbed: AtomicBool,
    wanted: AtomicBool,
    child: Mutex<Option<Child>>,
    command: Mutex<Command>,
}

/// What the nodes are started with.
pub struct Plan<'a> {
    pub database: u16,
    pub wake: &'a str,
    pub nats: Option<u16>,
    /// Where the receiver of webhooks listens.
    pub receiver: u16,
    pub logs: &'a Path,
    pub clocks: bool,
}

/// Three nodes, their clocks an hour apart when that can be made.
pub async fn start(plan: &Plan<'_>, notes: &Arc<Notes>) -> Vec<Arc<Node>> {
    let mut nodes = Vec::new();
    for (number, clock) in [(1, ""), (2, "+3600"), (3, "-3600")] {
        let way = Proxy::to_port(plan.database).await;
        let port = free_port();
        let log = plan.logs.join(format!("node{number}.log"));
        let clock = if plan.clocks { clock } else { "" };
        let command = command(plan, &way, port, clock, &log);
        let node = Arc::new(Node {
            number,
            port,
            way,
            starts: AtomicU32::new(0),
            undisturbed: AtomicBool::new(false),
            wanted: AtomicBool::new(true),
            child: Mutex::default(),
            command: Mutex::new(command),
        });
        tokio::spawn(node.clone().keep_running(notes.clone()));
        nodes.push(node);
    }
    nodes
}

/// The library that gives a program another time, where it is installed.
pub fn faketime() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten();
    folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).find(|library| library.exists())
}

fn command(plan: &Plan<'_>, way: &Proxy, port: u16, clock: &str, log: &Path) -> Command {
    let log = || OpenOptions::new().create(true).append(true).open(log).expect("the folder of logs is ours");
    let mut command = Command::new(super::support::program::path());
    command.env_clear().arg("serve").stdin(Stdio::null()).stdout(Stdio::from(log())).stderr(Stdio::from(log()));
    command.args(["--listen", &format!("127.0.0.1:{port}")]);
    command.args(["--database-url", &format!("postgres://tester@127.0.0.1:{}/chaos", way.port())]);
    // The whole log is compared with what viewers received, however long the run is.
    command.args(["--retention", "1000000000"]);
    command.args(["--viewer-secret", SECRET, "--api-key", API_KEY, "--wake", plan.wake]);
    command.args(["--webhook-url", &format!("http://127.0.0.1:{}/", plan.receiver)]);
    command.args(["--webhook-secret", super::mirror::SECRET]);
    if let Some(nats) = plan.nats {
        command.args(["--nats-url", &format!("nats://127.0.0.1:{nats}")]);
    }
    if let Some(library) = faketime().filter(|_| !clock.is_empty()) {
        command.env("LD_PRELOAD", library).env("FAKETIME", clock);
        command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
    }
    command
}

impl Node {
    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Kills it, and starts it again `away` later.
    pub async fn kill(&self, away: Duration) {
        self.disturb(away, "-KILL").await;
    }

    /// Asks it to end by SIGTERM, and starts it again `away` after it has.
    pub async fn drain(&self, away: Duration, notes: &Notes) {
        let begun = Instant::now();
        self.wanted.store(false, Ordering::SeqCst);
        self.undisturbed.store(false, Ordering::SeqCst);
        self.signal("-TERM");
        while self.runs() && begun.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if begun.elapsed() > Duration::from_secs(6) {
            notes.violation("drain", format!("node {} took {:?} to end", self.number, begun.elapsed()));
            self.signal("-KILL");
        }
        tokio::time::sleep(away).await;
        self.wanted.store(true, Ordering::SeqCst);
    }

    /// Suspends its process for `away`.
    pub async fn freeze(&self, away: Duration) {
        self.undisturbed.store(false, Ordering::SeqCst);
        self.signal("-STOP");
        tokio::time::sleep(away).await;
        self.signal("-CONT");
        self.undisturbed.store(true, Ordering::SeqCst);
    }

    /// Ends every fault of it.
    pub fn heal(&self) {
        self.way.heal();
        self.signal("-CONT");
        self.wanted.store(true, Ordering::SeqCst);
    }

    async fn disturb(&self, away: Duration, signal: &str) {
        self.wanted.store(false, Ordering::SeqCst);
        self.undisturbed.store(false, Ordering::SeqCst);
        self.signal(signal);
        tokio::time::sleep(away).await;
        self.wanted.store(true, Ordering::SeqCst);
    }

    /// Starts it whenever it is wanted and not there.
    async fn keep_running(self: Arc<Node>, notes: Arc<Notes>) {
        let mut listened = false;
        loop {
            if self.runs() {
                if !listened && std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                    listened = true;
                    self.undisturbed.store(true, Ordering::SeqCst);
                }
            } else if self.wanted.load(Ordering::SeqCst) {
                if listened && self.undisturbed.swap(false, Ordering::SeqCst) {
                    notes.violation("nodes", format!("node {} ended by itself", self.number));
                }
                listened = false;
                let child = self.command.lock().unwrap_or_else(PoisonError::into_inner).spawn();
                *self.child() = Some(child.expect("the program was built"));
                self.starts.fetch_add(1, Ordering::SeqCst);
                // Without its database it ends at once, and is tried again.
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    fn runs(&self) -> bool {
        self.child().as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    fn signal(&self, signal: &str) {
        if let Some(child) = self.child().as_ref() {
            let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        }
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends it for good.
    pub fn end(&self) {
        self.wanted.store(false, Ordering::SeqCst);
        if let Some(mut child) = self.child().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.end();
    }
}

/// Another program of the rig, killed when dropped.
pub struct ChildProcess(Child);

impl ChildProcess {
    /// Starts it, with its output in the file `log`.
    ///
    /// # Errors
    /// When the file cannot be made, or the program cannot be started.
    pub fn start(command: &mut Command, log: &Path) -> std::io::Result<ChildProcess> {
        let log = File::create(log)?;
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
        Ok(ChildProcess(child))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
