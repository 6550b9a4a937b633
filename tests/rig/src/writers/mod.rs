//! Writers: each acts on people of its own, and so knows the right answer to every act beforehand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fastrand::Rng;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::cast::{Place, SUCCESSORS, TARGETS};
use super::notes::Notes;
use super::stream;
use super::support::token;

mod ask;
mod intents;
mod many;

use ask::{ANSWER, Answer};
use intents::Intent;

/// An act and its outcome.
pub struct Act {
    pub guid: &'static str,
    pub by: String,
    pub target: String,
    /// The event it makes.
    pub kind: &'static str,
    /// The scope after it, -1 for outside.
    pub scope: i64,
    pub outcome: Outcome,
    /// Whether what it did ends by itself soon.
    pub ends: bool,
    pub key: String,
    /// The number of its event by the answer, when the first try was answered.
    pub seq: Option<u64>,
}

/// Whether an act was done, as far as its answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Acknowledged,
    /// It was not done.
    Refused,
    /// It may have been done: no answer shows it.
    Unknown,
}

/// Somebody who acts.
pub struct Writer {
    pub place: Place,
    /// How many times as fast as usual they act.
    pub pace: u64,
    /// `None` for the writer that only transfers the ownership of the group.
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
    /// The id of an event by the answer to the last act.
    pub last_id: Option<String>,
    /// The number of its event by the answer to the last act on several people.
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
    /// An answer was not the expected one: the standing is unknown.
    Lost,
}

/// What a writer knows of one of their people.
#[derive(Debug, Clone, Copy)]
struct Known {
    standing: Standing,
    /// Whether they are muted, also once they are out.
    muted: bool,
    /// The last act, while it can be undone.
    last: Option<Last>,
    /// What of theirs ends by itself soon, or has: until it is undone or done again on other terms, nothing else is done to them.
    ending: Option<Ending>,
}

/// What ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Ban,
    Mute,
    Scope,
}

/// An act that can be undone: the event that undoes it, and what the person is then.
#[derive(Debug, Clone, Copy)]
struct Last {
    seq: u64,
    undone_by: (&'static str, i64),
    standing: Standing,
    muted: bool,
}

/// How the answer to an intent compares with the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assessment {
    AsExpected,
    /// It was too late to undo an act: nothing was changed.
    TooLate,
    /// What was to be undone had ended by itself: nothing was changed.
    Overtaken,
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

impl Ending {
    /// What ends that an act of this kind began, if it was for a time; the scope after it tells whether a scope was given or taken.
    fn of((kind, scope): (&str, i64)) -> Option<Ending> {
        match (kind, scope) {
            ("member_banned", _) => Some(Ending::Ban),
            ("member_muted", _) => Some(Ending::Mute),
            ("member_scope_changed", 1..) => Some(Ending::Scope),
            _ => None,
        }
    }
}

/// The event that undoes an act of this kind; `None` for acts that no writer undoes.
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
        let participant = Known { standing: Standing::Participant, muted: false, last: None, ending: None };
        let mut people = [participant; TARGETS];
        let mut owner = 0;
        while !self.enough.load(Ordering::Relaxed) {
            let range = if self.number.is_some() { self.place.pause.clone() } else { 700..2500 };
            tokio::time::sleep(Duration::from_millis(self.rng.u64(range) / self.pace)).await;
            let Some(number) = self.number else {
                self.transfer_ownership(&mut owner, &mut acts).await;
                continue;
            };
            if self.rng.u8(0..12) == 0 {
                acts.extend(self.act_on_many(number, &mut people).await);
                continue;
            }
            let which = self.rng.usize(0..TARGETS);
            let before = people[which];
            let Some(intent) = self.intend(number, which, before) else { continue };
            let (after, muted, ending) = (intent.after, intent.muted, intent.ending);
            let may_be_undone = intent.by != intent.target && before.last.is_none() && before.ending.is_none();
            let target = intent.target.clone();
            let (act, assessment) = self.carry_out(intent).await;
            let undoable = act.as_ref().filter(|_| may_be_undone).and_then(|act| {
                let undone_by = undone_by(act.kind, before.standing)?;
                Some(Last { seq: self.last_seq?, undone_by, standing: before.standing, muted: before.muted })
            });
            people[which] = match assessment {
                Assessment::AsExpected => Known { standing: after, muted, last: undoable, ending },
                // The ban has no effect any more: they may come in, also before its end is written.
                Assessment::Overtaken if before.ending == Some(Ending::Ban) => {
                    Known { standing: Standing::Out, last: None, ending: None, ..before }
                }
                Assessment::TooLate | Assessment::Overtaken => Known { last: None, ..before },
                Assessment::Wrong => Known { standing: Standing::Lost, last: None, ending: None, ..before },
            };
            // Between its end and the event of that a node still lists the scope.
            let is_done = assessment == Assessment::AsExpected && ending.or(before.ending).is_none();
            if let Some(id) = self.last_id.take().filter(|_| is_done && self.rng.u8(0..6) == 0) {
                self.read_back(number, &target, &id, after).await;
            }
            acts.extend(act);
        }
        acts
    }

    /// The owner transfers the group to another successor.
    async fn transfer_ownership(&mut self, owner: &mut usize, acts: &mut Vec<Act>) {
        if *owner >= SUCCESSORS {
            return;
        }
        let next = (*owner + self.rng.usize(1..SUCCESSORS)) % SUCCESSORS;
        let successor = self.place.successor(next);
        let intent = Intent {
            by: self.place.successor(*owner),
            target: successor.clone(),
            method: Method::PUT,
            path: "/owner".into(),
            body: json!({"uid": successor}),
            expected: Ok(("owner_transferred", 3)),
            after: Standing::Participant,
            muted: false,
            ending: None,
            undoes: None,
        };
        let (act, assessment) = self.carry_out(intent).await;
        *owner = if assessment == Assessment::AsExpected { next } else { SUCCESSORS };
        acts.extend(act);
    }

    /// Sends an intent: the act, if it makes an event, and how its answer compares with the expected one.
    async fn carry_out(&mut self, intent: Intent) -> (Option<Act>, Assessment) {
        let answer = self.ask(&intent.by, &intent.method, &intent.path, &intent.body).await;
        let Answer { key, tries, status, body, last_id } = answer;
        (self.last_id, self.last_seq) = (None, None);
        let (outcome, as_expected) = match status {
            0 => (Outcome::Unknown, false),
            200 => {
                self.last_id = last_id;
                let done: Value = serde_json::from_str(&body).unwrap_or_default();
                self.last_seq = done["data"][0]["seq"].as_u64();
                (Outcome::Acknowledged, intent.expected.is_ok() && done["data"][0]["code"].is_null())
            }
            // An earlier try succeeded without an answer, and the repeated one finds nobody to leave.
            404 if intent.expected == Ok(("member_left", -1)) && tries > 1 => {
                self.notes.count("repeated leaves that were answered 404", 1);
                (Outcome::Unknown, true)
            }
            409 if body.contains("ERR_UNDO_TOO_LATE") => {
                self.notes.count("undos that came too late", 1);
                return (None, Assessment::TooLate);
            }
            409 if intent.undoes.is_some() && body.contains("ERR_UNDO_OVERTAKEN") => {
                self.notes.count("undos that an end had overtaken", 1);
                return (None, Assessment::Overtaken);
            }
            status => (if status < 500 { Outcome::Refused } else { Outcome::Unknown }, intent.expected == Err(status)),
        };
        if !as_expected && status != 0 {
            let asked = format!("{} {} of {} by {}", intent.method, intent.path, self.place.guid, intent.by);
            let wrong = format!("{asked} was to come to {:?}, try {tries}: {status} {body}", intent.expected);
            self.notes.violation("answers", wrong);
        }
        // Once a scope is over, but its end not written, its undo is answered with yes and makes no event.
        let may_be_nothing = intent.undoes == Some(Ending::Scope);
        let outcome = if may_be_nothing && outcome == Outcome::Acknowledged { Outcome::Unknown } else { outcome };
        if as_expected && outcome == Outcome::Acknowledged && intent.path.ends_with("/undo") {
            self.notes.count("acts that were put back one by one", 1);
        }
        let act = intent.expected.ok().map(|(kind, scope)| Act {
            guid: self.place.guid,
            by: intent.by,
            target: intent.target,
            kind,
            scope,
            outcome,
            ends: intent.ending.is_some() && intent.undoes.is_none(),
            key,
            // The answer to a repeated request names the newest event instead, and so does one without an event.
            seq: self.last_id.as_deref().filter(|_| tries == 1 && !may_be_nothing).map(stream::seq),
        });
        (act, if as_expected { Assessment::AsExpected } else { Assessment::Wrong })
    }

    /// Reads the person acted on: whoever acted sees what they did, on whichever node answers.
    async fn read_back(&self, number: usize, target: &str, id: &str, standing: Standing) {
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
        // A node that cannot reach the database answers 503 rather than something older.
        match status {
            502..=504 => self.notes.count("looks at one's own act answered 503", 1),
            _ if right => self.notes.count("looks at one's own act", 1),
            _ => self.notes.violation("own", format!("{target} is {standing:?} as of {id}: {status} {body}")),
        }
    }

    async fn pause(&mut self, milliseconds: std::ops::Range<u64>) {
        tokio::time::sleep(Duration::from_millis(self.rng.u64(milliseconds))).await;
    }
}
