//! The languages and messages there are, as the build script found them in `locales/`.

include!(concat!(env!("OUT_DIR"), "/locales.rs"));

/// Every message wrapped in ⟦ and ⟧, for tests that nothing is said otherwise.
#[cfg(debug_assertions)]
pub(super) const PSEUDO: &[(&str, &str)] = &[("en-XA", FILES[0].1)];
#[cfg(not(debug_assertions))]
pub(super) const PSEUDO: &[(&str, &str)] = &[];

/// A message, in no language yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(pub(super) u16);

/// A language that the component speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lang(pub(super) u8);

impl Lang {
    /// American English: spoken when nothing else is asked for.
    pub const EN_US: Lang = Lang(0);

    /// Every language.
    pub fn all() -> impl Iterator<Item = Lang> {
        (0..FILES.len() as u8).map(Lang)
    }

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        self.file().0
    }

    pub(super) fn file(self) -> (&'static str, &'static str) {
        let number = usize::from(self.0);
        FILES.get(number).copied().unwrap_or_else(|| PSEUDO[number - FILES.len()])
    }

    pub(super) fn is_pseudo(self) -> bool {
        usize::from(self.0) >= FILES.len()
    }
}
