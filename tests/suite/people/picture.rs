//! Pictures that the host gives people, as whoever watches sees them.

use reqwest::Method;
use serde_json::json;

use super::{host, world};

#[tokio::test]
async fn a_picture_that_the_host_gives_or_takes_is_seen_live_in_every_group_of_the_person() {
    let world = world().await;
    let mut watched = Vec::new();
    for group in ["den", "park", "vault"] {
        let data = world.eve.raw(&format!("/groups/{group}/events?format=json"), &[]).await;
        let screen = world.dee.raw(&format!("/groups/{group}/events"), &[]).await;
        watched.push((group, world.head(group).await, data, screen));
    }
    for (events, picture) in [(1, Some("https://pictures.example/ben.png")), (2, None)] {
        host(&world, Method::PUT, "/v3/users/ben", Some(json!({"avatar": picture}))).await.ok();
        for (group, head, data, screen) in &mut watched {
            let message = data.up_to(*head + events).await.pop().unwrap();
            let event = message.json();
            assert_eq!((message.name(), &event["group"]), ("member_updated", &json!(group)));
            let ben = &event["member"];
            assert_eq!(
                (&ben["uid"], &ben["name"], &ben["avatar"]),
                (&json!("ben"), &json!("Ben Okri"), &json!(picture)),
                "{group}"
            );
            let shown = screen.up_to(*head + events).await.pop().unwrap();
            assert!(shown.shows("ben"), "{group}: {shown:?}");
            assert_eq!(shown.attribute("li[data-uid=ben] img", "src").as_deref(), picture, "{group}");
        }
    }
}
