//! A host's server that is told of events, in the process of the test.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use serde_json::Value;
use standardwebhooks::Webhook;

use crate::support::eventually;

/// What webhooks are signed with in tests.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8ILA==";

/// A request that came.
#[derive(Debug, Clone)]
pub struct Call {
    pub headers: HeaderMap,
    pub body: String,
    pub at: std::time::Instant,
}

type Behaviour = Box<dyn Fn(&Call, usize) -> Reply + Send + Sync>;

/// How a request is answered.
pub enum Reply {
    Status(u16),
    Headers(u16, Vec<(&'static str, String)>),
    /// After this time.
    Late(Duration, u16),
    /// Whatever else.
    Other(Response),
}

/// A server that remembers every request.
#[derive(Clone)]
pub struct Receiver {
    pub url: String,
    calls: Arc<Mutex<Vec<Call>>>,
    behaviour: Arc<Mutex<Behaviour>>,
}

impl Receiver {
    /// It takes everything.
    pub async fn new() -> Receiver {
        Receiver::at(IpAddr::V4(Ipv4Addr::LOCALHOST)).await
    }

    /// The same at this address of the machine.
    pub async fn at(address: IpAddr) -> Receiver {
        let listener = tokio::net::TcpListener::bind((address, 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let takes: Behaviour = Box::new(|_, _| Reply::Status(200));
        let receiver = Receiver { url, calls: Arc::default(), behaviour: Arc::new(Mutex::new(takes)) };
        let own = receiver.clone();
        let hook = post(move |headers: HeaderMap, body: Bytes| async move { own.answer(headers, body).await });
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/hook", hook)).await });
        receiver
    }

    /// From now on requests are answered so; it is told the request and how many came before.
    pub fn answers(&self, behaviour: impl Fn(&Call, usize) -> Reply + Send + Sync + 'static) {
        *self.behaviour.lock().unwrap() = Box::new(behaviour);
    }

    /// From now on every request gets this status.
    pub fn answers_with(&self, status: u16) {
        self.answers(move |_, _| Reply::Status(status));
    }

    async fn answer(&self, headers: HeaderMap, body: Bytes) -> Response {
        let call = Call { headers, body: String::from_utf8(body.to_vec()).unwrap(), at: std::time::Instant::now() };
        let reply = {
            let mut calls = self.calls.lock().unwrap();
            let reply = (self.behaviour.lock().unwrap())(&call, calls.len());
            calls.push(call);
            reply
        };
        let status = |status| StatusCode::from_u16(status).unwrap();
        match reply {
            Reply::Status(code) => status(code).into_response(),
            Reply::Headers(code, headers) => {
                let mut response = status(code).into_response();
                for (name, value) in headers {
                    response.headers_mut().insert(name, value.parse().unwrap());
                }
                response
            }
            Reply::Late(time, code) => {
                tokio::time::sleep(time).await;
                status(code).into_response()
            }
            Reply::Other(response) => response,
        }
    }

    /// Every request so far.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Waits for so many requests.
    pub async fn has(&self, count: usize) -> Vec<Call> {
        eventually(&format!("{count} deliveries"), || async { self.calls().len() >= count }).await;
        self.calls()
    }

    /// Waits until the last event of a group that came has this number.
    pub async fn has_event(&self, guid: &str, seq: u64) {
        eventually(&format!("event {seq} of {guid}"), || async {
            self.seqs(guid).last().is_some_and(|last| *last >= seq)
        })
        .await;
    }

    /// The numbers of a group's events, in the order of their first arrival.
    pub fn seqs(&self, guid: &str) -> Vec<u64> {
        let mut ids = HashSet::new();
        let new = |call: &Call| ids.insert(call.id().to_owned());
        let calls = self.calls().into_iter().filter(new);
        calls
            .filter(|call| call.data()["group"]["guid"] == guid)
            .map(|call| call.data()["seq"].as_u64().unwrap())
            .collect()
    }

    /// Each group's events came without a gap and in order.
    #[track_caller]
    pub fn is_in_order(&self) {
        let mut groups = HashMap::<String, Vec<u64>>::new();
        let mut ids = HashSet::new();
        for call in self.calls() {
            if ids.insert(call.id().to_owned()) && call.data()["seq"].is_u64() {
                let guid = call.data()["group"]["guid"].as_str().unwrap().to_owned();
                groups.entry(guid).or_default().push(call.data()["seq"].as_u64().unwrap());
            }
        }
        for (guid, seqs) in groups {
            assert!(seqs.windows(2).all(|pair| pair[1] == pair[0] + 1), "{guid}: {seqs:?}");
        }
    }
}

impl Call {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    pub fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    /// Whether the library of Standard Webhooks takes it with this secret.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        Webhook::new(secret).unwrap().verify(self.body.as_bytes(), &self.headers).is_ok()
    }
}
