//! What a function that other files call says of its errors. Clippy's `missing_errors_doc` looks at what leaves the crate alone, and with
//! `check-private-items` also at what never leaves its file.

use std::fs;
use std::path::Path;

use super::source::files_below;

/// The functions of a file that others may call, that may fail, and whose comment has no section `# Errors`. Handlers are left out: what
/// they answer is in the OpenAPI document.
fn silent_functions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "))
        .unwrap_or(lines.len());
    let mut silent = Vec::new();
    for (at, line) in lines[..tests].iter().enumerate() {
        let Some((before, after)) = line.split_once("fn ") else { continue };
        let is_declaration = before.starts_with("pub") && !before.contains("//") && !before.contains('=');
        let signature =
            lines[at..].iter().take_while(|line| !line.starts_with("where")).copied().collect::<Vec<_>>().join(" ");
        let signature = signature.split(['{', ';']).next().unwrap_or_default();
        let answer = signature.rsplit_once("-> ").map_or("", |(_, answer)| answer);
        let answer = answer.trim_start_matches("impl Future<Output = ").trim_start_matches("io::");
        if !is_declaration || !answer.starts_with("Result<") || answer.starts_with("Result<Response") {
            continue;
        }
        let comment = lines[..at].iter().rev().take_while(|line| line.starts_with("//") || line.starts_with('#'));
        if !comment.into_iter().any(|line| *line == "/// # Errors") {
            silent.push(after.split(['(', '<']).next().unwrap_or_default().to_owned());
        }
    }
    silent
}

#[test]
fn every_function_that_other_files_call_says_when_it_fails() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files_below(&root) {
        let silent = silent_functions(&fs::read_to_string(&path).unwrap());
        assert!(silent.is_empty(), "{} does not say when these fail: {silent:?}", path.display());
    }
}

#[test]
fn a_function_is_silent_without_the_section_alone() {
    let text = "
        /// Reads.
        #[must_use]
        pub(super) async fn read(&self) -> Result<u8, Error> {}
        /// Writes.
        ///
        /// # Errors
        /// When it is full.
        pub fn write<T>(
            of: T,
        ) -> Result<(), Error> {}
        pub fn size(&self) -> usize { self.read().unwrap() }
        pub async fn show() -> Result<Response, Problem> {}
        fn own() -> Result<(), Error> {}
        #[cfg(test)]
        mod tests { pub fn cast() -> Result<(), Error> {} }";
    assert_eq!(silent_functions(text), ["read"]);
}
