//! A set of templates, compiled once: bounded in steps, depth and output, with no way out of it.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, HtmlEscape, Output, State, UndefinedBehavior};

use super::Fact;
use crate::domain::{hue, initials};
use crate::lang::{Day, Key, Lang, choose, key};

/// Steps that one drawing may take.
const FUEL: u64 = 20_000;
/// Bytes that one drawing may have.
const OUTPUT: usize = 16 << 10;
/// How deep includes (10 each), macros (4 each) and blocks may nest.
const DEPTH: usize = 100;

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file's name.
    pub file: String,
    /// The line, when it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

/// Compiled templates.
pub(super) struct Engine {
    environment: Environment<'static>,
    sources: BTreeMap<String, String>,
    faults: Vec<Fault>,
    /// What a template may say, for those that say it.
    says: BTreeSet<(String, &'static str)>,
    /// Templates whose failing was logged.
    failed: Mutex<BTreeSet<String>>,
    version: u64,
}

impl Engine {
    /// Compiles the templates of these names and texts. `unreadable` are those without a text.
    pub(super) fn new(sources: BTreeMap<String, String>, unreadable: Vec<Fault>) -> Engine {
        let mut environment = environment();
        let mut faults = unreadable;
        for (name, source) in &sources {
            if let Err(error) = environment.add_template_owned(file(name), source.clone()) {
                faults.push(fault(&file(name), &error));
            }
        }
        let says = says(&environment);
        let mut hasher = DefaultHasher::new();
        sources.hash(&mut hasher);
        let version = hasher.finish();
        Engine { environment, sources, faults, says, failed: Mutex::default(), version }
    }

    pub(super) fn sources(&self) -> &BTreeMap<String, String> {
        &self.sources
    }

    /// What cannot be read or compiled.
    pub(super) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The same for the same templates.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn names(&self) -> Vec<String> {
        let unreadable = self.faults.iter().filter_map(|fault| fault.file.strip_suffix(".html"));
        let names: BTreeSet<&str> = self.sources.keys().map(String::as_str).chain(unreadable).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    pub(super) fn uses(&self, name: &str, fact: Fact) -> bool {
        let word = match fact {
            Fact::Status => "member.status",
            Fact::Viewer => "viewer.uid",
        };
        self.says.contains(&(file(name), word))
    }

    /// Draws; `None` when the template is broken or fails, which is logged once and counted.
    pub(super) fn draw(&self, name: &str, facts: Value) -> Option<String> {
        let failed = match self.try_draw(name, facts) {
            Ok(text) => return Some(super::tidy(text)),
            Err(fault) => fault,
        };
        metrics::counter!("template_failures_total", "template" => name.to_owned()).increment(1);
        // A template that does not compile was logged when the folder was read.
        let broken = self.faults.iter().any(|fault| fault.file == file(name));
        if !broken && self.failed.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned()) {
            tracing::warn!("template {failed}; the built-in view is shown instead");
        }
        None
    }

    /// Renders a template.
    ///
    /// # Errors
    /// [`Fault`] when the template is broken, fails, or exceeds a limit.
    pub(super) fn try_draw(&self, name: &str, facts: Value) -> Result<String, Fault> {
        let mut page = Page { bytes: Vec::with_capacity(512), full: false };
        let file = file(name);
        let template = self.environment.get_template(&file).map_err(|error| fault(&file, &error))?;
        match template.render_captured_to(facts, &mut page) {
            Ok(_) => Ok(String::from_utf8(page.bytes).expect("a template writes text")),
            Err(_) if page.full => {
                Err(Fault { file, line: None, problem: format!("its output is longer than {} KiB", OUTPUT >> 10) })
            }
            Err(error) => Err(fault(&file, &error)),
        }
    }
}

fn file(name: &str) -> String {
    format!("{name}.html")
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(escape);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(DEPTH);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters"));
    // Values are escaped whatever the file's name, and a template sees only the facts it is given.
    environment.remove_filter("safe");
    environment.remove_global("debug");
    environment.add_filter("date", |state: &State<'_, '_>, day: i64| Day::of(day).words(lang(state)).to_string());
    environment.add_filter("word", |state: &State<'_, '_>, value: &str| word(value).map(|key| lang(state).text(key)));
    environment.add_filter("isodate", |seconds: i64| Day::of(seconds).machine().to_string());
    environment.add_filter("initials", |name: &str| initials(name));
    environment.add_filter("hue", |uid: &str| hue(uid));
    environment
}

/// The language of the view that is drawn.
fn lang(state: &State<'_, '_>) -> Lang {
    let tag = state.lookup("lang");
    choose(tag.as_ref().and_then(Value::as_str), None)
}

/// What a scope or a status is called.
fn word(value: &str) -> Result<Key, Error> {
    Ok(match value {
        "owner" => key::SCOPE_OWNER,
        "admin" => key::SCOPE_ADMIN,
        "moderator" => key::SCOPE_MODERATOR,
        "participant" => key::SCOPE_PARTICIPANT,
        "online" => key::STATUS_ONLINE,
        "away" => key::STATUS_AWAY,
        "offline" => key::STATUS_OFFLINE,
        other => {
            let problem = format!("{other:?} is neither a scope nor a status");
            return Err(Error::new(ErrorKind::InvalidOperation, problem));
        }
    })
}

/// Escapes every value that is not HTML from a template or one of the functions here, even in a block without
/// escaping. An absent value (no picture, no status) is empty.
fn escape(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match value.as_str() {
        Some(markup) if value.is_safe() => out.write_str(markup),
        Some(text) => write!(out, "{}", HtmlEscape(text)),
        None if value.is_none() => Ok(()),
        None if value.kind() == ValueKind::Bool => out.write_str(if value.is_true() { "true" } else { "false" }),
        None => write!(out, "{}", HtmlEscape(&value.to_string())),
    };
    Ok(written?)
}

/// Which templates may use which fact. One that includes others, or passes a whole object on, may use any.
fn says(environment: &Environment<'static>) -> BTreeSet<(String, &'static str)> {
    let mut says = BTreeSet::new();
    for (file, template) in environment.templates() {
        let source = template.source();
        let more = ["include", "extends", "import"].iter().any(|word| source.contains(word));
        let said = template.undeclared_variables(true);
        for (object, fact) in [("member", "member.status"), ("viewer", "viewer.uid")] {
            if more || said.contains(object) || said.contains(fact) {
                says.insert((file.to_owned(), fact));
            }
        }
    }
    says
}

/// The innermost error that has a line: the outer error of an include names only the line that includes.
fn fault(file: &str, error: &Error) -> Fault {
    let mut innermost = error;
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(inner) = cause.downcast_ref::<Error>().filter(|inner| inner.line().is_some()) {
            innermost = inner;
        }
        source = cause.source();
    }
    let mut problem = innermost.kind().to_string();
    if let Some(detail) = innermost.detail() {
        problem = format!("{problem}: {detail}");
    }
    Fault { file: innermost.name().unwrap_or(file).to_owned(), line: innermost.line(), problem }
}

/// The output, up to its limit.
struct Page {
    bytes: Vec<u8>,
    full: bool,
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.full |= self.bytes.len() + bytes.len() > OUTPUT;
        if self.full {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    use super::*;

    fn engine(templates: &[(&str, &str)]) -> Engine {
        let sources = templates.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        Engine::new(sources, Vec::new())
    }

    fn draw(text: &str) -> Result<String, String> {
        let facts = context! { name => "<b>&", none => None::<&str> };
        engine(&[("x", text)]).try_draw("x", facts).map_err(|fault| fault.to_string())
    }

    #[test]
    fn what_comes_from_people_is_escaped_whatever_a_template_says() {
        for text in ["{{ name }}", "{% autoescape false %}{{ name }}{% endautoescape %}", "{{ name ~ '' }}"] {
            assert_eq!(draw(text), Ok("&lt;b&gt;&amp;".into()), "{text}");
        }
        assert_eq!(draw("{{ name|safe }}"), Err("x.html:1: unknown filter: filter safe is unknown".into()));
        assert_eq!(draw("{% set own %}<i>{{ name }}</i>{% endset %}{{ own }}"), Ok("<i>&lt;b&gt;&amp;</i>".into()));
    }

    #[test]
    fn what_is_not_there_is_nothing_and_what_is_mistyped_is_an_error() {
        assert_eq!(draw("[{{ none }}]"), Ok("[]".into()));
        assert!(draw("\n{{ nmae }}").unwrap_err().starts_with("x.html:2: undefined value"));
        assert!(draw("{% if nmae %}{% endif %}").unwrap_err().starts_with("x.html:1: undefined value"));
    }

    #[test]
    fn an_endless_loop_a_flood_and_a_fall_are_stopped() {
        let endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
        assert!(draw(endless).unwrap_err().contains("out of fuel"));
        let flood = draw("a\n{% for a in range(9) %}{{ '0123456789' * 400 }}{% endfor %}").unwrap_err();
        assert!(flood.contains("its output is longer than 16 KiB"), "{flood}");
        let fall = draw("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").unwrap_err();
        assert!(fall.contains("recursion limit"), "{fall}");
        let itself = engine(&[("x", "{% include 'x.html' %}")]).try_draw("x", context! {}).unwrap_err();
        assert!(itself.to_string().contains("recursion limit"), "{itself}");
    }

    #[test]
    fn a_fault_names_the_file_and_line_where_it_is() {
        let engine = engine(&[("list", "\n{% include 'part.html' %}"), ("part", "a\nb\n{{ 1 + }}"), ("ok", "x")]);
        let [broken] = engine.faults() else { panic!("{:?}", engine.faults()) };
        assert_eq!((broken.file.as_str(), broken.line), ("part.html", Some(3)));
        assert!(engine.try_draw("list", context! {}).is_err());
        assert_eq!(engine.try_draw("ok", context! {}), Ok("x".into()));
        let outside = self::engine(&[("x", "{% include '../Cargo.toml' %}"), ("y", "{% include '/etc/passwd' %}")]);
        for name in ["x", "y"] {
            assert!(outside.try_draw(name, context! {}).unwrap_err().problem.contains("template not found"));
        }
    }

    #[test]
    fn a_failure_inside_an_include_is_named_there() {
        let engine = engine(&[("list", "\n{% include 'part.html' %}"), ("part", "a\nb\n{{ nmae }}")]);
        let fault = engine.try_draw("list", context! {}).unwrap_err();
        assert_eq!((fault.file.as_str(), fault.line), ("part.html", Some(3)));
    }

    #[test]
    fn what_a_template_may_say_is_known() {
        let engine = engine(&[
            ("plain", "{{ member.name }} {{ viewer.scope }}"),
            ("status", "{% if member.status == 'online' %}x{% endif %}"),
            ("whole", "{% for key in member %}{{ key }}{% endfor %}"),
            ("more", "{% include 'plain.html' %}"),
            ("uid", "{{ viewer.uid }}"),
        ]);
        let uses = |name: &str| (engine.uses(name, Fact::Status), engine.uses(name, Fact::Viewer));
        assert_eq!(uses("plain"), (false, false));
        assert_eq!(uses("status"), (true, false));
        assert_eq!(uses("whole"), (true, false));
        assert_eq!(uses("more"), (true, true));
        assert_eq!(uses("uid"), (false, true));
    }
}
