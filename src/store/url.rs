//! The URL of a PostgreSQL database. It may name several hosts as libpq does,
//! `postgres://USER:PASSWORD@ONE:5432,TWO:5432/NAME`
//! (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS>): the one that takes
//! writes is used.

use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use super::parameters;

/// Whether this is the URL of a PostgreSQL database.
pub(super) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres:") || url.starts_with("postgresql:")
}

/// The hosts and the name of a database, for logs and messages: nothing else of its URL, which may hold a
/// password.
pub(super) fn location(url: &str) -> String {
    let hosts = parse_hosts(url).unwrap_or_default();
    let one = |host: &PgConnectOptions| match host.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", host.get_host(), host.get_port()),
    };
    let name = hosts.first().map(|host| host.get_database().unwrap_or(host.get_username()));
    format!("{}/{}", hosts.iter().map(one).collect::<Vec<_>>().join(","), name.unwrap_or_default())
}

/// Checks a URL where it is configured: its form, and the files that it names.
///
/// # Errors
/// A sentence about what is wrong, without the URL, which may hold a password.
pub(super) fn check(url: &str) -> Result<(), String> {
    parse_hosts(url)?;
    parameters::check_files(url.split_once('?').map_or("", |(_, query)| query))
}

/// The options to connect to each host of a URL.
///
/// # Errors
/// A sentence about what is wrong, without the URL, which may hold a password.
pub(super) fn parse_hosts(url: &str) -> Result<Vec<PgConnectOptions>, String> {
    let wrong = || "this is not the address of a PostgreSQL; give postgres://USER:PASSWORD@HOST[:PORT][,HOST…]/NAME";
    let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    if path.contains('@') || query.contains('#') {
        return Err(parameters::UNESCAPED.into());
    }
    let query = parameters::for_sqlx(query)?;
    let (user, hosts) = authority.rsplit_once('@').map_or(("", authority), |(user, hosts)| (user, hosts));
    let at = if authority.contains('@') { "@" } else { "" };
    let several = hosts.contains(',');
    let each = hosts.split(',').map(|host| {
        if several && (host.is_empty() || host.starts_with(':')) {
            return Err("between the commas of this database address a host is missing".into());
        }
        let one = format!("{scheme}://{user}{at}{host}{path}{query}");
        PgConnectOptions::from_str(&one).map_err(|_| wrong().to_owned())
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::{location, parse_hosts};

    #[test]
    fn every_host_is_reached_in_the_same_way() {
        let hosts =
            parse_hosts("postgres://ada:p@ss,word@one:6432,two/chat?target_session_attrs=read-write&sslmode=require");
        for host in hosts.unwrap() {
            assert_eq!((host.get_username(), host.get_database()), ("ada", Some("chat")));
            assert!(matches!(host.get_ssl_mode(), sqlx::postgres::PgSslMode::Require));
        }
    }

    #[test]
    fn of_an_address_people_are_told_where_it_leads_and_no_password() {
        for (url, expected) in [
            ("postgresql://ada@one:6432,two,[::1]:7432/chat", "one:6432,two:5432,[::1]:7432/chat"),
            ("postgres://one/chat?target_session_attrs=primary", "one:5432/chat"),
            ("postgres://ada:p@ssword@db:6432/chat?sslmode=require", "db:6432/chat"),
            ("postgres://db/chat?user=ada&password=sec@ret", "db:5432/chat"),
            ("postgres://ada@db", "db:5432/ada"),
            ("postgres:///chat?host=%2Frun&user=ada", "/run/chat"),
        ] {
            assert_eq!(location(url), expected, "{url}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        for (url, word) in [
            ("postgres://ada:hunter2@one,,two/chat", "missing"),
            ("postgres://ada:hunter2@one,:5432/chat", "missing"),
            ("postgres://ada:hunter2@one:port,two/chat", "not the address"),
            ("postgres:ada:hunter2@one/chat", "not the address"),
            ("postgres://ada:hunter2@one,two/chat?target_session_attrs=standby", "read-write"),
            ("postgres://ada:hunter2@/chat?host=one,two", "before its name"),
            ("postgres://ada:h@u?nter2@one/chat", "%3F"),
            ("postgres://ada:5432/hunter2@one/chat", "%2F"),
            ("postgres://ada:5432#hunter2@one/chat", "%23"),
            ("postgres://ada@one/chat?password=a#hunter2", "%23"),
            ("postgres://ada:hunter2@one/chat?sslmode=foo", "sslmode of this database address must be disable, allow"),
            ("postgres://ada@one,two/chat?sslpassword=hunter2", "`sslpassword`"),
        ] {
            let error = parse_hosts(url).unwrap_err();
            assert!(error.contains(word) && !error.contains("hunter2"), "{url}: {error}");
        }
    }
}
