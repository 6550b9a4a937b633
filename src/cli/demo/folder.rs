//! The demo's temporary folder: created at every start, removed at the end.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::random;

/// A folder that is removed when it is dropped.
pub(super) struct DemoFolder(PathBuf);

impl DemoFolder {
    /// Makes the folder, under a random name, for this user of the machine alone.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(super) fn create() -> anyhow::Result<DemoFolder> {
        let path = std::env::temp_dir().join(format!("chat-group-members-demo-{}", random::hex::<16>()));
        // `create` fails for an existing folder, so nobody else on this machine owns or reads it.
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        Ok(DemoFolder(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, "cannot remove the demo's folder");
        }
    }
}
