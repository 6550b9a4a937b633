//! The members of a chat group as server-rendered HTML, live, inside anybody's page.
//!
//! For a host that nests the service in an axum application of its own: [`app::App`] is the service,
//! [`config::Config`] what it is started with, [`serve`] runs it, [`identity`] makes viewer tokens,
//! [`membership`] changes groups without a request, and [`slots::Slots`] is how a host draws parts itself, from
//! the values of [`domain`].
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(
    not(feature = "testing"),
    allow(
        unreachable_pub,
        unused_imports,
        reason = "modules are private without the feature `testing`, and what our tests use in them stays public"
    )
)]

pub mod app;
mod assets;
#[doc(hidden)]
pub mod cli;
pub mod config;
mod content_coding;
mod csv_text;
pub mod domain;
mod http;
pub mod identity;
mod json_faults;
pub mod listener;
mod member_lines;
pub mod membership;
mod open_files;
#[doc(hidden)]
pub mod print;
mod quality_values;
mod random;
mod rate_limiter;
pub mod serve;
pub mod slots;
mod supervisor;
mod telemetry;
mod web_address;

#[cfg(feature = "testing")]
#[doc(hidden)]
pub use http::read_body;

// Public for our own tests and benchmarks alone. Each module is declared twice instead of by a macro, since rustfmt skips files that only a
// macro names.
#[cfg(not(feature = "testing"))]
mod clock;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod clock;
#[cfg(not(feature = "testing"))]
mod i18n;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod i18n;
#[cfg(not(feature = "testing"))]
mod live;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod live;
#[cfg(not(feature = "testing"))]
mod roster;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod roster;
#[cfg(not(feature = "testing"))]
mod store;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod store;
#[cfg(not(feature = "testing"))]
mod views;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod views;
#[cfg(not(feature = "testing"))]
mod webhooks;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod webhooks;
