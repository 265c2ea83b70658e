//! Contact and friction rows: their Jacobians compared with finite differences, and their bounds.

use delassus_physics::body::{Body, BodyDef, Material};
use delassus_physics::primitives::contact::tangents;
use delassus_physics::row::{ContactPart, Owner, RowId};
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{DQuat, DVec3, EulerRot, Quat, Vec3};

use crate::build::{body, settings};

/// The step of the central difference, s.
const STEP: f64 = 1e-4;

/// The motion of a body: its position, and the velocity and angular velocity with which it continues.
#[derive(Clone, Copy)]
struct Way {
    x: DVec3,
    v: DVec3,
    w: DVec3,
}

impl Way {
    fn of(body: &Body, v: DVec3, w: DVec3) -> Self {
        Self { x: body.position.as_dvec3(), v, w }
    }
    /// Where a point of the body that is at `p` now is after `t` seconds.
    fn point(&self, p: DVec3, t: f64) -> DVec3 {
        self.x + self.v * t + DQuat::from_scaled_axis(self.w * t) * (p - self.x)
    }
    /// Its rotation by then.
    fn turned(&self, t: f64) -> DQuat {
        DQuat::from_scaled_axis(self.w * t)
    }
}

/// Two bodies, one tilted and slightly overlapping the other, after a step that begins at the poses of `world`.
fn touching(shapes: [Shape; 2], assignments: &[&str], turn: f32) -> (World, World) {
    let mut settings = settings(assignments);
    settings.step.gravity = Vec3::ZERO;
    settings.friction.rolling = true;
    let mut before = World::new(settings);
    let material = Material { rolling: 0.05, ..Material::default() };
    let lower = BodyDef { material, ..body(shapes[0].clone(), Vec3::new(0.3, -0.2, 0.1)) };
    let rotation = Quat::from_euler(EulerRot::ZYX, turn, 0.004, -0.003);
    let at = Vec3::new(0.35, -0.15, 0.1 + 0.995);
    let angular_velocity = Vec3::new(0.02, -0.01, 0.03);
    before.add_body(lower);
    before.add_body(BodyDef {
        material,
        rotation,
        angular_velocity,
        velocity: -0.01 * Vec3::Z,
        ..body(shapes[1].clone(), at)
    });
    let mut after = before.clone();
    after.step();
    (before, after)
}

fn cases() -> Vec<(World, World)> {
    let half = Vec3::splat(0.5);
    let shapes = [
        [Shape::Box { half }, Shape::Box { half }],
        [Shape::Box { half }, Shape::Cylinder { radius: 0.4, half_length: 0.5 }],
        [Shape::Sphere { radius: 0.5 }, Shape::Box { half }],
    ];
    let models = ["friction.model=Patch", "friction.model=Coulomb", "friction.model=Pyramid", "friction.model=Cone"];
    let mut cases = Vec::new();
    for shapes in shapes {
        for model in models {
            cases.extend([0.3, 1.1].map(|turn| touching(shapes.clone(), &[model], turn)));
        }
    }
    cases
}

/// J u is the rate of change of what the row holds: the gap along the normal, the sliding of two points, one on each
/// body, and the rotation of one body relative to the other about the normal and the tangents.
#[test]
fn contact_and_friction_rows_are_the_rates_of_gap_slide_and_turn() {
    let mut seen = [0; 4];
    for (before, after) in cases() {
        let (v, w) = (DVec3::new(0.7, -0.4, 0.2), DVec3::new(-0.3, 0.8, 0.5));
        let (a, b) = (Way::of(&before.state.bodies[1], v, w), Way::of(&before.state.bodies[2], -0.6 * w, 1.3 * v));
        let slop = after.settings.contact.slop;
        let (.., manifold) = after.state.contacts.manifolds().next().expect("the two touch");
        let (n, (t1, t2)) = (manifold.normal, tangents(manifold.normal));
        let along = |second: bool| if second { t2 } else { t1 }.as_dvec3();
        for (row, id) in after.system.rows.iter().zip(&after.system.ids) {
            let RowId::Contact { part, .. } = *id else { panic!("{id:?}") };
            // If the distance between them is less than a gap, the two points are practically one.
            let slide = |axis: DVec3, p: Vec3| {
                let p = p.as_dvec3();
                let apart = |t: f64| axis.dot(b.point(p, t) - a.point(p, t));
                (apart(STEP) - apart(-STEP)) / (2.0 * STEP)
            };
            let turn = |axis: DVec3| {
                let turned = |t: f64| axis.dot((b.turned(t) * a.turned(t).inverse()).to_scaled_axis());
                (turned(STEP) - turned(-STEP)) / (2.0 * STEP)
            };
            let (kind, rate) = match part {
                ContactPart::Normal(k) => (0, slide(n.as_dvec3(), manifold.points[k as usize].position)),
                ContactPart::Tangent { at: Some(k), second } => {
                    (1, slide(along(second), manifold.points[k as usize].position))
                }
                ContactPart::Tangent { at: None, second } => (1, slide(along(second), manifold.centre(slop))),
                ContactPart::Twist => (2, turn(n.as_dvec3())),
                ContactPart::Rolling { second } => (3, turn(along(second))),
            };
            seen[kind] += 1;
            let (lin, on_a, on_b) = (row.lin.as_dvec3(), row.ang_a.as_dvec3(), row.ang_b.as_dvec3());
            let speed = lin.dot(b.v - a.v) + on_a.dot(a.w) + on_b.dot(b.w);
            // Where there is a gap, each body's lever arm ends on its own surface, half the gap away.
            let gap: f64 = manifold.points.iter().map(|p| f64::from(p.separation.max(0.0))).fold(0.0, f64::max);
            let most = 1e-5 + gap * (a.w.length() + b.w.length());
            assert!((speed - rate).abs() < most, "{part:?}: J u {speed}, by differences {rate}");
        }
    }
    let enough = seen.iter().zip([12, 12, 4, 12]).all(|(count, least)| *count >= least);
    assert!(enough, "normals, tangents, twists, rolling: {seen:?}");
}

/// Every friction row has one bound, taken from the normals of its own block, and stays within it, whatever the sweep
/// did before.
#[test]
fn every_friction_row_has_one_bound() {
    for (_, after) in cases() {
        for block in &after.system.blocks {
            let Owner::Contact(pair) = block.owner else { panic!("{:?}", block.owner) };
            assert_eq!(
                (after.state.contacts.pairs[pair as usize].a, after.state.contacts.pairs[pair as usize].b),
                (block.a, block.b)
            );
            let (normals, bounds) = block.coupling.contact().expect("a contact");
            let rows = &after.system.rows[block.range()];
            let mut bound_by = vec![0; rows.len()];
            for bound in &after.system.couplings.bounds[bounds.range()] {
                assert!(bound.normals().end <= normals as usize && !bound.normals().is_empty());
                bound.rows().for_each(|row| bound_by[row] += 1);
                let radius = bound.radius(rows);
                let size = rows[bound.rows()].iter().take(2).map(|row| row.impulse * row.impulse).sum::<f32>().sqrt();
                // A pyramid bounds each row by itself; so does torsional friction, with its lever arm.
                let lever = if bound.kind.count() == 1 { 1.0 } else { 1.0 + 1e-4 };
                assert!(size <= radius * lever + 1e-7, "{bound:?}: {size} of {radius}");
            }
            assert!(bound_by[..normals as usize].iter().all(|count| *count == 0));
            assert!(bound_by[normals as usize..].iter().all(|count| *count == 1), "{bound_by:?}");
        }
    }
}
