//! Bodies of acts: a form and JSON with the same fields are the same to a handler, and what is read as JSON is what another
//! parser reads there.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chat_group_members::read_body;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

fn read(kind: &str, body: impl Into<Vec<u8>>) -> Option<BTreeMap<String, String>> {
    RUNTIME.block_on(read_body(kind, body.into())).map(|fields| fields.into_iter().collect())
}

fuzz_target!(|data: &[u8]| {
    // As it stands.
    if let Some(fields) = read(JSON, data)
        && !data.is_empty()
    {
        let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let Ok(Value::Object(object)) = serde_json::from_slice(text) else { panic!("this is no JSON object") };
        for (name, value) in object {
            match value {
                Value::Null => assert!(!fields.contains_key(&name)),
                Value::String(text) => assert_eq!(fields[&name], text),
                Value::Bool(_) | Value::Number(_) => assert_eq!(fields[&name], value.to_string()),
                Value::Array(_) | Value::Object(_) => assert_eq!(fields[&name], "\u{fffd}"),
            }
        }
    }
    read(FORM, data);
    // The same fields in both.
    let Ok(text) = std::str::from_utf8(data) else { return };
    let fields: BTreeMap<String, String> = text
        .split('\n')
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    if fields.is_empty() {
        return;
    }
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(&fields).finish();
    let json = serde_json::to_string(&fields).expect("texts");
    assert_eq!(read(FORM, form).as_ref(), Some(&fields));
    assert_eq!(read(JSON, json).as_ref(), Some(&fields));
});
