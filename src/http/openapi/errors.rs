//! The refusals that operations have in common, added to each: those that it names itself stay as it says them.

use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{
    Components, ContentBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, SecurityRequirement,
    Type,
};

/// To whom an operation answers, and so in which shape it refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// The host's back end: `{"error":{…}}`.
    Host,
    /// Viewers: a page, a fragment, or `application/problem+json`.
    Viewer,
}

/// A refusal: status, name of the component, which face, what it means, an example's code and message.
type Refusal = (u16, &'static str, Face, &'static str, (&'static str, &'static str));

const REFUSALS: [Refusal; 22] = [
    (
        400,
        "BadRequest",
        Face::Host,
        "Not as it must be; `details` names each field or parameter, also those not known here. Also `ERR_UID_ALREADY_EXISTS`, `ERR_GUID_ALREADY_EXISTS`.",
        ("ERR_BAD_REQUEST", "name: this is required"),
    ),
    (
        401,
        "Unauthorized",
        Face::Host,
        "`AUTH_ERR_EMPTY_APIKEY`, `AUTH_ERR_APIKEY_NOT_FOUND`; `ERR_GROUP_NOT_JOINED` when the user of onBehalfOf is no member.",
        ("AUTH_ERR_EMPTY_APIKEY", "This needs the header apikey."),
    ),
    (
        403,
        "Forbidden",
        Face::Host,
        "`ERR_GROUP_NO_CLEARANCE`, `ERR_GROUP_NO_SCOPE_CLEARANCE`, `ERR_GROUP_NO_SELF_ACTION` on behalf of a user; `ERR_BAD_REQUEST` to browsers.",
        ("ERR_GROUP_NO_CLEARANCE", "Only the host itself may do this: ask without onBehalfOf."),
    ),
    (
        404,
        "NotFound",
        Face::Host,
        "`ERR_UID_NOT_FOUND`, `ERR_GUID_NOT_FOUND`, `ERR_NOT_A_MEMBER`.",
        ("ERR_UID_NOT_FOUND", "There is no such user."),
    ),
    (
        408,
        "Stalled",
        Face::Host,
        "The body did not arrive in time.",
        ("ERR_BAD_REQUEST", "The body did not arrive in time: each kilobyte of it within ten seconds."),
    ),
    (
        409,
        "Conflict",
        Face::Host,
        "The state forbids it: `ERR_OWNER_MUST_TRANSFER`, `ERR_ALREADY_JOINED`, `ERR_BANNED_GROUPMEMBER`, and what the operation says.",
        ("ERR_OWNER_MUST_TRANSFER", "The owner stays until the group is handed to somebody else: do that first."),
    ),
    (
        413,
        "TooLarge",
        Face::Host,
        "`ERR_TOO_LARGE`: the message names the limit.",
        ("ERR_TOO_LARGE", "This request is too large."),
    ),
    (
        415,
        "Encoded",
        Face::Host,
        "The body has a `Content-Encoding`.",
        ("ERR_BAD_REQUEST", "Send the body as it is, without a Content-Encoding."),
    ),
    (
        429,
        "TooManyRequests",
        Face::Host,
        "`ERR_TOO_MANY_REQUESTS`, with `--rate-limit`, and after wrong passwords of a group.",
        ("ERR_TOO_MANY_REQUESTS", "Try again in 2 seconds."),
    ),
    (
        500,
        "Internal",
        Face::Host,
        "`ERR_INTERNAL`: ours; the number is in the log.",
        ("ERR_INTERNAL", "Number 5e3a91c07f2b is in the log."),
    ),
    (
        503,
        "Unavailable",
        Face::Host,
        "`ERR_UNAVAILABLE`: nothing was changed; or, when the message says so, it is not known whether it was: ask again under the same Idempotency-Key.",
        ("ERR_UNAVAILABLE", "Nothing was changed. Try again soon."),
    ),
    (
        400,
        "ViewerBadRequest",
        Face::Viewer,
        "Cannot be read; a token in the URL.",
        (
            "ERR_BAD_REQUEST",
            "A token in a URL ends up in logs and histories. Send it as a bearer in the Authorization header.",
        ),
    ),
    (401, "ViewerUnauthorized", Face::Viewer, "No or bad viewer token.", ("AUTH_ERR_AUTH_TOKEN_NOT_FOUND", "Sign in.")),
    (
        403,
        "ViewerForbidden",
        Face::Viewer,
        "The rule says no.",
        ("ERR_GROUP_NO_CLEARANCE", "Participants cannot do this to anyone."),
    ),
    (
        404,
        "ViewerNotFound",
        Face::Viewer,
        "Not there, or not yours to see: the same answer.",
        ("ERR_GUID_NOT_FOUND", "There is no such group, or it is not yours to see."),
    ),
    (
        409,
        "ViewerConflict",
        Face::Viewer,
        "The state forbids it.",
        ("ERR_OWNER_MUST_TRANSFER", "The owner stays until the group is handed to somebody else: do that first."),
    ),
    (
        408,
        "ViewerStalled",
        Face::Viewer,
        "The body did not arrive in time.",
        ("ERR_BAD_REQUEST", "The body did not arrive in time: each kilobyte of it within ten seconds."),
    ),
    (413, "ViewerTooLarge", Face::Viewer, "Too large.", ("ERR_TOO_LARGE", "This request is too large.")),
    (
        415,
        "ViewerEncoded",
        Face::Viewer,
        "The body has a `Content-Encoding`.",
        ("ERR_BAD_REQUEST", "Send the body as it is, without a Content-Encoding."),
    ),
    (
        422,
        "ViewerInvalid",
        Face::Viewer,
        "A value is not allowed; the detail names it.",
        ("ERR_VALIDATION", "limit: a number from 1 to 100"),
    ),
    (
        429,
        "ViewerTooManyRequests",
        Face::Viewer,
        "Too fast, with `--rate-limit`.",
        ("ERR_TOO_MANY_REQUESTS", "Try again in 2 seconds."),
    ),
    (
        503,
        "ViewerUnavailable",
        Face::Viewer,
        "Cannot now; try again.",
        ("ERR_UNAVAILABLE", "Nothing was changed. Try again soon."),
    ),
];

impl Face {
    /// Says of every operation who may ask, and how it refuses.
    pub(crate) fn describe(self, document: &mut OpenApi, security: &[SecurityRequirement]) {
        for (path, item) in &mut document.paths.paths {
            let has_target = path.contains('{');
            let PathItem { get, put, post, delete, patch, .. } = item;
            for (changes, operation) in [(false, get), (true, put), (true, post), (true, delete), (true, patch)] {
                let Some(operation) = operation else { continue };
                if operation.security.is_none() {
                    operation.security = Some(security.to_vec());
                }
                self.add_refusals(operation, changes, has_target);
            }
        }
    }

    fn add_refusals(self, operation: &mut Operation, changes: bool, has_target: bool) {
        let public = operation.security.as_ref().is_some_and(|all| all.iter().all(|one| *one == Default::default()));
        if public {
            return;
        }
        let has_body = operation.request_body.is_some();
        for (status, name, ..) in REFUSALS.iter().filter(|(_, _, face, ..)| *face == self) {
            let applies = match status {
                403 => self == Face::Host || changes,
                404 => self == Face::Host || has_target,
                409 => changes,
                408 | 413 | 415 => has_body,
                _ => true,
            };
            if applies {
                let reference = RefOr::Ref(Ref::from_response_name(*name));
                operation.responses.responses.entry(status.to_string()).or_insert(reference);
            }
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Face::Host => "application/json",
            Face::Viewer => "application/problem+json",
        }
    }

    fn schema(self) -> Ref {
        Ref::from_schema_name(match self {
            Face::Host => "ErrorAnswer",
            Face::Viewer => "Problem",
        })
    }

    fn example(self, status: u16, code: &str, message: &str) -> Value {
        match self {
            Face::Host => json!({"error": {"code": code, "message": message, "details": details(message)}}),
            Face::Viewer => {
                json!({"type": "about:blank", "title": "", "status": status, "detail": message, "code": code})
            }
        }
    }
}

/// Adds the responses that operations refer to.
pub(super) fn add_to(components: &mut Components) {
    for (status, name, face, words, (code, message)) in REFUSALS {
        components.responses.insert(name.into(), RefOr::T(response(status, face, words, code, message)));
    }
    super::schemas::add_errors_to(components);
}

fn response(status: u16, face: Face, words: &str, code: &str, message: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(face.schema())).example(Some(face.example(status, code, message)));
    let response = ResponseBuilder::new().description(words).content(face.content_type(), content.build());
    let response = match face {
        Face::Host => response,
        // Whoever did not ask for JSON is answered by a page or a fragment.
        Face::Viewer => response.content("text/html", ContentBuilder::new().schema(Some(String::schema())).build()),
    };
    if !matches!(status, 429 | 503) {
        return response.build();
    }
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).build();
    response
        .header("Retry-After", HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds.")).build())
        .build()
}

/// What is wrong with which field, as in a message `field: words`.
fn details(message: &str) -> Value {
    match message.split_once(": ") {
        Some((field, words)) if !field.contains(' ') => json!({field: [words]}),
        _ => json!({}),
    }
}
