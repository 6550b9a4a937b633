//! Prepares what the browser loads: fetches htmx and terser at the versions that `package-lock.json`
//! pins, joins htmx with our own script (made small by terser) and styles, compresses each file once,
//! and writes a Rust table of the result for `src/assets.rs`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

#[path = "build/locales.rs"]
mod locales;

/// Names a folder laid out like `node_modules`, for builds without npm.
const NPM_FOLDER: &str = "CHAT_GROUP_MEMBERS_NPM";

/// Decides, before all else, which htmx our script uses.
const LOADER: &str = "js/load.js";

/// Our script, in reading order. The files share one function scope, so that nothing leaks into the
/// page.
const SCRIPT: [&str; 15] = [
    "js/root.js",
    "js/requests.js",
    "js/order.js",
    "js/press.js",
    "js/hold.js",
    "js/eye.js",
    "js/place.js",
    "js/window.js",
    "js/search.js",
    "js/live.js",
    "js/clicks.js",
    "js/keys.js",
    "js/digest.js",
    "js/news.js",
    "js/start.js",
];

/// What people act with: menus, dialogs, selecting. A script of its own, which ours fetches when somebody
/// first needs it.
const ACTS: [&str; 3] = ["js/acts.js", "js/sending.js", "js/select.js"];

/// What the script of acts uses of ours, and what ours then uses of it, by the names that both have.
const GIVEN: &str = "LONGEST_REQUEST, PREFIX, ROW, addressOf, announce, beginRequest, boxOf, emit, endRequest, fail, find, get, htmx, isAct, isLeaving, \
                     isMenuOpen, isOurs, keepAddress, loaded, memberOf, memoryOf, part, plural, releaseUnheld, rootOf, rowsOf, say, \
                     view, watchPress, wentWell, withQuery, word";
const TAKEN: &str = "ask, beginSelection, checkSelection, choose, openMenuOf, setSelected, showSelected";

/// Other people's pages: besides, the custom element. Its definition stands last: it begins at once.
const FOR_HOSTS: [&str; 3] = ["js/host.js", "js/placeholder.js", "js/element.js"];

/// Our own pages: besides, their address, and the frame they may stand in.
const FOR_OURS: [&str; 2] = ["js/address.js", "js/frame.js"];

/// One link gives a host the variables and the look.
const STYLES: [&str; 4] = ["css-variables.css", "css/frame.css", "css/list.css", "css/media.css"];

/// The look of what people act with, which comes with its markup.
const ACTS_STYLES: [&str; 3] = ["css/float.css", "css/select.css", "css/bans.css"];

/// Our own pages get theirs, and what the page of the list needs besides, as one file; all but that page
/// have another for the rest.
const PAGE_STYLE: &str = "page.css";
const PAGES_STYLE: &str = "pages.css";

/// Properties of the objects in which our script remembers things: nobody else reads them, so they need
/// no long names. None of them is a name of the browser's, of htmx's, or of anything in the markup.
const OWN_PROPERTIES: [&str; 27] = [
    "announced",
    "awaited",
    "begun",
    "brokenPictures",
    "catchUp",
    "composing",
    "counts",
    "extending",
    "headings",
    "held",
    "journal",
    "late",
    "movedAt",
    "must",
    "named",
    "news",
    "owed",
    "owedAnew",
    "paying",
    "received",
    "releaseTimer",
    "selecting",
    "stale",
    "typing",
    "unseen",
    "whole",
    "wish",
];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    for path in ["build.rs", "build", "locales", "package.json", "package-lock.json", "static"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed={NPM_FOLDER}");
    if let Err(problem) = build() {
        // `cargo::error` shows the sentence by itself; a panic would bury it in a backtrace.
        println!("cargo::error={problem}");
        std::process::exit(1);
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = out.join("assets");
    fs::create_dir_all(&folder)?;
    let mut table = String::from("&[\n");
    for (name, text) in assets(&npm_packages(&out)?)? {
        write_entry(&mut table, &folder, &name, &text)?;
    }
    table.push_str("]\n");
    fs::write(out.join("assets.rs"), table)?;
    fs::write(out.join("locales.rs"), locales::table()?)?;
    Ok(())
}

/// The folder that holds `htmx.org` and `terser`. npm runs only when the lock differs from the last time.
fn npm_packages(out: &Path) -> Result<PathBuf> {
    if let Some(folder) = env::var_os(NPM_FOLDER) {
        return Ok(folder.into());
    }
    let (folder, lock) = (out.join("npm"), fs::read_to_string("package-lock.json")?);
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(folder.join("node_modules"));
    }
    fs::create_dir_all(&folder)?;
    fs::copy("package.json", folder.join("package.json"))?;
    fs::write(folder.join("package-lock.json"), &lock)?;
    npm_ci(&folder)?;
    fs::write(stamp, lock)?;
    Ok(folder.join("node_modules"))
}

fn npm_ci(folder: &Path) -> Result<()> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = Command::new(npm)
        .args(["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .output();
    let instead = instead();
    match run {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let last: Vec<_> = said.lines().filter(|line| line.starts_with("npm error")).take(6).collect();
            Err(format!("`npm ci` could not fetch htmx and terser: {} {instead}", last.join(" | ")).into())
        }
        Err(problem) => Err(format!(
            "npm is needed to fetch htmx and terser, and could not be started ({problem}). \
             Install Node.js with npm. {instead}"
        )
        .into()),
    }
}

fn instead() -> String {
    format!("Or set {NPM_FOLDER} to a folder that holds htmx.org and terser as node_modules does.")
}

/// Every served file under its plain name, with its text.
fn assets(packages: &Path) -> Result<Vec<(String, String)>> {
    let acts = acts_script(packages)?;
    let acts_file = url("chat-group-members-acts.js", &acts)?;
    let mut served = vec![
        ("chat-group-members.js".to_owned(), script(packages, &FOR_HOSTS, &acts_file)?),
        ("chat-group-members-page.js".to_owned(), script(packages, &FOR_OURS, &acts_file)?),
        ("chat-group-members-acts.js".to_owned(), acts),
        ("css-variables.css".to_owned(), joined(&STYLES)?),
        ("acts.css".to_owned(), joined(&ACTS_STYLES)?),
    ];
    let mut files: Vec<_> = fs::read_dir("static")?.collect::<std::io::Result<_>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files.iter().filter(|file| file.path().is_file()) {
        let name = file.file_name().into_string().map_err(|name| format!("static/{name:?} is not UTF-8"))?;
        if name == PAGE_STYLE {
            served.push((name, joined(&[&STYLES[..], &[PAGE_STYLE]].concat())?));
        } else if name == PAGES_STYLE {
            served.push((name, joined(&[&ACTS_STYLES[..], &[PAGES_STYLE]].concat())?));
        } else if name != STYLES[0] {
            let text = joined(&[&name])?;
            served.push((name, text));
        }
    }
    Ok(served)
}

/// htmx and our script as one file: one request, and no moment in which htmx already runs while our
/// swap style is still on its way. Whether this htmx is used, and by whom, `js/load.js` decides.
fn script(packages: &Path, besides: &[&str], acts_file: &str) -> Result<String> {
    let htmx = read(&packages.join("htmx.org/dist/htmx.min.js"))?;
    let ours: String = SCRIPT.iter().chain(besides).map(|file| read_static(file)).collect::<Result<_>>()?;
    let loader = read_static(LOADER)?;
    let whole = format!(
        "{{const newHtmx = () => {{\n{htmx}\nreturn htmx;\n}};\n(() => {{'use strict';\n\
         const component = (htmx, home, ready) => {{\n\
         const ACTS_FILE = '{acts_file}';\nlet {TAKEN};\n{ours}\
         const receiveActs = (acts) => {{ [{TAKEN}] = acts.default([{GIVEN}]); }};\n}};\n{loader}}})();}}"
    );
    minified(packages, &whole, &OWN_PROPERTIES)
}

/// The script of acts: a module that is given what it uses of ours, in the same order there and here.
fn acts_script(packages: &Path) -> Result<String> {
    let acts: String = ACTS.iter().map(|file| read_static(file)).collect::<Result<_>>()?;
    let small = minified(packages, &format!("export default ([{GIVEN}]) => {{\n{acts}return [{TAKEN}];\n}};"), &[])?;
    // Each script is minified by itself, and gives what is shortened names of its own.
    let mut words = small.split(|letter: char| !letter.is_alphanumeric());
    match words.find(|word| OWN_PROPERTIES.contains(word)) {
        Some(word) => Err(format!("`{word}` is shortened in our script, and the script of acts uses it too").into()),
        None => Ok(small),
    }
}

fn read_static(file: &str) -> Result<String> {
    read(&Path::new("static").join(file))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()).into())
}

/// The script without what only its readers need: comments, spaces, long names.
fn minified(packages: &Path, script: &str, properties: &[&str]) -> Result<String> {
    let terser = packages.join("terser/bin/terser");
    let cannot = |problem: &str| format!("terser could not make the script small: {problem}. {}", instead());
    if !terser.is_file() {
        return Err(cannot(&format!("{} is not there", terser.display())).into());
    }
    let own_properties = format!("regex=/^({})$/", properties.join("|"));
    // No function of htmx's or ours is one that `new` would call: each may become an arrow or a method.
    let mut node = Command::new("node")
        .arg(terser)
        .args(["--compress", "passes=3,hoist_funs,unsafe_arrows,unsafe_methods", "--ecma", "2022"])
        .args(["--mangle", "--mangle-props", &own_properties])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|problem| cannot(&format!("node could not be started ({problem}), install Node.js")))?;
    // Dropped at the end of the line, which closes it. terser reads all before it writes.
    let sent = node.stdin.take().ok_or("node has no standard input")?.write_all(script.as_bytes());
    let done = node.wait_with_output()?;
    if !done.status.success() {
        return Err(cannot(String::from_utf8_lossy(&done.stderr).trim()).into());
    }
    sent?;
    Ok(String::from_utf8(done.stdout)?)
}

/// The files of `static/` one after the other, lightened. Comments there stand on lines of their own
/// and no string spans lines, so lines are all that has to be understood.
fn joined(files: &[&str]) -> Result<String> {
    let (mut text, mut in_comment) = (String::new(), false);
    for file in files {
        for line in read_static(file)?.lines().map(str::trim) {
            in_comment |= line.starts_with("/*");
            if !in_comment && !line.is_empty() && !line.starts_with("//") {
                text.push_str(line);
                text.push('\n');
            }
            in_comment &= !line.ends_with("*/");
        }
    }
    Ok(if files.iter().all(|file| file.ends_with(".css")) { tight(&text) } else { text })
}

/// Styles without the space that only people need, and without quotes around the words of attributes. No
/// string and no value of ours spans lines, and no attribute is compared with more than one word.
fn tight(css: &str) -> String {
    [
        ("\n", ""),
        (": ", ":"),
        (", ", ","),
        (" {", "{"),
        ("{ ", "{"),
        (";}", "}"),
        ("; }", "}"),
        (" ~ ", "~"),
        ("=\"", "="),
        ("\"]", "]"),
        (" > ", ">"),
        (" / ", "/"),
        (" 0.", " ."),
        (":0.", ":."),
    ]
    .iter()
    .fold(css.to_owned(), |css, (long, short)| css.replace(long, short))
}

/// The path below the mount, with the content's hash.
fn url(name: &str, text: &str) -> Result<String> {
    let (stem, extension) = stem_and_extension(name)?;
    Ok(format!("/static/{stem}.{}.{extension}", hash(text)))
}

fn stem_and_extension(name: &str) -> Result<(&str, &str)> {
    name.rsplit_once('.').ok_or_else(|| format!("static/{name} has no extension").into())
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(5).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the three encodings of one file and its line of the table.
fn write_entry(table: &mut String, folder: &Path, name: &str, text: &str) -> Result<()> {
    let (_, extension) = stem_and_extension(name)?;
    let kind = match extension {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        other => return Err(format!("static/{name}: build.rs does not know the type of .{other}").into()),
    };
    let (hash, url) = (hash(text), url(name, text)?);
    for (encoding, bytes) in [("plain", text.as_bytes().to_vec()), ("br", brotli(text)?), ("gz", gzip(text)?)] {
        fs::write(folder.join(format!("{name}.{encoding}")), bytes)?;
    }
    let bytes = |encoding: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/assets/{name}.{encoding}\"))");
    writeln!(
        table,
        "    Asset {{ name: {name:?}, url: {url:?}, etag: \"W/\\\"{hash}\\\"\", kind: {kind:?},\n        \
         plain: {}, br: {}, gzip: {} }},",
        bytes("plain"),
        bytes("br"),
        bytes("gz"),
    )?;
    Ok(())
}

fn brotli(text: &str) -> Result<Vec<u8>> {
    let parameters =
        brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, size_hint: text.len(), ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut text.as_bytes(), &mut packed, &parameters)?;
    Ok(packed)
}

fn gzip(text: &str) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?)
}
