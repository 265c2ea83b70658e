//! Names of bodies and joints: unique, on one line, and not the world's.

use std::collections::{HashMap, HashSet};

use delassus_scene::WORLD;

/// The names that are taken, and from which number on one is free behind a name.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    /// The name, with a number behind it if it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let clean: String =
            name.chars().map(|c| if c.is_control() || c == '`' || c == '"' { ' ' } else { c }).collect();
        let clean = clean.trim();
        let clean = match clean {
            "" => "body",
            WORLD => "world link",
            clean => clean,
        };
        let mut free = clean.to_owned();
        let next = self.next.entry(free.clone()).or_insert(2);
        while !self.taken.insert(free.clone()) {
            free = format!("{clean} {next}");
            *next += 1;
        }
        free
    }
}
