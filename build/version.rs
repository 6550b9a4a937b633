//! The version that `--version` shows: the package's, and the commit that it was built from with its date.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is shown in place of git's word: packagers who build without a repository set it, as in `1a2b3c4d5e 2026-11-23`.
const REVISION: &str = "CHAT_GROUP_MEMBERS_REVISION";

/// What is shown of a package of the source, which has no repository.
const PACKAGED: &str = "build/browser/REVISION";

/// Hands the version to the compiler. Only release builds name a commit: others would be built again after each.
pub(super) fn announce() {
    println!("cargo::rerun-if-env-changed={REVISION}");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = env::var(REVISION).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let revision = given.or_else(|| if is_release { commit().or_else(|| packaged(Path::new("."))) } else { None });
    let shown = revision.map_or(version.clone(), |revision| format!("{version} ({revision})"));
    println!("cargo::rustc-env=CHAT_GROUP_MEMBERS_VERSION={shown}");
}

/// The commit that is checked out and its date; `None` when this is no repository, or lies in somebody else's.
fn commit() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD".to_owned(), "packed-refs".to_owned()].into_iter().chain(branch) {
        let path = git(&["rev-parse", "--git-path", &name])?;
        // Cargo takes a file that is missing for one that has changed.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["log", "-1", "--format=%h %cs"])
}

/// The commit that a package of the source was made of: `packaging/crate` writes it with its date; Cargo alone, its number.
pub(super) fn packaged(source: &Path) -> Option<String> {
    if let Some(revision) = fs::read_to_string(source.join(PACKAGED)).ok().filter(|text| !text.trim().is_empty()) {
        return Some(revision.trim().to_owned());
    }
    let recorded = fs::read_to_string(source.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = recorded.split_once("\"sha1\"")?;
    let number: String = rest.chars().skip_while(|c| !c.is_ascii_hexdigit()).take(10).collect();
    (number.len() == 10 && number.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(number)
}

fn git(arguments: &[&str]) -> Option<String> {
    let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
}
