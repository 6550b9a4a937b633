//! The keys in `testkeys/` were made for these tests (`openssl genpkey`) and are used nowhere else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::jwks::parse;
use super::*;

const JWKS: &str = include_str!("../testkeys/jwks.json");
const JWKS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/identity/testkeys/jwks.json");

fn ed() -> EncodingKey {
    EncodingKey::from_ed_der(include_bytes!("../testkeys/ed25519.der"))
}

fn ec() -> EncodingKey {
    EncodingKey::from_ec_der(include_bytes!("../testkeys/p256.der"))
}

fn rsa() -> EncodingKey {
    EncodingKey::from_rsa_der(include_bytes!("../testkeys/rsa.der"))
}

fn signed_by(key: &EncodingKey, algorithm: Algorithm, kid: Option<&str>) -> String {
    let header = Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
    jsonwebtoken::encode(&header, &good(), key).unwrap()
}

#[tokio::test]
async fn the_hosts_public_keys_verify_eddsa_es256_and_rs256() {
    let keys = keys(&[], Some(JWKS_FILE)).await;
    for (key, algorithm, kid) in
        [(ed(), Algorithm::EdDSA, "ed"), (ec(), Algorithm::ES256, "ec"), (rsa(), Algorithm::RS256, "rsa")]
    {
        assert!(keys.verify(&signed_by(&key, algorithm, Some(kid)), NOW).await.is_ok(), "{kid}");
        assert!(keys.verify(&signed_by(&key, algorithm, None), NOW).await.is_ok(), "{kid} without kid");
        let unknown = signed_by(&key, algorithm, Some("other"));
        assert_eq!(keys.verify(&unknown, NOW).await, Err(TokenError::UnknownKey));
        let of_another_type = if kid == "ed" { "ec" } else { "ed" };
        let mixed = signed_by(&key, algorithm, Some(of_another_type));
        assert_eq!(keys.verify(&mixed, NOW).await, Err(TokenError::BadSignature));
    }
    let pss = signed_by(&rsa(), Algorithm::PS256, Some("rsa"));
    assert_eq!(keys.verify(&pss, NOW).await, Err(TokenError::WrongAlgorithm), "the key is for RS256 only");
}

#[tokio::test]
async fn a_public_key_is_no_shared_secret() {
    let set: Value = serde_json::from_str(JWKS).unwrap();
    for text in [
        JWKS.to_owned(),
        set["keys"][0]["x"].as_str().unwrap().to_owned(),
        set["keys"][2]["n"].as_str().unwrap().to_owned(),
    ] {
        let key = EncodingKey::from_secret(text.as_bytes());
        let token = signed_by(&key, Algorithm::HS256, Some("rsa"));
        assert_eq!(keys(&[], Some(JWKS_FILE)).await.verify(&token, NOW).await, Err(TokenError::WrongAlgorithm));
        assert_eq!(keys(&[OLD], Some(JWKS_FILE)).await.verify(&token, NOW).await, Err(TokenError::BadSignature));
    }
}

#[tokio::test]
async fn an_es256_signature_of_zeros_is_refused() {
    let token = signed_by(&ec(), Algorithm::ES256, Some("ec"));
    let (message, _) = token.rsplit_once('.').unwrap();
    let zeros = format!("{message}.{}", base64url(&[0; 64]));
    assert_eq!(keys(&[], Some(JWKS_FILE)).await.verify(&zeros, NOW).await, Err(TokenError::BadSignature));
}

#[test]
fn keys_for_other_purposes_are_left_out() {
    let set: Value = serde_json::from_str(JWKS).unwrap();
    let usable = |at: usize, changes: Value| {
        let mut key = set["keys"][at].clone();
        key.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        parse(json!({"keys": [key, 7, {"kty": "unheard of"}]}).to_string().as_bytes()).is_ok()
    };
    assert!(usable(0, json!({})) && usable(1, json!({"alg": "ES256"})) && usable(2, json!({"key_ops": ["verify"]})));
    assert!(!usable(0, json!({"alg": "ES256"})), "an algorithm that is not of this curve");
    assert!(!usable(2, json!({"alg": "PS256"})), "an algorithm that is not accepted");
    assert!(!usable(2, json!({"alg": "HS256"})), "a public key named as a secret");
    assert!(!usable(0, json!({"use": "enc"})), "a key for encryption");
    assert!(!usable(0, json!({"key_ops": ["sign"]})), "a key that only signs");
    assert!(!usable(1, json!({"crv": "P-384"})), "another curve");
    assert!(!usable(2, json!({"n": "AQAB"})), "a tiny RSA key");
    assert!(!usable(2, json!({"e": "AQ"})) && !usable(2, json!({"e": "AAE"})), "the exponent 1");
    let secret = br#"{"keys":[{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0","alg":"HS256"}]}"#;
    assert!(matches!(parse(secret), Err(JwksError::NoKey)), "a shared secret");
    assert!(matches!(parse(b"[]"), Err(JwksError::Syntax(_))));
}

#[test]
fn a_key_under_which_everybody_can_sign_is_left_out() {
    // The points of an order up to 8, and the bits of the sign of each: of those of order 1 and 2 there is only one.
    for (digits, signs) in [
        ("0000000000000000000000000000000000000000000000000000000000000000", &[0, 0x80][..]),
        ("0100000000000000000000000000000000000000000000000000000000000000", &[0]),
        ("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", &[0]),
        ("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", &[0, 0x80]),
        ("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", &[0, 0x80]),
    ] {
        let byte = |at: usize| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap();
        for sign in signs {
            let mut point: [u8; 32] = std::array::from_fn(byte);
            point[31] |= sign;
            let set = json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": base64url(&point)}]});
            assert!(matches!(parse(set.to_string().as_bytes()), Err(JwksError::NoKey)), "{point:?}");
        }
    }
}

/// A host that answers its first request with the first text, and so on; the last one stays.
async fn host(answers: Vec<(u16, String)>) -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let at = count.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            let _ = stream.read(&mut [0; 4096]).await;
            let (status, body) = &answers[at];
            let head = format!(
                "HTTP/1.1 {status} X\r\nlocation: /x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + body).as_bytes()).await;
        }
    });
    (url, asked)
}

/// The key set with one of its three keys only.
fn only(at: usize) -> String {
    let set: Value = serde_json::from_str(JWKS).unwrap();
    json!({"keys": [set["keys"][at]]}).to_string()
}

#[tokio::test]
async fn an_unknown_key_is_asked_for_at_most_every_thirty_seconds() {
    let (url, asked) = host(vec![(200, only(0)), (200, JWKS.into())]).await;
    let keys = keys(&[], Some(&url)).await;
    let token = signed_by(&ec(), Algorithm::ES256, Some("ec"));
    assert_eq!(keys.verify(&token, NOW + 29).await, Err(TokenError::UnknownKey));
    assert_eq!(asked.load(Ordering::SeqCst), 1, "too early");
    let later = tokio::join!(keys.verify(&token, NOW + 30), keys.verify(&token, NOW + 30));
    assert!(later.0.is_ok() && later.1.is_ok());
    assert_eq!(asked.load(Ordering::SeqCst), 2, "one request fetches for all");
    let stranger = signed_by(&ec(), Algorithm::ES256, Some("stranger"));
    for _ in 0..5 {
        assert_eq!(keys.verify(&stranger, NOW + 31).await, Err(TokenError::UnknownKey));
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_old_keys_stay_when_a_fetch_fails() {
    let big = format!("{}{}", " ".repeat(300 * 1024), JWKS);
    for answer in
        [(500, JWKS.to_owned()), (302, JWKS.to_owned()), (200, "{}".into()), (200, r#"{"keys":[]}"#.into()), (200, big)]
    {
        let (url, asked) = host(vec![(200, only(0)), answer]).await;
        let keys = keys(&[], Some(&url)).await;
        let unknown = signed_by(&ec(), Algorithm::ES256, Some("ec"));
        assert_eq!(keys.verify(&unknown, NOW + 40).await, Err(TokenError::UnknownKey));
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        assert!(keys.verify(&signed_by(&ed(), Algorithm::EdDSA, Some("ed")), NOW + 40).await.is_ok());
    }
}

/// What is logged on the thread of a test.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_key_set_that_stays_broken_is_logged_once_and_so_is_its_return() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let broken = || (500, String::new());
    let (url, asked) = host(vec![(200, only(0)), broken(), broken(), broken(), (200, JWKS.into())]).await;
    let keys = keys(&[], Some(&url)).await;
    let header = Header { kid: Some("ec".into()), ..Header::new(Algorithm::ES256) };
    let token = jsonwebtoken::encode(&header, &but(json!({"exp": NOW + 9999})), &ec()).unwrap();
    for attempt in 1..=3 {
        assert_eq!(keys.verify(&token, NOW + 30 * attempt).await, Err(TokenError::UnknownKey));
    }
    assert!(keys.verify(&token, NOW + 120).await.is_ok());
    assert_eq!(asked.load(Ordering::SeqCst), 5);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines = |words: &str| text.lines().filter(|line| line.contains(words)).count();
    assert_eq!((lines("cannot fetch the JWKS; keeping"), lines("the JWKS is fetched again")), (1, 1), "{text}");
}

#[tokio::test]
async fn a_key_taken_out_of_the_set_stops_working() {
    let (url, _) = host(vec![(200, JWKS.into()), (200, only(0))]).await;
    let keys = keys(&[], Some(&url)).await;
    let token = jsonwebtoken::encode(
        &Header { kid: Some("ec".into()), ..Header::new(Algorithm::ES256) },
        &but(json!({"exp": NOW + 9999})),
        &ec(),
    )
    .unwrap();
    assert!(keys.verify(&token, NOW + 600).await.is_ok(), "the fetch goes on behind the answer");
    for _ in 0..200 {
        if keys.verify_now(&token, NOW + 600).is_err() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(keys.verify(&token, NOW + 601).await, Err(TokenError::UnknownKey));
}

#[tokio::test]
async fn whoever_came_in_by_a_key_that_is_gone_is_no_longer_accepted() {
    let (url, _) = host(vec![(200, JWKS.into()), (200, only(0))]).await;
    let keys = keys(&[OLD, NEW], Some(&url)).await;
    let by_ec = keys.verify_now(&signed_by(&ec(), Algorithm::ES256, Some("ec")), NOW).unwrap().verified_by;
    let by_ed = keys.verify_now(&signed_by(&ed(), Algorithm::EdDSA, Some("ed")), NOW).unwrap().verified_by;
    let by_old = keys.verify_now(&signed(&good()), NOW).unwrap().verified_by;
    let accepted = || [&by_ec, &by_ed, &by_old].map(|verified_by| keys.still_accepts(verified_by));
    assert_eq!(accepted(), [true; 3]);
    // The set has lost a key by the time somebody comes with an unknown one.
    let mut changes = keys.watch();
    let stranger = signed_by(&ec(), Algorithm::ES256, Some("stranger"));
    assert!(keys.verify(&stranger, NOW + 40).await.is_err());
    assert!(changes.has_changed().unwrap());
    changes.mark_unchanged();
    assert_eq!(accepted(), [false, true, true]);
    keys.replace(&super::keys(&[NEW], Some(&url)).await);
    assert!(changes.has_changed().unwrap());
    assert_eq!(accepted(), [false, true, false]);
    let another_audience = Config { viewer_audience: "others".into(), viewer_jwks: Some(url), ..Config::default() };
    keys.replace(&Keys::from_config(&another_audience, NOW).await.ok().unwrap());
    assert_eq!(accepted(), [false; 3]);
}

#[tokio::test]
async fn a_service_without_its_key_set_does_not_start() {
    let load = async |place: &str| {
        let config = Config { viewer_jwks: Some(place.into()), ..Config::default() };
        Keys::from_config(&config, NOW).await.err().expect("no keys").to_string()
    };
    assert!(load("no/such.json").await.starts_with("cannot read the JWKS file no/such.json"));
    let (url, _) = host(vec![(404, String::new())]).await;
    assert!(load(&url).await.contains("the answer is 404"));
    assert!(load("http://127.0.0.1:1/?key=hidden").await.starts_with("cannot fetch the JWKS: cannot connect"));
    assert!(!load("http://127.0.0.1:1/?key=hidden").await.contains("hidden"));
}
