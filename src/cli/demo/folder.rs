//! The demo's folder: made at every start, removed at the end.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::host::random_text;

/// A folder that goes when the demo goes.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn make() -> anyhow::Result<Folder> {
        let path = std::env::temp_dir().join(format!("chat-group-members-demo-{}", random_text()));
        // Never one that is there already: nobody else on this machine made it or reads it.
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Folder(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "the demo's folder could not be removed");
        }
    }
}
