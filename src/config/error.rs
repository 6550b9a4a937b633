//! What is wrong with a configuration.

use std::path::PathBuf;

/// The configuration cannot be used. The sentence says which option, where it was given, and what
/// would be right; it never shows a secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// A value is not allowed.
    #[error("{place}: {problem}")]
    Value {
        /// The option as it was given: `--flag`, `CGM_VARIABLE`, or key and file.
        place: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// No key for viewer tokens is configured.
    #[error(
        "no viewer key: nobody could prove who they are\n\
         make a secret:          openssl rand -base64 48\n\
         share it with your app: CGM_VIEWER_SECRET=… (or --viewer-secret, or viewer-secret in the --config file)\n\
         or name your app's public keys with --viewer-jwks FILE|URL"
    )]
    NoViewerKey,
}
