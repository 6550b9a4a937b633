//! HTTP/1.1 as cheaply as it can be spoken, so that what is measured is the server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection that is kept.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
pub struct Answer<'c> {
    pub status: u16,
    pub head: &'c str,
    pub body: &'c [u8],
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("the socket is open");
        Connection { stream, buffer: Vec::with_capacity(256 * 1024) }
    }

    /// Sends one request and reads the whole answer to it.
    pub async fn ask(&mut self, request: &[u8]) -> Answer<'_> {
        self.stream.write_all(request).await.expect("the server reads");
        self.buffer.clear();
        let head = loop {
            self.read().await;
            if let Some(end) = memmem::find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let total = head + content_length(&self.buffer[..head]);
        while self.buffer.len() < total {
            self.read().await;
        }
        let text = std::str::from_utf8(&self.buffer[..head]).expect("heads are ASCII");
        let status = text.get(9..12).and_then(|digits| digits.parse().ok()).expect("an answer begins with its status");
        Answer { status, head: text, body: &self.buffer[head..total] }
    }

    /// The socket, after a request whose answer never ends was sent.
    pub async fn into_stream(mut self, request: &[u8]) -> TcpStream {
        self.stream.write_all(request).await.expect("the server reads");
        self.stream
    }

    async fn read(&mut self) {
        let read = self.stream.read_buf(&mut self.buffer).await.expect("the server answers");
        assert!(read > 0, "the server closed: {}", String::from_utf8_lossy(&self.buffer));
    }
}

fn content_length(head: &[u8]) -> usize {
    let text = std::str::from_utf8(head).expect("heads are ASCII");
    let value = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim())
    });
    value.map_or(0, |digits| digits.parse().expect("a length is a number"))
}

/// A request's bytes. `more`: further header lines, each ended.
pub fn get(path: &str, token: &str, more: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nAuthorization: Bearer {token}\r\n{more}\r\n")
        .into_bytes()
}

/// A request with a JSON body that wants JSON back.
pub fn send(method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Keeps `connections` busy for so long with `requests`, each connection going round them from a
/// place of its own; answers requests a second.
pub async fn drive(address: SocketAddr, requests: Arc<Vec<Vec<u8>>>, connections: usize, length: Duration) -> f64 {
    let begun = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|number| {
            let requests = requests.clone();
            tokio::spawn(async move {
                let mut connection = Connection::open(address).await;
                let mut at = number * requests.len() / connections;
                let mut done = 0u64;
                while begun.elapsed() < length {
                    let status = connection.ask(&requests[at % requests.len()]).await.status;
                    assert!(status == 200 || status == 304, "status {status}");
                    (at, done) = (at + 1, done + 1);
                }
                done
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += task.await.expect("a connection's task ends");
    }
    done as f64 / begun.elapsed().as_secs_f64()
}
