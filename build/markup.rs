//! The version of the markup that pages name: a hash of the templates of lists and messages.

use std::error::Error;
use std::fs;

use sha2::{Digest, Sha256};

/// The templates whose markup scripts read.
const TEMPLATES: &str = "templates/members";

/// Hands the version to the compiler.
pub(super) fn announce() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TEMPLATES}");
    let mut files =
        fs::read_dir(TEMPLATES)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(fs::read(file)?);
    }
    let version: String = hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=CHAT_GROUP_MEMBERS_MARKUP={version}");
    Ok(())
}
