//! Languages: who is answered in which one, and that nothing is said in none.

mod pseudo;

use reqwest::Method;

use crate::support::actor::{send, with};
use crate::support::{self, World, select, texts};

const LIST: &str = "/groups/den/members";
const GERMAN: (&str, &str) = ("accept-language", "de-AT,de;q=0.9,en;q=0.5");
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");

#[tokio::test]
async fn eve_reads_what_she_asks_for_else_what_her_browser_does() {
    let world = World::new().await;
    let read = async |query: &str, accepted: &str| {
        let answer = world.eve.get_with(&format!("{LIST}?{query}"), &[("accept-language", accepted)]).await.ok();
        let lang = answer.attribute("section", "lang").unwrap();
        assert_eq!(answer.header("content-language"), lang);
        assert!(answer.header("vary").contains("Accept-Language"));
        (lang, answer.text("h2"))
    };
    let words = |lang: &str, title: &str| (lang.to_owned(), title.to_owned());
    assert_eq!(read("", "").await, words("en-US", "Members"));
    assert_eq!(read("", "sv;q=0.4, de-CH").await, words("de", "Mitglieder"));
    assert_eq!(read("lang=sv-FI", "de").await, words("sv", "Medlemmar"));
    assert_eq!(read("lang=tlh", "de").await, words("de", "Mitglieder"));
    assert_eq!(read("lang=de&title=Crew", "").await, words("de", "Crew"));
}

#[tokio::test]
async fn arabic_and_hebrew_are_laid_out_from_right_to_left() {
    let world = World::new().await;
    for (lang, dir) in [("ar", "rtl"), ("iw", "rtl"), ("de", "ltr")] {
        let fragment = world.eve.get(&format!("{LIST}?lang={lang}")).await.ok();
        assert_eq!(fragment.attribute("section", "dir").as_deref(), Some(dir));
        let page = world.eve.page(&format!("{LIST}?lang={lang}")).await.ok();
        assert_eq!(page.attribute("html", "dir").as_deref(), Some(dir));
        assert_eq!(page.attribute("html", "lang"), page.attribute("section", "lang"));
    }
}

#[tokio::test]
async fn dates_and_numbers_are_written_as_eve_reads_them() {
    let world = World::new().await;
    let joined = async |lang: &str| {
        let answer = world.eve.get(&format!("{LIST}?lang={lang}")).await.ok();
        assert_eq!(answer.attribute("li[data-uid=dee]", "data-joined-at").as_deref(), Some("1700000000"));
        answer.text("li[data-uid=dee] p")
    };
    assert_eq!(joined("en-GB").await, "Joined 14 Nov 2023");
    assert_eq!(joined("en-US").await, "Joined Nov 14, 2023");
    assert!(joined("de").await.contains("14.11.2023"));
    assert!(joined("ja").await.contains("2023/11/14"));
}

#[tokio::test]
async fn a_component_fetched_by_a_host_stays_in_its_language() {
    let world = World::new().await;
    let answer = world.ada.get_with(&format!("{LIST}?limit=2"), &[GERMAN]).await.ok();
    let html = answer.html();
    let requested = ["data-hx-get", "data-connect", "data-hx-post"]
        .into_iter()
        .flat_map(|name| texts(&html, &format!("[{name}]"), Some(name)))
        .chain(texts(&html, ".chat-group-members__list a", Some("href")))
        .collect::<Vec<_>>();
    assert_eq!(requested.len(), 4, "{requested:?}");
    assert!(requested.iter().all(|address| address.contains("lang=de")), "{requested:#?}");
    assert!(requested.iter().all(|address| address.matches('?').count() == 1), "{requested:#?}");
    assert_eq!(answer.attribute("[data-query]", "data-query").as_deref(), Some("limit=2&lang=de"));

    let menu = world.ada.htmx(&format!("{LIST}/eve?lang=de&part=menu")).await.ok();
    assert!(texts(&menu.html(), "a", Some("href")).iter().all(|address| address.contains("lang=de")));
    let form = world.ada.htmx(&format!("{LIST}/eve?lang=de&part=dialog&act=kick")).await.ok();
    assert!(form.attribute("form", "data-hx-post").unwrap().contains("lang=de"));
}

#[tokio::test]
async fn filters_and_pages_of_their_own_name_a_language_only_when_one_was_asked_for() {
    let world = World::new().await;
    let seen = async |query: &str| {
        let page = world.ada.get_with(&format!("{LIST}?limit=2{query}"), &[GERMAN, BROWSER]).await.ok();
        texts(&page.html(), "nav a, .chat-group-members__bans-link", Some("href"))
    };
    let (quiet, asked) = (seen("").await, seen("&lang=de-AT").await);
    assert!(quiet.len() > 4 && quiet.iter().all(|address| !address.contains("lang")), "{quiet:#?}");
    assert!(asked.iter().all(|address| address.contains("lang=de-AT")), "{asked:#?}");
}

#[tokio::test]
async fn two_viewers_of_two_languages_are_each_told_in_their_own() {
    let world = World::new().await;
    let mut dee = world.dee.raw("/groups/den/events", &[("Accept-Language", "de")]).await;
    let mut eve = world.eve.raw("/groups/den/events", &[("Accept-Language", "sv")]).await;
    let mut cy = world.cy.raw("/groups/den/events?lang=de", &[]).await;
    assert_eq!((dee.header("content-language"), eve.header("content-language")), ("de", "sv"));
    world.host_adds("den", "gus", "Gus Gray").await;
    for (stream, word) in [(&mut dee, "Dabei seit"), (&mut eve, "Medlem sedan"), (&mut cy, "Dabei seit")] {
        let message = stream.until("gus", |message| message.shows("gus")).await;
        let text = texts(&message.html(), "li[data-uid=gus] p", None).concat();
        assert!(text.contains(word), "{text}");
    }
}

#[tokio::test]
async fn windows_that_are_kept_are_kept_by_language() {
    let world = World::new().await;
    let view = async |accepted: &str| {
        let path = format!("{LIST}?part=view&scopes=owner");
        let answer = world.eve.get_with(&path, &[("accept-language", accepted)]).await.ok();
        (answer.text(".chat-group-members__heading"), answer.header("etag").to_owned())
    };
    let (mut german, mut swedish) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        german.push(view("de").await);
        swedish.push(view("sv").await);
    }
    assert!(german.iter().all(|answer| answer == &german[0]) && swedish.iter().all(|answer| answer == &swedish[0]));
    assert!(german[0].0 != swedish[0].0 && german[0].1 != swedish[0].1, "{german:?} {swedish:?}");
}

#[tokio::test]
async fn a_refusal_is_told_in_the_language_of_whoever_asked() {
    let world = World::new().await;
    let kick = async |actor: &support::Actor, headers: &[(&str, &str)]| {
        send(with(actor.request(Method::DELETE, &format!("{LIST}/ben")), headers)).await
    };
    let german = kick(&world.dee, &[GERMAN, ("accept", "application/json")]).await;
    let english = kick(&world.dee, &[("accept", "application/json")]).await;
    for answer in [&german, &english] {
        answer.clone().refused(403, "ERR_GROUP_NO_CLEARANCE");
    }
    assert_eq!((german.header("content-language"), english.header("content-language")), ("de", "en-US"));
    assert_eq!(english.json()["detail"], "Participants cannot do this to anyone.");
    let detail = german.json()["detail"].as_str().unwrap().to_owned();
    assert_ne!(german.json()["title"], english.json()["title"]);
    let fragment = kick(&world.dee, &[GERMAN]).await;
    assert_eq!(fragment.text("[role=alert] p"), detail);
}

#[tokio::test]
async fn a_lost_race_names_who_won_it_in_the_language_of_whoever_lost() {
    let world = World::new().await;
    world.ada.set_scope("eve", "admin").await.ok();
    let path = format!("{LIST}/eve?lang=en-GB");
    let answer =
        send(with(world.ben.request(Method::DELETE, &path), &[("accept", "text/html"), ("hx-request", "true")]));
    let answer = answer.await.refused(403, "ERR_GROUP_NO_CLEARANCE");
    let names: Vec<_> = texts(&answer.html(), "[role=alert] bdi", None);
    assert_eq!(names, ["Ada Lovelace", "Eve Adams"]);
    let detail = answer.text("[role=alert] p");
    assert!(detail.contains("Ada Lovelace made Eve Adams admin (") && detail.ends_with(" UTC)."), "{detail}");
}

#[tokio::test]
async fn what_is_not_there_is_not_there_in_every_language() {
    let world = World::new().await;
    for lang in ["en-US", "de", "ar", "ja"] {
        for face in ["text/html", "*/*", "application/json"] {
            let ask = async |guid: &str| {
                let path = format!("/groups/{guid}/members?lang={lang}");
                world.gus.get_with(&path, &[("accept", face)]).await.refused(404, "ERR_GUID_NOT_FOUND")
            };
            let (private, unknown) = (ask("den").await, ask("nowhere").await);
            assert_eq!(private.words(), unknown.words());
            assert_eq!(private.header("content-language"), lang);
        }
    }
}

#[tokio::test]
async fn the_script_gets_every_form_of_a_plural_word() {
    let world = World::new().await;
    let held = async |lang: &str| {
        let answer = world.eve.get(&format!("{LIST}?lang={lang}")).await.ok();
        answer.attribute("section", "data-word-held").unwrap()
    };
    assert_eq!(held("en-US").await, "one={n} change|other={n} changes");
    let russian = held("ru").await;
    assert_eq!(russian.matches("{n}").count(), 3, "{russian}");
    let html = world.eve.get(LIST).await.ok().html();
    let root = html.select(&select("section")).next().unwrap();
    assert_eq!(root.attr("data-word-selection-full"), None);
    let selecting = world.eve.get(&format!("{LIST}?selectionMode=multiple")).await.ok();
    let full = selecting.attribute("section", "data-word-selection-full");
    assert_eq!(full.as_deref(), Some("At most 1,000 people can be selected."));
}

#[tokio::test]
async fn anybody_gets_the_words_for_a_service_that_is_away_and_keeps_them() {
    let world = World::new().await;
    let words = async |query: &str, accepted: &str| {
        let request = with(
            world.gus.anonymous(Method::GET, &format!("/static/words.json{query}")),
            &[("accept-language", accepted), ("origin", "https://elsewhere.example")],
        );
        send(request).await.ok()
    };
    let french = words("?lang=fr-CA", "de").await;
    assert_eq!((french.json()["lang"].as_str(), french.header("content-language")), (Some("fr"), "fr"));
    assert_eq!(french.json()["failed"], "Impossible d’afficher les membres.");
    assert!(french.header("cache-control").starts_with("public, max-age="), "{}", french.header("cache-control"));
    assert_eq!(french.header("access-control-allow-origin"), "*");
    assert!(french.header("vary").split(", ").any(|name| name.eq_ignore_ascii_case("accept-language")));
    assert_eq!(words("?lang=tlh", "de").await.json()["lang"], "de");
    let english = words("?lang=", "").await.json();
    assert_eq!((english["lang"].as_str(), english["retry"].as_str()), (Some("en-US"), Some("Try again")));
}

#[tokio::test]
async fn anybody_gets_the_parts_of_a_digest_in_all_forms_of_their_language() {
    let world = World::new().await;
    let digest = async |lang: &str| {
        let request = with(
            world.gus.anonymous(Method::GET, &format!("/static/digest.json?lang={lang}")),
            &[("origin", "https://elsewhere.example")],
        );
        send(request).await.ok()
    };
    let english = digest("en").await;
    assert_eq!(english.header("access-control-allow-origin"), "*");
    assert_eq!(english.json()["joined"], "one={n} joined|other={n} joined");
    let arabic = digest("ar").await.json();
    for part in ["joined", "left", "removed", "changed"] {
        assert_eq!(arabic[part].as_str().unwrap().split('|').count(), 6, "{arabic}");
    }
}

#[tokio::test]
async fn what_people_write_has_a_direction_of_its_own_in_a_page_from_right_to_left() {
    let world = World::new().await;
    world.cy.ban("gus", serde_json::json!({"reason": "Would not stop (3 times)."})).await.ok();
    world.cy.act(Method::POST, "/groups/den/members/dee/notes", serde_json::json!({"text": "Asked twice."})).await.ok();
    let bans = world.cy.page("/groups/den/bans?lang=ar").await.ok();
    assert_eq!(bans.text("li[data-uid=gus] q[dir=auto]"), "Would not stop (3 times).");
    assert_eq!(bans.text("li[data-uid=gus] .chat-group-members__name bdi"), "gus");
    let notes = world.cy.page("/groups/den/members/dee/notes?lang=ar").await.ok();
    assert_eq!(notes.text(".chat-group-members__note p[dir=auto]"), "Asked twice.");
    let list = world.cy.get(&format!("{LIST}?lang=ar&title=The%20crew")).await.ok();
    assert_eq!(list.text("h2 bdi"), "The crew");
    let mut written = 0;
    for page in [&notes, &world.cy.page(&format!("{LIST}/dee?lang=ar")).await.ok()] {
        assert_eq!(page.count("textarea"), page.count("textarea[dir=auto]"), "{}", page.body);
        written += page.count("textarea");
    }
    assert!(written > 4, "reasons, messages and notes");
}
