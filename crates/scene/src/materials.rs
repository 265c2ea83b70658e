//! The materials of a document by name.

use std::collections::HashMap;

use super::mistake::nearest;
use super::types::Material;

/// The materials of a document, each found at once.
pub(super) struct Materials<'a> {
    by_name: HashMap<&'a str, &'a Material>,
}

impl<'a> Materials<'a> {
    /// Those of a list. Of two with one name, the first counts.
    pub fn new(list: impl Iterator<Item = &'a Material>) -> Self {
        let mut by_name = HashMap::new();
        for material in list {
            by_name.entry(material.name.as_str()).or_insert(material);
        }
        Self { by_name }
    }

    /// The material with this name.
    pub fn get(&self, name: &str) -> Option<&'a Material> {
        self.by_name.get(name).copied()
    }

    /// `, did you mean …?` with a similar name, if there is one.
    pub fn hint(&self, name: &str) -> String {
        let mut names: Vec<&str> = self.by_name.keys().copied().collect();
        names.sort_unstable();
        nearest(name, names)
    }
}
