//! Which file of a folder of sources uses which other one, read out of its paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module by its path below the crate: `["http", "extract", "input"]`; the crate itself is empty.
pub(super) type Module = Vec<String>;
pub(super) type Arrows = BTreeMap<Module, BTreeSet<Module>>;

/// A path as it stands in the source, `super::job::Done`.
struct Named {
    segments: Vec<String>,
    /// Whether the module passes the name on (`pub use`).
    exported: bool,
}

/// What one file says.
struct File {
    /// Every path in it, with the module in which it stands: the file's own, or one inside it.
    named: Vec<(Module, Named)>,
}

/// Every file of a folder of sources, by its module. Tests are left out: they may know everything.
pub(super) struct Source(BTreeMap<Module, File>);

impl Source {
    pub(super) fn read(root: &Path) -> Source {
        let text = |path: &Path| fs::read_to_string(path).unwrap();
        Source::of(files_below(root).iter().map(|path| (module(path.strip_prefix(root).unwrap()), text(path))))
    }

    pub(super) fn of(files: impl IntoIterator<Item = (Module, String)>) -> Source {
        let files: Vec<_> = files.into_iter().collect();
        let modules: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
        let parse = |(module, text): (Module, String)| {
            let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{module:?}: {error}"));
            let children =
                modules.iter().filter(|other| is_within(other, &module)).map(|child| child[module.len()].clone());
            let mut named = Vec::new();
            Reader { children: children.collect(), named: &mut named }.read(tokens, &module);
            (module, File { named })
        };
        Source(files.into_iter().map(parse).collect())
    }

    /// Which file uses a name that is defined in which other one.
    pub(super) fn arrows(&self) -> Arrows {
        let exports = self.exports();
        let mut arrows = Arrows::new();
        for (module, file) in &self.0 {
            for (place, named) in &file.named {
                // A folder that lists the names of its files does not use them.
                let listed = |used: &Module| named.exported && is_within(used, module);
                if let Some(used) = self.defined_in(place, &named.segments, &exports)
                    && used != *module
                    && !listed(&used)
                {
                    arrows.entry(module.clone()).or_default().insert(used);
                }
            }
        }
        arrows
    }

    /// The names that each module passes on, with the file that defines them.
    fn exports(&self) -> BTreeMap<(Module, String), Module> {
        let mut exports = BTreeMap::new();
        // A name may be passed on by a module that has it from another one.
        for _ in 0..3 {
            for (module, file) in &self.0 {
                for (place, named) in file.named.iter().filter(|(_, named)| named.exported) {
                    if let (Some(name), Some(from)) =
                        (named.segments.last(), self.defined_in(place, &named.segments, &exports))
                    {
                        exports.insert((module.clone(), name.clone()), from);
                    }
                }
            }
        }
        exports
    }

    /// The file in which a path ends; `None` for those of other crates.
    fn defined_in(
        &self,
        place: &Module,
        segments: &[String],
        exports: &BTreeMap<(Module, String), Module>,
    ) -> Option<Module> {
        let mut at = place.clone();
        let mut rest = segments;
        match rest.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            child => {
                at.push(child.to_owned());
                self.0.contains_key(&at).then_some(())?;
                rest = &rest[1..];
            }
        }
        while rest.first().is_some_and(|segment| segment == "super") {
            at.pop();
            rest = &rest[1..];
        }
        // A module inside a file is part of the file.
        while !self.0.contains_key(&at) && !at.is_empty() {
            at.pop();
        }
        for segment in rest {
            let deeper: Module = at.iter().chain([segment]).cloned().collect();
            if self.0.contains_key(&deeper) {
                at = deeper;
            } else {
                return Some(exports.get(&(at.clone(), segment.clone())).cloned().unwrap_or(at));
            }
        }
        Some(at)
    }
}

/// Reads the paths of a file out of its tokens.
struct Reader<'r> {
    /// The modules below this one, whose names paths may begin with.
    children: BTreeSet<String>,
    named: &'r mut Vec<(Module, Named)>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream, place: &Module) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut at, mut of_tests, mut exported) = (0, false, false);
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) if at > 0 && is_punct(&tokens[at - 1], '#') => {
                    of_tests |= group.stream().to_string().replace(' ', "") == "cfg(test)";
                    at += 1;
                }
                TokenTree::Ident(word) if word == "pub" => {
                    exported = true;
                    at += 1;
                    let restricted = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis);
                    at += usize::from(tokens.get(at).is_some_and(restricted));
                }
                TokenTree::Ident(word)
                    if word == "use" && !tokens.get(at + 1).is_some_and(|token| is_punct(token, '<')) =>
                {
                    let end = at + tokens[at..].iter().position(|token| is_punct(token, ';')).expect("a use ends");
                    if !of_tests {
                        self.tree(&tokens[at + 1..end], &[], exported, place);
                    }
                    (at, of_tests, exported) = (end + 1, false, false);
                }
                TokenTree::Ident(word) if word == "mod" => {
                    let name = tokens[at + 1].to_string();
                    if let Some(TokenTree::Group(body)) = tokens.get(at + 2)
                        && !of_tests
                    {
                        let inside = place.iter().chain([&name]).cloned().collect();
                        self.read(body.stream(), &inside);
                    }
                    (at, of_tests, exported) = (at + 3, false, false);
                }
                TokenTree::Ident(word) => {
                    let begins = matches!(word.to_string().as_str(), "crate" | "super" | "self")
                        || self.children.contains(&word.to_string());
                    let (segments, end) = path(&tokens, at);
                    if begins && segments.len() > 1 {
                        self.named.push((place.clone(), Named { segments, exported: false }));
                    }
                    (at, exported) = (end, false);
                }
                TokenTree::Group(group) => {
                    if !of_tests {
                        self.read(group.stream(), place);
                    }
                    (at, exported) = (at + 1, false);
                    of_tests &= group.delimiter() != Delimiter::Brace;
                }
                token => {
                    of_tests &= !is_punct(token, ';');
                    at += 1;
                }
            }
        }
    }

    /// The paths of what stands behind `use`.
    fn tree(&mut self, tokens: &[TokenTree], before: &[String], exported: bool, place: &Module) {
        for branch in tokens.split(|token| is_punct(token, ',')).filter(|branch| !branch.is_empty()) {
            let (segments, end) = path(branch, 0);
            let segments: Vec<String> = before.iter().cloned().chain(segments).collect();
            match branch.get(end) {
                Some(TokenTree::Group(group)) => {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    self.tree(&inner, &segments, exported, place);
                }
                _ => {
                    let ends_in_self = segments.len() > 1 && segments.last().is_some_and(|last| last == "self");
                    let segments = segments[..segments.len() - usize::from(ends_in_self)].to_vec();
                    self.named.push((place.clone(), Named { segments, exported }));
                }
            }
        }
    }
}

/// The words with `::` between them that begin here, and where they end.
fn path(tokens: &[TokenTree], from: usize) -> (Vec<String>, usize) {
    let (mut segments, mut at) = (Vec::new(), from);
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        segments.push(word.to_string());
        at += 1;
        let colon = |at: usize| tokens.get(at).is_some_and(|token| is_punct(token, ':'));
        if !(colon(at) && colon(at + 1)) {
            break;
        }
        at += 2;
    }
    (segments, at.max(from + usize::from(!matches!(tokens.get(from), Some(TokenTree::Group(_))))))
}

pub(super) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

pub(super) fn is_within(module: &[String], folder: &[String]) -> bool {
    module.len() > folder.len() && module.starts_with(folder)
}

/// The files of sources below a folder, without those of tests.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let of_tests = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !of_tests {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !of_tests {
            paths.push(path);
        }
    }
}

/// The module of a file: a folder's `mod.rs` is the folder, `lib.rs` is the crate.
fn module(path: &Path) -> Module {
    let path = path.with_extension("");
    let mut module: Module = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// The arrows of sources of this text, as `from to`.
fn arrows_of(files: &[(&str, &str)]) -> Vec<String> {
    let split = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let source = Source::of(files.iter().map(|(name, text)| (split(name), (*text).to_owned())));
    let arrows = source.arrows();
    let lines = |(from, used): (&Module, &BTreeSet<Module>)| {
        used.iter().map(|to| format!("{} {}", from.join("/"), to.join("/"))).collect::<Vec<_>>()
    };
    arrows.iter().flat_map(lines).collect()
}

#[test]
fn an_import_counts_however_it_is_written() {
    let b = ("b", "pub struct B; pub fn f() {}");
    let uses = [
        "use crate::b::B;",
        "use crate::b;",
        "use crate::{b::{self, B as C}};",
        "use super::b::*;",
        "fn g() { crate::b::f() }",
        "fn g() { vec![crate::b::B] }",
        "mod inner { use super::super::b::B; }",
        "fn g() { use super::b::B; }",
    ];
    for used in uses {
        assert_eq!(arrows_of(&[("", "mod a; mod b;"), ("a", used), b]), ["a b"], "{used}");
    }
    let unused = [
        "/// As [`crate::b::B`].\nstruct A;",
        "const TEXT: &str = \"crate::b::B\";",
        "#[cfg(test)] mod tests { use crate::b::B; }",
        "#[cfg(test)] use crate::b::B;",
        "use other::b::B;",
    ];
    for text in unused {
        assert_eq!(arrows_of(&[("", "mod a; mod b;"), ("a", text), b]), [""; 0], "{text}");
    }
}

#[test]
fn a_name_counts_where_it_is_defined_and_not_where_it_is_passed_on() {
    let files = [
        ("", "mod a; mod b;"),
        ("a", "use crate::b::{Deep, Own, run};"),
        ("b", "mod deep; mod runs; pub use deep::Deep; pub use self::runs::run; pub struct Own;"),
        ("b/deep", "pub struct Deep;"),
        ("b/runs", "use super::Own; pub fn run() {}"),
    ];
    assert_eq!(arrows_of(&files), ["a b", "a b/deep", "a b/runs", "b/runs b"]);
}
