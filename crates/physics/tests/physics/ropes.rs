//! Ropes over sheaves and on drums compared with their closed forms.

use std::f32::consts::TAU;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3, Vec3A};

use crate::build::{G, bead, body, close, joint, run};

const SOLVERS: [&str; 2] = ["solver.rows=Mechanism", "solver.method=Direct"];

fn world(assignments: &[&str]) -> World {
    let mut world = World::new(Settings::default());
    assignments.iter().for_each(|assignment| world.settings.assign(assignment).expect("a valid assignment"));
    world
}

/// A rope between the middles of two bodies over points above them.
fn over(ratio: f32, friction: f32, wrap: f32) -> Pulley {
    let (over_a, over_b) = (Vec3::new(-0.5, 0.0, 2.0), Vec3::new(0.5, 0.0, 2.0));
    Pulley { over_a, over_b, ratio, friction, wrap: Angle::radians(wrap), length: None }
}

fn between(a: u32, b: u32, kind: JointKind) -> JointDef {
    let (anchor_a, anchor_b, axis_a, axis_b) = (Vec3::ZERO, Vec3::ZERO, Vec3::Y, Vec3::Y);
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide: false, options: JointOptions::default() }
}

/// Two weights, kg, below the points of a pulley.
fn weights(assignments: &[&str], masses: (f32, f32), pulley: Pulley) -> World {
    let mut world = world(assignments);
    let [a, b] = [(-0.5, masses.0), (0.5, masses.1)]
        .map(|(x, mass)| world.add_body(BodyDef { mass, ..bead(Vec3::new(x, 0.0, 0.0)) }));
    world.add_joint(between(a, b, JointKind::Pulley(pulley)));
    world
}

fn rises(world: &World, body: u32) -> f32 {
    world.state.velocities[body as usize].linear.z
}

/// A disc about y. I = ½ m r².
fn disc(radius: f32, mass: f32, at: Vec3) -> BodyDef {
    let rotation = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
    BodyDef { mass, rotation, collide: false, ..body(Shape::Cylinder { radius, half_length: 0.05 }, at) }
}

/// A drum about y on the body `a`, whose frame is turned.
fn drum(world: &World, a: u32, b: u32, drum: Drum) -> JointDef {
    let axis_a = world.state.bodies[a as usize].rotation.inverse() * Vec3::Y;
    JointDef { axis_a, ..between(a, b, JointKind::Drum(drum)) }
}

/// a = (m₁ − m₂) g/(m₁ + m₂), and the rope's tension is 2 m₁ m₂ g/(m₁ + m₂).
#[test]
fn two_weights_fall_as_atwood_s() {
    for solver in SOLVERS {
        for (m_a, m_b) in [(3.0, 1.0), (1.0, 1.2), (0.01, 100.0)] {
            let mut world = weights(&[solver], (m_a, m_b), over(1.0, 0.0, 0.0));
            run(&mut world, 0.4);
            let a = (m_a - m_b) * G / (m_a + m_b);
            close("A", rises(&world, 1), -a * 0.4, 1e-5 * G);
            close("B", rises(&world, 2), a * 0.4, 1e-5 * G);
            let tension = 2.0 * m_a * m_b * G / (m_a + m_b);
            let read = &world.state.joints[0].readout;
            close("tension", read.anchor.z, tension, 1e-4 * tension);
            assert!(read.stops.greatest && read.value <= 4.0 + 1e-5, "{} m", read.value);
        }
    }
}

/// A block and tackle of k strands: a_B = (k m_A − m_B) g/(m_B + k² m_A), a_A = −k a_B. It balances at m_B = k m_A.
#[test]
fn a_block_and_tackle_trades_way_for_force() {
    for solver in SOLVERS {
        for (k, m_a, m_b) in [(2.0, 1.0, 2.0), (2.0, 3.0, 1.0), (5.0, 1.0, 8.0), (0.5, 1.0, 3.0)] {
            let mut world = weights(&[solver], (m_a, m_b), over(k, 0.0, 0.0));
            run(&mut world, 0.4);
            let a = (k * m_a - m_b) * G / (m_b + k * k * m_a);
            close("B", rises(&world, 2), 0.4 * a, 2e-5 * G * k);
            close("A", rises(&world, 1), -0.4 * k * a, 2e-5 * G * k);
        }
    }
}

/// Euler and Eytelwein: the rope holds while m_A/(m_B/k) < e^{µθ}. Beyond that it slides with
/// a_A = (m_A − E m_B/k) g/(m_A + E m_B/k²), E = e^{µθ}: with the tensions T_A = m_A (g − a_A), k T_B = m_B (g + a_A/k).
#[test]
fn a_rope_holds_up_to_e_to_the_mu_theta() {
    for solver in SOLVERS {
        for (k, friction, wrap) in [(1.0, 0.3, 0.5 * TAU), (1.0, 0.2, 2.0 * TAU), (2.0, 0.25, 0.5 * TAU)] {
            let most = (friction * wrap).exp();
            for share in [0.5, 0.97, 1.03, 2.0] {
                let m_b = 1.5;
                let m_a = share * most * m_b / k;
                let mut world = weights(&[solver], (m_a, m_b), over(k, friction, wrap));
                run(&mut world, 0.2);
                let before = rises(&world, 1);
                run(&mut world, 0.2);
                let (now, what) = (rises(&world, 1), format!("{solver}, {k} strands, µθ {}, {share}", friction * wrap));
                if share < 1.0 {
                    close(&what, now, 0.0, 1e-4);
                    continue;
                }
                let a = (m_a - most * m_b / k) * G / (m_a + most * m_b / (k * k));
                close(&what, (before - now) / 0.2, a, 1e-3 * a);
                // T_a = τ + f, T_b = τ − f: their ratio.
                let read = &world.state.joints[0].readout;
                let (mean, rubs) = (read.anchor.z.abs() / k, read.friction.abs());
                close("tensions", (mean + rubs) / (mean - rubs), most, 5e-3 * most);
            }
        }
    }
}

/// The lighter weight is hauled up to its sheave, 1 cm below it, and stays. The rope then holds the heavier one,
/// T = m_A g, the sheave presses on B with k T − m_B g, and the whole rope is as long as it was.
#[test]
fn a_strand_ends_at_its_sheave() {
    for solver in SOLVERS {
        for (k, m_a, m_b) in [(1.0, 3.0, 1.0), (2.0, 2.0, 1.0), (1.0, 1000.0, 1.0)] {
            let mut world = weights(&[solver], (m_a, m_b), over(k, 0.0, 0.0));
            run(&mut world, 10.0);
            let what = format!("{solver}, {k} strands, {m_a} kg and {m_b} kg");
            let joint = &world.state.joints[0];
            let places = [1, 2].map(|body: usize| world.state.bodies[body].position);
            close(&format!("{what}: B"), places[1].z, 2.0 - 0.01, 1e-4);
            // The strands were 2 m each: ‖a‖ + k ‖b‖ = 2 + 2 k.
            close(&format!("{what}: A"), places[0].z, 2.0 - (2.0 + 2.0 * k - 0.01 * k), 1e-3);
            close(&format!("{what}: still"), rises(&world, 1), 0.0, 1e-3);
            // The direct solver closes within a sub-step what the lengths of the strands are rounded by, some 2e-7 m: with h of
            // 1/240 s that is m/h² times it, some tenths of a percent of the weight.
            close(&format!("{what}: the stop"), joint.readout.limit.abs(), (k * m_a - m_b) * G, 1e-2 * k * m_a * G);
        }
    }
}

/// A weight thrown upwards: its rope is slack, it flies freely, and then it is caught. The rope never pushes, is never
/// longer than it is, and gains no energy.
#[test]
fn a_rope_goes_slack_and_tightens() {
    for solver in SOLVERS {
        let mut world = weights(&[solver], (2.0, 1.0), over(1.0, 0.0, 0.0));
        world.state.velocities[1].linear = Vec3A::Z * 3.0;
        world.state.velocities[2].linear = Vec3A::Z * 1.0;
        let energy = world.metrics().energy();
        let (mut slack, mut taut) = (0, 0);
        for step in 0..80 {
            let was = [rises(&world, 1), rises(&world, 2)];
            world.step();
            let read = &world.state.joints[0].readout;
            assert!(read.value < 4.0 + 2e-4, "step {step}: {} m", read.value);
            assert!(read.anchor.z >= -1e-4, "it pushes with {} N", read.anchor.z);
            if read.anchor.z == 0.0 {
                slack += 1;
                assert!((rises(&world, 1) - was[0] + G / 60.0).abs() < 1e-4, "it flies");
            } else {
                taut += 1;
            }
            assert!(world.metrics().energy() < energy + 1e-3, "step {step}: {} J", world.metrics().energy() - energy);
        }
        assert!(slack > 20 && taut > 20, "{slack} steps slack, {taut} taut");
    }
}

/// The swinging Atwood's machine: one weight swings on the rope that another one holds. Its energy stays.
#[test]
fn a_swinging_weight_keeps_the_energy() {
    let mut world = weights(&[], (3.0, 1.0), over(1.0, 0.0, 0.0));
    world.state.bodies[2].position = Vec3::new(0.5 + 1.5, 0.0, 1.0);
    let (a, b) = (1, 2);
    world.state.joints.clear();
    world.add_joint(between(a, b, JointKind::Pulley(over(1.0, 0.0, 0.0))));
    let start = world.metrics().energy();
    let mut most = 0.0f32;
    for _ in 0..180 {
        world.step();
        most = most.max((world.metrics().energy() - start).abs() as f32);
    }
    let read = &world.state.joints[0].readout;
    assert!(read.error < 1e-3, "{} m too long", read.error);
    // Of the about 30 J that pass between the weights.
    assert!(most < 0.05, "{most} J");
}

/// A weight on a drum: a = m g r²/(m r² + I); the tension is m (g − a). The drum's sign is the side on which the rope leaves it.
#[test]
fn a_weight_unwinds_its_drum() {
    for solver in SOLVERS {
        for radius in [0.2, -0.2f32] {
            let mut world = world(&[solver]);
            let wheel = world.add_body(disc(0.2, 3.0, Vec3::ZERO));
            // About y a rope below leaves the drum at −x if a turn about +y winds it up.
            let at = Vec3::new(-radius, 0.0, -1.0);
            let weight = world.add_body(BodyDef { mass: 2.0, ..bead(at) });
            world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default())));
            world.add_joint(drum(&world, wheel, weight, Drum { radius, length: None }));
            run(&mut world, 1.0);
            let inertia = 0.5 * 3.0 * 0.04;
            let a = 2.0 * G * 0.04 / (2.0 * 0.04 + inertia);
            close("weight", rises(&world, weight), -a, 1e-4 * a);
            close("wheel", world.state.joints[0].readout.speed, -a / radius, 1e-3 * a / 0.2);
            close("angle", world.state.joints[1].readout.value, world.state.joints[0].readout.value, 1e-4);
            // A position is rounded at 1 + ½ a = 3.8 m, and the tension closes what that opens in a sub-step.
            let rounding = 2.0 * 3.8 * f32::EPSILON / world.settings.h().powi(2);
            close("tension", world.state.joints[1].readout.anchor.z, 2.0 * (G - a), 1e-4 * G + rounding);
        }
    }
}

/// Two weights over a sheave with a mass, which is two drums on one body: a = (m₁ − m₂) g/(m₁ + m₂ + I/r²).
#[test]
fn a_sheave_with_a_mass_slows_atwood_s_weights() {
    for solver in SOLVERS {
        let mut world = world(&[solver]);
        let sheave = world.add_body(disc(0.3, 4.0, Vec3::ZERO));
        let [left, right] = [(-0.3, 3.0), (0.3, 1.0)]
            .map(|(x, mass)| world.add_body(BodyDef { mass, ..bead(Vec3::new(x, 0.0, -2.0)) }));
        world.add_joint(joint(&world, WORLD, sheave, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default())));
        world.add_joint(drum(&world, sheave, left, Drum { radius: 0.3, length: None }));
        world.add_joint(drum(&world, sheave, right, Drum { radius: -0.3, length: None }));
        run(&mut world, 0.5);
        let a = (3.0 - 1.0) * G / (3.0 + 1.0 + 0.5 * 4.0);
        close("left", rises(&world, left), -0.5 * a, 1e-4 * a);
        close("right", rises(&world, right), 0.5 * a, 1e-4 * a);
        close("left rope", world.state.joints[1].readout.anchor.z, 3.0 * (G - a), 5e-3 * G);
        close("right rope", world.state.joints[2].readout.anchor.z, G + a, 5e-3 * G);
    }
}

/// Six ropes of 0.2 m with balls of 1 kg, a tonne at the end, are let go level: ropes alone, under which the balls are
/// stable only in parts of a step. They stay within 2/1000 of their length, the bound of `divide/measure.rs`, and the
/// energy grows by no more than what that gives the tonne.
#[test]
fn ropes_alone_bear_a_tonne_that_swings() {
    let mut world = world(&[]);
    let balls = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2].map(|x| {
        let mass = if x == 1.2 { 1000.0 } else { 1.0 };
        world.add_body(BodyDef { mass, ..bead(Vec3::new(x, 0.0, 3.0)) })
    });
    for (k, ball) in balls.into_iter().enumerate() {
        let (a, from) = if k == 0 { (WORLD, Vec3::Z * 3.0) } else { (balls[k - 1], Vec3::ZERO) };
        world.add_joint(JointDef { anchor_a: from, ..between(a, ball, JointKind::Rope(Rope { length: Some(0.2) })) });
    }
    let before = world.metrics().energy();
    for _ in 0..300 {
        world.step();
        let metrics = world.metrics();
        assert!(metrics.joint_error_max < 2e-3 * 0.2, "{} m", metrics.joint_error_max);
        let most = before + 1000.0 * f64::from(G) * 2e-3 * 1.2;
        assert!(metrics.energy() < most, "{} J of {most} J", metrics.energy());
    }
}

/// A motor lets a weight down by a hundred turns and winds it up again: the length is r φ all the time.
#[test]
fn a_hundred_turns_are_counted() {
    let (radius, speed) = (0.02, 15.0 * TAU);
    let mut world = world(&[]);
    let wheel = world.add_body(disc(0.1, 2.0, Vec3::ZERO));
    let weight = world.add_body(BodyDef { mass: 1.0, ..bead(Vec3::new(-radius, 0.0, -1.0)) });
    let hinge =
        |speed| JointKind::Hinge(Hinge { motor: Some(AngularDrive { speed, max_torque: 50.0 }), ..Hinge::default() });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Y, hinge(-speed)));
    world.add_joint(drum(&world, wheel, weight, Drum { radius, length: None }));
    for (direction, seconds) in [(-1.0, 7.0), (1.0, 6.0)] {
        world.state.joints[0].def.kind = hinge(direction * speed);
        run(&mut world, seconds);
        let turned = world.state.joints[0].readout.value;
        close("angle", world.state.joints[1].readout.value, turned, 1e-3);
        close("height", world.state.bodies[weight as usize].position.z, -1.0 + radius * turned, 2e-3);
        assert!(direction > 0.0 || turned < -100.0 * TAU, "{} turns", turned / TAU);
    }
    assert!(world.state.joints[1].readout.error < 1e-4, "{} m", world.state.joints[1].readout.error);
}

/// A rope between a free drum and a free body, beside the drum's plane: both momenta are kept while it is taut.
#[test]
fn a_free_drum_keeps_both_momenta() {
    let mut world = world(&["step.gravity=0,0,0"]);
    let wheel = disc(0.2, 2.0, Vec3::new(0.1, -0.2, 0.3));
    let wheel = world.add_body(BodyDef { angular_velocity: Vec3::Y * 6.0, ..wheel });
    let weight = bead(Vec3::new(-0.1, 0.1, -0.8));
    let weight = world.add_body(BodyDef { mass: 1.0, velocity: Vec3::new(0.2, 0.3, -0.5), ..weight });
    world.add_joint(drum(&world, wheel, weight, Drum { radius: 0.2, length: None }));
    let before = world.metrics();
    let mut pulled = 0.0f32;
    for _ in 0..60 {
        world.step();
        pulled += world.state.joints[0].readout.anchor.length() / 60.0;
    }
    let after = world.metrics();
    assert!(pulled > 0.1, "{pulled} N·s");
    assert!((after.momentum - before.momentum).length() < 1e-5);
    let turned = (after.angular_momentum - before.angular_momentum).length();
    assert!(turned < 3e-3 * before.angular_momentum.length(), "{turned} N·m·s");
}

/// The default block solves ropes as the direct solver does: slack, taut, sliding and held ones in one machine. Each step
/// begins in the same state; where a step closes its joints, it leaves the rounding of their positions.
#[test]
fn the_default_agrees_with_the_direct_solver() {
    let closings = [("stabilization.method=Baumgarte", 3e-5), ("stabilization.method=Rattle", 1e-3)];
    for (friction, (closing, within)) in [0.0, 0.05, 0.1].into_iter().flat_map(|f| closings.map(|own| (f, own))) {
        let common = [SOLVERS[1], "step.substeps=1", "step.rate=60", closing];
        let mut exact = weights(&common, (2.0, 1.0), over(1.0, friction, 3.0));
        let third = exact.add_body(BodyDef { mass: 0.5, ..bead(Vec3::new(0.6, 0.0, -1.0)) });
        exact.add_joint(between(2, third, JointKind::Rope(Rope { length: Some(1.1) })));
        let at = Vec3::new(2.0, 0.0, 1.0);
        let wheel = exact.add_body(disc(0.15, 1.0, at));
        exact.add_joint(joint(&exact, WORLD, wheel, at, Vec3::Y, JointKind::Hinge(Hinge::default())));
        exact.add_joint(drum(&exact, wheel, third, Drum { radius: 0.15, length: None }));
        exact.add_joint(between(WORLD, 1, JointKind::Pulley(Pulley { ratio: 2.0, ..over(1.0, 0.0, 0.0) })));
        let mut taut = [0; 5];
        for step in 0..240 {
            let mut own = exact.clone();
            for assignment in ["solver.method=GaussSeidel", SOLVERS[0]] {
                own.settings.assign(assignment).expect("a valid assignment");
            }
            own.step();
            exact.step();
            for (own, exact) in own.state.velocities.iter().zip(&exact.state.velocities) {
                let off = (own.linear - exact.linear).length().max((own.angular - exact.angular).length());
                let of = 1.0 + exact.linear.length().max(exact.angular.length());
                assert!(off < within * of, "{closing}, friction {friction}, step {step}: {off} of {of}");
            }
            for (taut, joint) in taut.iter_mut().zip(&exact.state.joints) {
                *taut += u32::from(joint.readout.anchor.length() > 1e-6);
            }
        }
        assert!(taut.iter().filter(|taut| (1..240).contains(*taut)).count() >= 2, "{taut:?} steps taut");
    }
}
