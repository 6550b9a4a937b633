//! Writers: each acts on people of its own, and so knows beforehand what every act comes to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::cast::{HEIRS, Place, TARGETS};
use super::notes::Notes;
use super::stream;
use super::support::token;

/// So many notes about one person are written, of the hundred that there may be.
const MOST_NOTED: u8 = 90;
/// So long a writer waits for one answer.
const ANSWER: Duration = Duration::from_secs(12);

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

/// A request, and what it has to come to.
struct Intent {
    by: String,
    target: String,
    method: Method,
    path: String,
    body: Value,
    /// The event and the standing after it; or the status of the refusal.
    comes_to: Result<(&'static str, i64), u16>,
    after: Standing,
    /// Whether they may not speak after it.
    muted: bool,
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

    fn intend(&mut self, number: usize, which: usize, known: Known) -> Option<Intent> {
        let Known { standing, muted, last } = known;
        use Standing::{Banned, Lost, Moderator, Out, Participant};
        let (admin, target) = (self.place.writer(number), self.place.target(number, which));
        let member = format!("/members/{target}");
        let (ban, mute) = (format!("/bans/{target}"), format!("/mutes/{target}"));
        let (scope, notes) = (format!("{member}/scope"), format!("{member}/notes"));
        let by_admin = |method, path: &str, body, comes_to, after| Intent {
            by: admin.clone(),
            target: target.clone(),
            method,
            path: path.into(),
            body,
            comes_to,
            after,
            muted,
        };
        if let Some(last) = last.filter(|_| self.rng.u8(0..3) == 0) {
            let path = format!("/events/{}/undo", last.seq);
            let intent = by_admin(Method::POST, &path, json!({}), Ok(last.undone_by), last.standing);
            return Some(Intent { muted: last.muted, ..intent });
        }
        let may_note = self.noted[which] < MOST_NOTED;
        let until = if self.rng.bool() { json!(3600) } else { Value::Null };
        let by_target = |method, path: &str, comes_to, after| Intent {
            by: target.clone(),
            ..by_admin(method, path, json!({}), comes_to, after)
        };
        let intent = match (standing, self.rng.u8(0..10)) {
            (Lost, _) => return None,
            (Out, 0..7) => by_target(Method::POST, "/members", Ok(("member_joined", 0)), Participant),
            (Out, 7) if may_note => {
                by_admin(Method::POST, &notes, json!({"text": "chaos"}), Ok(("note_added", -1)), Out)
            }
            (Out, _) => by_admin(Method::PUT, &ban, json!({"reason": "chaos"}), Ok(("member_banned", -1)), Banned),
            (Banned, 0..3) => by_target(Method::POST, "/members", Err(409), Banned),
            (Banned, _) => by_admin(Method::DELETE, &ban, json!({}), Ok(("member_unbanned", -1)), Out),
            (_, 0..2) => by_admin(Method::DELETE, &member, json!({}), Ok(("member_kicked", -1)), Out),
            (_, 2) => by_target(Method::DELETE, &member, Ok(("member_left", -1)), Out),
            (_, 3) => by_admin(Method::PUT, &ban, json!({"reason": "chaos"}), Ok(("member_banned", -1)), Banned),
            (_, 4) => Intent { body: json!({"uid": target}), ..by_target(Method::PUT, "/owner", Err(403), standing) },
            (_, 5) if muted => Intent {
                muted: false,
                ..by_admin(Method::DELETE, &mute, json!({}), Ok(("member_unmuted", standing.scope())), standing)
            },
            (_, 5) => Intent {
                muted: true,
                ..by_admin(Method::PUT, &mute, json!({"until": 3600}), Ok(("member_muted", standing.scope())), standing)
            },
            (_, 6) if may_note => {
                let comes_to = Ok(("note_added", standing.scope()));
                by_admin(Method::POST, &notes, json!({"text": "chaos"}), comes_to, standing)
            }
            (Participant, _) => {
                let body = json!({"scope": "moderator", "until": until});
                by_admin(Method::PUT, &scope, body, Ok(("member_scope_changed", 1)), Moderator)
            }
            (Moderator, _) => by_admin(
                Method::PUT,
                &scope,
                json!({"scope": "participant"}),
                Ok(("member_scope_changed", 0)),
                Participant,
            ),
        };
        self.noted[which] += u8::from(intent.path == notes);
        // Acts on several say which number each has, by which it can be put back.
        let several = match (intent.method.as_str(), intent.comes_to) {
            ("DELETE", Ok(("member_kicked", _))) => Some("kick"),
            ("PUT", Ok(("member_banned", _))) => Some("ban"),
            ("PUT", Ok(("member_muted", _))) => Some("mute"),
            ("PUT", Ok(("member_scope_changed", _))) => Some("scope"),
            _ => None,
        };
        Some(match several.filter(|_| self.rng.bool()) {
            Some(act) => {
                let mut body = intent.body;
                body["act"] = json!(act);
                body["uid"] = json!([intent.target]);
                Intent { method: Method::POST, path: "/bulk".into(), body, ..intent }
            }
            None => intent,
        })
    }

    /// Asks until there is an answer: the act, if it makes an event, and what came of it.
    async fn carry_out(&mut self, intent: Intent) -> (Option<Act>, Outcome) {
        let number = self.done.fetch_add(1, Ordering::Relaxed);
        let key = format!("{}-{}-{number}", self.seed, self.number.map_or(99, |number| number));
        let url = format!("http://127.0.0.1:{}/groups/{}{}", self.front, self.place.guid, intent.path);
        let token = token(&intent.by);
        let (mut fate, mut as_expected, mut tries) = (Fate::Unknown, false, 0);
        (self.last_id, self.last_seq) = (None, None);
        while !self.over.load(Ordering::Relaxed) {
            tries += 1;
            let begun = Instant::now();
            let request = self.http.request(intent.method.clone(), &url).bearer_auth(&token).json(&intent.body);
            let request = request.header("accept", "application/json").header("idempotency-key", &key);
            let (status, retry_after, last_id, body) = match request.timeout(ANSWER).send().await {
                Ok(answer) => {
                    let retry_after = answer.headers().contains_key("retry-after");
                    let last_id = answer.headers().get("last-event-id").and_then(|id| id.to_str().ok());
                    let last_id = last_id.map(str::to_owned);
                    (answer.status().as_u16(), retry_after, last_id, answer.text().await.unwrap_or_default())
                }
                Err(error) => {
                    if error.is_timeout() {
                        // Not even "cannot now": that is slower than any answer.
                        self.notes.unanswered(begun.elapsed());
                    }
                    self.notes.second(|second| second.lost += 1);
                    self.notes.count("writes that got no answer", 1);
                    self.pause(100..400).await;
                    continue;
                }
            };
            match status {
                503 if retry_after => {
                    self.notes.refused(begun.elapsed());
                    self.pause(250..700).await;
                    continue;
                }
                // The front itself has nobody to ask.
                502..=504 => {
                    self.notes.second(|second| second.lost += 1);
                    self.notes.count("writes that the front refused", 1);
                    self.pause(100..400).await;
                    continue;
                }
                200 => {
                    self.notes.acknowledged(begun.elapsed());
                    fate = Fate::Acknowledged;
                    self.last_id = last_id;
                    let done: Value = serde_json::from_str(&body).unwrap_or_default();
                    self.last_seq = done["data"][0]["seq"].as_u64();
                    as_expected = intent.comes_to.is_ok() && done["data"][0]["code"].is_null();
                }
                // Who has left is not there any more, also for the repetition of having left.
                404 if intent.comes_to == Ok(("member_left", -1)) && tries > 1 => {
                    self.notes.count("repeated leaves that were answered 404", 1);
                    (fate, as_expected) = (Fate::Unknown, true);
                }
                409 if body.contains("ERR_UNDO_TOO_LATE") => {
                    self.notes.count("undos that came too late", 1);
                    return (None, Outcome::TooLate);
                }
                status => {
                    fate = if status < 500 { Fate::Refused } else { Fate::Unknown };
                    as_expected = intent.comes_to == Err(status);
                }
            }
            if !as_expected {
                let asked = format!("{} {} by {}", intent.method, url, intent.by);
                let wrong = format!("{asked} was to come to {:?}, try {tries}: {status} {body}", intent.comes_to);
                self.notes.complain("answers", wrong);
            }
            break;
        }
        if tries > 1 && fate == Fate::Acknowledged {
            self.notes.count("acts that needed more than one try", 1);
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
