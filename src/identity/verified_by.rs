//! The key that verified a token, so that the streams it opened end when the key is gone.

use std::fmt;
use std::sync::Arc;

/// Identifies a key by its content. `Debug` does not print it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyId(pub(super) [u8; 32]);

/// A key, and the audience that the token named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedBy {
    pub(super) key: KeyId,
    pub(super) audience: Arc<str>,
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyId(…)")
    }
}
