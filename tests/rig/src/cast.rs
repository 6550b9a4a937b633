//! The groups, and who is in them.

use std::ops::Range;

/// A group, and how busy it is. Everybody in it is called after it.
#[derive(Clone)]
pub struct Place {
    pub guid: &'static str,
    pub size: usize,
    pub writers: usize,
    /// Milliseconds between two acts of a writer.
    pub pause: Range<u64>,
}

/// The people that each writer acts on. Nobody else does, so that the outcome of every act is known beforehand.
pub const TARGETS: usize = 5;
/// The people who transfer the ownership of a group among themselves; the first owns it at the start.
pub const SUCCESSORS: usize = 3;
/// The people who only observe and are never acted on, participants and moderators.
pub const OBSERVERS: usize = 6;

/// The groups of the host, which nobody else acts in.
pub const HOSTED: [&str; 3] = ["jetty", "pier", "quay"];

/// Four small groups, a large one, and one where all happens at once.
pub fn places() -> Vec<Place> {
    let place = |guid, size, writers, pause| Place { guid, size, writers, pause };
    vec![
        place("anchor", 30, 1, 300..900),
        place("birch", 30, 1, 300..900),
        place("cedar", 30, 1, 300..900),
        place("delta", 30, 1, 300..900),
        place("harbour", 500, 4, 200..600),
        place("plaza", 60, 6, 40..160),
    ]
}

impl Place {
    pub fn successor(&self, number: usize) -> String {
        format!("{}-heir{number}", self.guid)
    }

    /// The admin in whose name a writer acts.
    pub fn writer(&self, number: usize) -> String {
        format!("{}-writer{number}", self.guid)
    }

    pub fn target(&self, writer: usize, number: usize) -> String {
        format!("{}-target{writer}{number}", self.guid)
    }

    /// Even ones are participants, odd ones moderators.
    pub fn observer(&self, number: usize) -> String {
        format!("{}-watcher{}", self.guid, number % OBSERVERS)
    }

    /// What `import` reads.
    pub fn csv(&self) -> String {
        let mut lines = vec!["uid,name,scope,avatar,joinedAt".to_owned()];
        let mut add = |uid: String, scope: &str| {
            // Neighbours in the list are not neighbours in number.
            let name = format!("{} {}", NAMES[lines.len() * 7 % NAMES.len()], lines.len());
            lines.push(format!("{uid},{name},{scope},,1700000000"));
        };
        for successor in 0..SUCCESSORS {
            add(self.successor(successor), if successor == 0 { "owner" } else { "admin" });
        }
        for writer in 0..self.writers {
            add(self.writer(writer), "admin");
            for target in 0..TARGETS {
                add(self.target(writer, target), "participant");
            }
        }
        for observer in 0..OBSERVERS {
            add(self.observer(observer), if observer % 2 == 0 { "participant" } else { "moderator" });
        }
        let others = (self.size + 1).saturating_sub(SUCCESSORS + self.writers * (TARGETS + 1) + OBSERVERS + 1);
        for other in 0..others {
            add(format!("{}-other{other}", self.guid), "participant");
        }
        lines.join("\n") + "\n"
    }
}

const NAMES: [&str; 12] = ["Ada", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Åsa"];
