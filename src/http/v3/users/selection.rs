//! Which users a list has: the parameters of `GET /v3/users` that select them.

use utoipa::IntoParams;

use crate::app::App;
use crate::domain::Search;
use crate::http::v3::error::V3Error;
use crate::http::v3::request::paging::Query;
use crate::store::User;

/// Which users.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct UserFilter {
    /// `name`, `uid`, `createdAt` or `updatedAt`.
    #[param(pattern = "^(name|uid|createdAt|updatedAt)?$")]
    sort_by: Option<String>,
    /// Where to search: `name`, `uid`, with commas between them.
    #[param(pattern = "^((name|uid)(,(name|uid))*)?$")]
    search_in: Option<String>,
    /// `available` (or `online`, or `away`, which counts as available) or `offline`.
    #[param(pattern = "^(available|online|away|offline)?$")]
    status: Option<String>,
    /// Of this role.
    #[param(pattern = "^[^\\u0000]*$")]
    role: Option<String>,
    /// Of one of these roles, with commas between them.
    #[param(pattern = "^[^\\u0000]*$")]
    roles: Option<String>,
    /// With one of these tags, with commas between them.
    #[param(pattern = "^[^\\u0000]*$")]
    tags: Option<String>,
    /// Tags in the answer.
    with_tags: Option<bool>,
    /// These, with commas between them.
    #[param(pattern = "^[^\\u0000]*$")]
    uids: Option<String>,
    /// Accepted; the count is in `meta.pagination` in any case.
    count: Option<bool>,
    /// Nobody: users are not deactivated here.
    only_deactivated: Option<bool>,
    /// Accepted: users are not deactivated here.
    with_deactivated: Option<bool>,
}

/// Which users a list has.
pub(super) struct UserSelection {
    search: Search,
    in_name: bool,
    in_uid: bool,
    online: Option<bool>,
    tags: Option<Vec<String>>,
    uids: Option<Vec<String>>,
    roles: Option<Vec<String>>,
    nobody: bool,
    /// Whether nothing is asked for that somebody could lack.
    pub is_everybody: bool,
    /// Whether the answer has their tags.
    pub with_tags: bool,
}

impl UserSelection {
    /// The selection of the query, with the text to search for.
    ///
    /// # Errors
    /// 400 when a parameter has a value that is not allowed.
    pub(super) fn read(query: &mut Query, search: Option<String>) -> Result<UserSelection, V3Error> {
        let (in_name, in_uid) = query.search_in("uid")?;
        let (online, tags, uids) = (query.status()?, query.list("tags")?, query.list("uids")?);
        let roles: Option<Vec<String>> = match (query.take("role")?.map(|role| vec![role]), query.list("roles")?) {
            (None, None) => None,
            (one, many) => Some(one.into_iter().chain(many).flatten().collect()),
        };
        let (with_tags, nobody) = (query.flag("withTags")?, query.flag("onlyDeactivated")?);
        let _ = (query.flag("count")?, query.flag("withDeactivated")?);
        let selects = [search.is_some(), online.is_some(), tags.is_some(), uids.is_some(), roles.is_some(), nobody];
        let is_everybody = !selects.contains(&true);
        let search = Search::new(&search.unwrap_or_default());
        Ok(UserSelection { search, in_name, in_uid, online, tags, uids, roles, nobody, is_everybody, with_tags })
    }

    /// Whether the list has this user.
    pub(super) fn selects(&self, app: &App, user: &User) -> bool {
        let name = if self.in_name { &*user.name } else { "" };
        let uid = if self.in_uid { user.uid.as_str() } else { "" };
        let role = user.details.role.as_deref().unwrap_or("default");
        let is_available =
            || app.hub().presences().last_sent_of(&user.uid).is_some_and(|presence| presence.status.counts_as_online());
        !self.nobody
            && self.search.finds(name, uid)
            && self.online.is_none_or(|online| online == is_available())
            && self.tags.as_ref().is_none_or(|tags| tags.iter().any(|tag| user.details.tags.contains(tag)))
            && self.uids.as_ref().is_none_or(|uids| uids.iter().any(|uid| uid == user.uid.as_str()))
            && self.roles.as_ref().is_none_or(|roles| roles.iter().any(|one| one == role))
    }
}
