//! The common part of most requests about a group: viewer, group and format of the response.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;

use super::group_access::GroupAccess;
use super::negotiate::RequestInfo;
use super::path::Path;
use super::viewer::Viewer;
use crate::app::App;
use crate::http::problem::Problem;
use crate::views::{Props, ViewContext};

/// A member's request about their group, below `/groups/{guid}`.
pub(in crate::http) struct GroupRequest {
    /// The application.
    pub app: App,
    /// The viewer who makes the request.
    pub viewer: Viewer,
    /// Their access to the group.
    pub access: GroupAccess,
    /// The request's format, language and query.
    pub info: RequestInfo,
}

/// The part of a path that names the group.
#[derive(Deserialize)]
struct GroupInPath {
    guid: String,
}

impl FromRequestParts<App> for GroupRequest {
    type Rejection = Problem;

    /// Checks the viewer, then the group, and reports the first error.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        let Path(GroupInPath { guid }) = Path::from_request_parts(parts, app).await?;
        let Ok(info) = RequestInfo::from_request_parts(parts, app).await;
        let access = GroupAccess::load(app, &viewer, &guid, &info).await?;
        info.check_shape()?;
        Ok(GroupRequest { app: app.clone(), viewer, access, info })
    }
}

impl GroupRequest {
    /// The [`ViewContext`] of the viewer with the props of the query.
    ///
    /// # Errors
    /// When a prop has a value that it cannot have, or names a template that is not there.
    pub(in crate::http) fn context(&self) -> Result<ViewContext, Problem> {
        self.access.context(&self.app, &self.viewer, Props::parse(self.info.pairs(), self.app.clock().now())?)
    }
}
