//! What is sent to the host (`webhooks:` of the document). An event is a path item under its type, whose `post` says the body; the
//! schemas it refers to are added to the components.

use serde_json::{Value, json};
use strum::VariantArray;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{
    Components, ContentBuilder, PathItem, Paths, PathsBuilder, Ref, RefOr, Required, ResponseBuilder, Schema,
};
use utoipa::{PartialSchema, ToSchema};

use super::examples::{EPOCH, of_group, of_no_group};
use crate::domain::event_type::{LOG_RESTARTED, TEST, USER_DELETED, USER_PRESENCE};
use crate::domain::{EventKind, Status};
use crate::webhooks::GroupEvent;

/// The headers of every delivery (Standard Webhooks 1.0).
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The id of the event, the same for every try, node and endpoint."),
    ("webhook-timestamp", "When this try was made, in seconds since the epoch."),
    ("webhook-signature", "One signature for each secret, separated by blanks: v1, and base64 of HMAC-SHA256."),
];

/// Every webhook, by its type.
pub(super) fn all(components: &mut Components) -> Paths {
    let mut schemas = vec![(GroupEvent::name().into_owned(), GroupEvent::schema())];
    GroupEvent::schemas(&mut schemas);
    components.schemas.extend(schemas);
    let (summary, schema) = ("An event of a group.", || RefOr::Ref(Ref::from_schema_name(GroupEvent::name())));
    let of_groups = EventKind::VARIANTS.iter().map(|kind| (kind.event_type(), summary, schema(), of_group(*kind)));
    let erased = json!({
        "uid": "dee",
        "pseudonym": "erased-0291ad82ea41dc3f708e339f84030311",
        "groups": ["harbour"],
        "positions": {"harbour": 412},
    });
    let came = json!({"uid": "dee", "status": "online", "at": "2026-05-02T14:03:09.512Z"});
    let others = [
        (LOG_RESTARTED, "Another history of events begins: take snapshots again.", json!({"epoch": EPOCH})),
        (USER_DELETED, "A person was erased.", erased),
        (USER_PRESENCE, "Somebody came or went. Sent only where it is asked for.", came),
        (TEST, "A delivery that was asked for.", json!({"endpoint": "0d3f5a1be8c94f27"})),
    ];
    let others = others.map(|(kind, summary, data)| {
        let schema = fields(&data);
        (kind.to_owned(), summary, schema, of_no_group(kind, data))
    });
    of_groups
        .chain(others)
        .fold(PathsBuilder::new(), |paths, (kind, summary, data, example)| {
            let item = item(&kind, summary, data, example);
            paths.path(kind, item)
        })
        .build()
}

fn item(kind: &str, summary: &str, data: RefOr<Schema>, example: Value) -> PathItem {
    let body = ObjectBuilder::new()
        .property("type", ObjectBuilder::new().schema_type(Type::String).enum_values(Some([kind])))
        .required("type")
        .property("timestamp", text("When it happened, RFC 3339."))
        .required("timestamp")
        .property("data", data)
        .required("data");
    let content = ContentBuilder::new().schema(Some(Schema::Object(body.build()))).example(Some(example)).build();
    let operation = OperationBuilder::new()
        .tag("Webhooks")
        .operation_id(Some(format!("on.{kind}")))
        .summary(Some(summary))
        .parameters(Some(HEADERS.map(|(name, words)| header(name, words))))
        .request_body(Some(
            RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True)).build(),
        ))
        .response("2XX", ResponseBuilder::new().description("Delivered, when it comes within 15 seconds.").build())
        .response(
            "410",
            ResponseBuilder::new().description("No further deliveries until the endpoint is resumed.").build(),
        )
        .response("default", ResponseBuilder::new().description("Tried again, for three days.").build());
    PathItem::new(HttpMethod::Post, operation.build())
}

fn header(name: &str, words: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(words))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}

fn text(words: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(words))
}

/// An object with the fields of this example, which are always there: texts, a status, a list of groups, and numbers by group.
fn fields(example: &Value) -> RefOr<Schema> {
    let names = example.as_object().into_iter().flat_map(|fields| fields.keys());
    let object = names.fold(ObjectBuilder::new().schema_type(Type::Object), |object, name| {
        let words = ObjectBuilder::new().schema_type(Type::String);
        let object = object.required(name);
        match name.as_str() {
            "groups" => object.property(name, ArrayBuilder::new().items(words)),
            "status" => {
                let statuses = [Status::Online, Status::Away, Status::Offline].map(Status::as_str);
                object.property(name, words.enum_values(Some(statuses)))
            }
            "positions" => {
                let numbers = ObjectBuilder::new().schema_type(Type::Integer).build();
                let by_group = ObjectBuilder::new().schema_type(Type::Object);
                object.property(name, by_group.additional_properties(Some(Schema::Object(numbers))))
            }
            _ => object.property(name, words),
        }
    });
    RefOr::T(Schema::Object(object.build()))
}
