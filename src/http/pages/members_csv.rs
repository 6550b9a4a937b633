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
/// The columns that every list has.
const COLUMNS: &str = "uid,name,scope,avatar,joinedAt";

/// These members: pointers to those in memory, so that a slow reader does not hold the group. `visible_mute` is the end of
/// a member's mute that the reader is told of. The ends of scopes and of mutes have a column where there are such.
pub(super) fn stream(
    members: Vec<Arc<Member>>,
    visible_mute: impl Fn(&Member) -> Option<i64> + Send + Sync + 'static,
) -> Response {
    let has_ends = [
        members.iter().any(|member| member.temporary().is_some()),
        members.iter().any(|member| visible_mute(member).is_some()),
    ];
    let ends = [",scopeUntil", ",mutedUntil"].into_iter().zip(has_ends).filter_map(|(end, there)| there.then_some(end));
    let header = format!("{COLUMNS}{}\n", ends.collect::<String>());
    let lines = async_stream::stream! {
        yield Ok::<_, Infallible>(Bytes::from(header));
        for members in members.chunks(CHUNK) {
            yield Ok(rows(members, has_ends, &visible_mute));
        }
    };
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], Body::from_stream(lines)).into_response()
}

/// The rows of these members; `has_ends` is whether there are the columns for ends of scopes and of mutes.
fn rows(members: &[Arc<Member>], has_ends: [bool; 2], visible_mute: &impl Fn(&Member) -> Option<i64>) -> Bytes {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::with_capacity(members.len() * 64));
    for member in members {
        let MemberRecord { uid, name, avatar, scope, joined_at, status: _, muted_until, scope_until } =
            MemberRecord::new(member, None).with_ends(member, visible_mute(member));
        let (uid, name, avatar) = (guarded(uid), guarded(name), avatar.map(guarded));
        let ends = [scope_until, muted_until].into_iter().zip(has_ends);
        let ends: Vec<Option<String>> = ends.filter_map(|(end, there)| there.then_some(end)).collect();
        writer.serialize((uid, name, scope, avatar, joined_at, ends)).expect("memory takes rows of one length");
    }
    writer.into_inner().expect("memory takes every row").into()
}
