//! Scripts and styles, embedded by `build.rs` and compressed once.

/// An embedded file.
pub(crate) struct Asset {
    /// The plain name, `css-variables.css`.
    pub(crate) name: &'static str,
    /// Path below the mount, with a hash of the content: `/static/css-variables.3f2a9c1b00.css`.
    pub(crate) url: &'static str,
    /// The entity tag; weak, because the three encodings share it.
    pub(crate) etag: &'static str,
    /// The media type.
    pub(crate) kind: &'static str,
    pub(crate) plain: &'static [u8],
    pub(crate) br: &'static [u8],
    pub(crate) gzip: &'static [u8],
}

/// Every embedded file.
pub(crate) static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The path of an asset below the mount, by its plain name.
///
/// # Panics
/// When there is no such asset. Names are literals in our own code, so this is a typing error.
pub(crate) fn url(name: &str) -> &'static str {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => asset.url,
        None => panic!("static/ has no asset named {name:?}"),
    }
}
