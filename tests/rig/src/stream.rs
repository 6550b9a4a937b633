//! A stream as a client reads it that expects the worst: only whole messages count, and every end is
//! an end like any other.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::support::sse::Message;

/// The service sends something at least every 15 seconds: a connection silent for this long is dead.
const SILENCE: Duration = Duration::from_secs(22);
/// Longest that a client waits for an answer to begin.
const ANSWER: Duration = Duration::from_secs(12);

/// An open stream. What was read of a message is kept when [`Stream::next`] is cancelled.
pub struct Stream {
    reader: BufReader<TcpStream>,
    line: Vec<u8>,
    message: Message,
}

/// The answer to a request for a stream.
pub enum Asked {
    Open(Box<Stream>),
    /// Answered with another status.
    Refused(u16),
    /// Not answered.
    Lost,
}

impl Stream {
    /// Asks at this port, with the id of the last message when there was one. `small` is for those
    /// who read slowly: nothing is buffered for them.
    pub async fn ask(port: u16, path: &str, token: &str, last: Option<&str>, small: bool) -> Asked {
        match timeout(ANSWER, Stream::begin(port, path, token, last, small)).await {
            Ok(Ok((200, stream))) => Asked::Open(Box::new(stream)),
            Ok(Ok((status, _))) => Asked::Refused(status),
            Ok(Err(_)) | Err(_) => Asked::Lost,
        }
    }

    async fn begin(
        port: u16,
        path: &str,
        token: &str,
        last: Option<&str>,
        small: bool,
    ) -> std::io::Result<(u16, Stream)> {
        let socket = TcpSocket::new_v4()?;
        if small {
            socket.set_recv_buffer_size(4096)?;
        }
        let mut connection = socket.connect((std::net::Ipv4Addr::LOCALHOST, port).into()).await?;
        let last = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let head =
            format!("GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n{last}\r\n");
        connection.write_all(head.as_bytes()).await?;
        let reader = BufReader::with_capacity(if small { 512 } else { 8192 }, connection);
        let mut stream = Stream { reader, line: Vec::new(), message: Message::default() };
        let status = stream.line().await?;
        let status = status.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        while !stream.line().await?.is_empty() {}
        Ok((status, stream))
    }

    /// The next whole message; `None` when there is none any more.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            let line = timeout(SILENCE, self.line()).await.ok()?.ok()?;
            if line.is_empty() {
                if self.message != Message::default() {
                    return Some(std::mem::take(&mut self.message));
                }
                continue;
            }
            let (name, value) = line.split_once(": ").unwrap_or((&line, ""));
            let (value, message) = (value.to_owned(), &mut self.message);
            match name {
                "id" => message.id = Some(value),
                "event" => message.event = Some(value),
                "retry" => message.retry = Some(value),
                "data" => message.data = Some(message.data.take().map_or(value.clone(), |data| data + "\n" + &value)),
                _ => {}
            }
        }
    }

    /// A line with its end; what was cut off before its end is none.
    async fn line(&mut self) -> std::io::Result<String> {
        self.reader.read_until(b'\n', &mut self.line).await?;
        if self.line.pop() != Some(b'\n') {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        Ok(line.trim_end_matches('\r').to_owned())
    }
}

/// The number in an id.
pub fn seq(id: &str) -> u64 {
    id.rsplit_once('.').and_then(|(_, seq)| seq.parse().ok()).unwrap_or(0)
}
