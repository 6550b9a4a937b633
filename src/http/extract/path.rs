//! The variable parts of a path.

use axum::extract::{FromRequestParts, Path as Parts};
use axum::http::request;
use serde::de::DeserializeOwned;

use crate::http::problem::Problem;

/// NUL, which PostgreSQL takes in no text.
const NUL: &str = "%00";

/// The parts of a path, decoded. A part that cannot be decoded or stored names nothing: it is not there.
pub(in crate::http) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Problem> {
        if parts.uri.path().contains(NUL) {
            return Err(Problem::not_there());
        }
        let Parts(value) = Parts::from_request_parts(parts, state).await.map_err(|_| Problem::not_there())?;
        Ok(Path(value))
    }
}
