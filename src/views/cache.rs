//! The cache of rendered windows, shared by viewers who request the same ones.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// Most bytes in the cache.
const CAPACITY: usize = 16 << 20;
/// Number of slots that remember the hashes of windows requested once.
const SEEN_SLOTS: usize = 4096;

/// Rendered windows by a key of everything they depend on. Bounded: windows that are not requested are evicted.
pub struct RenderCache(Mutex<Generations>);

struct Generations {
    /// When the new generation fills half of the capacity, the old one is dropped and the new one becomes the old. A
    /// requested window moves to the new generation.
    new: HashMap<String, CachedWindow>,
    old: HashMap<String, CachedWindow>,
    bytes: usize,
    /// Hashes of windows requested once. Those are not cached, because most are never requested again.
    seen_once: Box<[u64]>,
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

impl Default for RenderCache {
    fn default() -> Self {
        let seen_once = vec![0; SEEN_SLOTS].into();
        RenderCache(Mutex::new(Generations {
            new: HashMap::new(),
            old: HashMap::new(),
            bytes: 0,
            seen_once,
            hasher: RandomState::new(),
        }))
    }
}

impl RenderCache {
    /// The window of this key, unless it contains the viewer's own row, which is rendered for them alone. `own` is the
    /// position of that row.
    pub fn get(&self, key: &str, own: &str) -> Option<Bytes> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let body = match generations.new.get(key) {
            Some(body) => body.clone(),
            None => {
                let (key, body) = generations.old.remove_entry(key)?;
                generations.insert(key, body.clone());
                body
            }
        };
        (!body.contains(own)).then_some(body.bytes)
    }

    /// Caches a window at its second request, unless it contains the viewer's own row, whose position is `own`.
    pub fn put(&self, key: String, body: CachedWindow, own: &str) {
        if body.contains(own) {
            return;
        }
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = generations.hasher.hash_one(&key) | 1;
        let slot = hash as usize / 2 % SEEN_SLOTS;
        if generations.seen_once[slot] == hash {
            generations.insert(key, body);
        } else {
            generations.seen_once[slot] = hash;
        }
    }
}

impl Generations {
    fn insert(&mut self, key: String, body: CachedWindow) {
        self.bytes += body.bytes.len();
        self.new.insert(key, body);
        if self.bytes > CAPACITY / 2 {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
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
    fn what_nobody_asks_for_goes() {
        let cache = RenderCache::default();
        let large = CachedWindow { bytes: vec![0; CAPACITY / 8].into(), ..body("") };
        for number in 0..20 {
            for _ in 0..2 {
                cache.put(number.to_string(), large.clone(), "e");
            }
            cache.put("0".into(), large.clone(), "e");
            assert!(cache.get("0", "e").is_some(), "{number}");
        }
        assert_eq!(cache.get("1", "e"), None);
    }
}
