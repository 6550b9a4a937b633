/// The cause of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Cause {
    /// A viewer acted, with their own rights.
    Viewer,
    /// The host acted.
    Host,
    /// It expired.
    Ended,
    /// A host sync.
    Sync,
    /// An undo.
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
