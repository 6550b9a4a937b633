//! Why one person counts as there: the words of this node, the host and the other nodes about them.

use crate::domain::{Status, Uid};
use crate::roster::Presence;
use crate::store::NodePresence;

/// After the last stream closed, so long nobody notices: a reload, a lift, a deploy. Milliseconds.
pub(in crate::live) const GRACE: i64 = 5_000;
/// After the last stream closed, so long they are away; then offline. Milliseconds.
pub(in crate::live) const AWAY: i64 = 5 * 60_000;

/// Whose word it is that somebody is there: this node's, the host's, or another node's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::live) struct Source(pub(in crate::live) u32);

impl Source {
    /// This node: its streams are counted.
    pub(in crate::live) const HERE: Source = Source(0);
    /// The host, through any node.
    pub(in crate::live) const HOST: Source = Source(1);
}

/// One person's claim to be there; expires by itself.
#[derive(Debug, Default)]
pub(in crate::live) struct Lease {
    streams: u32,
    words: Vec<Said>,
    told: Option<Presence>,
}

/// One source's word about one person.
#[derive(Debug, Clone, Copy)]
struct Said {
    source: Source,
    open: bool,
    closed_at: i64,
}

impl Lease {
    /// A stream of theirs opened here; whether it is the only one.
    pub(in crate::live) fn open(&mut self) -> bool {
        self.streams += 1;
        if self.streams == 1 {
            self.say(Said { source: Source::HERE, open: true, closed_at: 0 });
        }
        self.streams == 1
    }

    /// A stream of theirs closed here; whether it was the last one.
    pub(in crate::live) fn close(&mut self, now: i64) -> bool {
        self.streams = self.streams.saturating_sub(1);
        if self.streams == 0 {
            self.say(Said { source: Source::HERE, open: false, closed_at: now });
        }
        self.streams == 0
    }

    /// The host says whether they are there.
    pub(in crate::live) fn host_says(&mut self, online: bool, now: i64) {
        let closed_at = match self.said_by(Source::HOST) {
            // Somebody the host sends away is away at once.
            Some(said) if said.open && !online => now - GRACE,
            Some(said) => said.closed_at,
            None => 0,
        };
        self.say(Said { source: Source::HOST, open: online, closed_at });
    }

    /// Another source says this.
    pub(in crate::live) fn hear(&mut self, source: Source, open: bool, closed_at: i64) {
        self.say(Said { source, open, closed_at });
    }

    /// Another node is no more: they are not there by its word.
    pub(in crate::live) fn forget(&mut self, source: Source) {
        self.words.retain(|said| said.source != source || !said.open);
    }

    /// What this source says, to be passed on.
    pub(in crate::live) fn word_of(&self, source: Source, uid: &Uid) -> Option<NodePresence> {
        let said = self.said_by(source)?;
        Some(NodePresence { uid: uid.clone(), open: said.open, closed_at: said.closed_at })
    }

    /// The status that was last told.
    pub(in crate::live) fn told(&self) -> Option<Presence> {
        self.told
    }

    /// What is to be told, if it is another status than before.
    pub(in crate::live) fn change(&mut self, now: i64) -> Option<Presence> {
        let presence = Presence { status: self.status(now), at: now };
        if self.told.is_some_and(|told| told.status == presence.status) {
            return None;
        }
        self.told = Some(presence);
        Some(presence)
    }

    /// Their status by all that is said.
    pub(in crate::live) fn status(&self, now: i64) -> Status {
        let closed_at = self.words.iter().map(|said| said.closed_at).max().unwrap_or(0);
        if self.words.iter().any(|said| said.open) || now - closed_at < GRACE {
            Status::Online
        } else if now - closed_at < AWAY {
            Status::Away
        } else {
            Status::Offline
        }
    }

    fn said_by(&self, source: Source) -> Option<Said> {
        self.words.iter().find(|said| said.source == source).copied()
    }

    fn say(&mut self, new: Said) {
        match self.words.iter_mut().find(|said| said.source == new.source) {
            Some(said) => *said = new,
            None => self.words.push(new),
        }
    }
}
