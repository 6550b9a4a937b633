//! The languages and message keys that the build script found in `locales/`.

include!(concat!(env!("OUT_DIR"), "/locales.rs"));

/// A pseudo-language: every message of American English between ⟦ and ⟧. A test uses it to find text that is not in
/// the catalogue.
#[cfg(debug_assertions)]
pub(super) const PSEUDO: &[(&str, &str)] = &[("en-XA", FILES[0].1)];
#[cfg(not(debug_assertions))]
pub(super) const PSEUDO: &[(&str, &str)] = &[];

/// A message without arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextKey(pub(super) u16);

/// A message with arguments such as a name or a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgsKey(pub(super) u16);

/// A message about a number, which chooses its plural form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PluralKey(pub(super) u16);

/// The position of a message in the catalogue, whatever its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(pub(super) u16);

impl TextKey {
    /// Its id in the Fluent files, by which an address may name it.
    pub fn id(self) -> &'static str {
        Key::from(self).id()
    }

    /// The message of this id; `None` when there is none, or it has arguments.
    pub fn named(id: &str) -> Option<TextKey> {
        let number = IDS.iter().position(|known| *known == id)?;
        ARGS[number].is_empty().then_some(TextKey(number as u16))
    }
}

impl From<TextKey> for Key {
    fn from(key: TextKey) -> Key {
        Key(key.0)
    }
}

impl From<ArgsKey> for Key {
    fn from(key: ArgsKey) -> Key {
        Key(key.0)
    }
}

impl From<PluralKey> for Key {
    fn from(key: PluralKey) -> Key {
        Key(key.0)
    }
}

impl Key {
    /// Its id in the Fluent files.
    pub(super) fn id(self) -> &'static str {
        IDS[usize::from(self.0)]
    }

    /// The names of its arguments, as American English uses them.
    pub(super) fn args(self) -> &'static [&'static str] {
        ARGS[usize::from(self.0)]
    }

    /// Every message about a number.
    #[cfg(test)]
    pub(super) fn plurals() -> impl Iterator<Item = PluralKey> {
        (0..IDS.len() as u16).filter(|&number| Key(number).args().contains(&"n")).map(PluralKey)
    }
}

/// A language of the component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lang(pub(super) u8);

impl Lang {
    /// American English, the default.
    pub const EN_US: Lang = Lang(0);

    /// Every language.
    pub fn all() -> impl Iterator<Item = Lang> {
        (0..FILES.len() as u8).map(Lang)
    }

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        self.file().0
    }

    /// Its tag and the text of its Fluent file.
    pub(super) fn file(self) -> (&'static str, &'static str) {
        let number = usize::from(self.0);
        FILES.get(number).copied().unwrap_or_else(|| PSEUDO[number - FILES.len()])
    }

    pub(super) fn is_pseudo(self) -> bool {
        usize::from(self.0) >= FILES.len()
    }
}
