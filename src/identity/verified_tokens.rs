//! Tokens that have been verified: a viewer sends the same one with every request, and a signature costs more than most
//! answers.

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::Claims;
use super::claims::has_expired;

/// Most bytes that are kept, roughly.
const CAPACITY: u64 = 8 << 20;
/// Tokens that fit into it, roughly.
const TOKENS: usize = 20_000;
/// Bytes of an entry without its texts, roughly.
const ENTRY: usize = 300;

/// Claims by the SHA-256 of their token; tokens that are not used again are forgotten first.
pub(super) struct VerifiedTokens(Cache<Hash, Verified, ByBytes>);

/// Tells a token from every other. It is no secret: who knows it cannot make the token.
pub(super) type Hash = [u8; 32];

#[derive(Clone)]
struct Verified {
    claims: Claims,
    /// When, in seconds since the epoch.
    at: i64,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Hash, Verified> for ByBytes {
    fn weight(&self, _: &Hash, Verified { claims, .. }: &Verified) -> u64 {
        let name = claims.name.as_ref().map_or(0, |name| name.as_str().len());
        (ENTRY + claims.uid.as_str().len() + name + claims.avatar.as_ref().map_or(0, String::len)) as u64
    }
}

impl Default for VerifiedTokens {
    fn default() -> Self {
        VerifiedTokens(Cache::with_weighter(TOKENS, CAPACITY, ByBytes))
    }
}

impl VerifiedTokens {
    pub(super) fn hash(token: &str) -> Hash {
        Sha256::digest(token).into()
    }

    /// The claims of this token, if it was verified before and is valid at `now`, in seconds since the epoch. The
    /// beginning of its validity is not checked again, unless the clock was set back since.
    pub(super) fn get(&self, token: &Hash, now: i64) -> Option<Claims> {
        let Verified { claims, at } = self.0.get(token)?;
        (at <= now && !has_expired(claims.expires_at, now)).then_some(claims)
    }

    pub(super) fn put(&self, token: Hash, claims: &Claims, now: i64) {
        self.0.insert(token, Verified { claims: claims.clone(), at: now });
    }
}
