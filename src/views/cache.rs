//! The cache of rendered windows, shared by viewers who request the same ones.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::content_coding::{ContentCoding, SMALLEST};

/// Most bytes in the cache.
const CAPACITY: u64 = 16 << 20;
/// Windows that fit into it, roughly.
const WINDOWS: usize = 1_000;

/// Windows that were requested once and are remembered for it, by a hash of their key.
const REQUESTED_ONCE: usize = 4_096;

/// Rendered windows by a key of everything they depend on. Bounded: windows that are not requested again
/// are evicted first.
pub struct RenderCache {
    windows: Cache<String, CachedWindow, ByBytes>,
    /// Most windows are requested once. Those are not cached: memory that is freed at once is fast to use again.
    requested_once: Cache<u64, ()>,
    hasher: RandomState,
}

/// One rendered window. Clones share its compressed forms.
#[derive(Clone)]
pub struct CachedWindow {
    plain: Bytes,
    compressed: Arc<[OnceLock<Bytes>; 2]>,
    /// The positions of its first and last row; empty when it has none.
    rows: (Box<str>, Box<str>),
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, CachedWindow> for ByBytes {
    fn weight(&self, key: &String, window: &CachedWindow) -> u64 {
        // The two compressed forms are about a quarter of the text.
        (key.len() + window.plain.len() * 5 / 4) as u64
    }
}

impl Default for RenderCache {
    fn default() -> Self {
        RenderCache {
            windows: Cache::with_weighter(WINDOWS, CAPACITY, ByBytes),
            requested_once: Cache::new(REQUESTED_ONCE),
            hasher: RandomState::new(),
        }
    }
}

impl RenderCache {
    /// The window of this key, unless it contains the viewer's own row, which is rendered for them alone. `own` is the
    /// position of that row.
    pub fn get(&self, key: &str, own: &str) -> Option<CachedWindow> {
        self.windows.get(key).filter(|window| !window.contains(own))
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.windows.clear();
    }

    /// Caches a window at its second request, unless it contains the viewer's own row, whose position is `own`. Says
    /// whether it is cached now.
    pub fn put(&self, key: String, window: &CachedWindow, own: &str) -> bool {
        if window.contains(own) {
            return false;
        }
        let hash = self.hasher.hash_one(&key);
        let again = self.requested_once.get(&hash).is_some();
        if again {
            self.windows.insert(key, window.clone());
        } else {
            self.requested_once.insert(hash, ());
        }
        again
    }
}

impl CachedWindow {
    /// A window of this text, whose first and last row have these positions; empty when it has none.
    pub fn new(text: String, rows: (Box<str>, Box<str>)) -> CachedWindow {
        CachedWindow { plain: text.into(), compressed: Arc::default(), rows }
    }

    /// The text as it was rendered.
    pub fn plain(&self) -> Bytes {
        self.plain.clone()
    }

    /// The text in this coding, which it is compressed to once; `None` when it is too small to gain by it.
    pub fn compressed(&self, coding: ContentCoding) -> Option<Bytes> {
        let form = &self.compressed[coding as usize];
        (self.plain.len() >= SMALLEST).then(|| form.get_or_init(|| coding.compress(&self.plain)).clone())
    }

    fn contains(&self, position: &str) -> bool {
        (&*self.rows.0..=&*self.rows.1).contains(&position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> CachedWindow {
        CachedWindow::new(text.into(), ("b".into(), "d".into()))
    }

    fn get(cache: &RenderCache, key: &str, own: &str) -> Option<Bytes> {
        cache.get(key, own).map(|window| window.plain())
    }

    #[test]
    fn a_window_is_kept_when_it_is_asked_for_the_second_time() {
        let cache = RenderCache::default();
        cache.put("w".into(), &body("x"), "e");
        assert_eq!(get(&cache, "w", "e"), None);
        cache.put("w".into(), &body("x"), "e");
        assert_eq!(get(&cache, "w", "e"), Some(Bytes::from_static(b"x")));
    }

    #[test]
    fn a_window_is_compressed_once_for_all_who_share_it() {
        let window = body(&"row ".repeat(1_000));
        let shared = window.clone();
        for coding in [ContentCoding::Brotli, ContentCoding::Gzip] {
            let first = window.compressed(coding).expect("it is large enough");
            assert!(first.len() < 100);
            assert_eq!(shared.compressed(coding).map(|again| again.as_ptr()), Some(first.as_ptr()));
        }
        assert_eq!(body("small").compressed(ContentCoding::Gzip), None);
    }

    #[test]
    fn whoever_stands_in_a_window_neither_gives_nor_gets_it() {
        let cache = RenderCache::default();
        for own in ["c", "b", "d"] {
            cache.put("w".into(), &body("own"), own);
            cache.put("w".into(), &body("own"), own);
        }
        assert_eq!(get(&cache, "w", "e"), None);
        cache.put("w".into(), &body("x"), "a");
        cache.put("w".into(), &body("x"), "a");
        assert_eq!((get(&cache, "w", "c"), cache.get("w", "a").is_some()), (None, true));
    }

    #[test]
    fn what_is_asked_for_again_outlives_what_is_not() {
        let cache = RenderCache::default();
        let large = body(&"x".repeat(CAPACITY as usize / 64));
        let put_twice = |key: String| (0..2).map(|_| cache.put(key.clone(), &large, "e")).last();
        put_twice("asked".into());
        for number in 0..200 {
            assert!(cache.get("asked", "e").is_some(), "{number}");
            put_twice(number.to_string());
        }
        let kept = (0..200).filter(|number| cache.get(&number.to_string(), "e").is_some()).count();
        assert!(kept < 64, "{kept} windows are more than the cache has room for");
    }
}
