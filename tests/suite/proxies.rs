//! The proxy files among the examples publish what people use, and neither what is for operators nor the back end's surface.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::StatusCode;

use crate::support::cluster::free_port;
use crate::support::program::{Program, command};
use crate::support::{client, eventually};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
const KEY: &str = "a-key-of-the-host-for-trying-out";

/// A proxy in the foreground; killed when dropped.
pub struct Balancer(Child);

impl Balancer {
    /// HAProxy by the file for several nodes.
    pub fn start(listen: SocketAddr, internal: SocketAddr, nodes: &[SocketAddr; 3]) -> Balancer {
        let mut haproxy = Command::new("haproxy");
        haproxy.args(["-q", "-f", &format!("{EXAMPLES}/nodes/haproxy.cfg")]);
        haproxy.env("LISTEN", listen.to_string()).env("INTERNAL", internal.to_string());
        for (number, node) in (1..).zip(nodes) {
            haproxy.env(format!("NODE_{number}"), node.to_string());
        }
        Balancer::run(haproxy)
    }

    /// nginx by one of the files, with other addresses and with its own files in `folder`.
    fn nginx(file: &str, folder: &Path, addresses: &[(&str, SocketAddr)]) -> Balancer {
        let mut text = fs::read_to_string(format!("{EXAMPLES}/{file}")).unwrap();
        text = text.replace("/tmp/", &format!("{}/", folder.display()));
        for (written, real) in addresses {
            assert!(text.contains(written), "{file} names {written}");
            text = text.replace(written, &real.to_string());
        }
        // A port alone, where a front end is asked which it is.
        for (written, real) in addresses {
            let port = written.rsplit_once(':').unwrap().1;
            text = text.replace(&format!("!= {port})"), &format!("!= {})", real.port()));
        }
        let conf = folder.join("nginx.conf");
        fs::write(&conf, text).unwrap();
        let mut nginx = Command::new("nginx");
        nginx.args(["-e", "stderr", "-p"]).arg(folder).arg("-c").arg(conf);
        Balancer::run(nginx)
    }

    fn run(mut proxy: Command) -> Balancer {
        // Debian has servers where not every path leads.
        proxy.env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default()));
        Balancer(proxy.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("haproxy and nginx are installed"))
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn free_address() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, free_port()).into()
}

/// What is answered to the host's key, by whatever is there now.
async fn status(front: SocketAddr, path: &str) -> Option<StatusCode> {
    let request = client().get(format!("http://{front}{path}")).header("apikey", KEY);
    Some(request.send().await.ok()?.status())
}

async fn ready(front: SocketAddr, path: &str) {
    eventually("the proxy is there", async || status(front, path).await == Some(StatusCode::OK)).await;
}

/// A service that would answer everything that is asked for below, at a free port.
async fn service(folder: &Path, flags: &[&str]) -> (Program, SocketAddr) {
    let mut serve = command(folder);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--api-key", KEY]).args(flags);
    let program = tokio::task::spawn_blocking(move || Program::start(&mut serve)).await.unwrap();
    let address = reqwest::Url::parse(&program.url).unwrap().port().map(|port| (Ipv4Addr::LOCALHOST, port).into());
    (program, address.unwrap())
}

/// Asks for what is not published, in the ways that a path can be written.
async fn hides(front: SocketAddr, base: &str, hidden: &[&str]) {
    for path in hidden {
        for written in [format!("{base}{path}"), format!("{base}{path}?a=b")] {
            assert_eq!(status(front, &written).await, Some(StatusCode::NOT_FOUND), "{written}");
        }
    }
    // Whatever these are for the proxy, the service does not take them for the path.
    for written in ["//v3/users", "/%76%33/users", "/v3%2Fusers", "//metrics", "/%6Detrics", "//readyz", "/%72eadyz"] {
        let written = format!("{base}{written}");
        assert_ne!(status(front, &written).await, Some(StatusCode::OK), "{written}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shipped_proxies_publish_neither_what_is_for_operators_nor_the_back_ends_surface() {
    let folder = tempfile::tempdir().unwrap();
    let (_service, node) = service(folder.path(), &[]).await;
    for path in ["/metrics", "/readyz", "/v3/users", "/healthz"] {
        assert_eq!(status(node, path).await, Some(StatusCode::OK), "the service itself answers {path}");
    }

    let (listen, internal) = (free_address(), free_address());
    let haproxy = Balancer::start(listen, internal, &[node; 3]);
    ready(listen, "/healthz").await;
    hides(listen, "", &["/metrics", "/readyz", "/v3", "/v3/users", "/v3/groups/den/members"]).await;
    assert_eq!(status(internal, "/v3/users").await, Some(StatusCode::OK), "the back end's own front end");
    hides(internal, "", &["/metrics", "/readyz"]).await;
    drop(haproxy);

    let (listen, internal) = (free_address(), free_address());
    let nodes = ["127.0.0.1:8081", "127.0.0.1:8082", "127.0.0.1:8083"].map(|written| (written, node));
    let fronts = [("127.0.0.1:8080", listen), ("127.0.0.1:8090", internal)];
    let nginx = Balancer::nginx("nodes/nginx.conf", folder.path(), &[&nodes[..], &fronts].concat());
    ready(listen, "/healthz").await;
    hides(listen, "", &["/metrics", "/readyz", "/v3", "/v3/users", "/v3/groups/den/members"]).await;
    assert_eq!(status(internal, "/v3/users").await, Some(StatusCode::OK), "the back end's own front end");
    hides(internal, "", &["/metrics", "/readyz"]).await;
    drop(nginx);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_proxy_of_one_origin_publishes_the_list_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (_service, node) = service(folder.path(), &["--base-path", "/members"]).await;
    let listen = free_address();
    let addresses = [("127.0.0.1:8080", node), ("127.0.0.1:3000", listen)];
    let _nginx = Balancer::nginx("nginx/nginx.conf", folder.path(), &addresses);
    ready(listen, "/members/healthz").await;
    hides(listen, "/members", &["/metrics", "/readyz", "/v3", "/v3/users"]).await;
    assert_eq!(status(node, "/members/v3/users").await, Some(StatusCode::OK), "the back end asks the service itself");
}
