//! Names of bodies and joints: unique, on one line, and not the world's.

use std::collections::HashSet;

use delassus_scene::WORLD;

/// The names that are taken.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

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
        let numbered = (2..).map(|number| format!("{clean} {number}"));
        let mut all = std::iter::once(clean.to_owned()).chain(numbered);
        let free = all.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}
