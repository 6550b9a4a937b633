mod keep_alive;
mod secret_files;
mod undo_window;
mod webhooks;

use std::path::Path;

use super::*;

const LONG: &str = "0123456789abcdef0123456789abcdef";

fn given(env: &[(&str, &str)], file: &str) -> Result<Config, String> {
    flagged(Options::default(), env, file)
}

fn flagged(flags: Options, env: &[(&str, &str)], file: &str) -> Result<Config, String> {
    let config = Config::resolve(flags, &env.into(), Some((Path::new("chat.toml"), file)));
    config.and_then(|config| config.check_pooler().map(|()| config)).map_err(|error| error.to_string())
}

#[test]
fn nothing_given_is_the_default() {
    assert_eq!(given(&[], ""), Ok(Config::default()));
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_file() {
    let flags = Options { viewer_audience: Some("flag".into()), ..Options::default() };
    let env = [("CGM_VIEWER_AUDIENCE", "env"), ("CGM_VIEWER_COOKIE", "env")];
    let file = "viewer-audience = 'file'\nviewer_cookie = 'file'\nretention = 20000";
    let config = flagged(flags, &env, file).unwrap();
    assert_eq!((config.viewer_audience.as_str(), config.viewer_cookie.as_str()), ("flag", "env"));
    assert_eq!(config.retention, 20_000);
}

#[test]
fn an_empty_variable_counts_as_not_given() {
    let config =
        given(&[("CGM_VIEWER_COOKIE", ""), ("CGM_API_KEY", "")], "viewer-cookie = 'c'\napi-key = 'key-of-the-backend'")
            .unwrap();
    assert_eq!(config.viewer_cookie, "c");
    assert_eq!(config.api_keys, [Secret::new("key-of-the-backend")]);
}

#[test]
fn repeatable_options_take_commas_in_the_environment_and_lists_in_the_file() {
    let [a, b, c] = ["the-first-of-the-keys", "another-of-the-keys", "yet-another-of-them"];
    let file = format!("api_key = ['{a}', '{b}']");
    let two = [Secret::new(a), Secret::new(b)];
    assert_eq!(given(&[("CGM_API_KEY", &format!("{a}, {b}"))], "").unwrap().api_keys, two);
    assert_eq!(given(&[], &file).unwrap().api_keys, two);
    assert_eq!(given(&[("CGM_API_KEY", c)], &file).unwrap().api_keys, [Secret::new(c)]);
}

#[test]
fn a_short_secret_is_measured_and_never_printed() {
    let error = given(&[("CGM_VIEWER_SECRET", "hunter2")], "").unwrap_err();
    assert!(error.starts_with("CGM_VIEWER_SECRET: the secret has 7 bytes"), "{error}");
    assert!(error.contains("openssl rand -base64 48") && !error.contains("hunter2"), "{error}");
    assert!(given(&[("CGM_VIEWER_SECRET", LONG)], "").is_ok());
}

#[test]
fn a_configuration_shows_no_secret() {
    let env = [
        ("CGM_VIEWER_SECRET", LONG),
        ("CGM_API_KEY", "key-of-the-host-of-groups"),
        ("CGM_WEBHOOK_SECRET", "whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"),
        ("CGM_DATABASE_URL", "postgres://chat:pass-word@db/chat"),
    ];
    let shown = format!("{:?}", given(&env, "webhook-url = 'https://a.example/x'").unwrap());
    for (_, secret) in env {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert_eq!(format!("{:?}", Secret::new("x")), "Secret(…)");
}

#[test]
fn a_broken_file_is_named_with_key_or_line_and_without_its_text() {
    assert_eq!(
        given(&[], "listn = 'x'").unwrap_err(),
        "chat.toml: the key `listn` is not an option; did you mean listen?"
    );
    let error = given(&[], "log = 'info'\nviewer-secret = 'hunter2").unwrap_err();
    assert!(error.starts_with("chat.toml: line 2 is not TOML") && !error.contains("hunter2"), "{error}");
    let error = given(&[], "log = 'info'\nlog = 'warn'").unwrap_err();
    assert!(error.starts_with("chat.toml: line 2 is not TOML"), "{error}");
    assert_eq!(given(&[], "listen = [1]").unwrap_err(), "chat.toml: `listen` must be a text or a number");
    assert_eq!(given(&[], "api-key = [1]").unwrap_err(), "chat.toml: `api-key` must be a list of texts");
    assert_eq!(
        given(&[], "log-format='json'\nlog_format='text'").unwrap_err(),
        "chat.toml: `log_format` is given twice"
    );
    let error = given(&[], "rate-limit = 'often'").unwrap_err();
    assert!(error.starts_with("`rate-limit` in chat.toml: \"often\" is not a rate"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Config::load(Options::default(), Some(Path::new("no/such.toml"))).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the configuration file no/such.toml"), "{error}");
}

#[test]
fn without_a_viewer_key_the_refusal_says_how_to_make_one() {
    let error = Config::default().require_viewer_key().unwrap_err().to_string();
    assert!(error.contains("openssl rand -base64 48") && error.contains("--viewer-jwks"), "{error}");
    assert!(given(&[("CGM_VIEWER_JWKS", "keys.json")], "").unwrap().require_viewer_key().is_ok());
    assert!(given(&[("CGM_VIEWER_SECRET", LONG)], "").unwrap().require_viewer_key().is_ok());
}

#[test]
fn a_database_may_have_several_hosts_of_which_one_takes_writes() {
    for good in [
        "sqlite://chat.db",
        "postgres://chat@db/chat",
        "postgresql://chat:secret@one:5432,two:5433/chat?target_session_attrs=read-write",
    ] {
        assert_eq!(value::database_url(good).as_deref(), Ok(good));
    }
    for bad in
        ["mysql://db/chat", "chat.db", "postgres://one,/chat", "postgres://one,two/chat?target_session_attrs=any"]
    {
        assert!(value::database_url(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_base_path_has_one_spelling() {
    for (text, path) in [("/", ""), ("chat", "/chat"), ("/chat/", "/chat"), ("/a/b_c", "/a/b_c")] {
        assert_eq!(value::base_path(text).as_deref(), Ok(path));
    }
    for bad in ["/a//b", "/../x", "/a b", "/{guid}", "/ä", "/a?b"] {
        assert!(value::base_path(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_public_url_is_an_origin_and_perhaps_a_path() {
    for (text, url) in [
        ("https://Chat.Example/", "https://chat.example"),
        ("https://chat.example:443/members/", "https://chat.example/members"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ] {
        assert_eq!(value::public_url(text).as_deref(), Ok(url));
    }
    for bad in ["chat.example", "ftp://chat.example", "https://a@b", "https://a/?q", "https://a/#f", "javascript:x"] {
        assert!(value::public_url(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_allowed_origin_is_exact() {
    assert_eq!(value::origin("https://App.Example").as_deref(), Ok("https://app.example"));
    assert_eq!(value::origin("http://localhost:3000").as_deref(), Ok("http://localhost:3000"));
    for bad in [
        "*",
        "null",
        "https://*.example",
        "https://a/",
        "https://a/b",
        "https://u@a",
        "https://",
        "file://x",
        "a.example",
    ] {
        assert!(value::origin(bad).is_err(), "{bad}");
    }
}

#[test]
fn frame_ancestors_cannot_leave_their_directive() {
    let config = given(&[("CGM_FRAME_ANCESTORS", "'self' https://a.example,https://*.b.example:8443")], "").unwrap();
    assert_eq!(config.frame_ancestors_csp(), "'self' https://a.example https://*.b.example:8443");
    assert_eq!(given(&[("CGM_FRAME_ANCESTORS", "'none'")], "").unwrap().frame_ancestors_csp(), "'none'");
    assert_eq!(Config::default().frame_ancestors_csp(), "'none'");
    for bad in
        ["https://a;script-src *", "https://a\r\nX: y", "*", "https:", "https://*", "'unsafe-inline'", "https://ä"]
    {
        assert!(value::frame_ancestors(bad).is_err(), "{bad}");
    }
}

#[test]
fn rates_sizes_and_counts_are_read_with_their_units() {
    let rate = |text| value::rate_limit(text).map(|rate| (rate.count.get(), rate.per.as_secs()));
    assert_eq!(rate("30/min"), Ok((30, 60)));
    assert_eq!(rate("10/s"), Ok((10, 1)));
    assert_eq!(rate("500/hour"), Ok((500, 3600)));
    for bad in ["0/s", "-1/s", "10", "10/day", "/s", "x/s"] {
        assert!(rate(bad).is_err(), "{bad}");
    }
    assert_eq!(value::bytes("512MiB"), Ok(512 << 20));
    assert_eq!(value::bytes("2 GB"), Ok(2_000_000_000));
    assert_eq!(value::bytes("4096"), Ok(4096));
    for bad in ["", "0", "MiB", "1.5GiB", "9999999999999GiB", "-1"] {
        assert!(value::bytes(bad).is_err(), "{bad}");
    }
    assert_eq!(value::retention("10000"), Ok(10_000));
    assert!(value::retention("9999").is_err());
}

#[test]
fn a_bare_number_that_was_meant_as_megabytes_is_no_memory_for_groups() {
    for bad in ["512", "1023kiB", "1048575"] {
        let error = value::roster_memory(bad).unwrap_err();
        assert!(error.starts_with(&format!("{bad:?} is ")) && error.contains("at least 1MiB"), "{error}");
    }
    assert_eq!(value::roster_memory("1MiB"), Ok(1 << 20));
    assert!(given(&[("CGM_ROSTER_MEMORY", "512")], "").unwrap_err().starts_with("CGM_ROSTER_MEMORY: "));
}

#[test]
fn a_server_of_nats_has_a_scheme_and_a_host() {
    for good in ["nats://127.0.0.1", "tls://u:p@nats.example:4222", "nats://one:4222, nats://[::1]:4222"] {
        assert_eq!(value::nats_url(good).as_deref(), Ok(good));
    }
    for bad in
        ["foo", "nats.example:4222", "nats://", "nats://:4222", "http://nats.example", "nats://one,two", "nats:one"]
    {
        assert!(value::nats_url(bad).is_err(), "{bad}");
    }
    let error = given(&[("CGM_NATS_URL", "nuser:hunter2@nats.example")], "").unwrap_err();
    assert!(error.starts_with("CGM_NATS_URL: ") && !error.contains("hunter2"), "{error}");
}

#[test]
fn a_filter_of_log_lines_that_is_wrong_is_named_and_an_empty_one_is_none() {
    for good in ["info", "info,", "warn,chat_group_members=debug", "info,[request]=debug"] {
        assert_eq!(value::log(good).as_deref(), Ok(good));
    }
    for (filter, named) in [
        ("foo=bar", "\"foo=bar\""),
        ("info,chat_group_members=loud", "\"chat_group_members=loud\""),
        ("debgu", "\"debgu\""),
        (",", "there is no level"),
        (" , ,", "there is no level"),
    ] {
        let error = value::log(filter).unwrap_err();
        assert!(error.contains(named) && error.contains("debug"), "{filter}: {error}");
    }
}

#[test]
fn a_wake_transport_needs_its_server() {
    assert!(given(&[("CGM_WAKE", "nats")], "").unwrap_err().contains("--nats-url"));
    assert!(given(&[("CGM_WAKE", "nats"), ("CGM_NATS_URL", "nats://127.0.0.1")], "").is_ok());
    assert!(given(&[("CGM_WAKE", "postgres")], "").unwrap_err().contains("--database-url"));
    assert!(given(&[("CGM_WAKE", "pigeon")], "").unwrap_err().contains("auto, postgres, nats or none"));
}

#[test]
fn a_secret_matches_only_itself() {
    let secret = Secret::new("key");
    assert!(secret.matches("key"));
    assert!(!secret.matches("kez") && !secret.matches("key ") && !secret.matches(""));
}

#[test]
fn a_variable_that_nothing_reads_is_refused_with_the_name_that_was_meant() {
    let refused = |name: &str| given(&[(name, "hunter2")], "").unwrap_err();
    for (misspelled, meant) in [
        ("CGM_VIEWER_SECERT", "CGM_VIEWER_SECRET"),
        ("CGM_API_KEYS", "CGM_API_KEY"),
        ("CGM_DATABSE_URL_FILE", "CGM_DATABASE_URL_FILE"),
        ("CGM_CONFG", "CGM_CONFIG"),
    ] {
        assert_eq!(refused(misspelled), format!("{misspelled}: nothing reads this variable; did you mean {meant}?"));
    }
    assert_eq!(
        refused("CGM_PORT_8080_TCP"),
        "CGM_PORT_8080_TCP: nothing reads this variable; --help names every option"
    );
    for beside in ["CGM_TEST_POSTGRES", "CGM_BENCH_STREAMS", "CGM_CHAOS_SEED", "CGM_GROUP_PASSWORD", "CGM_URL"] {
        assert!(given(&[(beside, "x")], "").is_ok(), "{beside}");
    }
    assert!(given(&[("CGM_LOG_FILE", "x")], "").is_err(), "only secrets are read from files");
}

#[test]
fn a_key_that_is_no_option_is_refused_with_the_name_that_was_meant() {
    for (key, meant) in [("viewer-secrets", "viewer-secret"), ("api_key_fle", "api-key-file"), ("webhook", "webhooks")]
    {
        let error = given(&[], &format!("{key} = 'hunter2'")).unwrap_err();
        assert_eq!(error, format!("chat.toml: the key `{key}` is not an option; did you mean {meant}?"));
    }
    let error = given(&[], "[[webhooks]]\nurl = 'https://x.example'\nsecert = ['hunter2']").unwrap_err();
    let told = "chat.toml: the key `secert` of [[webhooks]] is not one of its options; did you mean secret?";
    assert_eq!(error, told);
    let error = given(&[], "colour = 'red'").unwrap_err();
    assert_eq!(error, "chat.toml: the key `colour` is not an option; --help names every option");
}

#[test]
fn an_api_key_that_could_be_guessed_is_refused() {
    for short in ["secret", "0123456789abcde"] {
        let error = given(&[("CGM_API_KEY", short)], "").unwrap_err();
        let length = short.len();
        assert!(
            error.starts_with(&format!("CGM_API_KEY: the key has {length} characters and needs at least 16")),
            "{error}"
        );
        assert!(error.contains("openssl rand -hex 24") && !error.contains(short), "{error}");
    }
    assert!(given(&[("CGM_API_KEY", "0123456789abcdef")], "").is_ok());
    assert!(given(&[("CGM_API_KEY", "0123456789abcdef 0123456789abcdef")], "").unwrap_err().contains("visible ASCII"));
}

#[test]
fn under_systemd_the_database_is_in_the_state_directory_unless_told_otherwise() {
    let at = |env: &[(&str, &str)]| given(env, "").unwrap().database_url;
    assert_eq!(at(&[("STATE_DIRECTORY", "/var/lib/x")]), "sqlite:///var/lib/x/chat-group-members.db");
    assert_eq!(at(&[("STATE_DIRECTORY", "/var/lib/x:/var/lib/y")]), "sqlite:///var/lib/x/chat-group-members.db");
    assert_eq!(at(&[("STATE_DIRECTORY", "")]), "sqlite://chat-group-members.db");
    assert_eq!(at(&[("STATE_DIRECTORY", "/var/lib/x"), ("CGM_DATABASE_URL", "sqlite://y.db")]), "sqlite://y.db");
}

#[test]
fn a_pooler_in_transaction_mode_needs_a_way_past_it() {
    let (pooled, direct) = ("postgres://pooler/chat", "postgres://db/chat");
    let env = [("CGM_DATABASE_URL", pooled), ("CGM_POOLER", "transaction")];
    let error = given(&env, "").unwrap_err();
    assert!(error.contains("--direct-database-url"), "{error}");
    let config = given(&env, &format!("direct-database-url = '{direct}'")).unwrap();
    assert_eq!((config.database().url.as_str(), config.direct_database_url()), (pooled, direct));
    let config = given(&[("CGM_DATABASE_URL", pooled), ("CGM_POOLER", "session")], "").unwrap();
    assert_eq!(config.direct_database_url(), pooled);
    assert!(given(&[("CGM_POOLER", "statement")], "").unwrap_err().contains("session or transaction"));
    assert!(given(&[("CGM_DIRECT_DATABASE_URL", "sqlite://chat.db")], "").is_err());
}

#[test]
fn an_empty_flag_or_key_of_the_file_is_refused() {
    for (name, file) in [("listen", ""), ("api-key", ""), ("webhook-url", "")] {
        let text = format!("{file}{name} = ' '");
        let error = given(&[], &text).unwrap_err();
        assert!(error.contains(&format!("`{name}`")) && error.contains("it is empty"), "{error}");
    }
    let error = given(&[], "api-key = ['key-of-the-backend', '']").unwrap_err();
    assert!(error.contains("it is empty") && !error.contains("backend"), "{error}");
    let flags = Options { public_url: Some(String::new()), ..Options::default() };
    let error = flagged(flags, &[], "").unwrap_err();
    assert!(error.contains("--public-url") && error.contains("it is empty"), "{error}");
    let flags = Options { allow_origin: vec!["https://a.example".into(), " ".into()], ..Options::default() };
    assert!(flagged(flags, &[], "").unwrap_err().contains("--allow-origin"));
    assert!(given(&[], "api-key = []").is_ok());
}

#[test]
fn options_of_an_endpoint_are_checked_and_belong_to_one() {
    let secret = format!("whsec_{}", "QUFB".repeat(10));
    for (name, value) in [
        ("CGM_WEBHOOK_SECRET", "hunter2"),
        ("CGM_WEBHOOK_EVENTS", "member.joind"),
        ("CGM_WEBHOOK_FORMAT", "orginal"),
        ("CGM_WEBHOOK_ALLOW_PRIVATE", "yes"),
    ] {
        let error = given(&[(name, value)], "").unwrap_err();
        assert!(error.starts_with(name) && !error.contains("no endpoint") && !error.contains("hunter2"), "{error}");
    }
    for (name, value) in [
        ("CGM_WEBHOOK_SECRET", secret.as_str()),
        ("CGM_WEBHOOK_EVENTS", "member.joined"),
        ("CGM_WEBHOOK_FORMAT", "original"),
        ("CGM_WEBHOOK_ALLOW_PRIVATE", "true"),
    ] {
        let error = given(&[(name, value)], "").unwrap_err();
        assert!(error.starts_with(name) && error.contains("there is no endpoint"), "{error}");
        let endpoint = [(name, value), ("CGM_WEBHOOK_URL", "https://a.example/x"), ("CGM_WEBHOOK_SECRET", &secret)];
        assert!(given(&endpoint, "").is_ok(), "{name}");
        assert!(given(&[(name, " ")], "").is_ok(), "{name}");
    }
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    for (file, word) in [
        ("nats-url = 'nats://127.0.0.1:4222'\nwake = 'none'", "--nats-url"),
        ("direct-database-url = 'postgres://a@b/c'", "direct-database-url"),
        ("pooler = 'transaction'", "pooler"),
    ] {
        let error = given(&[], file).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn an_error_names_the_place_where_the_value_stands() {
    for (name, value) in [
        ("wake", "nats"),
        ("direct-database-url", "postgres://db/chat"),
        ("pooler", "transaction"),
        ("webhook-url", "https://a.example/x"),
        ("log", "debgu"),
        ("log", "chat_group_members=loud"),
    ] {
        let error = given(&[], &format!("{name} = '{value}'")).unwrap_err();
        assert!(error.starts_with(&format!("`{name}` in chat.toml: ")), "{error}");
        let variable = format!("CGM_{}", name.replace('-', "_").to_uppercase());
        let error = given(&[(&variable, value)], "").unwrap_err();
        assert!(error.starts_with(&format!("{variable}: ")), "{error}");
    }
    let flags = Options { wake: Some("nats".into()), ..Options::default() };
    let error = flagged(flags, &[("CGM_WAKE", "none")], "wake = 'auto'").unwrap_err();
    assert!(error.starts_with("--wake: "), "the flag wins: {error}");
    let config = given(&[("CGM_VIEWS", " ")], "views = 'templates'").unwrap();
    assert_eq!(config.places.of("views"), "`views` in chat.toml", "an empty variable is absent");
    assert_eq!(Config::default().places.of("views"), "--views");
}
