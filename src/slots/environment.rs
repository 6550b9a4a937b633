//! The features of templates: their syntax, their filters, and the escaping of values.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, HtmlEscape, Output, State, UndefinedBehavior};

use super::bounds;
use crate::domain::{hue, initials};
use crate::i18n::{Day, Lang, TextKey, key, negotiate};

/// Most levels of nesting: an include counts 10, a macro 4, a block 1.
const MAX_DEPTH: usize = 100;

/// The environment of all templates: undefined names are errors, every value is escaped, and there is no way around either.
pub(super) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(escape);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_recursion_limit(MAX_DEPTH);
    environment.set_syntax(syntax());
    bounds::add(&mut environment);
    // `safe` would print people's text as HTML, and `debug` would print variables that a template was not given.
    environment.remove_filter("safe");
    environment.remove_global("debug");
    environment.add_filter("date", |state: &State<'_, '_>, day: i64| Day::of(day).localized(lang(state)).to_string());
    environment.add_filter("word", |state: &State<'_, '_>, value: &str| label(value).map(|key| lang(state).text(key)));
    environment.add_filter("isodate", |seconds: i64| Day::of(seconds).iso().to_string());
    environment.add_filter("initials", |name: &str| initials(name));
    environment.add_filter("hue", |uid: &str| hue(uid));
    environment
}

/// The delimiters, and which white space a block takes with it.
pub(super) fn syntax() -> SyntaxConfig {
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    syntax.expect("the usual delimiters")
}

/// The language of the rendering.
fn lang(state: &State<'_, '_>) -> Lang {
    let tag = state.lookup("lang");
    negotiate(tag.as_ref().and_then(Value::as_str), None)
}

/// The name of a scope or a status.
fn label(value: &str) -> Result<TextKey, Error> {
    Ok(match value {
        "owner" => key::SCOPE_OWNER,
        "admin" => key::SCOPE_ADMIN,
        "moderator" => key::SCOPE_MODERATOR,
        "participant" => key::SCOPE_PARTICIPANT,
        "online" => key::STATUS_ONLINE,
        "away" => key::STATUS_AWAY,
        "offline" => key::STATUS_OFFLINE,
        // The value may be somebody's name, which the log may not hold.
        _ => return Err(Error::new(ErrorKind::InvalidOperation, "the filter word is for scopes and statuses")),
    })
}

/// Escapes every value that is not markup of a template or of a built-in function, also inside
/// `{% autoescape false %}`. A missing value (no avatar, no status) is printed as nothing.
fn escape(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let made;
    let text = match value.as_str() {
        Some(text) => text,
        None if value.is_none() => "",
        None if value.kind() == ValueKind::Bool => {
            if value.is_true() {
                "true"
            } else {
                "false"
            }
        }
        None => {
            bounds::check(value)?;
            made = value.to_string();
            &made
        }
    };
    bounds::count(text)?;
    let written = if value.is_safe() { out.write_str(text) } else { write!(out, "{}", HtmlEscape(text)) };
    Ok(written?)
}
