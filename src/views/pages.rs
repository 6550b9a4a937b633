//! Whole pages, for browsers that come here directly.

use std::borrow::Cow;
use std::sync::Arc;

use askama::Template;

use super::error::Alert;
use super::look::Look;
use super::menu::ActForm;
use super::panel::Panel;
use super::props::Theme;
use super::row::Row;
use super::urls::{GroupUrls, with_query};
use crate::domain::{Group, GroupType, Scope};
use crate::lang::{Html, Key, Lang, Said, key};

/// What every page needs: where its files are.
#[derive(Debug, Clone)]
pub struct Layout {
    /// What URLs begin with.
    pub base: Arc<str>,
    /// The style sheet.
    pub style: String,
    /// What the page of the list can do without.
    pub pages_style: String,
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
    pub notice: Option<Html>,
    /// The language.
    pub lang: Lang,
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
    pub name: Cow<'a, str>,
    /// Their row; `None` for somebody who is not a member.
    pub row: Option<Row<'a>>,
    /// Entries of the context menu that lead to other pages, as HTML.
    pub links: String,
    /// The forms.
    pub forms: Vec<ActForm<'a>>,
    /// What is not allowed, and why.
    pub refused: Vec<(Key, Key)>,
    /// The page that the reader comes from; the list without one.
    pub back: Option<String>,
    /// The language.
    pub lang: Lang,
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
    /// The page that the reader comes from; the list of members without one.
    pub back: Option<String>,
    /// What came of an act done without JavaScript.
    pub notice: Option<Html>,
    /// The language.
    pub lang: Lang,
}

impl BansPage<'_> {
    fn heading(&self) -> Html {
        Said::from(key::BANS_TITLE).with("group", self.group).html(self.lang)
    }
}

/// The banned.
#[derive(Template)]
#[template(path = "banned.html")]
pub struct BansList<'a> {
    /// The address of its styles, where no page has them.
    pub style: Option<String>,
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
    /// Its own URL from the start, for coming back.
    pub own: String,
}

impl askama::filters::HtmlSafe for BansList<'_> {}

impl BansList<'_> {
    fn nothing(&self) -> Html {
        Said::from(key::EMPTY_SEARCH).with("search", self.search).html(self.look.lang)
    }

    /// What a search keeps: the query of its own URL.
    fn fields(&self) -> Vec<(String, String)> {
        let query = self.own.split_once('?').map_or("", |(_, query)| query);
        form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// The members, seen with these props.
    fn list_href(&self) -> String {
        with_query(&self.look.href(), &self.look.query_beside(), "")
    }
}

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
    pub by: Html,
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
    /// The language.
    pub lang: Lang,
}

impl askama::filters::HtmlSafe for GroupLine<'_> {}

impl GroupLine<'_> {
    /// So many members: what comes before the number, the number, what comes after it.
    fn members(&self) -> (String, String, String) {
        self.lang.counted(key::GROUP_MEMBERS, self.members)
    }

    /// The same of those who are there.
    fn online(&self, online: &usize) -> (String, String, String) {
        self.lang.counted(key::MEMBERS_ONLINE, *online)
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
    /// What has just come about.
    pub notice: Option<Html>,
    /// Why the password that was sent opens nothing: the contract's code, and the sentence.
    pub wrong: Option<(&'static str, Key)>,
    /// The page that the reader comes from, and that joining leads back to.
    pub back: Option<String>,
    /// Whether the reader asked for the language.
    pub in_language: bool,
    /// The language.
    pub lang: Lang,
}

impl GroupPage<'_> {
    fn here(&self) -> String {
        GroupUrls::new(self.line.base, &self.line.group.guid).group()
    }

    /// What keeps the language in the addresses of this page.
    fn language(&self) -> String {
        if self.in_language { format!("?lang={}", self.lang.tag()) } else { String::new() }
    }
}

/// What somebody reads who has left a group that tells nothing to people outside.
#[derive(Template)]
#[template(path = "pages/left.html")]
pub struct LeftPage<'a> {
    /// Its files.
    pub layout: &'a Layout,
    /// The language.
    pub lang: Lang,
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
    /// The language.
    pub lang: Lang,
}
