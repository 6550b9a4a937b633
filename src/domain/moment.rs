//! Moments, days and numbers as people and programs write them. The parsers of the libraries take more than the documents name.

use jiff::Timestamp;
use jiff::civil::Date;

/// Milliseconds of a second.
pub const SECOND: i64 = 1000;
/// Milliseconds of an hour.
pub const HOUR: i64 = 3600 * SECOND;
/// Milliseconds of a day.
pub const DAY: i64 = 24 * HOUR;
/// The last Unix second of the year 9999. A later time of joining is in milliseconds by mistake.
pub const MAX_JOINED_AT: i64 = 253_402_300_799;

/// Most digits of a fraction of a second that are read.
const MAX_FRACTION: usize = 64;
/// Digits of a fraction of a second that the parser takes: nanoseconds. More change no moment.
const NANOSECONDS: usize = 9;

/// A moment in the form of RFC 3339 (5.6, `date-time`), in Unix milliseconds; `None` for any other form. A leap second is
/// none: no clock here counts it.
pub fn parse_moment(text: &str) -> Option<i64> {
    let (date_time, rest) = text.split_at_checked("0000-00-00T00:00:00".len())?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(after) => {
            let zone = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = after.len() - zone.len();
            if !(1..=MAX_FRACTION).contains(&digits) {
                return None;
            }
            // With the point.
            (&rest[..=digits.min(NANOSECONDS)], zone)
        }
        None => ("", rest),
    };
    let is_offset = has_form(zone, "+00:00") && zone.get(1..3).is_some_and(|hour| hour <= "23");
    let is_moment = has_form(date_time, "0000-00-00T00:00:00") && !date_time.ends_with(":60");
    if !is_moment || !(is_offset || has_form(zone, "Z")) {
        return None;
    }
    let text = format!("{date_time}{fraction}{zone}").to_ascii_uppercase();
    Some(text.parse::<Timestamp>().ok()?.as_millisecond())
}

/// A moment, in Unix milliseconds, in the form of RFC 3339; empty for one beyond its years.
pub fn rfc3339(milliseconds: i64) -> String {
    Timestamp::from_millisecond(milliseconds).map(|time| time.to_string()).unwrap_or_default()
}

/// A day in the form of RFC 3339 (5.6, `full-date`), as fields for a date send it.
pub fn parse_day(text: &str) -> Option<Date> {
    if has_form(text, "0000-00-00") { text.parse().ok() } else { None }
}

/// A whole number in ASCII digits, without a sign.
pub fn parse_whole(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// A whole number in the one form in which it is printed: no sign, no leading zeros.
pub fn parse_printed(text: &str) -> Option<i64> {
    parse_whole(text).filter(|number| number.to_string() == text)
}

/// Whether a text has this form: `0` matches any digit, `+` either sign, and a letter itself in both cases.
fn has_form(text: &str, form: &str) -> bool {
    let is_like = |(byte, form): (u8, u8)| match form {
        b'0' => byte.is_ascii_digit(),
        b'+' => matches!(byte, b'+' | b'-'),
        form => byte.eq_ignore_ascii_case(&form),
    };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(is_like)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_rfc_3339_are_read() {
        for (text, milliseconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01t00:00:01z", 1000),
            ("1970-01-01T00:00:00.25Z", 250),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T23:30:00-00:30", 0),
            ("2024-02-29T12:00:00.123456789Z", 1_709_208_000_123),
            ("2024-02-29T12:00:00.1239999999999Z", 1_709_208_000_123),
            ("2024-02-29T13:00:00.1111111111111111+01:00", 1_709_208_000_111),
        ] {
            assert_eq!(parse_moment(text), Some(milliseconds), "{text}");
        }
    }

    #[test]
    fn a_moment_in_any_other_form_is_none() {
        let endless = format!("2027-01-31T12:00:00.{}Z", "1".repeat(65));
        for text in [
            "",
            &endless,
            "2027-01-31",
            "2027-01-31T12:00Z",
            "2027-01-31T12:00:00",
            "2027-01-31 12:00:00Z",
            "2027-01-31T12:00:00 Z",
            "20270131T120000Z",
            "2027-01-31T12:00:00Z and more",
            "2027-01-31T12:00:00Z[UTC]",
            "2027-01-31T12:00:00+01:00[Europe/Paris]",
            "2027-01-31T12:00:00+01",
            "2027-01-31T12:00:00+0100",
            "2027-01-31T12:00:00+24:00",
            "2027-01-31T12:00:00+01:60",
            "2027-01-31T12:00:00.Z",
            "2027-01-31T12:00:00,5Z",
            "2027-1-31T12:00:00Z",
            "+002027-01-31T12:00:00Z",
            "2027-00-31T12:00:00Z",
            "2027-13-31T12:00:00Z",
            "2027-02-29T12:00:00Z",
            "2027-01-31T24:00:00Z",
            "2027-01-31T12:60:00Z",
            "2027-01-31T23:59:60Z",
            "2027-01-31T12:00:61Z",
            "2027-01-31T12:00:0٣Z",
            "2027-W04-7T12:00:00Z",
        ] {
            assert_eq!(parse_moment(text), None, "{text}");
        }
    }

    #[test]
    fn days_and_numbers_have_one_form_each() {
        assert_eq!(parse_day("2028-02-29").map(|day| day.to_string()).as_deref(), Some("2028-02-29"));
        for text in
            ["", "2027-02-29", "2027-1-05", "2027-01-5", "20270105", "2027-01-05T00:00:00Z", "2027/01/05", "Friday"]
        {
            assert_eq!(parse_day(text), None, "{text}");
        }
        assert_eq!(["0", "007", "3600"].map(parse_whole), [Some(0), Some(7), Some(3600)]);
        for text in ["", "-5", "+5", "5.0", "5s", "1e3", " 5", "٣", "99999999999999999999"] {
            assert_eq!(parse_whole(text), None, "{text}");
        }
    }
}
