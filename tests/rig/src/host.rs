//! The host's back end: acts of every kind that only it can do, in groups of its own, at random. Their outcomes are not
//! recorded; the mirror has to be right in spite of all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fastrand::Rng;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use super::nodes::API_KEY;
use super::notes::Notes;

/// How many people the host knows in its group.
const PEOPLE: usize = 60;
/// Longest that it waits for one answer.
const ANSWER: Duration = Duration::from_secs(12);

/// Somebody who acts with the key, in one group.
pub struct Host {
    pub guid: &'static str,
    /// The front that has `/v3`.
    pub internal: u16,
    pub http: Client,
    pub rng: Rng,
    pub notes: Arc<Notes>,
    /// How many times as fast as usual it acts.
    pub pace: u64,
    /// How many people it puts in by one upload now and then.
    pub crowd: usize,
    /// The version of its last upload.
    pub version: u64,
    /// No further acts.
    pub enough: Arc<AtomicBool>,
}

impl Host {
    /// Acts until it is enough.
    pub async fn act(mut self) {
        for number in 0..PEOPLE {
            self.call(Method::POST, "/users", json!({"uid": self.uid(number), "name": "Somebody"}), None).await;
        }
        while !self.enough.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(self.rng.u64(20..120) / self.pace)).await;
            self.act_once().await;
        }
    }

    async fn act_once(&mut self) {
        let group = format!("/groups/{}", self.guid);
        let someone = self.someone();
        let name = format!("Name {}", self.rng.u32(..));
        match self.rng.u8(0..26) {
            23..25 => self.upload().await,
            25 => self.call(Method::POST, &format!("{group}/bannedusers/{someone}"), json!({"until": 2}), None).await,
            20 => self.call(Method::POST, &format!("{group}/mutedusers/{someone}"), json!({"until": 2}), None).await,
            21 => self.call(Method::DELETE, &format!("{group}/mutedusers/{someone}"), json!({}), None).await,
            22 => {
                let scope = json!({"scope": "moderator", "until": 2});
                self.call(Method::PUT, &format!("{group}/members/{someone}"), scope, None).await;
            }
            0..3 => {
                let rows = self.rows(PEOPLE, 3);
                self.call(Method::PUT, &format!("{group}/members"), json!({"members": rows}), None).await;
            }
            3..6 => {
                let [one, two, three] = [0; 3].map(|_| self.someone());
                let lists = json!({"moderators": [one], "participants": [two, someone], "usersToBan": [three]});
                self.call(Method::POST, &format!("{group}/members"), lists, None).await;
            }
            6..9 => self.call(Method::PUT, &format!("/users/{someone}"), json!({"name": name}), None).await,
            9 => self.call(Method::PATCH, &format!("{group}/owner"), json!({"owner": someone}), None).await,
            10 => self.call(Method::PATCH, &format!("{group}/owner"), json!({"owner": null}), None).await,
            11 => self.call(Method::PUT, &group, json!({"name": name}), None).await,
            12 => {
                self.call(Method::DELETE, &group, json!({}), None).await;
                self.create().await;
            }
            13 => self.call(Method::DELETE, &format!("/users/{someone}"), json!({"permanent": true}), None).await,
            14 => self.call(Method::POST, "/users", json!({"uid": someone, "name": name}), None).await,
            15 => self.call(Method::DELETE, &format!("{group}/bannedusers/{someone}"), json!({}), None).await,
            16 => self.call(Method::DELETE, &format!("{group}/members"), json!({}), Some(&someone)).await,
            17 => self.call(Method::POST, &format!("{group}/members"), json!({}), Some(&someone)).await,
            18 => self.call(Method::DELETE, &format!("{group}/members/{someone}"), json!({}), None).await,
            _ => self.create().await,
        }
    }

    /// The group again, under the same id.
    async fn create(&mut self) {
        self.call(Method::POST, "/groups", json!({"guid": self.guid, "name": "Water", "type": "public"}), None).await;
    }

    /// Uploads members as a file of lines: all that are to be in the group, or some of them. Mostly a third of the people,
    /// now and then a crowd, and now and then with an older version.
    async fn upload(&mut self) {
        let rows = if self.rng.u8(0..8) == 0 { self.rows(self.crowd, 1) } else { self.rows(PEOPLE, 3) };
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        self.version += 1;
        let version = if self.rng.u8(0..8) == 0 { self.version / 2 } else { self.version };
        let mode = if self.rng.bool() { "full" } else { "partial" };
        let path = format!("/groups/{}/members?mode={mode}&version={version}", self.guid);
        let request = self.request(Method::PUT, &path).header("content-type", "application/x-ndjson").body(text);
        self.notes.count("uploads of the host", 1);
        self.send(request, &format!("PUT {path} of {} lines", rows.len())).await;
    }

    /// About one in `share` of so many people, one of them as owner now and then.
    fn rows(&mut self, people: usize, share: u8) -> Vec<Value> {
        let owner = self.rng.usize(0..people * 4);
        let mut rows = Vec::new();
        for number in 0..people {
            if number == owner || self.rng.u8(0..share) == 0 {
                let scope = if number == owner { "owner" } else { "participant" };
                rows.push(
                    json!({"uid": self.uid(number), "name": format!("Name {}", self.rng.u8(..)), "scope": scope}),
                );
            }
        }
        rows
    }

    async fn call(&mut self, method: Method, path: &str, body: Value, on_behalf_of: Option<&str>) {
        let mut request = self.request(method.clone(), path).json(&body);
        if let Some(uid) = on_behalf_of {
            request = request.header("onBehalfOf", uid);
        }
        self.send(request, &format!("{method} {path} {body}")).await;
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://127.0.0.1:{}/v3{path}", self.internal);
        self.http.request(method, url).header("apikey", API_KEY)
    }

    /// One request, whose answer may be a refusal, but nothing that is a fault.
    async fn send(&self, request: RequestBuilder, what: &str) {
        let answered = async {
            let answer = request.timeout(ANSWER).send().await.ok()?;
            let status = answer.status().as_u16();
            // An answer that was cut short counts as none.
            Some((status, answer.text().await.ok()?))
        };
        let Some((status, text)) = answered.await else {
            self.notes.count("acts of the host that got no answer", 1);
            return;
        };
        // An upload is refused in the last line of its answer when it turned out while it was applied.
        let late = |code: &str| {
            status == 200
                && text.lines().last().is_some_and(|line| line.starts_with("{\"error\"") && line.contains(code))
        };
        match status {
            200 if late("ERR_UNAVAILABLE") => self.notes.count("acts of the host that could not be done", 1),
            200 if late("ERR_STALE_SYNC") || late("NOT_FOUND") => {
                self.notes.count("acts of the host that were refused", 1);
            }
            200 if !late("") => self.notes.count("acts of the host", 1),
            // A list at random may have an owner who is banned.
            200 | 400 | 422
                if ["_ALREADY_EXISTS", "is banned", "can end."].iter().any(|words| text.contains(words)) =>
            {
                self.notes.count("acts of the host that were refused", 1);
            }
            401..=410 => self.notes.count("acts of the host that were refused", 1),
            502..=504 => self.notes.count("acts of the host that could not be done", 1),
            _ => self.notes.violation("answers", format!("the host's {what}: {status} {text}")),
        }
    }

    fn someone(&mut self) -> String {
        let number = self.rng.usize(0..PEOPLE);
        self.uid(number)
    }

    fn uid(&self, number: usize) -> String {
        format!("{}-{number}", self.guid)
    }
}
