//! Refuses headers and parameters with misspelt names: otherwise a misspelt one would be ignored without notice.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, Method};
use strsim::damerau_levenshtein;

use crate::http::v3::error::V3Error;

/// Most characters of a name that an answer repeats, and most names.
const MAX_SHOWN: usize = 100;

/// Misspellings of our headers, by their letters alone. A misspelt `onBehalfOf` would act with the host's own rights,
/// and a misspelt `Idempotency-Key` would act twice. Only known misspellings are refused, so that no proxy's own
/// header is.
const NEAR_MISSES: [(&str, &[&str]); 2] = [
    ("onBehalfOf", &["onbehalfof", "onbehalf", "behalfof", "xonbehalfof", "onbehalfofuser", "onbehalfofuid"]),
    ("Idempotency-Key", &["idempotencykey", "idempotencykeys", "idempotentkey", "idempotency", "xidempotencykey"]),
];

/// Refuses headers that nearly have the name of one of ours.
///
/// # Errors
/// 400 with the name of the header.
pub(super) fn no_near_miss(headers: &HeaderMap) -> Result<(), V3Error> {
    for name in headers.keys().map(HeaderName::as_str) {
        let letters = name.replace(['-', '_'], "");
        for (ours, misses) in NEAR_MISSES {
            if misses.contains(&letters.as_str()) && !name.eq_ignore_ascii_case(ours) {
                return Err(V3Error::invalid(name, format!("this header is not known here: it is spelt {ours}")));
            }
        }
    }
    Ok(())
}

/// Requests that change something and take parameters, which they check themselves.
const WRITES_WITH_PARAMETERS: [(Method, &str); 1] = [(Method::PUT, "/groups/{guid}/members")];

/// Refuses the parameters of a request that takes none: a header's value put there by mistake would be ignored, so
/// the request would act with the host's own rights, or twice.
///
/// # Errors
/// 400 with the names of the parameters.
pub(super) fn no_parameters(request: &Request) -> Result<(), V3Error> {
    let names = form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let names = names.map(|(name, _)| name.into_owned());
    if request.method().is_safe() {
        // Reading endpoints refuse unknown parameters themselves.
        return refuse(names.filter(|name| header_of(name).is_some()), &[]);
    }
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    // A missing path has a response of its own.
    let Some((_, route)) = path.and_then(|path| path.rsplit_once("/v3")) else { return Ok(()) };
    if WRITES_WITH_PARAMETERS.iter().any(|(method, with)| method == request.method() && *with == route) {
        return Ok(());
    }
    refuse(names, &[])
}

/// Refuses parameters by name, each with the known one that is most like it.
///
/// # Errors
/// 400 with the names of these parameters, if there are any.
pub(super) fn refuse(names: impl Iterator<Item = String>, known: &[String]) -> Result<(), V3Error> {
    let fault = |name: String| {
        let like = known.iter().map(|known| (damerau_levenshtein(&name, known), known)).min();
        let words = match (header_of(&name), like) {
            (Some(header), _) => format!("this parameter is not known here: {header} is a header"),
            (None, Some((distance, known))) if distance <= (name.len() / 3).max(2) => {
                format!("this parameter is not known here; did you mean {known}?")
            }
            _ => "this parameter is not known here".into(),
        };
        (name.chars().take(MAX_SHOWN).collect(), words)
    };
    let faults: Vec<(String, String)> = names.take(MAX_SHOWN).map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(V3Error::invalid_all(faults)) }
}

/// The header that a parameter of this name was to be.
fn header_of(parameter: &str) -> Option<&'static str> {
    let letters = parameter.replace(['-', '_'], "").to_ascii_lowercase();
    if letters == "apikey" {
        return Some("apikey");
    }
    NEAR_MISSES.iter().find(|(_, misses)| misses.contains(&letters.as_str())).map(|(ours, _)| *ours)
}
