//! The map of the source: no file and no folder imports in a circle, and no part uses another that the map in
//! `docs/architecture.md` does not name beside it. Also: a match over acts or events lists every variant.

mod catch_all;
mod errors;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use self::source::{Arrows, Module, Source, is_within};

/// A way from a module back to itself; `None` when there is none.
fn circle(arrows: &Arrows) -> Option<Vec<String>> {
    fn visit(at: &Module, arrows: &Arrows, way: &mut Vec<Module>, done: &mut BTreeSet<Module>) -> bool {
        if let Some(from) = way.iter().position(|module| module == at) {
            way.drain(..from);
            return true;
        }
        if done.contains(at) {
            return false;
        }
        way.push(at.clone());
        if arrows.get(at).into_iter().flatten().any(|next| visit(next, arrows, way, done)) {
            return true;
        }
        way.pop();
        done.insert(at.clone());
        false
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|start| {
        let mut way = Vec::new();
        visit(start, arrows, &mut way, &mut done).then(|| way.iter().map(|module| module.join("/")).collect())
    })
}

/// The arrows between the parts of a folder: files, and folders as a whole.
fn between_parts(arrows: &Arrows, folder: &[String]) -> Arrows {
    let part = |module: &Module| is_within(module, folder).then(|| module[..=folder.len()].to_vec());
    let mut parts = Arrows::new();
    for (from, used) in arrows {
        for (from, to) in used.iter().filter_map(|to| part(from).zip(part(to))).filter(|(from, to)| from != to) {
            parts.entry(from).or_default().insert(to);
        }
    }
    parts
}

fn ours() -> Arrows {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).arrows()
}

#[test]
fn no_file_imports_in_a_circle() {
    assert_eq!(circle(&ours()), None);
}

#[test]
fn no_folder_imports_in_a_circle() {
    let arrows = ours();
    let folders: BTreeSet<&[String]> =
        arrows.keys().flat_map(|module| (0..module.len()).map(|depth| &module[..depth])).collect();
    for folder in folders {
        assert_eq!(circle(&between_parts(&arrows, folder)), None, "in src/{}", folder.join("/"));
    }
}

#[test]
fn every_part_uses_exactly_those_that_the_map_names() {
    // | `src/live/` | what it is | `domain`, `store` |
    let architecture = include_str!("../../../docs/architecture.md");
    let quoted = |cell: &str| -> BTreeSet<String> {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .map(|name| name.trim_start_matches("src/").trim_end_matches(['/', ' ']).trim_end_matches(".rs").to_owned())
            .collect()
    };
    let mut map: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in architecture.lines().filter(|line| line.starts_with("| `src/")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [parts, _, uses] = cells[..] else { panic!("place, one line, uses: {row}") };
        for part in quoted(parts) {
            map.insert(part, quoted(uses));
        }
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, used) in between_parts(&ours(), &[]) {
        found.insert(from[0].clone(), used.into_iter().map(|to| to[0].clone()).collect());
    }
    // `main` is another crate and uses the library from outside.
    found.remove("main");
    map.retain(|_, uses| !uses.is_empty());
    assert_eq!(found, map);
}

#[test]
fn a_circle_is_found_with_its_way() {
    let files = [("a", "use crate::b::B;"), ("b", "use crate::c;"), ("c", "use super::b::B;")];
    let split = |name: &str| vec![name.to_owned()];
    let arrows = Source::of(files.map(|(name, text)| (split(name), text.to_owned()))).arrows();
    assert_eq!(circle(&arrows), Some(vec!["b".to_owned(), "c".to_owned()]));
}
