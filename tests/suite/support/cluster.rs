//! A real PostgreSQL of one's own, to be stopped, killed, promoted and starved.
//!
//! Everything here blocks: in async code, call it from `spawn_blocking`.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Nothing that a cluster is asked takes so long, unless it never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a cluster is made.
#[derive(Default)]
pub struct Setup {
    /// Whether commits are synced to the disk. Off is faster, and enough where only processes die.
    pub durable: bool,
    /// Lines of `postgresql.conf`: name and value.
    pub options: Vec<(&'static str, String)>,
    /// Where the data goes, for a disk of one's own; a temporary folder when none is given.
    pub folder: Option<PathBuf>,
}

/// How a server is asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Everybody is put out, and everything written.
    Fast,
    /// At once; it recovers when it starts again.
    Immediate,
}

/// A server with its data. Killed and removed when dropped.
pub struct Cluster {
    folder: PathBuf,
    pub port: u16,
    /// Removes the folder, unless it was given.
    _own: Option<TempDir>,
}

impl Cluster {
    /// A server that answers.
    pub fn start() -> Cluster {
        Cluster::with(&Setup::default())
    }

    /// The same, made as one likes.
    pub fn with(setup: &Setup) -> Cluster {
        let mut cluster = Cluster::place(setup);
        let data = cluster.data();
        let data = data.to_str().expect("temporary folders have plain names");
        cluster.run("initdb", &["-D", data, "-U", "tester", "-A", "trust", "--no-sync", "--locale=C.UTF-8"]);
        cluster.configure("listen_addresses", "127.0.0.1");
        cluster.configure("unix_socket_directories", "");
        cluster.configure("fsync", if setup.durable { "on" } else { "off" });
        cluster.begin(setup);
        cluster
    }

    /// A server that follows this one under the name `name`.
    pub fn standby_of(primary: &Cluster, name: &str, setup: &Setup) -> Cluster {
        Cluster::standby_through(primary.port, name, setup)
    }

    /// The same, following whatever answers at this port.
    pub fn standby_through(port: u16, name: &str, setup: &Setup) -> Cluster {
        let mut cluster = Cluster::place(setup);
        let source = format!("host=127.0.0.1 port={port} user=tester application_name={name}");
        let data = cluster.data();
        let data = data.to_str().expect("temporary folders have plain names");
        cluster.run("pg_basebackup", &["-d", &source, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"]);
        // Whom the primary waits for is no affair of its copy, which would wait for itself once promoted.
        let auto = cluster.data().join("postgresql.auto.conf");
        let lines = fs::read_to_string(&auto).unwrap();
        let kept: Vec<_> = lines.lines().filter(|line| !line.starts_with("synchronous_standby_names")).collect();
        fs::write(&auto, kept.join("\n") + "\n").unwrap();
        cluster.begin(setup);
        cluster
    }

    /// Where a database of this server is.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://tester@127.0.0.1:{}/{database}", self.port)
    }

    /// Makes a database: where it is.
    pub fn create_database(&self, name: &str) -> String {
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(name)
    }

    /// What a statement answers: a line for every row, `|` between its columns.
    #[track_caller]
    pub fn sql(&self, database: &str, statement: &str) -> String {
        self.try_sql(database, statement).unwrap_or_else(|error| panic!("{statement}: {error}"))
    }

    /// The same of a server that may not answer.
    pub fn try_sql(&self, database: &str, statement: &str) -> Result<String, String> {
        ask(&self.url(database), statement)
    }

    /// Sets an option of the running server that needs no restart.
    pub fn set(&self, name: &str, value: &str) {
        self.sql("postgres", &format!("ALTER SYSTEM SET {name} = '{value}'"));
        self.sql("postgres", "SELECT pg_reload_conf()");
    }

    /// Sets an option for the next start.
    pub fn configure(&self, name: &str, value: &str) {
        let file = self.data().join("postgresql.conf");
        let mut file = fs::OpenOptions::new().append(true).open(file).unwrap();
        writeln!(file, "{name} = '{value}'").unwrap();
    }

    /// No commit is acknowledged before this standby has it on its disk. Waits until it follows.
    pub fn make_synchronous(&self, standby: &str) {
        self.set("synchronous_standby_names", standby);
        let question = format!("SELECT sync_state FROM pg_stat_replication WHERE application_name = '{standby}'");
        wait_for(&format!("{standby} follows"), || {
            self.try_sql("postgres", &question).is_ok_and(|state| state == "sync")
        });
    }

    /// Commits wait for nobody.
    pub fn make_alone(&self) {
        self.set("synchronous_standby_names", "");
    }

    /// A standby becomes a primary.
    pub fn promote(&self) {
        let data = self.data();
        self.run("pg_ctl", &["-D", data.to_str().expect("a plain name"), "-w", "promote"]);
    }

    /// Ends the server.
    pub fn stop(&self, how: Stop) {
        assert!(self.try_stop(how).status.success(), "it does not stop:\n{}", self.log());
    }

    /// Starts it on the same port with the same data. It may have been killed.
    pub fn start_again(&self) {
        // Who was orphaned by a kill is gone in a moment, and until then the data is theirs.
        wait_for("the server starts", || self.try_start());
    }

    /// Whether it could be started, which a full disk prevents.
    pub fn try_start(&self) -> bool {
        let (data, log) = (self.data(), self.folder.join("log"));
        let (data, log) = (data.to_str().expect("a plain name"), log.to_str().expect("a plain name"));
        self.as_owner("pg_ctl", &["-D", data, "-w", "-t", "30", "-l", log, "start"]).output().unwrap().status.success()
    }

    /// Kills the server without a word, and everything it has started.
    pub fn kill9(&self) {
        let Some(pid) = self.pid() else { return };
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        let mut kill = Command::new("kill");
        kill.arg("-9").arg(&pid).args(children.split_whitespace());
        let _ = kill.stderr(Stdio::null()).status();
        wait_for("the server is dead", || !Path::new(&format!("/proc/{pid}")).exists());
    }

    /// Whether its process is there.
    pub fn runs(&self) -> bool {
        self.pid().is_some_and(|pid| Path::new(&format!("/proc/{pid}")).exists())
    }

    /// The process of the server.
    pub fn pid(&self) -> Option<String> {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        file.lines().next().map(str::to_owned)
    }

    /// Where its files are.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// What it has said.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn place(setup: &Setup) -> Cluster {
        let own = setup.folder.is_none().then(|| tempfile::tempdir().unwrap());
        let folder = setup.folder.clone().or(own.as_ref().map(|own| own.path().to_owned())).expect("one of the two");
        if is_root() {
            let done = Command::new("chown").arg("postgres").arg(&folder).status().unwrap();
            assert!(done.success());
        }
        Cluster { folder, port: 0, _own: own }
    }

    /// The first start: on a port that nobody has, and on another if somebody was faster.
    fn begin(&mut self, setup: &Setup) {
        for (name, value) in &setup.options {
            self.configure(name, value);
        }
        for _ in 0..5 {
            self.port = free_port();
            self.configure("port", &self.port.to_string());
            if self.try_start() {
                return;
            }
        }
        panic!("it does not start:\n{}", self.log());
    }

    fn try_stop(&self, how: Stop) -> Output {
        let (data, mode) = (self.data(), format!("{how:?}").to_lowercase());
        self.as_owner("pg_ctl", &["-D", data.to_str().expect("a plain name"), "-w", "-m", &mode, "stop"])
            .output()
            .unwrap()
    }

    #[track_caller]
    fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.as_owner(program, arguments).output().unwrap();
        assert!(output.status.success(), "{program}: {}\n{}", String::from_utf8_lossy(&output.stderr), self.log());
    }

    /// A program of PostgreSQL: it does not run as root.
    fn as_owner(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(binary(program));
            command
        } else {
            Command::new(binary(program))
        };
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.runs() {
            self.try_stop(Stop::Immediate);
        }
        if self.runs() {
            self.kill9();
        }
        if self._own.is_none() {
            let _ = fs::remove_dir_all(self.data());
        }
    }
}

/// What the database at `url` answers to a statement.
pub fn ask(url: &str, statement: &str) -> Result<String, String> {
    let mut psql = Command::new(binary("psql"));
    psql.args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement, url]);
    let output = psql.env("PGCONNECT_TIMEOUT", "5").stdin(Stdio::null()).output().unwrap();
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// A port of the loopback that nobody listens on, and that no outgoing connection is given while its
/// owner is away: those get higher ones.
pub fn free_port() -> u16 {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(7919);
    for _ in 0..10_000 {
        let port = 20_000 + first.wrapping_add(TRIED.fetch_add(1, Ordering::Relaxed)) % 12_000;
        let port = u16::try_from(port).expect("below 32,000");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free");
}

/// Where a program of PostgreSQL is: the newest of Debian's, or whichever the shell finds.
fn binary(program: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.max_by_key(|entry| entry.file_name().to_string_lossy().parse::<u32>().unwrap_or(0));
    newest.map_or(PathBuf::new(), |entry| entry.path().join("bin")).join(program)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn wait_for(what: &str, mut ask: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !ask() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
