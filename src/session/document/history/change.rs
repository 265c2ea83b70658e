//! What an edit changed in the document: only what differs, so that a long history of a large scene stays small.
//!
//! ```text
//! Change::between(before, after)      change.undone(after) = before      change.redone(before) = after
//! ```

use std::collections::HashMap;
use std::mem::size_of;

use crate::physics::shape::Shape;
use crate::scene::{Body, Content, Experiment, Joint, Material, Mover, Part, Pattern, Scene};

/// The difference between two scenes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::session) struct Change {
    materials: Vec<Hunk<Material>>,
    bodies: Vec<Hunk<Body>>,
    patterns: Vec<Hunk<Pattern>>,
    parts: Vec<Hunk<Part>>,
    joints: Vec<Hunk<Joint>>,
    experiments: Vec<Hunk<Experiment>>,
    /// All the rest, before and after: scenes whose lists are empty.
    rest: Option<Box<(Scene, Scene)>>,
}

/// Elements of a list that were replaced by others, either of which may be none.
#[derive(Debug, Clone, PartialEq)]
struct Hunk<T> {
    /// Where they stood.
    before_at: usize,
    before: Vec<T>,
    /// Where these stand.
    after_at: usize,
    after: Vec<T>,
}

/// Which way to go.
#[derive(Clone, Copy)]
enum Way {
    Back,
    Forth,
}

impl Change {
    /// What makes one scene of another.
    pub fn between(before: &Scene, after: &Scene) -> Self {
        let (old, new) = (rest(before), rest(after));
        Self {
            materials: hunks(&before.materials, &after.materials),
            bodies: hunks(&before.bodies, &after.bodies),
            patterns: hunks(&before.patterns, &after.patterns),
            parts: hunks(&before.parts, &after.parts),
            joints: hunks(&before.joints, &after.joints),
            experiments: hunks(&before.experiments, &after.experiments),
            rest: (old != new).then(|| Box::new((old, new))),
        }
    }

    /// Whether the two scenes were equal.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The scene before, from the scene after.
    pub fn undone(&self, after: &Scene) -> Scene {
        self.applied(after, Way::Back)
    }

    /// The scene after, from the scene before.
    pub fn redone(&self, before: &Scene) -> Scene {
        self.applied(before, Way::Forth)
    }

    fn applied(&self, scene: &Scene, way: Way) -> Scene {
        let rest = match (&self.rest, way) {
            (Some(pair), Way::Back) => pair.0.clone(),
            (Some(pair), Way::Forth) => pair.1.clone(),
            (None, _) => rest(scene),
        };
        Scene {
            materials: applied(&self.materials, &scene.materials, way),
            bodies: applied(&self.bodies, &scene.bodies, way),
            patterns: applied(&self.patterns, &scene.patterns, way),
            parts: applied(&self.parts, &scene.parts, way),
            joints: applied(&self.joints, &scene.joints, way),
            experiments: applied(&self.experiments, &scene.experiments, way),
            ..rest
        }
    }

    /// Calls things otherwise in the elements before and after.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        let of_parts = |parts: &mut Vec<Part>| {
            let mut scene = Scene { parts: std::mem::take(parts), ..Scene::default() };
            rename(&mut scene);
            *parts = scene.parts;
        };
        self.parts.iter_mut().flat_map(|hunk| [&mut hunk.before, &mut hunk.after]).for_each(of_parts);
        let of_patterns = |patterns: &mut Vec<Pattern>| {
            let mut scene = Scene { patterns: std::mem::take(patterns), ..Scene::default() };
            rename(&mut scene);
            *patterns = scene.patterns;
        };
        self.patterns.iter_mut().flat_map(|hunk| [&mut hunk.before, &mut hunk.after]).for_each(of_patterns);
    }

    /// The memory that it takes, bytes.
    pub fn bytes(&self) -> usize {
        let rest = self.rest.as_ref().map_or(0, |pair| bytes_of_rest(&pair.0) + bytes_of_rest(&pair.1));
        size_of::<Self>()
            + bytes(&self.materials)
            + bytes(&self.bodies)
            + bytes(&self.patterns)
            + bytes(&self.parts)
            + bytes(&self.joints)
            + bytes(&self.experiments)
            + rest
    }
}

/// A scene without its lists. Written out, so that a new field of a scene cannot be forgotten here.
fn rest(scene: &Scene) -> Scene {
    Scene {
        version: scene.version,
        title: scene.title.clone(),
        source: scene.source.clone(),
        about: scene.about.clone(),
        look_for: scene.look_for.clone(),
        expects: scene.expects.clone(),
        settings: scene.settings,
        camera: scene.camera,
        materials: Vec::new(),
        bodies: Vec::new(),
        patterns: Vec::new(),
        parts: Vec::new(),
        joints: Vec::new(),
        experiments: Vec::new(),
    }
}

fn bytes_of_rest(scene: &Scene) -> usize {
    size_of::<Scene>()
        + size_of_val(scene.expects.as_slice())
        + [&scene.title, &scene.source, &scene.about, &scene.look_for].into_iter().map(text).sum::<usize>()
}

/// An element of one of a scene's lists.
trait Listed: Clone + PartialEq {
    /// What it is called, by which it is found again where elements before it have come or gone. Need not be unique.
    fn name(&self) -> [&str; 3];
    /// The memory behind its pointers, bytes.
    fn heap(&self) -> usize;
}

/// What replaces what.
fn hunks<T: Listed>(before: &[T], after: &[T]) -> Vec<Hunk<T>> {
    let mut list: Vec<Hunk<T>> = Vec::new();
    let (mut i, mut j) = (0, 0);
    // Made when it is needed: most edits come or go at the end, or change elements in their places.
    let mut places: Option<HashMap<[&str; 3], usize>> = None;
    loop {
        let from = (i, j);
        match (before.get(i), after.get(j)) {
            (Some(old), Some(new)) if old == new => {
                (i, j) = (i + 1, j + 1);
                continue;
            }
            (Some(old), Some(new)) if before.len() == after.len() || old.name() == new.name() => {
                (i, j) = (i + 1, j + 1)
            }
            (Some(old), Some(_)) => {
                let all = || after.iter().enumerate().rev().map(|(k, t)| (t.name(), k)).collect();
                match places.get_or_insert_with(all).get(&old.name()) {
                    Some(k) if *k > j => j = *k,
                    _ => i += 1,
                }
            }
            (Some(_), None) => i = before.len(),
            (None, Some(_)) => j = after.len(),
            (None, None) => break,
        }
        let (gone, come) = (&before[from.0..i], &after[from.1..j]);
        match list.last_mut() {
            Some(last)
                if last.before_at + last.before.len() == from.0 && last.after_at + last.after.len() == from.1 =>
            {
                last.before.extend_from_slice(gone);
                last.after.extend_from_slice(come);
            }
            _ => list.push(Hunk { before_at: from.0, before: gone.to_vec(), after_at: from.1, after: come.to_vec() }),
        }
    }
    for hunk in &mut list {
        hunk.before.shrink_to_fit();
        hunk.after.shrink_to_fit();
    }
    list.shrink_to_fit();
    list
}

fn applied<T: Clone>(hunks: &[Hunk<T>], list: &[T], way: Way) -> Vec<T> {
    let mut out = Vec::with_capacity(list.len());
    let mut from = 0;
    for hunk in hunks {
        let (at, old, new) = match way {
            Way::Back => (hunk.after_at, &hunk.after, &hunk.before),
            Way::Forth => (hunk.before_at, &hunk.before, &hunk.after),
        };
        out.extend_from_slice(list.get(from..at).unwrap_or_default());
        out.extend_from_slice(new);
        from = at + old.len();
    }
    out.extend_from_slice(list.get(from..).unwrap_or_default());
    out
}

/// What an allocation costs beside its content, bytes.
const ALLOCATION: usize = 16;

fn bytes<T: Listed>(hunks: &[Hunk<T>]) -> usize {
    let of = |list: &[T]| ALLOCATION + size_of_val(list) + list.iter().map(Listed::heap).sum::<usize>();
    hunks.iter().map(|hunk| size_of::<Hunk<T>>() + of(&hunk.before) + of(&hunk.after)).sum()
}

fn text(text: &String) -> usize {
    if text.capacity() == 0 { 0 } else { text.capacity() + ALLOCATION }
}

impl Listed for Body {
    fn name(&self) -> [&str; 3] {
        [&self.name, "", ""]
    }
    fn heap(&self) -> usize {
        let points = |points: &Vec<glam::Vec3>| ALLOCATION + size_of_val(points.as_slice());
        let shape = if let Shape::Hull { points: corners } = &self.shape { points(corners) } else { 0 };
        let mover = if let Some(Mover::Waypoints { points: way, .. }) = &self.mover { points(way) } else { 0 };
        text(&self.name) + self.material.as_ref().map_or(0, text) + shape + mover
    }
}

impl Listed for Joint {
    fn name(&self) -> [&str; 3] {
        [&self.name, &self.a, &self.b]
    }
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.a) + text(&self.b)
    }
}

impl Listed for Material {
    fn name(&self) -> [&str; 3] {
        [&self.name, "", ""]
    }
    fn heap(&self) -> usize {
        text(&self.name)
    }
}

impl Listed for Part {
    fn name(&self) -> [&str; 3] {
        [&self.name, &self.file, ""]
    }
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.file)
    }
}

impl Listed for Experiment {
    fn name(&self) -> [&str; 3] {
        [&self.name, "", ""]
    }
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.about)
    }
}

impl Listed for Pattern {
    fn name(&self) -> [&str; 3] {
        [Pattern::name(self), "", ""]
    }
    fn heap(&self) -> usize {
        let boxed = |size: usize, name: &String, body: &Body| ALLOCATION + size + text(name) + body.heap();
        match self {
            Self::Chain(chain) => text(&chain.name) + chain.body.heap(),
            Self::Stack(stack) => text(&stack.name) + stack.body.heap(),
            Self::Pyramid(pyramid) => text(&pyramid.name) + pyramid.body.heap(),
            Self::Grid(grid) => {
                text(&grid.name)
                    + match &grid.of {
                        Content::Body(body) => ALLOCATION + size_of::<Body>() + body.heap(),
                        Content::Part(part) => part.heap(),
                        Content::Chain(chain) => boxed(size_of_val(&**chain), &chain.name, &chain.body),
                        Content::Stack(stack) => boxed(size_of_val(&**stack), &stack.name, &stack.body),
                        Content::Pyramid(pyramid) => boxed(size_of_val(&**pyramid), &pyramid.name, &pyramid.body),
                    }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn body(name: &str, x: f32) -> Body {
        Body::new(name, Shape::Sphere { radius: 1.0 }, Vec3::new(x, 0.0, 0.0))
    }

    fn scene(bodies: &[(&str, f32)]) -> Scene {
        Scene { bodies: bodies.iter().map(|(name, x)| body(name, *x)).collect(), ..Scene::default() }
    }

    #[test]
    fn every_way_to_change_a_list_goes_back_and_forth() {
        let (a, b, c, d) = (("a", 0.0), ("b", 0.0), ("c", 0.0), ("d", 0.0));
        let lists: [&[(&str, f32)]; 9] = [
            &[],
            &[a],
            &[a, b, c, d],
            &[b, d],
            &[d, c, b, a],
            &[("x", 1.0), a, b, c, d],
            &[a, ("b", 2.0), c, d],
            &[a, a, a],
            &[c, a, ("y", 0.0), d],
        ];
        for from in lists {
            for to in lists {
                let (before, after) = (scene(from), scene(to));
                let change = Change::between(&before, &after);
                assert_eq!(change.redone(&before), after, "{from:?} {to:?}");
                assert_eq!(change.undone(&after), before, "{from:?} {to:?}");
                assert_eq!(change.is_empty(), from == to);
            }
        }
    }

    #[test]
    fn a_change_of_one_body_among_many_is_as_small_as_among_few() {
        let names: Vec<String> = (0..1000).map(|i| format!("body-{i}")).collect();
        let many: Vec<(&str, f32)> = names.iter().map(|name| (name.as_str(), 0.0)).collect();
        let whole = scene(&many);
        let mut moved = whole.clone();
        moved.bodies[500].at.z = 1.0;
        let mut fewer = whole.clone();
        fewer.bodies.retain(|b| !["body-3", "body-400", "body-999"].contains(&b.name.as_str()));
        let mut titled = whole.clone();
        titled.title = "Many".into();
        for other in [&moved, &fewer, &titled] {
            let change = Change::between(&whole, other);
            assert!(change.bytes() < 8192, "{} bytes", change.bytes());
            assert_eq!((&change.redone(&whole), &change.undone(other)), (other, &whole));
        }
    }
}
