//! Generates the table of messages from `locales/`: the languages, and one constant for every message, typed by the
//! arguments it takes. A message that does not exist, or that is used without its arguments, does not compile.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

use super::Result;

/// The source language: every message exists in it, and it stands in for missing translations.
const SOURCE: &str = "en-US";
/// The argument that chooses the plural form.
const PLURAL: &str = "n";

/// Rust for `src/i18n/locale.rs`: `FILES`, `IDS`, `ARGS` and `key`.
pub(crate) fn table() -> Result<String> {
    let mut tags = Vec::new();
    for folder in fs::read_dir("locales")? {
        let name = folder?.file_name().into_string().map_err(|name| format!("locales/{name:?} is not UTF-8"))?;
        tags.push(name);
    }
    tags.sort_by_key(|tag| (tag != SOURCE, tag.clone()));
    let mut rust = format!("pub(super) static FILES: [(&str, &str); {}] = [\n", tags.len());
    for tag in &tags {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/locales/{tag}/main.ftl\")");
        writeln!(rust, "    ({tag:?}, include_str!({path})),")?;
    }
    let file = format!("locales/{SOURCE}/main.ftl");
    let resource = fluent_syntax::parser::parse(fs::read_to_string(&file)?)
        .map_err(|(_, problems)| format!("{file}: {}", problems[0]))?;
    let messages = resource.body.iter().filter_map(|entry| match entry {
        Entry::Message(message) => Some((message.id.name.as_str(), arguments(message.value.as_ref()?))),
        _ => None,
    });
    let (ids, args): (Vec<&str>, Vec<Vec<&str>>) = messages.unzip();
    rust.push_str("];\n\n/// Every message.\n#[allow(missing_docs)]\npub mod key {\n    use super::{ArgsKey, PluralKey, TextKey};\n");
    for (number, (id, args)) in ids.iter().zip(&args).enumerate() {
        let kind = match args[..] {
            [] => "TextKey",
            _ if args.contains(&PLURAL) => "PluralKey",
            _ => "ArgsKey",
        };
        writeln!(rust, "    pub const {}: {kind} = {kind}({number});", id.to_uppercase().replace('-', "_"))?;
    }
    writeln!(rust, "}}\n\npub(super) static IDS: [&str; {}] = {ids:?};", ids.len())?;
    let args: Vec<_> = args.iter().map(|args| format!("&{args:?}")).collect();
    writeln!(rust, "pub(super) static ARGS: [&[&str]; {}] = [{}];", args.len(), args.join(", "))?;
    Ok(rust)
}

fn arguments(pattern: &Pattern<String>) -> Vec<&str> {
    let mut names = BTreeSet::new();
    collect(pattern, &mut names);
    names.into_iter().collect()
}

fn collect<'p>(pattern: &'p Pattern<String>, names: &mut BTreeSet<&'p str>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        let (Expression::Inline(value) | Expression::Select { selector: value, .. }) = expression;
        if let InlineExpression::VariableReference { id } = value {
            names.insert(&id.name);
        }
        if let Expression::Select { variants, .. } = expression {
            variants.iter().for_each(|variant| collect(&variant.value, names));
        }
    }
}
