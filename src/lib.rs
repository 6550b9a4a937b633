//! The members of a chat group as server-rendered HTML, live, inside anybody's page.

pub mod app;
pub mod clock;
pub mod domain;
pub mod http;
pub mod live;
pub mod membership;
pub mod roster;
pub mod serve;
pub mod store;
pub mod views;
pub mod cli;
pub mod config;
pub mod identity;
