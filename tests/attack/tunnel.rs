//! Bodies thrown at slabs: none may end on the other side, whatever the settings of the contacts.

use delassus::physics::settings::{
    Collide, ContactSource, ContactStabilization, Continuous, Impacts, Method, Settings, Stabilization,
};
use delassus::scene;

use crate::dice::Dice;
use crate::{attack, count, shapes};

/// Seconds that are simulated.
const LONG: f32 = 1.5;

/// Random settings for which `docs/promises.md` promises that nothing passes.
fn settings(dice: &mut Dice) -> Settings {
    let mut settings = Settings::default();
    settings.solver.method = *dice.one(&[Method::GaussSeidel, Method::GaussSeidel, Method::Jacobi, Method::Direct]);
    settings.solver.iterations = *dice.one(&[4, 4, 10, 30]);
    if settings.solver.method == Method::Jacobi {
        // With fewer sweeps Jacobi may not bear an impact, and the doctor says so.
        settings.solver.iterations = settings.solver.iterations.max(10);
    }
    settings.step.rate = *dice.one(&[30.0, 60.0, 60.0, 120.0]);
    settings.step.substeps = *dice.one(&[1, 2, 4, 4, 8]);
    settings.contact.collide = *dice.one(&[Collide::EachStep, Collide::EachSubstep]);
    settings.contact.source = ContactSource::Full;
    settings.contact.continuous = *dice.one(&[Continuous::Speculative, Continuous::TimeOfImpact]);
    settings.contact.impacts = *dice.one(&[Impacts::Simultaneous, Impacts::Propagate]);
    settings.stabilization.method = *dice.one(&[
        Stabilization::Baumgarte,
        Stabilization::Split,
        Stabilization::Nonlinear,
        Stabilization::Soft,
        Stabilization::Rattle,
    ]);
    settings.stabilization.contacts = *dice.one(&[
        ContactStabilization::AsJoints,
        ContactStabilization::Baumgarte,
        ContactStabilization::Split,
        ContactStabilization::Nonlinear,
        ContactStabilization::Soft,
    ]);
    settings
}

/// The floor, with half its extents in x and y, m: one slab, or a row of boxes beside each other.
fn floor(dice: &mut Dice) -> (String, [f32; 2]) {
    let half = *dice.one(&[0.02_f32, 0.05, 0.5]);
    let bodies = if dice.once_in(2) { -1..0 } else { -6..7 };
    let (x, y) = if bodies.len() == 1 { (300.0, 300.0) } else { (1.0, 40.0) };
    let mut text = String::new();
    for k in bodies.clone() {
        let at = if bodies.len() == 1 { 0 } else { 2 * k };
        text += &format!(
            "(name: \"floor{k}\", shape: Box(half: ({x}, {y}, {half})), at: ({at}, 0, -{half}), motion: Static), "
        );
    }
    (text, [bodies.len() as f32 * x, y])
}

#[test]
fn nothing_that_is_thrown_passes_a_slab() {
    attack("throw", count(10), |dice| {
        let size = dice.power(-1.3, 0.3);
        let shape = shapes::shape(dice, size);
        let speed = dice.power(0.0, 2.0);
        let [x, y, u, v] = [0; 4].map(|_| dice.between(-1.0, 1.0));
        let spin = dice.between(0.0, 1.0) * 20.0;
        let (ax, ay, az) = (dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(0.1, 1.0));
        let (floor, [edge_x, edge_y]) = floor(dice);
        let z = 2.0 * size + dice.between(0.1, 3.0);
        let text = format!(
            "(version: 1, title: \"throw\", bodies: [{floor}(name: \"b\", shape: {shape}, at: ({x}, {y}, {z}), \
             rotation: AxisAngle(axis: ({ax}, {ay}, {az}), angle: {}), mass: 1, velocity: ({u}, {v}, -{speed}), \
             angular_velocity: ({}, {}, 0))])",
            3.0 * u,
            spin * u,
            spin * v
        );
        let settings = settings(dice);
        let Ok(loaded) = scene::read_str(&text, "throw.ron") else { return Ok(()) };
        let mut world = loaded.flat.world(settings);
        let body = world.state.bodies.len() - 1;
        for _ in 0..(LONG * settings.step.rate) as u32 {
            world.step();
            let body = &world.state.bodies[body];
            // What bounces sideways at 20 m/s leaves a row over its edge, and may fall there.
            if body.position.x.abs() > edge_x || body.position.y.abs() > edge_y {
                return Ok(());
            }
            if body.position.z < -2.0 * body.solid.thickness.min(0.05) {
                let set = format!("{:?} {:?} {:?}", settings.contact, settings.stabilization, settings.solver);
                return Err(format!(
                    "its centre is at {} after {:.3} s; {:?} {set}\n{text}",
                    body.position.z, world.state.time, settings.step
                ));
            }
        }
        Ok(())
    });
}

/// A ball that moves a third of its radius in a sub-step was not fast enough for its time of impact to be sought, and
/// contacts were searched for only at the next step, when its centre was through.
#[test]
fn a_ball_stops_at_a_slab_for_which_contacts_are_found_once_a_step() {
    let text = "(version: 1, title: \"t\", bodies: [(name: \"floor\", shape: Box(half: (300, 300, 0.02)), at: \
                (0, 0, -0.02), motion: Static), (name: \"b\", shape: Sphere(radius: 0.199), at: (0.1, 0.2, 1.9465), \
                velocity: (0, 0, -14.19971))])";
    let loaded = scene::read_str(text, "slab.ron").expect("a scene");
    for substeps in [2, 4, 8] {
        let mut settings = Settings::default();
        settings.step.substeps = substeps;
        settings.stabilization.method = Stabilization::Soft;
        settings.contact.continuous = Continuous::TimeOfImpact;
        settings.contact.collide = Collide::EachStep;
        let mut world = loaded.flat.world(settings);
        (0..180).for_each(|_| world.step());
        let z = world.state.bodies[2].position.z;
        assert!((z - 0.199).abs() < 0.01, "{substeps} sub-steps: the ball is at {z}");
    }
}
