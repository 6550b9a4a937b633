//! Validation of the claims of a token whose signature is valid.

use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;

use super::{Claims, TokenError, Warrant};
use crate::domain::{Name, Uid};

/// Accepted difference between the host's clock and ours, in seconds.
const LEEWAY: i64 = 5;
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
    /// Validates the claims for the audience of the warrant at `now`, in seconds since the epoch.
    pub(super) fn check(self, warrant: Warrant, now: i64) -> Result<Claims, TokenError> {
        let subject = self.sub.ok_or(TokenError::MissingClaim("sub"))?;
        let audiences = self.aud.ok_or(TokenError::MissingClaim("aud"))?;
        let expires_at = seconds("exp", self.exp)?.ok_or(TokenError::MissingClaim("exp"))?;
        let not_before = seconds("nbf", self.nbf)?;
        let issued_at = seconds("iat", self.iat)?;

        let named = |value: &Value| value.as_str() == Some(&*warrant.audience);
        if !(named(&audiences) || audiences.as_array().is_some_and(|all| all.iter().any(named))) {
            return Err(TokenError::WrongAudience);
        }
        // "The current time must be before" it: RFC 7519, section 4.1.4.
        if now >= expires_at.saturating_add(LEEWAY) {
            return Err(TokenError::Expired);
        }
        if not_before.is_some_and(|start| now.saturating_add(LEEWAY) < start) {
            return Err(TokenError::NotYet);
        }
        Ok(Claims {
            uid: subject
                .as_str()
                .and_then(|uid| uid.parse::<Uid>().and_then(Uid::of_a_person).ok())
                .ok_or(TokenError::BadSubject)?,
            name: self.name.as_ref().and_then(Value::as_str).and_then(shown_name),
            avatar: self.avatar.as_ref().and_then(Value::as_str).and_then(avatar_url).map(str::to_owned),
            expires_at,
            issued_at,
            warrant,
        })
    }
}

fn seconds(claim: &'static str, value: Option<Value>) -> Result<Option<i64>, TokenError> {
    value.map(|value| value.as_i64().ok_or(TokenError::BadTime(claim))).transpose()
}

/// The name, cleaned: an unusable name is no reason to refuse the token.
fn shown_name(text: &str) -> Option<Name> {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    let cut: String = plain.trim().chars().take(MAX_NAME).collect();
    Name::parse(cut.trim_end()).ok()
}

/// The URL of a picture that browsers may load: https, an image in a `data:` URL, or http on this machine (for
/// development); at most 2048 bytes.
pub fn avatar_url(text: &str) -> Option<&str> {
    if text.len() > MAX_AVATAR || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return None;
    }
    // Parsed as in browsers (WHATWG URL), so that the host of `http://localhost@evil.example` is evil.example.
    let url = Url::parse(text).ok()?;
    let allowed = match url.scheme() {
        "https" => true,
        "http" => matches!(url.host_str(), Some("127.0.0.1" | "localhost")),
        "data" => url.path().get(..6).is_some_and(|kind| kind.eq_ignore_ascii_case("image/")),
        _ => false,
    };
    allowed.then_some(text)
}
