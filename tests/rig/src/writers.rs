//! Writers: each acts on people of its own, and so knows beforehand what every act comes to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fastrand::Rng;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::cast::{HEIRS, Place, TARGETS};
use super::notes::Notes;
use super::stream;
use super::support::token;

mod ask;
mod intents;
mod many;

use ask::{ANSWER, Answer};
use intents::Intent;

/// An act and what became of it.
pub struct Act {
    pub guid: &'static str,
    pub by: String,
    pub target: String,
    /// The event it makes.
    pub kind: &'static str,
    /// The scope after it, -1 for outside.
    pub scope: i64,
    pub fate: Fate,
    pub key: String,
    /// The number the answer named, when it was the first answer.
    pub seq: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Answered with yes.
    Acknowledged,
    /// Answered with no.
    Refused,
    /// Never answered.
    Unknown,
}

/// Somebody who acts.
pub struct Writer {
    pub place: Place,
    /// How many times as fast as usual they act.
    pub pace: u64,
    /// `None` for those who hand the group around.
    pub number: Option<usize>,
    pub front: u16,
    pub http: Client,
    pub rng: Rng,
    pub notes: Arc<Notes>,
    /// No further acts.
    pub enough: Arc<AtomicBool>,
    /// Nothing is waited for any more.
    pub over: Arc<AtomicBool>,
    pub seed: u64,
    pub done: Arc<AtomicU64>,
    /// What the answer to the last act named.
    pub last_id: Option<String>,
    /// The number that the answer to the last act on several says it has.
    pub last_seq: Option<u64>,
    /// How many notes there are about each of their people.
    pub noted: [u8; TARGETS],
}

/// How somebody stands in the group, as their writer knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Participant,
    Moderator,
    Out,
    Banned,
    /// An answer was not what it had to be: nothing is known any more.
    Lost,
}

/// What a writer knows of one of their people.
#[derive(Debug, Clone, Copy)]
struct Known {
    standing: Standing,
    /// Whether they may not speak, also once they are out.
    muted: bool,
    /// What the last act was, and its number, while it can be put back.
    last: Option<Last>,
}

/// An act that can be put back: the event that does so, and what the person is then.
#[derive(Debug, Clone, Copy)]
struct Last {
    seq: u64,
    undone_by: (&'static str, i64),
    standing: Standing,
    muted: bool,
}

/// What came of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    AsExpected,
    /// Nothing was changed: it was too late for it.
    TooLate,
    Wrong,
}

impl Standing {
    fn scope(self) -> i64 {
        match self {
            Standing::Participant => 0,
            Standing::Moderator => 1,
            Standing::Out | Standing::Banned | Standing::Lost => -1,
        }
    }
}

/// The event that puts back what an act of this kind changed; `None` of acts that nobody puts back.
fn undone_by(kind: &str, before: Standing) -> Option<(&'static str, i64)> {
    let word = match kind {
        "member_kicked" => "member_added",
        "member_banned" if before == Standing::Out => "member_unbanned",
        "member_banned" => "member_added",
        "member_unbanned" => "member_banned",
        "member_muted" => "member_unmuted",
        "member_unmuted" => "member_muted",
        "member_scope_changed" => "member_scope_changed",
        _ => return None,
    };
    Some((word, before.scope()))
}

impl Writer {
    /// Acts until it is enough.
    pub async fn write(mut self) -> Vec<Act> {
        let mut acts = Vec::new();
        let mut people = [Known { standing: Standing::Participant, muted: false, last: None }; TARGETS];
        let mut owner = 0;
        while !self.enough.load(Ordering::Relaxed) {
            let range = if self.number.is_some() { self.place.pause.clone() } else { 700..2500 };
            tokio::time::sleep(Duration::from_millis(self.rng.u64(range) / self.pace)).await;
            let Some(number) = self.number else {
                self.hand_on(&mut owner, &mut acts).await;
                continue;
            };
            if self.rng.u8(0..12) == 0 {
                acts.extend(self.act_on_many(number, &mut people).await);
                continue;
            }
            let which = self.rng.usize(0..TARGETS);
            let before = people[which];
            let Some(intent) = self.intend(number, which, before) else { continue };
            let (after, muted, by_admin) = (intent.after, intent.muted, intent.by != intent.target);
            let target = intent.target.clone();
            let (act, outcome) = self.carry_out(intent).await;
            let undoable = act.as_ref().filter(|_| by_admin && before.last.is_none()).and_then(|act| {
                let undone_by = undone_by(act.kind, before.standing)?;
                Some(Last { seq: self.last_seq?, undone_by, standing: before.standing, muted: before.muted })
            });
            people[which] = match outcome {
                Outcome::AsExpected => Known { standing: after, muted, last: undoable },
                Outcome::TooLate => Known { last: None, ..before },
                Outcome::Wrong => Known { standing: Standing::Lost, ..before },
            };
            let is_done = outcome == Outcome::AsExpected;
            if let Some(id) = self.last_id.take().filter(|_| is_done && self.rng.u8(0..6) == 0) {
                self.look(number, &target, &id, after).await;
            }
            acts.extend(act);
        }
        acts
    }

    /// The owner hands the group to another heir.
    async fn hand_on(&mut self, owner: &mut usize, acts: &mut Vec<Act>) {
        if *owner >= HEIRS {
            return;
        }
        let next = (*owner + self.rng.usize(1..HEIRS)) % HEIRS;
        let heir = self.place.heir(next);
        let intent = Intent {
            by: self.place.heir(*owner),
            target: heir.clone(),
            method: Method::PUT,
            path: "/owner".into(),
            body: json!({"uid": heir}),
            comes_to: Ok(("owner_transferred", 3)),
            after: Standing::Participant,
            muted: false,
        };
        let (act, outcome) = self.carry_out(intent).await;
        *owner = if outcome == Outcome::AsExpected { next } else { HEIRS };
        acts.extend(act);
    }

    /// The act, if it makes an event, and what came of it.
    async fn carry_out(&mut self, intent: Intent) -> (Option<Act>, Outcome) {
        let answer = self.ask(&intent.by, &intent.method, &intent.path, &intent.body).await;
        let Answer { key, tries, status, body, last_id } = answer;
        (self.last_id, self.last_seq) = (None, None);
        let (fate, as_expected) = match status {
            0 => (Fate::Unknown, false),
            200 => {
                self.last_id = last_id;
                let done: Value = serde_json::from_str(&body).unwrap_or_default();
                self.last_seq = done["data"][0]["seq"].as_u64();
                (Fate::Acknowledged, intent.comes_to.is_ok() && done["data"][0]["code"].is_null())
            }
            // Who has left is not there any more, also for the repetition of having left.
            404 if intent.comes_to == Ok(("member_left", -1)) && tries > 1 => {
                self.notes.count("repeated leaves that were answered 404", 1);
                (Fate::Unknown, true)
            }
            409 if body.contains("ERR_UNDO_TOO_LATE") => {
                self.notes.count("undos that came too late", 1);
                return (None, Outcome::TooLate);
            }
            status => (if status < 500 { Fate::Refused } else { Fate::Unknown }, intent.comes_to == Err(status)),
        };
        if !as_expected && status != 0 {
            let asked = format!("{} {} of {} by {}", intent.method, intent.path, self.place.guid, intent.by);
            let wrong = format!("{asked} was to come to {:?}, try {tries}: {status} {body}", intent.comes_to);
            self.notes.complain("answers", wrong);
        }
        let act = intent.comes_to.ok().map(|(kind, scope)| Act {
            guid: self.place.guid,
            by: intent.by,
            target: intent.target,
            kind,
            scope,
            fate,
            key,
            // The answer to a repetition names whatever is newest.
            seq: self.last_id.as_deref().filter(|_| tries == 1).map(stream::seq),
        });
        (act, if as_expected { Outcome::AsExpected } else { Outcome::Wrong })
    }

    /// Whoever acted sees what they did, on whichever node they land.
    async fn look(&self, number: usize, target: &str, id: &str, standing: Standing) {
        let url = format!("http://127.0.0.1:{}/groups/{}/members/{target}", self.front, self.place.guid);
        let request = self.http.get(url).bearer_auth(token(&self.place.writer(number)));
        let request = request.header("accept", "application/json").header("last-event-id", id);
        let Ok(answer) = request.timeout(ANSWER).send().await else { return };
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap_or_default();
        let right = match standing {
            Standing::Participant => body["data"]["scope"] == "participant",
            Standing::Moderator => body["data"]["scope"] == "moderator",
            _ => status == 404,
        };
        // Who cannot reach the database says so rather than something older.
        match status {
            502..=504 => self.notes.count("looks at one's own act answered 503", 1),
            _ if right => self.notes.count("looks at one's own act", 1),
            _ => self.notes.complain("own", format!("{target} is {standing:?} as of {id}: {status} {body}")),
        }
    }

    async fn pause(&mut self, milliseconds: std::ops::Range<u64>) {
        tokio::time::sleep(Duration::from_millis(self.rng.u64(milliseconds))).await;
    }
}
