//! Moves and rotates whole patterns and parts: if all bodies of one move by the same rigid motion, the pattern or
//! part itself is moved and stays one.
//!
//! ```text
//! x' = R x + t        origins; directions and distances by R alone
//! ```
//! A grid's rows run along the world's axes, so it can be moved but not turned.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::Placed;
use crate::names::Names;
use delassus_physics::world::World;
use delassus_scene::{Chain, ChainJoint, Origin, Part, Pattern, Pyramid, Rotation, Scene, Stack};

/// A rotation about the world's origin, then a translation, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rigid {
    pub turn: Quat,
    pub shift: Vec3,
}

impl Rigid {
    /// The motion from one pose to another. Components that are equal up to rounding stay exactly equal.
    pub fn between(from: (Vec3, Quat), to: (Vec3, Quat)) -> Self {
        let turn = same_turn(from.1, to.1).map_or_else(|| (to.1 * from.1.conjugate()).normalize(), |_| Quat::IDENTITY);
        let shift = if turn == Quat::IDENTITY { kept(from.0, to.0) - from.0 } else { to.0 - turn * from.0 };
        Self { turn, shift }
    }

    /// Moves a point of the world, m.
    pub fn point(&self, p: Vec3) -> Vec3 {
        kept(p, self.turn * p + self.shift)
    }

    /// Rotates a direction, or a displacement.
    pub fn direction(&self, d: Vec3) -> Vec3 {
        kept(d, self.turn * d)
    }

    /// Applies the rotation to a body's rotation.
    pub fn rotation(&self, rotation: Rotation) -> Rotation {
        match rotation.quat() {
            Ok(q) if self.turn != Quat::IDENTITY => (self.turn * q).normalize().into(),
            _ => rotation,
        }
    }

    /// Whether two motions are equal up to rounding.
    pub fn is_like(&self, other: &Self) -> bool {
        let apart = self.shift.distance(other.shift);
        self.turn.dot(other.turn).abs() > 1.0 - 1e-6 && apart <= 1e-4 * (1.0 + self.shift.length())
    }
}

/// The old rotation, if the new one is equal up to rounding.
pub fn same_turn(old: Quat, new: Quat) -> Option<Quat> {
    /// Rounding error of a unit quaternion's components.
    const ROUNDING: f32 = 1e-6;
    let near = |new: Quat| (0..4).all(|i| (old.to_array()[i] - new.to_array()[i]).abs() < ROUNDING);
    (near(new) || near(-new)).then_some(old)
}

/// The new coordinates without accumulated rounding: the old value where nothing changed, otherwise a value rounded
/// to six decimals if that is as close. A number that the user did not change thus keeps its text.
pub fn kept(old: Vec3, new: Vec3) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|i| {
        let (old, new) = (old[i], new[i]);
        /// A few rounding errors of a number of that size.
        const ROUNDINGS: f32 = 4.0 * f32::EPSILON;
        let near = |other: f32| (new - other).abs() <= ROUNDINGS * (1.0 + new.abs());
        let short = ((f64::from(new) * 1e6).round() / 1e6) as f32;
        if near(old) {
            old
        } else if near(short) {
            short + 0.0
        } else {
            new
        }
    }))
}

/// The patterns and parts whose bodies are all moved by one common motion that they support, with that motion.
/// `beginning` is the world made from the scene.
pub(crate) fn whole_motions(
    scene: &Scene,
    placed: &[Placed],
    names: &Names,
    beginning: &World,
) -> HashMap<Origin, Rigid> {
    let wanted: HashMap<&str, &Placed> = placed.iter().map(|p| (p.name.as_str(), p)).collect();
    let mut motions: HashMap<Origin, Rigid> = HashMap::new();
    let mut other: HashSet<Origin> = HashSet::new();
    for (id, (name, origin)) in (1..).zip(names.bodies.iter().zip(&names.origins)) {
        if !super::write_out::is_many(origin) || other.contains(origin) {
            continue;
        }
        let body: &delassus_physics::body::Body = &beginning.state.bodies[id];
        let motion = wanted
            .get::<str>(name)
            .map(|to| Rigid::between((body.shape_origin(), body.rotation), (to.at, to.rotation)))
            .filter(|motion| motions.get(origin).is_none_or(|first| first.is_like(motion)));
        match motion {
            Some(motion) => drop(motions.entry(*origin).or_insert(motion)),
            None => drop(other.insert(*origin)),
        }
    }
    motions.retain(|origin, motion| !other.contains(origin) && followed(scene, *origin, motion).is_some());
    motions
}

/// A pattern or part after a motion.
pub(crate) enum Followed {
    Pattern(Box<Pattern>),
    Part(Box<Part>),
}

/// The pattern or part after a motion; `None` if it cannot be moved so.
pub(crate) fn followed(scene: &Scene, origin: Origin, motion: &Rigid) -> Option<Followed> {
    match origin {
        Origin::Part(index) => Some(Followed::Part(Box::new(part(scene.parts.get(index)?, motion)))),
        Origin::Pattern(index) => {
            pattern(scene.patterns.get(index)?, motion).map(|moved| Followed::Pattern(Box::new(moved)))
        }
        _ => None,
    }
}

fn part(part: &Part, motion: &Rigid) -> Part {
    // Fields are listed by name, here and below, so that a new field must be moved here.
    let Part { name, file, at, rotation } = part.clone();
    Part { name, file, at: motion.point(at), rotation: motion.rotation(rotation) }
}

/// The pattern after a motion; `None` if it cannot be moved so.
pub fn pattern(pattern: &Pattern, motion: &Rigid) -> Option<Pattern> {
    let mut moved = pattern.clone();
    if matches!(moved, Pattern::Grid(_)) && motion.turn != Quat::IDENTITY {
        return None;
    }
    if let Some(content) = moved.part_mut() {
        *content = part(content, motion);
    }
    if let Some(body) = moved.body_mut() {
        (body.at, body.rotation) = (motion.point(body.at), motion.rotation(body.rotation));
    }
    match &mut moved {
        Pattern::Chain(Chain { spacing, joint, name: _, body: _, count: _, first: _, last: _ }) => {
            *spacing = motion.direction(*spacing);
            let ChainJoint { kind, axis, along: _, collide: _, breaks: _, stabilization: _, soft: _, by_time: _ } =
                joint;
            // An axis that is left out is z.
            if kind.info().axis && motion.turn != Quat::IDENTITY {
                *axis = Some(motion.direction(axis.unwrap_or(Vec3::Z))).filter(|a| axis.is_some() || *a != Vec3::Z);
            }
        }
        Pattern::Stack(Stack { spacing, stagger, name: _, body: _, count: _ }) => {
            (*spacing, *stagger) = (motion.direction(*spacing), motion.direction(*stagger));
        }
        Pattern::Pyramid(Pyramid { across, up, name: _, body: _, base: _ }) => {
            (*across, *up) = (motion.direction(*across), motion.direction(*up));
        }
        // Rotations were refused above.
        Pattern::Grid(_) => {}
    }
    Some(moved)
}

/// Replaces patterns and parts by their moved versions.
pub(crate) fn move_patterns_and_parts(scene: &mut Scene, motions: &HashMap<Origin, Rigid>) {
    for (origin, motion) in motions {
        match (followed(scene, *origin, motion), *origin) {
            (Some(Followed::Pattern(moved)), Origin::Pattern(index)) => scene.patterns[index] = *moved,
            (Some(Followed::Part(moved)), Origin::Part(index)) => scene.parts[index] = *moved,
            _ => {}
        }
    }
}

/// The motions of all bodies in these patterns and parts, by name.
pub(crate) fn of_members<'a>(names: &'a Names, motions: &HashMap<Origin, Rigid>) -> HashMap<&'a str, Rigid> {
    let members = names.bodies.iter().map(Arc::as_ref).zip(&names.origins);
    members.filter_map(|(name, origin)| Some((name, *motions.get(origin)?))).collect()
}
