//! The refusals that operations have in common, added to each: those that it names itself stay as it says them.

use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{
    Components, ContentBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, SecurityRequirement,
    Type,
};

use super::rate_headers;

/// The readers of an operation's answers, which decide the shape of its refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Audience {
    /// The host's back end: `{"error":{…}}`.
    Host,
    /// Viewers: a page, a fragment, or `application/problem+json`.
    Viewer,
}

/// A refusal: status, name of the component, to whom, what it means, an example's code and message.
type DocumentedRefusal = (u16, &'static str, Audience, &'static str, (&'static str, &'static str));

const REFUSALS: [DocumentedRefusal; 22] = [
    (
        400,
        "BadRequest",
        Audience::Host,
        "Not as it must be; `details` names each field or parameter, also those not known here. Also `ERR_UID_ALREADY_EXISTS`, `ERR_GUID_ALREADY_EXISTS`.",
        ("ERR_BAD_REQUEST", "name: this is required"),
    ),
    (
        401,
        "Unauthorized",
        Audience::Host,
        "`AUTH_ERR_EMPTY_APIKEY`, `AUTH_ERR_APIKEY_NOT_FOUND`; `ERR_GROUP_NOT_JOINED` when the user of onBehalfOf is no member.",
        ("AUTH_ERR_EMPTY_APIKEY", "This needs the header apikey."),
    ),
    (
        403,
        "Forbidden",
        Audience::Host,
        "`ERR_GROUP_NO_CLEARANCE`, `ERR_GROUP_NO_MODERATOR_SCOPE`, `ERR_GROUP_NO_ADMIN_SCOPE`, `ERR_GROUP_NO_SCOPE_CLEARANCE`, `ERR_GROUP_NO_SELF_ACTION` on behalf of a user; `ERR_EMPTY_GROUP_PASS` where the password of a group is missing; `ERR_WRONG_GROUP_PASS`, `ERR_GROUP_JOIN_NOT_ALLOWED` to a user who joins; `ERR_BAD_REQUEST` to browsers.",
        ("ERR_GROUP_NO_CLEARANCE", "Only the host itself may do this: ask without onBehalfOf."),
    ),
    (
        404,
        "NotFound",
        Audience::Host,
        "`ERR_UID_NOT_FOUND`, `ERR_GUID_NOT_FOUND`, `ERR_NOT_A_MEMBER`; `ERR_API_NOT_FOUND` for an event or an endpoint of webhooks that is not there.",
        ("ERR_UID_NOT_FOUND", "There is no such user."),
    ),
    (
        408,
        "Stalled",
        Audience::Host,
        "The body did not arrive in time.",
        ("ERR_BAD_REQUEST", "The body did not arrive in time: each kilobyte of it within ten seconds."),
    ),
    (
        409,
        "Conflict",
        Audience::Host,
        "The state forbids it: `ERR_OWNER_MUST_TRANSFER`, `ERR_BANNED_GROUPMEMBER`; what is so already: `ERR_ALREADY_JOINED`, `ERR_SAME_SCOPE`, `ERR_ALREADY_BANNED`, `ERR_NOT_A_BANNED_USER`; `ERR_OPERATION_FAILED` where no secret signs tokens; and what the operation says.",
        ("ERR_OWNER_MUST_TRANSFER", "The owner stays until the group is handed to somebody else: do that first."),
    ),
    (
        413,
        "TooLarge",
        Audience::Host,
        "`ERR_TOO_LARGE`: the message names the limit.",
        ("ERR_TOO_LARGE", "This request is too large."),
    ),
    (
        415,
        "Encoded",
        Audience::Host,
        "The body has a `Content-Encoding`.",
        ("ERR_BAD_REQUEST", "Send the body as it is, without a Content-Encoding."),
    ),
    (
        429,
        "TooManyRequests",
        Audience::Host,
        "`ERR_TOO_MANY_REQUESTS`, with `--rate-limit`, and after wrong passwords of a group.",
        ("ERR_TOO_MANY_REQUESTS", "Try again in 2 seconds."),
    ),
    (
        500,
        "Internal",
        Audience::Host,
        "`ERR_INTERNAL`: ours; the number is in the log.",
        ("ERR_INTERNAL", "Number 5e3a91c07f2b is in the log."),
    ),
    (
        503,
        "Unavailable",
        Audience::Host,
        "`ERR_UNAVAILABLE`: nothing was changed; or, when the message says so, it is not known whether it was: ask again under the same Idempotency-Key.",
        ("ERR_UNAVAILABLE", "Nothing was changed. Try again soon."),
    ),
    (
        400,
        "ViewerBadRequest",
        Audience::Viewer,
        "Cannot be read; a token in the URL.",
        (
            "ERR_BAD_REQUEST",
            "A token in a URL ends up in logs and histories. Send it as a bearer in the Authorization header.",
        ),
    ),
    (
        401,
        "ViewerUnauthorized",
        Audience::Viewer,
        "`AUTH_ERR_AUTH_TOKEN_NOT_FOUND` without a viewer token, `AUTH_ERR_NO_ACCESS` with a bad one.",
        ("AUTH_ERR_AUTH_TOKEN_NOT_FOUND", "Sign in."),
    ),
    (
        403,
        "ViewerForbidden",
        Audience::Viewer,
        "The rule says no: `ERR_GROUP_NO_CLEARANCE`, `ERR_GROUP_NO_SCOPE_CLEARANCE`, `ERR_GROUP_NO_SELF_ACTION`.",
        ("ERR_GROUP_NO_CLEARANCE", "Participants cannot do this to anyone."),
    ),
    (
        404,
        "ViewerNotFound",
        Audience::Viewer,
        "`ERR_GUID_NOT_FOUND`: not there, or not yours to see, which is the same answer; `ERR_NOT_A_MEMBER`, `ERR_EVENT_NOT_FOUND`.",
        ("ERR_GUID_NOT_FOUND", "There is no such group, or it is not yours to see."),
    ),
    (
        409,
        "ViewerConflict",
        Audience::Viewer,
        "The state forbids it: `ERR_OWNER_MUST_TRANSFER`, `ERR_BANNED_GROUPMEMBER`, `ERR_OUTDATED`, `ERR_UNDO_TOO_LATE`, `ERR_UNDO_OVERTAKEN`.",
        ("ERR_OWNER_MUST_TRANSFER", "The owner stays until the group is handed to somebody else: do that first."),
    ),
    (
        408,
        "ViewerStalled",
        Audience::Viewer,
        "The body did not arrive in time.",
        ("ERR_BAD_REQUEST", "The body did not arrive in time: each kilobyte of it within ten seconds."),
    ),
    (413, "ViewerTooLarge", Audience::Viewer, "Too large.", ("ERR_TOO_LARGE", "This request is too large.")),
    (
        415,
        "ViewerEncoded",
        Audience::Viewer,
        "The body has a `Content-Encoding`.",
        ("ERR_BAD_REQUEST", "Send the body as it is, without a Content-Encoding."),
    ),
    (
        422,
        "ViewerInvalid",
        Audience::Viewer,
        "A value is not allowed; the detail names it.",
        ("ERR_VALIDATION", "limit: a number from 1 to 100"),
    ),
    (
        429,
        "ViewerTooManyRequests",
        Audience::Viewer,
        "Too fast, with `--rate-limit`.",
        ("ERR_TOO_MANY_REQUESTS", "Try again in 2 seconds."),
    ),
    (
        503,
        "ViewerUnavailable",
        Audience::Viewer,
        "Cannot now; try again.",
        ("ERR_UNAVAILABLE", "Nothing was changed. Try again soon."),
    ),
];

impl Audience {
    /// Says of every operation who may ask, and how it refuses.
    pub(in crate::http) fn describe(self, document: &mut OpenApi, security: &[SecurityRequirement]) {
        for (path, item) in &mut document.paths.paths {
            let has_target = path.contains('{');
            let PathItem { get, put, post, delete, patch, .. } = item;
            for (changes, operation) in [(false, get), (true, put), (true, post), (true, delete), (true, patch)] {
                let Some(operation) = operation else { continue };
                if operation.security.is_none() {
                    operation.security = Some(security.to_vec());
                }
                self.add_refusals(operation, changes, has_target);
                if self == Audience::Host {
                    for (status, response) in &mut operation.responses.responses {
                        if let RefOr::T(response) = response {
                            rate_headers::add_to_response(response, status);
                        }
                    }
                }
            }
        }
    }

    fn add_refusals(self, operation: &mut Operation, changes: bool, has_target: bool) {
        let public = operation.security.as_ref().is_some_and(|all| all.iter().all(|one| *one == Default::default()));
        if public {
            return;
        }
        let has_body = operation.request_body.is_some();
        // Participants may not read these, or not about everybody.
        let is_for_staff =
            matches!(operation.operation_id.as_deref(), Some("showBanned" | "showMuted" | "showNotes" | "showMember"));
        for (status, name, ..) in REFUSALS.iter().filter(|(_, _, audience, ..)| *audience == self) {
            let applies = match status {
                403 => self == Audience::Host || changes || is_for_staff,
                404 => self == Audience::Host || has_target,
                409 => changes,
                // The host's calls that take no fields read the body as well, to refuse what it has.
                408 | 413 | 415 => has_body || (changes && self == Audience::Host),
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
            Audience::Host => "application/json",
            Audience::Viewer => "application/problem+json",
        }
    }

    fn schema(self) -> Ref {
        Ref::from_schema_name(match self {
            Audience::Host => "ErrorAnswer",
            Audience::Viewer => "Problem",
        })
    }

    fn example(self, status: u16, code: &str, message: &str) -> Value {
        match self {
            Audience::Host => json!({"error": {"code": code, "message": message, "details": details(message)}}),
            Audience::Viewer => {
                json!({"type": "about:blank", "title": "", "status": status, "detail": message, "code": code})
            }
        }
    }
}

/// Adds the responses that operations refer to.
pub(super) fn add_to(components: &mut Components) {
    for (status, name, audience, words, (code, message)) in REFUSALS {
        let mut response = response(status, audience, words, code, message);
        if audience == Audience::Host {
            rate_headers::add_to_response(&mut response, &status.to_string());
        }
        components.responses.insert(name.into(), RefOr::T(response));
    }
    rate_headers::add_to(components);
    super::answers::add_errors_to(components);
}

fn response(status: u16, audience: Audience, words: &str, code: &str, message: &str) -> Response {
    let content =
        ContentBuilder::new().schema(Some(audience.schema())).example(Some(audience.example(status, code, message)));
    let response = ResponseBuilder::new().description(words).content(audience.content_type(), content.build());
    let response = match audience {
        Audience::Host => response,
        // Without a wish for JSON the response is a page or a fragment.
        Audience::Viewer => response.content("text/html", ContentBuilder::new().schema(Some(String::schema())).build()),
    };
    if !matches!(status, 429 | 503) {
        return response.build();
    }
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).build();
    response
        .header("Retry-After", HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds.")).build())
        .build()
}

/// The invalid fields, from a message `field: words`.
fn details(message: &str) -> Value {
    match message.split_once(": ") {
        Some((field, words)) if !field.contains(' ') => json!({field: [words]}),
        _ => json!({}),
    }
}
