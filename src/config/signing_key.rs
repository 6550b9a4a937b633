//! Keys that sign webhooks.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Begins a secret (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).
const SECRET_PREFIX: &str = "whsec_";
/// Least and greatest length of a key, in bytes, by the same specification.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// A key that signs webhooks. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey(Vec<u8>);

impl SigningKey {
    /// Reads a secret: `whsec_` and the base64 of 24 to 64 bytes.
    ///
    /// # Errors
    /// A sentence about what is wrong, without the secret.
    pub fn parse(text: &str) -> Result<SigningKey, String> {
        let problem = |what: String| format!("the secret {what}; make one with: echo whsec_$(openssl rand -base64 32)");
        let encoded =
            text.strip_prefix(SECRET_PREFIX).ok_or_else(|| problem(format!("must begin with {SECRET_PREFIX}")))?;
        let bytes = STANDARD.decode(encoded).map_err(|_| problem("is not base64 behind whsec_".into()))?;
        if !KEY_BYTES.contains(&bytes.len()) {
            let (least, most) = KEY_BYTES.into_inner();
            return Err(problem(format!("has {} bytes and needs {least} to {most}", bytes.len())));
        }
        Ok(SigningKey(bytes))
    }

    /// The bytes of the key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_a_prefix_and_enough_bytes_and_is_never_printed() {
        let of = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for good in [24, 32, 64] {
            assert_eq!(SigningKey::parse(&of(good)).unwrap().bytes().len(), good);
        }
        for bad in ["hunter2", "whsec_", "whsec_hunter2!", &of(23), &of(65)] {
            let problem = SigningKey::parse(bad).unwrap_err();
            assert!(problem.contains("openssl rand") && !problem.contains("hunter2"), "{problem}");
        }
        assert_eq!(format!("{:?}", SigningKey::parse(&of(32)).unwrap()), "SigningKey(…)");
    }
}
