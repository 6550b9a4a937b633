//! Authentication of viewers: their tokens, the cookie that may carry a token, and the check that a request with a cookie
//! comes from our own pages.
//!
//! A viewer token is a JWT (RFC 7519) made by the host application. Only the identity is taken from it. The algorithm is a
//! property of the configured key; the token's header only selects among configured keys.
//!
//! `keys` verifies a token by one `verifying_key`, `jwks` fetches such keys, `claims` checks what a token says, `verified_tokens` remembers
//! it; `cookie` and `origin` are about tokens in cookies.
//!
//! Not here: permissions. Scopes are in the database, and `domain` has the rules.

mod claims;
pub mod cookie;
mod jwks;
mod keys;
pub mod origin;
#[cfg(test)]
mod tests;
mod verified_by;
mod verified_tokens;
mod verifying_key;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;

use crate::config::Secret;
use crate::domain::{Name, Uid};

pub use claims::avatar_url;
pub use jwks::JwksError;
pub use keys::Keys;
pub use verified_by::VerifiedBy;

/// The verified claims of a viewer token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// Claim `sub`.
    pub uid: Uid,
    /// Claim `name`, trimmed, without control characters, cut to 100 characters.
    pub name: Option<Name>,
    /// Claim `avatar`, if a browser may load it (see [`avatar_url`]).
    pub avatar: Option<String>,
    /// Claim `exp`: the end of the token, in Unix seconds, rounded up.
    pub expires_at: i64,
    /// Claim `iat`: when the token was issued, in Unix seconds, rounded down. It may be up to five seconds ahead
    /// of this service's clock.
    pub issued_at: Option<i64>,
    /// The key that verified the token.
    pub verified_by: VerifiedBy,
}

/// Why a token is not valid. The message is for the response and contains nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Over 8 KiB; it was not parsed.
    #[error("The token is longer than 8 KiB.")]
    TooLong,
    /// The text is not three base64url parts with JSON objects inside.
    #[error("This is not a signed token that can be read.")]
    Malformed,
    /// The header requires an unsupported feature: `crit`, an embedded key, another `typ`.
    #[error("The token's header asks for something that is not supported.")]
    UnsupportedHeader,
    /// No key of that algorithm is configured.
    #[error("The token is signed with an algorithm that is not accepted here.")]
    WrongAlgorithm,
    /// No key of the JWKS has this id (or, for a token without `kid`, fits it).
    #[error("The token is signed with a key that is not known here.")]
    UnknownKey,
    /// The signature is not the key's, or the token was modified.
    #[error("The token's signature is not valid.")]
    BadSignature,
    /// A required claim is missing.
    #[error("The token has no claim \"{0}\".")]
    MissingClaim(&'static str),
    /// A time is not a number.
    #[error("The token's claim \"{0}\" is not a number of seconds.")]
    BadTime(&'static str),
    /// `exp` is in the past.
    #[error("The token has expired.")]
    Expired,
    /// The person was logged out everywhere since it was issued.
    #[error("The token was issued before this person was logged out everywhere.")]
    LoggedOut,
    /// `iat` is more than five seconds in the future.
    #[error("The token's claim \"iat\" is in the future: its maker's clock is ahead.")]
    DatedAhead,
    /// `nbf` is in the future.
    #[error("The token is not valid yet.")]
    NotYet,
    /// `aud` does not contain the configured audience.
    #[error("The token is meant for another audience.")]
    WrongAudience,
    /// `sub` is no uid.
    #[error("The token's subject is not a user id (1 to 100 of A-Z, a-z, 0-9, _ and -).")]
    BadSubject,
}

/// The claims of a new token. Times are in Unix seconds.
#[derive(Debug, Clone, Serialize)]
pub struct NewToken<'a> {
    /// The uid.
    #[serde(rename = "sub")]
    pub uid: &'a str,
    /// The audience that will verify it ([`crate::config::Config::viewer_audience`]).
    #[serde(rename = "aud")]
    pub audience: &'a str,
    /// When it was issued.
    #[serde(rename = "iat")]
    pub issued_at: i64,
    /// When it expires.
    #[serde(rename = "exp")]
    pub expires_at: i64,
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The URL of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<&'a str>,
}

/// Signs a viewer token with HS256, as a host application does.
pub fn mint(secret: &Secret, token: &NewToken) -> String {
    let key = EncodingKey::from_secret(secret.expose().as_bytes());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), token, &key).expect("texts and numbers sign with any secret")
}
