//! The forces between touching bodies: summed over all points of a pair, or over all contacts of a body.

use std::collections::BTreeMap;

use glam::Vec3;

use super::Snapshot;
use delassus_physics::touch::{BoundedImpulse, ContactPoint, Traction};
use delassus_scene::nearest;

/// Selects contacts, by body numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactPair {
    /// The force of the first body on the second.
    Pair(u32, u32),
    /// The force of all others on this body.
    Body(u32),
}

/// A contact as tables, conditions and plots read it; world frame, from the last sub-step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactView {
    /// The bodies as `a+b`, or the single body whose contacts are summed.
    pub name: String,
    /// Number of points with a normal force.
    pub points: usize,
    /// Total force on B, or on the single body, N.
    pub force: Vec3,
    /// Sum of the points' normal forces, N.
    pub normal: f32,
    /// Force along the surface, N.
    pub friction: Vec3,
    /// Friction torque about the normal, N·m.
    pub twist: Vec3,
    /// Torque against rolling, N·m.
    pub rolling: Vec3,
    /// The deepest overlap, negative for a gap, m; `None` without contact points.
    pub depth: Option<f32>,
    /// The largest used share of the friction bound, 0 to 1; at 1 it slips.
    pub used: f32,
}

impl ContactPair {
    /// Reads `a+b` or a body's name; `body` finds a body by its name.
    pub fn named(name: &str, body: impl Fn(&str) -> Option<u32>) -> Option<Self> {
        if let Some(id) = body(name) {
            return Some(Self::Body(id));
        }
        // Names may contain a plus themselves.
        name.match_indices('+').find_map(|(at, _)| Some(Self::Pair(body(&name[..at])?, body(&name[at + 1..])?)))
    }

    /// Sign of the force for the contact of these bodies: 1 if the force on `b` is wanted, −1 for that on `a`, `None`
    /// if the contact is not selected.
    fn sign(self, a: u32, b: u32) -> Option<f32> {
        match self {
            Self::Pair(one, other) if (one, other) == (a, b) => Some(1.0),
            Self::Pair(one, other) if (one, other) == (b, a) => Some(-1.0),
            Self::Body(body) if body == b => Some(1.0),
            Self::Body(body) if body == a => Some(-1.0),
            _ => None,
        }
    }

    /// Sums these points and tractions of a sub-step of `h` seconds.
    pub fn view(
        self,
        points: impl Iterator<Item = ContactPoint>,
        tractions: impl Iterator<Item = Traction>,
        h: f32,
    ) -> ContactView {
        let mut view = ContactView::default();
        for point in points {
            if let Some(sign) = self.sign(point.a, point.b) {
                view.add_point(&point, sign, h);
            }
        }
        for traction in tractions {
            if let Some(sign) = self.sign(traction.a, traction.b) {
                view.add_traction(&traction, sign, h);
            }
        }
        view
    }
}

impl ContactView {
    fn add_point(&mut self, point: &ContactPoint, sign: f32, h: f32) {
        let force = if h > 0.0 { point.impulse / h } else { 0.0 };
        self.points += usize::from(point.impulse > 0.0);
        self.normal += force;
        self.force += point.normal * (sign * force);
        self.depth = Some(self.depth.map_or(point.depth, |depth| depth.max(point.depth)));
    }

    fn add_traction(&mut self, traction: &Traction, sign: f32, h: f32) {
        let rate = if h > 0.0 { sign / h } else { 0.0 };
        let per_second = |part: Option<BoundedImpulse>| part.map_or(Vec3::ZERO, |part| part.impulse * rate);
        let friction = per_second(traction.slide);
        self.friction += friction;
        self.force += friction;
        self.twist += per_second(traction.twist);
        self.rolling += per_second(traction.rolling);
        self.used = self.used.max(traction.share());
    }
}

/// The number of the body with this name.
pub(super) fn body_called(snapshot: &Snapshot, name: &str) -> Option<u32> {
    snapshot.bodies.iter().find(|body| *body.name == *name).map(|body| body.id)
}

/// An error if the shown scene lacks a body of these contacts.
pub(super) fn missing(snapshot: &Snapshot, name: &str) -> Result<(), String> {
    if ContactPair::named(name, |name| body_called(snapshot, name)).is_some() {
        return Ok(());
    }
    let known = || snapshot.bodies.iter().map(|body| &*body.name);
    let wrong = match name.split_once('+') {
        Some((a, b)) if body_called(snapshot, a).is_some() => b,
        Some((a, _)) => a,
        None => name,
    };
    Err(format!("no body is called `{wrong}`{}", nearest(wrong, known())))
}

/// The contact of these bodies in a snapshot.
pub(super) fn between(snapshot: &Snapshot, of: ContactPair) -> ContactView {
    let (points, tractions) = (snapshot.contacts.iter().copied(), snapshot.tractions.iter().copied());
    let name = match of {
        ContactPair::Pair(a, b) => pair_name(snapshot, a, b),
        ContactPair::Body(id) => name_of(snapshot, id).to_owned(),
    };
    ContactView { name, ..of.view(points, tractions, snapshot.sub_step) }
}

/// All pairs with contact points, ordered by body numbers.
pub fn all(snapshot: &Snapshot) -> BTreeMap<(u32, u32), ContactView> {
    let mut all: BTreeMap<(u32, u32), ContactView> = BTreeMap::new();
    for point in &snapshot.contacts {
        all.entry((point.a, point.b)).or_default().add_point(point, 1.0, snapshot.sub_step);
    }
    for traction in &snapshot.tractions {
        all.entry((traction.a, traction.b)).or_default().add_traction(traction, 1.0, snapshot.sub_step);
    }
    all.iter_mut().for_each(|((a, b), view)| view.name = pair_name(snapshot, *a, *b));
    all
}

/// The name of the contact of two bodies.
pub fn pair_name(snapshot: &Snapshot, a: u32, b: u32) -> String {
    format!("{}+{}", name_of(snapshot, a), name_of(snapshot, b))
}

fn name_of(snapshot: &Snapshot, id: u32) -> &str {
    snapshot.body(id).map_or("world", |body| &*body.name)
}
