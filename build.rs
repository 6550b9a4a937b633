//! Prepares what the browser loads: fetches the npm packages at the versions that `package-lock.json` pins,
//! lets `build/bundle.mjs` join htmx with our own script and make script and styles small, compresses each
//! file once, and writes a Rust table of the result for `src/assets.rs`.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

#[path = "build/locales.rs"]
mod locales;
#[path = "build/version.rs"]
mod version;

/// Names a folder laid out like `node_modules`, for builds without npm.
const NPM_FOLDER: &str = "CHAT_GROUP_MEMBERS_NPM";

/// Makes the scripts and styles.
const BUNDLER: &str = "build/bundle.mjs";

/// Compresses them.
const COMPRESSOR: &str = "build/compress.mjs";

/// The script that ours fetches when somebody first needs it. Its plain name in braces stands in the other
/// scripts for its address.
const ACTS: &str = "chat-group-members-acts.js";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    for path in ["build.rs", "build", "locales", "package.json", "package-lock.json", "static"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed={NPM_FOLDER}");
    version::announce();
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
    for (name, text) in assets(&npm_packages(&out)?, &out.join("bundled"))? {
        write_entry(&mut table, &folder, &name, &text)?;
    }
    node(COMPRESSOR, &[&folder])?;
    table.push_str("]\n");
    fs::write(out.join("assets.rs"), table)?;
    fs::write(out.join("locales.rs"), locales::table()?)?;
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
    let instead = instead();
    match run {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let last: Vec<_> = said.lines().filter(|line| line.starts_with("npm error")).take(6).collect();
            Err(format!("`npm ci` could not fetch the packages of package.json: {} {instead}", last.join(" | ")).into())
        }
        Err(problem) => Err(format!(
            "npm is needed to fetch the packages of package.json, and could not be started ({problem}). \
             Install Node.js with npm. {instead}"
        )
        .into()),
    }
}

fn instead() -> String {
    format!(
        "Or set {NPM_FOLDER} to a folder that holds htmx.org, esbuild, terser and lightningcss as node_modules does."
    )
}

/// Every served file under its plain name, with its text.
fn assets(packages: &Path, bundled: &Path) -> Result<Vec<(String, String)>> {
    node(BUNDLER, &[packages, bundled])?;
    let acts = served_name(ACTS, &read(&bundled.join(ACTS))?)?;
    let mut files: Vec<_> = fs::read_dir(bundled)?.collect::<std::io::Result<_>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let served = files.iter().map(|file| {
        let name = file.file_name().into_string().map_err(|name| format!("{name:?} is not UTF-8"))?;
        Ok((name, read(&file.path())?.replace(&format!("{{{ACTS}}}"), &acts)))
    });
    served.collect()
}

/// Runs one of our scripts of the build.
fn node(script: &str, arguments: &[&Path]) -> Result<()> {
    let run = Command::new("node").arg(script).args(arguments).output();
    let done = run.map_err(|problem| format!("node could not be started ({problem}). Install Node.js."))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(format!("{script} could not make scripts and styles: {}. {}", said.trim(), instead()).into())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()).into())
}

/// The path below the mount, with the content's hash.
fn url(name: &str, text: &str) -> Result<String> {
    Ok(format!("/static/{}", served_name(name, text)?))
}

/// The name of what is kept for good: another text has another.
fn served_name(name: &str, text: &str) -> Result<String> {
    let (stem, extension) = stem_and_extension(name)?;
    Ok(format!("{stem}.{}.{extension}", hash(text)))
}

fn stem_and_extension(name: &str) -> Result<(&str, &str)> {
    name.rsplit_once('.').ok_or_else(|| format!("static/{name} has no extension").into())
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().take(5).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes one file as it is, and the line of the table about its three encodings.
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
    fs::write(folder.join(format!("{name}.plain")), text)?;
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
