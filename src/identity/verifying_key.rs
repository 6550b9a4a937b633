//! One key that verifies viewer tokens.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, Validation};
use sha2::{Digest, Sha256};

use super::TokenError;
use super::claims::RawClaims;
use super::verified_by::KeyId;

/// A key and its algorithm.
pub(super) struct VerifyingKey {
    pub(super) kid: Option<String>,
    pub(super) algorithm: Algorithm,
    id: KeyId,
    key: DecodingKey,
    validation: Validation,
}

impl VerifyingKey {
    pub(super) fn new(algorithm: Algorithm, key: DecodingKey, kid: Option<String>) -> VerifyingKey {
        // `RawClaims::check` validates the claims, at a given time.
        let mut validation = Validation::new(algorithm);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        VerifyingKey { kid, algorithm, id: id(algorithm, &key), key, validation }
    }

    pub(super) fn id(&self) -> KeyId {
        self.id
    }

    /// The claims of `token` if this key signed it; `None` if another one did.
    ///
    /// # Errors
    /// [`TokenError::Malformed`] when the token cannot be read.
    pub(super) fn claims(&self, token: &str) -> Result<Option<RawClaims>, TokenError> {
        match jsonwebtoken::decode(token, &self.key, &self.validation) {
            Ok(data) => Ok(Some(data.claims)),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => Ok(None),
            Err(_) => Err(TokenError::Malformed),
        }
    }
}

fn id(algorithm: Algorithm, key: &DecodingKey) -> KeyId {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    };
    add(name(algorithm).as_bytes());
    match key.kind() {
        DecodingKeyKind::SecretOrDer(bytes) => add(bytes),
        DecodingKeyKind::RsaModulusExponent { n, e } => {
            add(n);
            add(e);
        }
    }
    KeyId(hash.finalize().into())
}

/// The name of the algorithm, as in the header of a token.
fn name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::HS256 => "HS256",
        Algorithm::HS384 => "HS384",
        Algorithm::HS512 => "HS512",
        Algorithm::ES256 => "ES256",
        Algorithm::ES384 => "ES384",
        Algorithm::RS256 => "RS256",
        Algorithm::RS384 => "RS384",
        Algorithm::RS512 => "RS512",
        Algorithm::PS256 => "PS256",
        Algorithm::PS384 => "PS384",
        Algorithm::PS512 => "PS512",
        Algorithm::EdDSA => "EdDSA",
        // The enum may grow. No key is made for an algorithm that is not among these.
        _ => "unknown",
    }
}
