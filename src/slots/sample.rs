//! Sample facts for validating a template: those of every slot at once, since a template does not declare its slot.

use minijinja::context;
use minijinja::value::Value;

use super::facts::{EmptyFacts, ErrorFacts, HeaderFacts};
use super::menu::{Entries, MenuFacts};
use crate::domain::{Group, GroupType, Guid, Member, Membership, Name, Scope, Status, Uid, sort_key};

/// The facts of every slot.
pub(super) fn facts() -> Value {
    let guid: Guid = "sample".parse().expect("letters");
    let uid: Uid = "ada".parse().expect("letters");
    let member = Member::new(&uid, "Ada", &sort_key("Ada"), None, Membership::new(Scope::Owner, 1_700_000_000, 1));
    let group = Group {
        guid: guid.clone(),
        name: Name::parse("Sample").expect("a short name"),
        group_type: GroupType::Public,
        icon: None,
        description: None,
    };
    let (viewer, lang) = (Scope::Owner, "en");
    let header = HeaderFacts {
        title: "Members",
        group: &group,
        members: 1,
        online: Some(1),
        viewer,
        uid: Some(&uid),
        totals: "<p>1</p>",
        bans: Some("/"),
        lang,
    };
    let empty = EmptyFacts { search: "ada", filter: "all", clear: Some("/"), viewer, guid: &guid, lang };
    let error = ErrorFacts { code: "ERR_VALIDATION", title: "A value is not allowed", detail: "limit", lang };
    let menu = MenuFacts {
        group: &group,
        members: 1,
        online: Some(1),
        viewer,
        uid: &uid,
        member: &member,
        status: Some(Status::Online),
        own: true,
        lang,
        entries: Entries::new(Some(String::new())),
    };
    context! {
        ..super::context::options(&menu),
        ..super::context::header(&header),
        ..super::context::empty(&empty),
        ..super::context::error(&error),
    }
}
