//! Windows as they were rendered, for viewers who look at the same ones.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// Bytes kept at the most.
const MOST: usize = 16 << 20;
/// Windows asked for once are remembered by so many bits of their name.
const ONCE: usize = 4096;

/// Rendered windows by everything they depend on. Bounded: what nobody asked for lately goes.
pub struct RenderCache(Mutex<Kept>);

struct Kept {
    /// Two generations: when the young ones fill half of the room, the old ones go and the young
    /// become the old; whatever is asked for is young again.
    young: HashMap<String, CachedWindow>,
    old: HashMap<String, CachedWindow>,
    bytes: usize,
    /// Windows that were asked for once are not kept: most of them nobody asks for again.
    once: Box<[u64]>,
    hasher: RandomState,
}

/// One rendered window.
#[derive(Clone)]
pub struct CachedWindow {
    /// As it goes over the wire.
    pub bytes: Bytes,
    /// The places of its first and last row; empty when it has none.
    pub rows: (Box<str>, Box<str>),
}

impl Default for RenderCache {
    fn default() -> Self {
        let once = vec![0; ONCE].into();
        RenderCache(Mutex::new(Kept {
            young: HashMap::new(),
            old: HashMap::new(),
            bytes: 0,
            once,
            hasher: RandomState::new(),
        }))
    }
}

impl RenderCache {
    /// The window of this name, unless the viewer stands in it (`own` is their place): their own
    /// row is drawn for them alone.
    pub fn get(&self, name: &str, own: &str) -> Option<Bytes> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let body = match kept.young.get(name) {
            Some(body) => body.clone(),
            None => {
                let (name, body) = kept.old.remove_entry(name)?;
                kept.put(name, body.clone());
                body
            }
        };
        (!body.shows(own)).then_some(body.bytes)
    }

    /// Keeps a window, when it is asked for the second time and `own`, the place of the viewer it
    /// was drawn for, is not in it.
    pub fn keep(&self, name: String, body: CachedWindow, own: &str) {
        if body.shows(own) {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = kept.hasher.hash_one(&name) | 1;
        let slot = hash as usize / 2 % ONCE;
        if kept.once[slot] == hash {
            kept.put(name, body);
        } else {
            kept.once[slot] = hash;
        }
    }
}

impl Kept {
    fn put(&mut self, name: String, body: CachedWindow) {
        self.bytes += body.bytes.len();
        self.young.insert(name, body);
        if self.bytes > MOST / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}

impl CachedWindow {
    fn shows(&self, place: &str) -> bool {
        (&*self.rows.0..=&*self.rows.1).contains(&place)
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
        cache.keep("w".into(), body("x"), "e");
        assert_eq!(cache.get("w", "e"), None);
        cache.keep("w".into(), body("x"), "e");
        assert_eq!(cache.get("w", "e"), Some(Bytes::from_static(b"x")));
    }

    #[test]
    fn whoever_stands_in_a_window_neither_gives_nor_gets_it() {
        let cache = RenderCache::default();
        for own in ["c", "b", "d"] {
            cache.keep("w".into(), body("own"), own);
            cache.keep("w".into(), body("own"), own);
        }
        assert_eq!(cache.get("w", "e"), None);
        cache.keep("w".into(), body("x"), "a");
        cache.keep("w".into(), body("x"), "a");
        assert_eq!((cache.get("w", "c"), cache.get("w", "a").is_some()), (None, true));
    }

    #[test]
    fn what_nobody_asks_for_goes() {
        let cache = RenderCache::default();
        let large = CachedWindow { bytes: vec![0; MOST / 8].into(), ..body("") };
        for number in 0..20 {
            for _ in 0..2 {
                cache.keep(number.to_string(), large.clone(), "e");
            }
            cache.keep("0".into(), large.clone(), "e");
            assert!(cache.get("0", "e").is_some(), "{number}");
        }
        assert_eq!(cache.get("1", "e"), None);
    }
}
