//! The members of a chat group as server-rendered HTML, live, inside anybody's page.

pub mod app;
mod assets;
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
mod http;
pub mod i18n;
pub mod identity;
pub mod live;
pub mod membership;
mod random;
pub mod roster;
pub mod serve;
pub mod slots;
pub mod store;
pub mod views;
mod weighted;
