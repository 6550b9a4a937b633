//! The acts on one person: as a menu, and each as a form.

use askama::Template;

use super::look::{Look, is_hidden, join};
use super::row::scope_word;
use crate::domain::rules::{self, Act, Refusal};
use crate::domain::{Scope, Standing, Uid};

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
    pub fn label(self, own: bool) -> &'static str {
        match self {
            ActKind::Kick => "Kick",
            ActKind::Ban => "Ban",
            ActKind::Unban => "Lift the ban",
            ActKind::Scope if own => "Step down",
            ActKind::Scope => "Change scope",
            ActKind::Transfer => "Transfer ownership",
            ActKind::Leave => "Leave the group",
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
        acts.push((ActKind::Leave, rules::leave(actor).map(|_| ())));
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
    /// Who it is about.
    pub name: &'a str,
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
    refused: Option<String>,
}

impl MenuItem {
    /// The line for an act on this person.
    pub fn new(look: &Look, uid: &Uid, own: bool, kind: ActKind, answer: Result<(), Refusal>) -> MenuItem {
        let href = join(&format!("{}/{uid}", look.href()), &look.query, &format!("act={}", kind.as_str()));
        MenuItem {
            action: kind.as_str(),
            label: kind.label(own),
            danger: kind.is_dangerous(),
            href,
            refused: answer.err().map(|refusal| refusal.to_string()),
        }
    }
}

/// The form of one act on one person, with what will happen in a sentence.
#[derive(Template)]
#[template(path = "members/act.html")]
pub struct ActForm<'a> {
    kind: ActKind,
    id: &'a str,
    uid: &'a Uid,
    name: &'a str,
    action: String,
    method: &'static str,
    back: String,
    own: bool,
    scopes: Vec<(Scope, bool)>,
    in_dialog: bool,
}

impl askama::filters::HtmlSafe for ActForm<'_> {}

impl<'a> ActForm<'a> {
    /// The form, one of several on a page.
    pub fn new(look: &'a Look, uid: &'a Uid, name: &'a str, target: Standing, own: bool, kind: ActKind) -> ActForm<'a> {
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
            id: &look.id,
            uid,
            name,
            action: join(&path, &look.query, ""),
            method,
            back: look.href_with(""),
            own,
            scopes,
            in_dialog: false,
        }
    }

    /// The same in the component's dialog, which is named by its heading.
    pub fn in_dialog(self) -> ActForm<'a> {
        ActForm { in_dialog: true, ..self }
    }

    fn label(&self) -> &'static str {
        self.kind.label(self.own)
    }

    fn question(&self) -> &'static str {
        match self.kind {
            ActKind::Kick => "Kick",
            ActKind::Ban => "Ban",
            ActKind::Unban => "Lift the ban of",
            ActKind::Scope => "Change the scope of",
            ActKind::Transfer => "Make the owner:",
            ActKind::Leave => "Leave the group",
        }
    }

    fn sentence(&self) -> &'static str {
        match self.kind {
            ActKind::Kick => "They leave the group now. They may come back.",
            ActKind::Ban => {
                "They leave the group now and cannot come back until the ban ends. Moderators, admins and the owner see the reason."
            }
            ActKind::Unban => "They may come in again. Their membership does not come back by itself.",
            ActKind::Scope if self.own => "You give up rights. Only somebody above you can give them back.",
            ActKind::Scope => "What they may do changes at once, for everybody to see.",
            ActKind::Transfer => {
                "They get full control of the group and you become an admin. Only they can give it back."
            }
            ActKind::Leave => "You stop being a member. To come back, join again or ask to be added.",
        }
    }

    fn word(&self, scope: &Scope) -> &'static str {
        scope_word(*scope)
    }
}
