//! Which groups a list has: the parameters of `GET /v3/groups` that select them.

use utoipa::IntoParams;

use crate::domain::{Group, GroupType, Search};
use crate::http::v3::error::V3Error;
use crate::http::v3::request::paging::Query;
use crate::store::GroupDetails;

/// Which groups.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct GroupFilter {
    /// `name`, `guid`, `createdAt` or `updatedAt`.
    #[param(pattern = "^(name|guid|createdAt|updatedAt)?$")]
    sort_by: Option<String>,
    /// Where to search: `name`, `guid`, with commas between them.
    #[param(pattern = "^((name|guid)(,(name|guid))*)?$")]
    search_in: Option<String>,
    /// Of this type.
    #[param(rename = "type", pattern = "^(public|private|password)?$")]
    group_type: Option<String>,
    /// Of one of these types, with commas between them.
    #[param(pattern = "^((public|private|password)(,(public|private|password))*)?$")]
    types: Option<String>,
    /// With one of these tags, with commas between them.
    #[param(pattern = "^[^\\u0000]*$")]
    tags: Option<String>,
    /// Only groups that have tags.
    with_tags: Option<bool>,
    /// Only the groups of the user of onBehalfOf, without whom `true` is refused.
    has_joined: Option<bool>,
}

/// Which groups a list has.
pub(super) struct GroupSelection {
    search: Search,
    in_name: bool,
    in_guid: bool,
    types: Option<Vec<GroupType>>,
    tags: Option<Vec<String>>,
    with_tags: bool,
    /// Only the groups of the user of onBehalfOf.
    pub joined: bool,
}

impl GroupSelection {
    /// The selection of the query, with the text to search for.
    ///
    /// # Errors
    /// 400 when a parameter has a value that is not allowed.
    pub(super) fn read(query: &mut Query, search: Option<String>) -> Result<GroupSelection, V3Error> {
        let search = Search::new(&search.unwrap_or_default());
        let (in_name, in_guid) = query.search_in("guid")?;
        let (tags, with_tags, joined) = (query.list("tags")?, query.flag("withTags")?, query.flag("hasJoined")?);
        Ok(GroupSelection { search, in_name, in_guid, types: types(query)?, tags, with_tags, joined })
    }

    /// Whether the list has this group.
    pub(super) fn selects(&self, group: &Group, details: &GroupDetails) -> bool {
        let name = if self.in_name { group.name.as_str() } else { "" };
        let guid = if self.in_guid { group.guid.as_str() } else { "" };
        self.search.finds(name, guid)
            && self.types.as_ref().is_none_or(|types| types.contains(&group.group_type))
            && self.tags.as_ref().is_none_or(|tags| tags.iter().any(|tag| details.tags.contains(tag)))
            && (!self.with_tags || !details.tags.is_empty())
    }
}

fn types(query: &mut Query) -> Result<Option<Vec<GroupType>>, V3Error> {
    let (one, many) = (query.list("type")?, query.list("types")?);
    if one.is_none() && many.is_none() {
        return Ok(None);
    }
    let words = one.into_iter().chain(many).flatten();
    let types = words.map(|word| word.parse::<GroupType>()).collect::<Result<Vec<_>, ()>>();
    types.map(Some).map_err(|()| V3Error::invalid("type", "out of public, private, password"))
}
