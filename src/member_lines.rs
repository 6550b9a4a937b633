//! Members in files and uploads, one per line.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{BufRead, Read};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use utoipa::ToSchema;

use crate::domain::{MAX_JOINED_AT, Name, Scope, Uid, parse_moment};
use crate::json_faults::fault;
use crate::membership::ActError;
use crate::store::SyncRow;
use crate::web_address::{is_picture, picture_in_words};

/// Most bytes of a line.
const MAX_LINE: usize = 16 * 1024;
/// Most bytes of the first line of a snapshot, which lists the mutes of people who left.
const MAX_HEAD: usize = 8 * 1024 * 1024;
/// The byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub(crate) struct RowError {
    /// Its number, from 1.
    pub(crate) line: u64,
    /// The problem.
    pub(crate) problem: String,
}

impl From<RowError> for ActError {
    fn from(error: RowError) -> Self {
        ActError::Invalid(error.to_string())
    }
}

/// The first line of an uploaded snapshot: where it stands in the log, and how many lines follow.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UploadHead {
    #[serde(rename = "epoch")]
    _epoch: String,
    #[serde(rename = "seq")]
    _seq: u64,
    count: u64,
    /// People who left and may not speak: a sync leaves this as it is.
    #[serde(default, rename = "mutes")]
    _mutes: IgnoredAny,
}

impl UploadHead {
    fn read(line: &[u8]) -> Option<UploadHead> {
        serde_json::from_slice(line).ok()
    }
}

/// Whether a text that begins like this is a snapshot, also an empty one.
pub(crate) fn is_snapshot(begin: &[u8]) -> bool {
    let begin = begin.strip_prefix(MARK).unwrap_or(begin);
    let mut lines = begin.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    // A line that goes on beyond the beginning is a snapshot's, or refused when it is read.
    lines.find(|line| !line.is_empty()).is_some_and(|line| line.len() > MAX_LINE || UploadHead::read(line).is_some())
}

/// One line, not yet validated. Fields that are not named here are ignored.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Line {
    /// The uid.
    pub(crate) uid: String,
    /// Their name.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Their scope.
    #[serde(default)]
    pub(crate) scope: Option<String>,
    /// Their picture.
    #[serde(default)]
    pub(crate) avatar: Option<String>,
    /// When they joined: Unix seconds, as a number or a text.
    #[serde(default, rename = "joinedAt")]
    pub(crate) joined_at: Option<serde_json::Value>,
    /// Whether they are the owner, whose scope is `admin` in a snapshot.
    #[serde(default, rename = "isOwner")]
    pub(crate) is_owner: Option<bool>,
    /// When their scope ends, as a snapshot says.
    #[serde(default, rename = "scopeUntil")]
    pub(crate) scope_until: Option<String>,
}

/// Somebody on a line of an upload, which may be that of a snapshot. Unknown fields are refused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with uid, name, scope, avatar and joinedAt")]
#[schema(as = SyncLine, example = json!({"uid": "dee", "name": "Dee", "scope": "moderator", "joinedAt": 1700000000}))]
pub(crate) struct StrictLine {
    #[schema(value_type = Uid)]
    uid: String,
    /// Makes the user known, or renames them.
    #[serde(default)]
    #[schema(value_type = Option<Name>)]
    name: Option<String>,
    /// Unless given, the one that they have, and `participant` for somebody new.
    #[serde(default)]
    #[schema(value_type = Option<Scope>)]
    scope: Option<String>,
    /// The address of a picture: http, https, or data of an image.
    #[serde(default)]
    avatar: Option<String>,
    /// Unix time, in seconds.
    #[serde(default, rename = "joinedAt")]
    joined_at: Option<i64>,
    /// Whether an admin is the owner, as in a snapshot.
    #[serde(default, rename = "isOwner")]
    is_owner: Option<bool>,
    /// Of a snapshot; ignored.
    #[serde(default, rename = "status")]
    #[schema(value_type = Option<String>)]
    _status: Option<IgnoredAny>,
    /// Of a snapshot: a sync leaves mutes as they are.
    #[serde(default, rename = "mutedUntil")]
    #[schema(value_type = Option<String>)]
    _muted_until: Option<IgnoredAny>,
    /// Of a snapshot, RFC 3339: a scope that has ended by the time the sync is applied is `participant`. A sync leaves the ends of scopes
    /// as they are.
    #[serde(default, rename = "scopeUntil")]
    scope_until: Option<String>,
}

impl From<StrictLine> for Line {
    fn from(StrictLine { uid, name, scope, avatar, joined_at, is_owner, scope_until, .. }: StrictLine) -> Line {
        Line { uid, name, scope, avatar, joined_at: joined_at.map(Into::into), is_owner, scope_until }
    }
}

/// The lines of NDJSON, with their numbers. Blank lines are skipped, and the first line of a snapshot, which says how many
/// there are.
///
/// # Errors
/// An entry is an error when a line cannot be read, is too long or is not such an object, and at the end when the snapshot was
/// cut.
pub(crate) fn ndjson<L: DeserializeOwned + Into<Line>>(
    mut reader: impl BufRead,
) -> impl Iterator<Item = Result<(u64, Line), RowError>> {
    let (mut text, mut listed, mut announced) = (Vec::new(), 0, None);
    (1u64..)
        .map_while(move |line| {
            text.clear();
            // One byte more than the limit is read, which shows that a line is too long.
            let most = if line == 1 { MAX_HEAD } else { MAX_LINE };
            match reader.by_ref().take(most as u64 + 2).read_until(b'\n', &mut text) {
                Err(error) => Some(Err(row_error(line, &error.to_string()))),
                Ok(0) => {
                    let missing = announced.take().filter(|count| *count != listed);
                    missing.map(|count| {
                        let problem = format!("the snapshot has {count} people and {listed} are listed: it was cut");
                        Err(row_error(line, &problem))
                    })
                }
                Ok(_) if text.trim_ascii_end().len() > MAX_LINE && UploadHead::read(text.trim_ascii()).is_none() => {
                    Some(Err(row_error(line, &format!("it has more than {MAX_LINE} bytes"))))
                }
                Ok(_) => {
                    let text = text.strip_prefix(if line == 1 { MARK } else { b"" }).unwrap_or(&text).trim_ascii();
                    if text.is_empty() {
                        return Some(Ok(None));
                    }
                    if listed == 0
                        && announced.is_none()
                        && let Some(head) = UploadHead::read(text)
                    {
                        announced = Some(head.count);
                        return Some(Ok(None));
                    }
                    listed += 1;
                    Some(read(line, text).map(|read: L| Some((line, read.into()))))
                }
            }
        })
        .filter_map(Result::transpose)
}

fn read<L: DeserializeOwned>(line: u64, text: &[u8]) -> Result<L, RowError> {
    // An array would be read as well, by the places of the fields.
    if text.starts_with(b"[") {
        return Err(row_error(line, "a line is an object, and no array"));
    }
    serde_json::from_slice(text).map_err(|error| row_error(line, &unread::<L>(text, &error)))
}

/// Why a line is not such an object, in our words, with the field.
fn unread<L: DeserializeOwned>(text: &[u8], error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "it is not JSON: it ends before it is complete".to_owned();
    }
    // Read again: following the path would slow down every line that can be read.
    match serde_path_to_error::deserialize::<_, L>(&mut serde_json::Deserializer::from_slice(text)) {
        Err(again) if again.inner().is_data() => {
            let words = again.inner().to_string();
            let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
            match fault(again.path(), words) {
                (field, words) if field.is_empty() => words,
                (field, words) => format!("{field}: {words}"),
            }
        }
        _ => format!("it is not JSON from column {} on", error.column()),
    }
}

/// Finds who is listed twice. A uid is kept as eight bytes, so that a million take eight megabytes.
#[derive(Default)]
pub(crate) struct Seen(HashSet<u64>);

impl Seen {
    /// Records somebody.
    ///
    /// # Errors
    /// When they were listed before.
    pub(crate) fn record(&mut self, line: u64, uid: &Uid) -> Result<(), RowError> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(uid.as_str());
        if self.0.insert(hash) { Ok(()) } else { Err(row_error(line, &format!("{uid} is listed twice"))) }
    }
}

/// Validates the lines of a sync: nobody is listed twice, and at most one person as the owner. A person without a
/// name keeps the stored one.
///
/// # Errors
/// An entry is an error when its line is one or is not allowed, or lists somebody twice or a second owner.
pub(crate) fn sync_rows<E>(
    lines: impl Iterator<Item = Result<(u64, Line), RowError>>,
) -> impl Iterator<Item = Result<(u64, SyncRow), E>>
where
    E: From<RowError>,
{
    let (mut seen, mut owner) = (Seen::default(), None::<Uid>);
    lines.map(move |line| {
        let (number, line) = line?;
        let row = row(number, &line, false)?;
        seen.record(number, &row.uid)?;
        if row.scope == Some(Scope::Owner)
            && let Some(first) = owner.replace(row.uid.clone())
        {
            let problem = format!("{} would be a second owner: {first} is the first", row.uid);
            return Err(row_error(number, &problem).into());
        }
        Ok((number, row))
    })
}

/// Validates one line, as strictly as the entries of a list in JSON: white space around a name alone is left out, and an avatar alone
/// may be empty. `named` when it must have a name.
///
/// # Errors
/// The problem.
pub(crate) fn row(number: u64, line: &Line, named: bool) -> Result<SyncRow, RowError> {
    let uid = line
        .uid
        .parse()
        .and_then(Uid::of_a_person)
        .map_err(|error| row_error(number, &format!("uid {:?}: {error}", shortened(&line.uid))))?;
    let name = match line.name.as_deref().map(str::trim) {
        None if !named => None,
        name => {
            Some(Name::parse(name.unwrap_or_default()).map_err(|error| row_error(number, &format!("name: {error}")))?)
        }
    };
    let scope = line.scope.as_deref().map(|word| {
        let unknown = || format!("scope {:?}: one of owner, admin, moderator, participant", shortened(word));
        word.parse::<Scope>().map_err(|()| row_error(number, &unknown()))
    });
    let scope = match (line.is_owner.unwrap_or(false), scope.transpose()?) {
        (true, Some(Scope::Admin | Scope::Owner)) => Some(Scope::Owner),
        (true, Some(Scope::Moderator | Scope::Participant) | None) => {
            return Err(row_error(number, "isOwner: the owner is an admin"));
        }
        (false, scope) => scope,
    };
    let moment = |until: &str| parse_moment(until).ok_or_else(|| row_error(number, "scopeUntil: a moment, RFC 3339"));
    let scope_until = line.scope_until.as_deref().map(moment).transpose()?;
    // A scope that ends is given by an act alone: a list would make it lasting. Whoever has it keeps it, with its end.
    let scope = scope.filter(|_| scope_until.is_none());
    let avatar = match line.avatar.as_deref().filter(|url| !url.is_empty()) {
        None => None,
        Some(url) if is_picture(url) => Some(url.to_owned()),
        Some(_) => return Err(row_error(number, &format!("avatar: {}", picture_in_words()))),
    };
    Ok(SyncRow { uid, name, avatar, scope, joined_at: joined_at(number, line.joined_at.as_ref())? })
}

fn joined_at(number: u64, value: Option<&serde_json::Value>) -> Result<Option<i64>, RowError> {
    use serde_json::Value;
    let seconds = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(other) => other.as_i64(),
    };
    let seconds = seconds.filter(|seconds| (0..=MAX_JOINED_AT).contains(seconds));
    seconds.map(Some).ok_or_else(|| row_error(number, "joinedAt: whole seconds since the epoch"))
}

/// The error of an invalid line.
pub(crate) fn row_error(line: u64, problem: &str) -> RowError {
    RowError { line, problem: problem.to_owned() }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<(u64, SyncRow)>, RowError> {
        sync_rows(ndjson::<StrictLine>(text.as_bytes())).collect()
    }

    #[test]
    fn who_is_listed_without_a_scope_or_with_one_that_ends_keeps_theirs() {
        let of = |fields: &str| rows(&format!(r#"{{"uid":"mia"{fields}}}"#)).map(|rows| rows[0].1.scope);
        let until = r#","scopeUntil":"2023-11-14T22:13:20Z""#;
        assert_eq!(of(r#","scope":"admin""#).unwrap(), Some(Scope::Admin));
        assert_eq!(of(&format!(r#","scope":"admin"{until}"#)).unwrap(), None);
        assert_eq!(of(r#","scope":null"#).unwrap(), None);
        assert_eq!(of(until).unwrap(), None, "an end of no scope");
        assert_eq!(of(r#","scopeUntil":"tomorrow""#).unwrap_err().problem, "scopeUntil: a moment, RFC 3339");
    }

    #[test]
    fn what_is_empty_or_has_white_space_around_it_is_read_as_in_a_list_in_json() {
        for (fields, words) in [
            (r#""uid":" ada""#, r#"line 1: uid " ada": "#),
            (r#""uid":"ada","scope":"""#, r#"line 1: scope "": one of"#),
            (r#""uid":"ada","scope":" admin ""#, r#"line 1: scope " admin ": one of"#),
            (r#""uid":"ada","name":"""#, "line 1: name: a name has 1 to 100 characters"),
            (r#""uid":"ada","name":" ""#, "line 1: name: a name has 1 to 100 characters"),
            (
                r#""uid":"ada","avatar":" https://x.example/a.png""#,
                "line 1: avatar: an http or https address or data of an",
            ),
        ] {
            let problem = rows(&format!("{{{fields}}}")).unwrap_err().to_string();
            assert!(problem.starts_with(words), "{problem}");
        }
        let read = rows(r#"{"uid":"ada","name":" Ada ","scope":null,"avatar":"","joinedAt":null}"#).unwrap();
        let SyncRow { name, avatar, scope, joined_at, .. } = &read[0].1;
        assert_eq!(name.as_ref().map(Name::as_str), Some("Ada"));
        assert_eq!((avatar.as_deref(), scope, joined_at), (None, &None, &None));
    }

    #[test]
    fn lines_are_counted_and_blank_ones_skipped() {
        let read = rows("{\"uid\":\"ada\",\"scope\":\"owner\"}\r\n\n  \n{\"uid\":\"ben\",\"name\":\"Ben\"}").unwrap();
        let lines: Vec<_> = read.iter().map(|(line, row)| (*line, row.uid.as_str(), row.name.is_some())).collect();
        assert_eq!(lines, [(1, "ada", false), (4, "ben", true)]);
    }

    #[test]
    fn what_is_wrong_is_named_by_line() {
        for (text, words) in [
            ("{\"uid\":\"ada\"}\n{\"uid\":\"b", "line 2: it is not JSON: it ends before"),
            ("<html>\n", "line 1: it is not JSON from column 1 on"),
            ("7\n", "line 1: an object with uid, name"),
            ("{\"name\":\"Ada\"}\n", "line 1: uid: this is required"),
            ("{\"uid\":7}\n", "line 1: uid: a text"),
            ("{\"uid\":\"ada\",\"uid\":\"ben\"}\n", "line 1: uid: this is given twice"),
            ("{\"uid\":\"ada\",\"joinedAt\":\"7\"}\n", "line 1: joinedAt: a whole number"),
            ("{\"uid\":\"ada\",\"joinedAt\":-1}\n", "line 1: joinedAt: whole seconds"),
            ("{\"uid\":\"ada\"}\n{\"uid\":\"ada\"}\n", "line 2: ada is listed twice"),
            ("\n{\"uid\":\"ada\",\"role\":\"x\"}\n", "line 2: role: this field is not known here"),
            (
                "{\"uid\":\"a\",\"scope\":\"owner\"}\n{\"uid\":\"b\",\"scope\":\"owner\"}\n",
                "line 2: b would be a second",
            ),
            ("[1]\n", "line 1: a line is an object"),
            ("[\"ada\",null,null,null,null]\n", "line 1: a line is an object"),
            ("{\"epoch\":\"e\",\"seq\":7,\"count\":2}\n{\"uid\":\"ada\"}\n", "line 3: the snapshot has 2 people and 1"),
            ("{\"uid\":\"ada\"}\n{\"epoch\":\"e\",\"seq\":7,\"count\":1}\n", "line 2: epoch: this field is not"),
            ("{\"uid\":\"ada\",\"scope\":\"moderator\",\"isOwner\":true}\n", "line 1: isOwner"),
        ] {
            let problem = rows(text).unwrap_err().to_string();
            assert!(problem.starts_with(words), "{problem}");
        }
        let long = format!("{{\"uid\":\"ada\",\"name\":\"{}\"}}\n", "x".repeat(MAX_LINE));
        assert_eq!(rows(&long).unwrap_err().to_string(), "line 1: it has more than 16384 bytes");
    }
}
