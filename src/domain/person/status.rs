/// A person's presence, derived from leases that expire by themselves. Only the statuses that webhooks were sent are
/// stored.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Status {
    /// No sign of them for a while.
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
        self.into()
    }

    /// Online or away: what the count and the filter `status=online` mean by online.
    pub fn counts_as_online(self) -> bool {
        self != Status::Offline
    }
}
