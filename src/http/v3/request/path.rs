//! The variable parts of a path of `/v3`.

use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path as Named};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::extract;
use crate::http::v3::error::V3Error;

/// The parts of a path, decoded. A part that cannot be decoded names nothing, which is answered as everything else is here.
pub(in crate::http::v3) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = V3Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, V3Error> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Path(value)),
            Err(problem) => Err(match unreadable(parts, state).await.as_deref() {
                Some("uid") => V3Error::no_user(),
                Some("seq") => V3Error::no_event(),
                Some("id") => V3Error::no_webhook(),
                _ => problem.into(),
            }),
        }
    }
}

/// The name of the first part that cannot be decoded or stored.
async fn unreadable<S: Send + Sync>(parts: &mut Parts, state: &S) -> Option<String> {
    match Named::<Vec<(String, String)>>::from_request_parts(parts, state).await {
        Ok(Named(named)) => named.into_iter().find(|(_, value)| value.contains('\0')).map(|(name, _)| name),
        Err(PathRejection::FailedToDeserializePathParams(error)) => match error.into_kind() {
            ErrorKind::InvalidUtf8InPathParam { key } => Some(key),
            _ => None,
        },
        Err(_) => None,
    }
}
