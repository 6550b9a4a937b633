//! Request ids: taken or made, in the answer, in problem documents and in the log.

use reqwest::Method;

use crate::support::actor::send;
use crate::support::program::{command, import};
use crate::support::schema::mismatches;
use crate::support::{World, eventually};

#[tokio::test]
async fn an_id_is_taken_if_it_is_harmless_and_made_otherwise() {
    let world = World::new().await;
    let ask = |path: &'static str, id: &'static str| {
        send(world.ada.request(Method::GET, path).header("accept", "application/json").header("x-request-id", id))
    };
    assert_eq!(ask("/groups/den/members", "a-b_c.42").await.ok().header("x-request-id"), "a-b_c.42");
    let long = "x".repeat(65);
    for bad in ["", "a b", "a\"b", "{x}", long.as_str()] {
        let request = world.ada.request(Method::GET, "/groups/den/members").header("x-request-id", bad);
        let made = send(request).await.ok().header("x-request-id").to_owned();
        assert!(made.len() == 16 && made.bytes().all(|b| b.is_ascii_hexdigit()), "{bad:?}: {made}");
    }
    let (one, two) = (world.ada.get("/healthz").await, world.ada.get("/healthz").await);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
    let problem = ask("/groups/den/members/nobody", "find-me").await;
    assert_eq!((problem.status.as_u16(), &problem.json()["requestId"]), (404, &"find-me".into()));
    let nowhere = ask("/groups/nowhere/members", "find-me").await;
    assert!(nowhere.status.as_u16() == 404 && !nowhere.body.contains("find-me"), "it is the same for everybody");
}

#[tokio::test]
async fn a_problem_has_exactly_the_fields_of_its_schema_whether_it_names_its_request_or_not() {
    let world = World::new().await;
    let document = world.ada.get("/openapi.json").await.ok().json();
    let schema = &document["components"]["schemas"]["Problem"];
    for (path, names_request) in [
        ("/groups/den/members/nobody", true),
        ("/groups/den/members?limit=0", true),
        ("/groups/nowhere/members", false),
    ] {
        let problem = world.ada.data(path).await.json();
        assert_eq!(problem["requestId"].is_string(), names_request, "{problem}");
        assert_eq!(mismatches(&document, schema, &problem, path), [""; 0], "{problem}");
    }
}

#[tokio::test]
async fn the_lines_of_a_request_name_its_id() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), "den", "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").0);
    let log = folder.path().join("log");
    let mut serve = command(folder.path());
    serve.args(["serve", "--listen", "127.0.0.1:0", "--log", "chat_group_members=debug"]);
    let mut service = serve.stderr(std::fs::File::create(&log).unwrap()).spawn().unwrap();
    let read_log = || std::fs::read_to_string(&log).unwrap();
    eventually("it listens", async || read_log().contains("listening on ")).await;
    let url =
        read_log().lines().find_map(|line| line.split_once("listening on ").map(|(_, url)| url.to_owned())).unwrap();
    let client = crate::support::client();
    client.get(format!("{url}/healthz")).header("x-request-id", "night-7").send().await.unwrap();
    eventually("the log has it", async || read_log().contains("night-7")).await;
    service.kill().unwrap();
    service.wait().unwrap();
}
