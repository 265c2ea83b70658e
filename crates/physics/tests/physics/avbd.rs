//! AVBD (`solver.method=Avbd`): momentum, closed forms, mass ratios, units, and where the direct solver comes to.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joints::{AngularDrive, AngularSpring, BallSocket, Hinge, JointKind};
use delassus_physics::plan::{Facts, Idle, all_idle, idle};
use delassus_physics::row::Softness;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use delassus_scene::library::{ordinary, scenes_folder};
use delassus_scene::read;
use glam::{Mat3, Vec3};

use crate::build::{G, bead, body, close, cube, floor, joint, run, settings};

const AVBD: &str = "solver.method=Avbd";
const AWAKE: &str = "sleep.enabled=false";

fn ball_socket() -> JointKind {
    JointKind::BallSocket(BallSocket {})
}

/// `count` links of `mass` kg that hang from each other by ball joints, the last of `load` kg.
fn hang(world: &mut World, count: usize, mass: f32, load: f32) {
    let mut above = WORLD;
    for i in 0..count {
        let mass = if i + 1 == count { load } else { mass };
        let at = Vec3::new(0.0, 0.0, -0.5 - i as f32);
        let link = world.add_body(BodyDef { mass, collide: false, ..cube(0.4, at) });
        world.add_joint(joint(world, above, link, at + 0.5 * Vec3::Z, Vec3::Y, ball_socket()));
        above = link;
    }
}

/// Momentum, N·s, and angular momentum about the origin, N·m·s, of all moving bodies.
fn momenta(world: &World) -> (Vec3, Vec3) {
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for (body, velocity) in world.state.bodies.iter().zip(world.state.velocities.iter()).skip(1) {
        let (p, w) = (body.mass * Vec3::from(velocity.linear), Vec3::from(velocity.angular));
        let turn = Mat3::from_quat(body.rotation);
        linear += p;
        angular += body.position.cross(p) + turn * body.inertia_local * turn.transpose() * w;
    }
    (linear, angular)
}

/// A chain thrown into weightless space: within four seconds neither momentum changes by more than rounding, although two
/// iterations leave its joints open.
#[test]
fn a_free_chain_keeps_its_momenta() {
    let mut world = World::new(settings(&[AVBD, AWAKE, "step.gravity=0,0,0", "solver.iterations=2"]));
    let mut before = WORLD;
    for i in 0..4 {
        let at = i as f32 * Vec3::X;
        let link = world.add_body(BodyDef { collide: false, mass: 1.0 + i as f32, ..cube(0.4, at) });
        if i > 0 {
            world.add_joint(joint(&world, before, link, at - 0.5 * Vec3::X, Vec3::Y, ball_socket()));
        }
        before = link;
    }
    world.state.velocities[1].linear = (3.0 * Vec3::Y).into();
    world.state.velocities[3].angular = Vec3::new(1.0, 2.0, -1.0).into();
    let (linear, angular) = momenta(&world);
    run(&mut world, 4.0);
    let (linear_now, angular_now) = momenta(&world);
    assert!((linear_now - linear).length() < 1e-5, "{linear} became {linear_now}");
    // Places of up to 12 m are rounded to 1e-6 m, 240 times.
    assert!((angular_now - angular).length() < 1e-3, "{angular} became {angular_now}");
    assert!(world.metrics().joint_error_max < 0.02, "open by {} m", world.metrics().joint_error_max);
}

/// Ten links at rest: joint k bears the weight of those below it.
#[test]
fn a_hanging_chain_bears_its_weight() {
    let mut world = World::new(settings(&[AVBD, AWAKE, "solver.iterations=10"]));
    hang(&mut world, 10, 1.0, 1.0);
    run(&mut world, 3.0);
    for (k, joint) in world.state.joints.iter().enumerate() {
        let weight = (10 - k) as f32 * G;
        close(&format!("joint {k}"), joint.readout.force.length(), weight, 1e-3 * weight);
    }
}

/// Under a thousand times a link's mass the joints of a chain open by millimetres, and close again; those of Gauss–Seidel
/// open by metres in as many sweeps of the same rows.
#[test]
fn a_light_chain_bears_a_heavy_load() {
    let widest = |assignments: &[&str]| {
        let mut world = World::new(settings(&[&[AWAKE, "solver.iterations=10"], assignments].concat()));
        hang(&mut world, 10, 1.0, 1000.0);
        let mut widest = 0.0f64;
        for _ in 0..120 {
            world.step();
            widest = widest.max(world.metrics().joint_error_max);
        }
        (widest, world)
    };
    let (gap, world) = widest(&[AVBD]);
    assert!(gap < 0.01, "AVBD opens by {gap} m");
    let weight = 1009.0 * G;
    close("top joint", world.state.joints[0].readout.force.length(), weight, 0.01 * weight);
    let (others, _) = widest(&["solver.rows=Block", "stabilization.method=Baumgarte", "stabilization.beta=0.02"]);
    assert!(others > 50.0 * gap, "Gauss–Seidel opens by {others} m, AVBD by {gap} m");
}

/// Gravity of a slope of `angle` rad, as an assignment.
fn slope(angle: f32) -> String {
    format!("step.gravity={},0,{}", G * angle.sin(), -G * angle.cos())
}

/// On a slope a box of μ = 0.5 stays where tan a < μ, whatever the model of friction, and slides with g (sin a − μ cos a)
/// where it is steeper.
#[test]
fn a_box_sticks_and_slides() {
    for model in ["Patch", "Coulomb", "Cone", "Pyramid"] {
        let on = |angle: f32| {
            let model = format!("friction.model={model}");
            let mut world = World::new(settings(&[AVBD, AWAKE, &slope(angle), &model, "solver.iterations=10"]));
            world.add_body(floor());
            let cube = world.add_body(cube(0.5, 0.5 * Vec3::Z)) as usize;
            run(&mut world, 1.0);
            (world.state.bodies[cube].position.x, world.state.velocities[cube].linear.x)
        };
        let (gentle, steep) = (0.4f32, 0.7f32);
        let (place, speed) = on(gentle);
        assert!(place.abs() < 1e-3 && speed.abs() < 1e-4, "{model}: moved {place} m, {speed} m/s");
        let expected = G * (steep.sin() - 0.5 * steep.cos());
        close(&format!("{model}, speed after a second"), on(steep).1, expected, 0.01 * expected);
    }
}

/// A bead on a rod of 1 m that is let go level: after half a second the error falls with h, and no step adds energy beyond
/// the rod's stretching.
#[test]
fn a_pendulum_is_of_first_order_and_loses_energy() {
    // θ'' = −g sin θ from θ = π/2, by Runge–Kutta's fourth-order method.
    let (mut angle, mut rate, n) = (std::f64::consts::FRAC_PI_2, 0.0f64, 10_000);
    let h = 0.5 / f64::from(n);
    let pull = |angle: f64| -f64::from(G) * angle.sin();
    for _ in 0..n {
        let (a1, r1) = (rate, pull(angle));
        let (a2, r2) = (rate + 0.5 * h * r1, pull(angle + 0.5 * h * a1));
        let (a3, r3) = (rate + 0.5 * h * r2, pull(angle + 0.5 * h * a2));
        let (a4, r4) = (rate + h * r3, pull(angle + h * a3));
        angle += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        rate += h / 6.0 * (r1 + 2.0 * r2 + 2.0 * r3 + r4);
    }
    let exact = Vec3::new(angle.sin() as f32, 0.0, -angle.cos() as f32);
    let mut errors = Vec::new();
    for steps_a_second in [120u32, 240, 480, 960] {
        let rate = format!("step.rate={steps_a_second}");
        let mut world = World::new(settings(&[AVBD, AWAKE, &rate, "solver.iterations=20"]));
        let bob = world.add_body(bead(Vec3::X)) as usize;
        world.add_joint(joint(&world, WORLD, bob as u32, Vec3::ZERO, Vec3::Y, ball_socket()));
        let mut energy = 0.0f32;
        for step in 0..2 * steps_a_second {
            world.step();
            let (place, speed) = (world.state.bodies[bob].position, world.state.velocities[bob].linear.length());
            let now = 0.5 * speed * speed + G * place.z;
            assert!(now < energy + 1e-3, "{rate}, step {step}: {energy} J became {now} J");
            energy = now;
            if step + 1 == steps_a_second / 2 {
                errors.push((place - exact).length());
            }
        }
    }
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.3).contains(&ratio), "errors {errors:?}");
    }
}

/// Masses of grams and of tonnes move as those of kilograms: penalties are measured in masses.
#[test]
fn a_scale_of_mass_changes_nothing() {
    let places = |scale: f32| {
        let mut world = World::new(settings(&[AVBD, AWAKE]));
        hang(&mut world, 5, scale, 20.0 * scale);
        world.state.velocities[5].linear = Vec3::X.into();
        world.add_body(floor());
        for i in 0..4 {
            let at = Vec3::new(10.0, 0.0, 0.5 + 1.05 * i as f32);
            world.add_body(BodyDef { mass: scale * (1.0 + i as f32), ..cube(0.5, at) });
        }
        run(&mut world, 1.0);
        world.state.bodies.iter().map(|body| body.position).collect::<Vec<_>>()
    };
    let kilograms = places(1.0);
    for scale in [1e-3, 1e3] {
        for (index, (here, there)) in places(scale).iter().zip(&kilograms).enumerate() {
            let apart = (*here - *there).length();
            assert!(apart < 1e-4, "× {scale}: body {index} is {apart} m apart");
        }
    }
}

/// A rod on a level hinge, held by a motor, a stop or a spring: at rest AVBD comes to the torques of the direct solver.
#[test]
fn drives_stops_and_springs_bear_what_the_direct_solver_says() {
    let motor = Hinge { motor: Some(AngularDrive { speed: 0.0, max_torque: 50.0 }), ..Hinge::default() };
    let stop = Hinge { limit: Some((Angle::radians(-0.5), Angle::radians(0.1))), ..Hinge::default() };
    let softness = Softness::of_stiffness(30.0, 4.0);
    let spring = Hinge { spring: Some(AngularSpring { angle: Angle::radians(0.0), softness }), ..Hinge::default() };
    let friction = Hinge { friction: 20.0, ..Hinge::default() };
    let cases = [("motor", motor), ("stop", stop), ("spring", spring), ("friction", friction)];
    for (name, hinge) in cases {
        let torques = |method: &str| {
            let method = format!("solver.method={method}");
            let mut world = World::new(settings(&[
                &method,
                AWAKE,
                "solver.iterations=20",
                "stabilization.method=Baumgarte",
                "stabilization.beta=0.02",
            ]));
            let rod = body(Shape::Box { half: Vec3::new(0.5, 0.05, 0.05) }, 0.5 * Vec3::X);
            let rod = world.add_body(BodyDef { collide: false, ..rod });
            world.add_joint(joint(&world, WORLD, rod, Vec3::ZERO, Vec3::Y, JointKind::Hinge(hinge)));
            run(&mut world, 8.0);
            let readout = &world.state.joints[0].readout;
            [readout.value, readout.motor, readout.limit, readout.spring, readout.friction]
        };
        let (found, exact) = (torques("Avbd"), torques("Direct"));
        let largest = exact.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        for (found, exact) in found.iter().zip(exact) {
            close(name, *found, exact, 1e-3 * largest);
        }
    }
}

/// A ball with e = 0.5 leaves the floor at half the speed at which it met it.
#[test]
fn a_ball_bounces() {
    let material = Material { restitution: 0.5, ..Material::default() };
    let mut world = World::new(settings(&[AVBD, AWAKE]));
    world.add_body(BodyDef { material, ..floor() });
    let ball = BodyDef { material, velocity: -4.0 * Vec3::Z, ..body(Shape::Sphere { radius: 0.5 }, 0.55 * Vec3::Z) };
    let ball = world.add_body(ball) as usize;
    world.step();
    // 4 m/s downward, and half of it upward.
    close("speed", world.state.velocities[ball].linear.z, 2.0, 1e-3);
}

/// The plan says which settings the method fixes and which have an effect.
#[test]
fn the_plan_knows_the_recipe() {
    let mut world = World::new(settings(&[AVBD]));
    hang(&mut world, 3, 1.0, 1.0);
    world.add_body(floor());
    world.add_body(cube(0.5, 0.5 * Vec3::Z));
    let facts = Facts::of(&world);
    for name in ["solver.iterations", "solver.stiffening", "stabilization.beta", "warm_start.factor"] {
        assert_eq!(idle(name, &world.settings, &facts), None, "{name}");
    }
    assert_eq!(idle("stabilization.method", &world.settings, &facts), Some(Idle::Recipe));
    let plain = settings(&[]);
    assert_eq!(idle("solver.stiffening", &plain, &facts), Some(Idle::NotAvbd));
    // No setting that is fixed changes a step.
    let fixed: Vec<_> = all_idle(&world.settings, &facts).filter(|(_, why)| *why == Idle::Recipe).collect();
    assert!(fixed.len() > 10, "{} settings are fixed", fixed.len());
    let hash = |world: &World| {
        let mut world = world.clone();
        run(&mut world, 0.2);
        world.hash()
    };
    let expected = hash(&world);
    for (setting, _) in fixed {
        let mut other = world.clone();
        for value in ["0", "1", "5", "true", "false", "Soft", "Split", "Joint", "Backward", "Always", "Propagate"] {
            let _ = other.settings.assign(&format!("{}={value}", setting.name));
        }
        assert_eq!(hash(&other), expected, "{}", setting.name);
    }
}

/// A copy of a world, with its penalties, has the same future.
#[test]
fn a_copy_goes_on_alike() {
    let mut world = World::new(settings(&[AVBD, AWAKE]));
    hang(&mut world, 4, 1.0, 50.0);
    run(&mut world, 0.5);
    let mut copy = world.clone();
    run(&mut world, 0.5);
    run(&mut copy, 0.5);
    assert_eq!(world.hash(), copy.hash());
}

/// Every scene of at most a hundred bodies stays finite, and no body is stopped for running away.
#[test]
fn scenes_of_the_library_stay_whole() {
    let mut wrong = Vec::new();
    for entry in ordinary(&scenes_folder()) {
        if entry.bodies().is_some_and(|bodies| bodies > 100) {
            continue;
        }
        let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut settings = loaded.scene.settings.settings();
        settings.assign(AVBD).expect("a method");
        let mut world = loaded.flat.world(settings);
        (0..60).for_each(|_| world.step());
        let finite = world.state.velocities.iter().all(|velocity| velocity.is_finite());
        let fast = world.state.velocities.iter().map(|v| v.linear.length()).fold(0.0, f32::max);
        if !finite || fast > 150.0 {
            wrong.push(format!("{}: {fast} m/s", entry.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
