//! Scripts and styles, embedded by `build.rs` and compressed once.

/// One file.
pub(crate) struct Asset {
    /// The plain name, `css-variables.css`.
    pub(crate) name: &'static str,
    /// Path below the mount with the content's hash, `/static/css-variables.3f2a9c1b00.css`.
    pub(crate) url: &'static str,
    /// Weak, because it is shared by the three encodings.
    pub(crate) etag: &'static str,
    /// The media type.
    pub(crate) kind: &'static str,
    pub(crate) plain: &'static [u8],
    pub(crate) br: &'static [u8],
    pub(crate) gzip: &'static [u8],
}

/// All of them.
pub(crate) static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The path below the mount of the asset with this plain name.
///
/// # Panics
/// When there is no such asset: names are written in our own templates, so that is a typing error.
pub(crate) fn url(name: &str) -> &'static str {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => asset.url,
        None => panic!("static/ has no asset named {name:?}"),
    }
}
