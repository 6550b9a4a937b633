//! Compiled templates in a sandbox: bounded in steps, depth, output and memory (`bounds.rs`), and without access to anything
//! but their facts. Filters and escaping are in `environment.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use minijinja::Environment;
use minijinja::value::Value;
use sha2::{Digest, Sha256};

use super::environment::{environment, syntax};
use super::fault::{Failures, Fault};
use super::{Fact, bounds, marks};

/// Most instructions of one rendering.
const MAX_STEPS: u64 = 20_000;
/// Most bytes of one rendering.
const MAX_OUTPUT: usize = 16 << 10;

/// Compiled templates.
pub(super) struct Engine {
    environment: Environment<'static>,
    sources: BTreeMap<String, String>,
    faults: Vec<Fault>,
    /// The templates that may use a fact, with the variable of the fact.
    uses: BTreeSet<(String, &'static str)>,
    failures: Failures,
    version: u64,
}

impl Engine {
    /// Compiles templates by name and text. `unreadable` are the faults of files without a text.
    pub(super) fn new(sources: BTreeMap<String, String>, unreadable: Vec<Fault>) -> Engine {
        let mut environment = environment();
        let mut faults = unreadable;
        environment.set_fuel(Some(bounds::steps(MAX_STEPS, sources.values())));
        for (name, source) in &sources {
            let measured = marks::measured(source, &file(name), syntax());
            if let Err(error) = environment.add_template_owned(file(name), measured) {
                faults.push(Fault::of(&file(name), &error));
            }
        }
        let uses = facts_used(&environment);
        let version = version(&sources);
        Engine { environment, sources, faults, uses, failures: Failures::default(), version }
    }

    pub(super) fn sources(&self) -> &BTreeMap<String, String> {
        &self.sources
    }

    /// The templates that cannot be read or compiled.
    pub(super) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Whether this template cannot be read or compiled.
    pub(super) fn is_broken(&self, name: &str) -> bool {
        self.faults.iter().any(|fault| fault.file == file(name))
    }

    /// A hash of the templates: the same on every node that has the same templates.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn names(&self) -> Vec<String> {
        let unreadable = self.faults.iter().filter_map(|fault| fault.file.strip_suffix(".html"));
        let names: BTreeSet<&str> = self.sources.keys().map(String::as_str).chain(unreadable).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    pub(super) fn uses(&self, name: &str, fact: Fact) -> bool {
        let variable = match fact {
            Fact::Status => "member.status",
            Fact::Viewer => "viewer.uid",
        };
        self.uses.contains(&(file(name), variable))
    }

    /// Renders a template; `None` when it is broken or fails, which is logged once and counted.
    pub(super) fn render(&self, name: &str, facts: Value) -> Option<String> {
        let fault = match self.try_render(name, facts) {
            Ok(text) => return Some(super::tidy(text)),
            Err(fault) => fault,
        };
        // A template that does not compile was logged when it was read.
        self.failures.note(name, Some(fault).filter(|_| !self.is_broken(name)));
        None
    }

    /// Renders a template.
    ///
    /// # Errors
    /// The fault of the template.
    pub(super) fn try_render(&self, name: &str, facts: Value) -> Result<String, Fault> {
        let mut output = BoundedOutput { bytes: Vec::with_capacity(512), full: false };
        let file = file(name);
        let template = self.environment.get_template(&file).map_err(|error| Fault::of(&file, &error))?;
        bounds::begin();
        match template.render_captured_to(facts, &mut output) {
            Ok(_) => Ok(String::from_utf8(output.bytes).expect("a template writes text")),
            Err(_) if output.full => {
                Err(Fault { file, line: None, problem: format!("its output is longer than {} KiB", MAX_OUTPUT >> 10) })
            }
            Err(error) => Err(Fault::of(&file, &error)),
        }
    }
}

/// A hash of these templates. Nodes compare it with each other, so it may not depend on how the program was built.
fn version(sources: &BTreeMap<String, String>) -> u64 {
    let mut hash = Sha256::new();
    for text in sources.iter().flat_map(|(name, source)| [name, source]) {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    let hash: [u8; 32] = hash.finalize().into();
    u64::from_be_bytes(*hash.first_chunk::<8>().expect("a SHA-256 hash has 32 bytes"))
}

fn file(name: &str) -> String {
    format!("{name}.html")
}

/// The templates that may use each fact. One that includes others, or passes on a whole object, may use any.
fn facts_used(environment: &Environment<'static>) -> BTreeSet<(String, &'static str)> {
    let mut uses = BTreeSet::new();
    for (file, template) in environment.templates() {
        let source = template.source();
        let includes = ["include", "extends", "import"].iter().any(|word| source.contains(word));
        let variables = template.undeclared_variables(true);
        for (object, fact) in [("member", "member.status"), ("viewer", "viewer.uid")] {
            if includes || variables.contains(object) || variables.contains(fact) {
                uses.insert((file.to_owned(), fact));
            }
        }
    }
    uses
}

/// The output of a template, up to a limit.
struct BoundedOutput {
    bytes: Vec<u8>,
    full: bool,
}

impl Write for BoundedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.full |= self.bytes.len() + bytes.len() > MAX_OUTPUT;
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

    fn render(text: &str) -> Result<String, String> {
        let facts = context! { name => "<b>&", none => None::<&str> };
        engine(&[("x", text)]).try_render("x", facts).map_err(|fault| fault.to_string())
    }

    #[test]
    fn the_version_of_templates_is_the_same_in_every_build() {
        // The first eight bytes of the SHA-256 by another program, of each text after its length in eight bytes.
        assert_eq!(engine(&[("row", "{{ member.name }}")]).version(), 0x631e8714fa153e1d);
        assert_ne!(engine(&[("a", "bc")]).version(), engine(&[("ab", "c")]).version());
    }

    #[test]
    fn what_comes_from_people_is_escaped_whatever_a_template_says() {
        for text in ["{{ name }}", "{% autoescape false %}{{ name }}{% endautoescape %}", "{{ name ~ '' }}"] {
            assert_eq!(render(text), Ok("&lt;b&gt;&amp;".into()), "{text}");
        }
        assert_eq!(render("{{ name|safe }}"), Err("x.html:1: unknown filter: filter safe is unknown".into()));
        assert_eq!(render("{% set own %}<i>{{ name }}</i>{% endset %}{{ own }}"), Ok("<i>&lt;b&gt;&amp;</i>".into()));
    }

    #[test]
    fn what_is_not_there_is_nothing_and_what_is_mistyped_is_an_error() {
        assert_eq!(render("[{{ none }}]"), Ok("[]".into()));
        assert!(render("\n{{ nmae }}").unwrap_err().starts_with("x.html:2: undefined value"));
        assert!(render("{% if nmae %}{% endif %}").unwrap_err().starts_with("x.html:1: undefined value"));
    }

    #[test]
    fn an_endless_loop_a_flood_and_a_fall_are_stopped() {
        let endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
        assert!(render(endless).unwrap_err().contains("out of fuel"));
        let flood = render("a\n{% for a in range(9) %}{{ '0123456789' * 400 }}{% endfor %}").unwrap_err();
        assert!(flood.contains("its output is longer than 16 KiB"), "{flood}");
        let fall = render("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}").unwrap_err();
        assert!(fall.contains("recursion limit"), "{fall}");
        let itself = engine(&[("x", "{% include 'x.html' %}")]).try_render("x", context! {}).unwrap_err();
        assert!(itself.to_string().contains("recursion limit"), "{itself}");
    }

    #[test]
    fn what_doubles_a_text_or_a_list_ends_the_template_where_it_is() {
        let loops = [
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t * 2 %}{% endfor %}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t|replace('x', 'xx') %}{% endfor %}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = [ns.t, ns.t]|join %}{% endfor %}",
            "{% set ns = namespace(t=['x']) %}{% for i in range(60) %}{% set ns.t = [ns.t, ns.t] %}{% endfor %}{{ ns.t }}",
            "{% set ns = namespace(t=['x']) %}{% for i in range(60) %}{% set ns.t = {'a': ns.t, 'b': ns.t} %}{% endfor %}{{ ns.t ~ '' }}",
            "{% set ns = namespace(t=['x']) %}{% for i in range(60) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ ns.t ~ '' }}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set t %}{{ ns.t }}{{ ns.t }}{% endset %}{% set ns.t = t %}{% endfor %}",
            "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = dict(a=ns.t, b=ns.t) %}{% endfor %}{{ ns.t }}",
            "{% set d = dict %}{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = d(a=ns.t, b=ns.t) %}{% endfor %}",
            "{% macro f(t, n) %}{% if n %}{{ f(namespace(a=t, b=t), n - 1) }}{% endif %}{% endmacro %}{{ f('x', 20) }}",
            "{% set ns = namespace(t=['x']) %}{% for i in range(9999) %}{% set ns.t = [ns.t] %}{% endfor %}",
            "{% macro f(t, n) %}{% if n %}{{ f(t ~ t, n - 1) }}{% endif %}{% endmacro %}{{ f('xxxxxxxxxxxx', 20) }}",
            "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% else %}{{ 'x' * 999 }}{% endif %}{% endmacro %}{% set t = f(12) %}",
            "{{ (name * 9000)|replace('b', name * 9000) }}",
            "{{ ('x' * 9000)|join('y' * 9000) }}",
            "{{ name|indent(999999999, true) }}",
        ];
        for text in loops {
            let fault = render(&format!("\n{text}")).unwrap_err();
            let is_named = ["builds up a text or a list", "builds up a list within", "argument of a filter"]
                .iter()
                .any(|why| fault.contains(why));
            assert!(is_named && fault.starts_with("x.html:2: "), "{text}: {fault}");
        }
        let products = [
            "{{ 'x' * 100000000 }}",
            "{{ 100000000 * 'x' }}",
            "{{ -(-100000000) * 'x' }}",
            "{{ ('x' * 1000) * 100000 }}",
            "{% set n = 100000000 %}{{ n * 'x' }}",
            "{% if 'x' * 100000000 %}y{% endif %}",
            "{{ [1] * 99999999 }}",
            "{{ (1, 2) * 49999999 }}",
        ];
        for text in products {
            let fault = render(&format!("\n{text}")).unwrap_err();
            assert!(fault.starts_with("x.html:2: ") && fault.contains("builds up a text or a list"), "{text}: {fault}");
        }
        for cycle in
            ["ns", "[ns]", "{'a': (1, ns)}", "dict(a=ns)", "namespace(a=ns)", "(not 1) if 0 else ns", "0 or ns"]
        {
            let text = format!("\n{{% set ns = namespace() %}}{{% set ns.a = {cycle} %}}{{{{ [ns] ~ ns }}}}");
            let fault = render(&text).unwrap_err();
            assert!(
                fault.starts_with("x.html:2: ") && fault.contains("cannot be put into a namespace"),
                "{text}: {fault}"
            );
        }
        for filter in ["sort", "unique", "list", "reverse", "split('b')", "upper", "replace('b', 'c')"] {
            let text = "{% set s = 'ab' * 30000 %}{% for i in range(60) %}{{ (s|FILTER)|length }}{% endfor %}";
            let fault = render(&format!("\n{}", text.replace("FILTER", filter))).unwrap_err();
            assert!(
                fault.starts_with("x.html:2: ") && fault.contains("its filters and slices work through"),
                "{filter}: {fault}"
            );
        }
        let slices = "{% set s = 'ab' * 30000 %}{% for i in range(60) %}{{ s[1:]|length }}{% endfor %}";
        assert!(render(slices).unwrap_err().contains("its filters and slices work through"));
        let chain = "{% set a = 'xx' %}".to_owned() + &"{% set a = a ~ a %}".repeat(50);
        assert!(render(&chain).unwrap_err().contains("builds up a text"));
    }

    #[test]
    fn measuring_leaves_what_templates_say_as_it_is() {
        for (text, expected) in [
            ("{{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 'a' ~ 'b' ~ (1 + 2) }}", "7 9 ab3"),
            (
                "{{ 2 * 3 * 4 }} {{ -2 * 3 }} {{ (1 + 2)*(3 + 4) }} {{ 2 * -3 }} {{ 2.5 * 2 }} {{ 6 / 2 * 3 }}",
                "24 -6 21 -6 5.0 9.0",
            ),
            (
                "{{ 2 * 3 ** 2 }} {{ (2*3) ** 2 }} {{ 2 ** 3*2 }} {{ 'ab' * 2 }} {{ 2*'ab' }} {{ 'a'|upper*2 }}",
                "18 36 16 abab abab AA",
            ),
            (
                "{{ ([1, 2] * 2)|join }} {{ (2 * [1])|length }} {{ [3][0] * 2 }} {{ (not false) * 3 }} {{ 3 * 2 ~ 'x' }}",
                "1212 2 6 3 6x",
            ),
            (
                "{{ 2 * 3 is odd }} {{ 2 * 3 > 5 }} {{ 2 * 3 if true else 1 * 1 }} {{ 1 + 2 * 3 - 4 * 5 }}",
                "2 true 6 -13",
            ),
            ("{{ ('a')|upper ~ ('b' ~ 'c')|upper }}", "ABC"),
            ("{{ ['b', 'a']|sort|join(', ') }}|{{ (1, 2)|length }}|{{ {'a': 1 + 1}.a }}", "a, b|2|2"),
            ("{% for a, b in [(1, 2), (3, 4)] %}{{ a + b }}{% endfor %}", "37"),
            ("{{ none|default('x' ~ 'y', true) }}{{ 'a-b'|replace('-', '+' ~ '+') }}", "xya++b"),
            ("{% filter upper|replace('A', 'e' ~ 'E') %}a{% endfilter %}", "eE"),
            ("é{{ 'é' ~ 'ü' }}ñ{# a ~ b #}{% raw %}{{ a ~ b }}{% endraw %}", "ééüñ{{ a ~ b }}"),
            ("{{ 'yes' if 1 + 1 == 2 and 'a' ~ 'b' == 'ab' else 'no' }}", "yes"),
            ("{{ 'abc'[0:1 + 1] }}{{ [3, 4][0 + 1] }}", "ab4"),
            ("{{ ('ab' ~ 'c')[1:][0] }}{{ [1, 2, 3][::2][1] }}{{ 'abc'[:2] ~ 'd'[:1]|upper }}", "b3abD"),
            ("{% for a in [1] + [2] %}{{ loop.index + 1 }}{% endfor %}", "23"),
            ("{% macro m(a, b=1 + 1) %}{{ a + b }}{% endmacro %}{{ m(1) }}{{ m(b=2, a=3) }}", "35"),
        ] {
            assert_eq!(render(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn no_fault_repeats_a_value_which_may_be_a_name() {
        let facts = || context! { name => "Ann Other" };
        for text in [
            "{{ name|word }}",
            "{% include name %}",
            "{{ name.x.y }}",
            "{{ name + 1 }}",
            "{{ name|int }}",
            "{{ name(1) }}",
        ] {
            let fault = engine(&[("x", text)]).try_render("x", facts()).unwrap_err().to_string();
            assert!(!fault.contains("Ann"), "{text}: {fault}");
        }
    }

    #[test]
    fn a_fault_names_the_file_and_line_where_it_is() {
        let engine = engine(&[("list", "\n{% include 'part.html' %}"), ("part", "a\nb\n{{ 1 + }}"), ("ok", "x")]);
        let [broken] = engine.faults() else { panic!("{:?}", engine.faults()) };
        assert_eq!((broken.file.as_str(), broken.line), ("part.html", Some(3)));
        assert!(engine.try_render("list", context! {}).is_err());
        assert_eq!(engine.try_render("ok", context! {}), Ok("x".into()));
        let outside = self::engine(&[("x", "{% include '../Cargo.toml' %}"), ("y", "{% include '/etc/passwd' %}")]);
        for name in ["x", "y"] {
            assert!(outside.try_render(name, context! {}).unwrap_err().problem.contains("template not found"));
        }
    }

    #[test]
    fn a_failure_inside_an_include_is_named_there() {
        let engine = engine(&[("list", "\n{% include 'part.html' %}"), ("part", "a\nb\n{{ nmae }}")]);
        let fault = engine.try_render("list", context! {}).unwrap_err();
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
