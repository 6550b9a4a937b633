//! The host that mirrors: its receiver, which can be killed, and the copy that is kept from what the receiver wrote down.
//! Two things are read from the service: the people whom a synchronisation touched, when they are more than 500, of whom a
//! webhook gives only the address of a list (`membersUrl`); and snapshots, when a webhook announces another history of
//! events. Everything else comes by webhooks. Each request is counted by its reason.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::Value;

use super::checks::Stored;
use super::copy::{Copy, Muted, Snapshot, person, until};
use super::nodes::{API_KEY, ChildProcess};
use super::notes::Notes;
use super::support::cluster::free_port;

/// What the receiver verifies by: 32 bytes, in the form of the convention.
pub const SECRET: &str = "whsec_dGhpcnR5LXR3byBieXRlcyBvbmx5IGZvciB0aGUgcmlnIQ==";
/// Most people of a synchronisation whom a webhook lists.
pub const LISTED: u64 = 500;
/// Requests for the people of large synchronisations, as they are counted.
pub const ASKED_PEOPLE: &str = "requests of the mirror for people of large syncs";
/// Requests for snapshots, as they are counted.
pub const ASKED_SNAPSHOTS: &str = "requests of the mirror for snapshots";
/// The events of the kinds of acts that happen in a run (nobody removes a note): a long run must have all of them. Each is counted under its name.
pub const KINDS: [&str; 17] = [
    "group.created",
    "group.updated",
    "group.deleted",
    "member.joined",
    "member.added",
    "member.left",
    "member.kicked",
    "member.banned",
    "member.unbanned",
    "member.muted",
    "member.unmuted",
    "member.scope_changed",
    "member.updated",
    "members.synced",
    "note.added",
    "owner.transferred",
    "user.deleted",
];
/// Longest that a delivery waits when a receiver was away three times in a row, and a little more.
const PATIENCE: Duration = Duration::from_secs(200);
/// Longest that nodes may take until all of them know that another history began.
const AGREEMENT: Duration = Duration::from_secs(60);
/// Between two readings of what the receiver wrote.
const INTERVAL: Duration = Duration::from_millis(200);

/// The mirror.
pub struct Mirror {
    pub port: u16,
    file: PathBuf,
    log: PathBuf,
    receiver: Mutex<Option<ChildProcess>>,
    copy: Mutex<Copy>,
    /// When the last webhook was received.
    received_at: Mutex<Instant>,
}

impl Mirror {
    pub fn start(folder: &std::path::Path) -> Mirror {
        let mirror = Mirror {
            port: free_port(),
            file: folder.join("webhooks.ndjson"),
            log: folder.join("receiver.log"),
            receiver: Mutex::default(),
            copy: Mutex::default(),
            received_at: Mutex::new(Instant::now()),
        };
        // Of an earlier run.
        let _ = std::fs::remove_file(&mirror.file);
        mirror.begin();
        mirror
    }

    /// Kills the receiver, and starts it again `away` later.
    pub async fn kill(&self, away: Duration) {
        *lock(&self.receiver) = None;
        tokio::time::sleep(away).await;
        self.begin();
    }

    fn begin(&self) {
        // It lies beside the rig.
        let program = std::env::current_exe().expect("the rig is a program").with_file_name("receiver");
        let mut command = Command::new(program);
        command.arg(self.port.to_string()).arg(&self.file).arg(SECRET).stdin(Stdio::null());
        let receiver = ChildProcess::start(&mut command, &self.log).expect("the receiver was built with the rig");
        *lock(&self.receiver) = Some(receiver);
    }

    /// Keeps the copy, without an end. People of large synchronisations, and snapshots, are read at `internal`, the front
    /// that has `/v3`.
    pub async fn follow(self: Arc<Mirror>, internal: u16, http: Client, notes: Arc<Notes>) {
        let (mut file, mut unread) = (None, Vec::new());
        loop {
            tokio::time::sleep(INTERVAL).await;
            if file.is_none() {
                file = File::open(&self.file).ok();
            }
            let Some(file) = &mut file else { continue };
            let _ = file.read_to_end(&mut unread);
            for mut line in lines(&mut unread) {
                if people(internal, &http, &mut line["event"]["data"], &notes).await {
                    notes.count("syncs that the mirror asked about", 1);
                }
                *lock(&self.received_at) = Instant::now();
                notes.count("webhooks delivered", 1);
                if let Some(kind) = KINDS.into_iter().find(|kind| line["event"]["type"] == *kind) {
                    notes.count(kind, 1);
                }
                let is_another = lock(&self.copy).apply(&line, &notes);
                if is_another {
                    self.begin_anew(internal, &http, &notes).await;
                    // An event of the new history, which snapshots may not have.
                    lock(&self.copy).apply(&line, &notes);
                }
            }
        }
    }

    /// Takes a snapshot of every group, once all nodes follow the new history.
    async fn begin_anew(&self, internal: u16, http: &Client, notes: &Notes) {
        if notes.figure("tails that were lost") == 0 {
            notes.violation("mirror", "another history of events was announced, and nothing was lost");
        }
        let begun = Instant::now();
        while begun.elapsed() < AGREEMENT {
            let guids = lock(&self.copy).groups();
            if let Some((epoch, snapshots)) = snapshots(internal, http, guids, notes).await
                && lock(&self.copy).is_new(&epoch)
            {
                lock(&self.copy).begin_anew(epoch, snapshots);
                notes.count("times the mirror took snapshots", 1);
                return;
            }
            tokio::time::sleep(INTERVAL).await;
        }
        notes.violation("mirror", format!("no snapshots of the new history came within {AGREEMENT:?}"));
    }

    /// Waits until everything was delivered, and compares the copy with what is stored.
    pub async fn compare(&self, stored: &Stored, notes: &Notes) {
        let begun = Instant::now();
        while !lock(&self.copy).has_all(stored) && lock(&self.received_at).elapsed().min(begun.elapsed()) < PATIENCE {
            tokio::time::sleep(INTERVAL).await;
        }
        notes.highest("last webhook delivered after, ms", begun.elapsed().as_millis() as u64);
        lock(&self.copy).compare(stored, notes);
    }
}

/// Snapshots of these groups and the history that they stand in, when all of them stand in one.
async fn snapshots(
    internal: u16,
    http: &Client,
    guids: Vec<String>,
    notes: &Notes,
) -> Option<(String, HashMap<String, Option<Snapshot>>)> {
    let (mut epochs, mut snapshots) = (Vec::new(), HashMap::new());
    for guid in guids {
        let url = format!("http://127.0.0.1:{internal}/v3/groups/{guid}/members");
        let request = http.get(url).header("apikey", API_KEY).header("accept", "application/x-ndjson");
        notes.count(ASKED_SNAPSHOTS, 1);
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let text = answer.text().await.ok()?;
        if status == 404 {
            snapshots.insert(guid, None);
            continue;
        }
        let mut values = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let head = values.next().filter(|_| status == 200)?;
        let (mut members, mut mutes) = (Vec::new(), Vec::new());
        for member in values {
            mutes.extend(muted(&member, "mutedUntil"));
            members.extend(person(&member));
        }
        mutes.extend(head["mutes"].as_array().into_iter().flatten().filter_map(|mute| muted(mute, "until")));
        // A snapshot that was cut short does not count.
        if head["count"].as_u64() != Some(members.len() as u64) {
            return None;
        }
        epochs.push(head["epoch"].as_str()?.to_owned());
        snapshots.insert(guid, Some(Snapshot { seq: head["seq"].as_u64()?, members, mutes }));
    }
    epochs.dedup();
    match &epochs[..] {
        [epoch] => Some((epoch.clone(), snapshots)),
        _ => None,
    }
}

/// A mute, whose end is in this field.
fn muted(row: &Value, field: &str) -> Option<Muted> {
    Some((row["uid"].as_str()?.to_owned(), until(&row[field])?))
}

/// Reads whom a large synchronisation touched, when a webhook gives only the address of their list: `true` when all of
/// them were read. Those of a history that was lost are not there any more.
async fn people(internal: u16, http: &Client, data: &mut Value, notes: &Notes) -> bool {
    let Some(path) = data["membersUrl"].as_str().and_then(|url| url.find("/v3/").map(|at| url[at..].to_owned())) else {
        return false;
    };
    let touched = data["counts"]["touched"].as_u64();
    if touched.is_none_or(|touched| touched <= LISTED) {
        notes.violation("mirror", format!("the webhook lists nobody of {touched:?} people, only {path}"));
    }
    let (mut people, mut cursor) = (Vec::new(), String::new());
    let begun = Instant::now();
    while begun.elapsed() < AGREEMENT {
        let url = format!("http://127.0.0.1:{internal}{path}?limit=500&cursor={cursor}");
        notes.count(ASKED_PEOPLE, 1);
        let answer = http.get(url).header("apikey", API_KEY).send().await;
        let status = answer.as_ref().map_or(503, |answer| answer.status().as_u16());
        let page = match answer {
            Ok(answer) if status == 200 => answer.json::<Value>().await.ok(),
            _ => None,
        };
        if matches!(status, 404 | 410) || page.as_ref().is_some_and(|page| page["meta"]["epoch"] != data["epoch"]) {
            return false;
        }
        let Some(page) = page else {
            tokio::time::sleep(INTERVAL).await;
            continue;
        };
        people.extend(page["data"].as_array().into_iter().flatten().cloned());
        match page["meta"]["next"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => {
                data["members"] = Value::Array(people);
                return true;
            }
        }
    }
    false
}

/// Takes the whole lines from what was not read yet. A line that a killed receiver left unfinished was not confirmed, and
/// is skipped; bytes without a line's end stay.
fn lines(unread: &mut Vec<u8>) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = 0;
    for line in unread.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(value) => values.push(value),
            Err(_) if line.ends_with(b"\n") => {}
            Err(_) => break,
        }
        rest += line.len();
    }
    // A line begins with its line feed, so bytes before a line that failed were all lines.
    unread.drain(..rest);
    values
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
