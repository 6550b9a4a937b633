//! Pseudonyms of people: a keyed hash of the uid. Linking a pseudonym to its person takes both the key, which is in
//! the database, and the uid. Records that must be kept about erased people use it: their acts, and bans, which match
//! them if they come back. Idempotency-Keys and the requests that they stand for are hashed alike.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::domain::{Guid, PSEUDONYM_PREFIX, Uid};

/// Bytes of the hash that are kept: enough that no two people ever have the same.
const BYTES: usize = 16;

/// Makes pseudonyms. Cheap to clone.
#[derive(Clone)]
pub struct Pseudonyms(Arc<Hmac<Sha256>>);

impl Pseudonyms {
    pub(crate) fn new(key: &str) -> Pseudonyms {
        Pseudonyms(Arc::new(Hmac::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length")))
    }

    /// The pseudonym of this person: a uid that nobody else has.
    pub fn of(&self, uid: &Uid) -> Uid {
        let text = format!("{PSEUDONYM_PREFIX}{}", self.hash(uid.as_str()));
        text.parse().expect("a prefix and hexadecimal digits are a uid")
    }

    /// A keyed hash of the content of a request. Equal content has equal hashes, and a hash does not reveal the content.
    pub fn content(&self, text: &str) -> String {
        // No uid contains a line break: this is nobody's pseudonym.
        self.hash(&format!("content\n{text}"))
    }

    /// An Idempotency-Key as it is kept: in a group as it is, beside groups hashed.
    pub(super) fn key(&self, guid: Option<&Guid>, key: &str) -> String {
        match guid {
            Some(_) => key.to_owned(),
            None => self.hash(&format!("key\n{key}")),
        }
    }

    fn hash(&self, text: &str) -> String {
        let hash = Hmac::clone(&self.0).chain_update(text).finalize().into_bytes();
        let digits = hash[..BYTES].iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.map(|digit| char::from_digit(digit.into(), 16).expect("four bits")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_is_a_uid_of_its_own_for_every_person_and_key() {
        let of = |key: &str, uid: &str| Pseudonyms::new(key).of(&uid.parse().unwrap()).to_string();
        // HMAC-SHA-256 by another program: `printf dee | openssl dgst -sha256 -hmac key`.
        assert_eq!(of("key", "dee"), format!("erased-{}", &EXPECTED[..32]));
        assert_ne!(of("key", "dee"), of("key", "eve"));
        assert_ne!(of("key", "dee"), of("other", "dee"));
    }

    const EXPECTED: &str = "4284b2bcaf97c0417360ec31d93b1425337b8ce69d2ae603582a7224f096282e";
}
