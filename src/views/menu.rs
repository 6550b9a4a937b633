//! The acts on one person: as a menu, and each as a form.

use std::borrow::Cow;

use askama::Template;

use super::look::{Look, is_hidden, join};
use super::words::{refused, scope_word};
use crate::domain::rules::{self, Act, Refusal};
use crate::domain::{Scope, Standing, Uid};
use crate::lang::{Html, Key, Lang, Said, key};

/// An act with a form of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActKind {
    /// Put out.
    Kick,
    /// Put out and keep out.
    Ban,
    /// Let in again.
    Unban,
    /// Change scope, one's own included.
    Scope,
    /// Hand the group over.
    Transfer,
    /// Go.
    Leave,
}

impl ActKind {
    /// Every kind.
    pub const ALL: [ActKind; 6] =
        [ActKind::Scope, ActKind::Transfer, ActKind::Kick, ActKind::Ban, ActKind::Unban, ActKind::Leave];

    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            ActKind::Kick => "kick",
            ActKind::Ban => "ban",
            ActKind::Unban => "unban",
            ActKind::Scope => "scope",
            ActKind::Transfer => "transfer",
            ActKind::Leave => "leave",
        }
    }

    /// What it is called on a button; `own` when it is about oneself.
    pub fn label(self, own: bool) -> Key {
        match self {
            ActKind::Kick => key::ACT_KICK,
            ActKind::Ban => key::ACT_BAN,
            ActKind::Unban => key::ACT_UNBAN,
            ActKind::Scope if own => key::ACT_SCOPE_OWN,
            ActKind::Scope => key::ACT_SCOPE,
            ActKind::Transfer => key::ACT_TRANSFER,
            ActKind::Leave => key::ACT_LEAVE,
        }
    }

    fn is_dangerous(self) -> bool {
        matches!(self, ActKind::Kick | ActKind::Ban | ActKind::Transfer | ActKind::Leave)
    }
}

/// What this viewer may do to this person, allowed or refused with the reason; refused acts only
/// when the view explains them.
pub fn offered(look: &Look, target: Standing, own: bool) -> Vec<(ActKind, Result<(), Refusal>)> {
    let actor = Standing::Member(look.scope);
    if own {
        let down = rules::grantable(actor, actor, true).iter().any(|&scope| scope < look.scope);
        let mut acts = Vec::new();
        if down && !look.props.hide_scope {
            acts.push((ActKind::Scope, Ok(())));
        }
        if !look.props.hide_leave {
            acts.push((ActKind::Leave, rules::leave(actor).map(|_| ())));
        }
        return acts;
    }
    let hidden = |act| is_hidden(&look.props, act);
    let mut acts: Vec<_> = rules::acts(actor, target)
        .into_iter()
        .filter(|&(act, answer)| !hidden(act) && (answer.is_ok() || look.props.explain))
        .map(|(act, answer)| (kind_of(act), answer))
        .collect();
    if target == Standing::Banned && rules::unban(actor, target).is_ok() && !look.props.hide_ban {
        acts.push((ActKind::Unban, Ok(())));
    }
    acts
}

fn kind_of(act: Act) -> ActKind {
    match act {
        Act::Kick => ActKind::Kick,
        Act::Ban => ActKind::Ban,
        Act::Scope => ActKind::Scope,
        Act::Transfer => ActKind::Transfer,
    }
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
        let href = join(&format!("{}/{uid}", look.href()), &look.request, &format!("act={}", kind.as_str()));
        MenuItem {
            action: kind.as_str(),
            label: look.lang.text(kind.label(own)),
            danger: kind.is_dangerous(),
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
    lang: Lang,
    id: &'a str,
    uid: &'a Uid,
    name: Cow<'a, str>,
    action: String,
    method: &'static str,
    back: String,
    own: bool,
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
        let group = format!("{}/groups/{}", look.base, look.guid);
        let (path, method) = match kind {
            ActKind::Kick | ActKind::Leave => (format!("{group}/members/{uid}"), "DELETE"),
            ActKind::Ban => (format!("{group}/bans/{uid}"), "PUT"),
            ActKind::Unban => (format!("{group}/bans/{uid}"), "DELETE"),
            ActKind::Scope => (format!("{group}/members/{uid}/scope"), "PUT"),
            ActKind::Transfer => (format!("{group}/owner"), "PUT"),
        };
        let actor = Standing::Member(look.scope);
        let now = target.scope();
        let scopes =
            rules::grantable(actor, target, own).into_iter().map(|scope| (scope, Some(scope) == now)).collect();
        ActForm {
            kind,
            lang: look.lang,
            id: &look.id,
            uid,
            name,
            action: join(&path, &look.request, ""),
            method,
            back: look.href_with(""),
            own,
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

    /// The question over the form.
    fn question(&self) -> Html {
        self.about(match self.kind {
            ActKind::Kick => key::ASK_KICK,
            ActKind::Ban => key::ASK_BAN,
            ActKind::Unban => key::ASK_UNBAN,
            ActKind::Scope if self.own => key::ASK_SCOPE_OWN,
            ActKind::Scope => key::ASK_SCOPE,
            ActKind::Transfer => key::ASK_TRANSFER,
            ActKind::Leave => key::ASK_LEAVE,
        })
    }

    /// What will happen.
    fn hint(&self) -> Key {
        match self.kind {
            ActKind::Kick => key::HINT_KICK,
            ActKind::Ban => key::HINT_BAN,
            ActKind::Unban => key::HINT_UNBAN,
            ActKind::Scope if self.own => key::HINT_SCOPE_OWN,
            ActKind::Scope => key::HINT_SCOPE,
            ActKind::Transfer => key::HINT_TRANSFER,
            ActKind::Leave => key::HINT_LEAVE,
        }
    }

    /// The button that does it.
    fn button(&self) -> Html {
        self.about(match self.kind {
            ActKind::Kick => key::DO_KICK,
            ActKind::Ban => key::DO_BAN,
            ActKind::Unban => key::DO_UNBAN,
            ActKind::Scope => key::DO_SCOPE,
            ActKind::Transfer => key::DO_TRANSFER,
            ActKind::Leave => key::DO_LEAVE,
        })
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
