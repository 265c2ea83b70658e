//! The scenes that every engine is given, defined in one place. Metres, kilograms, z up.

use glam::Vec3;

pub enum Shape {
    Ball(f32),
    /// Half sides.
    Box(Vec3),
    /// Radius, and half the length of its axis, along z.
    Capsule(f32, f32),
}

pub struct Body {
    pub shape: Shape,
    pub at: Vec3,
    pub mass: f32,
}

pub enum Kind {
    Ball,
    /// Stops, rad.
    Hinge(f32, f32),
    /// The greatest swing and twist, rad.
    ConeTwist(f32, f32),
    Fixed,
}

/// A joint at a world point, about a world axis; without `a`, it is attached to the world.
pub struct Joint {
    pub a: Option<usize>,
    pub b: usize,
    pub anchor: Vec3,
    pub axis: Vec3,
    pub kind: Kind,
}

/// What is simulated.
pub struct Scene {
    pub name: String,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    /// Whether bodies collide with each other and with a floor at z = 0; μ = 0.5, no bounce.
    pub collide: bool,
    /// The number of steps before the measurement, and during it.
    pub warm: usize,
    pub steps: usize,
}

impl Scene {
    /// The scene with this name and number, as in `pyramid 20`.
    pub fn named(words: &str) -> Option<Self> {
        let (kind, count) = words.split_once(' ')?;
        let count = count.parse().ok()?;
        match kind {
            "chains" => Some(chains(count)),
            "mixed" => Some(mixed(count)),
            "pyramid" => Some(pyramid(count)),
            "heap" => Some(heap(count)),
            "ragdolls" => Some(ragdolls(count)),
            _ => None,
        }
    }
}

/// Gravity, m/s², and the step, s.
pub const G: f32 = 9.81;
pub const H: f32 = 1.0 / 60.0;

/// The radius of a chain's beads, and their spacing, m.
pub const BEAD: f32 = 0.1;
pub const SPACING: f32 = 0.25;
pub const BEADS: usize = 40;

/// This many chains of 40 beads, released level.
fn chains(count: usize) -> Scene {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for chain in 0..count {
        let pin = Vec3::new(0.0, (chain % 50) as f32 * 0.4, (chain / 50) as f32 * 0.4);
        for bead in 0..BEADS {
            let anchor = pin + Vec3::X * (SPACING * bead as f32);
            let index = bodies.len();
            bodies.push(Body { shape: Shape::Ball(BEAD), at: anchor + Vec3::X * (0.5 * SPACING), mass: 1.0 });
            let a = (bead > 0).then(|| index - 1);
            joints.push(Joint { a, b: index, anchor, axis: Vec3::Y, kind: Kind::Ball });
        }
    }
    let name = format!("{count} chains of 40");
    Scene { name, bodies, joints, collide: false, warm: 10, steps: 50 }
}

/// This many chains of 20 to 60 beads, no two neighbours alike: balls, hinges, welds and cones in turn.
fn mixed(count: usize) -> Scene {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for chain in 0..count {
        let pin = Vec3::new(0.0, (chain % 50) as f32 * 0.4, (chain / 50) as f32 * 0.4);
        for bead in 0..20 + chain * 7 % 41 {
            let anchor = pin + Vec3::X * (SPACING * bead as f32);
            let index = bodies.len();
            bodies.push(Body { shape: Shape::Ball(BEAD), at: anchor + Vec3::X * (0.5 * SPACING), mass: 1.0 });
            let a = (bead > 0).then(|| index - 1);
            let (kind, axis) = match (chain + bead) % 4 {
                0 => (Kind::Ball, Vec3::Y),
                1 => (Kind::Hinge(-1.2, 1.2), Vec3::Y),
                2 => (Kind::Fixed, Vec3::Y),
                _ => (Kind::ConeTwist(1.2, 0.8), Vec3::Z),
            };
            joints.push(Joint { a, b: index, anchor, axis, kind });
        }
    }
    let name = format!("{count} chains, all different");
    Scene { name, bodies, joints, collide: false, warm: 10, steps: 50 }
}

fn cube(at: Vec3) -> Body {
    Body { shape: Shape::Box(Vec3::splat(0.5)), at, mass: 1.0 }
}

/// A pyramid of cubes of 1 m, with this many in the lowest row.
fn pyramid(base: usize) -> Scene {
    let cubes = (0..base).flat_map(|row| {
        (0..base - row).map(move |k| {
            let x = (k as f32 - 0.5 * (base - row - 1) as f32) * 1.05;
            cube(Vec3::new(x, 0.0, 0.5 + row as f32))
        })
    });
    let bodies = cubes.collect();
    Scene { name: format!("pyramid of {base}"), bodies, joints: Vec::new(), collide: true, warm: 120, steps: 120 }
}

/// Cubes dropped on each other.
fn heap(count: usize) -> Scene {
    let side = (count as f32).cbrt().ceil() as usize;
    let bodies = (0..count).map(|k| {
        let (x, y, z) = (k % side, k / side % side, k / (side * side));
        // Each layer is shifted sideways, so that no cube rests squarely on another.
        let shift = 0.3 * (z % 3) as f32;
        cube(Vec3::new(1.3 * x as f32 + shift, 1.3 * y as f32 - shift, 0.6 + 1.3 * z as f32))
    });
    let bodies = bodies.collect();
    Scene { name: format!("{count} boxes dropped"), bodies, joints: Vec::new(), collide: true, warm: 60, steps: 60 }
}

/// Ragdolls of six bodies that fall on each other.
fn ragdolls(count: usize) -> Scene {
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for k in 0..count {
        let (column, row, layer) = (k % 5, k / 5 % 2, k / 10);
        let shift = 0.12 * (layer % 3) as f32;
        let at =
            Vec3::new(column as f32 - 2.0 + shift, 0.7 * row as f32 - 0.35 + 0.5 * shift, 1.5 + 2.0 * layer as f32);
        let torso = bodies.len();
        bodies.push(Body { shape: Shape::Box(Vec3::new(0.2, 0.12, 0.3)), at, mass: 30.0 });
        let mut limb = |shape, offset: Vec3, mass, anchor: Vec3, kind| {
            let b = bodies.len();
            bodies.push(Body { shape, at: at + offset, mass });
            joints.push(Joint { a: Some(torso), b, anchor: at + anchor, axis: axis(&kind), kind });
        };
        limb(Shape::Ball(0.12), Vec3::Z * 0.47, 5.0, Vec3::Z * 0.32, Kind::Hinge(-0.6, 0.6));
        for side in [-1.0, 1.0] {
            let (arm, leg) = (Shape::Capsule(0.06, 0.25), Shape::Capsule(0.08, 0.26));
            let shoulder = Vec3::new(side * 0.27, 0.0, 0.28);
            limb(arm, Vec3::new(side * 0.27, 0.0, 0.0), 5.0, shoulder, Kind::ConeTwist(1.2, 0.8));
            let hip = Vec3::new(side * 0.11, 0.0, -0.31);
            limb(leg, Vec3::new(side * 0.11, 0.0, -0.66), 12.0, hip, Kind::Hinge(-1.2, 0.6));
        }
    }
    Scene { name: format!("{count} ragdolls in a heap"), bodies, joints, collide: true, warm: 120, steps: 120 }
}

/// A limb twists about its own length, a hinge turns about the lateral axis.
fn axis(kind: &Kind) -> Vec3 {
    if matches!(kind, Kind::ConeTwist(..)) { Vec3::Z } else { Vec3::X }
}
