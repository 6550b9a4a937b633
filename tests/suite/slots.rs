//! Slots: an operator's templates in a folder, and a host's own drawing in Rust.

use std::fs;
use std::path::{Path, PathBuf};

use chat_group_members::app::App;
use chat_group_members::config::{Config, Secret};
use chat_group_members::domain::{GroupType, Name};
use chat_group_members::membership::{self, GroupPatch};
use chat_group_members::slots::{Folder, HeaderFacts, MenuFacts, RowFacts, Slot, Slots};

use crate::support::program::{Program, command, import, run};
use crate::support::{self, Answer, SECRET, World, eventually, texts};

const LIST: &str = "/groups/den/members";
const CARD: &str =
    "<b class=\"card\" data-own=\"{{ own }}\">{{ member.name }}, {{ member.scope }}, {{ member.joinedAt|date }}</b>";

/// The cast, and a folder of these templates.
async fn world(templates: &[(&str, &str)]) -> (World, Templates) {
    let folder = Templates(tempfile::tempdir().unwrap());
    for (name, text) in templates {
        folder.put(name, text);
    }
    let path = folder.path();
    (World::with(|config| config.views = Some(path)).await, folder)
}

struct Templates(tempfile::TempDir);

impl Templates {
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(format!("{name}.html")), text).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.0.path().join(format!("{name}.html"))).unwrap();
    }
}

/// The inside of the element, as it was sent.
fn inside(answer: &Answer, selector: &str) -> String {
    let html = answer.html();
    html.select(&support::select(selector)).next().map(|element| element.inner_html()).unwrap_or_default()
}

/// The markup of somebody's row.
fn row_of(html: &scraper::Html, uid: &str) -> String {
    let row = support::select(&format!("li.chat-group-members__row[data-uid={uid}]"));
    html.select(&row).next().unwrap_or_else(|| panic!("no row of {uid}")).html()
}

#[tokio::test]
async fn each_part_of_a_row_is_drawn_alone_and_with_others() {
    let (world, _folder) = world(&[
        ("card", CARD),
        ("line", "<i>{{ member.uid }} in {{ group.guid }}</i>"),
        ("face", "<i>{{ member.name|initials }} {{ member.status }} {{ member.avatar }}</i>"),
        ("shout", "<i>{{ member.name|upper }}</i>"),
        ("mark", "<i>{{ viewer.scope }} sees {{ member.scope }} in {{ lang }}</i>"),
    ])
    .await;
    let row = "li[data-uid=dee]";
    let seen = async |query: &str| world.ben.get(&format!("{LIST}?{query}")).await.ok();
    let item = seen("itemView=card").await;
    assert_eq!(item.text(&format!("{row} > .chat-group-members__item > b.card")), "Dee Dee, participant, Nov 14, 2023");
    for gone in [".chat-group-members__name", "p", "[data-hue]", "small"] {
        assert!(!item.has(&format!("{row} {gone}")), "{gone}");
    }
    assert!(item.has(&format!("{row} > a.chat-group-members__more")), "the menu button stays");
    assert_eq!(item.attribute(row, "data-name").as_deref(), Some("Dee Dee"));
    let parts = [
        ("subtitleView=line", ".chat-group-members__subtitle > i", "dee in den", ".chat-group-members__name"),
        ("leadingView=face", ".chat-group-members__leading > i", "DD offline", ".chat-group-members__name"),
        ("titleView=shout", ".chat-group-members__name > i", "DEE DEE", "p"),
        (
            "trailingView=mark&lang=sv",
            ".chat-group-members__trailing > i",
            "admin sees participant in sv",
            "[data-hue]",
        ),
    ];
    for (query, place, says, stays) in parts {
        let answer = seen(query).await;
        assert_eq!(answer.text(&format!("{row} {place}")), says, "{query}");
        assert!(answer.has(&format!("{row} {stays}")), "{query}");
    }
    let all = seen(&parts.map(|(query, ..)| query).join("&")).await;
    for (_, place, says, _) in parts {
        assert_eq!(all.text(&format!("{row} {place}")), says);
    }
    let hidden = seen("leadingView=face&hideUserStatus=true").await;
    assert_eq!(hidden.text(&format!("{row} .chat-group-members__leading")), "DD", "a hidden status is nothing");
}

#[tokio::test]
async fn a_header_gets_the_group_and_its_numbers_stay_live() {
    let (world, _folder) =
        world(&[("head", "<h2>{{ title }}: {{ group.name }} ({{ group.membersCount }}, {{ group.type }})</h2>{{ totals }}{% if bans %}<a href=\"{{ bans }}\">out</a>{% endif %}")])
            .await;
    let view = format!("{LIST}?headerView=head&title=Crew");
    let (ben, dee) = (world.ben.get(&view).await.ok(), world.dee.get(&view).await.ok());
    let header = "header#cgm-den-header.chat-group-members__header";
    assert_eq!(ben.text(&format!("{header} > h2")), "Crew: The den (5, private)");
    assert_eq!(ben.text("#cgm-den-totals .chat-group-members__count"), "5");
    assert_eq!(ben.attribute(&format!("{header} > a"), "href").as_deref(), Some("/groups/den/bans"));
    assert!(!dee.has(&format!("{header} > a")), "participants see nobody who is banned");
    let mut stream = world.dee.raw("/groups/den/events?headerView=head&title=Crew", &[]).await;
    world.ben.kick("eve").await.ok();
    let message = stream.until("the kick", |message| message.misses("eve")).await;
    let fresh = world.dee.get(&view).await.ok();
    assert_eq!(texts(&message.html(), "h2", None), ["Crew: The den (4, private)"]);
    assert_eq!(message.attribute("header", "data-hx-swap-oob").as_deref(), Some("true"));
    let header = |html: &scraper::Html| html.select(&support::select("header")).next().unwrap().inner_html();
    assert_eq!(header(&message.html()), header(&fresh.html()));
    let patch = GroupPatch { name: Some(Name::parse("Lair").unwrap()), ..GroupPatch::default() };
    membership::update_group(world.app.store(), support::guid("den"), patch).await.unwrap();
    stream.until("the group's name", |message| texts(&message.html(), "h2", None) == ["Crew: Lair (4, private)"]).await;
}

#[tokio::test]
async fn a_header_that_says_who_looks_says_it_to_them_alone() {
    let (world, _folder) = world(&[("me", "{{ viewer.uid }} {{ viewer.scope }}"), ("all", "{{ viewer.scope }}")]).await;
    let view = "headerView=me&itemView=all";
    let mut streams = Vec::new();
    for viewer in [&world.dee, &world.eve] {
        let page = viewer.get(&format!("{LIST}?{view}")).await.ok();
        assert_eq!(page.text("header"), format!("{} participant", viewer.uid));
        streams.push((viewer.uid.clone(), viewer.raw(&format!("/groups/den/events?{view}"), &[]).await));
    }
    // The numbers in the header change: they are sent with it whenever statuses were.
    world.ada.kick("cy").await.ok();
    for (uid, stream) in &mut streams {
        let message = stream.until("the change", |message| message.misses("cy")).await;
        assert_eq!(texts(&message.html(), "header", None), [format!("{uid} participant")]);
    }
}

#[tokio::test]
async fn what_stands_there_when_nothing_does_is_drawn() {
    let (world, _folder) = world(&[
        ("none", "nobody fits [{{ search }}] of {{ filter }} <a href=\"{{ clear }}\">all</a>"),
        ("wait", "<progress></progress>{{ group.guid }}"),
    ])
    .await;
    let answer = world
        .dee
        .get(&format!("{LIST}?emptyView=none&loadingView=wait&searchKeyword=x%3Ci%3E&filter=admins"))
        .await
        .ok();
    assert_eq!(answer.text("#cgm-den-empty"), "nobody fits [x<i>] of admins all");
    assert!(answer.attribute("#cgm-den-empty a", "href").unwrap().starts_with("/groups/den/members?"));
    assert_eq!(inside(&answer, "#cgm-den-loading"), "<progress></progress>den");
    assert_eq!(world.dee.get(&format!("{LIST}?emptyView=none")).await.text("#cgm-den-empty"), "", "there are rows");
    let built_in = world.dee.get(LIST).await.ok();
    assert!(built_in.has("#cgm-den-loading > .chat-group-members__row--skeleton"));
    let mut stream = world.dee.raw("/groups/den/events?emptyView=none&scopes=moderator", &[]).await;
    world.ada.kick("cy").await.ok();
    let message = stream.until("the last moderator goes", |message| message.misses("cy")).await;
    assert_eq!(texts(&message.html(), "#cgm-den-empty > div", None), ["nobody fits [] of all all"]);
}

#[tokio::test]
async fn a_refusal_is_drawn_where_the_component_says_it() {
    let (world, _folder) = world(&[("oops", "<em>{{ code }}: {{ title }} – {{ detail }}</em>")]).await;
    let refused = world.dee.htmx_act("/groups/den/members/ada?errorView=oops", &[("_method", "DELETE")]).await;
    let plain = world.dee.htmx_act("/groups/den/members/ada", &[("_method", "DELETE")]).await;
    let alert = "[role=alert].chat-group-members__error[data-code=ERR_GROUP_NO_CLEARANCE]";
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("hx-retarget"), "#cgm-den-error");
    let (title, detail) = (plain.text(&format!("{alert} > strong")), plain.text(&format!("{alert} > p")));
    assert_eq!(refused.text(&format!("{alert} > em")), format!("ERR_GROUP_NO_CLEARANCE: {title} – {detail}"));
    assert_eq!(refused.attribute(alert, "data-title").as_deref(), Some(title.as_str()), "for the event");
    assert_eq!(refused.attribute(alert, "data-detail").as_deref(), Some(detail.as_str()));
}

#[tokio::test]
async fn options_replace_the_acts_or_stand_among_them() {
    let (world, _folder) = world(&[
        ("instead", "{{ option('message', 'Send a message') }}\n{{ link('/people/' ~ member.uid ~ '?from=' ~ viewer.uid, 'Profile') }}"),
        ("among", "{{ option('message', 'Message ' ~ member.name) }}{{ acts() }}"),
        ("bad", "{{ link('javascript:alert(1)', 'x') }}"),
        ("group", "{{ option('x', group.name ~ ' ' ~ group.membersCount ~ ' ' ~ viewer.scope) }}"),
    ])
    .await;
    let menu = async |actor: &support::Actor, uid: &str, options: &str| {
        actor.htmx(&format!("{LIST}/{uid}?part=menu&options={options}")).await.ok()
    };
    let instead = menu(&world.ben, "dee", "instead").await;
    assert_eq!(instead.text("button[data-option=message].chat-group-members__act"), "Send a message");
    assert_eq!(instead.attribute("a.chat-group-members__act", "href").as_deref(), Some("/people/dee?from=ben"));
    assert!(!instead.has("[data-action]"), "the acts are replaced");
    let among = menu(&world.ben, "dee", "among").await;
    assert_eq!(among.text("button[data-option]"), "Message Dee Dee");
    assert_eq!(among.count("a[data-action]"), 5, "{}", among.body);
    assert!(menu(&world.ben, "dee", "bad").await.has("a[data-action=kick]"), "the built-in menu in its place");
    assert_eq!(menu(&world.cy, "dee", "group").await.text("button"), "The den 5 moderator");
    let eve = world.eve.get(&format!("{LIST}?options=instead")).await.ok();
    assert_eq!(eve.count("li.chat-group-members__row a[href]"), 5, "every row has a menu");
    assert_eq!(
        menu(&world.eve, "eve", "instead").await.attribute("a", "href").as_deref(),
        Some("/people/eve?from=eve")
    );
}

#[tokio::test]
async fn without_scripts_links_lead_on_and_events_are_left_out() {
    let (world, _folder) = world(&[
        ("instead", "{{ option('message', 'Message') }}{{ link('/people/' ~ member.uid, 'Profile') }}"),
        ("among", "{{ link('/people/' ~ member.uid, 'Profile') }}{{ acts() }}"),
    ])
    .await;
    let instead = world.ben.page(&format!("{LIST}/dee?options=instead")).await.ok();
    assert_eq!(instead.text("nav a[href='/people/dee']"), "Profile");
    assert!(!instead.has("[data-option]") && !instead.has("form"));
    let among = world.ben.page(&format!("{LIST}/dee?options=among")).await.ok();
    assert!(among.has("nav a[href='/people/dee']") && among.has("form [data-action=kick]"));
}

#[tokio::test]
async fn a_live_row_is_the_row_that_a_fresh_page_has() {
    let card =
        "\n\n{% if own %}<i>me</i>{% endif %}\r\n<b>{{ member.name }}</b>\n\n{{ viewer.scope }} {{ member.status }}\n";
    let (world, _folder) = world(&[("card", card), ("line", "since {{ member.joinedAt|isodate }}")]).await;
    for view in ["itemView=card", "subtitleView=line&trailingView=card", "itemView=card&hideUserStatus=true"] {
        for viewer in [&world.dee, &world.cy] {
            let mut stream = viewer.raw(&format!("/groups/den/events?{view}"), &[]).await;
            for scope in ["moderator", "participant"] {
                world.ada.set_scope("dee", scope).await.ok();
                let now = format!("ul [data-uid=dee][data-scope={scope}]");
                let message = stream.until("the change", |message| message.has(&now)).await;
                let fresh = viewer.get(&format!("{LIST}?part=rows&{view}")).await.ok();
                assert_eq!(row_of(&message.html(), "dee"), row_of(&fresh.html(), "dee"), "{view} for {}", viewer.uid);
                assert_eq!(
                    row_of(&fresh.html(), "dee").contains("<i>me</i>"),
                    viewer.uid == "dee" && view.contains("card")
                );
            }
        }
    }
}

#[tokio::test]
async fn viewers_of_one_scope_share_bytes_and_others_get_their_own() {
    let (world, _folder) = world(&[("card", "{{ viewer.scope }} {{ own }}")]).await;
    let rows = async |actor: &support::Actor| {
        actor.get(&format!("{LIST}?part=rows&itemView=card&scopes=owner,admin")).await.ok().body
    };
    for _ in 0..3 {
        assert_eq!(rows(&world.dee).await, rows(&world.eve).await);
        assert!(rows(&world.dee).await.contains("participant false"), "{}", rows(&world.dee).await);
        assert!(rows(&world.ada).await.contains("owner true"), "the own row is drawn apart");
        assert!(rows(&world.ben).await.contains("admin false"));
    }
}

#[tokio::test]
async fn a_name_with_markup_is_text_in_every_slot() {
    let say = "{{ member.name }}{% autoescape false %}{{ member.name }}{% endautoescape %}";
    let (world, _folder) = world(&[
        ("say", say),
        ("head", "{{ title }}"),
        ("none", "{{ search }}"),
        ("menu", "{{ option(member.name, member.name) }}{{ link('/?' ~ member.name, member.name) }}"),
    ])
    .await;
    let name = "<img src=x onerror=alert(1)> \"'&";
    world.host_adds("den", "imp", name).await;
    for slot in ["itemView", "subtitleView", "leadingView", "titleView", "trailingView"] {
        let answer = world.dee.get(&format!("{LIST}?{slot}=say")).await.ok();
        assert!(answer.has("li[data-uid=imp]") && !answer.has("img"), "{slot}: {}", answer.body);
        assert!(answer.text("li[data-uid=imp]").contains(&format!("{name}{name}")), "{slot}");
    }
    let marked = "%3Cimg%20src%3Dx%3E";
    let answer = world
        .dee
        .get(&format!("{LIST}?headerView=head&title={marked}&emptyView=none&searchKeyword={marked}"))
        .await
        .ok();
    assert!(
        !answer.has("img") && answer.text("header") == "<img src=x>" && answer.text("#cgm-den-empty") == "<img src=x>"
    );
    let menu = world.dee.htmx(&format!("{LIST}/imp?part=menu&options=menu")).await.ok();
    assert!(!menu.has("img"));
    assert_eq!(menu.attribute("button", "data-option").as_deref(), Some(name));
    assert_eq!(menu.text("a"), name);
}

#[tokio::test]
async fn what_is_not_there_is_refused_with_what_is() {
    let (world, _folder) = world(&[("card", "x"), ("line", "y")]).await;
    let none = World::new().await;
    for slot in Slot::ALL {
        let asked = async |world: &World, name: &str| {
            world.dee.data(&format!("{LIST}?{}={name}", slot.parameter())).await.refused(422, "ERR_VALIDATION").json()["detail"].as_str().unwrap().to_owned()
        };
        let unknown = asked(&world, "crad").await;
        assert!(unknown.starts_with(slot.parameter()) && unknown.contains("card, line"), "{unknown}");
        for name in ["..%2Fcard", "card.html", "%2Fetc%2Fpasswd", &"x".repeat(65)] {
            assert!(asked(&world, name).await.contains("A-Z, a-z, 0-9, _ and -"));
        }
        assert!(asked(&none, "card").await.contains("this service has none"));
        world.dee.get(&format!("{LIST}?{}=", slot.parameter())).await.ok();
        let stream = world.dee.raw(&format!("/groups/den/events?{}=crad", slot.parameter()), &[]).await;
        assert_eq!(stream.status, 422);
    }
}

#[tokio::test]
async fn a_template_that_breaks_floods_or_never_ends_leaves_the_built_in_view() {
    let (world, _folder) = world(&[
        ("broken", "{% if %}"),
        ("typo", "{{ member.nmae }}"),
        ("endless", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"),
        ("flood", "{% for a in range(99) %}{{ 'x' * 9999 }}{% endfor %}"),
        ("fine", "fine"),
    ])
    .await;
    for name in ["broken", "typo", "endless", "flood"] {
        let view = format!("itemView={name}&headerView={name}&loadingView={name}&options={name}");
        let answer = world.ben.get(&format!("{LIST}?{view}")).await.ok();
        assert_eq!(answer.text("li[data-uid=dee] .chat-group-members__name"), "Dee Dee", "{name}");
        assert!(answer.has("h2#cgm-den-title") && answer.has(".chat-group-members__row--skeleton"), "{name}");
        assert!(world.ben.htmx(&format!("{LIST}/dee?part=menu&options={name}")).await.ok().has("[data-action=kick]"));
    }
    assert_eq!(world.ben.get(&format!("{LIST}?itemView=fine")).await.text("li[data-uid=dee]"), "fine");
    let metrics = world.app.metrics_text();
    for name in ["broken", "typo", "endless", "flood"] {
        assert!(
            metrics.contains(&format!("chat_group_members_template_failures_total{{template=\"{name}\"}}")),
            "{name}: {metrics}"
        );
    }
}

#[test]
fn products_of_constants_are_measured_before_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..20 {
        let text = format!("{{{{ 'abc{number}' * 19000000 }}}}{{{{ member.name }}}}");
        fs::write(folder.path().join(format!("p{number}.html")), text).unwrap();
    }
    let largest = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    let before = largest();
    let faults = Folder::open(folder.path()).unwrap().faults();
    assert_eq!(faults.len(), 20);
    assert!(faults.iter().all(|fault| fault.to_string().contains("builds up a text or a list")), "{faults:?}");
    assert!(largest() - before < 50, "{} MiB", largest() - before);
}

#[tokio::test]
async fn a_changed_template_changes_pages_and_open_screens() {
    let (world, folder) = world(&[("card", "old {{ member.name }}"), ("wait", "w")]).await;
    let view = format!("{LIST}?part=rows&itemView=card");
    let first = world.dee.get(&view).await.ok();
    let connect =
        world.dee.get(&format!("{LIST}?itemView=card")).await.attribute("[data-connect]", "data-connect").unwrap();
    let mut stream = world.dee.raw(&connect, &[]).await;
    let mut menu_only = world.dee.raw("/groups/den/events?options=wait", &[]).await;
    let mut other = world.dee.raw("/groups/den/events", &[]).await;
    assert!(!stream.next().await.unwrap().has("[data-note=renew]"), "it is as the page has it");
    folder.put("card", "new {{ member.name }}");
    stream.until("the screen is told", |message| message.has("[data-note=renew]")).await;
    menu_only.until("so is one with other templates", |message| message.has("[data-note=renew]")).await;
    let second = world.dee.get(&view).await.ok();
    assert_eq!(second.text("li[data-uid=eve]"), "new Eve Adams");
    assert_ne!(first.header("etag"), second.header("etag"));
    assert_eq!(world.dee.get_with(&view, &[("if-none-match", first.header("etag"))]).await.status, 200);
    world.ada.set_scope("eve", "moderator").await.ok();
    let message = stream.until("a change", |message| message.shows("eve")).await;
    assert!(row_of(&message.html(), "eve").contains("new Eve Adams"));
    let head = world.head("den").await;
    let others = other.up_to(head).await;
    assert!(!others.iter().any(|message| message.has("[data-note=renew]")), "built-in views stay");
    // The page of before comes back: what it shows is old, although nothing happened in the group.
    let mut back = world.dee.raw(&connect, &[]).await;
    assert!(back.next().await.unwrap().has("[data-note=renew]"));
    folder.put("more", "more");
    eventually("a template that was added is there", async || {
        world.dee.get(&format!("{LIST}?itemView=more")).await.status == 200
    })
    .await;
    folder.remove("more");
    eventually("one that was removed is not", async || {
        world.dee.get(&format!("{LIST}?itemView=more")).await.status == 422
    })
    .await;
}

#[tokio::test]
async fn a_page_kept_for_many_is_not_kept_longer_than_its_template() {
    let (world, folder) = world(&[("card", "old")]).await;
    let view = format!("{LIST}?part=rows&itemView=card&scopes=moderator");
    let mut tags = Vec::new();
    for _ in 0..3 {
        tags.push(world.dee.get(&view).await.ok().header("etag").to_owned());
    }
    assert_eq!(tags[0], tags[2], "nothing happens in the group");
    folder.put("card", "new");
    eventually("the template is read", async || {
        world.dee.get_with(&view, &[("if-none-match", &tags[0])]).await.body.contains(">new<")
    })
    .await;
}

#[tokio::test]
async fn rows_that_say_a_status_are_asked_for_again_by_a_screen_that_comes_back() {
    let (world, _folder) = world(&[("says", "{{ member.status }}"), ("quiet", "{{ member.name }}")]).await;
    let first = async |view: &str| {
        let connect =
            world.dee.get(&format!("{LIST}?{view}")).await.attribute("[data-connect]", "data-connect").unwrap();
        world.dee.raw(&connect, &[]).await.next().await.unwrap().has("[data-note=resync]")
    };
    assert!(first("trailingView=says").await);
    assert!(!first("trailingView=quiet").await);
    assert!(!first("trailingView=says&hideUserStatus=true").await);
}

#[test]
fn the_examples_of_the_manual_work() {
    let folder = Templates(tempfile::tempdir().unwrap());
    let manual = include_str!("../../docs/templates.md");
    let examples: Vec<_> =
        manual.split("```jinja\n").skip(1).map(|rest| rest.split("```").next().unwrap()).enumerate().collect();
    assert!(examples.len() >= 7);
    for (number, text) in &examples {
        folder.put(&format!("example-{number}"), text);
    }
    assert_eq!(Folder::open(&folder.path()).unwrap().faults(), []);
}

/// A host that draws its own.
struct Host;

impl Slots for Host {
    fn names(&self) -> Vec<String> {
        vec!["card".into(), "menu".into()]
    }

    fn row(&self, slot: Slot, name: &str, facts: &RowFacts<'_>) -> Option<String> {
        (slot == Slot::Item && name == "card" && !facts.own).then(|| format!("<b>{}</b>", facts.member.uid()))
    }

    fn header(&self, _: &str, facts: &HeaderFacts<'_>) -> Option<String> {
        Some(format!("<h2>{} of {}</h2>", facts.members, facts.uid?))
    }

    fn options(&self, _: &str, facts: &MenuFacts<'_>) -> Option<String> {
        Some(facts.option("wave", "Wave") + &facts.link("/x", "X").ok()? + facts.acts())
    }
}

#[tokio::test]
async fn a_host_in_rust_draws_the_same_slots() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        database_url: format!("sqlite://{}", folder.path().join("test.db").display()),
        viewer_secrets: vec![Secret::new(SECRET)],
        ..Config::default()
    };
    let both = Config { views: Some(folder.path().into()), ..config.clone() };
    assert!(App::open_with_slots(both, Host).await.is_err(), "one of the two");
    let world = {
        let app = App::open_with_slots(config, Host).await.unwrap();
        World::of(app.clone(), app.clock().clone(), folder).await
    };
    world.seed("den", GroupType::Private, support::CAST).await;
    let answer = world.ada.get(&format!("{LIST}?itemView=card&headerView=card&subtitleView=menu")).await.ok();
    assert_eq!(inside(&answer, "li[data-uid=dee] > .chat-group-members__item"), "<b>dee</b>");
    assert_eq!(answer.text("li[data-uid=ada] .chat-group-members__name"), "Ada Lovelace", "None is the built-in view");
    assert_eq!(answer.text("header > h2"), "7 of ada");
    let menu = world.ada.htmx(&format!("{LIST}/dee?part=menu&options=menu")).await.ok();
    assert!(menu.has("button[data-option=wave]") && menu.has("a[href='/x']") && menu.has("a[data-action=kick]"));
    world.ada.data(&format!("{LIST}?itemView=other")).await.refused(422, "ERR_VALIDATION");
}

#[test]
fn the_doctor_names_file_and_line_of_what_is_wrong() {
    let (database, folder) = (tempfile::tempdir().unwrap(), Templates(tempfile::tempdir().unwrap()));
    let doctor = |views: &Path| run(command(database.path()).args(["doctor", "--views"]).arg(views));
    assert!(run(command(database.path()).arg("migrate")).0);
    folder.put("card", CARD);
    folder.put("menu", "{{ option('a', member.name) }}{{ acts() }}");
    let (sound, output) = doctor(&folder.path());
    assert!(sound && output.contains("templates in"), "{output}");
    folder.put("card", "\n\n{{ member.nmae }}");
    folder.put("broken", "\n{% endif %}");
    let (sound, output) = doctor(&folder.path());
    assert!(!sound && output.contains("WRONG  template card.html:3: "), "{output}");
    assert!(output.contains("WRONG  template broken.html:2: "), "{output}");
    let (sound, output) = doctor(&folder.path().join("none"));
    assert!(!sound && output.contains("--views"), "{output}");
}

#[tokio::test]
async fn the_program_starts_with_a_broken_template_and_says_where() {
    let (database, folder) = (tempfile::tempdir().unwrap(), Templates(tempfile::tempdir().unwrap()));
    folder.put("card", "a\n{% endfor %}");
    assert!(import(database.path(), "den", "uid,name,scope,avatar,joinedAt\nada,Ada,owner,,\n").0);
    let program =
        Program::start(command(database.path()).args(["--listen", "127.0.0.1:0", "--views"]).arg(folder.path()));
    assert!(program.startup_log.iter().any(|line| line.contains("card.html:2: ")), "{:?}", program.startup_log);
    let ada = program.actor("ada");
    assert_eq!(ada.get(&format!("{LIST}?itemView=card")).await.ok().text(".chat-group-members__name"), "Ada");
    folder.put("card", "<b>{{ member.uid }}</b>");
    eventually("the mended template is used", async || {
        ada.get(&format!("{LIST}?itemView=card")).await.text("li b") == "ada"
    })
    .await;
}
