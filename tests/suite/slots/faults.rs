//! Templates that are not there or go wrong: what is refused, what is drawn in their place, and who says where the fault is.

use std::fs;
use std::path::Path;

use chat_group_members::slots::{Folder, Slot};

use super::{CARD, LIST, Templates, world};
use crate::support::program::{Program, command, import, run};
use crate::support::{World, eventually};

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

#[test]
fn the_examples_of_the_manual_work() {
    let folder = Templates(tempfile::tempdir().unwrap());
    let manual = include_str!("../../../docs/templates.md");
    let examples: Vec<_> =
        manual.split("```jinja\n").skip(1).map(|rest| rest.split("```").next().unwrap()).enumerate().collect();
    assert!(examples.len() >= 7);
    for (number, text) in &examples {
        folder.put(&format!("example-{number}"), text);
    }
    assert_eq!(Folder::open(&folder.path()).unwrap().faults(), []);
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
    assert!(!sound && output.contains("--views: the folder "), "{output}");
    // What names the folder is named, also where that is a variable.
    let none = folder.path().join("none");
    for arguments in [&["doctor"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let (done, output) = run(command(database.path()).env("CGM_VIEWS", &none).args(arguments));
        assert!(!done && output.contains("CGM_VIEWS: the folder "), "{output}");
    }
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
