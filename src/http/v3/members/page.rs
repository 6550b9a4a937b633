//! A page of the members of a group: by number in display order, or by a cursor in the order in which the people were changed.
//!
//! Not here: which page and which members are asked for (`request/paging.rs`, and the handler in `mod.rs`).

use std::collections::HashMap;
use std::sync::Arc;

use axum::response::Response;

use crate::app::App;
use crate::domain::Member;
use crate::http::v3::error::V3Error;
use crate::http::v3::records::{HostMember, UserRecord};
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::paging::Paging;
use crate::live::LiveGroup;
use crate::roster::Filter;
use crate::store::{Listing, User};

/// The page by its number, in display order.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn in_display_order(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    filter: &Filter,
    paging: Paging,
) -> Result<Response, V3Error> {
    let (total, found) = {
        let state = group.state();
        let roster = state.roster();
        (roster.counts(filter).total(), roster.page(filter, paging.skip(), paging.per_page))
    };
    let uids: Vec<&str> = found.iter().map(|member| member.uid()).collect();
    let users = app.store().read().await?.users_of(&uids).await?;
    let mut users: HashMap<String, User> = users.into_iter().map(|user| (user.uid.to_string(), user)).collect();
    let listed: Vec<(User, &Arc<Member>)> =
        found.iter().filter_map(|member| Some((users.remove(member.uid())?, member))).collect();
    let changed = listed.iter().map(|(user, _)| user.updated_at);
    let next = Paging::resume_by_number(changed, total, app.clock().now());
    let records = listed.into_iter().map(|(user, member)| record(app, caller, group, user, member));
    paging.answer(records.collect(), total, next)
}

/// The page beyond a cursor, in the order in which the people were changed.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn by_last_change(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    filter: &Filter,
    paging: Paging,
) -> Result<Response, V3Error> {
    // The order is that of the table of users: there everybody is looked up who is shown at all.
    let found = group.state().roster().page(filter, 0, usize::MAX);
    let members: HashMap<&str, &Arc<Member>> = found.iter().map(|member| (member.uid(), member)).collect();
    let wanted = |user: &User| members.contains_key(user.uid.as_str());
    let mut reader = app.store().read().await?;
    let Listing { entries: users, total, resume_at } =
        reader.users(&paging.query(), Some(group.guid()), Some(&wanted)).await?;
    let records = users.into_iter().filter_map(|user| {
        let member = members.get(user.uid.as_str())?;
        Some(record(app, caller, group, user, member))
    });
    paging.answer(records.collect(), total as usize, resume_at)
}

fn record(app: &App, caller: &Caller, group: &LiveGroup, user: User, member: &Member) -> HostMember {
    let muted_until = caller.visible_mute(&group.state(), member, app.clock().now());
    HostMember::of(UserRecord::of(app, user).seen_by(caller), member, muted_until)
}
