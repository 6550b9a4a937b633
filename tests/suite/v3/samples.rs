//! The documented samples do what they say: the bodies of `/openapi.json`, and the commands of `docs/api.md`.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Host, KEY};
use crate::support::program::{self, Program, command};
use crate::support::{SECRET, database::database, eventually};
use crate::webhooks::receiver::Receiver;
use crate::webhooks::webhook;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The example of a schema, or of what it refers to.
fn example<'d>(document: &'d Value, schema: &'d Value) -> Option<&'d Value> {
    if let Some(place) = schema["$ref"].as_str() {
        return example(document, document.pointer(&place[1..]).unwrap());
    }
    let mut parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|of| schema[*of].as_array()).flatten();
    let own = Some(&schema["example"]).filter(|own| !own.is_null());
    own.or_else(|| parts.find_map(|part| example(document, part)))
}

/// Makes room for what an example does: beside the cast, Dee is not there yet to be made, nor the park, nor who is in it.
async fn make_room(host: &Host, operation: &str) {
    match operation {
        "createUser" => drop(host.delete("/v3/users/dee").await.is(200)),
        "createGroup" => drop(host.delete("/v3/groups/park").await.is(200)),
        "addMembers" => {
            host.put("/v3/groups/park/members", json!({"owner": "ada"})).await.is(200);
            host.delete("/v3/groups/park/bannedusers/flo").await.is(200);
        }
        _ => {}
    }
}

/// The id of the only endpoint, once the service has stored it.
async fn endpoint(host: &Host) -> String {
    let listed = async || host.get("/v3/webhooks").await.is(200).body["data"][0]["id"].clone();
    eventually("the endpoint is listed", async || listed().await.is_string()).await;
    listed().await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_of_a_body_is_done_as_it_stands_there() {
    let document = Host::new().await.get("/openapi.json").await.is(200).body;
    let receiver = Receiver::new().await;
    let mut done = 0;
    for (path, item) in document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/v3/")) {
        for method in METHODS.iter().filter(|method| item[**method]["requestBody"].is_object()) {
            let (operation, body) = (&item[*method], &item[*method]["requestBody"]["content"]["application/json"]);
            let own = Some(&body["example"]).filter(|example| !example.is_null());
            let sample = own.or_else(|| example(&document, &body["schema"]));
            let sample = sample.unwrap_or_else(|| panic!("{method} {path}: its body has no example")).clone();
            let host = Host::with_cast_and(|config| config.webhooks = vec![webhook(&receiver.url)]).await;
            make_room(&host, operation["operationId"].as_str().unwrap()).await;
            let id = if path.contains("{id}") { endpoint(&host).await } else { String::new() };
            let place = path.replace("{guid}", "park").replace("{uid}", "dee").replace("{id}", &id);
            let answer = host.ask(&method.to_uppercase(), &place, &[], Some(sample.clone())).await;
            assert_eq!(answer.status, 200, "{method} {path} with {sample}: {}", answer.body);
            let refused = answer.body.to_string().contains("\"success\":false");
            assert!(!refused, "{method} {path} with {sample}: {}", answer.body);
            done += 1;
        }
    }
    assert!(done > 12, "{done}");
}

/// The commands of a page, block by block.
fn blocks(page: &str) -> Vec<&str> {
    let starts = page.split("\n```sh\n").skip(1);
    starts.map(|rest| rest.split_once("\n```").expect("a block of commands ends").0).collect()
}

/// Runs these commands beside a service of their own; each request of theirs must be answered with a yes.
fn are_done(commands: &str) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("bin")).unwrap();
    symlink(program::path(), at.join("bin/chat-group-members")).unwrap();
    let csv = "uid,name,scope,avatar,joinedAt\nada,Ada Lindqvist,owner,,\nben,Ben Adeyemi,admin,,\ndee,Dee Okafor,participant,,\n";
    fs::write(at.join("members.csv"), csv).unwrap();
    let rows = "{\"uid\":\"ada\",\"scope\":\"owner\"}\n{\"uid\":\"ben\",\"scope\":\"admin\"}\n{\"uid\":\"dee\"}\n";
    fs::write(at.join("members.ndjson"), rows).unwrap();

    let service = Program::start(command(at).env("CGM_API_KEY", KEY).args(["serve", "--listen", "127.0.0.1:0"]));
    let script = format!(
        "curl() {{ command curl --fail-with-body \"$@\"; }}\n{}\n",
        commands.replace("http://127.0.0.1:8080", &service.url)
    );
    let output = File::create(at.join("said")).unwrap();
    let status = Command::new("bash")
        .args(["-exc", &script])
        .env_clear()
        .env("PATH", format!("{}:{}", at.join("bin").display(), std::env::var("PATH").unwrap()))
        .env("CGM_VIEWER_SECRET", SECRET)
        .env("CGM_API_KEY", KEY)
        .env("CGM_DATABASE_URL", database(at))
        .current_dir(at)
        .stdin(Stdio::null())
        .stdout(output.try_clone().unwrap())
        .stderr(output)
        .status()
        .unwrap();
    // Ends the stream that the tour leaves open, and with it the command that reads it.
    service.kill();
    assert!(status.success(), "{commands}\n\n{}", fs::read_to_string(at.join("said")).unwrap());
}

#[test]
fn every_command_of_the_page_about_the_interface_is_done_as_it_stands_there() {
    let blocks = blocks(include_str!("../../../docs/api.md"));
    assert!(blocks.len() > 8 && blocks[0].starts_with("api() {"), "{blocks:#?}");
    are_done(blocks[0]);
    // The other blocks are about the people and the group that the first one makes.
    for block in &blocks[1..] {
        are_done(&format!("{}\n{block}", blocks[0]));
    }
}
