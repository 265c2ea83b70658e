//! What drives, springs and resists a joint, in SI units of the joint: stiffness, damping, targets.
//!
//! A spring that is given by its frequency has the stiffness k = m ω² for the mass that the joint leaves to it, as the
//! physics computes it for the pose of the scene (`softness.rs` of the physics).

use delassus_physics::joints::Servo;
use delassus_physics::row::{Group, RowList, RowSpec, Softness};
use delassus_physics::softness::spring_mass;
use delassus_physics::{Settings, World};
use delassus_scene::Flat;

use crate::model::Drive;

/// Time, s, in which a motor comes to its speed: MuJoCo has no drive that keeps a speed rigidly.
pub const MOTOR_TIME: f64 = 5e-4;

/// The joints of a scene in its pose, to ask for the masses that their rows move.
pub struct Masses {
    world: World,
}

impl Masses {
    pub fn new(flat: &Flat, settings: Settings) -> Self {
        Self { world: flat.world(settings) }
    }

    /// The rows of a joint in the pose of the scene.
    fn rows(&self, joint: usize) -> Vec<RowSpec> {
        let bodies = &self.world.state.bodies;
        let joint = &self.world.state.joints[joint];
        let mut rows = RowList::default();
        joint.rows(&joint.frames(bodies), &mut rows);
        rows.rows
    }

    /// The mass, kg, or inertia, kg m², to which a spring or a motor of a joint refers: of its first row of this group.
    pub fn of(&self, number: usize, group: Group) -> f64 {
        let rows = self.rows(number);
        let Some(row) = rows.iter().find(|row| row.group == group) else { return 0.0 };
        let (joint, bodies) = (&self.world.state.joints[number], &self.world.state.bodies);
        let (a, b) = (&bodies[joint.def.a as usize], &bodies[joint.def.b as usize]);
        f64::from(spring_mass(row, &rows, joint.reference, a, b).of_spring)
    }

    /// The first row of a coupling, as a function of velocities: see [`Self::coupling`].
    fn coupling_row(&self, number: usize) -> Option<RowSpec> {
        self.rows(number).into_iter().find(|row| row.group == Group::Coupling)
    }

    /// J u of the row by which a joint couples its bodies, for velocities of A's and B's centre of mass and angular
    /// velocities; none where it has no such row.
    pub fn coupling(&self, number: usize, [va, wa, vb, wb]: [glam::DVec3; 4]) -> Option<f64> {
        let row = self.coupling_row(number)?;
        Some(f64::from(row.jacobian.speed(va.as_vec3(), wa.as_vec3(), vb.as_vec3(), wb.as_vec3())))
    }

    /// Length that a rod, rope or spring was made with, m.
    pub fn made_length(&self, number: usize) -> f64 {
        f64::from(self.world.state.joints[number].rest_length)
    }

    /// Stiffness, N/m or N·m/rad, and damping, N·s/m or N·m·s/rad, of a spring.
    pub fn spring(&self, number: usize, group: Group, softness: Softness) -> (f64, f64) {
        let mass = self.of(number, group) as f32;
        (f64::from(softness.stiffness(mass)), f64::from(softness.damping(mass)))
    }

    /// A servo as MuJoCo's law, and the constant torque or force that is left where it has neither spring nor damper.
    ///
    /// ```text
    /// τ₀ + k (θ* − θ) + c (ω* − θ') = k (θ* + (τ₀ + c ω*)/k − θ) − c θ'
    /// ```
    pub fn servo(&self, number: usize, servo: Servo, factor: f64) -> (Option<Drive>, f64) {
        let (stiffness, damping) = self.spring(number, Group::Motor, servo.softness);
        let (force, speed) = (f64::from(servo.force), factor * f64::from(servo.speed));
        let target = f64::from(servo.offset) + factor * f64::from(servo.target);
        let cap = cap(servo.cap);
        if stiffness > 0.0 {
            let target = target + (force + damping * speed) / stiffness;
            return (Some(Drive { stiffness, damping, target, cap, ..Drive::NONE }), 0.0);
        }
        if damping > 0.0 {
            let speed = speed + force / damping;
            return (Some(Drive { damping, speed, cap, ..Drive::NONE }), 0.0);
        }
        (None, cap.map_or(force, |cap| force.clamp(-cap, cap)))
    }

    /// A motor as a damper that aims at its speed.
    pub fn motor(&self, number: usize, (speed, most): (f32, f32), factor: f64) -> Drive {
        let damping = self.of(number, Group::Motor) / MOTOR_TIME;
        Drive { damping, speed: factor * f64::from(speed), cap: cap(most), ..Drive::NONE }
    }
}

/// The most that a drive may apply; none if it is unbounded.
fn cap(most: f32) -> Option<f64> {
    (most < delassus_physics::joints::UNBOUNDED).then_some(f64::from(most))
}
