//! The id of an event, as streams and answers give it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A place in a group's history: `epoch.seq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventId {
    /// The history that the event belongs to.
    pub epoch: Arc<str>,
    /// The group's event number.
    pub seq: u64,
}

impl EventId {
    /// Reads an id that somebody sends. An id that is not ours belongs to no history: nothing can
    /// be promised from there on.
    pub fn read(text: &str) -> EventId {
        text.parse().unwrap_or(EventId { epoch: "".into(), seq: 0 })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch, self.seq)
    }
}

impl FromStr for EventId {
    type Err = ();

    /// At most 64 bytes of `[A-Za-z0-9._-]` with a number behind the last full stop.
    fn from_str(text: &str) -> Result<Self, ()> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        if text.len() > 64 || !text.bytes().all(plain) {
            return Err(());
        }
        let (epoch, seq) = text.rsplit_once('.').ok_or(())?;
        Ok(EventId { epoch: epoch.into(), seq: seq.parse().map_err(|_| ())? })
    }
}
