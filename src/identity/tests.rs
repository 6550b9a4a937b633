//! The keys in `testkeys/` were made for these tests (`openssl genpkey`) and are used nowhere else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::config::Config;

const NOW: i64 = 1_800_000_000;
const OLD: &str = "the-old-secret-the-old-secret-the-old";
const NEW: &str = "the-new-secret-the-new-secret-the-new";
const JWKS: &str = include_str!("testkeys/jwks.json");
const JWKS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/identity/testkeys/jwks.json");

fn ed() -> EncodingKey {
    EncodingKey::from_ed_der(include_bytes!("testkeys/ed25519.der"))
}

fn ec() -> EncodingKey {
    EncodingKey::from_ec_der(include_bytes!("testkeys/p256.der"))
}

fn rsa() -> EncodingKey {
    EncodingKey::from_rsa_der(include_bytes!("testkeys/rsa.der"))
}

async fn keys(secrets: &[&str], jwks: Option<&str>) -> Keys {
    let config = Config {
        viewer_secrets: secrets.iter().map(|secret| Secret::new(*secret)).collect(),
        viewer_jwks: jwks.map(str::to_owned),
        ..Config::default()
    };
    Keys::from_config(&config, NOW).await.unwrap_or_else(|error| panic!("{error}"))
}

fn good() -> Value {
    json!({"sub": "ada", "aud": "chat-group-members", "exp": NOW + 60})
}

/// The good claims with some replaced; null takes one away.
fn but(changes: Value) -> Value {
    let mut claims = good();
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value.clone();
        }
    }
    claims
}

fn signed(claims: &Value) -> String {
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &EncodingKey::from_secret(OLD.as_bytes())).unwrap()
}

fn signed_by(key: &EncodingKey, algorithm: Algorithm, kid: Option<&str>) -> String {
    let header = Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
    jsonwebtoken::encode(&header, &good(), key).unwrap()
}

/// A token with any text as its header and payload, signed with the old secret by HS256.
fn forged(header: &str, payload: &str) -> String {
    let message = format!("{}.{}", base64url(header.as_bytes()), base64url(payload.as_bytes()));
    let key = EncodingKey::from_secret(OLD.as_bytes());
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256).unwrap();
    format!("{message}.{signature}")
}

fn base64url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let encode = |chunk: &[u8]| {
        let bits = chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len())
            .map(|place| char::from(ALPHABET[(bits >> (18 - 6 * place) & 63) as usize]))
            .collect::<String>()
    };
    bytes.chunks(3).map(encode).collect()
}

#[tokio::test]
async fn a_good_token_says_who_bears_it() {
    let claims =
        but(json!({"name": "Ada", "avatar": "https://a.example/ada.png", "iat": NOW, "nbf": NOW, "scope": "owner"}));
    let claims = keys(&[OLD], None).await.verify(&signed(&claims), NOW).await.unwrap();
    assert_eq!(claims.uid.as_str(), "ada");
    assert_eq!(claims.name.unwrap().as_str(), "Ada");
    assert_eq!(claims.avatar.as_deref(), Some("https://a.example/ada.png"));
    assert_eq!(claims.expires_at, NOW + 60);
}

#[tokio::test]
async fn what_mint_makes_is_accepted() {
    let token = NewToken {
        uid: "ada",
        audience: "chat-group-members",
        issued_at: NOW,
        expires_at: NOW + 9,
        name: None,
        avatar: None,
    };
    let claims = keys(&[OLD], None).await.verify(&mint(&Secret::new(OLD), &token), NOW).await.unwrap();
    assert_eq!((claims.uid.as_str(), claims.expires_at), ("ada", NOW + 9));
}

#[tokio::test]
async fn tokens_with_bad_claims_are_refused_by_name() {
    use TokenError::*;
    let keys = keys(&[OLD], None).await;
    let corpus = [
        ("without sub", json!({"sub": null}), MissingClaim("sub")),
        ("without aud", json!({"aud": null}), MissingClaim("aud")),
        ("without exp", json!({"exp": null}), MissingClaim("exp")),
        ("exp as a string", json!({"exp": (NOW + 60).to_string()}), BadTime("exp")),
        ("exp as a fraction", json!({"exp": 1_800_000_060.5}), BadTime("exp")),
        ("exp as a list", json!({"exp": [NOW + 60]}), Malformed),
        ("exp beyond all clocks", json!({"exp": u64::MAX}), BadTime("exp")),
        ("nbf as a string", json!({"nbf": "0"}), BadTime("nbf")),
        ("iat as a truth value", json!({"iat": true}), BadTime("iat")),
        ("expired beyond the leeway", json!({"exp": NOW - 5}), Expired),
        ("expired before the epoch", json!({"exp": -1}), Expired),
        ("not valid for another six seconds", json!({"nbf": NOW + 6}), NotYet),
        ("for another audience", json!({"aud": "elsewhere"}), WrongAudience),
        ("for a longer audience", json!({"aud": "chat-group-members-2"}), WrongAudience),
        ("for other audiences", json!({"aud": ["a", "b"]}), WrongAudience),
        ("for no audience", json!({"aud": []}), WrongAudience),
        ("for an audience in an object", json!({"aud": {"chat-group-members": true}}), WrongAudience),
        ("sub as a number", json!({"sub": 7}), BadSubject),
        ("empty sub", json!({"sub": ""}), BadSubject),
        ("sub with a space at the end", json!({"sub": "ada "}), BadSubject),
        ("sub with a letter outside ASCII", json!({"sub": "adä"}), BadSubject),
        ("sub with a path", json!({"sub": "../ada"}), BadSubject),
        ("sub of 101 characters", json!({"sub": "x".repeat(101)}), BadSubject),
    ];
    for (what, changes, why) in corpus {
        assert_eq!(keys.verify(&signed(&but(changes)), NOW).await, Err(why), "a token {what}");
    }
}

#[tokio::test]
async fn clocks_may_differ_by_five_seconds_and_audiences_may_be_several() {
    let keys = keys(&[OLD], None).await;
    for changes in [json!({"exp": NOW - 4}), json!({"nbf": NOW + 5}), json!({"aud": ["a", "chat-group-members"]})] {
        assert!(keys.verify(&signed(&but(changes.clone())), NOW).await.is_ok(), "{changes}");
    }
    assert!(keys.verify(&signed(&but(json!({"exp": i64::MAX}))), NOW).await.is_ok());
}

#[tokio::test]
async fn tokens_that_are_none_are_refused_before_their_claims_are_read() {
    use TokenError::*;
    let keys = keys(&[OLD], None).await;
    let payload = good().to_string();
    let unsigned = |header: &str| format!("{}.{}.", base64url(header.as_bytes()), base64url(payload.as_bytes()));
    let token = signed(&good());
    let (message, _) = token.rsplit_once('.').unwrap();
    let other_payload = base64url(but(json!({"sub": "ben"})).to_string().as_bytes());
    let changed = token.split('.').enumerate().map(|(at, part)| if at == 1 { &other_payload } else { part });
    let with = |header: &str| forged(header, &payload);
    let corpus = [
        ("nothing", String::new(), Malformed),
        ("two parts", message.to_owned(), Malformed),
        ("four parts", format!("{token}.x"), Malformed),
        ("not base64url", token.replace('.', "./"), Malformed),
        ("with padding", format!("{token}="), Malformed),
        ("with a line break", format!("{token}\n"), Malformed),
        ("of nine kilobytes", format!("{token}{}", "x".repeat(9000)), TooLong),
        ("alg none", unsigned(r#"{"alg":"none"}"#), Malformed),
        ("alg None in capitals", unsigned(r#"{"alg":"NONE"}"#), Malformed),
        ("no alg", with(r#"{"typ":"JWT"}"#), Malformed),
        ("two algs", with(r#"{"alg":"HS256","alg":"HS256"}"#), Malformed),
        ("without its signature", format!("{message}."), BadSignature),
        ("of another bearer", changed.collect::<Vec<_>>().join("."), BadSignature),
        ("HS512 with our secret", with(r#"{"alg":"HS512"}"#), WrongAlgorithm),
        ("EdDSA where only secrets are configured", with(r#"{"alg":"EdDSA"}"#), WrongAlgorithm),
        ("critical extensions", with(r#"{"alg":"HS256","crit":["exp"]}"#), UnsupportedHeader),
        ("an unencoded payload", with(r#"{"alg":"HS256","b64":false}"#), UnsupportedHeader),
        ("a compressed payload", with(r#"{"alg":"HS256","zip":"DEF"}"#), UnsupportedHeader),
        ("an embedded key", with(r#"{"alg":"HS256","jwk":{"kty":"oct","k":"YQ"}}"#), UnsupportedHeader),
        ("another kind of token", with(r#"{"alg":"HS256","typ":"logout+jwt"}"#), UnsupportedHeader),
        ("a kid of a kilobyte", with(&json!({"alg": "HS256", "kid": "k".repeat(1024)}).to_string()), UnsupportedHeader),
        ("claims that are a text", forged(r#"{"alg":"HS256"}"#, "\"ada\""), Malformed),
        ("exp twice", forged(r#"{"alg":"HS256"}"#, &payload.replace("}", r#","exp":9999999999}"#)), Malformed),
        (
            "exp 1e400",
            forged(r#"{"alg":"HS256"}"#, r#"{"sub":"ada","aud":"chat-group-members","exp":1e400}"#),
            Malformed,
        ),
    ];
    for (what, token, why) in corpus {
        assert_eq!(keys.verify(&token, NOW).await, Err(why), "a token {what}");
    }
}

#[tokio::test]
async fn addresses_of_keys_in_the_header_are_not_looked_at() {
    let header = r#"{"alg":"HS256","kid":"../../etc/passwd","jku":"http://127.0.0.1:1/","x5u":"http://127.0.0.1:1/"}"#;
    assert!(keys(&[OLD], None).await.verify(&forged(header, &good().to_string()), NOW).await.is_ok());
}

#[tokio::test]
async fn two_secrets_are_accepted_while_one_replaces_the_other() {
    let token = signed(&good());
    assert!(keys(&[NEW, OLD], None).await.verify(&token, NOW).await.is_ok());
    assert_eq!(keys(&[NEW], None).await.verify(&token, NOW).await, Err(TokenError::BadSignature));
}

#[tokio::test]
async fn a_name_is_cleaned_and_a_picture_checked_without_keeping_anyone_out() {
    let keys = keys(&[OLD], None).await;
    let name = async |name: Value| {
        let claims = keys.verify(&signed(&but(json!({"name": name}))), NOW).await.unwrap();
        claims.name.map(|name| name.as_str().to_owned())
    };
    assert_eq!(name(json!("  Ada\u{0}\n Lovelace ")).await.as_deref(), Some("Ada Lovelace"));
    assert_eq!(name(json!("é".repeat(101))).await, Some("é".repeat(100)));
    assert_eq!(name(json!(format!("{} b", "a".repeat(99)))).await, Some("a".repeat(99)));
    for none in [json!(""), json!(" \t "), json!(7), json!(["Ada"])] {
        assert_eq!(name(none).await, None);
    }
    assert!(keys.verify(&signed(&but(json!({"avatar": 7}))), NOW).await.unwrap().avatar.is_none());
}

#[test]
fn a_picture_comes_by_https_as_data_or_from_this_machine() {
    for good in [
        "https://a.example/ada.png?s=64",
        "data:image/png;base64,AAAA",
        "http://127.0.0.1:8080/ada.png",
        "http://localhost/ada.png",
    ] {
        assert_eq!(avatar_url(good), Some(good));
    }
    let long = format!("https://a.example/{}", "x".repeat(2048));
    for bad in [
        "",
        "javascript:alert(1)",
        "http://a.example/ada.png",
        "http://localhost.evil.example/",
        "http://localhost@evil.example/",
        "http://127.0.0.1:80@evil.example/",
        "//a.example/ada.png",
        "/ada.png",
        "data:text/html,<script>",
        "data:imagex,",
        "https://a.example/a b",
        " https://a.example/",
        "https://a.example/\n",
        &long,
    ] {
        assert_eq!(avatar_url(bad), None, "{bad:?}");
    }
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
        jwks::parse(json!({"keys": [key, 7, {"kty": "unheard of"}]}).to_string().as_bytes()).is_ok()
    };
    assert!(usable(0, json!({})) && usable(1, json!({"alg": "ES256"})) && usable(2, json!({"key_ops": ["verify"]})));
    assert!(!usable(0, json!({"alg": "ES256"})), "an algorithm that is not of this curve");
    assert!(!usable(2, json!({"alg": "PS256"})), "an algorithm that is not accepted");
    assert!(!usable(2, json!({"alg": "HS256"})), "a public key named as a secret");
    assert!(!usable(0, json!({"use": "enc"})), "a key for encryption");
    assert!(!usable(0, json!({"key_ops": ["sign"]})), "a key that only signs");
    assert!(!usable(1, json!({"crv": "P-384"})), "another curve");
    assert!(!usable(2, json!({"n": "AQAB"})), "a tiny RSA key");
    let secret = br#"{"keys":[{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0","alg":"HS256"}]}"#;
    assert!(matches!(jwks::parse(secret), Err(JwksError::NoKey)), "a shared secret");
    assert!(matches!(jwks::parse(b"[]"), Err(JwksError::Syntax(_))));
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

#[test]
fn no_sentence_about_a_token_repeats_it() {
    let all =
        [TokenError::Malformed, TokenError::MissingClaim("exp"), TokenError::BadTime("nbf"), TokenError::BadSubject];
    for error in all {
        assert!(error.to_string().ends_with('.'), "{error}");
    }
}
