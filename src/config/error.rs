//! Errors of a configuration.

use std::path::PathBuf;

/// The configuration is not valid. The message names the option, its source and the allowed values; it never shows a
/// secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: std::io::Error,
    },
    /// The file has a syntax error or an unknown key.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The problem and its line or key.
        problem: String,
    },
    /// A value is not allowed.
    #[error("{place}: {problem}")]
    Value {
        /// The option as its source spells it: `--flag`, `CGM_VARIABLE`, or key and file.
        place: String,
        /// The problem and the allowed values.
        problem: String,
    },
    /// There is no key to authenticate viewers with.
    #[error(
        "no viewer key: nobody could prove who they are\n\
         make a secret:          openssl rand -base64 48\n\
         share it with your app: CGM_VIEWER_SECRET=… (or --viewer-secret, or viewer-secret in the --config file)\n\
         or name your app's public keys with --viewer-jwks FILE|URL"
    )]
    NoViewerKey,
}
