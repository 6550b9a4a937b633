//! The host's back end, `/v3`, asked as a server asks it.

mod answers;
mod authentication;
mod bans;
mod bodies;
mod events;
mod failures;
mod groups;
mod hosted;
mod keys;
mod lists;
mod members;
mod mutes;
mod nodes;
mod openapi;
mod original;
mod paging;
mod prepared;
mod resync;
mod samples;
mod snapshot;
mod sync;
mod upload;
mod upload_cut;
mod users;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::domain::{Guid, LoggedEvent};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A key of the host.
pub const KEY: &str = "0123456789abcdef";

/// The host's back end, and a service of its own for it.
pub struct Host {
    pub app: App,
    _folder: tempfile::TempDir,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Host {
    /// Nobody and nothing is known.
    pub async fn new() -> Host {
        Host::with(|config| config.api_keys = vec![Secret::new("another-key"), Secret::new(KEY)]).await
    }

    /// The same, with options of one's own.
    pub async fn with(options: impl FnOnce(&mut Config)) -> Host {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config {
            database_url: crate::support::database::database(folder.path()),
            viewer_secrets: vec![Secret::new("a-secret-for-tests-that-is-long-enough")],
            ..Config::default()
        };
        options(&mut config);
        Host { app: App::open(config).await.unwrap(), _folder: folder }
    }

    /// Ada owns the public group `park`, Ben is admin, Cy moderator, Dee and Eve participants, Flo
    /// is banned, Gus is known and outside.
    pub async fn with_cast() -> Host {
        Host::with_cast_and(|_| {}).await
    }

    /// The same with options of one's own.
    pub async fn with_cast_and(options: impl FnOnce(&mut Config)) -> Host {
        let host = Host::with(|config| {
            config.api_keys = vec![Secret::new("another-key"), Secret::new(KEY)];
            options(config);
        })
        .await;
        for (uid, name) in [
            ("ada", "Ada"),
            ("ben", "Ben"),
            ("cy", "Cy"),
            ("dee", "Dee"),
            ("eve", "Eve"),
            ("flo", "Flo"),
            ("gus", "Gus"),
        ] {
            host.post("/v3/users", json!({"uid": uid, "name": name})).await.is(200);
        }
        let group = json!({
            "guid": "park", "name": "Park", "type": "public", "owner": "ada",
            "members": {"admins": ["ben"], "moderators": ["cy"], "participants": ["dee", "eve"], "usersToBan": ["flo"]},
        });
        host.post("/v3/groups", group).await.is(200);
        host
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, &[], Some(body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.ask("PUT", path, &[], Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.ask("PATCH", path, &[], Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, &[], None).await
    }

    /// On behalf of a user.
    pub async fn as_user(&self, uid: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
        self.ask(method, path, &[("onBehalfOf", uid)], body).await
    }

    pub async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "apikey") {
            request = request.header("apikey", KEY);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = match body {
            Some(body) => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.send(request.body(body).unwrap()).await
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let body =
            serde_json::from_slice(&bytes).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into()));
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// The events of a group after `since`.
    pub async fn events(&self, guid: &str, since: u64) -> Vec<LoggedEvent> {
        let guid: Guid = guid.parse().unwrap();
        let mut reader = self.app.store().read().await.unwrap();
        let (_, head) = reader.group(&guid).await.unwrap().unwrap();
        reader.events(&guid, since, head, 10_000).await.unwrap().unwrap()
    }

    /// What is wrong with the stored rows.
    pub async fn faults(&self) -> Vec<String> {
        crate::support::faults(&self.app).await
    }

    /// The words for the events of a group after `since`.
    pub async fn words(&self, guid: &str, since: u64) -> Vec<&'static str> {
        self.events(guid, since).await.iter().map(|event| event.kind.as_str()).collect()
    }

    /// The number of a group's last event.
    pub async fn head(&self, guid: &str) -> u64 {
        self.events(guid, 0).await.last().map_or(0, |event| event.seq)
    }

    /// Who is in a group, as `uid:scope`, in display order; the owner by that word.
    pub async fn members(&self, guid: &str) -> Vec<String> {
        let list = self.get(&format!("/v3/groups/{guid}/members?perPage=1000")).await.is(200);
        let scope =
            |one: &Value| if one["isOwner"] == true { "owner" } else { one["scope"].as_str().unwrap() }.to_owned();
        let word = |one: &Value| format!("{}:{}", one["uid"].as_str().unwrap(), scope(one));
        list.body["data"].as_array().unwrap().iter().map(word).collect()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.app.stop();
    }
}

impl Answer {
    /// It has this status.
    #[track_caller]
    pub fn is(self, status: u16) -> Answer {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self
    }

    /// It is refused with this status and code, in the original's shape.
    #[track_caller]
    pub fn refuses(self, status: u16, code: &str) -> Answer {
        assert_eq!((self.status.as_u16(), self.body["error"]["code"].as_str()), (status, Some(code)), "{}", self.body);
        assert!(
            self.body["error"]["message"].is_string() && self.body["error"]["details"].is_object(),
            "{}",
            self.body
        );
        assert_eq!(self.headers["content-type"], "application/json");
        assert_eq!(self.headers["cache-control"], "no-store");
        self
    }

    /// Its message says this.
    #[track_caller]
    pub fn saying(self, words: &str) -> Answer {
        assert!(self.body["error"]["message"].as_str().unwrap().contains(words), "{}", self.body);
        self
    }
}
