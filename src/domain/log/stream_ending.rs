//! The reasons why a stream ends, as its last message gives them to the viewer.

use crate::domain::{EventKind, LoggedEvent};

/// Why a stream ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The viewer left by themselves.
    Left,
    /// The viewer is not a member any more, however that came about.
    Out,
    /// The viewer was kicked.
    Kicked {
        /// The moderator's message for them.
        message: Option<String>,
    },
    /// The viewer was banned.
    Banned {
        /// The end, Unix milliseconds; `None` until lifted.
        until: Option<i64>,
        /// The moderator's message for them.
        message: Option<String>,
    },
    /// The group is no more.
    Deleted,
    /// The viewer's token ran out.
    Expired,
    /// This node ends: the stream may come back at once, to another one.
    ServerDraining,
    /// Another epoch of events has begun: the stream may come back at once, and resyncs.
    NewEpoch,
}

impl Ending {
    /// Every [`Ending::reason`].
    pub const REASONS: [&str; 8] = ["left", "out", "kicked", "banned", "deleted", "expired", "draining", "new_epoch"];

    /// The ending for somebody whom this event left outside the group.
    pub fn of(event: &LoggedEvent) -> Ending {
        let message = || event.message.clone();
        match event.kind {
            EventKind::MemberBanned => Ending::Banned { until: event.until, message: message() },
            EventKind::MemberKicked => Ending::Kicked { message: message() },
            EventKind::MemberLeft => Ending::Left,
            EventKind::MemberJoined
            | EventKind::MemberAdded
            | EventKind::MemberUnbanned
            | EventKind::MemberMuted
            | EventKind::MemberUnmuted
            | EventKind::MemberScopeChanged
            | EventKind::OwnerTransferred
            | EventKind::MemberUpdated
            | EventKind::MembersSynced
            | EventKind::NoteAdded
            | EventKind::NoteRemoved
            | EventKind::GroupCreated
            | EventKind::GroupUpdated
            | EventKind::GroupDeleted => Ending::Out,
        }
    }

    /// The same once no ban holds any more: whoever was banned was removed, and may come back.
    pub fn without_ban(self) -> Ending {
        match self {
            Ending::Banned { message, .. } => Ending::Kicked { message },
            ending => ending,
        }
    }

    /// The word for it in measurements.
    pub fn reason(&self) -> &'static str {
        let [left, out, kicked, banned, deleted, expired, draining, new_epoch] = Ending::REASONS;
        match self {
            Ending::Left => left,
            Ending::Out => out,
            Ending::Kicked { .. } => kicked,
            Ending::Banned { .. } => banned,
            Ending::Deleted => deleted,
            Ending::Expired => expired,
            Ending::ServerDraining => draining,
            Ending::NewEpoch => new_epoch,
        }
    }
}
