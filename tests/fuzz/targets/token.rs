//! Viewer tokens: what is accepted is what was signed. The input is text to verify as it stands, and changes to a valid
//! token: a position in two bytes and a character, over and over.
#![no_main]

use std::sync::LazyLock;

use chat_group_members::config::{Config, Secret};
use chat_group_members::identity::{Keys, NewToken, mint};
use libfuzzer_sys::fuzz_target;

const NOW: i64 = 1_800_000_000;
const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=";

static KEYS: LazyLock<(Keys, String)> = LazyLock::new(|| {
    let secret = Secret::new("a secret that only the fuzzer knows");
    let token = NewToken {
        uid: "ada",
        audience: "chat-group-members",
        issued_at: NOW - 10,
        expires_at: NOW + 600,
        name: Some("Ada Lindqvist"),
        avatar: None,
    };
    let token = mint(&secret, &token);
    let config = Config { viewer_secrets: vec![secret], ..Config::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let keys = runtime.block_on(Keys::from_config(&config, NOW)).expect("a secret is enough");
    assert!(keys.verify_now(&token, NOW).is_ok(), "the token is valid as it is");
    (keys, token)
});

/// What is signed: everything before the last full stop.
fn signed(token: &str) -> &str {
    token.rsplit_once('.').map_or(token, |(signed, _)| signed)
}

fuzz_target!(|data: &[u8]| {
    let (keys, valid) = &*KEYS;
    if let Ok(text) = std::str::from_utf8(data)
        && keys.verify_now(text, NOW).is_ok()
    {
        assert_eq!(signed(text), signed(valid), "somebody else has signed this");
    }
    let mut changed = valid.clone().into_bytes();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([change[0], change[1]])) % changed.len();
        changed[at] = ALPHABET[usize::from(change[2]) % ALPHABET.len()];
    }
    let changed = String::from_utf8(changed).expect("ASCII");
    if keys.verify_now(&changed, NOW).is_ok() {
        assert_eq!(signed(&changed), signed(valid), "what was changed is not what was signed");
    }
});
