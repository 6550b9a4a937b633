//! The variable parts of a path of `/v3`.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::V3Error;
use crate::http::extract;

/// The parts of a path, decoded. What cannot be decoded names nothing, which is answered as everything else is here.
pub(super) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = V3Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, V3Error> {
        let extract::Path(value) = extract::Path::from_request_parts(parts, state).await?;
        Ok(Path(value))
    }
}
