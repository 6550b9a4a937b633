//! The places where options were given, for errors that are found only after all options are read: two do not fit together, or one
//! cannot be used.

use std::collections::BTreeMap;

use super::options::{GivenOption, Layers, is_set};

/// The options that are checked after they are read, and whether each is given.
const CHECKED_LATER: [GivenOption; 4] = [
    ("direct-database-url", |options| is_set(&options.direct_database_url)),
    ("pooler", |options| is_set(&options.pooler)),
    ("views", |options| is_set(&options.views)),
    ("wake", |options| is_set(&options.wake)),
];

/// The places of options that are checked after they are read.
#[derive(Debug, Clone, Default)]
pub struct Places(BTreeMap<&'static str, String>);

impl Places {
    /// The places in these layers.
    pub(super) fn in_layers(given: &Layers) -> Places {
        let place = |option: GivenOption| Some((option.0, given.first_given(&[option])?));
        Places(CHECKED_LATER.into_iter().filter_map(place).collect())
    }

    /// The option `name` as its source spells it; as a flag when no source gave it, but a host did.
    pub fn of(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| format!("--{name}"))
    }
}

/// Configurations with the same values are equal, wherever the values were given.
impl PartialEq for Places {
    fn eq(&self, _: &Places) -> bool {
        true
    }
}
