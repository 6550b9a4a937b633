//! A user joins a group.

use crate::app::App;
use crate::domain::{GroupType, Refusal, Uid};
use crate::http::v3::error::V3Error;
use crate::http::v3::groups;
use crate::http::v3::records::HostGroup;
use crate::http::v3::request::auth::Caller;
use crate::http::v3::request::fields::Password;
use crate::live::LiveGroup;
use crate::membership::{self, ActError, Outcome};

/// Lets a user join; returns the group as they read it then.
///
/// # Errors
/// The refusal of the act.
pub(super) async fn record(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    user: &Uid,
    password: Option<Password>,
) -> Result<HostGroup, V3Error> {
    let outcome = join(app, caller, group, user, password).await?;
    app.hub().catch_up_after_commit(group, outcome.seq).await?;
    groups::record(app, group, caller).await.map_err(V3Error::after_commit)
}

/// Joins, with the original's errors for what prevents it.
async fn join(
    app: &App,
    caller: &Caller,
    group: &LiveGroup,
    user: &Uid,
    password: Option<Password>,
) -> Result<Outcome, V3Error> {
    let request = caller.act_request(group.guid());
    let group_type = group.state().roster().group().group_type;
    let given = password.is_some();
    let joined =
        membership::join(app.store(), request, user.clone(), None, None, password.map(|password| password.0)).await;
    match joined {
        Ok(outcome) => Ok(outcome),
        Err(ActError::NoSuchGroup) if group_type == GroupType::Private => Err(V3Error::join_not_allowed()),
        // They joined under this key, and have left since.
        Err(ActError::NoSuchGroup) => Err(V3Error::not_joined()),
        Err(ActError::Refused { refusal: Refusal::WrongPassword, .. }) if given => Err(V3Error::wrong_password()),
        Err(ActError::Refused { refusal: Refusal::WrongPassword, .. }) => Err(V3Error::empty_password()),
        Err(error) => Err(error.into()),
    }
}
