mod jwks;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::*;
use crate::config::Config;

const NOW: i64 = 1_800_000_000;
const OLD: &str = "the-old-secret-the-old-secret-the-old";
const NEW: &str = "the-new-secret-the-new-secret-the-new";

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
async fn a_token_that_was_accepted_before_is_looked_at_again_where_it_can_have_become_invalid() {
    let keys = keys(&[OLD], None).await;
    let token = signed(&but(json!({"nbf": NOW, "name": "Ada"})));
    let first = keys.verify(&token, NOW).await.unwrap();
    assert_eq!(keys.verify(&token, NOW + 64).await, Ok(first), "five seconds of leeway");
    assert_eq!(keys.verify(&token, NOW + 65).await, Err(TokenError::Expired));
    assert_eq!(keys.verify(&token, NOW - 6).await, Err(TokenError::NotYet), "the clock was set back");
    keys.replace(&super::tests::keys(&[NEW], None).await);
    assert_eq!(keys.verify(&token, NOW).await, Err(TokenError::BadSignature));
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
        ("exp as a list", json!({"exp": [NOW + 60]}), Malformed),
        ("nbf as a string", json!({"nbf": "0"}), BadTime("nbf")),
        ("iat as a truth value", json!({"iat": true}), BadTime("iat")),
        ("expired beyond the leeway", json!({"exp": NOW - 5}), Expired),
        ("expired by a fraction", json!({"exp": NOW as f64 - 5.5}), Expired),
        ("not valid for a fraction longer", json!({"nbf": NOW as f64 + 5.5}), NotYet),
        ("never valid", json!({"nbf": 1e300}), NotYet),
        ("expired before the epoch", json!({"exp": -1}), Expired),
        ("not valid for another six seconds", json!({"nbf": NOW + 6}), NotYet),
        ("issued in six seconds", json!({"iat": NOW + 6}), DatedAhead),
        ("issued at the end of time", json!({"iat": 1e300}), DatedAhead),
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
    for changes in [
        json!({"exp": NOW - 4}),
        json!({"nbf": NOW + 5}),
        json!({"iat": NOW + 5}),
        json!({"aud": ["a", "chat-group-members"]}),
    ] {
        assert!(keys.verify(&signed(&but(changes.clone())), NOW).await.is_ok(), "{changes}");
    }
}

#[tokio::test]
async fn times_are_any_finite_numbers() {
    let keys = keys(&[OLD], None).await;
    let verified = async |changes: Value| keys.verify(&signed(&but(changes)), NOW).await.unwrap();
    for exp in [json!(i64::MAX), json!(u64::MAX), json!(1e300), json!(NOW as f64 - 4.5)] {
        let claims = verified(json!({"exp": exp, "nbf": -1e300})).await;
        assert!(claims.expires_at.checked_mul(1000).is_some(), "{exp}");
    }
    let claims = verified(json!({"exp": 1_800_000_060.25, "iat": 1_799_999_999.75, "nbf": 1_800_000_004.5})).await;
    assert_eq!((claims.expires_at, claims.issued_at), (NOW + 61, Some(NOW - 1)));
    assert_eq!(verified(json!({"iat": -1e300})).await.issued_at, Some(i64::MIN));
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
        "https:/x",
        "https:evil",
        "https:\\\\evil.example",
        "http:/localhost/x",
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

#[test]
fn no_sentence_about_a_token_repeats_it() {
    let all =
        [TokenError::Malformed, TokenError::MissingClaim("exp"), TokenError::BadTime("nbf"), TokenError::BadSubject];
    for error in all {
        assert!(error.to_string().ends_with('.'), "{error}");
    }
}
