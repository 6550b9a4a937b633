//! A copy of who is in which group, from webhooks alone: it never asks anything, and is exactly what is stored.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::checks::Stored;
use super::nodes::Beside;
use super::notes::Notes;
use super::support::cluster::free_port;

/// What the receiver verifies by: 32 bytes, in the form of the convention.
pub const SECRET: &str = "whsec_dGhpcnR5LXR3byBieXRlcyBvbmx5IGZvciB0aGUgcmlnIQ==";
/// So long deliveries may wait when a receiver was away three times in a row, and a little more.
const PATIENCE: Duration = Duration::from_secs(200);

/// The receiver, which can be killed, and the file in which it writes.
pub struct Mirror {
    pub port: u16,
    file: PathBuf,
    log: PathBuf,
    receiver: Mutex<Option<Beside>>,
}

/// What a webhook said.
struct Delivery {
    id: String,
    kind: String,
    guid: String,
    seq: u64,
    members: Vec<(String, i64)>,
}

impl Mirror {
    pub fn start(folder: &std::path::Path) -> Mirror {
        let mirror = Mirror {
            port: free_port(),
            file: folder.join("webhooks.ndjson"),
            log: folder.join("receiver.log"),
            receiver: Mutex::default(),
        };
        mirror.begin();
        mirror
    }

    /// Dead for so long.
    pub async fn die(&self, away: Duration) {
        *self.receiver.lock().unwrap_or_else(PoisonError::into_inner) = None;
        tokio::time::sleep(away).await;
        self.begin();
    }

    fn begin(&self) {
        // It lies beside the rig.
        let program = std::env::current_exe().expect("the rig is a program").with_file_name("receiver");
        let mut command = Command::new(program);
        command.arg(self.port.to_string()).arg(&self.file).arg(SECRET).stdin(Stdio::null());
        let receiver = Beside::start(&mut command, &self.log).expect("the receiver was built with the rig");
        *self.receiver.lock().unwrap_or_else(PoisonError::into_inner) = Some(receiver);
    }

    /// Waits until everything was delivered, and compares the copy with what is stored.
    pub async fn compare(&self, stored: &Stored, notes: &Notes) {
        let begun = Instant::now();
        while !self.has_all(stored, notes) && begun.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        notes.highest("last webhook delivered after, ms", begun.elapsed().as_millis() as u64);
        let deliveries = self.deliveries(notes);
        notes.count("webhooks delivered", deliveries.len() as u64);
        let mut seen = HashSet::new();
        let mut ids: HashMap<(String, u64), String> = HashMap::new();
        let mut last: HashMap<String, u64> = HashMap::new();
        let mut groups: HashMap<String, BTreeMap<String, i64>> = HashMap::new();
        for delivery in deliveries {
            let Delivery { id, kind, guid, seq, members } = delivery;
            if kind == "user.deleted" {
                // What was on its way spoke of the pseudonym already.
                for (uid, _) in members {
                    for group in groups.values_mut() {
                        group.remove(&uid);
                    }
                }
                continue;
            }
            let first = ids.entry((guid.clone(), seq)).or_insert_with(|| id.clone());
            if *first != id {
                notes.complain("mirror", format!("{guid} {seq} came as {first} and as {id}"));
            }
            if !seen.insert(id) {
                notes.count("webhooks delivered again", 1);
                continue;
            }
            let before = last.insert(guid.clone(), seq).unwrap_or(0);
            if seq != before + 1 {
                notes.complain("mirror", format!("{guid}: {kind} {seq} came after {before}"));
            }
            let group = groups.entry(guid).or_default();
            if kind == "group.deleted" {
                group.clear();
            }
            for (uid, scope) in members {
                if scope < 0 {
                    group.remove(&uid)
                } else {
                    group.insert(uid, scope)
                };
            }
        }
        for (guid, head) in &stored.heads {
            let (heard, copy) = (last.get(guid).copied().unwrap_or(0), groups.remove(guid).unwrap_or_default());
            if heard != *head {
                notes.complain("mirror", format!("{guid}: the last event heard is {heard}, the group is at {head}"));
            }
            let members = stored.members.get(guid).cloned().unwrap_or_default();
            if copy != members {
                let missing: Vec<_> = members.iter().filter(|(uid, scope)| copy.get(*uid) != Some(scope)).collect();
                let surplus: Vec<_> = copy.keys().filter(|uid| !members.contains_key(*uid)).collect();
                notes.complain("mirror", format!("{guid}: stored otherwise {missing:?}, not stored {surplus:?}"));
            }
        }
    }

    /// Whether the last event of every group was heard.
    fn has_all(&self, stored: &Stored, notes: &Notes) -> bool {
        let heard: HashSet<(String, u64)> =
            self.deliveries(notes).into_iter().map(|delivery| (delivery.guid, delivery.seq)).collect();
        stored.heads.iter().all(|(guid, seq)| *seq == 0 || heard.contains(&(guid.clone(), *seq)))
    }

    /// What was written down, in its order. A line that has no end was not confirmed.
    fn deliveries(&self, notes: &Notes) -> Vec<Delivery> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| delivery(&line, notes)).collect()
    }
}

/// One line; `None` for what belongs to no group.
fn delivery(line: &Value, notes: &Notes) -> Option<Delivery> {
    if let Some(why) = line["refused"].as_str() {
        notes.complain("mirror", format!("a webhook that cannot be verified: {why}"));
    }
    let (event, data) = (&line["event"], &line["event"]["data"]);
    if let (Some("user.deleted"), Some(uid)) = (event["type"].as_str(), data["uid"].as_str()) {
        return Some(Delivery {
            id: line["id"].as_str()?.to_owned(),
            kind: "user.deleted".into(),
            guid: String::new(),
            seq: 0,
            members: vec![(uid.to_owned(), -1)],
        });
    }
    let one = [data["member"].clone()];
    let members = data["members"].as_array().map_or(&one[..], Vec::as_slice);
    Some(Delivery {
        id: line["id"].as_str()?.to_owned(),
        kind: event["type"].as_str()?.to_owned(),
        guid: data["group"]["guid"].as_str()?.to_owned(),
        seq: data["seq"].as_u64()?,
        members: members
            .iter()
            .filter_map(|member| Some((member["uid"].as_str()?.to_owned(), scope(member))))
            .collect(),
    })
}

/// The scope as it is stored; -1 for outside.
fn scope(member: &Value) -> i64 {
    let words = ["participant", "moderator", "admin", "owner"];
    let place = member["scope"].as_str().and_then(|scope| words.iter().position(|word| *word == scope));
    place.map_or(-1, |place| place as i64)
}
