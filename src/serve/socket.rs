//! A connection, as hyper reads and writes it. It adds what hyper lacks: the reason why an unreadable request is
//! rejected, a delivery of the rejection to a client that is still sending, and a limit of time for a head that is not that
//! of an idle connection. Arriving bytes are also parsed by `ambiguous_length.rs`.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::ambiguous_length::{AmbiguousLength, Requests};
use super::refusal;
use crate::listener::ClientStream;

/// Longest wait for the rest of a head that has begun, and for the first head of a connection; it is closed after it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// After a rejection that closes the connection, up to this many bytes that the client still sends are read. Unread,
/// they would reset the connection, and with it the rejection.
const UNWANTED: usize = 1 << 20;
/// Longest wait for the end of it.
const UNWANTED_TIME: Duration = Duration::from_secs(1);

/// The socket of a connection.
pub(super) struct Socket {
    stream: ClientStream,
    /// Parses the bytes that have arrived.
    requests: Requests,
    /// The number of the head that is awaited, and when it is late.
    awaited_head: Option<(u64, Pin<Box<Sleep>>)>,
    /// The bytes to write in place of a response without a body.
    words: Bytes,
    /// Whether the last answer refuses a request and closes the connection.
    is_refused: bool,
    /// Set at the end of the response: how long the client's remaining bytes are read.
    lingering: Option<Pin<Box<Sleep>>>,
    /// Bytes read since.
    unwanted: usize,
}

impl Socket {
    pub(super) fn new(stream: ClientStream, ambiguous_length: AmbiguousLength) -> Socket {
        let requests = Requests::new(ambiguous_length);
        Socket {
            stream,
            requests,
            awaited_head: None,
            words: Bytes::new(),
            is_refused: false,
            lingering: None,
            unwanted: 0,
        }
    }

    /// Whether a head that is awaited has not arrived in time.
    fn is_head_late(&mut self, cx: &mut Context<'_>) -> bool {
        let awaited = self.requests.awaited_head();
        if self.awaited_head.as_ref().map(|(number, _)| *number) != awaited {
            self.awaited_head = awaited.map(|number| (number, Box::pin(sleep(HEAD_TIMEOUT))));
        }
        self.awaited_head.as_mut().is_some_and(|(_, late)| late.as_mut().poll(cx).is_ready())
    }

    /// Checks what hyper writes next, in this many parts. `true` when another response is written in its place.
    fn replaces(&mut self, text: &[u8], parts: usize) -> bool {
        if !text.starts_with(b"HTTP/1.1 4") && !text.starts_with(b"HTTP/1.0 4") {
            return false;
        }
        self.is_refused = text.windows(CLOSES.len()).any(|part| part.eq_ignore_ascii_case(CLOSES));
        match refusal::without_words(text).filter(|_| parts == 1) {
            Some(refusal) => {
                refusal.trace(None);
                self.words = refusal.to_http();
                true
            }
            None => false,
        }
    }

    fn poll_words(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.words.has_remaining() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.words))?;
            self.words.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what the client still sends, to its end or the limits.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut buffer = [0; 4096];
        let until = self.lingering.get_or_insert_with(|| Box::pin(sleep(UNWANTED_TIME)));
        // Ends also for a client that never stops to send.
        while until.as_mut().poll(cx).is_pending() && self.unwanted < UNWANTED {
            let mut read = ReadBuf::new(&mut buffer);
            match ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read)) {
                Ok(()) if !read.filled().is_empty() => self.unwanted += read.filled().len(),
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(())
    }
}

const CLOSES: &[u8] = b"\r\nconnection: close\r\n";

impl AsyncRead for Socket {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf)?;
        self.requests.read(&buf.filled()[before..]);
        if self.is_head_late(cx) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read.map(Ok)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_words(cx))?;
        if self.replaces(buf, 1) {
            return Poll::Ready(Ok(buf.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_words(cx))?;
        if let Some(head) = bufs.first()
            && self.replaces(head, bufs.len())
        {
            return Poll::Ready(Ok(head.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_words(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_words(cx))?;
        if self.lingering.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        if self.is_refused {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}
