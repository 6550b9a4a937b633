//! The acts on one person: as a menu, and each as a form.

use std::borrow::Cow;

use askama::Template;

use super::act_words::ActWords;
use super::look::{Look, is_hidden};
use super::urls::with_query;
use super::words::{refused, scope_word};
use crate::domain::{ActKind, Refusal, Scope, Standing, Uid, rules};
use crate::lang::{Html, Key, Lang, Said, key};

/// What this viewer may do to this person, in the order of a menu, allowed or refused with the reason.
/// Refused acts on others only when the view explains them.
pub fn offered(look: &Look, target: Standing, own: bool) -> Vec<(ActKind, Result<(), Refusal>)> {
    let mut acts = rules::acts(Standing::Member(look.scope), target, own);
    acts.retain(|&(kind, answer)| !is_hidden(&look.props, kind) && (own || answer.is_ok() || look.props.explain));
    acts.sort_by_key(|&(kind, _)| match kind {
        ActKind::Scope => 0,
        ActKind::Transfer => 1,
        ActKind::Kick => 2,
        ActKind::Ban => 3,
        ActKind::Unban => 4,
        ActKind::Leave => 5,
        ActKind::Join => 6,
    });
    acts
}

/// The context menu of one person.
#[derive(Template)]
#[template(path = "members/menu.html")]
pub struct Menu<'a> {
    /// The address of its styles.
    pub style: String,
    /// Who it is about.
    pub name: Cow<'a, str>,
    /// The acts.
    pub items: Vec<MenuItem>,
}

/// The built-in acts alone, to be placed among other entries.
#[derive(Template)]
#[template(path = "members/menu.html", block = "acts")]
pub struct MenuActs<'a> {
    /// The acts.
    pub items: &'a [MenuItem],
}

/// One line of a context menu.
pub struct MenuItem {
    action: &'static str,
    label: &'static str,
    danger: bool,
    href: String,
    refused: Option<&'static str>,
}

impl MenuItem {
    /// The line for an act on this person.
    pub fn new(look: &Look, uid: &Uid, own: bool, kind: ActKind, answer: Result<(), Refusal>) -> MenuItem {
        let href = with_query(&look.urls().member(uid), &look.request, &format!("act={}", kind.as_str()));
        let words = ActWords::of(kind, own);
        MenuItem {
            action: kind.as_str(),
            label: look.lang.text(words.label),
            danger: words.is_dangerous,
            href,
            refused: answer.err().map(|refusal| look.lang.text(refused(refusal))),
        }
    }
}

/// The form of one act on one person, with what will happen in a sentence.
#[derive(Template)]
#[template(path = "members/act.html")]
pub struct ActForm<'a> {
    kind: ActKind,
    words: ActWords,
    lang: Lang,
    id: &'a str,
    uid: &'a Uid,
    name: Cow<'a, str>,
    action: String,
    method: &'static str,
    back: String,
    scopes: Vec<(Scope, bool)>,
    /// The address of its styles, where no page has them.
    style: Option<String>,
}

impl askama::filters::HtmlSafe for ActForm<'_> {}

impl<'a> ActForm<'a> {
    /// The form, one of several on a page.
    pub fn new(
        look: &'a Look,
        uid: &'a Uid,
        name: Cow<'a, str>,
        target: Standing,
        own: bool,
        kind: ActKind,
    ) -> ActForm<'a> {
        let (url, method) = look.urls().act(kind, uid);
        let actor = Standing::Member(look.scope);
        let now = target.scope();
        let scopes =
            rules::grantable(actor, target, own).into_iter().map(|scope| (scope, Some(scope) == now)).collect();
        ActForm {
            kind,
            words: ActWords::of(kind, own),
            lang: look.lang,
            id: &look.id,
            uid,
            name,
            action: with_query(&url, &look.request, ""),
            method,
            back: look.href_with(""),
            scopes,
            style: None,
        }
    }

    /// The same, leading back to this page instead of the list.
    pub fn back_to(self, back: Option<&String>) -> ActForm<'a> {
        ActForm { back: back.cloned().unwrap_or(self.back), ..self }
    }

    /// The same in the component's dialog, which is named by its heading.
    pub fn in_dialog(self, look: &Look) -> ActForm<'a> {
        ActForm { style: Some(look.acts_style()), ..self }
    }

    fn about(&self, key: Key) -> Html {
        Said::from(key).with("name", &*self.name).html(self.lang)
    }

    fn scope(&self, scope: &Scope) -> &'static str {
        self.word(scope_word(*scope))
    }

    fn word(&self, key: Key) -> &'static str {
        self.lang.text(key)
    }
}
