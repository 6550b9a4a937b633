//! Tokens that have been verified: a viewer sends the same one with every request, and a signature costs more than most
//! answers.

use std::collections::HashSet;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::Claims;
use super::claims::has_expired;
use crate::domain::Uid;

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
    /// When, in Unix seconds.
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

    /// The claims of this token, if it was verified before and is valid at `now`, in Unix seconds. The
    /// beginning of its validity is not checked again, unless the clock was set back since.
    pub(super) fn get(&self, token: &Hash, now: i64) -> Option<Claims> {
        let Verified { claims, at } = self.0.get(token)?;
        (at <= now && !has_expired(claims.expires_at, now)).then_some(claims)
    }

    pub(super) fn put(&self, token: Hash, claims: &Claims, now: i64) {
        self.0.insert(token, Verified { claims: claims.clone(), at: now });
    }

    /// Forgets the tokens of these people.
    pub(super) fn forget(&self, people: &[Uid]) {
        let people: HashSet<&Uid> = people.iter().collect();
        if !people.is_empty() {
            self.0.retain(|_, Verified { claims, .. }| !people.contains(&claims.uid));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::VerifiedBy;
    use crate::identity::verified_by::KeyId;

    const NOW: i64 = 1_800_000_000;

    fn claims_of(uid: &str) -> Claims {
        Claims {
            uid: uid.parse().unwrap(),
            name: None,
            avatar: None,
            expires_at: NOW + 60,
            issued_at: None,
            verified_by: VerifiedBy { key: KeyId([0; 32]), audience: "chat".into() },
        }
    }

    #[test]
    fn of_somebody_who_is_erased_no_token_is_kept_and_of_others_all() {
        let tokens = VerifiedTokens::default();
        let kept = |token: &str| tokens.get(&VerifiedTokens::hash(token), NOW).is_some();
        for (token, uid) in [("on her phone", "zora"), ("on her laptop", "zora"), ("of another", "dee")] {
            tokens.put(VerifiedTokens::hash(token), &claims_of(uid), NOW);
            assert!(kept(token), "{token}");
        }
        tokens.forget(&[]);
        assert!(kept("on her phone"), "nobody is erased");
        tokens.forget(&["zora".parse().unwrap(), "eve".parse().unwrap()]);
        let left = ["on her phone", "on her laptop", "of another"].map(kept);
        assert_eq!(left, [false, false, true]);
    }
}
