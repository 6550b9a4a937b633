//! The types of single options, and how each is read from text.
//!
//! A reader answers with a sentence about what is wrong and what would be right. Sentences about
//! secrets and about addresses that may carry a password never repeat the value.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use reqwest::Url;
use subtle::ConstantTimeEq;

use crate::store::Store;

/// Shortest viewer secret, in bytes: a key for HS256 is at least as long as its hash (RFC 7518,
/// section 3.2).
const MIN_VIEWER_SECRET: usize = 32;
/// Fewest events of a group from which readers can resume, as the public contract promises.
const MIN_RETENTION: u64 = 10_000;

/// A text that `Debug` does not show, so that it is not printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text; says nothing about its strength.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `candidate` is this secret, in a time that does not depend on where they differ
    /// (it does depend on their lengths).
    pub fn matches(&self, candidate: &str) -> bool {
        self.0.as_bytes().ct_eq(candidate.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The transport by which a node tells the others that a group has new events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wake {
    /// NATS when `--nats-url` is given, else PostgreSQL when that is the database, else none.
    #[default]
    Auto,
    /// `LISTEN`/`NOTIFY` of the PostgreSQL database.
    Postgres,
    /// A NATS server, `--nats-url`.
    Nats,
    /// Nothing: a single node, or nodes that only poll.
    None,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// How many requests one caller may make in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests allowed within `per`.
    pub count: NonZeroU32,
    /// One second, minute or hour.
    pub per: Duration,
}

/// What a reader answers: the value, or a sentence about what is wrong with it.
pub(super) type Read<T> = Result<T, String>;

pub(super) fn listen(text: &str) -> Read<SocketAddr> {
    text.parse().map_err(|_| {
        format!("{text:?} is not an address to listen on; give IP:PORT such as 127.0.0.1:8080 or 0.0.0.0:8080")
    })
}

pub(super) fn database_url(text: &str) -> Read<String> {
    Store::check_url(text).map(|()| text.into())
}

pub(super) fn viewer_secret(text: &str) -> Read<Secret> {
    if text.len() >= MIN_VIEWER_SECRET {
        return Ok(Secret::new(text));
    }
    Err(format!(
        "the secret has {} bytes and needs at least {MIN_VIEWER_SECRET} (a comma separates two secrets); \
         make one with: openssl rand -base64 48",
        text.len()
    ))
}

pub(super) fn api_key(text: &str) -> Read<Secret> {
    // It travels in a header, so only what a header carries unchanged can ever match.
    if text.bytes().all(|b| b.is_ascii_graphic()) {
        return Ok(Secret::new(text));
    }
    Err("an API key has only visible ASCII characters; make one with: openssl rand -hex 24".into())
}

pub(super) fn secret(text: &str) -> Read<Secret> {
    Ok(Secret::new(text))
}

pub(super) fn any(text: &str) -> Read<String> {
    Ok(text.into())
}

pub(super) fn jwks(text: &str) -> Read<String> {
    if text.contains("://") {
        return http_url(text).map_err(|_| format!("{text:?} is not an http or https address of a JWKS"));
    }
    Ok(text.into())
}

pub(super) fn cookie_name(text: &str) -> Read<String> {
    // A token of RFC 9110, section 5.6.2.
    let fits = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
    if fits {
        Ok(text.into())
    } else {
        Err(format!("{text:?} is not a name for a cookie; give letters, digits, _ and -"))
    }
}

/// "" for the root, else "/x/y" without a slash at the end.
pub(super) fn base_path(text: &str) -> Read<String> {
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

pub(super) fn public_url(text: &str) -> Read<String> {
    let wrong = || format!("{text:?} is not a public address; give https://HOST[:PORT][/PATH] without ? or #");
    let url = Url::parse(text).map_err(|_| wrong())?;
    let path = base_path(url.path()).map_err(|_| wrong())?;
    let origin = web_origin(&url).filter(|_| url.query().is_none() && url.fragment().is_none()).ok_or_else(wrong)?;
    Ok(origin + &path)
}

/// An origin as browsers send it: lower case, without the default port.
pub(super) fn origin(text: &str) -> Read<String> {
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
/// See <https://www.w3.org/TR/CSP3/#directive-frame-ancestors>. "Any site" is refused: it would
/// let a stranger's page lay its own buttons over ours.
pub(super) fn frame_ancestors(text: &str) -> Read<Vec<String>> {
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

pub(super) fn wake(text: &str) -> Read<Wake> {
    match text {
        "auto" => Ok(Wake::Auto),
        "postgres" => Ok(Wake::Postgres),
        "nats" => Ok(Wake::Nats),
        "none" => Ok(Wake::None),
        _ => Err(format!("{text:?} is not a carrier; give auto, postgres, nats or none")),
    }
}

pub(super) fn http_url(text: &str) -> Read<String> {
    // The address may hold a password or a key, so it is not repeated.
    let fits = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if fits { Ok(text.into()) } else { Err("this is not an http or https address".into()) }
}

/// "30/min": a count, a slash, and s, min or h (the long words are understood too).
pub(super) fn rate_limit(text: &str) -> Read<RateLimit> {
    let read = || {
        let (count, unit) = text.split_once('/')?;
        let per = match unit.trim() {
            "s" | "sec" | "second" => 1,
            "m" | "min" | "minute" => 60,
            "h" | "hour" => 3600,
            _ => return None,
        };
        Some(RateLimit { count: count.trim().parse().ok()?, per: Duration::from_secs(per) })
    };
    read().ok_or_else(|| format!("{text:?} is not a rate; give requests per time such as 10/s, 30/min or 500/hour"))
}

pub(super) fn retention(text: &str) -> Read<u64> {
    text.parse().ok().filter(|&events| events >= MIN_RETENTION).ok_or_else(|| {
        format!(
            "{text:?} is not a number of events to keep; give {MIN_RETENTION} or more (readers may resume that many)"
        )
    })
}

/// Bytes: a whole number, alone or with B, kB, MB, GB (powers of 1000) or KiB, MiB, GiB (of 1024).
pub(super) fn bytes(text: &str) -> Read<u64> {
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

pub(super) fn log_format(text: &str) -> Read<LogFormat> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(format!("{text:?} is not a log format; give text or json")),
    }
}

/// The origin of an http or https address that names nobody before its host.
fn web_origin(url: &Url) -> Option<String> {
    let web = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    web.then(|| url.origin().ascii_serialization())
}
