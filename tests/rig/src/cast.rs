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

/// Whom each writer acts on: nobody else does, so that what an act comes to is known beforehand.
pub const TARGETS: usize = 5;
/// Who hands a group around among themselves; the first owns it.
pub const HEIRS: usize = 3;
/// Those who look on and are never acted on, participants and moderators.
pub const WATCHERS: usize = 6;

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
    pub fn heir(&self, number: usize) -> String {
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
    pub fn watcher(&self, number: usize) -> String {
        format!("{}-watcher{}", self.guid, number % WATCHERS)
    }

    /// What `import` reads.
    pub fn csv(&self) -> String {
        let mut lines = vec!["uid,name,scope,avatar,joinedAt".to_owned()];
        let mut add = |uid: String, scope: &str| {
            // Neighbours in the list are not neighbours in number.
            let name = format!("{} {}", NAMES[lines.len() * 7 % NAMES.len()], lines.len());
            lines.push(format!("{uid},{name},{scope},,1700000000"));
        };
        for heir in 0..HEIRS {
            add(self.heir(heir), if heir == 0 { "owner" } else { "admin" });
        }
        for writer in 0..self.writers {
            add(self.writer(writer), "admin");
            for target in 0..TARGETS {
                add(self.target(writer, target), "participant");
            }
        }
        for watcher in 0..WATCHERS {
            add(self.watcher(watcher), if watcher % 2 == 0 { "participant" } else { "moderator" });
        }
        let others = (self.size + 1).saturating_sub(HEIRS + self.writers * (TARGETS + 1) + WATCHERS + 1);
        for other in 0..others {
            add(format!("{}-other{other}", self.guid), "participant");
        }
        lines.join("\n") + "\n"
    }
}

const NAMES: [&str; 12] = ["Ada", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Åsa"];
