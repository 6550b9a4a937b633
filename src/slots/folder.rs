//! The operator's folder of templates, which is reloaded when its files change.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use minijinja::value::Value;

use super::engine::Engine;
use super::facts::{EmptyFacts, ErrorFacts, HeaderFacts, LoadingFacts, RowFacts};
use super::fault::{Fault, count_from_zero};
use super::menu::MenuFacts;
use super::{Fact, Slot, Slots, context, is_name, sample};
use crate::clock;

/// Most bytes of one template.
const MAX_BYTES: u64 = 64 << 10;
/// Most templates of a folder; further ones, by name, are ignored.
const MAX_TEMPLATES: usize = 200;
/// A file modified more recently than this may change again without a different timestamp, because the clocks of file
/// systems are coarse.
const TIMESTAMP_GRANULARITY: Duration = Duration::from_secs(3);

/// The folder cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the folder {} cannot be read: {cause}", path.display())]
pub struct FolderError {
    path: PathBuf,
    cause: io::Error,
}

/// A folder of minijinja templates, `NAME.html`, compiled once per change.
pub struct Folder {
    path: PathBuf,
    engine: RwLock<Arc<Engine>>,
    last_scan: Mutex<Scan>,
}

/// The state of the folder at its last scan.
struct Scan {
    files: Files,
    /// Whether an equal next scan proves that nothing has changed.
    settled: bool,
}

/// The version of a file: device and inode (of a link's target), size, and hashes of its seconds and nanoseconds of
/// modification and change.
type FileVersion = (u64, u64, u64, i64, i64);
/// The version of each file, by name.
type Files = BTreeMap<String, FileVersion>;

impl Folder {
    /// Loads the folder. Broken templates are logged; the others can be used.
    ///
    /// # Errors
    /// When the folder itself cannot be read.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let Scan { files, settled } = scan(path).map_err(|cause| FolderError { path: path.into(), cause })?;
        let engine = load(path, &files);
        report_faults(path, &engine);
        Ok(Folder {
            path: path.into(),
            engine: RwLock::new(engine.into()),
            last_scan: Mutex::new(Scan { files, settled }),
        })
    }

    /// Every fault in the folder, including templates that fail with sample facts. Templates whose name begins with `_`
    /// are meant to be included and are not rendered alone.
    pub fn faults(&self) -> Vec<Fault> {
        let engine = self.engine();
        let mut faults = engine.faults().to_vec();
        for name in engine.sources().keys().filter(|name| !name.starts_with('_') && !engine.is_broken(name)) {
            faults.extend(engine.try_render(name, sample::facts()).err().filter(|fault| !faults.contains(fault)));
        }
        faults.dedup();
        faults
    }

    fn engine(&self) -> Arc<Engine> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn render(&self, name: &str, facts: Value) -> Option<String> {
        self.engine().render(name, facts)
    }
}

impl Slots for Folder {
    fn names(&self) -> Vec<String> {
        self.engine().names()
    }

    fn version(&self) -> u64 {
        self.engine().version()
    }

    /// Reloads the folder when names, sizes or times differ, or are too recent to prove that nothing has changed. While
    /// the folder cannot be read, its templates stay as they were.
    fn refresh(&self) {
        let mut last = self.last_scan.lock().unwrap_or_else(PoisonError::into_inner);
        let Scan { files, settled } = match scan(&self.path) {
            Ok(scan) => scan,
            Err(error) => {
                if last.settled {
                    tracing::warn!(%error, folder = %self.path.display(), "cannot read the folder of templates; keeping the loaded ones");
                }
                last.settled = false;
                return;
            }
        };
        if last.settled && last.files == files {
            return;
        }
        let engine = load(&self.path, &files);
        *last = Scan { files, settled };
        let current = self.engine();
        if engine.sources() != current.sources() || engine.faults() != current.faults() {
            tracing::info!(folder = %self.path.display(), templates = engine.sources().len(), "templates reloaded");
            report_faults(&self.path, &engine);
            count_from_zero(&engine.names());
            *self.engine.write().unwrap_or_else(PoisonError::into_inner) = engine.into();
        }
    }

    fn unreadable(&self) -> Option<String> {
        let error = scan(&self.path).err()?;
        Some(format!("the folder {} cannot be read: {error}", self.path.display()))
    }

    fn uses(&self, name: &str, fact: Fact) -> bool {
        self.engine().uses(name, fact)
    }

    fn row(&self, _slot: Slot, name: &str, facts: &RowFacts<'_>) -> Option<String> {
        self.render(name, context::row(facts))
    }

    fn header(&self, name: &str, facts: &HeaderFacts<'_>) -> Option<String> {
        self.render(name, context::header(facts))
    }

    fn empty(&self, name: &str, facts: &EmptyFacts<'_>) -> Option<String> {
        self.render(name, context::empty(facts))
    }

    fn error(&self, name: &str, facts: &ErrorFacts<'_>) -> Option<String> {
        self.render(name, context::error(facts))
    }

    fn loading(&self, name: &str, facts: &LoadingFacts<'_>) -> Option<String> {
        self.render(name, context::loading(facts))
    }

    fn options(&self, name: &str, facts: &MenuFacts<'_>) -> Option<String> {
        self.render(name, context::options(facts))
    }
}

fn scan(path: &Path) -> io::Result<Scan> {
    let mut files = Files::new();
    let mut youngest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        let name = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".html"));
        let Some(name) = name.filter(|name| is_name(name)) else { continue };
        // The target of a link counts. A file that has just been removed, or a broken link, is no template.
        let Ok(data) = fs::metadata(&file) else { continue };
        if !data.is_file() {
            continue;
        }
        youngest = youngest.max(data.modified().unwrap_or_else(|_| clock::system_time()));
        let times = data.mtime_nsec() ^ data.ctime_nsec().rotate_left(32);
        files.insert(
            name.to_owned(),
            (data.dev(), data.ino(), data.len(), data.mtime() ^ data.ctime().rotate_left(32), times),
        );
    }
    while files.len() > MAX_TEMPLATES {
        files.pop_last();
    }
    let settled = clock::system_time().duration_since(youngest).is_ok_and(|age| age > TIMESTAMP_GRANULARITY);
    Ok(Scan { files, settled })
}

fn load(path: &Path, files: &Files) -> Engine {
    let mut sources = BTreeMap::new();
    let mut unreadable = Vec::new();
    for name in files.keys() {
        let file = format!("{name}.html");
        match text(&path.join(&file)) {
            Ok(source) => drop(sources.insert(name.clone(), source)),
            Err(problem) => unreadable.push(Fault { file, line: None, problem }),
        }
    }
    Engine::new(sources, unreadable)
}

fn text(file: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    opened.map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {} KiB", MAX_BYTES >> 10));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".into())
}

fn report_faults(path: &Path, engine: &Engine) {
    metrics::gauge!("chat_group_members_templates_broken").set(engine.faults().len() as f64);
    for fault in engine.faults() {
        tracing::warn!(folder = %path.display(), "template {fault}; the built-in view is shown instead");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &tempfile::TempDir, file: &str, text: &str) {
        fs::write(folder.path().join(file), text).unwrap();
    }

    fn faults(folder: &Folder) -> Vec<String> {
        folder.faults().iter().map(Fault::to_string).collect()
    }

    #[test]
    fn only_files_with_a_templates_name_are_templates() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["card.html", "a.b.html", ".card.html", "card.html~", "card.txt", "#card.html#"] {
            write(&folder, file, "x");
        }
        fs::create_dir(folder.path().join("sub.html")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("lost.html")).unwrap();
        assert_eq!(Folder::open(folder.path()).unwrap().names(), ["card"]);
        assert!(Folder::open(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_change_an_addition_a_removal_and_a_swapped_link_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        for version in ["one", "two"] {
            fs::create_dir(folder.path().join(version)).unwrap();
            write(&folder, &format!("{version}/linked.html"), version);
        }
        std::os::unix::fs::symlink("one", folder.path().join("..data")).unwrap();
        std::os::unix::fs::symlink("..data/linked.html", folder.path().join("linked.html")).unwrap();
        write(&folder, "card.html", "a");
        let templates = Folder::open(folder.path()).unwrap();
        let drawn = |name: &str| templates.render(name, sample::facts()).unwrap_or_default();
        assert_eq!((drawn("card"), drawn("linked")), ("a".into(), "one".into()));
        let before = templates.version();
        // The file has the same size and changes within one tick of the file system's clock.
        write(&folder, "card.html", "b");
        templates.refresh();
        assert_eq!(drawn("card"), "b");
        assert_ne!(templates.version(), before);
        std::os::unix::fs::symlink("two", folder.path().join("..tmp")).unwrap();
        fs::rename(folder.path().join("..tmp"), folder.path().join("..data")).unwrap();
        write(&folder, "more.html", "c");
        templates.refresh();
        assert_eq!((drawn("linked"), drawn("more")), ("two".into(), "c".into()));
        fs::remove_file(folder.path().join("more.html")).unwrap();
        write(&folder, "card.html", "a");
        templates.refresh();
        assert_eq!(templates.names(), ["card", "linked"]);
        fs::remove_dir_all(folder.path()).unwrap();
        templates.refresh();
        assert_eq!(drawn("card"), "a", "a folder that is away for a moment keeps its templates");
    }

    #[test]
    fn what_is_wrong_is_found_before_anybody_looks() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder, "fine.html", "{{ member.name }}{{ acts() }}{{ totals }}{{ detail }}{{ search }}");
        write(&folder, "typo.html", "\n{{ member.nmae }}");
        write(&folder, "_part.html", "{{ given }}");
        write(&folder, "large.html", &"x".repeat(70_000));
        write(&folder, "syntax.html", "{{ 1 + }}");
        fs::write(folder.path().join("latin.html"), b"\xe9").unwrap();
        let found = faults(&Folder::open(folder.path()).unwrap());
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(&found[..2], ["large.html: it is larger than 64 KiB", "latin.html: it is not UTF-8"]);
        assert!(found[2].starts_with("syntax.html:1: syntax error"), "{found:?}");
        assert!(found[3].starts_with("typo.html:2: "), "{found:?}");
    }
}
