//! One request under one key, until there is an answer.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::Value;

use super::super::support::token;
use super::Writer;

/// Longest that a writer waits for one answer.
pub(super) const ANSWER: Duration = Duration::from_secs(12);

/// The answer to a request after all tries.
pub(super) struct Answer {
    pub(super) key: String,
    pub(super) tries: u32,
    /// The status; 0 when nothing is waited for any more.
    pub(super) status: u16,
    pub(super) body: String,
    pub(super) last_id: Option<String>,
}

impl Writer {
    /// Repeats a request under one key until the service answers something else than 503.
    pub(super) async fn ask(&mut self, by: &str, method: &Method, path: &str, body: &Value) -> Answer {
        let number = self.done.fetch_add(1, Ordering::Relaxed);
        let key = format!("{}-{}-{number}", self.seed, self.number.map_or(99, |number| number));
        let url = format!("http://127.0.0.1:{}/groups/{}{path}", self.front, self.place.guid);
        let token = token(by);
        let mut answer = Answer { key, tries: 0, status: 0, body: String::new(), last_id: None };
        while !self.over.load(Ordering::Relaxed) {
            answer.tries += 1;
            let begun = Instant::now();
            let request = self.http.request(method.clone(), &url).bearer_auth(&token).json(body);
            let request = request.header("accept", "application/json").header("idempotency-key", &answer.key);
            let (status, retry_after) = match request.timeout(ANSWER).send().await {
                Ok(response) => {
                    let last_id = response.headers().get("last-event-id").and_then(|id| id.to_str().ok());
                    answer.last_id = last_id.map(str::to_owned);
                    let (status, retry_after) =
                        (response.status().as_u16(), response.headers().contains_key("retry-after"));
                    answer.body = response.text().await.unwrap_or_default();
                    (status, retry_after)
                }
                Err(error) => {
                    if error.is_timeout() {
                        // Not even a 503: the wait is judged as if one had come that late.
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
                // The front has no node to send it to.
                502..=504 => {
                    self.notes.second(|second| second.lost += 1);
                    self.notes.count("writes that the front refused", 1);
                    self.pause(100..400).await;
                    continue;
                }
                200 => {
                    self.notes.acknowledged(begun.elapsed());
                    if answer.tries > 1 {
                        self.notes.count("acts that needed more than one try", 1);
                    }
                }
                _ => {}
            }
            answer.status = status;
            break;
        }
        answer
    }
}
