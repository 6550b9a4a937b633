//! The cache of rendered windows, shared by viewers who request the same ones.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

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
    pub fn get(&self, key: &str, own: &str) -> Option<Bytes> {
        self.windows.get(key).filter(|window| !window.contains(own)).map(|window| window.bytes)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.windows.clear();
    }

    /// Caches a window at its second request, unless it contains the viewer's own row, whose position is `own`.
    pub fn put(&self, key: String, window: CachedWindow, own: &str) {
        if window.contains(own) {
            return;
        }
        let hash = self.hasher.hash_one(&key);
        if self.requested_once.get(&hash).is_some() {
            self.windows.insert(key, window);
        } else {
            self.requested_once.insert(hash, ());
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
    fn a_window_is_kept_when_it_is_asked_for_the_second_time() {
        let cache = RenderCache::default();
        cache.put("w".into(), body("x"), "e");
        assert_eq!(cache.get("w", "e"), None);
        cache.put("w".into(), body("x"), "e");
        assert_eq!(cache.get("w", "e"), Some(Bytes::from_static(b"x")));
    }

    #[test]
    fn whoever_stands_in_a_window_neither_gives_nor_gets_it() {
        let cache = RenderCache::default();
        for own in ["c", "b", "d"] {
            cache.put("w".into(), body("own"), own);
            cache.put("w".into(), body("own"), own);
        }
        assert_eq!(cache.get("w", "e"), None);
        cache.put("w".into(), body("x"), "a");
        cache.put("w".into(), body("x"), "a");
        assert_eq!((cache.get("w", "c"), cache.get("w", "a").is_some()), (None, true));
    }

    #[test]
    fn what_is_asked_for_again_outlives_what_is_not() {
        let cache = RenderCache::default();
        let large = CachedWindow { bytes: vec![0; CAPACITY as usize / 64].into(), ..body("") };
        let put_twice = |key: String| (0..2).for_each(|_| cache.put(key.clone(), large.clone(), "e"));
        put_twice("asked".into());
        for number in 0..200 {
            assert!(cache.get("asked", "e").is_some(), "{number}");
            put_twice(number.to_string());
        }
        let kept = (0..200).filter(|number| cache.get(&number.to_string(), "e").is_some()).count();
        assert!(kept < 64, "{kept} windows are more than the cache has room for");
    }
}
