//! The palette: single bodies, and patterns to start from.

use std::ops::RangeInclusive;

use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::tools::{extent::PatternExtent, hulls};
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::shape::Shape;
use delassus_scene::{Body, ByTime, Chain, ChainJoint, Content, Grid, Pattern, Pyramid, Stack};
use delassus_session::Motion;

/// A single body of the palette.
pub struct PaletteItem {
    pub name: &'static str,
    pub icon: Icon,
    pub(super) shape: fn() -> Shape,
    pub(super) particle: bool,
}

const fn item(name: &'static str, icon: Icon, shape: fn() -> Shape) -> PaletteItem {
    PaletteItem { name, icon, shape, particle: false }
}

/// All single bodies, with similar sizes.
pub const SHAPES: [PaletteItem; 10] = [
    item("Box", Icon::Box, || Shape::Box { half: Vec3::splat(0.5) }),
    item("Plank", Icon::RectangleHorizontal, || Shape::Box { half: Vec3::new(1.0, 0.25, 0.125) }),
    item("Sphere", Icon::Circle, || Shape::Sphere { radius: 0.5 }),
    item("Capsule", Icon::Pill, || Shape::Capsule { radius: 0.25, half_length: 0.5 }),
    item("Cylinder", Icon::Cylinder, || Shape::Cylinder { radius: 0.5, half_length: 0.25 }),
    PaletteItem { particle: true, ..item("Particle", Icon::CircleDot, || Shape::Sphere { radius: 0.1 }) },
    item("Wedge", Icon::TriangleRight, hulls::wedge),
    item("Tetrahedron", Icon::Pyramid, hulls::tetrahedron),
    item("Prism", Icon::Hexagon, hulls::prism),
    item("Rock", Icon::Mountain, hulls::rock),
];

/// A pattern of the palette.
pub struct PatternTemplate {
    pub name: &'static str,
    pub icon: Icon,
    pub what: &'static str,
    /// Label and range of the count, and range of the rows.
    pub counted: &'static str,
    pub counts: RangeInclusive<u32>,
    pub rows: RangeInclusive<u32>,
    /// Label and range of the spacing, m; a single value if there is no choice.
    pub spaced: &'static str,
    pub spacings: RangeInclusive<f32>,
    /// Whether each layer has one fewer than the one below.
    pub falls_off: bool,
    pub begins: PatternExtent,
    pub(super) pattern: fn(Motion, PatternExtent) -> Pattern,
}

const fn extent(count: u32, rows: u32, spacing: f32) -> PatternExtent {
    PatternExtent { count, rows, spacing }
}

/// Patterns. Their motion type is the palette's choice, but a chain always hangs from a static link.
pub const PATTERNS: [PatternTemplate; 5] = [
    PatternTemplate {
        name: "Chain",
        icon: Icon::Link,
        what: "links on ball joints, hanging from the first",
        counted: "Links",
        counts: 2..=200,
        rows: 1..=1,
        spaced: "Each",
        spacings: 0.15..=2.0,
        falls_off: false,
        begins: extent(8, 1, 0.4),
        pattern: chain,
    },
    PatternTemplate {
        name: "Stack",
        icon: Icon::Layers,
        what: "boxes on top of each other",
        counted: "Boxes",
        counts: 2..=60,
        rows: 1..=1,
        spaced: "",
        spacings: 0.0..=0.0,
        falls_off: false,
        begins: extent(5, 1, 0.0),
        pattern: stack,
    },
    PatternTemplate {
        name: "Pyramid",
        icon: Icon::Triangle,
        what: "boxes, one fewer in each layer",
        counted: "At the bottom",
        counts: 2..=30,
        rows: 1..=1,
        spaced: "Spacing",
        spacings: 0.4..=0.75,
        falls_off: true,
        begins: extent(5, 1, 0.45),
        pattern: pyramid,
    },
    PatternTemplate {
        name: "Wall",
        icon: Icon::BrickWall,
        what: "boxes side by side and on top of each other",
        counted: "Boxes",
        counts: 1..=40,
        rows: 1..=30,
        spaced: "",
        spacings: 0.0..=0.0,
        falls_off: false,
        begins: extent(6, 4, 0.0),
        pattern: wall,
    },
    PatternTemplate {
        name: "Dominoes",
        icon: Icon::Tally5,
        what: "tiles in a row",
        counted: "Tiles",
        counts: 2..=200,
        rows: 1..=1,
        spaced: "Spacing",
        spacings: 0.1..=1.0,
        falls_off: false,
        begins: extent(8, 1, 0.3),
        pattern: dominoes,
    },
];

/// A body of a pattern: without a name, its lowest point at z = 0.
fn brick(half: Vec3, motion: Motion) -> Body {
    Body { motion, ..Body::new("", Shape::Box { half }, Vec3::Z * half.z) }
}

fn chain(_: Motion, PatternExtent { count, spacing, .. }: PatternExtent) -> Pattern {
    // A link reaches to its neighbours.
    let radius = 0.06;
    let half_length = 0.5 * spacing - radius;
    let spacing = Vec3::new(0.0, 0.0, -spacing);
    let top = Vec3::new(0.0, 0.0, half_length + radius) - spacing * (count - 1) as f32;
    let joint = ChainJoint {
        kind: JointKind::BallSocket(BallSocket::default()),
        along: 0.5,
        axis: None,
        collide: false,
        breaks: None,
        stabilization: None,
        soft: None,
        by_time: ByTime::Constant,
    };
    let body = Body::new("", Shape::Capsule { radius, half_length }, top);
    Pattern::Chain(Chain { name: String::new(), body, count, spacing, joint, first: Some(Motion::Static), last: None })
}

fn stack(motion: Motion, PatternExtent { count, .. }: PatternExtent) -> Pattern {
    let half = Vec3::splat(0.25);
    let (spacing, stagger) = (Vec3::Z * (2.0 * half.z), Vec3::ZERO);
    Pattern::Stack(Stack { name: String::new(), body: brick(half, motion), count, spacing, stagger })
}

fn pyramid(motion: Motion, PatternExtent { count: base, spacing, .. }: PatternExtent) -> Pattern {
    let half = Vec3::splat(0.2);
    let (across, up) = (Vec3::X * spacing, Vec3::Z * (2.0 * half.z));
    let mut body = brick(half, motion);
    body.at -= across * (0.5 * (base - 1) as f32);
    Pattern::Pyramid(Pyramid { name: String::new(), body, base, across, up })
}

fn wall(motion: Motion, PatternExtent { count, rows, .. }: PatternExtent) -> Pattern {
    let (half, count) = (Vec3::new(0.25, 0.15, 0.15), (count, 1, rows));
    let spacing = half * 2.0;
    let mut body = brick(half, motion);
    body.at.x -= 0.5 * spacing.x * (count.0 - 1) as f32;
    Pattern::Grid(Grid { name: String::new(), count, spacing, of: Content::Body(Box::new(body)) })
}

fn dominoes(motion: Motion, PatternExtent { count, spacing, .. }: PatternExtent) -> Pattern {
    let half = Vec3::new(0.04, 0.15, 0.3);
    let (spacing, stagger) = (Vec3::X * spacing, Vec3::ZERO);
    let mut body = brick(half, motion);
    body.at.x -= 0.5 * spacing.x * (count - 1) as f32;
    Pattern::Stack(Stack { name: String::new(), body, count, spacing, stagger })
}
