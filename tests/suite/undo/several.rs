//! Acts on several people at once, and their undoing: one transaction, one event of a batch, one button.

use chat_group_members::domain::Scope;
use chat_group_members::membership;
use reqwest::Method;
use serde_json::{Value, json};

use super::{bans, bulk, list, named};
use crate::support::actor::{send, with};
use crate::support::{Actor, Answer, World, fragment, texts};

/// Most messages that a viewer gets for one act on a thousand people.
const HANDFUL: usize = 8;

#[tokio::test]
async fn ben_bans_several_at_once_and_undoes_all_of_them_at_once() {
    let world = World::new().await;
    let (members, banned) = (list(&world).await, bans(&world).await);
    let everybody = ["dee", "eve", "cy", "ada", "ben", "gus"];
    let would = bulk(&world.ben, json!({"act": "ban", "uid": everybody, "dryRun": true})).await.ok().json();
    let head = world.head("den").await;
    let done = bulk(&world.ben, json!({"act": "ban", "uid": everybody, "reason": "raid"})).await.ok().json();
    let of = |answer: &Value, uid: &str| {
        answer["data"].as_array().unwrap().iter().find(|item| item["uid"] == uid).unwrap().clone()
    };
    for uid in ["dee", "eve", "cy", "gus"] {
        assert_eq!((&of(&would, uid)["ok"], &of(&done, uid)["ok"]), (&json!(true), &json!(true)), "{uid}");
    }
    for (uid, code) in [("ada", "ERR_GROUP_NO_CLEARANCE"), ("ben", "ERR_GROUP_NO_SELF_ACTION")] {
        assert_eq!((&of(&would, uid)["code"], &of(&done, uid)["code"]), (&json!(code), &json!(code)));
        assert!(of(&done, uid)["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    }
    assert_eq!((&would["meta"]["batch"], &done["meta"]["batch"]), (&Value::Null, &json!(head + 1)));
    let seqs: Vec<u64> =
        ["dee", "eve", "cy", "gus"].iter().map(|uid| of(&done, uid)["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [head + 1, head + 2, head + 3, head + 4], "in the order asked for, without gaps");
    assert_eq!(world.members("den").await.len(), 2);
    let path = format!("/groups/den/events/{}/undo", head + 2);
    let undone = world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok().json();
    assert!(undone["data"].as_array().unwrap().iter().all(|item| item["ok"] == true), "{undone}");
    assert_eq!((list(&world).await, bans(&world).await), (members, banned));
}

#[tokio::test]
async fn what_an_undo_brought_back_is_not_taken_away_by_another() {
    let world = World::new().await;
    let done = bulk(&world.ben, json!({"act": "ban", "uid": ["dee", "eve"]})).await.ok().json();
    let all = json!({"batch": true});
    let path = |batch: &Value| format!("/groups/den/events/{batch}/undo");
    let undone = world.ben.act(Method::POST, &path(&done["meta"]["batch"]), all.clone()).await.ok().json();
    let again = world.ben.act(Method::POST, &path(&undone["meta"]["batch"]), all).await;
    again.refused(403, "ERR_GROUP_NO_CLEARANCE");
    assert_eq!(world.members("den").await.len(), 5);
}

#[tokio::test]
async fn of_a_batch_is_put_back_what_can_be_and_none_is_a_conflict() {
    let world = World::new().await;
    let done = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "eve"]})).await.ok().json();
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.host_adds("den", "dee", "Dee Okoro").await;
    let undone = world.ben.act(Method::POST, &path, json!({"batch": true})).await.ok().json();
    assert_eq!(undone["data"][0]["code"], "ERR_UNDO_OVERTAKEN");
    assert_eq!((&undone["data"][1]["uid"], &undone["data"][1]["ok"]), (&json!("eve"), &json!(true)));
    let done = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "eve"]})).await.ok().json();
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.clock.advance(31_000);
    world.ben.act(Method::POST, &path, json!({"batch": true})).await.refused(409, "ERR_UNDO_TOO_LATE");
}

#[tokio::test]
async fn only_staff_act_on_several_and_on_a_thousand_at_most() {
    let world = World::new().await;
    bulk(&world.eve, json!({"act": "kick", "uid": ["dee"]})).await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    bulk(&world.gus, json!({"act": "kick", "uid": ["dee"]})).await.refused(404, "ERR_GUID_NOT_FOUND");
    for body in [
        json!({"act": "dance", "uid": ["dee"]}),
        json!({"act": "kick"}),
        json!({"act": "kick", "uid": ["not a uid"]}),
        json!({"act": "scope", "uid": ["dee"]}),
        json!({"act": "kick", "uid": ["dee"], "dryRun": "perhaps"}),
        json!({"act": "kick", "uid": (0..1001).map(|n| format!("u{n}")).collect::<Vec<_>>()}),
        json!({"act": "kick", "uid": vec!["dee"; 1001]}),
    ] {
        bulk(&world.ben, body).await.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.members("den").await.len(), 5);
}

#[tokio::test]
async fn what_is_given_twice_or_says_nothing_is_refused_and_nothing_happens() {
    let world = World::new().await;
    let before = list(&world).await;
    for (body, status) in [
        ("act=kick&act=ban&uid=dee", 400),
        ("act=kick&uid=dee&message=a&message=b", 400),
        ("act=kick&uid=dee&dryRun=true&dryRun=false", 400),
        ("act=kick&uid=dee&dryRun=", 422),
    ] {
        let request = world.ben.request(Method::POST, "/groups/den/bulk").header("accept", "application/json");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        assert_eq!(send(request).await.status.as_u16(), status, "{body}");
    }
    assert_eq!(list(&world).await, before);
    for seq in ["+1", "01", "1.0", "-1"] {
        let address = format!("/groups/den/events/{seq}/undo");
        assert_eq!(world.ben.act(Method::POST, &address, json!({})).await.status.as_u16(), 404, "{seq}");
    }
}

#[tokio::test]
async fn a_thousand_are_banned_and_come_back_in_one_request_each() {
    let world = World::new().await;
    let names: Vec<String> = (0..1000).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let mut screens = [world.eve.stream().await, world.ben.stream().await];
    let done = bulk(&world.cy, json!({"act": "ban", "uid": names})).await.ok().json();
    assert_eq!(world.members("den").await.len(), 5);
    let head = world.head("den").await;
    for screen in &mut screens {
        let messages = screen.up_to(head).await.len();
        assert!(messages <= HANDFUL, "{messages} messages for a thousand bans");
    }
    let path = format!("/groups/den/events/{}/undo", done["meta"]["batch"]);
    world.cy.act(Method::POST, &path, json!({"batch": true})).await.ok();
    assert_eq!(world.members("den").await.len(), 1005);
    let head = world.head("den").await;
    for screen in &mut screens {
        let messages = screen.up_to(head).await.len();
        assert!(messages <= HANDFUL, "{messages} messages for a thousand who come back");
    }
    assert_eq!(bans(&world).await["meta"]["count"], 1);
}

#[tokio::test]
async fn a_thousand_who_are_banned_at_once_are_all_told_so() {
    let world = World::new().await;
    let names: Vec<String> = (0..1000).map(|n| format!("raider{n:04}")).collect();
    let people = names.iter().map(|name| (name.as_str(), name.as_str(), Scope::Participant));
    world.seed("den", chat_group_members::domain::GroupType::Private, people).await;
    let mut raiders = Vec::new();
    for name in ["raider0000", "raider0500", "raider0999"] {
        raiders.push(world.actor(name).events().await);
    }
    let mut screen = world.actor("raider0001").stream().await;
    bulk(&world.cy, json!({"act": "ban", "uid": names, "message": "This was a raid."})).await.ok();
    world.cy.set_scope("eve", "moderator").await.ok();
    for raider in &mut raiders {
        let revoked = named(raider, "revoked").await;
        assert_eq!((&revoked["reason"], &revoked["message"]), (&json!("banned"), &json!("This was a raid.")));
    }
    let last = screen.rest().await.pop().unwrap();
    let text = last.html().root_element().text().collect::<String>();
    assert!(text.contains("You are banned from this group") && text.contains("This was a raid."), "{text}");
}

#[tokio::test]
async fn an_act_on_several_that_is_repeated_under_its_key_answers_what_it_did() {
    let world = World::new().await;
    let ask = |path: String, key: &'static str, body: Value| {
        let request = world.ben.request(Method::POST, &path).header("accept", "application/json");
        send(request.header("idempotency-key", key).json(&body))
    };
    let kick = || ask("/groups/den/bulk".into(), "k1", json!({"act": "kick", "uid": ["dee", "ada", "eve"]}));
    let first = kick().await.ok().json();
    assert_eq!(first["data"].as_array().unwrap().len(), 3);
    bulk(&world.ben, json!({"act": "ban", "uid": ["dee"]})).await.ok();
    world.ada.transfer("ben").await.ok();
    assert_eq!(kick().await.ok().json(), first, "whom it left out too, for the reason of that time");
    world.ben.unban("dee").await.ok();
    let undo = || ask(format!("/groups/den/events/{}/undo", first["meta"]["batch"]), "k2", json!({"batch": true}));
    let put_back = undo().await.ok().json();
    assert_eq!(put_back["data"][0]["code"], "ERR_UNDO_OVERTAKEN", "{put_back}");
    assert_eq!(put_back["data"][1]["uid"], "eve");
    assert_eq!(undo().await.ok().json(), put_back);
}

#[tokio::test]
async fn a_repeated_act_on_several_names_all_of_them_and_once_the_log_is_cut_whom_it_refused() {
    let world = World::new().await;
    let promote = async || {
        let body = json!({"act": "scope", "scope": "moderator", "uid": ["ada", "dee", "cy"]});
        let request = world.ben.request(Method::POST, "/groups/den/bulk").header("accept", "application/json");
        send(request.header("idempotency-key", "k1").json(&body)).await.ok().json()
    };
    let first = promote().await;
    assert_eq!(first["data"][2], json!({"uid": "cy", "ok": true, "seq": null}), "Cy is one already");
    assert_eq!(promote().await, first);
    world.ben.kick("eve").await.ok();
    membership::sweep(world.app.store(), 1).await.unwrap();
    let again = promote().await;
    assert_eq!(again["data"], json!([first["data"][0]]), "of the others it is not known any more what was done");
    // As a version from before these reasons were kept wrote it.
    world.write_by_hand("UPDATE idempotency SET left_out = NULL").await;
    assert_eq!(promote().await["data"], json!([]));
}

#[tokio::test]
async fn whoever_was_left_out_is_named_again_on_the_screen_when_the_act_is_repeated_under_its_key() {
    let world = World::new().await;
    let promote = async |uids: &[&str], key: &str| {
        let mut fields = vec![("_method", "POST"), ("act", "scope"), ("scope", "moderator")];
        fields.extend(uids.iter().map(|uid| ("uid", *uid)));
        let headers = [("hx-request", "true"), ("accept", "text/html"), ("idempotency-key", key)];
        send(with(world.ben.request(Method::POST, "/groups/den/bulk").form(&fields), &headers)).await.ok()
    };
    let (some, none): (&[&str], &[&str]) = (&["ada", "cy", "dee", "gus"], &["ada", "gus"]);
    let first = alert(&promote(some, "k1").await);
    assert_eq!((first[1].len(), first[2].len()), (3, 3), "above Ben, nothing to change, not in the group: {first:?}");
    let again = promote(some, "k1").await;
    assert_eq!((alert(&again), again.has("li[data-note=undo]")), (first, true));
    // Where it could be done to nobody, the form comes again with the reasons.
    let (nobody, again) = (promote(none, "k2").await, promote(none, "k2").await);
    let reasons = |answer: &Answer| texts(&answer.html(), "form summary", None);
    assert_eq!(reasons(&again), reasons(&nobody));
    assert_eq!(reasons(&again).len(), 2, "{}", again.body);
}

#[tokio::test]
async fn an_act_on_several_that_is_repeated_answers_what_it_did_whatever_else_ben_did_in_that_moment() {
    let world = World::new().await;
    let ask = async |path: &str, key: &str, body: Value| {
        let request = world.ben.request(Method::POST, path).header("accept", "application/json");
        send(request.header("idempotency-key", key).json(&body)).await.ok().json()
    };
    bulk(&world.ben, json!({"act": "kick", "uid": ["eve"]})).await.ok();
    let of = |uid: &str| json!({"act": "kick", "uid": [uid]});
    let first = ask("/groups/den/bulk", "k1", of("dee")).await;
    let nobody = ask("/groups/den/bulk", "k2", of("ada")).await;
    assert_eq!(
        (&nobody["data"][0]["code"], &nobody["meta"]["batch"]),
        (&json!("ERR_GROUP_NO_CLEARANCE"), &Value::Null)
    );
    let undo = format!("/groups/den/events/{}/undo", first["meta"]["batch"]);
    let undone = ask(&undo, "k3", json!({"batch": true})).await;
    let last = "(SELECT max(at) FROM events WHERE guid = 'den')";
    let same_moment = format!(
        "UPDATE idempotency SET at = {last} WHERE guid = 'den';
         UPDATE events SET at = {last} WHERE guid = 'den' AND batch IS NOT NULL"
    );
    world.write_by_hand(&same_moment).await;
    assert_eq!(ask("/groups/den/bulk", "k1", of("dee")).await, first);
    assert_eq!(ask("/groups/den/bulk", "k2", of("ada")).await, nobody, "nothing came of it");
    assert_eq!(ask(&undo, "k3", json!({"batch": true})).await, undone);
}

#[tokio::test]
async fn a_misspelt_dry_run_is_refused_and_nothing_is_done() {
    let world = World::new().await;
    let head = world.head("den").await;
    for name in ["dryrun", "dry_run", "dry-run", "DryRun", "dryRum", "drRun", "dry"] {
        let refused = bulk(&world.ben, json!({"act": "kick", "uid": ["dee"], name: true})).await;
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(name) && detail.ends_with("did you mean dryRun?"), "{detail}");
        refused.refused(422, "ERR_VALIDATION");
        let path = format!("/groups/den/bulk?{name}=true");
        let refused = world.ben.act(Method::POST, &path, json!({"act": "kick", "uid": ["dee"]})).await;
        refused.refused(422, "ERR_VALIDATION");
    }
    for empty in ["dryRun", "dryRun=", "dryRun=true&dryRun="] {
        let path = format!("/groups/den/bulk?{empty}");
        let refused = world.ben.act(Method::POST, &path, json!({"act": "kick", "uid": ["dee"]})).await;
        refused.refused(422, "ERR_VALIDATION");
    }
    assert_eq!(world.head("den").await, head);
    // Any other unknown field is ignored.
    bulk(&world.ben, json!({"act": "kick", "uid": ["dee"], "why": "noise", "dryRun": false})).await.ok();
    assert_eq!(world.head("den").await, head + 1);
}

#[tokio::test]
async fn of_many_uids_the_one_that_is_none_is_named() {
    let world = World::new().await;
    let refused = bulk(&world.ben, json!({"act": "kick", "uid": ["dee", "d.e\u{202e}<b>", "eve"]})).await;
    assert!(refused.json()["detail"].as_str().unwrap().ends_with(r#": "d.e\u{202e}<b>""#), "{}", refused.body);
    refused.refused(422, "ERR_VALIDATION");
}

#[tokio::test]
async fn what_came_of_an_act_on_several_is_a_sentence_and_so_is_its_undoing() {
    let world = World::new().await;
    for (act, both, one) in [
        ("kick", "2 people were removed from the group.", "1 person was removed from the group."),
        ("ban", "2 people were banned.", "1 person was banned."),
        ("mute", "2 people were muted.", "1 person was muted."),
        ("scope", "2 people have another role now.", "1 person has another role now."),
    ] {
        for (uids, done, undone) in [
            (vec!["dee", "eve"], both, "2 people were put back as they were."),
            (vec!["dee"], one, "1 person was put back as they were."),
        ] {
            let mut fields = vec![("act", act), ("until", "60"), ("scope", "moderator"), ("_method", "POST")];
            fields.extend(uids.iter().map(|uid| ("uid", *uid)));
            let answer = world.ben.htmx_act("/groups/den/bulk", &fields).await.ok();
            assert_eq!(answer.text("[data-note=undo] span"), done);
            let path = answer.attribute("[data-note=undo] form", "action").unwrap();
            let answer = world.ben.htmx_act(&path, &[("_method", "POST"), ("batch", "true")]).await.ok();
            assert_eq!(answer.attribute("[data-note=undone]", "data-html").as_deref(), Some(undone), "{act}");
            assert!(!answer.has("[data-note=left-out]"), "{act}: nobody was left out");
        }
    }
}

/// The alert in the answer to an act on several: what it says, the parts that open, and whom they name.
fn alert(answer: &Answer) -> [Vec<String>; 3] {
    let html = fragment(&answer.attribute("[data-note=left-out]", "data-html").unwrap());
    ["strong", "summary", "li"].map(|selector| texts(&html, selector, None))
}

#[tokio::test]
async fn whoever_had_the_role_already_is_named_and_so_are_all_when_nothing_changed() {
    let world = World::new().await;
    let mut fields = vec![("_method", "POST"), ("act", "scope"), ("scope", "moderator")];
    fields.extend(["cy", "dee", "eve"].map(|uid| ("uid", uid)));
    let done = world.ben.htmx_act("/groups/den/bulk", &fields).await.ok();
    assert_eq!(done.text("[data-note=undo] span"), "2 people have another role now.");
    assert_eq!(alert(&done), [vec![], vec!["Nothing to change".to_owned()], vec!["Cy Marlowe".to_owned()]]);
    let head = world.head("den").await;
    for path in ["/groups/den/bulk", "/groups/den/bulk?hideHeader=true"] {
        let nothing = world.ben.htmx_act(path, &fields).await.ok();
        let [says, parts, names] = alert(&nothing);
        assert_eq!(says, ["0 people have another role now."], "{path}");
        assert_eq!(parts, ["Nothing to change (3)"], "{path}");
        assert_eq!((names.len(), nothing.has("[data-note=undo]")), (3, false), "{path}: {names:?}");
    }
    let nothing = world.ben.form("/groups/den/bulk", &fields).await;
    let page = world.ben.page(nothing.header("location")).await.ok();
    let notice = ".chat-group-members__notice";
    assert_eq!(page.text(&format!("{notice} p")), "0 people have another role now.");
    assert_eq!(page.text(&format!("{notice} summary")), "Nothing to change (3)");
    // Whom it was not possible for is counted without them.
    fields.push(("uid", "ada"));
    let [says, parts, _] = alert(&world.ben.htmx_act("/groups/den/bulk", &fields).await.ok());
    assert_eq!(says, ["0 people have another role now. Not possible for 1:"]);
    assert_eq!((parts.len(), parts[1].as_str()), (2, "Nothing to change (3)"));
    assert_eq!(world.head("den").await, head);
}

#[tokio::test]
async fn whoever_is_back_already_is_named_when_an_act_on_several_is_undone_again() {
    let world = World::new().await;
    let kick = json!({"act": "kick", "uid": ["dee", "eve"]});
    let batch = bulk(&world.ben, kick).await.ok().json()["meta"]["batch"].as_u64().unwrap();
    let (path, fields) = (format!("/groups/den/events/{batch}/undo"), [("_method", "POST"), ("batch", "true")]);
    world.ben.act(Method::POST, &path, json!({})).await.ok();
    // Eve's act is not undone yet, and the host has brought her back.
    world.host_adds("den", "eve", "Eve Adler").await;
    let [says, parts, names] = alert(&world.ben.htmx_act(&path, &fields).await.ok());
    assert_eq!(says, ["0 people were put back as they were. Not possible for 1:"]);
    assert_eq!((parts, names.len()), (vec!["Changed again since then".to_owned(), "Nothing to change".to_owned()], 2));

    let world = World::new().await;
    let kick = json!({"act": "kick", "uid": ["dee", "eve"]});
    let batch = bulk(&world.ben, kick).await.ok().json()["meta"]["batch"].as_u64().unwrap();
    let path = format!("/groups/den/events/{batch}/undo");
    assert!(!world.ben.htmx_act(&path, &fields).await.ok().has("[data-note=left-out]"));
    let [says, parts, names] = alert(&world.ben.htmx_act(&path, &fields).await.ok());
    assert_eq!(says, ["0 people were put back as they were."]);
    assert_eq!((parts, names.len()), (vec!["Nothing to change (2)".to_owned()], 2));
    let again = world.ben.form(&path, &fields).await;
    let leads_to = again.header("location");
    assert!(leads_to.contains("why=batch-unchanged.2&except=dee&except=eve"), "{leads_to}");
    let page = world.ben.page(leads_to).await.ok();
    let notice = ".chat-group-members__notice";
    assert_eq!(page.text(&format!("{notice} p")), "0 people were put back as they were.");
    assert_eq!(page.text(&format!("{notice} summary")), "Nothing to change (2)");
}

#[tokio::test]
async fn that_all_of_an_act_is_undone_is_said_in_the_body_and_refused_in_the_address() {
    let world = World::new().await;
    let fields = [("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "eve")];
    let done = world.ben.form("/groups/den/bulk", &fields).await;
    let head = world.head("den").await;
    for value in ["true", "false", ""] {
        let path = format!("/groups/den/events/{}/undo?batch={value}", head - 1);
        let refused = world.ben.act(Method::POST, &path, json!({})).await.refused(422, "ERR_VALIDATION").json();
        assert_eq!(refused["detail"], "batch: a field of the body, and not of the address", "{path}");
    }
    assert_eq!(world.head("den").await, head, "nobody is put back");
    // The page after the form has the parameter in its address, and its button undoes all of it.
    let leads_to = done.header("location");
    assert!(leads_to.contains(&format!("&batch={}", head - 1)), "{leads_to}");
    let page = world.ben.page(leads_to).await.ok();
    assert_eq!(page.attribute(".chat-group-members__undo [name=batch]", "value").as_deref(), Some("true"));
    let action = page.attribute(".chat-group-members__undo", "action").unwrap();
    let undone = world.ben.form(&action, &[("_method", "POST"), ("batch", "true")]).await;
    let page = world.ben.page(undone.header("location")).await.ok();
    assert_eq!(page.text(".chat-group-members__notice"), "2 people were put back as they were.");
    assert_eq!(world.members("den").await.len(), 5);
}

#[tokio::test]
async fn what_came_of_an_act_on_several_is_also_said_where_nothing_can_be_undone() {
    let world = World::with(|config| config.undo_window = std::time::Duration::ZERO).await;
    let fields = [("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "eve")];
    let done = world.ben.htmx_act("/groups/den/bulk", &fields).await.ok();
    assert_eq!(alert(&done), [vec!["2 people were removed from the group.".to_owned()], vec![], vec![]]);
    assert!(!done.has("[data-note=undo]"), "{}", done.body);
}

#[tokio::test]
async fn an_act_on_several_that_is_repeated_under_its_key_brings_the_button_again() {
    let world = World::new().await;
    let kick = async |actor: &Actor, key: &str| {
        let fields = [("_method", "POST"), ("act", "kick"), ("uid", "dee"), ("uid", "eve")];
        let headers = [("hx-request", "true"), ("accept", "text/html"), ("idempotency-key", key)];
        let answer = send(with(actor.request(Method::POST, "/groups/den/bulk").form(&fields), &headers)).await.ok();
        answer.attribute("li[data-note=undo] form", "action")
    };
    let first = kick(&world.ben, "k1").await.expect("it can be undone");
    assert_eq!(kick(&world.ben, "k1").await.as_ref(), Some(&first), "whoever did not get the first answer");
    let undone = world.ben.htmx_act(&first, &[("_method", "POST"), ("batch", "true")]).await.ok();
    assert!(undone.has("li[data-note=undone]"), "{}", undone.body);
    assert_eq!(world.scope("den", "dee").await, Some(Scope::Participant));
}
