//! Whole pages, for browsers that come here directly.

use std::sync::Arc;

use askama::Template;

use super::error::Alert;
use super::look::Look;
use super::menu::ActForm;
use super::panel::Panel;
use super::props::Theme;
use super::row::Row;
use super::swap::grouped;
use crate::domain::{Group, GroupType, Scope};

/// What every page needs: where its files are.
#[derive(Debug, Clone)]
pub struct Layout {
    /// What URLs begin with.
    pub base: Arc<str>,
    /// Style sheets, in order.
    pub styles: Vec<String>,
    /// Scripts, in order.
    pub scripts: Vec<String>,
}

/// The list on a page of its own.
#[derive(Template)]
#[template(path = "pages/members.html")]
pub struct MembersPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// The group's name.
    pub group: &'a str,
    /// The component.
    pub panel: Panel<'a>,
    /// Light, dark or as the system says.
    pub theme: Theme,
    /// What came of an act done without JavaScript.
    pub notice: Option<String>,
}

/// One member with every act as a form.
#[derive(Template)]
#[template(path = "pages/member.html")]
pub struct MemberPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// How the viewer sees the group.
    pub look: &'a Look,
    /// Who it is about.
    pub name: &'a str,
    /// Their row; `None` for somebody who is not a member.
    pub row: Option<Row<'a>>,
    /// Entries of the context menu that lead to other pages, as HTML.
    pub links: String,
    /// The forms.
    pub forms: Vec<ActForm<'a>>,
    /// What is not allowed, and why.
    pub refused: Vec<(&'static str, String)>,
}

/// The banned on a page of their own.
#[derive(Template)]
#[template(path = "pages/bans.html")]
pub struct BansPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// How the viewer sees the group.
    pub look: &'a Look,
    /// The group's name.
    pub group: &'a str,
    /// The list.
    pub list: BansList<'a>,
}

/// The banned.
#[derive(Template)]
#[template(path = "banned.html")]
pub struct BansList<'a> {
    /// How the viewer sees the group.
    pub look: &'a Look,
    /// The search text.
    pub search: &'a str,
    /// How many match in all.
    pub count: usize,
    /// Those of this page.
    pub bans: Vec<BanRow>,
    /// The next page's URL.
    pub next: Option<String>,
}

impl askama::filters::HtmlSafe for BansList<'_> {}

/// One banned person.
pub struct BanRow {
    /// Who.
    pub uid: String,
    /// Their name, or uid.
    pub name: String,
    /// Why.
    pub reason: Option<String>,
    /// Until when, in words.
    pub until: String,
    /// By whom and when, in words.
    pub by: String,
    /// Where the form that lifts it goes.
    pub action: String,
}

/// The group for a chat's header: a line that is live.
#[derive(Template)]
#[template(path = "group.html")]
pub struct GroupLine<'a> {
    /// What URLs begin with.
    pub base: &'a str,
    /// The group.
    pub group: &'a Group,
    /// How many members it has.
    pub members: usize,
    /// How many are online or away; `None` for people outside.
    pub online: Option<usize>,
    /// What the viewer is; `None` outside.
    pub scope: Option<Scope>,
}

impl askama::filters::HtmlSafe for GroupLine<'_> {}

impl GroupLine<'_> {
    fn members(&self) -> String {
        grouped(self.members)
    }
}

/// The group on a page of its own.
#[derive(Template)]
#[template(path = "pages/group.html")]
pub struct GroupPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// The line.
    pub line: GroupLine<'a>,
}

/// A refusal or failure on a page of its own.
#[derive(Template)]
#[template(path = "pages/error.html")]
pub struct ErrorPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// What happened.
    pub alert: Alert<'a>,
    /// Where to go from here.
    pub back: Option<String>,
}
