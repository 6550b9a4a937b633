//! How live statuses are, depending on how many people are online.

/// How live statuses are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PresenceMode {
    /// Every change is on screen at once.
    Rows,
    /// Changes are on screen every five seconds.
    Batched,
    /// The number of people online is live; rows are as of the moment they were loaded.
    Counts,
}

impl PresenceMode {
    /// The mode once so many people are online, when it was this one. It goes up above 500 and above
    /// 5,000, and comes down only below 450 and below 4,500, so that a group near a threshold does not
    /// change back and forth.
    pub fn with_online(self, online: usize) -> PresenceMode {
        self.clamp(PresenceMode::over([500, 5000], online), PresenceMode::over([449, 4499], online))
    }

    fn over([batched, counts]: [usize; 2], online: usize) -> PresenceMode {
        match online {
            online if online > counts => PresenceMode::Counts,
            online if online > batched => PresenceMode::Batched,
            _ => PresenceMode::Rows,
        }
    }

    /// The word in `data-presence`.
    pub fn as_str(self) -> &'static str {
        match self {
            PresenceMode::Rows => "rows",
            PresenceMode::Batched => "batched",
            PresenceMode::Counts => "counts",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PresenceMode::{self, Batched, Counts, Rows};

    /// The modes that a group goes through as so many people are online.
    fn modes(online: &[usize]) -> Vec<PresenceMode> {
        let mut mode = Rows;
        let mut next = |&online: &usize| {
            mode = mode.with_online(online);
            mode
        };
        online.iter().map(&mut next).collect()
    }

    #[test]
    fn a_mode_comes_later_than_it_goes() {
        assert_eq!(modes(&[500, 501, 500, 450, 449, 450, 500]), [Rows, Batched, Batched, Batched, Rows, Rows, Rows]);
        assert_eq!(modes(&[5000, 5001, 5000, 4500, 4499, 5000]), [Batched, Counts, Counts, Counts, Batched, Batched]);
    }

    #[test]
    fn many_who_come_or_go_at_once_skip_a_mode() {
        assert_eq!(modes(&[9000, 460, 449, 5001, 10]), [Counts, Batched, Rows, Counts, Rows]);
    }
}
