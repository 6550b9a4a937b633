//! What is wrong with JSON that somebody sends, in words of ours: those of the parsers name types of Rust, and not the field.

use serde_path_to_error::Path;

/// Longest path of a field that an answer repeats, in characters.
pub(crate) const MAX_SHOWN: usize = 100;
/// How the sentences of the parsers begin that end by what was expected.
const UNFIT: [&str; 4] = ["invalid type: ", "invalid value: ", "invalid length ", "unknown variant `"];

/// The field that a parser stopped at ("" for the value as a whole), and what is wrong with it, from the path and the words of its error.
pub(crate) fn fault(path: &Path, words: &str) -> (String, String) {
    let is_whole = path.iter().next().is_none();
    fault_at(&if is_whole { String::new() } else { path.to_string() }, words)
}

/// Like [`fault`], of a field whose path is spelt already.
pub(crate) fn fault_at(at: &str, words: &str) -> (String, String) {
    let is_whole = at.is_empty();
    let at: String = at.chars().take(MAX_SHOWN).collect();
    for (begin, fault) in [("missing field `", "this is required"), ("duplicate field `", "this is given twice")] {
        if let Some(name) = words.strip_prefix(begin).and_then(|rest| rest.strip_suffix('`')) {
            return (if is_whole { name.to_owned() } else { format!("{at}.{name}") }, fault.to_owned());
        }
    }
    if words.starts_with("unknown field `") {
        return (at, "this field is not known here".to_owned());
    }
    (at, unfit(words))
}

/// What a parser expected instead of what it found, from the words of its error. Those of a type of ours stay as they are.
pub(crate) fn unfit(words: &str) -> String {
    match words.rsplit_once(", expected ") {
        Some((_, expected)) if UNFIT.iter().any(|begin| words.starts_with(begin)) => in_our_words(expected),
        _ => words.to_owned(),
    }
}

/// Why a text is not JSON, and where it stops to be.
pub(crate) fn not_json(error: &serde_json::Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    if error.is_eof() {
        "it ends before it is complete".to_owned()
    } else if error.to_string().starts_with("number out of range") {
        format!("the number at {place} is too large")
    } else {
        format!("it cannot be read at {place}")
    }
}

fn in_our_words(expected: &str) -> String {
    match expected {
        "a string" | "string or map" | "unit" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "i32" | "i64" | "u32" | "u64" | "usize" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" | "map with a single key" => "an object".to_owned(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        // The words that a field may be, or what a type of ours says that it expects.
        _ => expected.replace('`', ""),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::fault;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Boat {
        name: String,
        seats: Option<i64>,
        is_afloat: Option<bool>,
        colour: Option<Colour>,
        crew: Option<Vec<Sailor>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
        Green,
        Blue,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Sailor {
        name: String,
    }

    #[test]
    fn a_fault_is_a_field_and_what_it_takes() {
        for (json, field, words) in [
            (r#"{"name":7}"#, "name", "a text"),
            (r#"{"name":null}"#, "name", "a text"),
            (r#"{"name":"a","seats":"2"}"#, "seats", "a whole number"),
            (r#"{"name":"a","seats":2.5}"#, "seats", "a whole number"),
            (r#"{"name":"a","seats":9223372036854775808}"#, "seats", "a whole number"),
            (r#"{"name":"a","is_afloat":"yes"}"#, "is_afloat", "true or false"),
            (r#"{"name":"a","colour":"x, expected y"}"#, "colour", "one of red, green, blue"),
            (r#"{"name":"a","colour":7}"#, "colour", "a text"),
            (r#"{"name":"a","crew":"b"}"#, "crew", "a list"),
            (r#"{"name":"a","crew":[{"name":"b"},7]}"#, "crew[1]", "an object"),
            (r#"{"name":"a","crew":[{}]}"#, "crew[0].name", "this is required"),
            ("{}", "name", "this is required"),
            (r#"{"name":"a","sails":2}"#, "sails", "this field is not known here"),
            ("7", "", "an object"),
        ] {
            let value: serde_json::Value = serde_json::from_str(json).unwrap();
            let error = serde_path_to_error::deserialize::<_, Boat>(&value).unwrap_err();
            let (at, why) = fault(error.path(), &error.inner().to_string());
            assert_eq!((at.as_str(), why.as_str()), (field, words), "{json}");
        }
    }
}
