//! Who is asking: viewer tokens, the cookie that may carry them, and whether a page of ours sent it.
//!
//! A viewer token is a JWT (RFC 7519) made by the host application. Only identity is taken from
//! it, never a right. Its algorithm is a property of the configured key; the token's header only
//! chooses among keys that we already hold.

mod claims;
pub mod cookie;
mod jwks;
mod key;
mod keys;
pub mod origin;
#[cfg(test)]
mod tests;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;

use crate::config::Secret;
use crate::domain::{Name, Uid};

pub use claims::avatar_url;
pub use jwks::JwksError;
pub use keys::Keys;

/// What a viewer token says about its bearer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Claim `sub`.
    pub uid: Uid,
    /// Claim `name`, trimmed, without control characters, cut to 100 characters.
    pub name: Option<Name>,
    /// Claim `avatar`, if a browser may load it (see [`avatar_url`]).
    pub avatar: Option<String>,
    /// Claim `exp`: seconds since the epoch at which the token ends.
    pub expires_at: i64,
}

/// Why a token is not valid. The sentence goes into the answer; it contains nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Over 8 KiB; nothing of it was read.
    #[error("The token is longer than 8 KiB.")]
    TooLong,
    /// Not three base64url parts with JSON objects inside.
    #[error("This is not a signed token that can be read.")]
    Malformed,
    /// The header uses an unsupported feature: `crit`, an embedded key, another `typ`.
    #[error("The token's header asks for something that is not supported.")]
    UnsupportedHeader,
    /// No key of that algorithm is configured.
    #[error("The token is signed with an algorithm that is not accepted here.")]
    WrongAlgorithm,
    /// No key of the JWKS has this id (or, for a token without `kid`, fits it).
    #[error("The token is signed with a key that is not known here.")]
    UnknownKey,
    /// Signed by somebody else, or changed on the way.
    #[error("The token's signature is not valid.")]
    BadSignature,
    /// A claim that must be there is not.
    #[error("The token has no claim \"{0}\".")]
    MissingClaim(&'static str),
    /// A time is not an integer.
    #[error("The token's claim \"{0}\" is not a whole number of seconds.")]
    BadTime(&'static str),
    /// `exp` is over.
    #[error("The token has expired.")]
    Expired,
    /// `nbf` is still to come.
    #[error("The token is not valid yet.")]
    NotYet,
    /// `aud` does not contain the configured audience.
    #[error("The token is meant for another audience.")]
    WrongAudience,
    /// `sub` is no uid.
    #[error("The token's subject is not a user id (1 to 100 of A-Z, a-z, 0-9, _ and -).")]
    BadSubject,
}

/// The claims of a token to be made. Times are seconds since the epoch.
#[derive(Debug, Clone, Serialize)]
pub struct NewToken<'a> {
    /// The uid.
    #[serde(rename = "sub")]
    pub uid: &'a str,
    /// The audience that will verify it ([`crate::config::Config::viewer_audience`]).
    #[serde(rename = "aud")]
    pub audience: &'a str,
    /// When it was made.
    #[serde(rename = "iat")]
    pub issued_at: i64,
    /// When it ends.
    #[serde(rename = "exp")]
    pub expires_at: i64,
    /// Shown name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<&'a str>,
}

/// Makes a viewer token as a host application would: HS256 with `secret`.
pub fn mint(secret: &Secret, token: &NewToken) -> String {
    let key = EncodingKey::from_secret(secret.expose().as_bytes());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), token, &key).expect("texts and numbers sign with any secret")
}
