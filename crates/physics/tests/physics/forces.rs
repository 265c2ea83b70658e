//! Applied forces and drag against closed forms.

use delassus_physics::angle::Angle;
use delassus_physics::balance::Cause;
use delassus_physics::body::BodyDef;
use delassus_physics::fault::FaultKind;
use delassus_physics::force::formula::Formula;
use delassus_physics::force::{ByTime, Drag, Force, ForceFrame};
use delassus_physics::joints::{BallSocket, Hinge, JointKind};
use delassus_physics::plan::{Route, WholeReason};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, body, close, cube, floor, joint, run, settings};

const WEIGHTLESS: &str = "step.gravity=0,0,0";

fn pushed(forces: Vec<Force>, def: BodyDef) -> BodyDef {
    BodyDef { forces, ..def }
}

fn force(force: Vec3) -> Force {
    Force { force, ..Force::default() }
}

fn velocity(world: &World, body: u32) -> Vec3 {
    world.state.velocities[body as usize].linear.into()
}

fn spin(world: &World, body: u32) -> Vec3 {
    world.state.velocities[body as usize].angular.into()
}

/// v = F t/m and x = F t²/(2 m), for any number of sub-steps: the velocities of free flight are those of the middle of
/// the step.
#[test]
fn constant_force() {
    for more in ["step.substeps=1", "step.substeps=4", "solver.method=Direct", "solver.method=Jacobi"] {
        let mut world = World::new(settings(&[WEIGHTLESS, more]));
        let push = Vec3::new(3.0, -1.0, 0.5);
        let one = world.add_body(pushed(vec![force(push)], BodyDef { mass: 2.0, ..cube(0.5, Vec3::ZERO) }));
        run(&mut world, 2.0);
        close(more, velocity(&world, one).distance(push * 2.0 / 2.0), 0.0, 1e-4);
        close(more, world.state.bodies[one as usize].position.distance(push * 4.0 / 4.0), 0.0, 1e-4);
    }
}

/// A force of F = m g upwards and gravity cancel: the body keeps its velocity.
#[test]
fn a_force_carries_a_weight() {
    let mut world = World::new(settings(&[]));
    let start = Vec3::new(0.3, 0.0, 0.2);
    let def = BodyDef { mass: 2.0, velocity: start, ..cube(0.5, Vec3::ZERO) };
    let one = world.add_body(pushed(vec![force(Vec3::Z * (2.0 * G))], def));
    run(&mut world, 5.0);
    close("speed", velocity(&world, one).distance(start), 0.0, 1e-3);
    close("way", world.state.bodies[one as usize].position.distance(5.0 * start), 0.0, 5e-3);
}

/// A force F in the body's axes at the lever r: α = r F/I with I = m s²/6 for a cube of side s, θ = α t²/2. A torque of
/// r F does the same without the force.
#[test]
fn a_force_off_the_centre_rotates() {
    let (push, lever, mass, side) = (0.4f32, 0.3f32, 2.0f32, 1.0f32);
    let at_lever = Force { at: Some(Vec3::X * lever), frame: ForceFrame::Body, ..force(Vec3::Y * push) };
    let couple = Force { torque: Vec3::Z * (push * lever), ..Force::default() };
    for own in [at_lever, couple] {
        let mut world = World::new(settings(&[WEIGHTLESS]));
        let one = world.add_body(pushed(vec![own], BodyDef { mass, ..cube(0.5 * side, Vec3::ZERO) }));
        run(&mut world, 3.0);
        let alpha = push * lever / (mass * side * side / 6.0);
        close("spin", spin(&world, one).z, alpha * 3.0, 1e-4);
        let turned = world.state.bodies[one as usize].rotation * Vec3::X;
        let angle = 0.5 * alpha * 9.0;
        close("angle", turned.distance(Vec3::new(angle.cos(), angle.sin(), 0.0)), 0.0, 2e-3);
    }
}

/// A force that rotates with a body of constant spin ω: v = F/(m ω) (sin ω t, 1 − cos ω t). A step takes the force of its
/// middle, which is right to (ω h)²/24.
#[test]
fn a_force_in_the_body_s_axes_rotates_with_it() {
    let (push, omega) = (1.5f32, 2.0f32);
    let own = Force { frame: ForceFrame::Body, ..force(Vec3::X * push) };
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let def = BodyDef { angular_velocity: Vec3::Z * omega, ..cube(0.5, Vec3::ZERO) };
    let one = world.add_body(pushed(vec![own], def));
    for step in 1..=200 {
        world.step();
        let t = step as f32 / 60.0;
        let expected = Vec3::new((omega * t).sin(), 1.0 - (omega * t).cos(), 0.0) * (push / omega);
        let most = 2.0 * push / omega * (omega / 60.0).powi(2);
        close("velocity", velocity(&world, one).distance(expected), 0.0, most);
    }
}

/// F cos(ω t): v = F/(m ω) sin ω t, by the trapezoidal rule right to (ω h)²/12. A table: m v = ∫ F dt, the area below it.
#[test]
fn forces_by_time() {
    let (push, rate) = (4.0f32, 3.0f32);
    let swing = ByTime::Sinusoid { rate, phase: Angle::default() };
    let table = ByTime::Table { points: vec![(0.5, 0.0), (1.0, 1.0), (1.5, 1.0), (1.75, -1.0)] };
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let own = |by_time| vec![Force { by_time, ..force(Vec3::X * push) }];
    let a = world.add_body(pushed(own(swing.clone()), cube(0.1, Vec3::ZERO)));
    let b = world.add_body(pushed(own(table), cube(0.1, Vec3::Y)));
    for step in 1..=120 {
        world.step();
        let t = step as f32 / 60.0;
        let most = push / rate * (rate / 60.0).powi(2) / 6.0 + 1e-5;
        close("sinusoid", velocity(&world, a).x, push / rate * (rate * t).sin(), most);
    }
    // ½ · ½ + ½ + 0 − ¼ seconds of the whole force, at 2 s.
    close("table", velocity(&world, b).x, push * 0.5, 1e-3);
    // A law that replaces another after some time continues it.
    for by_time in [swing, ByTime::Table { points: vec![(0.5, 0.0), (1.0, 1.0)] }, formula("t^2 - 2*t")] {
        close("after", by_time.after(0.7).at(0.15), by_time.at(0.85), 1e-6);
    }
}

/// A formula of time.
fn formula(text: &str) -> ByTime {
    ByTime::Formula { factor: Formula::read(text).expect("a formula"), start: 0.0 }
}

/// A formula gives the motion of the sinusoid or table that it equals, and the same bits in each run.
#[test]
fn a_formula_acts_as_the_law_that_it_equals() {
    let sinusoid = ByTime::Sinusoid { rate: 3.0, phase: Angle::radians(0.4) };
    // Up within a second, constant for another, down within the third.
    let table = ByTime::Table { points: vec![(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)] };
    for (law, text) in [(ByTime::Constant, "1"), (sinusoid, "cos(3*t + 0.4)"), (table, "max(0, min(1, min(t, 3 - t)))")]
    {
        let run = |by_time: ByTime| {
            let mut world = World::new(settings(&[WEIGHTLESS]));
            let own = vec![Force { by_time, ..force(Vec3::new(4.0, 0.0, -2.0)) }];
            let a = world.add_body(pushed(own, cube(0.1, Vec3::ZERO)));
            (0..240).for_each(|_| world.step());
            velocity(&world, a)
        };
        let (by_law, by_formula) = (run(law), run(formula(text)));
        close(text, by_law.distance(by_formula), 0.0, 1e-5);
        assert_eq!(by_formula.to_array().map(f32::to_bits), run(formula(text)).to_array().map(f32::to_bits), "{text}");
    }
}

/// Where a formula has no value any more, the step reports a fault of the body that it pushes.
#[test]
fn a_formula_without_a_value_is_a_fault() {
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let own = vec![Force { by_time: formula("sqrt(0.5 - t)"), ..force(Vec3::X) }];
    let a = world.add_body(pushed(own, cube(0.1, Vec3::ZERO)));
    (0..29).for_each(|_| world.step());
    assert_eq!(world.report.fault, None);
    (0..5).for_each(|_| world.step());
    assert!(world.report.fault.is_some_and(|fault| fault.body == a && fault.kind == FaultKind::NotFinite));
}

/// Linear drag: v = v₀ e^{−c t/m} to rounding, x = (m v₀/c)(1 − e^{−c t/m}) to second order.
#[test]
fn linear_drag_decays_exponentially() {
    for substeps in [1, 3] {
        let mut world = World::new(settings(&[WEIGHTLESS]));
        world.settings.step.substeps = substeps;
        let (c, mass, start) = (3.0f32, 1.5f32, 4.0f32);
        let drag = Some(Drag { linear: c, ..Drag::default() });
        let one = world.add_body(BodyDef { mass, drag, velocity: Vec3::X * start, ..cube(0.5, Vec3::ZERO) });
        run(&mut world, 2.0);
        let left = (-c * 2.0 / mass).exp();
        close("speed", velocity(&world, one).x, start * left, 1e-5 * start);
        let way = mass * start / c * (1.0 - left);
        let h = 1.0 / (60.0 * substeps as f32);
        close("way", world.state.bodies[one as usize].position.x, way, way * (c * h / mass).powi(2) / 12.0 + 1e-5);
    }
}

/// A fall from rest under quadratic drag: v = v∞ tanh(g t/v∞), x = v∞²/g ln cosh(g t/v∞), v∞ = √(m g/k).
#[test]
fn quadratic_drag_has_a_terminal_velocity() {
    let mut world = World::new(settings(&[]));
    let (mass, k) = (2.0f32, 0.5f32);
    let drag = Some(Drag { quadratic: k, ..Drag::default() });
    let one = world.add_body(BodyDef { mass, drag, ..cube(0.5, Vec3::ZERO) });
    let terminal = (mass * G / k).sqrt();
    for step in 1..=300 {
        world.step();
        let t = step as f32 / 60.0;
        close("speed", -velocity(&world, one).z, terminal * (G * t / terminal).tanh(), 2e-3);
        let way = terminal * terminal / G * (G * t / terminal).cosh().ln();
        close("way", -world.state.bodies[one as usize].position.z, way, 5e-3);
    }
    // √(v∞² + (g h)²/4): what the splitting of a step makes of it.
    let expected = terminal.hypot(0.5 * G / 60.0);
    close("terminal", -velocity(&world, one).z, expected, 1e-4 * expected);
}

/// Angular drag: each principal axis decays by e^{−c t/I}, I = m (b² + c²)/12.
#[test]
fn angular_drag_decays_by_the_inertia_about_each_axis() {
    let half = Vec3::new(0.1, 0.2, 0.4);
    let square = 4.0 * half * half;
    let (mass, c, t) = (3.0f32, 0.05f32, 1.5f32);
    for (axis, across) in
        [(Vec3::X, square.y + square.z), (Vec3::Y, square.x + square.z), (Vec3::Z, square.x + square.y)]
    {
        let mut world = World::new(settings(&[WEIGHTLESS]));
        let drag = Some(Drag { angular: c, ..Drag::default() });
        let def = BodyDef { mass, drag, angular_velocity: axis * 2.0, ..body(Shape::Box { half }, Vec3::ZERO) };
        let one = world.add_body(def);
        run(&mut world, t.into());
        close("spin", spin(&world, one).dot(axis), 2.0 * (-c * t / (mass * across / 12.0)).exp(), 2e-5);
    }
}

/// However large the coefficient, a body comes to rest and nothing else happens.
#[test]
fn the_greatest_drag_is_stable() {
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let drag = Some(Drag { linear: 1e12, quadratic: 1e12, angular: 1e12 });
    let (velocity, angular_velocity) = (Vec3::splat(1e4), Vec3::new(1e3, -1e3, 10.0));
    let solid = Shape::Box { half: Vec3::new(1e-2, 0.1, 1.0) };
    let one = world.add_body(BodyDef { mass: 1e-3, drag, velocity, angular_velocity, ..body(solid, Vec3::ZERO) });
    run(&mut world, 1.0);
    assert_eq!(world.report.stopped, 0);
    assert_eq!((self::velocity(&world, one), spin(&world, one)), (Vec3::ZERO, Vec3::ZERO));
}

/// Two opposite forces on two bodies leave the momentum zero. One force on one link of a free chain gives it F t,
/// whatever solves the joints.
#[test]
fn momentum_is_the_force_s_time_integral() {
    let methods = ["solver.method=GaussSeidel", "solver.method=Jacobi", "solver.method=Direct"];
    let more = ["stabilization.method=Rattle", "stabilization.method=Split", "step.substeps=4"];
    for (method, more) in methods.iter().flat_map(|method| more.map(|more| (method, more))) {
        let mut world = World::new(settings(&[WEIGHTLESS, method, more]));
        let push = Vec3::new(0.5, 1.0, -2.0);
        let mut above = None;
        for link in 0..4 {
            let at = Vec3::X * link as f32;
            let forces = if link == 1 { vec![force(push)] } else { Vec::new() };
            let here = world.add_body(pushed(forces, BodyDef { collide: false, ..cube(0.2, at) }));
            if let Some(above) = above {
                let kind = JointKind::BallSocket(BallSocket {});
                world.add_joint(joint(&world, above, here, at - Vec3::X * 0.5, Vec3::Y, kind));
            }
            above = Some(here);
        }
        run(&mut world, 1.5);
        let momentum = world.metrics().momentum.as_vec3();
        close(&format!("{method}, {more}"), momentum.distance(push * 1.5), 0.0, 5e-3 * push.length());
    }
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let push = Vec3::new(0.5, 1.0, -2.0);
    world.add_body(pushed(vec![force(push)], cube(0.2, Vec3::ZERO)));
    world.add_body(pushed(vec![force(-push)], BodyDef { mass: 7.0, ..cube(0.2, Vec3::Z * 5.0) }));
    run(&mut world, 1.0);
    close("pair", world.metrics().momentum.length() as f32, 0.0, 1e-5);
}

/// A pendulum that a constant horizontal force F = m g pushes: ½ m v² + m g z − F x is constant, and a pendulum at 45°
/// stays there.
#[test]
fn a_pendulum_under_a_constant_force() {
    for (start, still) in [(Vec3::new(0.5f32.sqrt(), 0.0, -(0.5f32.sqrt())), true), (Vec3::NEG_Z, false)] {
        let mut world = World::new(settings(&["step.rate=120"]));
        let bob = world.add_body(pushed(vec![force(Vec3::X * G)], bead(start)));
        let hinge = JointKind::Hinge(Hinge::default());
        world.add_joint(joint(&world, WORLD, bob, Vec3::ZERO, Vec3::Y, hinge));
        let energy = |world: &World| {
            let x = world.state.bodies[bob as usize].position;
            world.metrics().energy() as f32 - G * x.x
        };
        let first = energy(&world);
        for _ in 0..600 {
            world.step();
            close("energy", energy(&world), first, 2e-3 * G);
            if still {
                close("place", world.state.bodies[bob as usize].position.distance(start), 0.0, 1e-3);
            }
        }
    }
}

/// What a force does in a step is booked as its work, F v̄ h, and none of it as a drift.
#[test]
fn the_work_of_forces_is_booked() {
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let push = 3.0;
    world.add_body(pushed(vec![force(Vec3::X * push)], cube(0.5, Vec3::ZERO)));
    run(&mut world, 1.0);
    let before = f64::from(velocity(&world, 1).x);
    let (after, balance) = world.balanced().expect("a step");
    let mean = 0.5 * (before + f64::from(velocity(&after, 1).x));
    let work = balance.of(Cause::Forces).energy();
    assert!((work - f64::from(push) * mean / 60.0).abs() < 1e-4 * work, "{work}");
    assert!(balance.drift().energy().abs() < 1e-6, "{:?}", balance.drift());
    // Drag takes ½ m v² (1 − e^{−2 c h/m}).
    let mut world = World::new(settings(&[WEIGHTLESS]));
    let drag = Some(Drag { linear: 2.0, ..Drag::default() });
    world.add_body(BodyDef { drag, velocity: Vec3::X * 4.0, ..cube(0.5, Vec3::ZERO) });
    run(&mut world, 0.5);
    let speed = f64::from(velocity(&world, 1).x);
    let (_, balance) = world.balanced().expect("a step");
    let taken = 0.5 * speed * speed * ((-2.0f64 * 2.0 / 60.0).exp() - 1.0);
    assert!((balance.of(Cause::Forces).energy() - taken).abs() < 1e-4 * -taken, "{balance:?}");
}

/// Worlds of many mechanisms are stepped together where forces act, and say so. Without forces they are not.
#[test]
fn forces_keep_islands_together() {
    for forced in [false, true] {
        let mut world = World::new(settings(&["contact.enabled=false"]));
        for pair in 0..600 {
            let at = Vec3::X * (3.0 * pair as f32);
            let forces = if forced && pair == 7 { vec![force(Vec3::Z)] } else { Vec::new() };
            let a = world.add_body(pushed(forces, bead(at)));
            let b = world.add_body(bead(at + Vec3::Z));
            world.add_joint(joint(&world, a, b, at, Vec3::Y, JointKind::BallSocket(BallSocket {})));
        }
        world.step();
        let together = world.report.route == Route::Whole(WholeReason::Forces);
        assert_eq!(together, forced, "{:?}", world.report.route);
    }
}

/// A box that friction holds against a constant force falls asleep. One that a varying force pushes does not: in a second
/// the force may be larger than friction. Then it slides.
#[test]
fn what_a_varying_force_pushes_does_not_sleep() {
    let hold = 0.5 * G;
    let later = ByTime::Table { points: vec![(3.0, 0.2), (3.1, 3.0)] };
    for (by_time, sleeps) in [(ByTime::Constant, true), (later, false)] {
        let mut world = World::new(settings(&["sleep.enabled=true"]));
        world.add_body(floor());
        let own = Force { by_time, ..force(Vec3::X * (0.3 * hold)) };
        let one = world.add_body(pushed(vec![own], cube(0.5, Vec3::Z * 0.5)));
        run(&mut world, 2.9);
        assert_eq!(world.state.sleep.has(one), sleeps);
        close("place", world.state.bodies[one as usize].position.x, 0.0, 1e-2);
        run(&mut world, 2.0);
        // 0.9 of the friction holds still, so neither moves.
        close("place", world.state.bodies[one as usize].position.x, 0.0, 2e-2);
    }
    let beyond = ByTime::Table { points: vec![(3.0, 0.0), (3.5, 2.0)] };
    let mut world = World::new(settings(&["sleep.enabled=true"]));
    world.add_body(floor());
    let own = Force { by_time: beyond, ..force(Vec3::X * hold) };
    let one = world.add_body(pushed(vec![own], cube(0.5, Vec3::Z * 0.5)));
    run(&mut world, 5.0);
    assert!(world.state.bodies[one as usize].position.x > 0.5, "it slides");
}
