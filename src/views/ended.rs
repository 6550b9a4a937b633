//! The component when its viewer is out.

use askama::Template;

use super::look::Look;
use super::words::banned_until;
use crate::domain::{Ending, Group, GroupType};
use crate::lang::{Html, Said, key};

/// What stands in place of the component when its viewer is out.
#[derive(Template)]
#[template(path = "members/ended.html")]
pub struct Ended<'a> {
    look: &'a Look,
    why: Ending,
    group: &'a Group,
}

impl<'a> Ended<'a> {
    /// The reason in words. Of a private group nothing is told to whoever is out, not even its name.
    pub fn new(look: &'a Look, why: Ending, group: &'a Group) -> Ended<'a> {
        Ended { look, why, group }
    }

    /// What happened, and what one can do.
    fn words(&self) -> (Html, Html) {
        let back = if self.is_private() { key::LEFT_ASK } else { key::ENDED_LEFT_HINT };
        let (what, hint) = match self.why {
            Ending::Kicked if self.is_private() => (key::ENDED_KICKED.into(), back.into()),
            Ending::Kicked => (key::ENDED_KICKED.into(), key::ENDED_KICKED_HINT.into()),
            Ending::Banned { until } => (key::ENDED_BANNED.into(), banned_until(until)),
            Ending::Deleted => (key::ENDED_DELETED.into(), key::ENDED_DELETED_HINT.into()),
            Ending::Left if self.is_private() => (key::LEFT_UNTOLD.into(), back.into()),
            Ending::Left => (Said::from(key::LEFT_TITLE).with("group", self.group.shown_name()), back.into()),
            Ending::Out | Ending::Expired | Ending::ServerDraining => (key::ENDED_LEFT.into(), back.into()),
        };
        (what.html(self.look.lang), hint.html(self.look.lang))
    }

    /// Where one may join again.
    fn door(&self) -> Option<String> {
        let shut = self.is_private() || matches!(self.why, Ending::Banned { .. } | Ending::Deleted);
        (!shut).then(|| format!("{}?lang={}", self.look.urls().group(), self.look.lang.tag()))
    }

    fn is_private(&self) -> bool {
        self.group.group_type == GroupType::Private
    }
}
