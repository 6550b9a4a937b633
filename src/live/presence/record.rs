//! Why one person counts as online: what this node, the host and the other nodes report about them.

use crate::domain::{Status, Uid};
use crate::roster::PresenceSnapshot;
use crate::store::{NodePresence, is_later_report};

/// Grace after the last stream closed, during which the status stays: a reload, a lost signal, a deploy. Milliseconds.
pub(in crate::live) const GRACE: i64 = 5_000;
/// Time as away after the last stream closed; then offline. Milliseconds.
pub(in crate::live) const AWAY: i64 = 5 * 60_000;

/// The source of a presence report: this node, the host, or another node.
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

/// The reports about one person. Each counts for a time.
#[derive(Debug, Default)]
pub(in crate::live) struct PresenceRecord {
    streams: u32,
    /// Whether the open streams are of somebody who was deleted: once they close, nothing is left of them.
    is_forgotten: bool,
    reports: Vec<Report>,
    last_sent: Option<PresenceSnapshot>,
}

/// One source's report about one person.
#[derive(Debug, Clone, Copy)]
struct Report {
    source: Source,
    open: bool,
    /// Away although `open`: only the host reports this.
    away: bool,
    /// When `open` ends by itself, Unix milliseconds; `None` when it does not.
    until: Option<i64>,
    /// When the last stream closed, Unix milliseconds.
    closed_at: i64,
    /// When the host reported it, Unix milliseconds; 0 when another source did.
    reported_at: i64,
}

impl Report {
    /// A report of streams that are open, or that closed at `closed_at`.
    fn of_streams(source: Source, open: bool, closed_at: i64) -> Report {
        Report { source, open, away: false, until: None, closed_at, reported_at: 0 }
    }

    fn is_open(&self, now: i64) -> bool {
        self.open && self.until.is_none_or(|until| now < until)
    }
}

/// The host's report about somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostReport {
    /// The status.
    pub status: Status,
    /// The end of the report, Unix milliseconds; `None` until the host sends another one.
    pub until: Option<i64>,
}

impl PresenceRecord {
    /// Counts a stream that they opened here; returns whether it is the only one.
    pub(in crate::live) fn open(&mut self) -> bool {
        self.streams += 1;
        if self.streams == 1 {
            self.set(Report::of_streams(Source::HERE, true, 0));
        }
        self.streams == 1
    }

    /// Counts a stream that they closed here; returns whether it was the last one.
    pub(in crate::live) fn close(&mut self, now: i64) -> bool {
        self.streams = self.streams.saturating_sub(1);
        if self.streams == 0 {
            let closed_at = if std::mem::take(&mut self.is_forgotten) { 0 } else { now };
            self.set(Report::of_streams(Source::HERE, false, closed_at));
        }
        self.streams == 0
    }

    /// Forgets the streams that they opened here, those that are still open as soon as they close; returns whether the report of them
    /// is another one now.
    pub(in crate::live) fn forget_streams(&mut self) -> bool {
        self.is_forgotten = self.streams > 0;
        if self.is_forgotten || !self.is_known_to(Source::HERE) {
            return false;
        }
        self.set(Report::of_streams(Source::HERE, false, 0));
        true
    }

    /// Records the host's report at `now`. Somebody whom it reports as offline is offline at once, unless they have a stream open.
    pub(in crate::live) fn set_by_host(&mut self, HostReport { status, until }: HostReport, now: i64) {
        let (open, away, reported_at) = (status != Status::Offline, status == Status::Away, self.time_of_report(now));
        self.set(Report { source: Source::HOST, open, away, until, closed_at: 0, reported_at });
    }

    /// The time of a report that comes `now`: after the known one, also where the clock of the node that this came to is ahead.
    fn time_of_report(&self, now: i64) -> i64 {
        self.reported_at().map(|known| known + 1).filter(|next| is_later_report(*next, now)).unwrap_or(now)
    }

    /// The host's report at `now`, until it expires.
    pub(in crate::live) fn host_report(&self, now: i64) -> Option<HostReport> {
        let report = self.report_by(Source::HOST).filter(|report| report.is_open(now))?;
        let status = if report.away { Status::Away } else { Status::Online };
        Some(HostReport { status, until: report.until })
    }

    /// Records the host's report that they have just left: they are away at once.
    pub(in crate::live) fn close_by_host(&mut self, now: i64) {
        if let Some(report) = self.report_by(Source::HOST) {
            let closed_at = if report.open { now - GRACE } else { report.closed_at };
            let reported_at = self.time_of_report(now);
            self.set(Report { reported_at, ..Report::of_streams(Source::HOST, false, closed_at) });
        }
    }

    /// When the host reported what is known of its report, Unix milliseconds; `None` when nothing is.
    pub(in crate::live) fn reported_at(&self) -> Option<i64> {
        self.report_by(Source::HOST).map(|report| report.reported_at)
    }

    /// Records the report of another source.
    pub(in crate::live) fn update(&mut self, source: Source, entry: &NodePresence) {
        let &NodePresence { open, away, until, closed_at, reported_at, .. } = entry;
        self.set(Report { source, open, away, until, closed_at, reported_at });
    }

    /// Drops the report of this source, whose node has died, if it reports them as present.
    pub(in crate::live) fn drop_source(&mut self, source: Source) {
        self.reports.retain(|report| report.source != source || !report.open);
    }

    /// This source's report as an entry for the other nodes.
    pub(in crate::live) fn entry_of(&self, source: Source, uid: &Uid) -> Option<NodePresence> {
        let Report { open, away, until, closed_at, reported_at, .. } = self.report_by(source)?;
        Some(NodePresence { uid: uid.clone(), open, away, until, closed_at, reported_at })
    }

    /// Whether this source reports about them.
    pub(in crate::live) fn is_known_to(&self, source: Source) -> bool {
        self.report_by(source).is_some()
    }

    /// The status that was last sent to viewers.
    pub(in crate::live) fn last_sent(&self) -> Option<PresenceSnapshot> {
        self.last_sent
    }

    /// The status to send, if it differs from the last one sent.
    pub(in crate::live) fn change(&mut self, now: i64) -> Option<PresenceSnapshot> {
        let presence = PresenceSnapshot { status: self.status(now), at: now };
        if self.last_sent.is_some_and(|last_sent| last_sent.status == presence.status) {
            return None;
        }
        self.last_sent = Some(presence);
        Some(presence)
    }

    /// Their status by all reports: the most present one counts.
    pub(in crate::live) fn status(&self, now: i64) -> Status {
        let closed_at = self.reports.iter().map(|report| report.closed_at).max().unwrap_or(0);
        let mut open = self.reports.iter().filter(|report| report.is_open(now)).peekable();
        let is_away = open.peek().is_some();
        if open.any(|report| !report.away) || now - closed_at < GRACE {
            Status::Online
        } else if is_away || now - closed_at < AWAY {
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
