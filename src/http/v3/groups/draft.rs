//! A group to be made, as the host sends it.

use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::domain::{Group, GroupType, Guid, HOST_UID, InvalidId, Name, Uid};
use crate::http::v3::error::V3Error;
use crate::http::v3::lists::ListedUid;
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::body::{given, object_only};
use crate::http::v3::request::fields::{Description, Metadata, Password, Picture, Tags};
use crate::membership::GroupDraft;

/// A group to be made, perhaps with people in it from the start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"guid": "park", "name": "Park", "type": "public", "owner": "ada", "members": {"participants": ["dee"]}}))]
pub(in crate::http::v3) struct NewGroup {
    guid: Guid,
    name: Name,
    /// `public` unless given.
    #[serde(rename = "type")]
    group_type: Option<GroupType>,
    /// For the type `password`. Beside another type it is not kept; without a type it is refused, since the group would be public.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Password>)]
    password: Option<Password>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Picture>)]
    icon: Option<Picture>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Description>)]
    description: Option<Description>,
    metadata: Option<Metadata>,
    tags: Option<Tags>,
    /// A known user; without one, who asks: the user of onBehalfOf, or the host (`app_system`).
    owner: Option<OwnerName>,
    pub(super) members: Option<Buckets>,
}

/// Who is put in when a group is made. Of somebody listed twice the first list counts.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({"admins": ["ben"], "participants": ["dee", "eve"], "usersToBan": ["flo"]}))]
pub(super) struct Buckets {
    pub(super) admins: Option<Vec<ListedUid>>,
    pub(super) moderators: Option<Vec<ListedUid>>,
    pub(super) participants: Option<Vec<ListedUid>>,
    pub(super) users_to_ban: Option<Vec<ListedUid>>,
}

object_only!(Buckets);

/// An owner by name, who may be the host.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct OwnerName(pub Option<Uid>);

impl TryFrom<String> for OwnerName {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<OwnerName, InvalidId> {
        if text == HOST_UID { Ok(OwnerName(None)) } else { text.parse().map(|uid| OwnerName(Some(uid))) }
    }
}

impl PartialSchema for OwnerName {
    fn schema() -> RefOr<Schema> {
        Uid::schema()
    }
}

impl ToSchema for OwnerName {}

/// The group, checked.
///
/// # Errors
/// 400 when its id is one of a person's or a password lacks its type; `ERR_EMPTY_GROUP_PASS`.
pub(super) fn draft(caller: &Caller, body: NewGroup) -> Result<GroupDraft, V3Error> {
    let guid = body.guid.of_a_group().map_err(|error| V3Error::invalid("guid", error.to_string()))?;
    let password = match (body.group_type, body.password) {
        (Some(GroupType::Password), None) => return Err(V3Error::empty_password()),
        (Some(GroupType::Password), Some(password)) => Some(password.0),
        // A caller who gives a password expects that it protects the group.
        (None, Some(_)) => {
            let words = "it needs \"type\": \"password\" beside it; a group without a type is public";
            return Err(V3Error::invalid("password", words));
        }
        (Some(GroupType::Public | GroupType::Private), _) | (None, None) => None,
    };
    let group = Group {
        guid,
        name: body.name,
        group_type: body.group_type.unwrap_or(GroupType::Public),
        icon: body.icon.map(|url| url.0),
        description: body.description.map(|text| text.0),
    };
    Ok(GroupDraft {
        group,
        password,
        metadata: body.metadata.map(|metadata| metadata.0),
        tags: body.tags.unwrap_or_default().0,
        owner: body.owner.map_or(caller.user.clone(), |owner| owner.0),
    })
}
