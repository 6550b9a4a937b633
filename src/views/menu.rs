//! The acts on one person: a menu, and a form for each act.

use std::borrow::Cow;

use askama::Template;

use super::context::{ViewContext, is_hidden, join};
use super::labels::{refused, scope_name};
use crate::domain::rules::{self, Act, Refusal};
use crate::domain::{Scope, Standing, Uid};
use crate::i18n::{ArgsKey, Lang, Message, SafeHtml, TextKey, key};

/// An act with a form of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActKind {
    /// Remove.
    Kick,
    /// Remove and refuse re-entry.
    Ban,
    /// Lift a ban.
    Unban,
    /// Change a scope, the viewer's own included.
    Scope,
    /// Transfer the ownership.
    Transfer,
    /// Leave the group.
    Leave,
}

impl ActKind {
    /// Every kind.
    pub const ALL: [ActKind; 6] =
        [ActKind::Scope, ActKind::Transfer, ActKind::Kick, ActKind::Ban, ActKind::Unban, ActKind::Leave];

    /// Its name in URLs and attributes.
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

    /// Its label on a button. `own` is whether the viewer does it to themselves.
    pub fn label(self, own: bool) -> TextKey {
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

/// The acts of this viewer on this person, each with the reason when it is refused. Refused acts are included only with
/// the prop `explain`.
pub fn offered(context: &ViewContext, target: Standing, own: bool) -> Vec<(ActKind, Result<(), Refusal>)> {
    let actor = Standing::Member(context.scope);
    if own {
        let can_step_down = rules::grantable(actor, actor, true).iter().any(|&scope| scope < context.scope);
        let mut acts = Vec::new();
        if can_step_down && !context.props.hide_scope {
            acts.push((ActKind::Scope, Ok(())));
        }
        if !context.props.hide_leave {
            acts.push((ActKind::Leave, rules::leave(actor).map(|_| ())));
        }
        return acts;
    }
    let hidden = |act| is_hidden(&context.props, act);
    let mut acts: Vec<_> = rules::acts(actor, target)
        .into_iter()
        .filter(|&(act, answer)| !hidden(act) && (answer.is_ok() || context.props.explain))
        .map(|(act, answer)| (kind_of(act), answer))
        .collect();
    if target == Standing::Banned && rules::unban(actor, target).is_ok() && !context.props.hide_ban {
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
    /// The URL of its style sheet.
    pub style: String,
    /// The person's name.
    pub name: Cow<'a, str>,
    /// The acts.
    pub items: Vec<MenuItem>,
}

/// The built-in acts alone, for a menu with custom entries.
#[derive(Template)]
#[template(path = "members/menu.html", block = "acts")]
pub struct MenuActs<'a> {
    /// The acts.
    pub items: &'a [MenuItem],
}

/// One entry of a context menu.
pub struct MenuItem {
    action: &'static str,
    label: &'static str,
    danger: bool,
    href: String,
    refused: Option<&'static str>,
}

impl MenuItem {
    /// The entry for an act on this person.
    pub fn new(context: &ViewContext, uid: &Uid, own: bool, kind: ActKind, answer: Result<(), Refusal>) -> MenuItem {
        let href = join(&format!("{}/{uid}", context.href()), &context.request, &format!("act={}", kind.as_str()));
        MenuItem {
            action: kind.as_str(),
            label: context.lang.text(kind.label(own)),
            danger: kind.is_dangerous(),
            href,
            refused: answer.err().map(|refusal| context.lang.text(refused(refusal))),
        }
    }
}

/// The form of one act on one person, with a sentence about its effect.
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
    /// The URL of its style sheet, unless the page includes it.
    style: Option<String>,
}

impl askama::filters::HtmlSafe for ActForm<'_> {}

impl<'a> ActForm<'a> {
    /// The form as one of several on a page.
    pub fn new(
        context: &'a ViewContext,
        uid: &'a Uid,
        name: Cow<'a, str>,
        target: Standing,
        own: bool,
        kind: ActKind,
    ) -> ActForm<'a> {
        let group = format!("{}/groups/{}", context.base, context.guid);
        let (path, method) = match kind {
            ActKind::Kick | ActKind::Leave => (format!("{group}/members/{uid}"), "DELETE"),
            ActKind::Ban => (format!("{group}/bans/{uid}"), "PUT"),
            ActKind::Unban => (format!("{group}/bans/{uid}"), "DELETE"),
            ActKind::Scope => (format!("{group}/members/{uid}/scope"), "PUT"),
            ActKind::Transfer => (format!("{group}/owner"), "PUT"),
        };
        let actor = Standing::Member(context.scope);
        let now = target.scope();
        let scopes =
            rules::grantable(actor, target, own).into_iter().map(|scope| (scope, Some(scope) == now)).collect();
        ActForm {
            kind,
            lang: context.lang,
            id: &context.id,
            uid,
            name,
            action: join(&path, &context.request, ""),
            method,
            back: context.href_with(""),
            own,
            scopes,
            style: None,
        }
    }

    /// Returns to this page instead of the list.
    pub fn back_to(self, back: Option<&String>) -> ActForm<'a> {
        ActForm { back: back.cloned().unwrap_or(self.back), ..self }
    }

    /// The form for the component's dialog, which is labelled by its heading.
    pub fn in_dialog(self, context: &ViewContext) -> ActForm<'a> {
        ActForm { style: Some(context.acts_style()), ..self }
    }

    /// The question over the form.
    fn question(&self) -> SafeHtml {
        self.with_name(match self.kind {
            ActKind::Kick => key::ASK_KICK,
            ActKind::Ban => key::ASK_BAN,
            ActKind::Unban => key::ASK_UNBAN,
            ActKind::Scope if self.own => return SafeHtml::of(self.word(key::ASK_SCOPE_OWN)),
            ActKind::Scope => key::ASK_SCOPE,
            ActKind::Transfer => key::ASK_TRANSFER,
            ActKind::Leave => return SafeHtml::of(self.word(key::ASK_LEAVE)),
        })
    }

    /// The effect of the act.
    fn hint(&self) -> TextKey {
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

    /// The label of the submit button.
    fn button(&self) -> SafeHtml {
        self.with_name(match self.kind {
            ActKind::Kick => key::DO_KICK,
            ActKind::Ban => key::DO_BAN,
            ActKind::Unban => key::DO_UNBAN,
            ActKind::Scope => return SafeHtml::of(self.word(key::DO_SCOPE)),
            ActKind::Transfer => key::DO_TRANSFER,
            ActKind::Leave => return SafeHtml::of(self.word(key::DO_LEAVE)),
        })
    }

    fn with_name(&self, key: ArgsKey) -> SafeHtml {
        Message::from(key).with("name", &*self.name).html(self.lang)
    }

    fn scope(&self, scope: &Scope) -> &'static str {
        self.word(scope_name(*scope))
    }

    fn word(&self, key: TextKey) -> &'static str {
        self.lang.text(key)
    }
}
