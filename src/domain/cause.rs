/// How an event came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Cause {
    /// Somebody asked for it, with their own rights.
    Viewer,
    /// The host asked for it.
    Host,
    /// It ended by itself.
    Ended,
    /// The host brought the group into step.
    Sync,
    /// Somebody put back what was before an act.
    Undo,
}

impl Cause {
    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Cause;

    #[test]
    fn the_word_of_every_cause_is_what_the_log_holds() {
        let words = [
            (Cause::Viewer, "viewer"),
            (Cause::Host, "host"),
            (Cause::Ended, "ended"),
            (Cause::Sync, "sync"),
            (Cause::Undo, "undo"),
        ];
        for (cause, word) in words {
            assert_eq!((cause.as_str(), word.parse()), (word, Ok(cause)));
        }
    }
}
