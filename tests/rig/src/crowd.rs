//! Everybody who uses the service: viewers, screens, writers, readers. Starts them, and checks in the
//! end what they have seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::cast::{HOSTED, Place, TARGETS, places};
use super::faults::Testbed;
use super::front::Front;
use super::host::Host;
use super::notes::Notes;
use super::options::Options;
use super::viewers::{Phase, Seen, ViewerSpec};
use super::writers::{Act, Writer};
use super::{checks, readers, screens, stored, support, viewers};

/// Longest that acts in flight may take after the last fault.
const LAST_ACTS: Duration = Duration::from_secs(30);
/// Longest that viewers may take to be up to date after the last act.
const PRESENT: Duration = Duration::from_secs(30);

/// Everybody.
pub struct Crowd {
    testbed: Testbed,
    front: u16,
    internal: u16,
    options: Options,
    seed: u64,
    /// Whether acknowledged acts may be lost. Writers rely on theirs, so none is started then.
    loses: bool,
    http: reqwest::Client,
    phase: watch::Sender<Phase>,
    present: (mpsc::UnboundedSender<()>, mpsc::UnboundedReceiver<()>),
    enough: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    viewers: Vec<JoinHandle<Seen>>,
    screens: usize,
    writers: Vec<JoinHandle<Vec<Act>>>,
    hosts: Vec<JoinHandle<()>>,
    others: Vec<JoinHandle<()>>,
}

impl Crowd {
    pub fn new(testbed: &Testbed, front: &Front, options: &Options, seed: u64, loses: bool) -> Crowd {
        let http =
            reqwest::Client::builder().timeout(Duration::from_secs(10)).build().expect("a client without wishes");
        Crowd {
            testbed: testbed.clone(),
            front: front.port,
            internal: front.internal,
            options: options.clone(),
            seed,
            loses,
            http,
            phase: watch::channel(Phase::Run).0,
            present: mpsc::unbounded_channel(),
            enough: Arc::default(),
            over: Arc::default(),
            viewers: Vec::new(),
            screens: 0,
            writers: Vec::new(),
            hosts: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The number of writers.
    pub fn writers(&self) -> usize {
        if self.loses { 0 } else { places().iter().map(|place| place.writers + 1).sum() }
    }

    /// The HTTP client that all of them share.
    pub fn http(&self) -> reqwest::Client {
        self.http.clone()
    }

    /// Waits until all nodes and the front are ready.
    ///
    /// # Errors
    /// When one of them is not ready after `patience`.
    pub async fn wait_until_ready(&self, patience: Duration) -> Result<(), String> {
        let begun = Instant::now();
        let nodes = self.testbed.nodes.iter().map(|node| (node.port, "readyz"));
        // The front passes on no probe of readiness, and asks only nodes that are ready.
        for (port, path) in nodes.chain([(self.front, "healthz")]) {
            let url = format!("http://127.0.0.1:{port}/{path}");
            while !self.http.get(&url).send().await.is_ok_and(|answer| answer.status() == 200) {
                if begun.elapsed() > patience {
                    return Err(format!("port {port} is not ready after {patience:?}: see --logs FOLDER"));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    }

    /// Starts all viewers, writers, hosts and readers.
    pub fn spawn_all(&mut self, rng: &mut Rng) {
        let places = places();
        for number in 0..self.options.streams {
            self.spawn_viewer(&places[number % places.len()], number / places.len(), rng);
        }
        self.testbed.notes.count("viewers", self.options.streams as u64);
        let done = Arc::new(AtomicU64::new(0));
        for place in places.iter().filter(|_| !self.loses) {
            for number in (0..place.writers).map(Some).chain([None]) {
                let writer = Writer {
                    place: place.clone(),
                    pace: self.options.pace,
                    number,
                    front: self.front,
                    http: self.http.clone(),
                    rng: rng.fork(),
                    notes: self.testbed.notes.clone(),
                    enough: self.enough.clone(),
                    over: self.over.clone(),
                    seed: self.seed,
                    done: done.clone(),
                    last_id: None,
                    last_seq: None,
                    noted: Default::default(),
                };
                self.writers.push(tokio::spawn(writer.write()));
            }
        }
        for guid in HOSTED {
            let host = Host {
                guid,
                internal: self.internal,
                http: self.http.clone(),
                rng: rng.fork(),
                notes: self.testbed.notes.clone(),
                pace: self.options.pace,
                crowd: self.options.crowd as usize,
                version: 0,
                enough: self.enough.clone(),
            };
            self.hosts.push(tokio::spawn(host.act()));
        }
        for node in &self.testbed.nodes {
            let (notes, over) = (self.testbed.notes.clone(), self.over.clone());
            let reading = readers::read(node.clone(), places.clone(), self.http.clone(), notes, over);
            self.others.push(tokio::spawn(reading));
        }
        let (nodes, notes, over) = (self.testbed.nodes.clone(), self.testbed.notes.clone(), self.over.clone());
        self.others.push(tokio::spawn(readers::read_through(
            self.front,
            nodes,
            places,
            self.http.clone(),
            notes,
            over,
        )));
        self.others.push(tokio::spawn(count_owners(self.testbed.clone(), self.over.clone())));
        self.others.push(tokio::spawn(count_streams(self.testbed.notes.clone(), self.over.clone())));
    }

    /// Starts a viewer of a group, whose kind depends on `number`.
    fn spawn_viewer(&mut self, place: &Place, number: usize, rng: &mut Rng) {
        let kind = number % 10;
        // The others are people whom a writer kicks and bans again and again.
        let stable = !matches!(kind, 2 | 7);
        let uid = match stable {
            true => place.observer(number),
            false => place.target(rng.usize(0..place.writers), rng.usize(0..TARGETS)),
        };
        let bad_network = matches!(kind, 3 | 6);
        let slow = if kind == 5 { rng.u64(50..300) } else { 0 };
        let is_screen = matches!(kind, 1 | 3 | 4 | 7 | 8);
        let query = match (is_screen, kind) {
            (false, 0) => "&hideUserStatus=true",
            (false, _) => "",
            (true, 1) => "hideUserStatus=true",
            (true, 3) => "hideUserStatus=true&limit=100",
            (true, 4) => "hideUserStatus=true&searchKeyword=target&limit=100",
            (true, 8) => "hideUserStatus=true&scopes=owner,admin,moderator&groupBy=none",
            (true, _) => "limit=100",
        };
        let port = if bad_network { self.testbed.bad_network.port() } else { self.front };
        let spec = ViewerSpec { uid, guid: place.guid, port, stable, bad_network, slow, query: query.into() };
        let (notes, phase, present) = (self.testbed.notes.clone(), self.phase.subscribe(), self.present.0.clone());
        self.screens += usize::from(is_screen);
        self.viewers.push(if is_screen {
            tokio::spawn(screens::Viewer::new(spec, notes, phase, self.http.clone()).run(present))
        } else {
            tokio::spawn(viewers::Viewer::new(spec, notes, phase).run(present))
        });
    }

    /// Waits after the last fault until everybody is up to date, and runs all checks.
    ///
    /// # Errors
    /// When what is stored cannot be read.
    pub async fn settle(&mut self, testbed: &Testbed) -> Result<(), String> {
        let notes = &testbed.notes;
        let acts = self.last_acts().await;
        let heads = stored::read(&testbed.database).await?.heads;
        let begun = Instant::now();
        let _ = self.phase.send(Phase::Settle(Arc::new(heads)));
        let missing = self.wait_for(self.viewers.len(), PRESENT).await;
        if missing > 0 {
            notes.violation("present", format!("{missing} viewers are not up to date after {PRESENT:?}"));
        }
        notes.highest("last viewer up to date after, ms", begun.elapsed().as_millis() as u64);
        let _ = self.phase.send(Phase::Compare);
        self.wait_for(self.screens, Duration::from_secs(60)).await;
        let stored = stored::read(&testbed.database).await?;
        self.lists(&stored).await;
        let _ = self.phase.send(Phase::End);
        self.over.store(true, Ordering::SeqCst);
        let mut seen = Vec::new();
        for viewer in self.viewers.drain(..) {
            match tokio::time::timeout(Duration::from_secs(40), viewer).await {
                Ok(Ok(of_one)) => seen.push(of_one),
                ended => notes.violation("present", format!("a viewer did not come to its end: {:?}", ended.is_err())),
            }
        }
        for other in self.others.drain(..) {
            let _ = other.await;
        }
        notes.count("events stored", stored.events.values().map(|events| events.len() as u64).sum());
        for seen in seen.iter().filter(|seen| seen.inside) {
            let head = stored.heads.get(seen.spec.guid).copied().unwrap_or(0);
            if seen.last < head {
                let behind = format!(
                    "{} ({}) is at {}, {} at {head}",
                    seen.spec.uid, seen.spec.query, seen.last, seen.spec.guid
                );
                notes.violation("present", behind);
            }
        }
        checks::acknowledged(&stored, &acts, notes);
        checks::ended(&stored, notes);
        checks::dense(&stored, notes);
        checks::received(&stored, &seen, notes);
        testbed.mirror.compare(&stored, notes).await;
        Ok(())
    }

    async fn last_acts(&mut self) -> Vec<Act> {
        self.enough.store(true, Ordering::SeqCst);
        let (begun, mut acts) = (Instant::now(), Vec::new());
        for mut writer in self.writers.drain(..) {
            let left = LAST_ACTS.saturating_sub(begun.elapsed());
            let written = match tokio::time::timeout(left, &mut writer).await {
                Ok(written) => written,
                Err(_) => {
                    self.testbed.notes.violation("answers", "an act was not answered after all was well again");
                    self.over.store(true, Ordering::SeqCst);
                    writer.await
                }
            };
            acts.extend(written.expect("writers do not panic"));
        }
        for host in self.hosts.drain(..) {
            host.await.expect("the host does not panic");
        }
        acts
    }

    /// Waits until `missing` viewers have reported, or `patience` is over: how many have not.
    async fn wait_for(&mut self, mut missing: usize, patience: Duration) -> usize {
        let begun = Instant::now();
        while missing > 0 {
            let left = patience.saturating_sub(begun.elapsed());
            match tokio::time::timeout(left, self.present.1.recv()).await {
                Ok(Some(())) => missing -= 1,
                _ => break,
            }
        }
        missing
    }

    /// Compares what every node lists with what is stored.
    async fn lists(&self, stored: &checks::Stored) {
        for node in &self.testbed.nodes {
            for place in places() {
                let epoch_free = format!("{}/groups/{}/members?format=csv&until=~", node.url(), place.guid);
                let token = support::token(&place.observer(1));
                let asked = self.http.get(epoch_free).bearer_auth(token).send().await;
                match asked {
                    Ok(answer) if answer.status() == 200 => {
                        let csv = answer.text().await.unwrap_or_default();
                        checks::listed(stored, &place, node.number, &csv, &self.testbed.notes);
                    }
                    other => {
                        let status = other.map(|answer| answer.status().as_u16());
                        self.testbed.notes.violation("lists", format!("node {} answered {status:?}", node.number));
                    }
                }
            }
        }
    }
}

/// Counts the owners in the database, again and again, whenever it answers.
async fn count_owners(testbed: Testbed, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        if let Ok(groups) = testbed.database.ask(stored::NOT_ONE_OWNER).await {
            testbed.notes.count("times the owners were counted", 1);
            for group in groups {
                testbed.notes.violation("owners", format!("{group:?} (group, owners)"));
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// How many streams are open, for the timeline.
async fn count_streams(notes: Arc<Notes>, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        let open = notes.open();
        notes.second(|second| second.streams = open);
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}
