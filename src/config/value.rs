//! The types of single options, and their parsers.
//!
//! A parser fails with a sentence about the problem and the allowed values. Sentences about secrets, and about URLs that may
//! contain a password, never repeat the value.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

use reqwest::Url;
use subtle::ConstantTimeEq;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::listen::{Listen, ListenError};
use crate::store::{Pooler, Store};

/// Shortest viewer secret, in bytes: a key for HS256 is at least as long as its hash (RFC 7518,
/// section 3.2).
const MIN_VIEWER_SECRET: usize = 32;
/// Shortest API key, in characters: 64 bits, were they hexadecimal digits and random.
const MIN_API_KEY: usize = 16;
/// Least number of events that are kept for a group (the contract's promise to readers who resume).
const MIN_RETENTION: u64 = 10_000;
/// Least memory for groups, in bytes: a bare number, meant as megabytes, is below it.
const MIN_ROSTER_MEMORY: u64 = 1 << 20;
/// The longest time in which an act can be undone, seconds.
const MAX_UNDO_WINDOW: u64 = 600;
/// The times for which idle connections may stay open, seconds. None is shorter than what a head has to arrive.
const KEEP_ALIVE: RangeInclusive<u64> = 10..=3600;

/// A text that `Debug` does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text without checking its strength.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `candidate` equals this secret. The time depends on the lengths, but not on where they differ.
    pub fn matches(&self, candidate: &str) -> bool {
        self.0.as_bytes().ct_eq(candidate.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// The number of requests that one caller may make in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests allowed within `per`.
    pub count: NonZeroU32,
    /// One second, minute or hour.
    pub per: Duration,
}

/// The value, or a sentence about the problem.
pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn listen(text: &str) -> Parsed<Listen> {
    text.parse().map_err(|error: ListenError| error.to_string())
}

pub(super) fn metrics_listen(text: &str) -> Parsed<SocketAddr> {
    text.parse().map_err(|_| format!("{text:?} is not an address to listen on; give IP:PORT such as 127.0.0.1:9180"))
}

/// The base, as in `OTEL_EXPORTER_OTLP_ENDPOINT`.
pub(super) fn otlp_endpoint(text: &str) -> Parsed<String> {
    if !cfg!(feature = "otlp") {
        return Err(
            "this program was built without traces (Cargo feature otlp); those of the packages have them".into()
        );
    }
    let wrong = || format!("{text:?} is not the address of a collector; give http(s)://HOST[:PORT][/PATH]");
    let url = Url::parse(text).map_err(|_| wrong())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it is no place for passwords; the variable OTEL_EXPORTER_OTLP_HEADERS is".into());
    }
    if url.path().ends_with("/v1/traces") {
        return Err("leave out /v1/traces, which is added".into());
    }
    let is_base = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
    if is_base { Ok(url.into()) } else { Err(wrong()) }
}

pub(super) fn database_url(text: &str) -> Parsed<String> {
    Store::check_url(text).map(|()| text.into())
}

/// A file has no pooler before it.
pub(super) fn direct_database_url(text: &str) -> Parsed<String> {
    if text.starts_with("sqlite:") {
        return Err("only a PostgreSQL can be reached in two ways".into());
    }
    database_url(text)
}

pub(super) fn pooler(text: &str) -> Parsed<Pooler> {
    match text {
        "none" | "session" => Ok(Pooler::Session),
        "transaction" => Ok(Pooler::Transaction),
        _ => Err(format!("{text:?} is not a mode of poolers; give session or transaction")),
    }
}

pub(super) fn viewer_secret(text: &str) -> Parsed<Secret> {
    if text.len() >= MIN_VIEWER_SECRET {
        return Ok(Secret::new(text));
    }
    Err(format!(
        "the secret has {} bytes and needs at least {MIN_VIEWER_SECRET} (in flags and variables a comma \
         separates two); make one with: openssl rand -base64 48",
        text.len()
    ))
}

pub(super) fn api_key(text: &str) -> Parsed<Secret> {
    let wrong = |what: String| Err(format!("{what}; make one with: openssl rand -hex 24"));
    // The key is sent in a header, which carries only these characters unchanged.
    if !text.bytes().all(|b| b.is_ascii_graphic()) {
        return wrong("an API key has only visible ASCII characters".into());
    }
    if text.len() < MIN_API_KEY {
        return wrong(format!(
            "the key has {} characters and needs at least {MIN_API_KEY} (in flags and variables a comma separates two)",
            text.len()
        ));
    }
    Ok(Secret::new(text))
}

pub(super) fn any(text: &str) -> Parsed<String> {
    Ok(text.into())
}

pub(super) fn jwks(text: &str) -> Parsed<String> {
    if text.contains("://") {
        return http_url(text).map_err(|_| format!("{text:?} is not an http or https address of a JWKS"));
    }
    Ok(text.into())
}

pub(super) fn cookie_name(text: &str) -> Parsed<String> {
    // A token of RFC 9110, section 5.6.2.
    let fits = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
    if fits {
        Ok(text.into())
    } else {
        Err(format!("{text:?} is not a name for a cookie; give letters, digits, _ and -"))
    }
}

/// "" for the root, else "/x/y" without a trailing slash.
pub(super) fn base_path(text: &str) -> Parsed<String> {
    let path = text.trim_matches('/');
    let plain = |segment: &str| {
        !matches!(segment, "" | "." | "..")
            && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
    };
    if path.is_empty() {
        Ok(String::new())
    } else if path.split('/').all(plain) {
        Ok(format!("/{path}"))
    } else {
        Err(format!("{text:?} is not a path to mount at; give / or something like /chat (letters, digits, - . _ ~)"))
    }
}

pub(super) fn public_url(text: &str) -> Parsed<String> {
    let wrong = || format!("{text:?} is not a public address; give https://HOST[:PORT][/PATH] without ? or #");
    let url = Url::parse(text).map_err(|_| wrong())?;
    let path = base_path(url.path()).map_err(|_| wrong())?;
    let origin = web_origin(&url).filter(|_| url.query().is_none() && url.fragment().is_none()).ok_or_else(wrong)?;
    Ok(origin + &path)
}

/// An origin as browsers send it: lower case, no default port.
pub(super) fn origin(text: &str) -> Parsed<String> {
    let wrong = || {
        format!(
            "{text:?} is not an origin; give scheme://host[:port] exactly, without wildcard, path or slash at the end"
        )
    };
    let (_, host) = text.split_once("://").ok_or_else(wrong)?;
    if host.contains(['/', '\\', '?', '#', '*']) {
        return Err(wrong());
    }
    Url::parse(text).ok().as_ref().and_then(web_origin).ok_or_else(wrong)
}

/// Sources of the CSP directive `frame-ancestors`, separated by spaces or commas.
///
/// See <https://www.w3.org/TR/CSP3/#directive-frame-ancestors>. "Any site" is refused, because any page could then place
/// its own buttons over ours (clickjacking).
pub(super) fn frame_ancestors(text: &str) -> Parsed<Vec<String>> {
    let sources = text.split([' ', ',']).filter(|source| !source.is_empty()).map(|source| {
        let host = source.strip_prefix("https://").or_else(|| source.strip_prefix("http://"));
        let named = host.is_some_and(|host| {
            host.contains(|c: char| c.is_ascii_alphanumeric())
                && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:/*[]~".contains(&b))
        });
        if named || matches!(source, "'self'" | "'none'") {
            return Ok(source.to_owned());
        }
        Err(format!(
            "{source:?} may not frame us; give 'self', 'none' or sites such as https://chat.example https://*.example"
        ))
    });
    sources.filter(|source| source.as_deref() != Ok("'none'")).collect()
}

pub(super) fn http_url(text: &str) -> Parsed<String> {
    // The URL may contain a password or a key, so it is not repeated.
    let fits = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if fits { Ok(text.into()) } else { Err("this is not an http or https address".into()) }
}

/// The address of a NATS server, or several with commas.
pub(super) fn nats_url(text: &str) -> Parsed<String> {
    // The URL may contain a password, so it is not repeated.
    let has_host = |url: &Url| url.host_str().is_some_and(|host| !host.is_empty());
    let is_server = |url: Url| matches!(url.scheme(), "nats" | "tls") && has_host(&url);
    if text.split(',').all(|one| Url::parse(one.trim()).is_ok_and(is_server)) {
        return Ok(text.into());
    }
    Err("this is not the address of a NATS server; give nats://HOST[:PORT] or tls://HOST[:PORT], several with commas"
        .into())
}

/// "30/min": a count, a slash, and s, min or h (the long words are understood too).
pub(super) fn rate_limit(text: &str) -> Parsed<RateLimit> {
    let parse = || {
        let (count, unit) = text.split_once('/')?;
        let per = match unit.trim() {
            "s" | "sec" | "second" => 1,
            "m" | "min" | "minute" => 60,
            "h" | "hour" => 3600,
            _ => return None,
        };
        Some(RateLimit { count: count.trim().parse().ok()?, per: Duration::from_secs(per) })
    };
    parse().ok_or_else(|| format!("{text:?} is not a rate; give requests per time such as 10/s, 30/min or 500/hour"))
}

pub(super) fn retention(text: &str) -> Parsed<u64> {
    text.parse().ok().filter(|&events| events >= MIN_RETENTION).ok_or_else(|| {
        format!(
            "{text:?} is not a number of events to keep; give {MIN_RETENTION} or more (readers may resume that many)"
        )
    })
}

pub(super) fn undo_window(text: &str) -> Parsed<Duration> {
    let allowed = seconds(text).filter(|&seconds| seconds <= MAX_UNDO_WINDOW).map(Duration::from_secs);
    allowed.ok_or_else(|| {
        format!("{text:?} is not a time to undo acts in; give 0 to {MAX_UNDO_WINDOW} seconds, such as 30 or 2min")
    })
}

pub(super) fn keep_alive(text: &str) -> Parsed<Duration> {
    let allowed = seconds(text).filter(|seconds| KEEP_ALIVE.contains(seconds)).map(Duration::from_secs);
    allowed.ok_or_else(|| {
        let (least, most) = KEEP_ALIVE.into_inner();
        format!("{text:?} is not a time to keep connections; give {least} to {most} seconds, such as 75 or 11min")
    })
}

/// Seconds, alone or with s or min.
fn seconds(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim() {
        "" | "s" => 1,
        "m" | "min" => 60,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

/// The memory for groups, in bytes.
pub(super) fn roster_memory(text: &str) -> Parsed<u64> {
    let size = bytes(text)?;
    if size >= MIN_ROSTER_MEMORY {
        return Ok(size);
    }
    Err(format!("{text:?} is {size} bytes, and at least 1MiB is needed; give something like 512MiB or 2GiB"))
}

/// Bytes: a whole number, alone or with B, kB, MB, GB (powers of 1000) or KiB, MiB, GiB (of 1024).
pub(super) fn bytes(text: &str) -> Parsed<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "k" | "kb" => Some(1000),
        "m" | "mb" => Some(1000 * 1000),
        "g" | "gb" => Some(1000 * 1000 * 1000),
        "ki" | "kib" => Some(1 << 10),
        "mi" | "mib" => Some(1 << 20),
        "gi" | "gib" => Some(1 << 30),
        _ => None,
    };
    let size = factor.and_then(|factor: u64| number.parse::<u64>().ok()?.checked_mul(factor));
    size.filter(|&size| size > 0).ok_or_else(|| format!("{text:?} is not a size; give something like 512MiB or 2GiB"))
}

/// A filter of log lines, in the syntax of `tracing_subscriber::EnvFilter`.
pub(super) fn log(text: &str) -> Parsed<String> {
    if text.split(',').all(|word| word.trim().is_empty()) {
        return Err("there is no level in it; give one of error, warn, info, debug, trace, off".into());
    }
    // The syntax takes any other word for the name of a module, and a misspelled level would switch everything off.
    if let Some(word) = text.split(',').map(str::trim).find(|word| is_no_level(word)) {
        return Err(format!(
            "{word:?} is no level (error, warn, info, debug, trace, off) and sets none, as in module=debug"
        ));
    }
    EnvFilter::try_new(text).map(|_| text.into()).map_err(|error| {
        // The error does not say where it is.
        let wrong = text.split(',').map(str::trim).find(|word| EnvFilter::try_new(word).is_err()).unwrap_or(text);
        format!(
            "{wrong:?} is no filter of log lines ({error}); give a level (error, warn, info, debug, trace, off), or one of a \
             module as in module=debug"
        )
    })
}

fn is_no_level(directive: &str) -> bool {
    !directive.is_empty() && !directive.contains(['=', '[']) && directive.parse::<LevelFilter>().is_err()
}

pub(super) fn log_format(text: &str) -> Parsed<LogFormat> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(format!("{text:?} is not a log format; give text or json")),
    }
}

/// The origin of an http or https URL without a user name or password.
fn web_origin(url: &Url) -> Option<String> {
    let web = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    web.then(|| url.origin().ascii_serialization())
}
