//! Numbers of a body that would not come back as they were sent. They are read as 64 bits (RFC 8259, 6, leaves the limit to the reader), and
//! what the host keeps in `metadata` is given back from these.

use serde_json::Number;

use crate::http::v3::error::V3Error;
use crate::json_faults::MAX_SHOWN;

/// Most digits that the exact value of a float of 64 bits has.
const MAX_DIGITS: usize = 767;

/// Checks that every number of a body, which is JSON, is the one that is kept.
///
/// # Errors
/// 400 with the first field of which a number is not.
pub(super) fn check(body: &[u8]) -> Result<(), V3Error> {
    let words = "a number has more digits than 64 bits keep: send it as a text";
    first_inexact(body).map_or(Ok(()), |field| Err(V3Error::invalid(&field, words)))
}

/// The field with the first number that loses digits, as a path.
fn first_inexact(mut rest: &[u8]) -> Option<String> {
    // The last text, the field whose value is read, and those around it.
    let (mut text, mut field) = (&rest[..0], &rest[..0]);
    let mut around: Vec<&[u8]> = Vec::new();
    while let Some(&first) = rest.first() {
        let length = match first {
            b'"' => text_length(rest),
            b'-' | b'0'..=b'9' => rest.iter().take_while(|byte| is_of_number(**byte)).count(),
            _ => 1,
        };
        let (token, after) = rest.split_at(length);
        match first {
            b'"' => text = token,
            b':' => field = text,
            b'{' => around.push(std::mem::take(&mut field)),
            b'}' => field = around.pop().unwrap_or_default(),
            b'-' | b'0'..=b'9' if !is_exact(token) => return Some(path(&around, field)),
            _ => {}
        }
        rest = after;
    }
    None
}

/// The length of the text that this begins with, quotes included.
fn text_length(begin: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = begin[1..].iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(begin.len(), |end| end + 2)
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
}

/// Whether what is kept has the digits of this number: of an integer all of them, of a fraction as many as are given, which is more than its
/// shortest form where a program writes 17 digits, or the exact value.
fn is_exact(number: &[u8]) -> bool {
    let Ok(number) = std::str::from_utf8(number) else { return true };
    let given = decimal(number);
    if !number.contains(['.', 'e', 'E']) {
        return serde_json::from_str::<Number>(number).is_ok_and(|kept| decimal(&kept.to_string()) == given);
    }
    let places = given.0.len().saturating_sub(1);
    places < MAX_DIGITS && number.parse::<f64>().is_ok_and(|kept| decimal(&format!("{kept:.places$e}")) == given)
}

/// The digits of a number without the zeros around them, and the power of ten that the last of them counts.
fn decimal(number: &str) -> (String, i64) {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let to_last = digits.trim_end_matches('0');
    let significant = to_last.trim_start_matches('0');
    if significant.is_empty() {
        return (String::new(), 0);
    }
    let shift = (digits.len() - to_last.len()) as i64 - fraction.len() as i64;
    (significant.to_owned(), exponent.parse::<i64>().unwrap_or_default().saturating_add(shift))
}

/// The names of these fields with full stops between them.
fn path(around: &[&[u8]], field: &[u8]) -> String {
    let names = around.iter().copied().chain([field]).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(|name| String::from_utf8_lossy(name).trim_matches('"').to_owned()).collect();
    names.join(".").chars().take(MAX_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::first_inexact;

    #[test]
    fn a_number_that_loses_digits_is_named_by_its_path() {
        for (body, field) in [
            (r#"{"metadata":{"id":18446744073709551616}}"#, "metadata.id"),
            (r#"{"metadata":{"id":-9223372036854775809}}"#, "metadata.id"),
            (r#"{"metadata":{"ids":[1,{"a":2},12345678901234567890123]}}"#, "metadata.ids"),
            (r#"{"a":{"b":1},"metadata":{"pi":3.141592653589793238}}"#, "metadata.pi"),
            (r#"{"metadata":{"small":1e-400}}"#, "metadata.small"),
            (r#"{"name":"1.5 : \"{","metadata":{"x":0.1000000000000000055}}"#, "metadata.x"),
        ] {
            assert_eq!(first_inexact(body.as_bytes()).as_deref(), Some(field), "{body}");
        }
        let long = format!(r#"{{"x":1.{}1}}"#, "0".repeat(70_000));
        assert_eq!(first_inexact(long.as_bytes()).as_deref(), Some("x"));
    }

    #[test]
    fn a_number_that_comes_back_as_it_was_sent_is_none() {
        for number in [
            "0",
            "-0",
            "0.000",
            "0e7",
            "18446744073709551615",
            "-9223372036854775808",
            "100000000000000000000",
            "1.50",
            "1E+300",
            "5e-324",
            "0.1",
            "0.30000000000000004",
            // As programs write 0.1 that write 17 digits, and its exact value.
            "0.10000000000000001",
            "0.1000000000000000055511151231257827021181583404541015625",
        ] {
            assert_eq!(first_inexact(format!(r#"{{"x":{number}}}"#).as_bytes()), None, "{number}");
        }
        assert_eq!(first_inexact(br#"{"x":"12345678901234567890123","12345678901234567890123":[]}"#), None);
    }
}
