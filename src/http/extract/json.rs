//! JSON bodies. A repeated field is an error: programs disagree on whether the first or the last value counts (RFC
//! 8259, 4), so a proxy could check one value and the service act on the other.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::encoding;
use crate::json_faults::not_json;

/// Longest name of a field that an answer repeats, in characters.
const MAX_SHOWN: usize = 100;

/// The value of a body.
///
/// # Errors
/// A sentence about why it cannot be read, which names a field that is given twice.
pub(in crate::http) fn parse(body: &[u8]) -> Result<Value, String> {
    match serde_json::from_slice(encoding::without_mark(body)) {
        Ok(Once(value)) => Ok(value),
        Err(error) if error.is_data() => Err(format!("The body cannot be read: {error}.")),
        Err(error) => Err(format!("The body is not JSON: {}.", not_json(&error))),
    }
}

/// A value whose objects have each field once.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Once, D::Error> {
        deserializer.deserialize_any(OnceVisitor).map(Once)
    }
}

struct OnceVisitor;

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = entries.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let Once(value) = fields.next_value()?;
            if values.contains_key(&name) {
                let name: String = name.chars().take(MAX_SHOWN).collect();
                return Err(A::Error::custom(format_args!("the field {name:?} is given twice")));
            }
            values.insert(name, value);
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn what_is_given_once_is_read_as_it_stands() {
        for text in
            [r#"{"a":[1,-2,1.5,null,true,{"b":"c"}],"d":{"b":"\u00e4"}}"#, "18446744073709551615", "[]", "\"x\""]
        {
            assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
        }
        assert!(parse(b"{").unwrap_err().contains("not JSON"));
        assert!(parse("[".repeat(10_000).as_bytes()).is_err(), "it is not too deep for the stack");
    }

    #[test]
    fn what_is_given_twice_is_named_wherever_it_is() {
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":[{"a":1,"\u0061":2}]}"#] {
            assert!(parse(text.as_bytes()).unwrap_err().contains(r#"the field "a" is given twice"#), "{text}");
        }
    }
}
