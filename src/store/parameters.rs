//! The parameters of the URL of a PostgreSQL database, behind its `?`. Every one is checked here: sqlx ignores those that it does not
//! know, with a warning that has the value, which may be a secret.

use std::net::IpAddr;

use sqlx::postgres::PgSslMode;

/// The parameters that sqlx 0.9 knows (`options/parse.rs` of sqlx-postgres), beside `options[NAME]`.
const KNOWN: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];
/// Known here alone: it asks for what is done anyway.
const SESSION_ATTRS: &str = "target_session_attrs";
/// Longest name that a message repeats.
const LONGEST_NAME: usize = 40;

/// Refuses what is more likely the rest of a password.
pub(super) const UNESCAPED: &str =
    "in the password of a database address / ? # and @ are written %2F, %3F, %23 and %40";

/// The query for sqlx: without `target_session_attrs`, which libpq knows and sqlx does not.
///
/// # Errors
/// A sentence about the first parameter that is wrong: its name, and never its value.
pub(super) fn for_sqlx(query: &str) -> Result<String, String> {
    let mut kept = String::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = form_urlencoded::parse(pair.as_bytes()).next().unwrap_or_default();
        if name.contains('@') {
            return Err(UNESCAPED.into());
        }
        if !pair.contains('=') {
            return Err("behind the ? of a database address stands NAME=VALUE; a & in a value is written %26".into());
        }
        check(&name, &value)?;
        if name != SESSION_ATTRS {
            kept.push(if kept.is_empty() { '?' } else { '&' });
            kept.push_str(pair);
        }
    }
    Ok(kept)
}

fn check(name: &str, value: &str) -> Result<(), String> {
    let must_be = |what: &str| Err(format!("{name} of this database address must be {what}"));
    match name {
        SESSION_ATTRS if !matches!(value, "read-write" | "primary") => {
            must_be("read-write (or left out): only the host that takes writes is used")
        }
        "host" | "hostaddr" | "port" if value.contains(',') => {
            Err("several hosts of a database address go before its \
             name: postgres://USER:PASSWORD@ONE:5432,TWO:5432/NAME"
                .into())
        }
        "sslmode" | "ssl-mode" if value.parse::<PgSslMode>().is_err() => {
            must_be("disable, allow, prefer, require, verify-ca or verify-full")
        }
        "hostaddr" if value.parse::<IpAddr>().is_err() => must_be("an IP address"),
        "port" if value.parse::<u16>().is_err() => must_be("the number of a port"),
        "statement-cache-capacity" if value.parse::<usize>().is_err() => must_be("a whole number"),
        SESSION_ATTRS => Ok(()),
        _ if KNOWN.contains(&name) || (name.starts_with("options[") && name.ends_with(']')) => Ok(()),
        _ => Err(unknown(name)),
    }
}

/// The refusal of a parameter, with the known one that is most like it.
fn unknown(name: &str) -> String {
    // Anything else may be a part of a value, in which a & is not escaped.
    let is_name =
        name.len() <= LONGEST_NAME && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.[]".contains(&b));
    let shown = if is_name { format!("`{name}`") } else { "what stands before a =".into() };
    // A third of the letters, or two of a short name.
    let farthest = (name.len() / 3).max(2);
    let known = KNOWN.into_iter().chain([SESSION_ATTRS]);
    let advice = match known.map(|known| (strsim::damerau_levenshtein(name, known), known)).min() {
        Some((distance, known)) if distance <= farthest => format!("did you mean {known}?"),
        _ => format!("leave it out; known are {}", KNOWN.join(", ")),
    };
    format!("{shown} is not a parameter of a database address that is known here: {advice}")
}

/// The parameters that name a file of TLS, what it has to hold in words, and how the line that begins it ends.
const FILES: [(&[&str], &str, &str); 2] = [
    (&["sslrootcert", "ssl-root-cert", "ssl-ca", "sslcert", "ssl-cert"], "certificate", "CERTIFICATE-----"),
    (&["sslkey", "ssl-key"], "private key", "PRIVATE KEY-----"),
];

/// Checks that the files that a query names can be read, and hold certificates and keys: to sqlx a file that is not there is an error
/// of the connection, without its name.
///
/// # Errors
/// A sentence with the parameter and the file.
pub(super) fn check_files(query: &str) -> Result<(), String> {
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some((_, what, end)) = FILES.into_iter().find(|(names, ..)| names.contains(&&*name)) else { continue };
        // Not a file, but its content, as sqlx tells them apart.
        let trimmed = value.trim();
        if trimmed.starts_with("-----BEGIN") {
            if trimmed.ends_with("-----") {
                continue;
            }
            return Err(format!("{name} of this database address begins as a {what} in PEM, and has no end"));
        }
        let wrong =
            |problem: String| format!("{name} of this database address names the file {value}, which {problem}");
        let content = std::fs::read(&*value).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let begins = |line: &str| line.trim_start().starts_with("-----BEGIN ") && line.trim_end().ends_with(end);
        if !String::from_utf8_lossy(&content).lines().any(begins) {
            return Err(wrong(format!("holds no {what} in PEM")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_that_sqlx_takes_is_passed_on_and_no_other() {
        for taken in [
            "sslmode=verify-full&sslrootcert=/etc/ca.pem&sslcert=/etc/me.pem&sslkey=/etc/me.key",
            "host=%2Frun&port=5433&user=ada&password=sec@ret&dbname=chat&application_name=x",
            "hostaddr=::1&options=-c%20statement_timeout%3D0&options[work_mem]=4MB&statement-cache-capacity=0",
        ] {
            assert_eq!(for_sqlx(taken), Ok(format!("?{taken}")));
        }
        assert_eq!(for_sqlx("target_session_attrs=read-write&user=ada&"), Ok("?user=ada".into()));
        assert_eq!(for_sqlx(""), Ok(String::new()));
    }

    #[test]
    fn a_parameter_that_is_not_known_is_named_with_the_one_that_was_meant_and_without_its_value() {
        for (query, word) in [
            ("sslpassword=hunter2", "`sslpassword`"),
            ("ssl_mode=hunter2", "did you mean ssl-mode?"),
            ("sslmod%65s=hunter2", "did you mean sslmode?"),
            ("channel_binding=hunter2", "`channel_binding`"),
            ("connect_timeout=hunter2", "leave it out; known are sslmode, "),
            ("options[x=hunter2", "`options[x`"),
            ("user=ada&!hunter2=x", "what stands before a ="),
            ("password=a&hunter2", "%26"),
            (
                "sslmode=hunter2",
                "sslmode of this database address must be disable, allow, prefer, require, verify-ca or",
            ),
            ("ssl-mode=", "ssl-mode of this database address must be disable"),
            ("port=hunter2", "port of this database address must be"),
            ("hostaddr=hunter2", "hostaddr of this database address must be"),
            ("statement-cache-capacity=hunter2", "statement-cache-capacity of this database address must be"),
        ] {
            let error = for_sqlx(query).unwrap_err();
            assert!(error.contains(word) && !error.contains("hunter2"), "{query}: {error}");
        }
    }

    #[test]
    fn a_file_of_tls_is_there_and_holds_what_it_is_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let certificate = file("ca.pem", "A comment\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        let key = file("key.pem", "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");
        assert_eq!(check_files(&format!("sslrootcert={certificate}&sslcert={certificate}&sslkey={key}")), Ok(()));
        assert_eq!(
            check_files("sslmode=require&ssl-ca=-----BEGIN CERTIFICATE-----%0AAAAA%0A-----END CERTIFICATE-----"),
            Ok(())
        );
        let missing = format!("{certificate}.gone");
        for (query, words) in [
            (format!("sslrootcert={missing}"), ["sslrootcert", "No such file", missing.as_str()]),
            (format!("ssl-ca={key}"), ["ssl-ca", "holds no certificate in PEM", key.as_str()]),
            (format!("sslcert={key}"), ["sslcert", "holds no certificate in PEM", key.as_str()]),
            (format!("sslkey={certificate}"), ["sslkey", "holds no private key in PEM", certificate.as_str()]),
            ("sslcert=-----BEGIN CERTIFICATE-----AAAA".into(), ["sslcert", "has no end", "in PEM"]),
        ] {
            let error = check_files(&query).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{query}: {error}");
        }
    }
}
