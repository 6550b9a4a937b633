//! Doors ajar, tried from outside: addresses of what there is not, and what browsers and spreadsheets make of answers.

mod passwords;
mod wire;

use std::collections::BTreeSet;

use chat_group_members::domain::{GroupType, Scope};
use reqwest::Method;
use serde_json::Value;

use crate::support::actor::send;
use crate::support::group_routes::{ROUTES, Route};
use crate::support::program::{Program, command, import};
use crate::support::routes;
use crate::support::{self, World};

/// The parameters that name a place in a list.
const PLACES: [&str; 4] = ["cursor", "before", "from", "until"];

#[tokio::test]
async fn a_shape_a_part_or_a_place_that_there_is_not_is_refused_on_every_road() {
    let world = World::new().await;
    let at_den = |route: &Route| route.path.replace("{g}", "den").replace("{u}", "dee");
    let (reads, acts): (Vec<_>, Vec<_>) = ROUTES.iter().partition(|route| route.method == "GET");
    for path in reads.into_iter().map(at_den) {
        for query in ["format=zzz", "part=zzz", "part=zzz&format=json", "format=json&format=zzz"] {
            let refused = world.ada.data(&format!("{path}?{query}")).await.refused(422, "ERR_VALIDATION");
            let name = query.split('=').next().unwrap();
            assert!(refused.body.contains(&format!("{name}: one of")), "{path} {query}: {}", refused.body);
        }
        for name in PLACES {
            let refused = world.ada.data(&format!("{path}?{name}=zzz")).await.refused(422, "ERR_VALIDATION");
            assert!(refused.body.contains(&format!("{name}: a place")), "{path} {name}: {}", refused.body);
        }
    }
    let of_another_list =
        ["members?cursor=60", "bans?cursor=3A.p", "bans?cursor=3", "mutes?cursor=~", "mutes?cursor=05.flo"];
    for of_another_list in of_another_list {
        world.ada.data(&format!("/groups/den/{of_another_list}")).await.refused(422, "ERR_VALIDATION");
    }
    for unread in ["cursor=6000.flo", "cursor=3A.p", "before=end", "until="] {
        world.ada.data(&format!("/groups/den/members/dee?{unread}")).await.ok();
    }
    for path in ["/groups/den/members", "/groups/den/bans", "/groups/den/mutes", "/groups/den/events"] {
        for face in ["", "&format=json", "&part=component", "&format=csv"] {
            world.ada.data(&format!("{path}?cursor=zzz{face}")).await.refused(422, "ERR_VALIDATION");
        }
    }
    world.ada.data("/groups/den/members?cursor=zzz&format=atom").await.refused(422, "ERR_VALIDATION");
    let listed = ROUTES.iter().map(|route| (route.method, route.path));
    let forgotten = routes::forgotten(&world, listed).await;
    assert!(forgotten.is_empty(), "not asked for here: {forgotten:#?}");
    let head = world.head("den").await;
    for route in acts {
        let (method, path) = (route.method, at_den(route));
        let body: Value = serde_json::from_str(&route.fields.replace("{u}", "dee")).unwrap();
        for name in ["format", "part"].into_iter().chain(PLACES) {
            let refused = world.ada.act(method.parse().unwrap(), &format!("{path}?{name}=zzz"), body.clone()).await;
            let refused = refused.refused(422, "ERR_VALIDATION");
            assert!(refused.body.contains(&format!("{name}: ")), "{method} {path} {name}: {}", refused.body);
        }
    }
    for (method, path) in [(Method::GET, "/left"), (Method::POST, "/session"), (Method::DELETE, "/session")] {
        for name in ["format", "cursor"] {
            let refused = world.ada.act(method.clone(), &format!("{path}?{name}=zzz"), Value::Null).await;
            assert!(refused.refused(422, "ERR_VALIDATION").body.contains(&format!("{name}: ")), "{path} {name}");
        }
    }
    assert_eq!(world.head("den").await, head, "and nothing was done");
    world.gus.data("/groups/den?format=zzz").await.refused(404, "ERR_GUID_NOT_FOUND");
}

#[tokio::test]
async fn pictures_are_shown_as_their_addresses_say_and_not_as_browsers_repair_them() {
    let world = World::new().await;
    let pictures = [
        ("https://a.example/x.png", true),
        ("data:image/png;base64,AAAA", true),
        ("http://localhost:8080/x.png", true),
        ("http://127.0.0.1/x.png", true),
        ("http://a.example/x.png", false),
        ("http://localhost.evil.example/x.png", false),
        ("http://localhost@evil.example/x.png", false),
        ("https:/x", false),
        ("https:evil", false),
    ];
    let uids: Vec<String> = (0..pictures.len()).map(|n| format!("p{n}")).collect();
    let rows = pictures
        .iter()
        .zip(&uids)
        .map(|((url, _), uid)| support::row(uid, uid, Scope::Participant, Some((*url).to_owned())));
    let rows = std::iter::once(support::row("ada", "Ada", Scope::Owner, None)).chain(rows).collect();
    world.sync("gallery", GroupType::Private, rows).await;
    let list = world.ada.get("/groups/gallery/members").await.ok();
    for ((url, shown), uid) in pictures.iter().zip(&uids) {
        let src = list.attribute(&format!("[data-uid={uid}] img"), "src");
        assert_eq!(src.as_deref(), shown.then_some(*url), "{url}");
    }
}

#[tokio::test]
async fn pages_are_kept_apart_and_what_other_origins_may_load_is_not() {
    let world = World::new().await;
    let page = world.ada.page("/groups/den/members").await.ok();
    assert_eq!(page.header("cross-origin-opener-policy"), "same-origin");
    assert_eq!(page.header("cross-origin-resource-policy"), "same-origin");
    assert!(page.header("permissions-policy").contains("camera=()"));
    let data = world.ada.data("/groups/den/members").await.ok();
    assert_eq!(data.header("cross-origin-resource-policy"), "same-origin");
    assert_eq!(data.header("cross-origin-opener-policy"), "");
    let script = world.ada.get("/static/chat-group-members.js").await.ok();
    assert_eq!(script.header("cross-origin-resource-policy"), "cross-origin");
    let framed = World::with(|config| config.frame_ancestors = vec!["https://app.example".into()]).await;
    let page = framed.ada.page("/groups/den/members").await.ok();
    assert_eq!(page.header("cross-origin-resource-policy"), "cross-origin", "also in pages that ask for it (COEP)");
    assert_eq!(framed.ada.data("/groups/den/members").await.header("cross-origin-resource-policy"), "same-origin");
}

#[tokio::test]
async fn cookies_are_for_https_but_on_this_machine() {
    let world = World::new().await;
    let cookie = async |world: &World, host: &str| {
        let answer = send(world.dee.request(Method::POST, "/session").header("host", host)).await;
        answer.header("set-cookie").to_owned()
    };
    for host in ["localhost:8080", "127.0.0.1", "[::1]:80"] {
        assert!(!cookie(&world, host).await.contains("Secure"), "{host}");
    }
    for host in ["chat.example", "10.0.0.7:8080"] {
        assert!(cookie(&world, host).await.contains("SameSite=Lax; Secure"), "{host}");
    }
    let plain = World::with(|config| config.public_url = Some("http://chat.example".into())).await;
    assert!(!cookie(&plain, "chat.example").await.contains("Secure"));
}

#[test]
fn plain_http_beyond_this_machine_is_warned_of_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let startup_log = |arguments: &[&str]| {
        let mut command = command(folder.path());
        Program::start(command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments)).startup_log.concat()
    };
    assert!(startup_log(&["--public-url", "http://chat.example"]).contains("plain http"));
    for quiet in [&[] as &[&str], &["--public-url", "https://chat.example"], &["--public-url", "http://localhost:80"]] {
        assert!(!startup_log(quiet).contains("plain http"), "{quiet:?}");
    }
}

#[test]
fn webhooks_that_nothing_signs_are_warned_of_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let startup_log = |arguments: &[&str]| {
        let mut command = command(folder.path());
        let command =
            command.args(["serve", "--listen", "127.0.0.1:0", "--webhook-url", "http://127.0.0.1:9/hook?key=k"]);
        Program::start(command.args(["--webhook-format", "original"]).args(arguments)).startup_log.concat()
    };
    let log = startup_log(&[]);
    assert!(log.contains("webhooks to 127.0.0.1 are not signed") && !log.contains("key=k"), "{log}");
    let secret = format!("whsec_{}", "A".repeat(32));
    assert!(!startup_log(&["--webhook-secret", &secret]).contains("are not signed"));
}

#[tokio::test]
async fn two_tokens_are_none_whichever_of_them_would_do() {
    let world = World::new().await;
    let good = format!("Bearer {}", world.ada.token);
    for (first, second) in [(good.as_str(), "Bearer x"), ("Bearer x", good.as_str()), (good.as_str(), good.as_str())] {
        let request = world.ada.anonymous(Method::GET, "/groups/den/members").header("authorization", first);
        send(request.header("authorization", second)).await.refused(401, "AUTH_ERR_AUTH_TOKEN_NOT_FOUND");
    }
}

#[tokio::test]
async fn names_and_uids_that_spreadsheets_would_run_are_made_harmless_and_come_back() {
    let names = ["=1+1", "+49 30", "-x", "@SUM(A1)", "'=x", "''@y", "'quoted", "O'Neil", "plain"];
    let world = World::empty(|_| {}).await;
    let uid = |n: usize| if n == 2 { "-2-3".to_owned() } else { format!("u{n}") };
    let rows = names
        .iter()
        .enumerate()
        .map(|(n, name)| support::row(&uid(n), name, if n == 0 { Scope::Owner } else { Scope::Participant }, None));
    world.sync("sheet", GroupType::Private, rows.collect()).await;
    let csv = world.actor("u0").get("/groups/sheet/members?format=csv").await.ok().body;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let both = |record: csv::StringRecord| [record[0].to_owned(), record[1].to_owned()];
    let cells: Vec<String> = reader.records().flat_map(|record| both(record.unwrap())).collect();
    assert_eq!(cells.len(), 2 * names.len());
    assert!(cells.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{cells:?}");
    assert!(cells.contains(&"'=1+1".to_owned()), "{cells:?}");

    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "sheet", &csv).0);
    let program = Program::serve(folder.path());
    let listed = program.actor("u0").data("/groups/sheet/members").await.ok().json();
    let back = |field: &str| -> BTreeSet<String> {
        listed["data"].as_array().unwrap().iter().map(|member| member[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(back("name"), names.map(str::to_owned).into());
    assert_eq!(back("uid"), (0..names.len()).map(uid).collect());
}
