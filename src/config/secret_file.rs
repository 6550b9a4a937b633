//! Secrets in files of their own: what `…_FILE` names, as systemd, Docker and Kubernetes hand them over.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::value::Parsed;

/// Most bytes of such a file.
const MAX_BYTES: u64 = 64 * 1024;

/// The content of the file, without the white space around it.
///
/// # Errors
/// A sentence about what is wrong, with the name of the file and nothing of its content.
pub(super) fn read(path: &str) -> Parsed<String> {
    let path = Path::new(path.trim());
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let wrong = |what: &str| Err(format!("{} {what}", path.display()));
    if bytes.len() as u64 > MAX_BYTES {
        return wrong("is larger than 64 KiB, too large for a secret");
    }
    match String::from_utf8(bytes) {
        // Some editors begin a file with a byte order mark.
        Ok(text) => match text.trim_start_matches('\u{feff}').trim() {
            "" => wrong("is empty"),
            text => Ok(text.to_owned()),
        },
        Err(_) => wrong("is not UTF-8"),
    }
}

/// The values in such a file: one a line.
pub(super) fn values(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|value| !value.is_empty())
}
