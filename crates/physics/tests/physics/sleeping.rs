//! Sleeping: bodies at rest are left out of the step, keep their contact forces, and wake in the same state.

use delassus_physics::body::{BodyDef, Motion, Velocity};
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, body, cube, floor, joint};

fn settings(more: &[&str]) -> Settings {
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::NEG_Z * G;
    for assignment in ["sleep.enabled=true"].iter().chain(more) {
        settings.assign(assignment).expect("a setting");
    }
    settings
}

/// A floor and towers of cubes of 1 m and 1 kg, 5 m apart.
fn towers(towers: usize, height: usize, more: &[&str]) -> World {
    let mut world = World::new(settings(more));
    world.add_body(floor());
    for tower in 0..towers {
        for level in 0..height {
            world.add_body(cube(0.5, Vec3::new(5.0 * tower as f32, 0.0, 0.5 + level as f32)));
        }
    }
    world
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds * world.settings.step.rate) as u32).for_each(|_| world.step());
}

/// The force on the floor, N.
fn load(world: &World) -> f32 {
    let on_floor = world.state.contacts.manifolds().filter(|(a, ..)| *a == 1);
    let impulse: f32 = on_floor.flat_map(|(.., manifold)| &manifold.points).map(|point| point.impulse).sum();
    impulse / world.settings.h()
}

fn poses(world: &World) -> Vec<(Vec3, glam::Quat)> {
    world.state.bodies.iter().map(|body| (body.position, body.rotation)).collect()
}

#[test]
fn a_tower_that_sleeps_stands_still_and_bears_its_weight() {
    for more in [&[][..], &["solver.method=Jacobi"], &["solver.method=Direct"], &["solver.lanes=false"]] {
        let mut world = towers(1, 4, more);
        run(&mut world, 3.0);
        assert_eq!(world.state.sleep.count(), 4, "{more:?}");
        let before = poses(&world);
        run(&mut world, 2.0);
        assert_eq!(poses(&world), before, "{more:?}");
        assert_eq!(world.report.row_count, 0, "{more:?}");
        // Σλ/h = m g.
        assert!((load(&world) / (4.0 * G) - 1.0).abs() < 1e-2, "{more:?}: {} N", load(&world));
    }
}

#[test]
fn a_tower_wakes_as_it_was() {
    let mut world = towers(1, 6, &[]);
    // It rocks for some seconds.
    run(&mut world, 8.0);
    assert_eq!(world.state.sleep.count(), 6);
    let top = world.state.bodies.len() - 1;
    world.state.velocities[top] = Velocity { linear: Vec3::new(1e-4, 0.0, 0.0).into(), ..Velocity::default() };
    world.step();
    assert_eq!(world.state.sleep.count(), 0);
    // Without its impulses a step of gravity would move it at g h = 0.16 m/s; it is as slow as when it fell asleep.
    let fastest = world.state.velocities.iter().map(|v| v.linear.length()).fold(0.0, f32::max);
    assert!(fastest < world.settings.sleep.speed, "{fastest} m/s");
    assert!((load(&world) / (6.0 * G) - 1.0).abs() < 1e-2, "{} N", load(&world));
}

#[test]
fn what_falls_on_a_tower_wakes_that_one_and_no_other() {
    let mut world = towers(2, 3, &[]);
    // It falls for √(2 · 8/g) = 1.3 s.
    let cube = world.add_body(cube(0.5, Vec3::new(0.2, 0.0, 11.5)));
    run(&mut world, 1.1);
    assert_eq!(world.state.sleep.count(), 6);
    run(&mut world, 0.4);
    assert_eq!(world.state.sleep.count(), 3, "the other tower sleeps on");
    assert!((2..5).all(|body| !world.state.sleep.has(body)) && (5..8).all(|body| world.state.sleep.has(body)));
    run(&mut world, 10.0);
    assert!(world.state.sleep.has(cube), "it has come to rest at {}", world.state.bodies[cube as usize].position);
}

/// Three links of 1 kg below a hook, 10 cm of side.
fn hanging() -> (World, u32) {
    let mut world = World::new(settings(&[]));
    let mut above = WORLD;
    for link in 0..3 {
        let at = Vec3::new(0.0, 0.0, 4.0 - link as f32);
        let own = world.add_body(BodyDef { collide: false, ..cube(0.1, at) });
        let kind = JointKind::BallSocket(BallSocket {});
        let def = joint(&world, above, own, at + Vec3::Z * 0.5, Vec3::Y, kind);
        world.add_joint(def);
        above = own;
    }
    (world, above)
}

/// Without contact nothing would end a motion, so a pendulum at its turning point must not stop there.
#[test]
fn what_touches_nothing_stays_awake() {
    let (mut world, lowest) = hanging();
    run(&mut world, 3.0);
    assert_eq!(world.state.sleep.count(), 0);
    let force = world.state.joints[0].readout.force.length();
    assert!((force / (3.0 * G) - 1.0).abs() < 1e-3, "{force} N");
    // The slowest swing takes some 3 s; it is slower than `sleep.speed` throughout.
    world.state.velocities[lowest as usize].linear.x = 0.015;
    let most = |world: &World| world.state.velocities[lowest as usize].linear.x.abs();
    run(&mut world, 6.0);
    let mut late = 0.0f32;
    for _ in 0..240 {
        world.step();
        late = late.max(most(&world));
    }
    assert!(late > 0.003, "it still swings at {late} m/s");
    assert_eq!(world.state.sleep.count(), 0);
}

/// A puck slides for ever on a floor without friction, a motor turns for ever, and a tower that leans falls.
#[test]
fn slow_motion_that_does_not_fade_stays_awake() {
    let mut world = World::new(settings(&[]));
    let smooth = |mut def: BodyDef| {
        def.material.friction = 0.0;
        def
    };
    world.add_body(smooth(floor()));
    let puck = world.add_body(smooth(cube(0.2, Vec3::Z * 0.199)));
    world.state.velocities[puck as usize].linear.x = 0.01;
    run(&mut world, 10.0);
    let slid = world.state.bodies[puck as usize].position.x;
    assert!((slid / 0.1 - 1.0).abs() < 0.02, "{slid} m in place of 0.01 m/s · 10 s");
    assert!(!world.state.sleep.has(puck));
}

#[test]
fn what_the_hand_takes_wakes_and_stays_awake() {
    let mut world = towers(1, 2, &[]);
    run(&mut world, 3.0);
    assert_eq!(world.state.sleep.count(), 2);
    let target = world.state.bodies[3].position;
    world.state.mouse_joint = Some(MouseJoint { body: 3, point: Vec3::ZERO, target });
    run(&mut world, 3.0);
    assert_eq!(world.state.sleep.count(), 0, "what the hand holds does not sleep");
}

#[test]
fn a_lift_that_starts_takes_the_sleepers_along() {
    let mut world = World::new(settings(&[]));
    let plate = Shape::Box { half: Vec3::new(2.0, 2.0, 0.1) };
    let lift = world.add_body(BodyDef { motion: Motion::Kinematic, ..body(plate, Vec3::Z * -0.1) });
    let load = world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.5)));
    run(&mut world, 2.0);
    assert!(world.state.sleep.has(load));
    // Slower than the sleeping threshold.
    world.state.velocities[lift as usize].linear = (Vec3::Z * 0.01).into();
    run(&mut world, 10.0);
    assert!(!world.state.sleep.has(load));
    let risen = world.state.bodies[load as usize].position.z - 0.5;
    assert!((risen - 0.1).abs() < 6e-3, "{risen} m in place of 0.01 m/s · 10 s");
}

#[test]
fn a_change_of_settings_or_bodies_wakes_all() {
    let mut world = towers(1, 3, &[]);
    run(&mut world, 3.0);
    assert_eq!(world.state.sleep.count(), 3);
    let mut tilted = world.clone();
    tilted.settings.step.gravity = Vec3::new(8.0, 0.0, -G);
    run(&mut tilted, 1.0);
    assert!(tilted.state.bodies[4].position.x > 0.5, "it slides and falls: {}", tilted.state.bodies[4].position);
    // The lowest is moved away: the others fall by a metre.
    let top = world.state.bodies[4].position.z;
    world.replace(vec![(2, cube(0.5, Vec3::new(9.0, 0.0, 0.5)))], Vec::new());
    run(&mut world, 2.0);
    let fallen = top - world.state.bodies[4].position.z;
    assert!((fallen - 1.0).abs() < 0.02, "{fallen} m");
    world.settings.sleep.enabled = false;
    world.step();
    assert_eq!(world.state.sleep.count(), 0);
}

/// A copy continues exactly as the world does, with any number of threads.
#[test]
fn sleepers_are_part_of_the_state() {
    let mut world = towers(3, 4, &[]);
    world.state.velocities[2].linear = Vec3::new(0.3, 0.1, 0.0).into();
    run(&mut world, 0.8);
    let mut copies = [world.clone(), world.clone()];
    copies[1].settings.assign("solver.threads=1").expect("a setting");
    world.settings.assign("solver.threads=1").expect("a setting");
    copies[0].settings.assign("solver.threads=1").expect("a setting");
    for _ in 0..120 {
        world.step();
        copies.iter_mut().for_each(World::step);
        assert!(
            copies
                .iter()
                .all(|copy| copy.hash() == world.hash() && copy.state.sleep.count() == world.state.sleep.count())
        );
    }
    assert!(world.state.sleep.count() > 0);
}

#[test]
fn switching_sleep_off_wakes_what_sleeps_whoever_makes_the_step() {
    let mut world = towers(3, 2, &[]);
    run(&mut world, 3.0);
    assert_eq!(world.state.sleep.count(), 6);
    world.settings.assign("sleep.enabled=false").expect("a setting");
    world.step();
    assert_eq!(world.state.sleep.count(), 0);
    assert!((0..world.state.bodies.len() as u32).all(|body| !world.state.sleep.has(body)));
}
