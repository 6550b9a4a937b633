//! Whole pages, for browsers that navigate to the service.

use std::borrow::Cow;

use askama::Template;

use crate::domain::{ActKind, EventId, Group, GroupType, Scope};
use crate::i18n::{Lang, Message, SafeHtml, TextKey, key};
use crate::views::acts::ActWords;
use crate::views::context::ViewContext;
use crate::views::error::{Alert, WayBack};
use crate::views::forms::ActForm;
use crate::views::forms::NotesPanel;
use crate::views::forms::Notice;
use crate::views::layout::Layout;
use crate::views::list::Panel;
use crate::views::list::Row;
use crate::views::props::Theme;
use crate::views::urls::{GroupUrls, language_query, with_query};

/// The list as a page.
#[derive(Template)]
#[template(path = "pages/members.html")]
pub struct MembersPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The group's name.
    pub group: &'a str,
    /// The component.
    pub panel: Panel<'a>,
    /// Colour scheme.
    pub theme: Theme,
    /// The result of an act done without JavaScript.
    pub notice: Option<Notice>,
    /// The language.
    pub lang: Lang,
}

/// One member, with a form for every act.
#[derive(Template)]
#[template(path = "pages/member.html")]
pub struct MemberPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The person's name.
    pub name: Cow<'a, str>,
    /// Their row; `None` for somebody who is not a member.
    pub row: Option<Row<'a>>,
    /// The links of a custom context menu, as HTML.
    pub links: String,
    /// The forms.
    pub forms: Vec<ActForm<'a>>,
    /// The forbidden acts with their reasons.
    pub refused: Vec<(TextKey, TextKey)>,
    /// The notes about them; `None` if the viewer may not read them.
    pub notes: Option<NotesPanel<'a>>,
    /// The page to return to; the list by default.
    pub back: Option<String>,
    /// The result of an act done without JavaScript.
    pub notice: Option<Notice>,
    /// The language.
    pub lang: Lang,
}

impl MemberPage<'_> {
    /// The number of notes about them, in words; `None` when there are none to read.
    fn notes_count(&self) -> Option<String> {
        self.notes.as_ref().and_then(NotesPanel::count)
    }
}

/// The notes about somebody as a page.
#[derive(Template)]
#[template(path = "pages/notes.html")]
pub struct NotesPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The person's name.
    pub name: Cow<'a, str>,
    /// The page to return to; the list of members by default.
    pub back: Option<String>,
    /// The URL of their page; `None` for somebody who is not a member.
    pub person: Option<String>,
    /// The notes.
    pub panel: NotesPanel<'a>,
    /// The result of an act done without JavaScript.
    pub notice: Option<Notice>,
    /// The language.
    pub lang: Lang,
}

impl NotesPage<'_> {
    fn title(&self) -> String {
        Message::from(key::NOTES_TITLE).with("name", &*self.name).text(self.lang)
    }
}

/// The list of bans or mutes as a page.
#[derive(Template)]
#[template(path = "pages/restrictions.html")]
pub struct RestrictionPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The group's name.
    pub group: &'a str,
    /// The list.
    pub list: RestrictionList<'a>,
    /// The page to return to; the list of members by default.
    pub back: Option<String>,
    /// The result of an act done without JavaScript.
    pub notice: Option<Notice>,
    /// The language.
    pub lang: Lang,
}

impl RestrictionPage<'_> {
    fn heading(&self) -> SafeHtml {
        self.title().html(self.lang)
    }

    fn title(&self) -> Message {
        let title = if self.list.is_of_bans() { key::BANS_TITLE } else { key::MUTES_TITLE };
        Message::from(title).with("group", self.group)
    }
}

/// The list of bans or mutes.
#[derive(Template)]
#[template(path = "restrictions.html")]
pub struct RestrictionList<'a> {
    /// The URL of its style sheet, unless the page includes it.
    pub style: Option<String>,
    /// The viewer's context.
    pub context: &'a ViewContext,
    /// The act that takes somebody off it: lifting a ban, or a mute.
    pub lifts: ActKind,
    /// The event as of which it shows them.
    pub as_of: EventId,
    /// The search text.
    pub search: &'a str,
    /// The number of all matches.
    pub count: usize,
    /// The bans or mutes of this page.
    pub rows: Vec<RestrictionRow>,
    /// The next page's URL.
    pub next: Option<String>,
    /// The URL of its first page without the search.
    pub own: String,
    /// The URL of its first page, to return to.
    pub searched: String,
}

impl askama::filters::HtmlSafe for RestrictionList<'_> {}

impl RestrictionList<'_> {
    fn is_of_bans(&self) -> bool {
        self.lifts == ActKind::Unban
    }

    fn words(&self) -> ActWords {
        ActWords::of(self.lifts, false)
    }

    /// The word on the button that lifts a ban or mute.
    fn lift(&self) -> &'static str {
        self.context.lang.text(self.words().label)
    }

    fn search_hint(&self) -> &'static str {
        self.context.lang.text(if self.is_of_bans() { key::BANS_SEARCH } else { key::MUTES_SEARCH })
    }

    fn nobody(&self) -> &'static str {
        self.context.lang.text(if self.is_of_bans() { key::BANS_NONE } else { key::MUTES_NONE })
    }

    /// The URL that a search is sent to.
    fn action(&self) -> String {
        if self.is_of_bans() { self.context.urls().bans() } else { self.context.urls().mutes() }
    }

    /// The label of the button that lifts this ban or mute.
    fn label(&self, row: &RestrictionRow) -> String {
        self.words().button.with("name", format!("\u{2068}{}\u{2069}", row.name)).text(self.context.lang)
    }

    /// The other list, where it is shown, and its name.
    fn other(&self) -> Option<(String, &'static str)> {
        let lang = self.context.lang;
        if self.is_of_bans() {
            self.context.links_to_mutes().then(|| (self.context.mutes_href(), lang.text(key::MEMBERS_MUTES_LINK)))
        } else {
            self.context.links_to_bans().then(|| (self.context.bans_href(), lang.text(key::MEMBERS_BANS_LINK)))
        }
    }

    fn no_match(&self) -> SafeHtml {
        Message::from(key::EMPTY_SEARCH).with("search", self.search).html(self.context.lang)
    }

    /// The query of its own URL as hidden fields, so that a search keeps it.
    fn fields(&self) -> Vec<(String, String)> {
        let query = self.own.split_once('?').map_or("", |(_, query)| query);
        form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// The list of members with the same props.
    fn list_href(&self) -> String {
        with_query(&self.context.href(), &self.context.query_without_search(), "")
    }
}

/// One banned or muted person.
pub struct RestrictionRow {
    /// The uid.
    pub uid: String,
    /// The name, or the uid.
    pub name: String,
    /// The reason.
    pub reason: Option<String>,
    /// The end, in words.
    pub until: String,
    /// The actor and the time, in words.
    pub by: SafeHtml,
    /// The URL that lifts it; `None` if the viewer may not.
    pub action: Option<String>,
    /// The URL of the notes about them; `None` if the viewer may not read those.
    pub notes: Option<String>,
}

/// A live line with the group's name and totals, for the header of a chat.
#[derive(Template)]
#[template(path = "group.html")]
pub struct GroupLine<'a> {
    /// The start of every URL.
    pub base: &'a str,
    /// The group.
    pub group: &'a Group,
    /// The number of its members.
    pub members: usize,
    /// The number of members who are online or away; `None` for outsiders.
    pub online: Option<usize>,
    /// The viewer's scope; `None` for outsiders.
    pub scope: Option<Scope>,
    /// The language.
    pub lang: Lang,
}

impl askama::filters::HtmlSafe for GroupLine<'_> {}

impl GroupLine<'_> {
    /// The number of members: the text before it, the number, the text after it.
    fn members(&self) -> (String, String, String) {
        self.lang.format_plural(key::GROUP_MEMBERS, self.members)
    }

    /// Like [`GroupLine::members`], for those who are online or away.
    fn online(&self, online: &usize) -> (String, String, String) {
        self.lang.format_plural(key::MEMBERS_ONLINE, *online)
    }
}

/// The group as a page.
#[derive(Template)]
#[template(path = "pages/group.html")]
pub struct GroupPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The line.
    pub line: GroupLine<'a>,
    /// The result of an act.
    pub notice: Option<SafeHtml>,
    /// Why the submitted password was refused: the error code and the reason.
    pub wrong: Option<(&'static str, TextKey)>,
    /// The page to return to, also after joining.
    pub back: Option<String>,
    /// Whether the request named a language.
    pub in_language: bool,
    /// The language.
    pub lang: Lang,
}

impl GroupPage<'_> {
    fn here(&self) -> String {
        GroupUrls::new(self.line.base, &self.line.group.guid).group()
    }

    /// The query that keeps the requested language in URLs.
    fn language(&self) -> String {
        if self.in_language { language_query(self.lang) } else { String::new() }
    }
}

/// The page after leaving a private group, whose name outsiders may not know.
#[derive(Template)]
#[template(path = "pages/left.html")]
pub struct LeftPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The language.
    pub lang: Lang,
}

/// A refusal or failure as a page.
#[derive(Template)]
#[template(path = "pages/error.html")]
pub struct ErrorPage<'a> {
    /// Its assets.
    pub layout: &'a Layout,
    /// The message.
    pub alert: Alert<'a>,
    /// Where it leads back to.
    pub back: Option<WayBack>,
    /// The language.
    pub lang: Lang,
}
