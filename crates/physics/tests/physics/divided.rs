//! RATTLE steps that are divided into parts where a mechanism whips (`crates/physics/src/divide/mod.rs`).

use delassus_physics::body::{BodyDef, Motion, Velocity};
use delassus_physics::joint::JointDef;
use delassus_physics::joints::*;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3, Vec3A};

use crate::build::{bead, body, cube, joint, run, settings};
use crate::conserving::{bars, swing};

pub const RATE: f32 = 60.0;

/// A bead on a massless arm of 1 m that turns at `omega`, without gravity.
pub fn rotor(omega: f32, assignments: &[&str]) -> World {
    let mut world = World::new(settings(&[&["step.gravity=0,0,0"], assignments].concat()));
    let bead = BodyDef { velocity: Vec3::Y * omega, angular_velocity: Vec3::Z * omega, ..bead(Vec3::X) };
    let bead = world.add_body(bead);
    world.add_joint(joint(&world, WORLD, bead, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {})));
    world
}

/// θ = ω h: a step is divided into the first of 1, 2, 4 … 256 parts for which ω h/parts ≤ max_turn.
#[test]
fn a_bead_on_an_arm_turns_by_omega_h() {
    for (turn, parts) in
        [(0.99, 1), (1.01, 2), (1.99, 2), (2.01, 4), (3.99, 4), (4.01, 8), (20.0, 32), (90.0, 128), (900.0, 256)]
    {
        let bound = 0.1;
        let mut world = rotor(turn * bound * RATE, &["step.max_turn=0.1"]);
        world.step();
        assert_eq!(world.metrics().parts, parts, "ω h = {turn} of the bound");
    }
}

/// Two free balls on a rod, rotating about their common centre as it flies away: each has the speed ω L/2, and the
/// rod misses its circle by b = ½ h ω² L, so that θ² = 4 · ½ (m/2) b²/(2 · ½ m (ω L/2)²) = ω² h². The speed of the
/// centre does not matter.
#[test]
fn a_rod_turns_by_omega_h_however_fast_it_flies() {
    for away in [0.0, 50.0] {
        for (turn, parts) in [(0.98, 1), (1.02, 2)] {
            let omega = turn * 0.1 * RATE;
            let mut world = World::new(settings(&["step.gravity=0,0,0", "step.max_turn=0.1"]));
            let ends = [-0.5f32, 0.5].map(|x| {
                let velocity = Vec3::Y * (omega * x) + Vec3::Z * away;
                world.add_body(BodyDef { velocity, ..bead(Vec3::X * x) })
            });
            let rod = JointKind::Distance(Distance { length: Some(1.0) });
            let def = joint(&world, ends[0], ends[1], Vec3::ZERO, Vec3::Y, rod);
            world.add_joint(JointDef { anchor_a: Vec3::ZERO, anchor_b: Vec3::ZERO, ..def });
            world.step();
            assert_eq!(world.report.parts, parts, "ω h = {turn} of the bound, at {away} m/s");
        }
    }
}

/// A wheel on its own axle has no arm, however fast it turns, so its steps are not divided; nor are those of other
/// methods, with a bound of zero, or of a rotor whose bead presses against a wall.
#[test]
fn what_does_not_whip_is_not_divided() {
    let mut wheel = World::new(settings(&["step.gravity=0,0,0"]));
    let body = BodyDef { angular_velocity: Vec3::Z * 200.0, collide: false, ..cube(0.5, Vec3::ZERO) };
    let body = wheel.add_body(body);
    wheel.add_joint(joint(&wheel, WORLD, body, Vec3::ZERO, Vec3::Z, JointKind::Hinge(Hinge::default())));
    let others = [&["stabilization.method=Split"][..], &["stabilization.method=Shake"], &["step.max_turn=0"]];
    let worlds = others.map(|assignments| rotor(30.0, assignments)).into_iter().chain([wheel]);
    for (number, mut world) in worlds.enumerate() {
        for _ in 0..10 {
            world.step();
            assert_eq!(world.report.parts, 1, "world {number}");
        }
    }
}

/// A cube that spins at s on a cube that turns at Ω about an axis across: their hinge's axis misses its circle by b = ½ h Ω s,
/// and the link turns by φ = √(2 h b) = h √(Ω s) in the step, for which there are as many parts as bring it to 0.25 rad.
#[test]
fn a_hinge_whose_axis_turns_is_divided() {
    for (spin, parts) in [(1.0f32, 1), (100.0, 4), (1000.0, 8)] {
        let turn = 10.0;
        let phi = (turn * spin).sqrt() / RATE;
        assert!(phi <= 0.25 * parts as f32 && (parts == 1 || phi > 0.125 * parts as f32));
        let mut world = World::new(settings(&["step.gravity=0,0,0", "step.max_turn=0.12"]));
        let around = Vec3::Z * turn;
        let carrier = BodyDef { angular_velocity: around, collide: false, ..cube(0.5, Vec3::ZERO) };
        let carrier = world.add_body(carrier);
        let rotor = BodyDef { angular_velocity: around + Vec3::X * spin, collide: false, ..cube(0.5, Vec3::ZERO) };
        let rotor = world.add_body(rotor);
        for (a, b, axis) in [(WORLD, carrier, Vec3::Z), (carrier, rotor, Vec3::X)] {
            world.add_joint(joint(&world, a, b, Vec3::ZERO, axis, JointKind::Hinge(Hinge::default())));
        }
        world.step();
        assert_eq!(world.report.parts, parts, "a spin of {spin} rad/s");
    }
}

/// What the joints of three bars do is what the bars' energy changes by: nothing else acts on them but gravity. Undivided, a
/// crack changes it by joules.
#[test]
fn the_work_of_ideal_joints_is_the_change_of_energy() {
    let mut world = bars(3, &["step.max_turn=0"]);
    let energy = |world: &World| world.metrics().kinetic_energy + world.metrics().potential_energy;
    world.step();
    let (first, before) = (energy(&world), world.state.injected.ideal());
    run(&mut world, 12.0);
    // The energies that are read swing about those of the middles of the steps, between which the work is summed.
    let (steps, mut changed, mut worked) = (480, 0.0, 0.0);
    for _ in 0..steps {
        world.step();
        changed += (energy(&world) - first) / f64::from(steps);
        worked += (world.state.injected.ideal() - before) / f64::from(steps);
    }
    assert!(changed.abs() > 0.4 && (worked / changed - 1.0).abs() < 0.2, "{changed} J, {worked} J of work");
}

/// What a joint through its centre pulls swings nothing, whatever the load: a pendulum has the frequency ω² = g r/(r² +
/// k²), with r = 0 here.
#[test]
fn a_weight_held_by_its_centre_is_not_divided() {
    for kind in [JointKind::BallSocket(BallSocket {}), JointKind::Hinge(Hinge::default())] {
        for aside in [0.0, 1e-6, 1e-3] {
            let mut world = World::new(settings(&["step.gravity=-20.7,3.1,18.8"]));
            let load = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::X * aside) });
            world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind));
            for _ in 0..10 {
                world.step();
                assert_eq!(world.report.parts, 1, "{aside} m aside");
            }
        }
    }
}

/// Steps that are all divided by 256 equal the sub-steps of steps at four times the rate, up to rounding: the poses, and
/// the velocities that are read.
#[test]
fn a_divided_step_is_made_of_smaller_steps() {
    for solver in ["solver.rows=Tree", "solver.method=Direct"] {
        let whirled = |assignments: &[&str]| {
            let mut world = bars(3, &[assignments, &[solver]].concat());
            for (number, velocity) in world.state.velocities.iter_mut().enumerate().skip(1) {
                let arm = Vec3A::X * (number as f32 - 0.5);
                let angular = Vec3A::Y * 6.0;
                *velocity = Velocity { linear: angular.cross(arm), angular };
            }
            world
        };
        let mut divided = whirled(&["step.max_turn=0.0001", "step.substeps=1"]);
        let mut small = whirled(&["step.max_turn=0", "step.rate=240", "step.substeps=64"]);
        for _ in 0..30 {
            divided.step();
            assert_eq!(divided.report.parts, 256, "{solver}");
        }
        run(&mut small, 0.5);
        let poses = divided.state.bodies.iter().zip(&*small.state.bodies);
        let apart = poses.map(|(one, other)| one.position.distance(other.position)).fold(0.0, f32::max);
        let velocities = divided.state.velocities.iter().zip(&*small.state.velocities);
        let differ = velocities.map(|(one, other)| (one.linear - other.linear).length()).fold(0.0, f32::max);
        assert!(apart < 1e-4 && differ < 1e-3, "{solver}: {apart} m and {differ} m/s apart after half a second");
    }
}

/// A velocity change made between a divided step and an undivided one is not lost: it is added to the velocity that
/// the next step continues with.
#[test]
fn a_velocity_change_after_a_divided_step_is_kept() {
    let mut world = rotor(10.0, &["step.max_turn=0.1"]);
    world.step();
    assert_eq!(world.report.parts, 2);
    // Back to 2 rad/s, about the same axis.
    world.state.velocities[1].linear *= 0.2;
    world.state.velocities[1].angular *= 0.2;
    for _ in 0..10 {
        world.step();
        let speed = world.state.velocities[1].linear.length();
        assert!((speed - 2.0).abs() < 1e-4 && world.report.parts == 1, "{speed} m/s in {} parts", world.report.parts);
    }
}

/// Released from the horizontal and from above it, three to five bars keep their energy for a minute. Undivided they
/// lose or gain up to all of it.
#[test]
fn bars_that_crack_like_a_whip_keep_their_energy() {
    for count in [3, 4, 5] {
        let (worst, late, gap) = swing(count, 60, &["solver.rows=Tree"]);
        assert!(worst < 0.05 && late.abs() < 0.05, "{count} bars: off by {worst:.3}, at last by {late:.3}");
        assert!(gap < 1e-5, "{count} bars: a joint opened by {gap:.1e} m");
    }
    let (worst, ..) = swing(4, 60, &["solver.rows=Tree", "step.max_turn=0"]);
    assert!(worst > 0.2, "undivided, four bars are off by {worst:.3} only: is there anything to divide?");
}

/// A copy continues exactly as the world does, also in the middle of a whip's crack, and so does a world that was
/// stepped on trial.
#[test]
fn a_copy_of_a_whip_goes_the_same_way() {
    let mut world = bars(3, &["solver.rows=Tree"]);
    let mut most = 1;
    for _ in 0..600 {
        let mut copy = world.clone();
        world.step();
        copy.step();
        most = most.max(world.report.parts);
        assert_eq!(copy.hash(), world.hash(), "step {}", world.state.step_count);
    }
    assert!(most > 1, "it never cracked");
    assert_eq!(world.state.step_count, 600);
    assert!((world.state.time - 10.0).abs() < 1e-9, "{} s", world.state.time);
}

/// A rope of 24 balls over half a turn of a drum, 1 kg at one end and 20 kg at the other, which runs away with it: the
/// links whip over the drum, and stay closed. In steps of one part they gaped by a link's length.
#[test]
fn a_rope_that_runs_over_a_drum_stays_closed() {
    let mut world = World::new(Settings::default());
    let drum = body(Shape::Cylinder { radius: 0.4, half_length: 0.3 }, Vec3::ZERO);
    let rotation = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    world.add_body(BodyDef { motion: Motion::Static, rotation, ..drum });
    // Around the drum's axis, y, then straight down on both sides.
    let (radius, around) = (0.44f32, 14);
    let length = std::f32::consts::PI * radius / around as f32;
    let place = |k: f32| {
        let (turn, down) = (k.clamp(0.0, around as f32) / around as f32, (-k).max(k - around as f32).max(0.0));
        let angle = std::f32::consts::PI * (1.0 - turn);
        Vec3::new(radius * angle.cos(), 0.0, radius * angle.sin() - length * down)
    };
    let mut last = None;
    for k in -5..=around + 4 {
        let mass = if k == -5 {
            1.0
        } else if k == around + 4 {
            20.0
        } else {
            0.05
        };
        let at = place(k as f32 + 0.5);
        let ball = world.add_body(BodyDef { mass, ..body(Shape::Sphere { radius: 0.035 }, at) });
        if let Some(before) = last {
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, before, ball, place(k as f32), Vec3::Y, kind));
        }
        last = Some(ball);
    }
    let mut worst = 0.0f32;
    for _ in 0..120 {
        world.step();
        worst = worst.max(world.metrics().joint_error_max as f32);
    }
    let end = world.state.bodies[last.unwrap() as usize].position;
    assert!(end.z < -2.0, "the rope runs: {end}");
    assert!(worst < 1e-3, "a joint is open by {worst} m");
}

/// A jack: a rod of 2 kg and 1 m, 20° above the level, between a cart on a level rail, which a motor holds, and 800 kg
/// on an upright one. By virtual work the motor bears (M + m/2) g cot α. The rod would swing fast under such a load,
/// but nothing moves.
#[test]
fn what_stands_still_under_a_great_load_is_not_divided() {
    let (alpha, load, rod) = (20f64.to_radians(), 800.0, 2.0);
    let (x, z) = (alpha.cos(), alpha.sin());
    let scene = format!(
        "(version: 1, title: \"jack\", bodies: [
            (name: \"cart\", shape: Sphere(radius: 0.05), at: ({x}, 0, 0), mass: 1, collide: false),
            (name: \"load\", shape: Sphere(radius: 0.2), at: (0, 0, {z}), mass: {load}, collide: false),
            (name: \"rod\", shape: Cylinder(radius: 0.02, half_length: 0.5), at: ({}, 0, {}), mass: {rod}, collide: false,
             rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(-70)))],
        joints: [
            (name: \"drive\", b: \"cart\", axis: (1, 0, 0), kind: Prismatic(motor: (speed: 0, max_force: 1e5))),
            (name: \"guide\", b: \"load\", axis: (0, 0, 1), kind: Prismatic),
            (a: \"cart\", b: \"rod\", anchor: ({x}, 0, 0), axis: (0, 1, 0), kind: Hinge),
            (a: \"rod\", b: \"load\", anchor: (0, 0, {z}), axis: (0, 1, 0), kind: Hinge)])",
        0.5 * x,
        0.5 * z
    );
    let loaded = delassus_scene::read_str(&scene, "jack.ron").expect("a scene");
    let mut world = loaded.flat.world(Settings::default());
    let right = (load + 0.5 * rod) * 9.81 / alpha.tan();
    for step in 0..120 {
        world.step();
        assert_eq!(world.report.parts, 1, "step {step}");
        let force = f64::from(world.state.joints[0].readout.motor);
        assert!((force.abs() - right).abs() < 1e-4 * right, "step {step}: {force} N, right {right} N");
    }
}

/// A top on a floor without friction: its centre stays where it is, and the weight m g turns its axis at the Ω for which
/// I₃ ω Ω = m g l, right to a percent for a fast top. It nutates at ω I₃/I₁, by 2 to 4 rad in a sub-step, so its steps are
/// divided. And a spin in one place is no impact: the search for fast bodies that pass through others stopped it for most of
/// each step, and it turned at a third of Ω.
#[test]
fn a_top_on_a_floor_precesses_by_its_weight() {
    let (mass, length, across, along) = (0.2, 0.1, 1.5e-4, 2.5e-4);
    let tilt = 20f64.to_radians();
    for spin in [300.0, 600.0] {
        let (sine, cosine) = tilt.sin_cos();
        let text = format!(
            "(version: 1, title: \"top\", bodies: [
                (name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0),
                (name: \"top\", shape: Compound(parts: [(shape: Sphere(radius: 0.002), at: (0, 0, -{length})), (shape: \
             Cylinder(radius: 0.05, half_length: 0.01))]), at: (0, 0, {}), rotation: AxisAngle(axis: (0, 1, 0), angle: \
             Degrees(20)), mass: {mass}, mass_centre: (0, 0, 0), inertia: (xx: {across}, yy: {across}, zz: {along}), \
             friction: 0, angular_velocity: ({}, 0, {})),
            ])",
            length * cosine + 0.002,
            spin * sine,
            spin * cosine,
        );
        let mut world = delassus_scene::read_str(&text, "top.ron").expect("a scene").flat.world(Settings::default());
        let axis = |world: &World| world.state.bodies[2].rotation * Vec3::Z;
        let (mut turned, mut before) = (0.0, axis(&world));
        while world.state.time < 2.0 {
            world.step();
            let now = axis(&world);
            turned += before.truncate().angle_to(now.truncate());
            before = now;
        }
        let precession = (mass * f64::from(crate::build::G) * length / (along * spin)) as f32;
        let found = turned / world.state.time as f32;
        assert!((found / precession - 1.0).abs() < 0.02, "{spin} rad/s: {found} rad/s, {precession} expected");
        let leaning = before.z.acos() - tilt as f32;
        assert!(leaning.abs() < 0.03, "{spin} rad/s: it has come to lean by {leaning} rad more");
    }
}
