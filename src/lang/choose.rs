//! Which language a request gets: the one it asks for, else the best that its reader accepts, else
//! American English.

use std::sync::LazyLock;

use icu_locale::fallback::LocaleFallbacker;
use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleExpander};

use super::locale::{FILES, Lang, PSEUDO};
use crate::weighted::weighted;

/// Languages of an `Accept-Language` that are looked at.
const MOST: usize = 32;

static CANONICAL: LazyLock<LocaleCanonicalizer> = LazyLock::new(LocaleCanonicalizer::new_common);
static EXPANDER: LazyLock<LocaleExpander> = LazyLock::new(LocaleExpander::new_common);

/// Our languages with their likely script and region, and where CLDR looks beyond them.
static OURS: LazyLock<Vec<(LanguageIdentifier, Vec<String>)>> = LazyLock::new(|| {
    let ours = Lang::all().map(|lang| full(lang.tag()).expect("a folder is named by a language tag"));
    ours.map(|id| (id.clone(), parents(&id))).collect()
});

/// The language for whoever asks for `asked` (a BCP 47 tag) and sends `accepted` as
/// `Accept-Language` (RFC 9110, 12.5.4).
pub fn choose(asked: Option<&str>, accepted: Option<&str>) -> Lang {
    asked.and_then(nearest).or_else(|| accepted.and_then(best)).unwrap_or(Lang::EN_US)
}

/// The first of ours by weight.
fn best(accepted: &str) -> Option<Lang> {
    let readable = weighted(accepted).take(MOST).filter_map(|(tag, weight)| Some((tag, weight?)));
    let mut ranges: Vec<(&str, f32)> = readable.filter(|(_, weight)| *weight > 0.0).collect();
    ranges.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    ranges.into_iter().find_map(|(tag, _)| nearest(tag))
}

/// Ours of the same language and script; when there are several, the one with the nearest parent.
fn nearest(tag: &str) -> Option<Lang> {
    let known = FILES.iter().chain(PSEUDO).position(|(known, _)| known.eq_ignore_ascii_case(tag));
    if let Some(number) = known {
        return Some(Lang(number as u8));
    }
    let wanted = full(tag)?;
    let same = |lang: &Lang| {
        let (ours, _) = &OURS[usize::from(lang.0)];
        ours.language == wanted.language && ours.script == wanted.script
    };
    let fitting: Vec<Lang> = Lang::all().filter(same).collect();
    match fitting[..] {
        [] | [_] => fitting.first().copied(),
        _ => parents(&wanted)
            .into_iter()
            .find_map(|parent| fitting.iter().copied().find(|lang| OURS[usize::from(lang.0)].1.contains(&parent))),
    }
}

/// `iw` as `he-Hebr-IL`.
fn full(tag: &str) -> Option<LanguageIdentifier> {
    let mut locale: Locale = tag.parse().ok()?;
    CANONICAL.canonicalize(&mut locale);
    EXPANDER.maximize(&mut locale.id);
    Some(locale.id)
}

/// Where CLDR looks when a locale says nothing itself, from near to far: `en-AU`, `en-001`, `en`.
fn parents(id: &LanguageIdentifier) -> Vec<String> {
    let mut steps = LocaleFallbacker::new().for_config(Default::default()).fallback_for(id.into());
    let mut parents = Vec::new();
    while !steps.get().is_unknown() {
        parents.push(steps.get().to_string());
        steps.step();
    }
    parents
}
