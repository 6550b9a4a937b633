//! Which users a list has: the parameters of `GET /v3/users` that filter them.

use utoipa::IntoParams;

use crate::app::App;
use crate::domain::Search;
use crate::http::v3::error::V3Error;
use crate::http::v3::request::paging::Query;
use crate::store::User;

/// The parameters of the list, beside those of its pages.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct UserListParams {
    /// The field by which the users are ordered: `name`, `uid`, `createdAt` or `updatedAt`; the uid unless given.
    #[param(pattern = "^(name|uid|createdAt|updatedAt)?$")]
    sort_by: Option<String>,
    /// The fields that `searchKey` is looked for in: `name`, `uid` or both, comma-separated; both unless given.
    #[param(pattern = "^((name|uid)(,(name|uid))*)?$")]
    search_in: Option<String>,
    /// `available` (or `online`, or `away`, which counts as available) or `offline`.
    #[param(pattern = "^(available|online|away|offline)?$")]
    status: Option<String>,
    /// Only users of this role, whose name may have commas.
    #[param(pattern = "^[^\\u0000]*$")]
    role: Option<String>,
    /// Only users of one of these roles, comma-separated; of roles that have commas, each as a `roles[]` of its own.
    #[param(pattern = "^[^\\u0000]*$")]
    roles: Option<String>,
    /// Only users with at least one of these tags, comma-separated; of tags that have commas, each as a `tags[]` of its own.
    #[param(pattern = "^[^\\u0000]*$")]
    tags: Option<String>,
    /// Whether the users in the answer have their tags. It leaves nobody out.
    with_tags: Option<bool>,
    /// Only these uids, comma-separated.
    #[param(pattern = "^[^\\u0000]*$")]
    uids: Option<String>,
    /// Has no effect: the answer has the count in `meta.pagination` in any case.
    count: Option<bool>,
    /// `true` leaves everybody out, since no user is deactivated here.
    only_deactivated: Option<bool>,
    /// Has no effect, since no user is deactivated here.
    with_deactivated: Option<bool>,
}

/// Which users a list has.
pub(super) struct UserFilter {
    search: Search,
    in_name: bool,
    in_uid: bool,
    online: Option<bool>,
    tags: Option<Vec<String>>,
    uids: Option<Vec<String>>,
    roles: Option<Vec<String>>,
    only_deactivated: bool,
    /// Whether no user is left out.
    pub is_everybody: bool,
    /// Whether the answer has their tags.
    pub shows_tags: bool,
}

impl UserFilter {
    /// The filter of the query, with the text to search for.
    ///
    /// # Errors
    /// 400 when a parameter has a value that is not allowed.
    pub(super) fn read(query: &mut Query, search: Option<String>) -> Result<UserFilter, V3Error> {
        let (in_name, in_uid) = query.search_in("uid")?;
        let (online, tags, uids) = (query.status()?, query.texts("tags")?, query.list("uids")?);
        let role = query.take("role")?.map(|role| role.trim().to_owned());
        let roles: Option<Vec<String>> = match (role, query.texts("roles")?) {
            (None, None) => None,
            (one, many) => Some(one.into_iter().chain(many.unwrap_or_default()).collect()),
        };
        let (shows_tags, only_deactivated) = (query.flag("withTags")?, query.flag("onlyDeactivated")?);
        let _ = (query.flag("count")?, query.flag("withDeactivated")?);
        let filters =
            [search.is_some(), online.is_some(), tags.is_some(), uids.is_some(), roles.is_some(), only_deactivated];
        let is_everybody = !filters.contains(&true);
        let search = Search::new(&search.unwrap_or_default());
        Ok(UserFilter {
            search,
            in_name,
            in_uid,
            online,
            tags,
            uids,
            roles,
            only_deactivated,
            is_everybody,
            shows_tags,
        })
    }

    /// Whether the list has this user.
    pub(super) fn matches(&self, app: &App, user: &User) -> bool {
        let name = if self.in_name { &*user.name } else { "" };
        let uid = if self.in_uid { user.uid.as_str() } else { "" };
        let role = user.details.role.as_deref().unwrap_or("default");
        let is_available =
            || app.hub().presences().last_sent_of(&user.uid).is_some_and(|presence| presence.status.counts_as_online());
        // No user is deactivated here.
        !self.only_deactivated
            && self.search.finds(name, uid)
            && self.online.is_none_or(|online| online == is_available())
            && self.tags.as_ref().is_none_or(|tags| tags.iter().any(|tag| user.details.tags.contains(tag)))
            && self.uids.as_ref().is_none_or(|uids| uids.iter().any(|uid| uid == user.uid.as_str()))
            && self.roles.as_ref().is_none_or(|roles| roles.iter().any(|one| one == role))
    }
}
