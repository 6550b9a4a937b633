//! The version that `--version` shows: the package's, and the commit that it was built from with its date.

use std::env;
use std::path::Path;
use std::process::Command;

/// What is shown in place of git's word: packagers who build without a repository set it, as in `1a2b3c4d5e 2026-11-23`.
const REVISION: &str = "CHAT_GROUP_MEMBERS_REVISION";

/// Hands the version to the compiler. Only release builds name a commit: others would be built again after each.
pub(super) fn announce() {
    println!("cargo::rerun-if-env-changed={REVISION}");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = env::var(REVISION).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let revision = given.or_else(|| if is_release { commit() } else { None });
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

fn git(arguments: &[&str]) -> Option<String> {
    let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
}
