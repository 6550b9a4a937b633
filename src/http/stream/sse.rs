//! Messages of a stream as bytes (`text/event-stream`, WHATWG HTML, server-sent events).
//!
//! Encoded here, once for a whole class of viewers, because the framework's own type encodes each
//! message again for every stream.

use bytes::Bytes;

use crate::domain::EventId;

/// One message.
#[derive(Debug, Default)]
pub(super) struct Frame {
    bytes: String,
}

impl Frame {
    /// A message with these lines of data, claiming this id.
    pub(super) fn unnamed(id: &EventId, data: &str) -> Frame {
        let mut frame = Frame::default();
        frame.field("id", &id.to_string());
        frame.data(data);
        frame
    }

    /// A message with these lines of data, which claims nothing.
    pub(super) fn plain(data: &str) -> Frame {
        let mut frame = Frame::default();
        frame.data(data);
        frame
    }

    /// A comment for people who watch the bytes; stream parsers skip it.
    pub(super) fn comment(text: &'static str) -> Frame {
        Frame { bytes: format!(": {text}\n") }
    }

    /// A named message.
    pub(super) fn named(name: &'static str, id: Option<&EventId>, data: &str) -> Frame {
        let mut frame = Frame::default();
        frame.field("event", name);
        if let Some(id) = id {
            frame.field("id", &id.to_string());
        }
        frame.data(data);
        frame
    }

    /// A message that only moves the id on: something happened that this viewer may not see.
    pub(super) fn silent(id: &EventId) -> Frame {
        let mut frame = Frame::default();
        frame.field("id", &id.to_string());
        frame
    }

    /// Asks the client to wait this long before it reconnects, milliseconds.
    pub(super) fn retry(mut self, milliseconds: u32) -> Frame {
        self.field("retry", &milliseconds.to_string());
        self
    }

    /// Ends the message and puts another behind it.
    pub(super) fn then(mut self, next: Frame) -> Frame {
        if !self.bytes.is_empty() {
            self.bytes.push('\n');
        }
        self.bytes.push_str(&next.bytes);
        self
    }

    /// The message as it goes over the wire.
    pub(super) fn finish(mut self) -> Bytes {
        self.bytes.push('\n');
        self.bytes.into()
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Lines are ended by line feeds only; a carriage return in the data would end one too.
    fn data(&mut self, data: &str) {
        for line in data.split(['\n', '\r']).filter(|line| !line.is_empty()) {
            self.field("data", line);
        }
    }

    fn field(&mut self, name: &str, value: &str) {
        self.bytes.push_str(name);
        self.bytes.push_str(": ");
        self.bytes.push_str(value);
        self.bytes.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(seq: u64) -> EventId {
        EventId { epoch: "e".into(), seq }
    }

    #[test]
    fn data_cannot_break_out_of_its_message() {
        let bytes = Frame::unnamed(&id(7), "a\r\revent: x\n\nid: 9").retry(5).finish();
        assert_eq!(&bytes[..], b"id: e.7\ndata: a\ndata: event: x\ndata: id: 9\nretry: 5\n\n");
    }

    #[test]
    fn messages_follow_each_other() {
        let bytes = Frame::default().then(Frame::silent(&id(1))).then(Frame::named("ready", None, "{}")).finish();
        assert_eq!(&bytes[..], b"id: e.1\n\nevent: ready\ndata: {}\n\n");
    }
}
