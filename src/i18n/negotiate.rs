//! Language negotiation: the requested language, else the best of `Accept-Language`, else American English.

use std::sync::LazyLock;

use icu_locale::fallback::LocaleFallbacker;
use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleExpander};

use super::locale::{FILES, Lang, PSEUDO};
use crate::quality_values::quality_values;

/// Most language ranges of an `Accept-Language` that are read.
const MAX_RANGES: usize = 32;

static CANONICALIZER: LazyLock<LocaleCanonicalizer> = LazyLock::new(LocaleCanonicalizer::new_common);
static EXPANDER: LazyLock<LocaleExpander> = LazyLock::new(LocaleExpander::new_common);

/// The available languages with likely script and region, and the parents of each by CLDR.
static AVAILABLE: LazyLock<Vec<(LanguageIdentifier, Vec<String>)>> = LazyLock::new(|| {
    let ids = Lang::all().map(|lang| maximized(lang.tag()).expect("a folder is named by a language tag"));
    ids.map(|id| (id.clone(), parents(&id))).collect()
});

/// The language for a request that asks for `requested` (a BCP 47 tag) and has this `Accept-Language` (RFC 9110,
/// 12.5.4).
pub fn negotiate(requested: Option<&str>, accept_language: Option<&str>) -> Lang {
    requested.and_then(nearest).or_else(|| accept_language.and_then(best)).unwrap_or(Lang::EN_US)
}

/// The available language of the highest weight.
fn best(accept_language: &str) -> Option<Lang> {
    let readable = quality_values(accept_language).take(MAX_RANGES).filter_map(|(tag, weight)| Some((tag, weight?)));
    let mut ranges: Vec<(&str, f32)> = readable.filter(|(_, weight)| *weight > 0.0).collect();
    ranges.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ranges.into_iter().find_map(|(tag, _)| nearest(tag))
}

/// The available language with the same language and script; of several, the one with the nearest parent.
fn nearest(tag: &str) -> Option<Lang> {
    let exact = FILES.iter().chain(PSEUDO).position(|(available, _)| available.eq_ignore_ascii_case(tag));
    if let Some(number) = exact {
        return Some(Lang(number as u8));
    }
    let wanted = maximized(tag)?;
    let matches = |lang: &Lang| {
        let (available, _) = &AVAILABLE[usize::from(lang.0)];
        available.language == wanted.language && available.script == wanted.script
    };
    let matching: Vec<Lang> = Lang::all().filter(matches).collect();
    match matching[..] {
        [] | [_] => matching.first().copied(),
        _ => parents(&wanted).into_iter().find_map(|parent| {
            matching.iter().copied().find(|lang| AVAILABLE[usize::from(lang.0)].1.contains(&parent))
        }),
    }
}

/// A canonical identifier with likely subtags: `iw` becomes `he-Hebr-IL`.
fn maximized(tag: &str) -> Option<LanguageIdentifier> {
    let mut locale: Locale = tag.parse().ok()?;
    CANONICALIZER.canonicalize(&mut locale);
    EXPANDER.maximize(&mut locale.id);
    Some(locale.id)
}

/// The fallback chain of CLDR, nearest first: `en-AU`, `en-001`, `en`.
fn parents(id: &LanguageIdentifier) -> Vec<String> {
    let mut steps = LocaleFallbacker::new().for_config(Default::default()).fallback_for(id.into());
    let mut parents = Vec::new();
    while !steps.get().is_unknown() {
        parents.push(steps.get().to_string());
        steps.step();
    }
    parents
}
