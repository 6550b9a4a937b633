//! The host's public keys: a JWKS (RFC 7517) in a file or behind a URL.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::verify;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::AsyncReadExt;

use super::verifying_key::VerifyingKey;

/// Most bytes of a JWKS.
const MAX_BYTES: u64 = 256 * 1024;
/// Most keys of a JWKS: a token without `kid` is tried with each key of its algorithm.
const MAX_KEYS: usize = 64;
/// Longest duration of a whole request.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The JWKS cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum JwksError {
    /// The file cannot be read.
    #[error("cannot read the JWKS file {0}: {1}")]
    File(String, std::io::Error),
    /// The URL does not answer.
    #[error("cannot fetch the JWKS: {}", chain(.0))]
    Fetch(reqwest::Error),
    /// The response of the URL is not 200.
    #[error("cannot fetch the JWKS: the answer is {0} (redirects are not followed; give the final address)")]
    Status(u16),
    /// Over 256 KiB.
    #[error("the JWKS is larger than 256 KiB")]
    TooLarge,
    /// The text is not a JSON object with an array `keys`.
    #[error("the JWKS cannot be read: {0}")]
    Syntax(serde_json::Error),
    /// No key in it can verify a viewer token.
    #[error(
        "the JWKS has no usable key; it needs a public key of Ed25519 (EdDSA), P-256 (ES256), or RSA of 2048 bits \
         or more (RS256), meant for signatures"
    )]
    NoKey,
}

/// The error is not kept as the source: its message has the causes already.
impl From<reqwest::Error> for JwksError {
    fn from(error: reqwest::Error) -> JwksError {
        JwksError::Fetch(error)
    }
}

/// The location of a JWKS.
pub(super) enum JwksSource {
    File(String),
    Url(String, reqwest::Client),
}

impl JwksSource {
    /// An http or https URL, else the path of a file.
    ///
    /// # Errors
    /// [`JwksError::Fetch`] when no HTTP client can be made.
    pub(super) fn new(text: &str) -> Result<JwksSource, JwksError> {
        if !text.starts_with("http://") && !text.starts_with("https://") {
            return Ok(JwksSource::File(text.to_owned()));
        }
        // A redirect could lead from https to http, or to a host that is not configured.
        let client = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
        Ok(JwksSource::Url(text.to_owned(), client))
    }

    /// Loads the current keys.
    ///
    /// # Errors
    /// [`JwksError::File`], [`JwksError::Fetch`] or [`JwksError::Status`] when they cannot be read; [`JwksError::TooLarge`]; as
    /// [`parse`].
    pub(super) async fn load(&self) -> Result<Vec<VerifyingKey>, JwksError> {
        let bytes = match self {
            JwksSource::File(path) => read(path).await.map_err(|error| JwksError::File(path.clone(), error))?,
            JwksSource::Url(url, client) => fetch(url, client).await?,
        };
        if bytes.len() as u64 > MAX_BYTES {
            return Err(JwksError::TooLarge);
        }
        parse(&bytes)
    }
}

async fn read(path: &str) -> std::io::Result<Vec<u8>> {
    let reading = async {
        let mut bytes = Vec::new();
        tokio::fs::File::open(path).await?.take(MAX_BYTES + 1).read_to_end(&mut bytes).await?;
        Ok(bytes)
    };
    // A file on a server that is away, or one that nobody writes to, hangs.
    tokio::time::timeout(TIMEOUT, reading).await?
}

async fn fetch(url: &str, client: &reqwest::Client) -> Result<Vec<u8>, JwksError> {
    let mut answer = client.get(url).header("accept", "application/jwk-set+json, application/json").send().await?;
    if answer.status() != reqwest::StatusCode::OK {
        return Err(JwksError::Status(answer.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(JwksError::TooLarge);
        }
    }
    Ok(bytes)
}

/// The usable keys of a JWKS. Others are ignored, since a set may contain keys for other purposes (RFC 7517, section 5).
///
/// # Errors
/// [`JwksError::Syntax`]; [`JwksError::NoKey`] when none is usable.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<VerifyingKey>, JwksError> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    let set: Set = serde_json::from_slice(bytes).map_err(JwksError::Syntax)?;
    let usable: Vec<VerifyingKey> = set.keys.into_iter().filter_map(usable_key).take(MAX_KEYS).collect();
    if usable.is_empty() { Err(JwksError::NoKey) } else { Ok(usable) }
}

fn usable_key(value: Value) -> Option<VerifyingKey> {
    let jwk: Jwk = serde_json::from_value(value).ok()?;
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    let algorithm = algorithm(&jwk, &key)?;
    let named = jwk.common.key_algorithm.is_none_or(|named| named == KeyAlgorithm::from(algorithm));
    let signs = jwk.common.public_key_use.is_none_or(|purpose| purpose == PublicKeyUse::Signature);
    let verifies = jwk.common.key_operations.is_none_or(|all| all.contains(&KeyOperations::Verify));
    (named && signs && verifies).then(|| VerifyingKey::new(algorithm, key, jwk.common.key_id))
}

/// The algorithm of a key, by its type, curve and size. A shared secret (`oct`) is refused: with it, anybody who can read
/// the public document could sign.
fn algorithm(jwk: &Jwk, key: &DecodingKey) -> Option<Algorithm> {
    match (&jwk.algorithm, key.kind()) {
        (AlgorithmParameters::OctetKeyPair(okp), DecodingKeyKind::SecretOrDer(x)) => {
            let is_key = okp.curve == EllipticCurve::Ed25519 && x.len() == 32 && !is_forgeable(key);
            is_key.then_some(Algorithm::EdDSA)
        }
        // An uncompressed point has 65 bytes: one for the form and twice 32.
        (AlgorithmParameters::EllipticCurve(ec), DecodingKeyKind::SecretOrDer(point)) => {
            (ec.curve == EllipticCurve::P256 && point.len() == 65).then_some(Algorithm::ES256)
        }
        // 2048 bits is the least that RFC 7518, section 3.3, allows. With the exponent 1 a signature is its own message.
        (AlgorithmParameters::RSA(_), DecodingKeyKind::RsaModulusExponent { n, e }) => {
            let digits = |number: &[u8]| number.iter().copied().skip_while(|&byte| byte == 0).collect::<Vec<_>>();
            (digits(n).len() >= 256 && digits(e) != [1]).then_some(Algorithm::RS256)
        }
        _ => None,
    }
}

/// Messages that a forged signature is tried on.
const MESSAGES: u8 = 64;

/// Whether an Ed25519 key is one of the points of an order up to 8 (RFC 8032, 5.1), under which everybody can sign: the signature of
/// the neutral point and the number 0 is right for every eighth message, at least.
fn is_forgeable(key: &DecodingKey) -> bool {
    let mut signature = [0; 64];
    signature[0] = 1;
    let signature = URL_SAFE_NO_PAD.encode(signature);
    (0..MESSAGES).any(|message| verify(&signature, &[message], key, Algorithm::EdDSA).unwrap_or(false))
}

/// An error with its causes; reqwest's own message has only the outermost one. The URL is left out, since it may contain a
/// key.
fn chain(error: &reqwest::Error) -> String {
    let mut text = match error {
        error if error.is_timeout() => "no answer in time".to_owned(),
        error if error.is_connect() => "cannot connect".to_owned(),
        _ => "the request failed".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}
