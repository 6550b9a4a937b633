//! Operators' templates: whatever one says, it ends, within the fuzzer's limits of time and memory, and what comes from people
//! is escaped.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use askama::Template as _;
use chat_group_members::domain::{Member, Membership, Scope, Status, sort_key};
use chat_group_members::i18n::Lang;
use chat_group_members::slots::{Folder, SharedSlots};
use chat_group_members::views::{Props, ViewContext};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// A name that is markup.
const NAME: &str = "<x-ada>&\"'";
/// It, where nothing has escaped it.
const UNESCAPED: &str = "<x-ada>";

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
static ADA: LazyLock<Member> = LazyLock::new(|| {
    let membership = Membership::new(Scope::Participant, 1_700_000_000, 1);
    Member::new(&"ada".parse().expect("letters"), NAME, &sort_key(NAME), None, membership)
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // What a template says itself is its author's.
    if text.contains("x-ada") {
        return;
    }
    fs::write(FOLDER.path().join("card.html"), text).expect("a file");
    let slots = SharedSlots::new(Folder::open(FOLDER.path()).expect("a folder"));
    let props = Props::parse(form_urlencoded::parse(b"subtitleView=card"), 0).expect("known props");
    let guid = "g".parse().expect("a letter");
    let context = ViewContext::new("".into(), guid, props, Scope::Admin, Lang::EN_US, slots);
    let mut row = String::new();
    context.row(&ADA, Status::Online, false).render_into(&mut row).expect("rows render");
    assert!(!row.contains(UNESCAPED), "{row}");
});
