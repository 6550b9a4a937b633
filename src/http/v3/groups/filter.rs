//! Which groups a list has: the parameters of `GET /v3/groups` that filter them.

use utoipa::IntoParams;

use crate::domain::{Group, GroupType, Search};
use crate::http::v3::error::V3Error;
use crate::http::v3::request::paging::Query;
use crate::store::GroupDetails;

/// The parameters of the list, beside those of its pages.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "only described: `Query` reads them")]
pub(super) struct GroupListParams {
    /// The field by which the groups are ordered: `name`, `guid`, `createdAt` or `updatedAt`; the guid unless given.
    #[param(pattern = "^(name|guid|createdAt|updatedAt)?$")]
    sort_by: Option<String>,
    /// The fields that `searchKey` is looked for in: `name`, `guid` or both, comma-separated; both unless given.
    #[param(pattern = "^((name|guid)(,(name|guid))*)?$")]
    search_in: Option<String>,
    /// Only groups of this type.
    #[param(rename = "type", pattern = "^(public|private|password)?$")]
    group_type: Option<String>,
    /// Only groups of one of these types, comma-separated.
    #[param(pattern = "^((public|private|password)(,(public|private|password))*)?$")]
    types: Option<String>,
    /// Only groups with at least one of these tags, comma-separated; of tags that have commas, each as a `tags[]` of its own.
    #[param(pattern = "^[^\\u0000]*$")]
    tags: Option<String>,
    /// `true` leaves out groups that have no tags.
    with_tags: Option<bool>,
    /// `true` leaves out groups that the user of the header `onBehalfOf` is not in; without that header `true` is refused.
    has_joined: Option<bool>,
}

/// Which groups a list has.
pub(super) struct GroupFilter {
    search: Search,
    in_name: bool,
    in_guid: bool,
    types: Option<Vec<GroupType>>,
    tags: Option<Vec<String>>,
    must_have_tags: bool,
    /// Only the groups of the user of onBehalfOf.
    pub joined: bool,
}

impl GroupFilter {
    /// The filter of the query, with the text to search for.
    ///
    /// # Errors
    /// 400 when a parameter has a value that is not allowed.
    pub(super) fn read(query: &mut Query, search: Option<String>) -> Result<GroupFilter, V3Error> {
        let search = Search::new(&search.unwrap_or_default());
        let (in_name, in_guid) = query.search_in("guid")?;
        let (tags, must_have_tags, joined) = (query.texts("tags")?, query.flag("withTags")?, query.flag("hasJoined")?);
        Ok(GroupFilter { search, in_name, in_guid, types: types(query)?, tags, must_have_tags, joined })
    }

    /// Whether the list has this group.
    pub(super) fn matches(&self, group: &Group, details: &GroupDetails) -> bool {
        let name = if self.in_name { group.name.as_str() } else { "" };
        let guid = if self.in_guid { group.guid.as_str() } else { "" };
        self.search.finds(name, guid)
            && self.types.as_ref().is_none_or(|types| types.contains(&group.group_type))
            && self.tags.as_ref().is_none_or(|tags| tags.iter().any(|tag| details.tags.contains(tag)))
            && (!self.must_have_tags || !details.tags.is_empty())
    }
}

/// The types of `type`, which is one word, and of `types`.
fn types(query: &mut Query) -> Result<Option<Vec<GroupType>>, V3Error> {
    let words = [GroupType::Public, GroupType::Private, GroupType::Password].map(|one| (one.as_str(), one));
    let (one, many) = (query.word("type", &words)?, query.list("types")?);
    let many = many.map(|many| many.iter().map(|word| word.parse::<GroupType>()).collect::<Result<Vec<_>, ()>>());
    let many = many.transpose().map_err(|()| V3Error::invalid("types", "out of public, private, password"))?;
    Ok(match (one, many) {
        (None, None) => None,
        (one, many) => Some(one.into_iter().chain(many.unwrap_or_default()).collect()),
    })
}
