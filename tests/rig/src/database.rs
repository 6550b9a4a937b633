//! A primary and its synchronous standby behind one address.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::support::cluster::{Cluster, Setup, Stop};
use super::support::proxy::Proxy;

/// How a standby is known to its primary.
const STANDBY: &str = "other";

/// Two servers, of which one answers at `address`.
#[derive(Clone)]
pub struct Database {
    pair: Arc<Mutex<Pair>>,
    /// The address that stays when the servers change places.
    pub address: Arc<Proxy>,
    /// The proxy between the primary and its standby.
    replication: Arc<Proxy>,
    primary: Arc<AtomicU16>,
}

struct Pair {
    primary: Option<Cluster>,
    standby: Option<Cluster>,
    /// Small disks of their own, when they can be made: the primary's first.
    disks: Option<[Disk; 2]>,
    way: Arc<Proxy>,
    names: u32,
}

impl Database {
    /// Both, with an empty database `chaos`.
    pub async fn start(folder: &Path) -> Database {
        let folder = folder.to_owned();
        let replication = Arc::new(Proxy::to_port(0).await);
        let way = replication.clone();
        let pair = tokio::task::spawn_blocking(move || {
            let disks = Disk::mount(&folder.join("disk1")).zip(Disk::mount(&folder.join("disk2")));
            let mut pair =
                Pair { primary: None, standby: None, disks: disks.map(|(one, other)| [one, other]), way, names: 0 };
            let primary = Cluster::with(&pair.setup(0));
            primary.create_database("chaos");
            pair.primary = Some(primary);
            pair.rebuild();
            pair
        });
        let pair = pair.await.expect("PostgreSQL is installed (Debian package postgresql)");
        let port = pair.primary().port;
        let address = Arc::new(Proxy::to_port(port).await);
        Database { pair: Arc::new(Mutex::new(pair)), address, replication, primary: Arc::new(AtomicU16::new(port)) }
    }

    /// The URL of the primary itself, which no fault of `address` affects.
    pub fn direct(&self) -> String {
        format!("postgres://tester@127.0.0.1:{}/chaos", self.primary.load(Ordering::SeqCst))
    }

    /// Whether its disk can be filled.
    pub fn has_disks(&self) -> bool {
        self.pair.lock().unwrap_or_else(PoisonError::into_inner).disks.is_some()
    }

    /// What the primary answers to a statement over a direct connection: rows of columns.
    ///
    /// # Errors
    /// When the primary does not answer, or refuses the statement.
    pub async fn ask(&self, statement: &str) -> Result<Vec<Vec<String>>, String> {
        let (url, statement) = (self.direct(), statement.to_owned());
        let asked = tokio::task::spawn_blocking(move || super::support::cluster::ask(&url, &statement));
        let text = asked.await.map_err(|error| error.to_string())??;
        Ok(text.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect())
    }

    /// Stops the primary in this way.
    pub async fn stop(&self, how: Stop) {
        self.with(move |pair| pair.primary().stop(how)).await;
    }

    /// Starts the primary, unless it runs.
    pub async fn start_again(&self) {
        self.with(|pair| {
            if !pair.primary().runs() {
                pair.primary().start_again();
            }
        })
        .await;
    }

    /// Kills the primary, and promotes the standby.
    pub async fn fail_over(&self) {
        self.address.refuse();
        let port = self.with(|pair| {
            pair.primary().kill9();
            pair.primary = pair.standby.take();
            if let Some(disks) = &mut pair.disks {
                disks.swap(0, 1);
            }
            pair.primary().promote();
            pair.primary().port
        });
        let port = port.await;
        self.primary.store(port, Ordering::SeqCst);
        self.address.retarget((Ipv4Addr::LOCALHOST, port).into());
        self.address.cut_all();
        self.address.heal();
    }

    /// Commits wait for no standby.
    pub async fn wait_for_nobody(&self) {
        self.with(|pair| pair.primary().make_alone()).await;
    }

    /// Stalls replication without closing its connection, so that neither server notices.
    pub fn partition(&self) {
        self.replication.stall();
    }

    /// Makes a new standby in place of the server that was killed.
    pub async fn rebuild(&self) {
        self.replication.cut_all();
        self.replication.heal();
        self.with(Pair::rebuild).await;
    }

    /// Fills the primary's disk: nothing more can be written.
    pub async fn fill_disk(&self) {
        self.with(|pair| pair.disks.as_ref().expect("asked before")[0].fill()).await;
    }

    /// Makes room on the disk again.
    pub async fn free_disk(&self) {
        self.with(|pair| pair.disks.as_ref().expect("asked before")[0].free()).await;
    }

    async fn with<T: Send + 'static>(&self, work: impl FnOnce(&mut Pair) -> T + Send + 'static) -> T {
        let pair = self.pair.clone();
        let done = tokio::task::spawn_blocking(move || work(&mut pair.lock().unwrap_or_else(PoisonError::into_inner)));
        done.await.expect("what is asked of a cluster succeeds, or the rig is broken")
    }
}

impl Pair {
    fn primary(&self) -> &Cluster {
        self.primary.as_ref().expect("there is always one")
    }

    fn setup(&self, disk: usize) -> Setup {
        let options = [
            ("max_connections", "100"),
            ("shared_buffers", "32MB"),
            ("min_wal_size", "32MB"),
            ("max_wal_size", "128MB"),
            ("wal_keep_size", "128MB"),
            ("wal_receiver_timeout", "5s"),
            ("wal_retrieve_retry_interval", "200ms"),
        ];
        Setup {
            durable: true,
            options: options.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            folder: self.disks.as_ref().map(|disks| disks[disk].folder.clone()),
        }
    }

    fn rebuild(&mut self) {
        // Dropped first: it takes its data along.
        self.standby = None;
        self.names += 1;
        let name = format!("{STANDBY}{}", self.names);
        self.way.retarget((Ipv4Addr::LOCALHOST, self.primary().port).into());
        self.standby = Some(Cluster::standby_through(self.way.port(), &name, &self.setup(1)));
        self.primary().make_synchronous(&name);
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        // The servers before their disks.
        self.standby = None;
        self.primary = None;
    }
}

/// A disk so small that it can be filled.
struct Disk {
    folder: PathBuf,
}

impl Disk {
    fn mount(folder: &Path) -> Option<Disk> {
        std::fs::create_dir_all(folder).ok()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=700m", "tmpfs"]).arg(folder);
        let done = mount.stderr(Stdio::null()).status().ok()?;
        done.success().then(|| Disk { folder: folder.to_owned() })
    }

    fn fill(&self) {
        let mut df = Command::new("df");
        let output = df.args(["--output=avail", "-B1"]).arg(&self.folder).output().expect("df is there").stdout;
        let output = String::from_utf8_lossy(&output);
        let left = output.lines().last().unwrap_or("0").trim().to_owned();
        let _ = Command::new("fallocate").args(["-l", &left]).arg(self.folder.join("filler")).status();
    }

    fn free(&self) {
        let _ = std::fs::remove_file(self.folder.join("filler"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.free();
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}
