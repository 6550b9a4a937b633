//! The members as CSV, which `import` reads: written while it is sent, some rows at a time, so that a large list is not
//! made in memory.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::csv_text::guarded;
use crate::domain::{Member, MemberRecord};

/// Rows that are written at once.
const CHUNK: usize = 200;
/// The first line.
const HEADER: &str = "uid,name,scope,avatar,joinedAt\n";

/// These members: pointers to those in memory, so that a slow reader does not hold the group.
pub(super) fn stream(members: Vec<Arc<Member>>) -> Response {
    let lines = async_stream::stream! {
        yield Ok::<_, Infallible>(Bytes::from_static(HEADER.as_bytes()));
        for members in members.chunks(CHUNK) {
            yield Ok(rows(members));
        }
    };
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], Body::from_stream(lines)).into_response()
}

fn rows(members: &[Arc<Member>]) -> Bytes {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::with_capacity(members.len() * 64));
    for member in members {
        let MemberRecord { uid, name, avatar, scope, joined_at, status: _, muted_until: _, scope_until: _ } =
            MemberRecord::new(member, None);
        let (name, avatar) = (guarded(name), avatar.map(guarded));
        writer.serialize((uid, name, scope, avatar, joined_at)).expect("memory takes rows of one length");
    }
    writer.into_inner().expect("memory takes every row").into()
}
