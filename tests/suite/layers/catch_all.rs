//! No `match` over acts or events in `src/http` and `src/views` has a catch-all arm: the compiler then names each place that a new
//! one needs.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::source::{files_below, is_punct};

/// The types whose variants are listed.
const LISTED: [&str; 3] = ["Act", "ActKind", "EventKind"];

/// The catch-all arms of each `match` whose arms name a variant of [`LISTED`].
fn catch_alls(tokens: &[TokenTree]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => found.extend(catch_alls(&inside(group))),
            TokenTree::Ident(word) if word == "match" => {
                let patterns = tokens[at..].iter().find_map(arms).unwrap_or_default();
                if patterns.iter().any(|pattern| names_variant(before_guard(pattern))) {
                    let open = patterns.into_iter().filter(|pattern| is_catch_all(pattern));
                    found.extend(open.map(|pattern| TokenStream::from_iter(pattern).to_string()));
                }
            }
            _ => {}
        }
    }
    found
}

fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// The patterns of the arms in these braces, with their guards; `None` of any other token.
fn arms(token: &TokenTree) -> Option<Vec<Vec<TokenTree>>> {
    let TokenTree::Group(group) = token else { return None };
    if group.delimiter() != Delimiter::Brace {
        return None;
    }
    let (tokens, mut patterns, mut at) = (inside(group), Vec::new(), 0);
    let is_arrow = |pair: &[TokenTree]| is_punct(&pair[0], '=') && is_punct(&pair[1], '>');
    while let Some(length) = tokens[at..].windows(2).position(is_arrow) {
        patterns.push(tokens[at..at + length].to_vec());
        at += length + 2;
        // A block ends its arm without a comma.
        let is_block = matches!(tokens.get(at), Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace);
        let end = if is_block { Some(0) } else { tokens[at..].iter().position(|token| is_punct(token, ',')) };
        at = end.map_or(tokens.len(), |end| at + end + 1);
    }
    Some(patterns)
}

fn before_guard(pattern: &[TokenTree]) -> &[TokenTree] {
    let guard = pattern.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == "if"));
    &pattern[..guard.unwrap_or(pattern.len())]
}

fn names_variant(pattern: &[TokenTree]) -> bool {
    pattern.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(word) => {
            let has_path = pattern.get(at + 1).is_some_and(|next| is_punct(next, ':'));
            has_path && LISTED.contains(&word.to_string().as_str())
        }
        TokenTree::Group(group) => names_variant(&inside(group)),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether it has no guard and is made of `_` and names alone, as `_`, `kind` and `(_, new)` are.
fn is_catch_all(pattern: &[TokenTree]) -> bool {
    pattern.iter().all(|token| match token {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            !["if", "true", "false"].contains(&word.as_str()) && !word.starts_with(char::is_uppercase)
        }
        TokenTree::Group(group) => is_catch_all(&inside(group)),
        TokenTree::Punct(punct) => punct.as_char() == ',',
        TokenTree::Literal(_) => false,
    })
}

fn catch_alls_of(text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().expect("the text is Rust");
    catch_alls(&tokens.into_iter().collect::<Vec<_>>())
}

#[test]
fn matches_over_acts_and_events_have_no_catch_all_arm() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in ["http", "views"].iter().flat_map(|part| files_below(&src.join(part))) {
        let open = catch_alls_of(&fs::read_to_string(&path).unwrap());
        found.extend(open.into_iter().map(|arm| format!("{}: {arm}", path.display())));
    }
    assert_eq!(found, [""; 0], "list the variants, or ask a method of the type");
}

#[test]
fn a_catch_all_arm_is_found_where_an_arm_names_a_variant() {
    let open = [
        "fn f() { match kind { ActKind::Kick => 1, _ => 2 } }",
        "fn f() { match (kind, new) { (EventKind::MemberLeft, Some(_)) => { 1 } (_, _) => 2, } }",
        "fn f() { match kind { ActKind::Kick => 1, kind => rest(kind) } }",
        "fn f() { g(|| match act { Some(domain::Act::Ban(_)) => h(1, 2), None => 3, _ => 4 }) }",
    ];
    for text in open {
        assert_eq!(catch_alls_of(text).len(), 1, "{text}");
    }
    let listed = [
        "fn f() { match kind { ActKind::Kick => 1, ActKind::Ban | ActKind::Mute => 2 } }",
        "fn f() { match word { \"kick\" => ActKind::Kick, _ => ActKind::Ban } }",
        "fn f() { match kind { ActKind::Kick => match word { \"now\" => 1, _ => 2 }, ActKind::Ban => 3 } }",
        "fn f() { match kind { _ if late => 1, ActKind::Kick => 2, ActKind::Ban => 3 } }",
        "fn f() { match word { _ if kind == ActKind::Kick => 1, Operation::Act(kind) => 2, _ => 3 } }",
    ];
    for text in listed {
        assert_eq!(catch_alls_of(text), [""; 0], "{text}");
    }
}
