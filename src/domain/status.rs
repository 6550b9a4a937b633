/// Whether somebody is there. Never stored: it is made of leases that expire by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Status {
    /// Nobody has heard of them for a while.
    #[default]
    Offline,
    /// Their last stream closed a moment ago. Counts as online.
    Away,
    /// A stream is open, or the host says so.
    Online,
}

impl Status {
    /// The word of the contract, as in JSON and `data-status`.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Offline => "offline",
            Status::Away => "away",
            Status::Online => "online",
        }
    }

    /// Online or away: what the count and the filter `status=online` mean by online.
    pub fn counts_as_online(self) -> bool {
        self != Status::Offline
    }
}
