//! Signatures of Standard Webhooks 1.0
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::SigningKey;

/// The value of `webhook-signature`: `v1,` and the HMAC-SHA256 by each key, with blanks between them. `timestamp`
/// in Unix seconds.
pub(super) fn signature(keys: &[SigningKey], id: &str, timestamp: i64, body: &[u8]) -> String {
    let sign = |key: &SigningKey| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key.bytes()).expect("HMAC takes keys of any length");
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    };
    keys.iter().map(sign).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_specification() {
        // The example of the specification's reference libraries.
        let key = SigningKey::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let signed = signature(&[key.clone(), key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        let once = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signed, format!("{once} {once}"));
    }
}
