//! Writes what the program knows of `locales/`: the languages there are, and a constant for every
//! message, so that a message that is not there cannot be asked for.

use std::fmt::Write as _;
use std::fs;

use super::Result;

/// The language in which every message is written first, and which stands in for what is missing.
const FIRST: &str = "en-US";

/// Rust for `src/lang`: `FILES` and `key`.
pub(crate) fn table() -> Result<String> {
    let mut tags = Vec::new();
    for folder in fs::read_dir("locales")? {
        let name = folder?.file_name().into_string().map_err(|name| format!("locales/{name:?} is not UTF-8"))?;
        tags.push(name);
    }
    tags.sort_by_key(|tag| (tag != FIRST, tag.clone()));
    let mut rust = format!("pub(super) static FILES: [(&str, &str); {}] = [\n", tags.len());
    for tag in &tags {
        writeln!(
            rust,
            "    ({tag:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/locales/{tag}/main.ftl\"))),"
        )?;
    }
    rust.push_str("];\n\n/// Every message.\n#[allow(missing_docs)]\npub mod key {\n    use super::Key;\n");
    let first = fs::read_to_string(format!("locales/{FIRST}/main.ftl"))?;
    let ids: Vec<_> = first.lines().filter_map(id).collect();
    for (number, id) in ids.iter().enumerate() {
        writeln!(rust, "    pub const {}: Key = Key({number});", id.to_uppercase().replace('-', "_"))?;
    }
    writeln!(rust, "}}\n\npub(super) static IDS: [&str; {}] = {ids:?};", ids.len())?;
    Ok(rust)
}

/// The message that a line of Fluent begins, if it does.
fn id(line: &str) -> Option<&str> {
    let (id, _) = line.split_once(" =")?;
    let fits = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    fits.then_some(id)
}
