//! Names for bodies and joints without one: none that the file gives to another.

use std::collections::HashSet;

use crate::xml::Element;

/// The names that are taken.
#[derive(Default)]
pub struct Names {
    bodies: HashSet<String>,
    joints: HashSet<String>,
}

impl Names {
    /// Those that the elements `worldbody` of a model give.
    pub fn given(worlds: &[Element<'_>]) -> Self {
        let mut names = Self::default();
        let mut next: Vec<Element<'_>> = worlds.to_vec();
        while let Some(element) = next.pop() {
            let taken = match element.name() {
                "body" => Some(&mut names.bodies),
                "joint" | "freejoint" => Some(&mut names.joints),
                _ => None,
            };
            if let (Some(taken), Some(name)) = (taken, element.name_attribute()) {
                taken.insert(name.to_owned());
            }
            next.extend(element.children());
        }
        names
    }

    /// A name for a body: this one, or with a number behind it.
    pub fn body(&mut self, name: String) -> String {
        free(&mut self.bodies, name)
    }

    /// A name for a joint: this one, or with a number behind it.
    pub fn joint(&mut self, name: String) -> String {
        free(&mut self.joints, name)
    }
}

fn free(taken: &mut HashSet<String>, name: String) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name);
    taken.insert(free.clone());
    free
}
