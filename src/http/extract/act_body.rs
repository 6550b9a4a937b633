//! The body of an act: its fields by name. The names stand here alone, where code is concerned. The document describes the fields of each
//! body beside its handler, and the forms in `templates/members/` write them: a test compares both with this list.

use std::collections::HashMap;

use crate::http::problem::Problem;

/// The fields that acts read, by their names in forms and in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumString, strum::IntoStaticStr)]
pub(in crate::http) enum ActField {
    /// The method that a plain form stands for.
    #[strum(serialize = "_method")]
    Method,
    /// The act on several people.
    #[strum(serialize = "act")]
    Act,
    /// The event id as of which the act was chosen.
    #[strum(serialize = "asOf")]
    AsOf,
    /// Whether every act of the same request is undone.
    #[strum(serialize = "batch")]
    Batch,
    /// The end, as the day with which it ends.
    #[strum(serialize = "day")]
    Day,
    /// Whether an act on several people is only previewed.
    #[strum(serialize = "dryRun")]
    DryRun,
    /// The end, in hours from now.
    #[strum(serialize = "hours")]
    Hours,
    /// What the person is told.
    #[strum(serialize = "message")]
    Message,
    /// The password of a group.
    #[strum(serialize = "password")]
    Password,
    /// Why, for moderators and up.
    #[strum(serialize = "reason")]
    Reason,
    /// The URL that a plain form leads back to.
    #[strum(serialize = "return")]
    Return,
    /// The new scope.
    #[strum(serialize = "scope")]
    Scope,
    /// The text of a note.
    #[strum(serialize = "text")]
    Text,
    /// A person; in an act on several, one of them.
    #[strum(serialize = "uid")]
    Uid,
    /// The end, as a moment or in seconds from now.
    #[strum(serialize = "until")]
    Until,
}

impl ActField {
    /// Its name.
    pub(in crate::http) fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether it says on which terms an act is done, or of how many it is undone. Other fields may stand in addresses too, such as `dryRun`,
    /// or mean something else there.
    pub(in crate::http) fn is_read_from_the_body_alone(self) -> bool {
        use ActField::{AsOf, Batch, Day, Hours, Message, Password, Reason, Text, Until};
        matches!(self, AsOf | Batch | Day | Hours | Message | Password | Reason | Text | Until)
    }
}

/// The fields of one body. Values of names that no act reads are dropped.
#[derive(Debug, Default)]
pub(in crate::http) struct ActFields {
    values: HashMap<ActField, String>,
    unknown: Vec<String>,
}

impl ActFields {
    /// The fields of a body that gives each once; only `lists` may repeat `uid`. Unknown ones are accepted, however often they come.
    ///
    /// # Errors
    /// 400 when another field is repeated, since its value would be ambiguous.
    pub(in crate::http) fn once_each(fields: Vec<(String, String)>, lists: bool) -> Result<ActFields, Problem> {
        let mut read = ActFields::default();
        for (name, value) in fields {
            match name.parse::<ActField>() {
                Err(_) => read.unknown.push(name),
                Ok(field) if read.contains(field) && !(lists && field == ActField::Uid) => {
                    return Err(Problem::bad_request(format!("{field}: given more than once")));
                }
                Ok(field) => {
                    read.values.insert(field, value);
                }
            }
        }
        Ok(read)
    }

    /// The fields that have a value, as a body of another form gives them.
    pub(in crate::http) fn given<const N: usize>(fields: [(ActField, Option<String>); N]) -> ActFields {
        let values = fields.into_iter().filter_map(|(field, value)| Some((field, value?))).collect();
        ActFields { values, unknown: Vec::new() }
    }

    /// The value of a field; `None` without it.
    pub(in crate::http) fn get(&self, field: ActField) -> Option<&str> {
        self.values.get(&field).map(String::as_str)
    }

    /// Whether the body has this field.
    pub(in crate::http) fn contains(&self, field: ActField) -> bool {
        self.values.contains_key(&field)
    }

    /// The names that no act reads.
    pub(in crate::http) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.iter().map(String::as_str)
    }
}
