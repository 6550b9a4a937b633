/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The viewer left by themselves.
    Left,
    /// The viewer is not a member any more, however that came about.
    Out,
    /// The viewer was put out.
    Kicked,
    /// The viewer was banned.
    Banned {
        /// Until when, milliseconds since the epoch; `None` until lifted.
        until: Option<i64>,
    },
    /// The group is no more.
    Deleted,
    /// The viewer's token ran out.
    Expired,
    /// This node goes, or another history has begun: the stream may come back at once.
    Bye,
}
