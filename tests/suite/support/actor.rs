//! Somebody of the cast, with a token, acting from outside.

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use super::answer::Answer;
use super::sse::{Foreign, Raw};

/// Somebody who sends requests. Acts are on the group `den` and answered in JSON unless said
/// otherwise.
#[derive(Clone)]
pub struct Actor {
    pub uid: String,
    pub token: String,
    url: String,
    http: Client,
}

impl Actor {
    pub fn new(uid: &str, token: &str, url: &str, http: Client) -> Actor {
        Actor { uid: uid.into(), token: token.into(), url: url.into(), http }
    }

    /// A request of theirs, to be completed.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.anonymous(method, path).bearer_auth(&self.token)
    }

    /// A request without their token.
    pub fn anonymous(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url))
    }

    /// What a program or a host's include gets.
    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    /// The same with these headers.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        send(with(self.request(Method::GET, path), headers)).await
    }

    /// What a browser gets that navigates.
    pub async fn page(&self, path: &str) -> Answer {
        self.get_with(path, &[("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")]).await
    }

    /// What htmx gets.
    pub async fn htmx(&self, path: &str) -> Answer {
        self.get_with(path, &[("hx-request", "true"), ("accept", "text/html")]).await
    }

    /// What a program gets that wants data.
    pub async fn data(&self, path: &str) -> Answer {
        self.get_with(path, &[("accept", "application/json")]).await
    }

    /// The uids of the list in `den`, in order.
    pub async fn sees(&self) -> Vec<String> {
        self.get("/groups/den/members").await.ok().uids()
    }

    /// An act with a JSON body.
    pub async fn act(&self, method: Method, path: &str, body: Value) -> Answer {
        send(with(self.request(method, path), &[("accept", "application/json")]).json(&body)).await
    }

    /// An act as htmx sends the forms: a POST with `_method`.
    pub async fn htmx_act(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = with(self.request(Method::POST, path), &[("hx-request", "true"), ("accept", "text/html")]);
        send(request.form(fields)).await
    }

    /// An act as a browser without JavaScript sends it.
    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        send(with(self.request(Method::POST, path), &[("accept", "text/html")]).form(fields)).await
    }

    pub async fn kick(&self, uid: &str) -> Answer {
        self.act(Method::DELETE, &format!("/groups/den/members/{uid}"), serde_json::json!({})).await
    }

    pub async fn leave(&self) -> Answer {
        self.kick(&self.uid).await
    }

    pub async fn ban(&self, uid: &str, terms: Value) -> Answer {
        self.act(Method::PUT, &format!("/groups/den/bans/{uid}"), terms).await
    }

    pub async fn unban(&self, uid: &str) -> Answer {
        self.act(Method::DELETE, &format!("/groups/den/bans/{uid}"), serde_json::json!({})).await
    }

    pub async fn mute(&self, uid: &str, terms: Value) -> Answer {
        self.act(Method::PUT, &format!("/groups/den/mutes/{uid}"), terms).await
    }

    pub async fn unmute(&self, uid: &str) -> Answer {
        self.act(Method::DELETE, &format!("/groups/den/mutes/{uid}"), serde_json::json!({})).await
    }

    /// Gives a scope on these terms: `scope`, and `until` or `message`.
    pub async fn grant(&self, uid: &str, terms: Value) -> Answer {
        self.act(Method::PUT, &format!("/groups/den/members/{uid}/scope"), terms).await
    }

    pub async fn set_scope(&self, uid: &str, scope: &str) -> Answer {
        self.act(Method::PUT, &format!("/groups/den/members/{uid}/scope"), serde_json::json!({"scope": scope})).await
    }

    pub async fn transfer(&self, uid: &str) -> Answer {
        self.act(Method::PUT, "/groups/den/owner", serde_json::json!({"uid": uid})).await
    }

    /// Joins the public group.
    pub async fn join(&self) -> Answer {
        self.act(Method::POST, "/groups/park/members", serde_json::json!({})).await
    }

    /// A stream of `/groups/…/events…`, read byte by byte over HTTP/1.0.
    pub async fn raw(&self, path: &str, headers: &[(&str, &str)]) -> Raw {
        Raw::open(&self.url, path, &self.token, headers).await
    }

    /// The same, read by a client that is not ours.
    pub async fn foreign(&self, path: &str) -> Foreign {
        let request = with(self.request(Method::GET, path), &[("accept", "text/event-stream")]);
        Foreign::of(request.send().await.unwrap())
    }

    /// The default stream of `den`.
    pub async fn stream(&self) -> Raw {
        self.raw("/groups/den/events", &[]).await
    }

    /// The stream of `den` as data.
    pub async fn events(&self) -> Raw {
        self.raw("/groups/den/events?format=json", &[]).await
    }
}

/// Sends a request and reads the whole answer.
pub async fn send(request: RequestBuilder) -> Answer {
    Answer::of(request.send().await.unwrap()).await
}

/// The request with these headers.
pub fn with(request: RequestBuilder, headers: &[(&str, &str)]) -> RequestBuilder {
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
}
