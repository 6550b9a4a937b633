//! The table of routes as the service describes it, to hold lists of routes in tests and documents against.

use serde_json::Value;

use super::World;

/// Every method and path of `/openapi.json`, as `("GET", "/groups/{guid}")`.
pub async fn described(world: &World) -> Vec<(String, String)> {
    let document = world.ada.get("/openapi.json").await.ok().json();
    let paths = document["paths"].as_object().expect("the document has paths").iter();
    let of_path = |(path, item): (&String, &Value)| -> Vec<(String, String)> {
        let methods = item.as_object().unwrap().keys().filter(|key| METHODS.contains(&key.as_str()));
        methods.map(|method| (method.to_uppercase(), path.clone())).collect()
    };
    let routes: Vec<_> = paths.flat_map(of_path).collect();
    assert!(routes.len() > 60, "the document names the routes: {routes:?}");
    routes
}

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// The routes of one group for viewers that `listed` has no path of, such as `("PUT", "/groups/den/owner")`.
pub async fn forgotten<'a>(world: &World, listed: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let listed: Vec<_> = listed.into_iter().collect();
    let routes = described(world).await.into_iter().filter(|(_, path)| path.starts_with("/groups/{guid}"));
    let missing = routes
        .filter(|(method, path)| !listed.iter().any(|(of, at)| of == method && is_at(path, at)))
        .map(|(method, path)| format!("{method} {path}"));
    missing.collect()
}

/// Whether a path is one of these, whatever stands for the names in braces.
fn is_at(route: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    route.split('/').count() == path.split('/').count()
        && route.split('/').zip(path.split('/')).all(|(is, at)| is.starts_with('{') || is == at)
}
