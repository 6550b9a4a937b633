//! Prepares what the browser loads. Packages of the source hold it ready made, in `build/browser/`. Elsewhere it is made
//! here: npm fetches the packages at the versions that `package-lock.json` pins, `build/bundle.mjs` joins htmx with our
//! own script and makes script and styles small, `build/compress.mjs` compresses each file once. A Rust table of the
//! result goes to `src/assets.rs`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

#[path = "build/locales.rs"]
mod locales;
#[path = "build/markup.rs"]
mod markup;
#[path = "build/migrations.rs"]
mod migrations;
#[path = "build/version.rs"]
mod version;

/// Names a folder laid out like `node_modules`, for builds without npm.
const NPM_FOLDER: &str = "CHAT_GROUP_MEMBERS_NPM";

/// What the browser loads, as `packaging/browser` made it, with the hashes of what it was made of.
const READY: &str = "build/browser";

/// Makes the scripts and styles.
const BUNDLER: &str = "build/bundle.mjs";

/// Compresses them.
const COMPRESSOR: &str = "build/compress.mjs";

/// The ending of a file as it is; `.br` and `.gz` stand beside it.
const PLAIN: &str = ".plain";

/// What helps where node or npm is missing; the variable does not, since the scripts run under Node.js.
const NEEDS_NODE: &str = "A checkout makes its scripts and styles with Node.js 20 or later and npm: install both, or \
                          build a package of the source, which holds them ready made and needs Rust alone \
                          (`packaging/build crate` makes one on a machine with both)";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    for path in ["build.rs", "build", "locales", "migrations", "package.json", "package-lock.json", "static"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed={NPM_FOLDER}");
    version::announce();
    if let Err(problem) = markup::announce() {
        println!("cargo::error={problem}");
    }
    if let Err(problem) = build() {
        // `cargo::error` shows the sentence by itself; a panic would bury it in a backtrace.
        println!("cargo::error={problem}");
        std::process::exit(1);
    }
}

fn build() -> Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = out.join("assets");
    if is_ready()? {
        copy_ready(&folder)?;
    } else {
        let packages = npm_packages(&out)?;
        node(BUNDLER, &[&packages, &folder])?;
        node(COMPRESSOR, &[&folder])?;
    }
    fs::write(out.join("assets.rs"), table(&folder)?)?;
    fs::write(out.join("locales.rs"), locales::table()?)?;
    fs::write(out.join("migrations.rs"), migrations::table()?)?;
    Ok(())
}

/// Whether `build/browser/` was made of the files that are here now.
fn is_ready() -> Result<bool> {
    let Ok(sums) = fs::read_to_string(Path::new(READY).join("SHA256SUMS")) else { return Ok(false) };
    for line in sums.lines() {
        let (sum, file) = line.split_once("  ").ok_or_else(|| format!("{READY}/SHA256SUMS: {line:?} is not a sum"))?;
        if !fs::read(file).is_ok_and(|bytes| hex(&Sha256::digest(bytes)) == sum) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn copy_ready(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for file in fs::read_dir(READY)? {
        let file = file?;
        fs::copy(file.path(), folder.join(file.file_name()))?;
    }
    Ok(())
}

/// The folder that holds htmx, esbuild, terser and lightningcss. npm runs only when the lock differs from the last time.
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
    match run {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let last: Vec<_> = said.lines().filter(|line| line.starts_with("npm error")).take(6).collect();
            Err(format!(
                "`npm ci` could not fetch the packages of package.json: {}. Without a registry, set {NPM_FOLDER} to a folder \
                 that holds htmx.org, esbuild, terser and lightningcss as node_modules does",
                last.join(" | ")
            )
            .into())
        }
        Err(problem) => Err(format!("npm could not be started ({problem}). {NEEDS_NODE}").into()),
    }
}

/// The table of every served file, in the order of the plain names.
fn table(folder: &Path) -> Result<String> {
    let mut names = Vec::new();
    for file in fs::read_dir(folder)? {
        let name = file?.file_name().into_string().map_err(|name| format!("{name:?} is not UTF-8"))?;
        names.extend(name.strip_suffix(PLAIN).map(str::to_owned));
    }
    names.sort();
    let mut table = String::from("&[\n");
    for name in names {
        write_entry(&mut table, &name, &read(&folder.join(format!("{name}{PLAIN}")))?)?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// Runs one of our scripts of the build.
fn node(script: &str, arguments: &[&Path]) -> Result<()> {
    let run = Command::new("node").arg(script).args(arguments).output();
    let done = run.map_err(|problem| format!("node could not be started ({problem}). {NEEDS_NODE}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let packages = match env::var_os(NPM_FOLDER) {
        Some(folder) => format!(
            " {NPM_FOLDER} names {}: does it hold htmx.org, esbuild, terser and lightningcss?",
            folder.display()
        ),
        None => String::new(),
    };
    Err(format!("{script} could not make scripts and styles: {}.{packages}", said.trim()).into())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()).into())
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
    hex(&Sha256::digest(text)[..5])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the line of the table about a file and its three encodings.
fn write_entry(table: &mut String, name: &str, text: &str) -> Result<()> {
    let (_, extension) = stem_and_extension(name)?;
    let kind = match extension {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        other => return Err(format!("static/{name}: build.rs does not know the type of .{other}").into()),
    };
    let (hash, url) = (hash(text), url(name, text)?);
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
