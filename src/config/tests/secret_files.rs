//! Secrets in files of their own.

use super::super::options::SECRETS;
use super::*;

#[test]
fn every_secret_can_stand_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
    let secret = file("viewer", &format!("{LONG}\n"));
    let keys = file("api", "\u{feff}the-first-of-the-keys\nanother-of-the-keys\n");
    let database = file("database", "postgres://chat:hunter2@one,two/chat\n");
    let hook = file("hook", key);
    let config = given(
        &[("CGM_VIEWER_SECRET_FILE", &secret), ("CGM_API_KEY_FILE", &keys), ("CGM_DATABASE_URL_FILE", &database)],
        &format!("[[webhooks]]\nurl = 'https://a.example/x'\nsecret-file = '{hook}'"),
    )
    .unwrap();
    assert_eq!(config.viewer_secrets, [Secret::new(LONG)]);
    assert_eq!(config.api_keys, [Secret::new("the-first-of-the-keys"), Secret::new("another-of-the-keys")]);
    assert_eq!(config.database_url, "postgres://chat:hunter2@one,two/chat");
    assert_eq!(config.webhooks[0].keys, [SigningKey::parse(key).unwrap()]);
    let address = file("address", "https://a.example/hook?token=hunter2\n");
    let config = given(&[], &format!("[[webhooks]]\nurl-file = '{address}'\nsecret-file = '{hook}'")).unwrap();
    assert_eq!(config.webhooks[0].url.as_str(), "https://a.example/hook?token=hunter2");
    let both = format!("[[webhooks]]\nurl = 'https://a.example/x'\nurl-file = '{address}'\nsecret = ['{key}']");
    assert_eq!(
        given(&[], &both).unwrap_err(),
        "[[webhooks]] number 1 in chat.toml: give `url` or `url-file`, not both"
    );
    let config = given(&[], &format!("viewer-secret-file = '{secret}'\napi_key_file = '{keys}'")).unwrap();
    assert_eq!((config.viewer_secrets.len(), config.api_keys.len()), (1, 2));
    // The variables win over the file of options, wherever their values stand.
    let config = given(&[("CGM_API_KEY", "key-of-the-backend")], &format!("api-key-file = '{keys}'")).unwrap();
    assert_eq!(config.api_keys, [Secret::new("key-of-the-backend")]);
}

#[test]
fn a_secret_in_a_file_may_have_commas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    let (one, other) = (format!("{LONG},with,commas"), format!("another,{LONG}"));
    std::fs::write(&path, format!("{one}\r\n\n{other}\n")).unwrap();
    let path = path.display().to_string();
    let expected = [Secret::new(&one), Secret::new(&other)];
    for name in ["viewer-secret", "api-key"] {
        let variable = format!("CGM_{}_FILE", name.replace('-', "_").to_uppercase());
        for config in [given(&[(&variable, &path)], ""), given(&[], &format!("{name}-file = '{path}'"))] {
            let config = config.unwrap();
            let read = if name == "api-key" { &config.api_keys } else { &config.viewer_secrets };
            assert_eq!(read, &expected, "{name}");
        }
    }
}

#[test]
fn a_file_of_a_secret_that_cannot_be_used_is_named_without_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let file = |bytes: &[u8]| {
        let path = folder.path().join("secret");
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let refused = |path: &str| given(&[("CGM_VIEWER_SECRET_FILE", path)], "").unwrap_err();
    let missing = folder.path().join("none").display().to_string();
    assert!(refused(&missing).starts_with(&format!("CGM_VIEWER_SECRET_FILE: cannot read {missing}: No such file")));
    for (content, word) in
        [(&b" \n"[..], "is empty"), (b"\xff", "is not UTF-8"), (&[b'x'; 70_000], "too large"), (b"hunter2", "32")]
    {
        let error = refused(&file(content));
        assert!(error.contains(word) && !error.contains("hunter2") && !error.contains("xxx"), "{error}");
        assert!(error.starts_with("CGM_VIEWER_SECRET_FILE: "), "{error}");
    }
    let error = given(&[], &format!("api-key-file = '{}'", file(b"hunter2"))).unwrap_err();
    assert!(error.starts_with("`api-key-file` in chat.toml: the key has 7 characters"), "{error}");
    let both = given(&[("CGM_VIEWER_SECRET", LONG), ("CGM_VIEWER_SECRET_FILE", &file(b"x"))], "").unwrap_err();
    assert_eq!(both, "CGM_VIEWER_SECRET_FILE: CGM_VIEWER_SECRET is given as well: give one of them");
    let error = given(&[], "api-key-file = '/no/such/file'").unwrap_err();
    assert!(error.starts_with("chat.toml: `api-key-file`: cannot read /no/such/file"), "{error}");
}

#[test]
fn every_secret_is_read_from_its_file_by_a_variable_and_by_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let values = [
        ("database-url", "postgres://chat:hunter2@pooler/chat"),
        ("direct-database-url", "postgres://chat:hunter2@one,two/chat"),
        ("viewer-secret", LONG),
        ("api-key", "key-of-the-backend"),
        ("nats-url", "nats://chat:hunter2@127.0.0.1:4222"),
        ("webhook-url", "https://chat:hunter2@a.example/x"),
        ("webhook-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="),
    ];
    assert_eq!(values.map(|(name, _)| name), SECRETS);
    let given_itself: String = values.iter().map(|(name, value)| format!("{name} = '{value}'\n")).collect();
    let expected = given(&[], &given_itself).unwrap();
    assert_eq!(expected.direct_database_url(), "postgres://chat:hunter2@one,two/chat");
    assert_eq!(expected.nats_url.as_deref(), Some("nats://chat:hunter2@127.0.0.1:4222"));
    assert_eq!((expected.webhooks.len(), expected.webhooks[0].keys.len()), (1, 1));
    let files = values.map(|(name, value)| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{value}\n")).unwrap();
        (name, path.display().to_string())
    });
    let keys: String = files.iter().map(|(name, path)| format!("{name}-file = '{path}'\n")).collect();
    assert!(given(&[], &keys).unwrap() == expected, "by keys");
    let variables = files.map(|(name, path)| (format!("CGM_{}_FILE", name.replace('-', "_").to_uppercase()), path));
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, path)| (name.as_str(), path.as_str())).collect();
    assert!(given(&variables, "").unwrap() == expected, "by variables");
}
