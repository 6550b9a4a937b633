//! Validation of the claims of a token whose signature is valid.

use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;

use super::{Claims, TokenError, VerifiedBy};
use crate::domain::{Name, Uid, is_shown};

/// Accepted difference between the host's clock and ours, in seconds.
const LEEWAY: i64 = 5;
/// The last second that milliseconds count, with room for sums.
const LAST_SECOND: i64 = i64::MAX / 4000;
/// Most characters of a name; the rest is cut off.
const MAX_NAME: usize = 100;
/// Most bytes of the URL of a picture.
const MAX_AVATAR: usize = 2048;

/// Claims before validation. A duplicate claim is a parse error.
#[derive(Deserialize)]
pub(super) struct RawClaims {
    sub: Option<Value>,
    aud: Option<Value>,
    exp: Option<Value>,
    nbf: Option<Value>,
    iat: Option<Value>,
    name: Option<Value>,
    avatar: Option<Value>,
}

impl RawClaims {
    /// Validates the claims for the audience of `verified_by` at `now`, in Unix seconds.
    ///
    /// # Errors
    /// The [`TokenError`] of the first claim that is missing, cannot be read or is not valid at `now`.
    pub(super) fn check(self, verified_by: VerifiedBy, now: i64) -> Result<Claims, TokenError> {
        let subject = self.sub.ok_or(TokenError::MissingClaim("sub"))?;
        let audiences = self.aud.ok_or(TokenError::MissingClaim("aud"))?;
        let expires_at = seconds("exp", self.exp)?.ok_or(TokenError::MissingClaim("exp"))?;
        let not_before = seconds("nbf", self.nbf)?;
        let issued_at = seconds("iat", self.iat)?.map(f64::floor);

        let named = |value: &Value| value.as_str() == Some(&*verified_by.audience);
        if !(named(&audiences) || audiences.as_array().is_some_and(|all| all.iter().any(named))) {
            return Err(TokenError::WrongAudience);
        }
        // Beyond what counts, it is the end of counting.
        let expires_at = (expires_at.ceil() as i64).min(LAST_SECOND);
        if has_expired(expires_at, now) {
            return Err(TokenError::Expired);
        }
        if not_before.is_some_and(|start| ((now + LEEWAY) as f64) < start) {
            return Err(TokenError::NotYet);
        }
        // A date to come cannot be true, and its token would outlive every logout until then.
        if issued_at.is_some_and(|at| at > (now + LEEWAY) as f64) {
            return Err(TokenError::DatedAhead);
        }
        Ok(Claims {
            uid: subject
                .as_str()
                .and_then(|uid| uid.parse::<Uid>().and_then(Uid::of_a_person).ok())
                .ok_or(TokenError::BadSubject)?,
            name: self.name.as_ref().and_then(Value::as_str).and_then(shown_name),
            avatar: self.avatar.as_ref().and_then(Value::as_str).and_then(avatar_url).map(str::to_owned),
            expires_at,
            issued_at: issued_at.map(|at| at as i64),
            verified_by,
        })
    }
}

/// Whether a token that expires then has at `now`, both in Unix seconds. "The current time must be before" it:
/// RFC 7519, section 4.1.4.
pub(super) fn has_expired(expires_at: i64, now: i64) -> bool {
    now >= expires_at + LEEWAY
}

/// A `NumericDate` (RFC 7519, section 2): any number, also with a fraction. JSON has none that is not finite.
fn seconds(claim: &'static str, value: Option<Value>) -> Result<Option<f64>, TokenError> {
    let number = |value: Value| value.as_f64().filter(|number| number.is_finite()).ok_or(TokenError::BadTime(claim));
    value.map(number).transpose()
}

/// The name, cleaned: an unusable name is no reason to refuse the token.
fn shown_name(text: &str) -> Option<Name> {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    let cut: String = plain.trim().chars().take(MAX_NAME).collect();
    Name::parse(cut.trim_end()).ok()
}

/// The URL of a picture that browsers may load ([`is_shown`]), of at most 2048 bytes.
pub fn avatar_url(text: &str) -> Option<&str> {
    let is_plain = text.len() <= MAX_AVATAR && !text.contains(|c: char| c.is_control() || c.is_whitespace());
    let is_url = Url::parse(text).is_ok();
    (is_plain && is_url && is_shown(text)).then_some(text)
}
