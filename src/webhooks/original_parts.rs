//! Splits a payload in the original's format whose people would make its body too large for common receivers.

use serde_json::{Map, Value};

use super::payload::MAX_MEMBERS_JSON;

/// A payload, or a part of one.
pub(super) struct Part {
    /// The places of its first and its last person among those of the payload, from 1; `None` of a payload that is sent whole.
    /// They belong to its id: after a change of pictures a retry may split the payload elsewhere.
    pub(super) people: Option<(usize, usize)>,
    /// The body of the request.
    pub(super) body: String,
}

/// The payload, or parts of it with at most [`MAX_MEMBERS_JSON`] bytes of people each.
pub(super) fn parts(mut payload: Value) -> Vec<Part> {
    let Some(members) = payload.pointer_mut("/data/members").and_then(Value::as_object_mut).map(std::mem::take) else {
        return vec![Part { people: None, body: payload.to_string() }];
    };
    let (mut full, mut filling, mut bytes) = (Vec::new(), Map::new(), 0);
    for (uid, person) in members {
        // The uid comes with quotation marks, a colon and a comma.
        let more = uid.len() + 4 + person.to_string().len();
        if bytes > 0 && bytes + more > MAX_MEMBERS_JSON {
            full.push(std::mem::take(&mut filling));
            bytes = 0;
        }
        bytes += more;
        filling.insert(uid, person);
    }
    full.push(filling);
    let (is_split, mut before) = (full.len() > 1, 0);
    let part = |people: Map<String, Value>| {
        let (first, last) = (before + 1, before + people.len());
        before = last;
        payload["data"]["members"] = Value::Object(people);
        Part { people: is_split.then_some((first, last)), body: payload.to_string() }
    };
    full.into_iter().map(part).collect()
}
