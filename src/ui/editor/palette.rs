//! What can be spawned: single bodies, patterns to start from, and the library's parts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use lucide_icons::Icon;

use super::hulls;
use crate::physics::joints::{BallSocket, JointKind};
use crate::physics::shape::{Shape, Solid};
use crate::scene::{Body, Chain, Content, Grid, Link, Part, Pattern, Pyramid, Scene, Stack, expand};
use crate::session::{Edit, Motion, Pose};

/// A single body of the palette.
pub struct Item {
    pub name: &'static str,
    pub icon: Icon,
    shape: fn() -> Shape,
    particle: bool,
}

const fn item(name: &'static str, icon: Icon, shape: fn() -> Shape) -> Item {
    Item { name, icon, shape, particle: false }
}

/// All single bodies, sized to stand beside each other.
pub const SHAPES: [Item; 10] = [
    item("Box", Icon::Box, || Shape::Box { half: Vec3::splat(0.5) }),
    item("Plank", Icon::RectangleHorizontal, || Shape::Box { half: Vec3::new(1.0, 0.25, 0.125) }),
    item("Sphere", Icon::Circle, || Shape::Sphere { radius: 0.5 }),
    item("Capsule", Icon::Pill, || Shape::Capsule { radius: 0.25, half_length: 0.5 }),
    item("Cylinder", Icon::Cylinder, || Shape::Cylinder { radius: 0.5, half_length: 0.25 }),
    Item { particle: true, ..item("Particle", Icon::CircleDot, || Shape::Sphere { radius: 0.1 }) },
    item("Wedge", Icon::TriangleRight, hulls::wedge),
    item("Tetrahedron", Icon::Pyramid, hulls::tetrahedron),
    item("Prism", Icon::Hexagon, hulls::prism),
    item("Rock", Icon::Mountain, hulls::rock),
];

/// A pattern of the palette.
pub struct Template {
    pub name: &'static str,
    pub icon: Icon,
    pub what: &'static str,
    pattern: fn(Motion) -> Pattern,
}

/// Patterns to start from. What moves them is the palette's choice, but a chain always hangs from a link that stands still.
pub const PATTERNS: [Template; 5] = [
    Template {
        name: "Chain",
        icon: Icon::Link,
        what: "8 links on ball joints, hanging from the first",
        pattern: chain,
    },
    Template { name: "Stack", icon: Icon::Layers, what: "5 boxes on each other", pattern: stack },
    Template { name: "Pyramid", icon: Icon::Triangle, what: "15 boxes, 5 at the bottom", pattern: pyramid },
    Template { name: "Wall", icon: Icon::BrickWall, what: "6 by 4 boxes", pattern: wall },
    Template { name: "Dominoes", icon: Icon::Tally5, what: "8 tiles in a row", pattern: dominoes },
];

/// What the spawn tool places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An entry of [`SHAPES`].
    Shape(usize),
    /// An entry of [`PATTERNS`].
    Pattern(usize),
    /// The scene file of a part.
    Part(PathBuf),
}

impl Default for Choice {
    fn default() -> Self {
        Self::Shape(0)
    }
}

/// What a choice will look like: its bodies about its origin.
#[derive(Clone)]
pub struct Stencil {
    pub choice: Choice,
    pub bodies: Vec<(Arc<Solid>, Pose)>,
    /// The bodies that come to rest on what is under them, by their place in `bodies`; none where nothing of it moves, and
    /// then its origin says where it stands.
    pub stands: Vec<usize>,
}

impl Stencil {
    /// The stencil of a choice.
    ///
    /// # Errors
    /// Why the part's file makes no bodies, in one line.
    pub fn of(choice: &Choice) -> Result<Self, String> {
        if let Choice::Shape(index) = *choice {
            let pose = Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY };
            let bodies = solid(index).map(|solid| (solid, pose)).into_iter().collect();
            return Ok(Self { choice: choice.clone(), bodies, stands: vec![0] });
        }
        let mut scene = Scene::default();
        match choice {
            Choice::Pattern(index) => scene.patterns.push(Pattern::clone(&(template(*index).pattern)(Motion::Dynamic))),
            Choice::Part(path) => scene.parts.push(part(path, Vec3::ZERO)),
            Choice::Shape(_) => {}
        }
        // Without a name of its own the pattern's members would have none.
        scene.patterns.iter_mut().for_each(|p| *p.name_mut() = p.noun().to_owned());
        let flat =
            expand(&scene, Path::new("")).map_err(|m| m.first().map_or_else(String::new, ToString::to_string))?;
        let pose = |body: &crate::physics::body::BodyDef| Pose {
            position: body.position - body.rotation * body.solid.centre,
            rotation: body.rotation,
        };
        let bodies = flat.bodies.iter().map(|b| (b.def.solid.clone(), pose(&b.def))).collect();
        let moves = |(i, b): (usize, &crate::scene::FlatBody)| (b.def.motion != Motion::Static).then_some(i);
        Ok(Self { choice: choice.clone(), bodies, stands: flat.bodies.iter().enumerate().filter_map(moves).collect() })
    }
}

/// The edit that places a choice with its origin at a point of the world.
pub fn placed(choice: &Choice, motion: Motion, at: Vec3) -> Edit {
    match choice {
        Choice::Shape(index) => {
            let item = &SHAPES[(*index).min(SHAPES.len() - 1)];
            let mut body = Body::new(item.name.to_lowercase(), (item.shape)(), at);
            body.motion = motion;
            body.particle = item.particle && motion == Motion::Dynamic;
            Edit::Add { bodies: vec![body], joints: vec![] }
        }
        Choice::Pattern(index) => {
            let mut pattern = (template(*index).pattern)(motion);
            template(*index).name.to_lowercase().clone_into(pattern.name_mut());
            if let Some(body) = pattern.body_mut() {
                body.at += at;
            }
            Edit::AddGroups { patterns: vec![pattern], parts: vec![] }
        }
        Choice::Part(path) => Edit::AddGroups { patterns: vec![], parts: vec![part(path, at)] },
    }
}

fn part(path: &Path, at: Vec3) -> Part {
    Part { name: String::new(), file: path.display().to_string(), at, rotation: Default::default() }
}

fn template(index: usize) -> &'static Template {
    &PATTERNS[index.min(PATTERNS.len() - 1)]
}

/// The solid of a single body; the same one each time, so that its mesh is made once.
pub fn solid(index: usize) -> Option<Arc<Solid>> {
    static SOLIDS: OnceLock<Vec<Option<Arc<Solid>>>> = OnceLock::new();
    let solids = SOLIDS.get_or_init(|| SHAPES.iter().map(|item| (item.shape)().solid().map(Arc::new)).collect());
    solids.get(index).cloned().flatten()
}

/// A body of a pattern: without a name, its lower side at z = 0.
fn brick(half: Vec3, motion: Motion) -> Body {
    Body { motion, ..Body::new("", Shape::Box { half }, Vec3::Z * half.z) }
}

fn chain(_: Motion) -> Pattern {
    let (radius, half_length, count) = (0.06, 0.14, 8);
    let spacing = Vec3::new(0.0, 0.0, -0.4);
    let top = Vec3::new(0.0, 0.0, half_length + radius) - spacing * (count - 1) as f32;
    let joint = Link {
        kind: JointKind::BallSocket(BallSocket::default()),
        along: 0.5,
        axis: None,
        collide: false,
        breaks: None,
        stabilization: None,
    };
    let body = Body::new("", Shape::Capsule { radius, half_length }, top);
    Pattern::Chain(Chain { name: String::new(), body, count, spacing, joint, first: Some(Motion::Static), last: None })
}

fn stack(motion: Motion) -> Pattern {
    let half = Vec3::splat(0.25);
    let (spacing, stagger) = (Vec3::Z * (2.0 * half.z), Vec3::ZERO);
    Pattern::Stack(Stack { name: String::new(), body: brick(half, motion), count: 5, spacing, stagger })
}

fn pyramid(motion: Motion) -> Pattern {
    let (half, base) = (Vec3::splat(0.2), 5);
    let (across, up) = (Vec3::X * 0.45, Vec3::Z * (2.0 * half.z));
    let mut body = brick(half, motion);
    body.at -= across * (0.5 * (base - 1) as f32);
    Pattern::Pyramid(Pyramid { name: String::new(), body, base, across, up })
}

fn wall(motion: Motion) -> Pattern {
    let (half, count) = (Vec3::new(0.25, 0.15, 0.15), (6, 1, 4));
    let spacing = half * 2.0;
    let mut body = brick(half, motion);
    body.at.x -= 0.5 * spacing.x * (count.0 - 1) as f32;
    Pattern::Grid(Grid { name: String::new(), count, spacing, of: Content::Body(Box::new(body)) })
}

fn dominoes(motion: Motion) -> Pattern {
    let (half, count) = (Vec3::new(0.04, 0.15, 0.3), 8);
    let (spacing, stagger) = (Vec3::X * 0.3, Vec3::ZERO);
    let mut body = brick(half, motion);
    body.at.x -= 0.5 * spacing.x * (count - 1) as f32;
    Pattern::Stack(Stack { name: String::new(), body, count, spacing, stagger })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_body_is_a_solid_of_a_size_to_handle() {
        for (i, item) in SHAPES.iter().enumerate() {
            let solid = solid(i).unwrap_or_else(|| panic!("{} is no solid", item.name));
            let least = if item.particle { 0.004 } else { 0.05 };
            assert!((least..=2.0).contains(&solid.volume), "{}: {} m³", item.name, solid.volume);
        }
    }

    #[test]
    fn every_pattern_stands_on_its_origin_in_the_middle() {
        for (i, template) in PATTERNS.iter().enumerate() {
            let stencil = Stencil::of(&Choice::Pattern(i)).expect(template.name);
            assert!(stencil.bodies.len() >= 5, "{}", template.name);
            let lowest = (stencil.stands.iter().map(|&i| &stencil.bodies[i]))
                .map(|(solid, pose)| pose.position.z - super::super::spawn::support(solid, -Vec3::Z))
                .fold(f32::INFINITY, f32::min);
            assert!(lowest.abs() < 1e-4, "{} begins at z = {lowest}", template.name);
            let middle = stencil.bodies.iter().map(|(_, p)| p.position.x).sum::<f32>() / stencil.bodies.len() as f32;
            assert!(middle.abs() < 1e-4, "{} has its middle at x = {middle}", template.name);
        }
    }
}
