//! The suite: one binary for everything that goes through the public surface, so that the support is
//! compiled and linked once. Each module is one behaviour.
#![allow(clippy::disallowed_methods, reason = "stands outside of the service, in the real time")]
#![allow(unreachable_pub, reason = "nothing is public in a program")]

mod support;

mod acts;
mod authors;
mod backup;
mod bytes;
mod changes_at_once;
mod component;
mod compression;
mod crowd;
mod docs;
mod doctor;
mod drain;
mod durable;
mod earlier_life;
mod embedding;
mod feed;
mod hardening;
mod hidden;
mod hosted;
mod import;
mod join_and_rename;
mod lang;
mod layers;
mod listen;
mod live;
mod logs;
mod many_mutes;
mod measured;
mod migrations;
mod move_database;
mod mute_visibility;
mod mutes;
mod nodes;
mod notes;
mod outage;
mod outdated;
mod own_ends;
mod pages;
mod peer_nodes;
mod people;
mod presence_exchange;
mod program;
mod props;
mod proxies;
mod races;
mod reload;
mod request_ids;
mod resume;
mod rolling;
mod rules;
mod scope_messages;
mod selection;
mod slots;
mod start;
mod temporary_scopes;
mod traces;
mod undo;
mod undo_since;
mod v3;
mod walks;
mod webhooks;
mod window;
