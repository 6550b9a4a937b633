//! Why one person counts as online: what this node, the host and the other nodes report about them.

use crate::domain::{Status, Uid};
use crate::roster::Presence;
use crate::store::NodePresence;

/// After the last stream closed, so long nobody notices: a reload, a lift, a deploy. Milliseconds.
pub(in crate::live) const GRACE: i64 = 5_000;
/// After the last stream closed, so long they are away; then offline. Milliseconds.
pub(in crate::live) const AWAY: i64 = 5 * 60_000;

/// Who reports that somebody is there: this node, the host, or another node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::live) struct Source(pub(in crate::live) u32);

impl Source {
    /// This node: its streams are counted.
    pub(in crate::live) const HERE: Source = Source(0);
    /// The host, through any node.
    pub(in crate::live) const HOST: Source = Source(1);

    /// The source for the next node that is met.
    pub(in crate::live) fn next(self) -> Source {
        Source(self.0 + 1)
    }
}

/// The reports about one person; expire by themselves.
#[derive(Debug, Default)]
pub(in crate::live) struct PresenceRecord {
    streams: u32,
    reports: Vec<Report>,
    last_sent: Option<Presence>,
}

/// What one source reports about one person.
#[derive(Debug, Clone, Copy)]
struct Report {
    source: Source,
    open: bool,
    closed_at: i64,
}

impl PresenceRecord {
    /// A stream of theirs opened here; whether it is the only one.
    pub(in crate::live) fn open(&mut self) -> bool {
        self.streams += 1;
        if self.streams == 1 {
            self.set(Report { source: Source::HERE, open: true, closed_at: 0 });
        }
        self.streams == 1
    }

    /// A stream of theirs closed here; whether it was the last one.
    pub(in crate::live) fn close(&mut self, now: i64) -> bool {
        self.streams = self.streams.saturating_sub(1);
        if self.streams == 0 {
            self.set(Report { source: Source::HERE, open: false, closed_at: now });
        }
        self.streams == 0
    }

    /// The host reports whether they are there.
    pub(in crate::live) fn set_by_host(&mut self, online: bool, now: i64) {
        let closed_at = match self.report_by(Source::HOST) {
            // Somebody the host sends away is away at once.
            Some(report) if report.open && !online => now - GRACE,
            Some(report) => report.closed_at,
            None => 0,
        };
        self.set(Report { source: Source::HOST, open: online, closed_at });
    }

    /// Another source reports this.
    pub(in crate::live) fn update(&mut self, source: Source, open: bool, closed_at: i64) {
        self.set(Report { source, open, closed_at });
    }

    /// Another node has died: they are not there by its report.
    pub(in crate::live) fn drop_source(&mut self, source: Source) {
        self.reports.retain(|report| report.source != source || !report.open);
    }

    /// What this source reports, for the other nodes.
    pub(in crate::live) fn entry_of(&self, source: Source, uid: &Uid) -> Option<NodePresence> {
        let report = self.report_by(source)?;
        Some(NodePresence { uid: uid.clone(), open: report.open, closed_at: report.closed_at })
    }

    /// The status that was last sent to viewers.
    pub(in crate::live) fn last_sent(&self) -> Option<Presence> {
        self.last_sent
    }

    /// What is to be sent, if it is another status than before.
    pub(in crate::live) fn change(&mut self, now: i64) -> Option<Presence> {
        let presence = Presence { status: self.status(now), at: now };
        if self.last_sent.is_some_and(|last_sent| last_sent.status == presence.status) {
            return None;
        }
        self.last_sent = Some(presence);
        Some(presence)
    }

    /// Their status by all reports.
    pub(in crate::live) fn status(&self, now: i64) -> Status {
        let closed_at = self.reports.iter().map(|report| report.closed_at).max().unwrap_or(0);
        if self.reports.iter().any(|report| report.open) || now - closed_at < GRACE {
            Status::Online
        } else if now - closed_at < AWAY {
            Status::Away
        } else {
            Status::Offline
        }
    }

    fn report_by(&self, source: Source) -> Option<Report> {
        self.reports.iter().find(|report| report.source == source).copied()
    }

    fn set(&mut self, new: Report) {
        match self.reports.iter_mut().find(|report| report.source == new.source) {
            Some(report) => *report = new,
            None => self.reports.push(new),
        }
    }
}
