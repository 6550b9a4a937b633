//! The variables `CGM_…` of the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::error::ConfigError;
use super::secret_file;

/// Begins every variable of ours.
const PREFIX: &str = "CGM_";
/// Set by systemd.
const STATE_DIRECTORY: &str = "STATE_DIRECTORY";
/// Variables that are allowed besides the options: those that commands read, and the address of the service, which
/// the examples of back ends read.
const BESIDE: [&str; 4] = ["CGM_CONFIG", "CGM_GROUP_PASSWORD", "CGM_GROUP_PASSWORD_FILE", "CGM_URL"];
/// Prefixes of variables that the tests and benchmarks of this repository read, and may leave in the environment of the service.
const PREFIXES_OF_TESTS: [&str; 3] = ["CGM_TEST_", "CGM_BENCH_", "CGM_CHAOS_"];

/// The variables that begin with `CGM_`, and what systemd says.
// No Debug: variables contain secrets.
#[derive(Clone, Default)]
pub struct Environment {
    ours: BTreeMap<String, String>,
    state_directory: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    ///
    /// # Errors
    /// When one is not UTF-8.
    pub fn of_process() -> Result<Environment, ConfigError> {
        Environment::of(std::env::vars_os())
    }

    /// The folder that systemd has made for the state of this service (`StateDirectory=`).
    pub(super) fn state_directory(&self) -> Option<&Path> {
        self.state_directory.as_deref()
    }

    fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Environment, ConfigError> {
        let (mut ours, mut state_directory) = (BTreeMap::new(), None);
        for (name, value) in variables {
            if name == STATE_DIRECTORY {
                // The first one, when there are several (systemd.exec(5)).
                let first = value.to_str().and_then(|paths| paths.split(':').next()).filter(|path| !path.is_empty());
                state_directory = first.map(PathBuf::from);
                continue;
            }
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
            let value = value
                .into_string()
                .map_err(|_| ConfigError::Value { place: name.to_owned(), problem: "this is not UTF-8".into() })?;
            ours.insert(name.to_owned(), value);
        }
        Ok(Environment { ours, state_directory })
    }

    /// The value of a variable; an empty one counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.ours.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    /// The value of a variable that is a secret, or the content of the file that the variable `…_FILE` names.
    ///
    /// # Errors
    /// When both are given, or the file cannot be read.
    pub fn secret(&self, name: &str) -> Result<Option<String>, ConfigError> {
        let file = file_variable(name);
        let wrong = |problem: String| ConfigError::Value { place: file.clone(), problem };
        match (self.get(name), self.get(&file)) {
            (text, None) => Ok(text.map(str::to_owned)),
            (None, Some(path)) => secret_file::read(path).map(Some).map_err(wrong),
            (Some(_), Some(_)) => Err(wrong(format!("{name} is given as well: give one of them"))),
        }
    }

    /// Refuses a variable that nothing reads: most likely its name is misspelled.
    ///
    /// # Errors
    /// The first such variable, with the name that is most like it.
    pub(super) fn check_names(&self, options: &[String]) -> Result<(), ConfigError> {
        let is_known = |name: &str| {
            options.iter().any(|option| option == name)
                || BESIDE.contains(&name)
                || PREFIXES_OF_TESTS.iter().any(|prefix| name.starts_with(prefix))
        };
        let Some(unknown) = self.ours.keys().find(|name| !is_known(name)) else { return Ok(()) };
        let known = options.iter().map(String::as_str).chain(BESIDE);
        let problem = format!("nothing reads this variable{}", suggestion(unknown, known));
        Err(ConfigError::Value { place: unknown.clone(), problem })
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(variables: [(&str, &str); N]) -> Environment {
        variables.as_slice().into()
    }
}

impl From<&[(&str, &str)]> for Environment {
    fn from(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Environment::of(variables).unwrap_or_default()
    }
}

/// The variable that names the file of a secret.
pub(super) fn file_variable(name: &str) -> String {
    format!("{name}_FILE")
}

/// The end of a sentence about an unknown name: the known one that is most like it, or where all of them stand.
pub(super) fn suggestion<'n>(unknown: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let unknown = unknown.trim_start_matches(PREFIX);
    // A third of the letters, or two of a short name.
    let farthest = (unknown.len() / 3).max(2);
    let distance = |name: &str| strsim::damerau_levenshtein(unknown, name.trim_start_matches(PREFIX));
    match known.into_iter().map(|name| (distance(name), name)).min() {
        Some((distance, name)) if distance <= farthest => format!("; did you mean {name}?"),
        _ => "; --help names every option".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_of_ours_are_read_and_they_are_text() {
        use std::os::unix::ffi::OsStringExt;
        let broken = || OsString::from_vec(vec![0xff]);
        let read = |name: &str, value| Environment::of([(OsString::from(name), value)]);
        assert!(read("LANG", broken()).is_ok_and(|found| found.ours.is_empty()));
        let problem = read("CGM_LOG", broken()).err().unwrap().to_string();
        assert_eq!(problem, "CGM_LOG: this is not UTF-8");
        assert_eq!(read("CGM_LOG", " ".into()).ok().unwrap().get("CGM_LOG"), None);
    }
}
