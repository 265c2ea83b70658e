//! TGS soft (`solver.method=TgsSoft`) makes the steps of the engine that its recipe is from, and its rows are as soft as
//! its formulas say.

use std::f32::consts::TAU;

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::plan::{Facts, Idle, all_idle, idle};
use delassus_physics::setting::Value;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, body, close, cube, floor, heavy_chain, joint, run};

/// The default settings but this method, with the engine's own numbers: contacts at 30 Hz and ζ = 10, joints at 60 Hz
/// and ζ = 2, no slop.
fn tgs_soft(assignments: &[&str]) -> Settings {
    let own = [
        "solver.method=TgsSoft",
        "stabilization.hertz=60",
        "stabilization.damping_ratio=2",
        "stabilization.contact_hertz=30",
        "stabilization.contact_damping_ratio=10",
        "contact.slop=0",
        "contact.continuous=Off",
        "sleep.enabled=false",
    ];
    let mut settings = Settings::default();
    own.iter().chain(assignments).for_each(|assignment| settings.assign(assignment).expect("a valid assignment"));
    settings
}

/// A ball of radius 0.2 m on a ball joint 1 m beside it, let go level. The table is what Box3D (30c67b5) gives after so many
/// steps of 1/60 s with four sub-steps: place x, z, m, and velocity x, z, m/s, to seven digits.
#[test]
fn a_pendulum_swings_as_in_the_source() {
    let expected = [
        (1, [0.999999, -0.001677, -0.00026223, -0.1609249]),
        (5, [0.9993997, -0.035195, -0.02825958, -0.8040305]),
        (20, [0.8591753, -0.512362, -1.601719, -2.68619]),
        (60, [-0.9844475, -0.176516, -0.3289253, 1.83522]),
        (120, [0.7619032, -0.648458, 2.301511, 2.704576]),
        (240, [-0.6706201, -0.742496, 2.797313, -2.526639]),
    ];
    let mut world = World::new(tgs_soft(&[]));
    let ball = world.add_body(BodyDef { collide: false, ..body(Shape::Sphere { radius: 0.2 }, Vec3::X) });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
    let mut made = 0;
    for (steps, [x, z, vx, vz]) in expected {
        (made..steps).for_each(|_| world.step());
        made = steps;
        let (place, velocity) =
            (world.state.bodies[ball as usize].position, world.state.velocities[ball as usize].linear);
        let far = (place - Vec3::new(x, 0.0, z)).length();
        let fast = (Vec3::from(velocity) - Vec3::new(vx, 0.0, vz)).length();
        assert!(far < 1e-4 && fast < 4e-4, "step {steps}: {far} m, {fast} m/s off");
    }
}

/// A ball of radius 0.5 m with e = 0.5, dropped from 2 m: its height after so many steps in Box3D (30c67b5).
#[test]
fn a_ball_bounces_as_in_the_source() {
    let expected = [(30, 0.763_531_7), (60, 0.739_094_8)];
    let material = Material { restitution: 0.5, ..Material::default() };
    let mut world = World::new(tgs_soft(&[]));
    world.add_body(BodyDef { material, ..floor() });
    let ball = world.add_body(BodyDef { material, ..body(Shape::Sphere { radius: 0.5 }, 2.0 * Vec3::Z) });
    let mut made = 0;
    for (steps, height) in expected {
        (made..steps).for_each(|_| world.step());
        made = steps;
        close(&format!("step {steps}"), world.state.bodies[ball as usize].position.z, height, 1e-4);
    }
}

/// A cube on the ground rests at g/ω², ω of twice the contacts' frequency: of its four points each bears a quarter of the
/// weight, with K = 1/m + 3/m.
#[test]
fn a_box_sags_by_its_spring() {
    let mut world = World::new(tgs_soft(&[]));
    world.add_body(floor());
    let cube = world.add_body(cube(0.5, 0.5 * Vec3::Z));
    run(&mut world, 2.0);
    let omega = TAU * 2.0 * 30.0;
    let sag = 0.5 - world.state.bodies[cube as usize].position.z;
    close("sag", sag, G / (omega * omega), 1e-6);
}

/// A ball that whirls about its joint leaves its circle by √(1 + (ωh)²) − 1 a sub-step, of which the soft sweep takes
/// back the share h b/(1 + s), b = Ω/(2ζ + hΩ), s = 1/(hΩ (2ζ + hΩ)). The rest is the same in every direction.
#[test]
fn an_anchor_is_as_soft_in_every_direction() {
    let mut world = World::new(tgs_soft(&["step.gravity=0,0,0"]));
    let spin = 3.0;
    let ball = world.add_body(BodyDef {
        collide: false,
        velocity: spin * Vec3::Y,
        angular_velocity: spin * Vec3::Z,
        ..body(Shape::Sphere { radius: 0.2 }, Vec3::X)
    });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
    run(&mut world, 1.0);
    let (h, omega, zeta) = (1.0 / 240.0, TAU * 60.0, 2.0);
    let stiff = 2.0 * zeta + h * omega;
    let share = h * (omega / stiff) / (1.0 + 1.0 / (h * omega * stiff));
    let opens = (1.0 + (spin * h).powi(2)).sqrt() - 1.0;
    for _ in 0..120 {
        world.step();
        let gap = world.state.bodies[ball as usize].position.length() - 1.0;
        close("gap", gap, opens / share, 0.05 * opens / share);
    }
}

/// Whatever the recipe fixes may be set to another value: the steps do not change, and the plan says so.
#[test]
fn what_the_recipe_fixes_has_no_effect() {
    let made = |name: Option<(&'static str, Value)>| {
        let mut world = heavy_chain(&[], 1.0);
        world.settings = tgs_soft(&[]);
        world.add_body(floor());
        world.add_body(cube(0.5, Vec3::new(5.0, 0.0, 0.6)));
        if let Some((name, value)) = name {
            world.settings.set(name, value).expect("a valid value");
        }
        run(&mut world, 0.5);
        world.hash()
    };
    let expected = made(None);
    let mut world = heavy_chain(&[], 1.0);
    world.settings = tgs_soft(&[]);
    world.add_body(floor());
    world.add_body(cube(0.5, Vec3::new(5.0, 0.0, 0.6)));
    let facts = Facts::of(&world);
    let fixed: Vec<_> = all_idle(&world.settings, &facts).filter(|(_, why)| *why == Idle::Recipe).collect();
    assert!(fixed.len() > 12, "{fixed:?}");
    assert_eq!(idle("solver.iterations", &world.settings, &facts), Some(Idle::Recipe));
    assert_eq!(idle("step.substeps", &world.settings, &facts), None);
    let other = Settings::default();
    for (setting, _) in fixed {
        let single = delassus_physics::preset::Preset::SingleStep.settings();
        for from in [&other, &single] {
            assert_eq!(made(Some((setting.name, (setting.get)(from)))), expected, "{}", setting.name);
        }
    }
}

/// Bodies on joints that touch each other in space keep their momentum.
#[test]
fn momentum_is_kept() {
    let mut world = World::new(tgs_soft(&["step.gravity=0,0,0"]));
    let mut above = None;
    for i in 0..6 {
        let at = Vec3::new(i as f32, 0.0, 0.0);
        let velocity = Vec3::new(0.0, (i as f32).sin(), 0.3 * i as f32);
        let link = world.add_body(BodyDef { mass: 1.0 + i as f32, velocity, ..cube(0.45, at) });
        if let Some(above) = above {
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, above, link, at - 0.5 * Vec3::X, Vec3::Y, kind));
        }
        above = Some(link);
    }
    let momentum = |world: &World| -> Vec3 {
        let bodies = world.state.bodies.iter().zip(&world.state.velocities).filter(|(body, _)| body.is_dynamic());
        bodies.map(|(body, velocity)| Vec3::from(velocity.linear) * body.mass).sum()
    };
    let before = momentum(&world);
    run(&mut world, 2.0);
    let lost = (momentum(&world) - before).length();
    assert!(lost < 1e-4 * before.length(), "{lost} of {before}");
}
