//! External loads on bodies: the net force and torque across a cut.
//!
//! The cut encloses a set of bodies. Loads on it are the joints and contacts with exactly one end inside, and its
//! weight; forces between two bodies inside cancel. Torques are about the set's centre of mass c,
//!
//! ```text
//! F = Σ f + M g        T = Σ (x − c) × f + τ
//! ```
//! where the force f acts at x, and τ is a couple. By Newton's law F h is the change of the set's momentum in the
//! sub-step. The mouse's pull is left out. Position corrections are, too: they change no velocity.

use glam::Vec3;

use delassus_session::{Motion, Snapshot};

/// A force and a torque about the centre, N and N·m.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wrench {
    pub force: Vec3,
    pub torque: Vec3,
}

impl Wrench {
    fn add(&mut self, lever: Vec3, force: Vec3, couple: Vec3) {
        self.force += force;
        self.torque += lever.cross(force) + couple;
    }
}

/// The loads across a cut, in the last sub-step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Load {
    /// The centre of mass of the bodies inside, m; without dynamic bodies, the mean of their centres.
    pub centre: Vec3,
    /// Mass of the dynamic bodies inside, kg.
    pub mass: f32,
    /// The loads by joints, by contacts, and the weight of the set.
    pub joints: Wrench,
    pub contacts: Wrench,
    pub weight: Wrench,
    /// The numbers of joints and of contact pairs that the cut goes through.
    pub cut: (usize, usize),
}

impl Load {
    /// The sum of all loads.
    pub fn net(&self) -> Wrench {
        let parts = [self.joints, self.contacts, self.weight];
        let sum = |part: fn(&Wrench) -> Vec3| parts.iter().map(part).sum();
        Wrench { force: sum(|w| w.force), torque: sum(|w| w.torque) }
    }
}

/// The loads on these bodies in the last sub-step of `h` seconds, with gravity in m/s²; `None` for an empty set.
pub fn load(snapshot: &Snapshot, bodies: &[u32], gravity: Vec3, h: f32) -> Option<Load> {
    let inside = |id: u32| bodies.contains(&id);
    let set: Vec<_> = bodies.iter().filter_map(|id| snapshot.body(*id)).collect();
    if set.is_empty() || h <= 0.0 {
        return None;
    }
    let mass: f32 = set.iter().filter(|body| body.motion == Motion::Dynamic).map(|body| body.mass).sum();
    let centre = if mass > 0.0 {
        set.iter().map(|body| body.centre * body.mass).sum::<Vec3>() / mass
    } else {
        set.iter().map(|body| body.centre).sum::<Vec3>() / set.len() as f32
    };
    let mut load = Load { centre, mass, ..Load::default() };
    load.weight.force = gravity * mass;
    for joint in &snapshot.joints {
        let sign = match (inside(joint.a), inside(joint.b)) {
            (false, true) => 1.0,
            (true, false) => -1.0,
            _ => continue,
        };
        load.cut.0 += 1;
        let lever = snapshot.place(joint).anchor_b - centre;
        load.joints.add(lever, joint.readout.force * sign, joint.readout.torque * sign);
    }
    let sign = |a: u32, b: u32| match (inside(a), inside(b)) {
        (false, true) => Some(1.0),
        (true, false) => Some(-1.0),
        _ => None,
    };
    let mut pairs = std::collections::BTreeSet::new();
    for point in &snapshot.contacts {
        if let Some(sign) = sign(point.a, point.b).filter(|_| point.impulse != 0.0) {
            pairs.insert((point.a, point.b));
            load.contacts.add(point.position - centre, point.normal * (point.impulse * sign / h), Vec3::ZERO);
        }
    }
    for traction in &snapshot.tractions {
        let Some(sign) = sign(traction.a, traction.b) else { continue };
        let part = |bounded: Option<delassus_physics::touch::BoundedImpulse>| {
            bounded.map_or(Vec3::ZERO, |bounded| bounded.impulse * (sign / h))
        };
        let couple = part(traction.twist) + part(traction.rolling);
        load.contacts.add(traction.position - centre, part(traction.slide), couple);
    }
    load.cut.1 = pairs.len();
    Some(load)
}
