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
        /// The end, milliseconds since the epoch; `None` until lifted.
        until: Option<i64>,
        /// The moderator's message for them.
        message: Option<String>,
    },
    /// The group is no more.
    Deleted,
    /// The viewer's token ran out.
    Expired,
    /// This node goes, or another history has begun: the stream may come back at once.
    ServerDraining,
}

impl Ending {
    /// Every [`Ending::reason`].
    pub const REASONS: [&str; 7] = ["left", "out", "kicked", "banned", "deleted", "expired", "draining"];

    /// The word for it in measurements.
    pub fn reason(&self) -> &'static str {
        let [left, out, kicked, banned, deleted, expired, draining] = Ending::REASONS;
        match self {
            Ending::Left => left,
            Ending::Out => out,
            Ending::Kicked { .. } => kicked,
            Ending::Banned { .. } => banned,
            Ending::Deleted => deleted,
            Ending::Expired => expired,
            Ending::ServerDraining => draining,
        }
    }
}
