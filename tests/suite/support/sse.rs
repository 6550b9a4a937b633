//! Streams read in two ways: byte by byte, and by a client that is not ours.

use std::pin::Pin;
use std::time::Duration;

use eventsource_stream::{Event, Eventsource};
use futures_util::{Stream, StreamExt};
use scraper::Html;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::answer::{fragment, select, texts};
use super::{PATIENCE, soon, within};

/// One message as it came over the wire, also one without data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    pub id: Option<String>,
    pub event: Option<String>,
    pub data: Option<String>,
    pub retry: Option<String>,
}

impl Message {
    /// The group's event number in the id.
    #[track_caller]
    pub fn seq(&self) -> u64 {
        let id = self.id.as_deref().unwrap_or_else(|| panic!("a message without id: {self:?}"));
        id.rsplit_once('.').unwrap().1.parse().unwrap()
    }

    /// The name, empty for the default stream's messages.
    pub fn name(&self) -> &str {
        self.event.as_deref().unwrap_or_default()
    }

    /// The data as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(self.data.as_deref().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The data as markup.
    pub fn html(&self) -> Html {
        fragment(self.data.as_deref().unwrap_or_default())
    }

    /// The bytes that it took on the wire.
    pub fn size(&self) -> usize {
        let fields = [("id", &self.id), ("event", &self.event), ("data", &self.data), ("retry", &self.retry)];
        let lines = fields.iter().flat_map(|(name, value)| {
            value.iter().flat_map(move |value| value.split('\n').map(move |line| (name, line)))
        });
        lines.map(|(name, line)| format!("{name}: {line}\n").len()).sum::<usize>() + "\n".len()
    }

    /// Whether the markup has an element like this.
    pub fn has(&self, selector: &str) -> bool {
        self.html().select(&select(selector)).next().is_some()
    }

    /// An attribute of the first element like this.
    pub fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        texts(&self.html(), selector, Some(name)).into_iter().next()
    }

    /// Whether the markup says that this person is in the view now, with a row.
    pub fn shows(&self, uid: &str) -> bool {
        self.has(&format!("ul > li.chat-group-members__row[data-uid={uid:?}]"))
    }

    /// Whether the markup says that this person is absent from the view now.
    pub fn misses(&self, uid: &str) -> bool {
        self.has(&format!("ul > li[data-gone][data-uid={uid:?}]"))
    }
}

/// A stream read by hand over HTTP/1.0, so that nothing is between the bytes and the test.
pub struct Raw {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    reader: BufReader<TcpStream>,
}

impl Raw {
    pub async fn open(url: &str, path: &str, token: &str, headers: &[(&str, &str)]) -> Raw {
        let rest = url.strip_prefix("http://").unwrap();
        let (host, base) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let socket = TcpStream::connect(host).await.unwrap();
        Raw::on(socket, &format!("{base}{path}"), token, headers).await
    }

    /// The same on a connection that is open already.
    pub async fn on(mut socket: TcpStream, path: &str, token: &str, headers: &[(&str, &str)]) -> Raw {
        let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head =
            format!("GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{more}\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut raw = Raw { status: 0, headers: Vec::new(), reader: BufReader::new(socket) };
        let status = raw.line().await.expect("an answer");
        raw.status = status.split(' ').nth(1).unwrap().parse().unwrap();
        while let Some(line) = raw.line().await.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap();
            raw.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        raw
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    /// The next message; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Message> {
        soon("the next message of a stream", self.read()).await
    }

    /// The next message for which this holds; those before it are dropped.
    pub async fn until(&mut self, what: &str, is: impl FnMut(&Message) -> bool) -> Message {
        self.until_within(PATIENCE, what, is).await
    }

    /// The same for what may take longer.
    pub async fn until_within(
        &mut self,
        patience: Duration,
        what: &str,
        mut is: impl FnMut(&Message) -> bool,
    ) -> Message {
        within(patience, what, async {
            loop {
                let message = self.read().await.unwrap_or_else(|| panic!("the stream ended before: {what}"));
                if is(&message) {
                    return message;
                }
            }
        })
        .await
    }

    /// Everything until the group's event of this number, that one included.
    pub async fn up_to(&mut self, seq: u64) -> Vec<Message> {
        let mut messages = Vec::new();
        soon(&format!("event {seq}"), async {
            loop {
                let message =
                    self.read().await.unwrap_or_else(|| panic!("the stream ended before {seq}: {messages:#?}"));
                let there = message.id.is_some() && message.seq() >= seq;
                messages.push(message);
                if there {
                    return;
                }
            }
        })
        .await;
        messages
    }

    /// Everything until the stream ends by itself.
    pub async fn rest(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        soon("the end of a stream", async {
            while let Some(message) = self.read().await {
                messages.push(message);
            }
        })
        .await;
        messages
    }

    async fn read(&mut self) -> Option<Message> {
        let mut message = Message::default();
        loop {
            let line = self.line().await?;
            if line.is_empty() {
                if message != Message::default() {
                    return Some(message);
                }
                continue;
            }
            let (name, value) = line.split_once(": ").unwrap_or((&line, ""));
            let value = value.to_owned();
            match name {
                "id" => message.id = Some(value),
                "event" => message.event = Some(value),
                "retry" => message.retry = Some(value),
                "data" => message.data = Some(message.data.take().map_or(value.clone(), |data| data + "\n" + &value)),
                "" | ":" => {}
                other => panic!("a stream has no field {other:?}"),
            }
        }
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end_matches(['\r', '\n']).to_owned()),
        }
    }
}

/// A stream read by a client that is not ours.
pub struct Foreign {
    pub status: u16,
    events: Pin<Box<dyn Stream<Item = Event> + Send>>,
}

impl Foreign {
    pub fn of(response: reqwest::Response) -> Foreign {
        let status = response.status().as_u16();
        let events = response.bytes_stream().eventsource().filter_map(async |event| event.ok());
        Foreign { status, events: Box::pin(events) }
    }

    /// The next message; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Event> {
        soon("the next message of a foreign reader", self.events.next()).await
    }
}
