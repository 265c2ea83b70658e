//! Values that are not finite or have run away: they are recorded with their body and step, and do not spread.

use delassus_physics::body::BodyDef;
use delassus_physics::fault::FaultKind;
use delassus_physics::joints::{BallSocket, Fixed, Hinge, JointKind};
use delassus_physics::metrics::Metrics;
use delassus_physics::settings::Method;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{Random, bead, body, close, cube, floor, joint, run, settings};

/// All numbers of the metrics.
fn numbers(m: &Metrics) -> Vec<f64> {
    let mut all = vec![m.kinetic_energy, m.potential_energy, m.spring_energy, m.joint_error_max, m.joint_error_mean];
    all.extend([m.angular_error_max, m.penetration_max, m.residual, m.sweeps]);
    all.extend(m.radius);
    all.extend(m.momentum.to_array());
    all.extend(m.angular_momentum.to_array());
    all
}

/// What in a world is not finite, if anything.
fn offence(world: &World) -> Option<String> {
    for (index, (body, velocity)) in world.state.bodies.iter().zip(&world.state.velocities).enumerate() {
        if !(body.position.is_finite() && body.rotation.is_finite() && velocity.is_finite()) {
            return Some(format!("body {index}: {} {} {velocity:?}", body.position, body.rotation));
        }
        if (body.rotation.length() - 1.0).abs() > 1e-3 {
            return Some(format!("body {index}: a rotation of length {}", body.rotation.length()));
        }
    }
    if let Some(joint) = world.state.joints.iter().position(|j| !j.readout.is_finite()) {
        return Some(format!("joint {joint}: {:?}", world.state.joints[joint].readout));
    }
    let metrics = world.metrics();
    (!numbers(&metrics).iter().all(|v| v.is_finite())).then(|| format!("{metrics:?}"))
}

#[test]
fn the_first_offence_says_which_body_and_which_step() {
    let mut world = World::new(settings(&[]));
    let bodies: Vec<u32> = (0..4).map(|i| world.add_body(bead(Vec3::X * i as f32))).collect();
    run(&mut world, 0.05);
    assert_eq!(world.report.fault, None);
    world.state.velocities[bodies[2] as usize].angular.y = f32::NAN;
    world.step();
    let fault = world.report.fault.expect("a fault");
    assert_eq!((fault.body, fault.step, fault.kind), (bodies[2], 4, FaultKind::NotFinite));
    assert_eq!(offence(&world), None);
    world.state.velocities[bodies[0] as usize].linear.x = 1e6;
    world.step();
    assert_eq!(world.report.fault, Some(fault), "the first one stays");
    assert_eq!(world.report.stopped, 2);

    let mut world = World::new(settings(&[]));
    let ball = world.add_body(BodyDef { velocity: Vec3::X * 2e5, ..bead(Vec3::ZERO) });
    world.step();
    let fault = world.report.fault.expect("a fault");
    assert_eq!((fault.body, fault.step, fault.kind), (ball, 1, FaultKind::RanAway));
}

/// A body that is not finite is ignored by the bodies that it touches or is joined to.
#[test]
fn a_broken_body_does_not_take_the_others_along() {
    let mut world = World::new(settings(&[]));
    world.add_body(floor());
    let mut above = WORLD;
    for i in 0..4 {
        let link = world.add_body(cube(0.2, Vec3::new(0.0, 0.0, 3.0 - 0.5 * i as f32)));
        let anchor = Vec3::new(0.0, 0.0, 3.25 - 0.5 * i as f32);
        world.add_joint(joint(&world, above, link, anchor, Vec3::Y, JointKind::BallSocket(BallSocket {})));
        above = link;
    }
    run(&mut world, 0.5);
    world.state.velocities[3].linear.z = f32::INFINITY;
    for _ in 0..120 {
        world.step();
        assert_eq!(offence(&world), None);
    }
    assert!(world.report.fault.is_some());
    close("the chain hangs on", world.state.bodies[above as usize].position.z, 1.5, 0.05);
}

/// Inverse inertias of a milligram and of a thousand tonnes, with sizes of a tenth of a millimetre and of a
/// kilometre: 1/(⅔ m a²).
#[test]
fn the_lightest_and_the_heaviest_bodies_turn() {
    for (mass, half) in [(1e-6, 1e-4), (1e-6, 1e-2), (1e6, 1e-3), (1e6, 1e3f32)] {
        let mut world = World::new(settings(&["step.gravity=0,0,0"]));
        let cube = world.add_body(BodyDef { mass, ..cube(half, Vec3::ZERO) });
        let expected = 1.5 / (f64::from(mass) * f64::from(half).powi(2));
        let found = f64::from(world.state.bodies[cube as usize].inv_inertia.x_axis.x);
        assert!((found / expected - 1.0).abs() < 1e-5, "{mass} kg, {half} m: {found}, expected {expected}");
    }
}

/// Bodies of 1e-6 to 1e6 kg and of 1 mm to 100 m, placed and joined at random.
fn extreme(seed: u64) -> World {
    let mut dice = Random(seed);
    let mut world = World::new(settings(&[]));
    let methods = ["GaussSeidel", "Jacobi", "Direct"];
    let ways = ["Off", "Baumgarte", "Split", "Nonlinear", "Soft", "Shake", "Rattle"];
    for assignment in [
        format!("solver.method={}", dice.pick(&methods)),
        format!("stabilization.method={}", dice.pick(&ways)),
        format!("step.rate={}", dice.pick(&[10, 60, 1000])),
        format!("solver.jacobi={}", dice.pick(&["Stable", "MassSplitting", "Manual"])),
        format!("stabilization.hertz={}", dice.pick(&[0.1, 30.0, 10000.0])),
        format!("step.gravity=0,0,-{}", dice.pick(&[0.0, 9.81, 1000.0])),
        format!("contact.max_push={}", dice.pick(&[0.0, 3.0, 1000.0])),
        format!("friction.model={}", dice.pick(&["Patch", "Coulomb", "Pyramid", "Cone", "Off"])),
        format!("contact.continuous={}", dice.pick(&["Off", "Speculative", "TimeOfImpact"])),
    ] {
        world.settings.assign(&assignment).expect("an assignment");
    }
    world.add_body(floor());
    for _ in 0..6 {
        let size = dice.power(-3.0, 2.0);
        let shape = match dice.pick(&[0, 1, 2, 3]) {
            0 => Shape::Sphere { radius: size },
            1 => Shape::Capsule { radius: size * dice.power(-2.0, 0.0), half_length: size },
            2 => Shape::Cylinder { radius: size * dice.power(-2.0, 0.0), half_length: size },
            _ => Shape::Box { half: Vec3::from_array([(); 3].map(|()| size * dice.power(-2.0, 0.0))) },
        };
        let at = dice.vector() * dice.power(-2.0, 1.0) + Vec3::Z * dice.power(-2.0, 1.0);
        world.add_body(BodyDef {
            mass: dice.power(-6.0, 6.0),
            rotation: Quat::from_scaled_axis(dice.vector()),
            velocity: dice.vector() * dice.power(-2.0, 3.0),
            angular_velocity: dice.vector() * dice.power(-2.0, 2.0),
            ..body(shape, at)
        });
    }
    for b in 3..world.state.bodies.len() as u32 {
        let a = if dice.share() < 0.3 { WORLD } else { b - 1 };
        let kinds = [
            JointKind::BallSocket(BallSocket {}),
            JointKind::Fixed(Fixed::default()),
            JointKind::Hinge(Hinge::default()),
        ];
        if dice.share() < 0.7 {
            let anchor = dice.vector() * dice.power(-3.0, 1.0);
            let def = joint(&world, a, b, anchor, dice.vector().normalize_or(Vec3::Y), dice.pick(&kinds));
            world.add_joint(def);
        }
    }
    world
}

/// Whatever the masses, sizes and settings, every pose, velocity, reading and metric is finite.
fn leave_every_number_finite(seeds: impl Iterator<Item = u64>) {
    for seed in seeds {
        let mut world = extreme(seed);
        for step in 0..60 {
            world.step();
            let offence = offence(&world);
            assert_eq!(offence, None, "seed {seed}, step {step}");
        }
    }
}

// Two tests, so that two threads share the longest work of this program.
#[test]
fn extreme_masses_sizes_and_settings_leave_every_number_finite() {
    leave_every_number_finite((0..80).step_by(2));
}

#[test]
fn other_extreme_masses_sizes_and_settings_leave_every_number_finite() {
    leave_every_number_finite((1..80).step_by(2));
}

/// Trees in 32 bits are cut where rounding would make them useless: they stop bodies about twice as often as single
/// anchors do, whereas whole trees of the same worlds stopped four times as many.
#[test]
fn whole_trees_bear_extreme_masses_as_anchors_do() {
    let stopped = |rows: &str| -> usize {
        let worlds = (0..200).map(extreme).filter(|world| world.settings.solver.method == Method::GaussSeidel);
        let run = |mut world: World| {
            world.settings.assign("stabilization.method=Split").expect("a method");
            world.settings.assign(rows).expect("blocks");
            (0..60).for_each(|_| world.step());
            world.report.stopped
        };
        worlds.map(run).sum()
    };
    let (trees, anchors) = (stopped("solver.rows=Tree"), stopped("solver.rows=Block"));
    assert!(2 * trees < 5 * anchors, "trees {trees}, anchors {anchors}");
}
