//! The keys of viewer tokens, and verification with them.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use jsonwebtoken::{Algorithm, DecodingKey, Header};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::claims::RawClaims;
use super::jwks::{JwksError, JwksSource};
use super::verified_by::{KeyId, VerifiedBy};
use super::verified_tokens::VerifiedTokens;
use super::verifying_key::VerifyingKey;
use super::{Claims, TokenError};
use crate::config::Config;
use crate::domain::Uid;
use crate::store::FailureLog;

/// Most bytes of a token.
const MAX_TOKEN: usize = 8 * 1024;
/// Most bytes of a key id.
const MAX_KID: usize = 200;
/// Least time between two fetches of the JWKS, in seconds: anybody can send tokens with unknown keys.
const MIN_FETCH_INTERVAL: u64 = 30;
/// Age at which the JWKS is fetched again, in seconds, so that removed keys stop working.
const STALE_AFTER: u64 = 600;

/// The configured keys of viewer tokens; cheap to clone.
#[derive(Clone)]
pub struct Keys(Arc<Inner>);

struct Inner {
    set: RwLock<Arc<KeySet>>,
    /// Counts the changes of keys; open streams watch it.
    version: watch::Sender<u64>,
}

/// The keys for viewer tokens of one configuration.
struct KeySet {
    audience: Arc<str>,
    secrets: Vec<VerifyingKey>,
    jwks: Option<Jwks>,
    verified: VerifiedTokens,
}

struct Jwks {
    source: JwksSource,
    keys: RwLock<Arc<Vec<VerifyingKey>>>,
    /// When the keys were loaded, in Unix seconds.
    loaded_at: AtomicI64,
    /// When a fetch was last attempted, in Unix seconds. Locked during a fetch, so that there is only one.
    attempted_at: Mutex<i64>,
    /// Failed fetches. A JWKS that stays broken is fetched every 30 seconds.
    failures: FailureLog,
}

impl Keys {
    /// The keys of the configuration, including those of its JWKS. `now` is in Unix seconds.
    ///
    /// # Errors
    /// When the JWKS cannot be loaded or has no usable key.
    pub async fn from_config(config: &Config, now: i64) -> Result<Keys, JwksError> {
        let secret = |secret: &crate::config::Secret| {
            VerifyingKey::new(Algorithm::HS256, DecodingKey::from_secret(secret.expose().as_bytes()), None)
        };
        let jwks = match &config.viewer_jwks {
            Some(place) => Some(Jwks::load(JwksSource::new(place)?, now).await?),
            None => None,
        };
        let set = KeySet {
            audience: config.viewer_audience.as_str().into(),
            secrets: config.viewer_secrets.iter().map(secret).collect(),
            jwks,
            verified: VerifiedTokens::default(),
        };
        Ok(Keys(Arc::new(Inner { set: RwLock::new(Arc::new(set)), version: watch::Sender::new(0) })))
    }

    /// Takes over the keys of another configuration.
    pub fn replace(&self, other: &Keys) {
        let set = other.set();
        *self.0.set.write().unwrap_or_else(PoisonError::into_inner) = set;
        self.0.version.send_modify(|version| *version += 1);
    }

    /// Whether a token that was accepted by this would be still, apart from its times.
    pub fn still_accepts(&self, verified_by: &VerifiedBy) -> bool {
        self.set().still_accepts(verified_by)
    }

    /// Changes when a key may have gone.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.0.version.subscribe()
    }

    /// The claims of `token` at `now`, in Unix seconds. An unknown key causes a fetch of the JWKS, at most every
    /// 30 seconds; otherwise nothing is waited for.
    ///
    /// # Errors
    /// When the token is not valid.
    pub async fn verify(&self, token: &str, now: i64) -> Result<Claims, TokenError> {
        let set = self.set();
        let answer = set.verify(token, now);
        let Some(jwks) = &set.jwks else { return answer };
        if answer == Err(TokenError::UnknownKey) {
            self.reload(&set, now).await;
            return self.verify_now(token, now);
        }
        if jwks.is_stale(now) && jwks.attempted_at.try_lock().is_ok() {
            let (keys, set) = (self.clone(), set.clone());
            tokio::spawn(async move { keys.reload(&set, now).await });
        }
        answer
    }

    /// Fetches a JWKS again that is stale, so that a key that it has lost is noticed also while nobody sends a token.
    pub async fn refresh(&self, now: i64) {
        let set = self.set();
        if set.jwks.as_ref().is_some_and(|jwks| jwks.is_stale(now)) {
            self.reload(&set, now).await;
        }
    }

    /// Like [`Keys::verify`], with the loaded keys only.
    ///
    /// # Errors
    /// When the token is not valid. After [`TokenError::UnknownKey`], [`Keys::verify`] may succeed.
    pub fn verify_now(&self, token: &str, now: i64) -> Result<Claims, TokenError> {
        self.set().verify(token, now)
    }

    /// Forgets what the verified tokens of these people say. One that is sent again is verified again.
    pub fn forget(&self, people: &[Uid]) {
        self.set().verified.forget(people);
    }

    async fn reload(&self, set: &KeySet, now: i64) {
        if let Some(jwks) = &set.jwks
            && jwks.reload(now).await
        {
            self.0.version.send_modify(|version| *version += 1);
        }
    }

    fn set(&self) -> Arc<KeySet> {
        self.0.set.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl KeySet {
    fn still_accepts(&self, verified_by: &VerifiedBy) -> bool {
        let has = |keys: &[VerifyingKey]| keys.iter().any(|key| key.id() == verified_by.key);
        self.audience == verified_by.audience
            && (has(&self.secrets) || self.jwks.as_ref().is_some_and(|jwks| has(&jwks.keys())))
    }

    fn verify(&self, token: &str, now: i64) -> Result<Claims, TokenError> {
        if token.len() > MAX_TOKEN {
            return Err(TokenError::TooLong);
        }
        let hash = VerifiedTokens::hash(token);
        // A key of the JWKS may be gone.
        if let Some(claims) = self.verified.get(&hash, now).filter(|claims| self.still_accepts(&claims.verified_by)) {
            return Ok(claims);
        }
        let claims = self.verify_anew(token, now)?;
        self.verified.put(hash, &claims, now);
        Ok(claims)
    }

    fn verify_anew(&self, token: &str, now: i64) -> Result<Claims, TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Malformed)?;
        check_header(&header)?;
        let (claims, key) = match (header.alg, &self.jwks) {
            (Algorithm::HS256, _) if !self.secrets.is_empty() => {
                first(self.secrets.iter(), token)?.ok_or(TokenError::BadSignature)?
            }
            (Algorithm::EdDSA | Algorithm::ES256 | Algorithm::RS256, Some(jwks)) => {
                jwks.claims(token, header.alg, header.kid.as_deref())?
            }
            _ => return Err(TokenError::WrongAlgorithm),
        };
        claims.check(VerifiedBy { key, audience: self.audience.clone() }, now)
    }
}

/// Refuses headers that change the meaning of the signature. Keys and URLs in a header (`jku`, `x5u`, `x5c`) are never
/// used.
fn check_header(header: &Header) -> Result<(), TokenError> {
    // The same keys may sign other kinds of tokens, so the type is checked (RFC 8725, section 3.11).
    let typ = header.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
    let ours = matches!(typ.strip_prefix("application/").unwrap_or(&typ), "jwt" | "at+jwt");
    let plain = header.crit.is_none()
        && header.jwk.is_none()
        && header.enc.is_none()
        && header.zip.is_none()
        && !header.extras.inner().contains_key("b64")
        && header.kid.as_ref().is_none_or(|kid| kid.len() <= MAX_KID);
    if ours && plain { Ok(()) } else { Err(TokenError::UnsupportedHeader) }
}

/// The claims by the first key that verifies the token, and that key.
fn first<'a>(
    keys: impl Iterator<Item = &'a VerifyingKey>,
    token: &str,
) -> Result<Option<(RawClaims, KeyId)>, TokenError> {
    for key in keys {
        if let Some(claims) = key.claims(token)? {
            return Ok(Some((claims, key.id())));
        }
    }
    Ok(None)
}

impl Jwks {
    async fn load(source: JwksSource, now: i64) -> Result<Jwks, JwksError> {
        let keys = RwLock::new(Arc::new(source.load().await?));
        let (loaded_at, attempted_at) = (AtomicI64::new(now), Mutex::new(now));
        Ok(Jwks { source, keys, loaded_at, attempted_at, failures: FailureLog::new() })
    }

    fn claims(&self, token: &str, algorithm: Algorithm, kid: Option<&str>) -> Result<(RawClaims, KeyId), TokenError> {
        let keys = self.keys();
        // A key without an id matches any token of its algorithm, and a token without one any key.
        let matches = |key: &&VerifyingKey| match (kid, &key.kid) {
            (Some(asked), Some(own)) => asked == own,
            _ => true,
        };
        let same_algorithm = || keys.iter().filter(|key| key.algorithm == algorithm);
        if let Some(claims) = first(same_algorithm().filter(matches), token)? {
            return Ok(claims);
        }
        let known = kid.is_some_and(|kid| keys.iter().any(|key| key.kid.as_deref() == Some(kid)));
        Err(if known { TokenError::BadSignature } else { TokenError::UnknownKey })
    }

    fn keys(&self) -> Arc<Vec<VerifyingKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_stale(&self, now: i64) -> bool {
        now.abs_diff(self.loaded_at.load(Ordering::Relaxed)) >= STALE_AFTER
    }

    /// Fetches the keys again, at most once in [`MIN_FETCH_INTERVAL`]; returns whether they have changed. When the fetch fails, the
    /// present keys stay. `now` in Unix seconds.
    async fn reload(&self, now: i64) -> bool {
        let mut attempted_at = self.attempted_at.lock().await;
        // The absolute difference, so that a clock that was set back does not prevent fetches.
        if now.abs_diff(*attempted_at) < MIN_FETCH_INTERVAL {
            return false;
        }
        *attempted_at = now;
        let keys = match self.source.load().await {
            Ok(keys) => keys,
            Err(error) => {
                if self.failures.failed(&error.to_string(), Instant::now()) {
                    tracing::warn!(%error, "cannot fetch the JWKS; keeping the loaded keys");
                }
                return false;
            }
        };
        if self.failures.succeeded(Instant::now()) {
            tracing::info!("the JWKS is fetched again");
        }
        self.loaded_at.store(now, Ordering::Relaxed);
        let before = std::mem::replace(&mut *self.keys.write().unwrap_or_else(PoisonError::into_inner), Arc::new(keys));
        let ids = |keys: &[VerifyingKey]| keys.iter().map(VerifyingKey::id).collect::<Vec<_>>();
        ids(&before) != ids(&self.keys())
    }
}
