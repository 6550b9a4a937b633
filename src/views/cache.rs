//! The cache of rendered windows, shared by viewers who request the same ones.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Most bytes in the cache.
const CAPACITY: u64 = 16 << 20;
/// Windows that fit into it, roughly.
const WINDOWS: usize = 1_000;

/// Rendered windows by a key of everything they depend on. Bounded: windows that are not requested again
/// are evicted first.
pub struct RenderCache(Cache<String, CachedWindow, ByBytes>);

/// One rendered window.
#[derive(Clone)]
pub struct CachedWindow {
    /// The body of the response.
    pub bytes: Bytes,
    /// The positions of its first and last row; empty when it has none.
    pub rows: (Box<str>, Box<str>),
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, CachedWindow> for ByBytes {
    fn weight(&self, key: &String, window: &CachedWindow) -> u64 {
        (key.len() + window.bytes.len()) as u64
    }
}

impl Default for RenderCache {
    fn default() -> Self {
        RenderCache(Cache::with_weighter(WINDOWS, CAPACITY, ByBytes))
    }
}

impl RenderCache {
    /// The window of this key, unless it contains the viewer's own row, which is rendered for them alone. `own` is the
    /// position of that row.
    pub fn get(&self, key: &str, own: &str) -> Option<Bytes> {
        self.0.get(key).filter(|window| !window.contains(own)).map(|window| window.bytes)
    }

    /// Caches a window, unless it contains the viewer's own row, whose position is `own`.
    pub fn put(&self, key: String, window: CachedWindow, own: &str) {
        if !window.contains(own) {
            self.0.insert(key, window);
        }
    }
}

impl CachedWindow {
    fn contains(&self, position: &str) -> bool {
        (&*self.rows.0..=&*self.rows.1).contains(&position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &'static str) -> CachedWindow {
        CachedWindow { bytes: Bytes::from_static(text.as_bytes()), rows: ("b".into(), "d".into()) }
    }

    #[test]
    fn a_window_that_was_rendered_is_kept() {
        let cache = RenderCache::default();
        assert_eq!(cache.get("w", "e"), None);
        cache.put("w".into(), body("x"), "e");
        assert_eq!(cache.get("w", "e"), Some(Bytes::from_static(b"x")));
    }

    #[test]
    fn whoever_stands_in_a_window_neither_gives_nor_gets_it() {
        let cache = RenderCache::default();
        for own in ["c", "b", "d"] {
            cache.put("w".into(), body("own"), own);
        }
        assert_eq!(cache.get("w", "e"), None);
        cache.put("w".into(), body("x"), "a");
        assert_eq!((cache.get("w", "c"), cache.get("w", "a").is_some()), (None, true));
    }

    #[test]
    fn what_is_asked_for_again_outlives_what_is_not() {
        let cache = RenderCache::default();
        let large = CachedWindow { bytes: vec![0; CAPACITY as usize / 64].into(), ..body("") };
        cache.put("asked".into(), large.clone(), "e");
        for number in 0..200 {
            assert!(cache.get("asked", "e").is_some(), "{number}");
            cache.put(number.to_string(), large.clone(), "e");
        }
        let kept = (0..200).filter(|number| cache.get(&number.to_string(), "e").is_some()).count();
        assert!(kept < 64, "{kept} windows are more than the cache has room for");
    }
}
