//! The variable parts of a path of `/v3`.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::extract;
use crate::http::v3::error::V3Error;

/// The parts of a path, decoded. A part that cannot be decoded names nothing, which is answered as everything else is here.
pub(in crate::http::v3) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = V3Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, V3Error> {
        let extract::Path(value) = extract::Path::from_request_parts(parts, state).await?;
        Ok(Path(value))
    }
}
