//! Sites: the points of bodies between which tendons run, and at which forces act.

use glam::{DQuat, DVec3};

use super::geoms::placed;
use super::tags::{Tag, vector};

/// The sites of all links.
#[derive(Debug, Default)]
pub struct Sites {
    of: Vec<Vec<Tag>>,
    count: usize,
}

impl Sites {
    /// Adds a site of a link, m in its frame, and returns its name: that of what it is for, and a number.
    pub fn add(&mut self, link: usize, at: DVec3, what: &str) -> String {
        self.count += 1;
        let name = format!("{what} {}", self.count);
        if self.of.len() <= link {
            self.of.resize(link + 1, Vec::new());
        }
        self.of[link].push(Tag::new("site").with("name", &name).with("pos", vector(at)));
        name
    }

    /// The same of a site that is turned in the link's frame.
    pub fn add_turned(&mut self, link: usize, at: DVec3, turn: DQuat, what: &str) -> String {
        let name = self.add(link, at, what);
        if let Some(site) = self.of[link].last_mut() {
            *site = placed(Tag::new("site").with("name", &name), at, turn);
        }
        name
    }

    /// The sites of a link.
    pub fn of(&self, link: usize) -> &[Tag] {
        self.of.get(link).map_or(&[], Vec::as_slice)
    }
}
