//! One key of viewer tokens.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};

use super::TokenError;
use super::claims::RawClaims;

/// One key with its one algorithm.
pub(super) struct Key {
    pub(super) kid: Option<String>,
    pub(super) algorithm: Algorithm,
    key: DecodingKey,
    validation: Validation,
}

impl Key {
    pub(super) fn new(algorithm: Algorithm, key: DecodingKey, kid: Option<String>) -> Key {
        // `RawClaims` are checked elsewhere: against a time that is a parameter, and with integers only.
        let mut validation = Validation::new(algorithm);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        Key { kid, algorithm, key, validation }
    }

    /// The claims of `token` if this key signed it; `None` if the signature is of another key.
    ///
    /// # Errors
    /// [`TokenError`] when the token or its claims are malformed.
    pub(super) fn claims(&self, token: &str) -> Result<Option<RawClaims>, TokenError> {
        match jsonwebtoken::decode(token, &self.key, &self.validation) {
            Ok(data) => Ok(Some(data.claims)),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => Ok(None),
            Err(_) => Err(TokenError::Malformed),
        }
    }
}
