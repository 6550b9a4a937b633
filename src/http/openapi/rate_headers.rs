//! The headers by which answers of `/v3` report how many requests are left, with `--rate-limit`.

use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::{Components, ObjectBuilder, Ref, RefOr, Response, Type};

/// Name, and what it says. The last one is in refusals of too many requests alone.
const HEADERS: [(&str, &str); 3] = [
    ("X-Rate-Limit", "With `--rate-limit`: the requests that its allowance has."),
    ("X-Rate-Limit-Remaining", "With `--rate-limit`: how many of them are left."),
    ("X-Rate-Limit-Reset", "With `--rate-limit`: when the next request is taken, in seconds since the epoch."),
];

/// Adds the headers that responses refer to.
pub(super) fn add_to(components: &mut Components) {
    for (name, words) in HEADERS {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0_i64)).build();
        let header = HeaderBuilder::new().schema(Some(number)).description(Some(words)).build();
        components.headers.insert(name.into(), RefOr::T(header));
    }
}

/// Says that a response with this status has them.
pub(super) fn add_to_response(response: &mut Response, status: &str) {
    let count = if status == "429" { 3 } else { 2 };
    for (name, _) in HEADERS.into_iter().take(count) {
        let reference = Ref::new(format!("#/components/headers/{name}"));
        response.headers.insert(name.into(), RefOr::Ref(reference));
    }
}
