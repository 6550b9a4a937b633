//! The documentation: it names files that exist, its links lead somewhere, and every page of it is one step from the
//! README.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{World, routes};

/// Folders of the repository that pages name files of.
const FOLDERS: [&str; 10] = [
    "src/",
    "static/",
    "templates/",
    "tests/",
    "migrations/",
    "locales/",
    "examples/",
    "benches/",
    "build/",
    "packaging/",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page of `docs/`, by its path from the root, with its text.
fn pages() -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, pages);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("docs"), &mut pages);
    let read = |path: PathBuf| (path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap());
    pages.into_iter().map(read).collect()
}

/// The paths of files and folders of the repository that a text names, such as `src/live/hub.rs`.
fn named_files(text: &str) -> BTreeSet<&str> {
    let is_of_a_path = |c: char| c.is_alphanumeric() || "_-./@{}*".contains(c);
    let words = text.split(|c| !is_of_a_path(c)).map(|word| word.trim_end_matches(['.', '/']));
    let named = words.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)));
    named.filter(|word| !word.contains(['{', '}', '*'])).collect()
}

/// Whether a path lies in a folder that git ignores: such a file exists on some machines only.
fn is_ignored(path: &str) -> bool {
    let ignored = include_str!("../../.gitignore").lines();
    ignored.filter_map(|line| line.strip_prefix('/')).any(|folder| Path::new(path).starts_with(folder))
}

/// The targets of links within the repository, without their anchors.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let local = targets.filter(|target| !target.contains("://"));
    local
        .map(|target| target.split_once('#').map_or(target, |(file, _)| file))
        .filter(|file| !file.is_empty())
        .collect()
}

#[test]
fn every_file_that_a_page_names_exists() {
    let missing: Vec<_> = pages()
        .iter()
        .flat_map(|(page, text)| named_files(text).into_iter().map(move |file| (page.clone(), file.to_owned())))
        .filter(|(_, file)| !root().join(file).exists() || is_ignored(file))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Lines outside blocks of code, and whether every block ends.
fn prose(text: &str) -> (Vec<&str>, bool) {
    let (mut lines, mut in_code) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push(line);
        }
    }
    (lines, !in_code)
}

#[test]
fn every_block_of_code_ends_and_every_table_has_a_head() {
    for (page, text) in pages() {
        let (lines, ends) = prose(&text);
        assert!(ends, "{}: a block of code does not end", page.display());
        let is_rule = |line: &str| line.starts_with("| ---");
        let headless = (0..lines.len()).find(|at| is_rule(lines[*at]) && (*at == 0 || !lines[at - 1].starts_with('|')));
        assert_eq!(headless, None, "{}: a table has no head", page.display());
    }
}

#[test]
fn every_link_of_a_page_leads_to_a_file() {
    let broken: Vec<_> = pages()
        .iter()
        .flat_map(|(page, text)| links(text).into_iter().map(move |link| (page.clone(), link.to_owned())))
        .filter(|(page, link)| !root().join(page).parent().unwrap().join(link).exists())
        .collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The methods and paths that the first column of the threat model's tables of routes names.
fn routes_of_the_threat_model(text: &str) -> BTreeSet<(String, String)> {
    let section = text.split_once("\n## Routes\n").unwrap().1.split_once("\n## ").unwrap().0;
    let (mut routes, mut base) = (BTreeSet::new(), "");
    for row in section.lines().filter(|line| line.starts_with('|')) {
        if row.contains("below `/v3`") {
            base = "/v3";
        }
        let (mut methods, mut named) = (Vec::new(), false);
        let words = row.split('|').nth(1).unwrap().split(['`', ' ', ',', ';']);
        for word in words.filter(|word| !word.is_empty()) {
            if ["GET", "PUT", "POST", "DELETE", "PATCH"].contains(&word) {
                if named {
                    (methods, named) = (Vec::new(), false);
                }
                methods.push(word);
            } else if word.starts_with('/') {
                named = true;
                routes.extend(methods.iter().map(|method| ((*method).to_owned(), format!("{base}{word}"))));
            }
        }
    }
    routes
}

#[tokio::test]
async fn the_threat_model_says_of_every_route_who_may_use_it() {
    let described: BTreeSet<_> = routes::described(&World::new().await).await.into_iter().collect();
    let text = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let named = routes_of_the_threat_model(&text);
    let missing: Vec<_> = described.difference(&named).collect();
    assert!(missing.is_empty(), "docs/security.md says nothing about {missing:#?}");
    let gone: Vec<_> = named.difference(&described).collect();
    assert!(gone.is_empty(), "docs/security.md names what is no route: {gone:#?}");
}

/// The modules of this suite that the threat model names as its tests: in the last column of its tables, and in paragraphs that
/// begin with "Tested by".
fn modules_of_the_threat_model(text: &str) -> BTreeSet<&str> {
    let (mut parts, mut in_table, mut in_paragraph) = (Vec::new(), false, false);
    for line in text.lines() {
        in_table = line.starts_with('|') && (in_table || line.ends_with("| tested by |"));
        in_paragraph = !line.is_empty() && (in_paragraph || line.starts_with("Tested by "));
        if in_table {
            parts.extend(line.trim_end_matches(['|', ' ']).rsplit('|').next());
        } else if in_paragraph {
            parts.push(line);
        }
    }
    let words = parts.into_iter().flat_map(|part| part.split('`').skip(1).step_by(2));
    let is_of_a_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c);
    words.filter(|word| word.chars().all(is_of_a_name)).collect()
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let text = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let named = modules_of_the_threat_model(&text);
    let suite = root().join("tests/suite");
    let is_there = |module: &str| {
        let path = suite.join(module.replace("::", "/"));
        path.with_extension("rs").exists() || path.join("mod.rs").exists()
    };
    let gone: Vec<_> = named.iter().filter(|module| !is_there(module)).collect();
    assert!(
        gone.is_empty() && named.len() > 30,
        "docs/security.md names what is no module of tests/suite: {gone:?}, of {named:?}"
    );
}

#[test]
fn every_page_is_one_step_from_the_readme() {
    let pages = pages();
    let (_, readme) = &pages[0];
    let linked: BTreeSet<_> = links(readme).into_iter().map(PathBuf::from).collect();
    let far: Vec<_> = pages[1..].iter().map(|(page, _)| page).filter(|page| !linked.contains(*page)).collect();
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn every_folder_of_the_source_says_what_lives_in_it_and_what_does_not() {
    fn silent(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tests" && name != "testkeys") {
                let text = fs::read_to_string(path.join("mod.rs")).unwrap_or_default();
                let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
                if !head.starts_with("//! ") || !head.contains("Not here: ") {
                    found.push(path.clone());
                }
                silent(&path, found);
            }
        }
    }
    let mut found = Vec::new();
    silent(&root().join("src"), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_path_is_found_wherever_it_stands_in_a_sentence() {
    let text =
        "`src/a.rs`, [b](src/b.rs), src/c/; not /members/static/d.css, nor locales/{tag}/main.ftl. See tests/run.";
    assert_eq!(named_files(text), BTreeSet::from(["src/a.rs", "src/b.rs", "src/c", "tests/run"]));
    assert_eq!(links("[a](a.md#x), [b](https://b.example), [c](#c)"), ["a.md"]);
    let text = "| threat | defence | tested by |\n| --- | --- | --- |\n| x | `no` | src/a.rs, `a::b` |\n\n\
                Tested by `c`\nand `d`.\n\n`e`";
    assert_eq!(modules_of_the_threat_model(text), BTreeSet::from(["a::b", "c", "d"]));
}

#[tokio::test]
async fn every_place_of_the_reference_has_a_name_of_its_own() {
    let page = World::new().await.ada.get("/docs").await.ok().body;
    let mut names: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert!(all > 60 && names.len() == all, "{names:?}");
    for link in page.split(" href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(names.binary_search(&link).is_ok(), "{link}");
    }
}

#[tokio::test]
async fn the_reference_is_fetched_again_only_where_it_changed() {
    let world = World::new().await;
    for path in ["/openapi.json", "/docs"] {
        let tag = world.ada.get(path).await.ok().header("etag").to_owned();
        let again = world.ada.get_with(path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.body.as_str(), again.header("etag")), (304, "", &*tag), "{path}");
    }
}
