//! What a rendered window depends on: the key by which it is cached, and from which its entity tag is made.

use crate::app::App;
use crate::http::extract::{Format, GroupAccess, RequestInfo, Viewer};
use crate::live::GroupState;
use crate::views::{Props, QuickFilter};

/// The cache key: everything that a rendered window depends on. All viewers of a scope share rows and views, except
/// the viewer's own row; components and pages name their viewer.
pub(super) fn cache_key(
    app: &App,
    access: &GroupAccess,
    state: &GroupState,
    viewer: &Viewer,
    info: &RequestInfo,
    now: i64,
) -> String {
    let (guid, roster, scope) = (access.group.guid(), state.roster(), access.scope.index());
    let part = info.value("part").unwrap_or_default();
    // A view brings the header, and a custom one may name its viewer.
    let is_shared = part == "rows" || part == "view" && info.value("headerView").is_none();
    let whose = if info.format == Format::Fragment && is_shared { "" } else { viewer.uid().as_str() };
    let message =
        (!whose.is_empty()).then(|| state.scope_message(viewer.uid(), now)).flatten().map_or(0, |(seq, _)| seq);
    // The notice of a mute is over by itself, and so is every mute that data tells staff of; rows show it until the event.
    let muted = if info.format.is_data() && access.scope.is_staff() {
        roster.mutes_over_at(now)
    } else {
        usize::from(!whose.is_empty() && roster.get(whose).is_some_and(|own| own.muted_at(now).is_some()))
    };
    let (seq, statuses, views) = (roster.seq(), roster.statuses_version(), app.slots().version());
    let (format, lang) = (info.format as u8, info.lang.tag());
    let older = u8::from(is_of_older_page(info));
    // "An hour ago" is another moment at each request.
    let has = |name: &str, is: fn(&str) -> bool| info.value(name).is_some_and(|value| is(&value));
    let is_relative = has("joinedSince", Props::is_relative_time) || has("filter", QuickFilter::is_relative_time);
    let second = if is_relative { now.div_euclid(1000) } else { 0 };
    format!(
        "{guid} {seq} {statuses} {views:x} {scope} {format} {whose} {lang} {older} {second} {message} {muted} {}",
        info.query
    )
}

/// Whether the script of an older page requests a part of it: that script does not send `markup`, and reads more from rows than
/// `markup=lean` has.
pub(super) fn is_of_older_page(info: &RequestInfo) -> bool {
    let is_part = info.value("part").is_some_and(|part| matches!(part.as_str(), "rows" | "view"));
    info.htmx && is_part && info.value("markup").is_none()
}
