//! Position errors: each method removes them as its formula says, and a joint may have a method of its own.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::{BallSocket, Distance, Fixed, Hinge, JointKind};
use delassus_physics::settings::{Stabilization, StabilizationPatch};
use delassus_physics::world::{WORLD, World};
use glam::Vec3;
use std::f32::consts::TAU;

use crate::build::{G, bead, body, close, cube, floor, joint, run, split_blocks};

const METHODS: [Stabilization; 7] = [
    Stabilization::Off,
    Stabilization::Baumgarte,
    Stabilization::Split,
    Stabilization::Nonlinear,
    Stabilization::Soft,
    Stabilization::Shake,
    Stabilization::Rattle,
];

/// A rod of 1 m from the world's origin to a bead that is too far out.
fn rod(assignments: &[&str], length: f32, at: f32) -> World {
    let mut world = World::new(split_blocks(assignments));
    world.settings.step.gravity = Vec3::ZERO;
    let bead = world.add_body(bead(Vec3::X * at));
    let kind = JointKind::Distance(Distance { length: Some(length) });
    world.add_joint(JointDef {
        a: WORLD,
        b: bead,
        anchor_a: Vec3::ZERO,
        anchor_b: Vec3::ZERO,
        axis_a: Vec3::Z,
        axis_b: Vec3::Z,
        kind,
        collide: false,
        options: JointOptions::default(),
    });
    world
}

/// Case 13 for position sweeps: each removes a share β, so n steps of s sweeps leave C0 (1 − β)^(s n), and no
/// velocity.
#[test]
fn position_sweeps_take_their_share_and_leave_no_velocity() {
    for solver in ["GaussSeidel", "Jacobi", "Direct"] {
        for sweeps in [1, 3] {
            let mut world = rod(
                &[
                    &format!("solver.method={solver}"),
                    "stabilization.method=Nonlinear",
                    "stabilization.beta=0.2",
                    &format!("stabilization.position_iterations={sweeps}"),
                    "stabilization.max_correction=10",
                ],
                1.0,
                1.5,
            );
            (0..20).for_each(|_| world.step());
            let expected = 0.5 * 0.8f32.powi(20 * sweeps);
            close("C", world.state.bodies[1].position.x - 1.0, expected, 2e-6);
            assert_eq!(world.state.velocities[1].linear, glam::Vec3A::ZERO, "{solver}: velocity");
        }
    }
}

/// An error above the largest correction counts as that much: C falls by β times it per sweep.
#[test]
fn far_errors_are_taken_out_bit_by_bit() {
    let assignments =
        ["stabilization.method=Nonlinear", "stabilization.beta=0.5", "stabilization.position_iterations=1"];
    let mut world = rod(&[&assignments[..], &["stabilization.max_correction=0.1"]].concat(), 1.0, 2.0);
    (0..4).for_each(|_| world.step());
    close("C", world.state.bodies[1].position.x - 1.0, 1.0 - 4.0 * 0.5 * 0.1, 1e-5);
}

/// Soft stabilisation is the implicit Euler step of a spring with a damper, the same for every solver:
/// C(n+1) = ((2 + 2ζωh) C(n) − C(n−1))/(1 + 2ζωh + ω²h²) from rest, C(−1) = C(0).
#[test]
fn soft_stabilisation_is_a_damped_spring() {
    let (hertz, zeta, h) = (4.0f32, 0.7f32, 1.0 / 60.0);
    for solver in ["GaussSeidel", "Jacobi", "Direct"] {
        let mut world = rod(
            &[
                &format!("solver.method={solver}"),
                "stabilization.method=Soft",
                "stabilization.relax=0",
                &format!("stabilization.hertz={hertz}"),
                &format!("stabilization.damping_ratio={zeta}"),
            ],
            1.0,
            1.5,
        );
        let (wh, damp) = (TAU * hertz * h, 2.0 * zeta * TAU * hertz * h);
        let (mut before, mut c) = (0.5f32, 0.5f32);
        for step in 0..60 {
            world.step();
            (before, c) = (c, ((2.0 + damp) * c - before) / (1.0 + damp + wh * wh));
            close(&format!("{solver}, C({step})"), world.state.bodies[1].position.x - 1.0, c, 1e-5);
        }
    }
}

/// A load on soft anchors sags by g/ω², for scalar rows and for blocks, and for every solver.
#[test]
fn soft_anchor_sags_by_g_over_omega_squared() {
    for solver in ["GaussSeidel", "Jacobi", "Direct"] {
        for rows in ["Block", "Scalar"] {
            let mut world = World::new(split_blocks(&[
                &format!("solver.method={solver}"),
                &format!("solver.rows={rows}"),
                "solver.jacobi=MassSplitting",
                "solver.iterations=40",
                "stabilization.method=Soft",
                "stabilization.hertz=5",
                "stabilization.damping_ratio=1",
            ]));
            let load = world.add_body(BodyDef { mass: 7.0, collide: false, ..cube(0.2, Vec3::ZERO) });
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind));
            run(&mut world, 4.0);
            let sag = G / (TAU * 5.0).powi(2);
            close(&format!("{solver}, {rows}: sag"), -world.state.bodies[1].position.z, sag, 0.01 * sag);
            close("load", world.state.joints[0].readout.force.z, 7.0 * G, 0.01 * 7.0 * G);
        }
    }
}

/// Deep in the floor: position sweeps lift the cube out up to the slop and give it no speed at all; Baumgarte throws
/// it.
#[test]
fn position_sweeps_lift_a_cube_out_of_the_floor_without_speed() {
    let fastest = |method: &str| {
        let mut world = World::new(split_blocks(&[&format!("stabilization.method={method}"), "contact.slop=0.005"]));
        world.settings.step.gravity = Vec3::ZERO;
        world.add_body(floor());
        let at = world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.4)));
        let mut fastest = 0.0f32;
        for _ in 0..120 {
            world.step();
            fastest = fastest.max(world.state.velocities[at as usize].linear.length());
        }
        (fastest, world.state.bodies[at as usize].position.z)
    };
    let (speed, height) = fastest("Nonlinear");
    assert!(speed == 0.0, "speed {speed} m/s");
    close("height", height, 0.495, 1e-3);
    // The first step alone requires β/h (C + slop), C = −0.1.
    let (speed, height) = fastest("Baumgarte");
    let first = 0.2 * 60.0 * (0.1 - 0.005);
    assert!(speed > 0.9 * first && height > 0.52, "{speed} m/s, {height} m");
}

/// Soft contacts throw a sunken cube upwards with the speed of their correction; relaxing sweeps remove that speed
/// once the pose has moved, and the cube comes to rest at its sag.
#[test]
fn relaxing_sweeps_keep_soft_contacts_from_throwing() {
    let highest = |relax: u32| {
        let mut world =
            World::new(split_blocks(&["stabilization.method=Soft", &format!("stabilization.relax={relax}")]));
        world.add_body(floor());
        let at = world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.35)));
        let mut highest = 0.0f32;
        for _ in 0..240 {
            world.step();
            highest = highest.max(world.state.bodies[at as usize].position.z);
        }
        (highest, world.state.bodies[at as usize].position.z)
    };
    let (thrown, _) = highest(0);
    assert!(thrown > 0.55, "without: {thrown} m");
    let (risen, rest) = highest(1);
    // Up to the slop, minus the sag.
    let sag = G / (TAU * 30.0).powi(2);
    assert!(risen < 0.496, "with: {risen} m");
    close("rest", rest, 0.495 - sag, 3e-4);
}

/// Soft contacts with a frequency and a damping ratio of their own move, to the bit, as with these for all rows.
#[test]
fn contacts_have_a_frequency_of_their_own() {
    let fall = |all: [f32; 2], own: [f32; 2]| {
        let mut world = World::new(split_blocks(&[
            "stabilization.method=Soft",
            &format!("stabilization.hertz={}", all[0]),
            &format!("stabilization.damping_ratio={}", all[1]),
            &format!("stabilization.contact_hertz={}", own[0]),
            &format!("stabilization.contact_damping_ratio={}", own[1]),
        ]));
        world.add_body(floor());
        world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.45)));
        run(&mut world, 1.0);
        world.hash()
    };
    assert_eq!(fall([30.0, 5.0], [10.0, 2.0]), fall([10.0, 2.0], [0.0, 5.0]));
    assert_ne!(fall([30.0, 5.0], [10.0, 2.0]), fall([30.0, 5.0], [0.0, 2.0]));
}

/// Joints that start from zero in each sub-step: after a step of one sweep on a hanging load the joint carries what that sweep
/// finds, its gravity for the sub-step, whatever it carried before. A single row needs no old impulse.
#[test]
fn joints_that_are_not_warm_started_find_their_load_anew() {
    for joints in [true, false] {
        let mut world = World::new(split_blocks(&[
            "solver.iterations=1",
            "stabilization.method=Off",
            &format!("warm_start.joints={joints}"),
        ]));
        let load = world.add_body(BodyDef { mass: 3.0, collide: false, ..cube(0.2, Vec3::ZERO) });
        let kind = JointKind::BallSocket(BallSocket {});
        world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind));
        for body in [0, 1] {
            // A chain of two: with old impulses a single sweep a step converges over the steps, without them it never does.
            let hung =
                world.add_body(BodyDef { mass: 3.0, collide: false, ..cube(0.2, Vec3::Z * -(1.0 + body as f32)) });
            let kind = JointKind::BallSocket(BallSocket {});
            let above = if body == 0 { load } else { hung - 1 };
            world.add_joint(joint(&world, above, hung, Vec3::Z * -(0.5 + body as f32), Vec3::Z, kind));
        }
        run(&mut world, 2.0);
        let fall = -world.state.velocities[3].linear.z;
        assert_eq!(fall < 0.01, joints, "warm-started joints: {joints}, {fall} m/s");
    }
}

/// A stack stands with every method of removing its overlaps.
#[test]
fn stack_stands_with_every_method() {
    for method in METHODS.into_iter().skip(1) {
        let mut world = World::new(split_blocks(&[&format!("stabilization.method={method:?}")]));
        world.add_body(floor());
        for i in 0..5 {
            world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.5 + i as f32)));
        }
        run(&mut world, 5.0);
        let m = world.metrics();
        let top = world.state.bodies.last().map_or(0.0, |b| b.position.z);
        assert!(m.penetration_max < 0.012 && (top - 4.5).abs() < 0.05, "{method:?}: {m:?}, top at {top}");
        assert!(m.kinetic_energy < 1e-3, "{method:?}: {} J", m.kinetic_energy);
    }
}

/// Each method holds a swinging chain of welds, hinges and balls to its own error; the position sweeps have the
/// smallest.
#[test]
fn every_method_holds_a_mixed_chain() {
    let worst = |method: Stabilization| {
        let mut world =
            World::new(split_blocks(&[&format!("stabilization.method={method:?}"), "solver.iterations=20"]));
        let mut above = WORLD;
        for i in 0..6 {
            let at = Vec3::new(0.4 + 0.8 * i as f32, 0.0, 0.0);
            let link = world.add_body(BodyDef { collide: false, ..cube(0.2, at) });
            let kind = match i % 3 {
                0 => JointKind::BallSocket(BallSocket {}),
                1 => JointKind::Hinge(Hinge::default()),
                _ => JointKind::Fixed(Fixed::default()),
            };
            world.add_joint(joint(&world, above, link, at - Vec3::X * 0.4, Vec3::Y, kind));
            above = link;
        }
        let mut worst = 0.0f32;
        for _ in 0..240 {
            world.step();
            worst =
                world.state.joints.iter().map(|j| j.readout.error.max(j.readout.angular_error)).fold(worst, f32::max);
        }
        worst
    };
    let drift = worst(Stabilization::Off);
    let errors = METHODS.map(|method| (method, worst(method)));
    for (method, error) in errors.into_iter().skip(1) {
        assert!(error < 0.5 * drift, "{method:?}: {error}, without {drift}");
    }
    let (nonlinear, baumgarte) = (errors[3].1, errors[1].1);
    assert!(nonlinear < baumgarte, "position sweeps {nonlinear}, Baumgarte {baumgarte}");
}

/// A joint's own stabilisation works as if it were the world's: two mechanisms side by side move exactly, bit for
/// bit, as each does alone under such settings.
#[test]
fn a_joint_may_have_a_stabilisation_of_its_own() {
    let build = |world: &mut World, y: f32, own: Option<Stabilization>| {
        let ball = world.add_body(BodyDef { mass: 2.0, collide: false, ..cube(0.3, Vec3::new(1.0, y, 0.0)) });
        let mut def = joint(world, WORLD, ball, Vec3::new(0.0, y, 0.0), Vec3::Y, JointKind::BallSocket(BallSocket {}));
        // The anchors are separated, so that there is an error to remove.
        def.anchor_a += Vec3::new(0.02, 0.0, 0.05);
        def.options.stabilization =
            own.map(|method| StabilizationPatch { method: Some(method), beta: Some(0.3), ..Default::default() });
        world.add_joint(def);
        ball as usize
    };
    let alone = |method: Stabilization| {
        let mut world = World::new(split_blocks(&["stabilization.beta=0.3", "stabilization.relax=0"]));
        world.settings.stabilization.method = method;
        let at = build(&mut world, 0.0, None);
        run(&mut world, 1.0);
        (world.state.bodies[at].position, world.state.bodies[at].rotation)
    };
    // The rounds of SHAKE sweep the whole world again, so beside such joints nothing is the same bit for bit.
    let rounds = |method: Stabilization| matches!(method, Stabilization::Shake | Stabilization::Rattle);
    for world_method in METHODS {
        // Relaxing sweeps cover all rows.
        let mut world = World::new(split_blocks(&["stabilization.relax=0"]));
        world.settings.stabilization.method = world_method;
        // All at y = 0: they do not touch.
        for (some, exact) in [(false, true), (true, false)] {
            let mut world = world.clone();
            let among: Vec<_> = METHODS.into_iter().filter(|own| some || !rounds(*own)).collect();
            let bodies: Vec<_> = among.iter().map(|own| build(&mut world, 0.0, Some(*own))).collect();
            run(&mut world, 1.0);
            for (own, at) in among.into_iter().zip(bodies) {
                let (position, rotation) = (world.state.bodies[at].position, world.state.bodies[at].rotation);
                let (expected, turned) = alone(own);
                let same = (position, rotation) == (expected, turned);
                let near = position.distance(expected) < 1e-4 && rotation.angle_between(turned) < 1e-3;
                assert!(
                    if exact { same } else { near },
                    "{own:?} in a world of {world_method:?}: {position}, {expected}"
                );
            }
        }
    }
}

/// Soft rows are solved up to rounding by the direct solver: the sweeps converge to its velocities.
#[test]
fn direct_solver_solves_soft_rows_exactly() {
    let velocities = |method: &str, rows: &str| {
        let mut world = World::new(split_blocks(&[
            &format!("solver.method={method}"),
            &format!("solver.rows={rows}"),
            "solver.iterations=400",
            "stabilization.method=Soft",
        ]));
        let mut above = WORLD;
        for i in 0..4 {
            let at = Vec3::new(0.5 + i as f32, 0.0, 0.0);
            let shape = delassus_physics::shape::Shape::Box { half: Vec3::new(0.5, 0.1, 0.1) };
            let link = world.add_body(BodyDef { collide: false, motion: Motion::Dynamic, ..body(shape, at) });
            world.add_joint(joint(
                &world,
                above,
                link,
                at - Vec3::X * 0.5,
                Vec3::Y,
                JointKind::Hinge(Hinge::default()),
            ));
            above = link;
        }
        (0..3).for_each(|_| world.step());
        world.state.velocities.iter().map(|v| v.linear).collect::<Vec<_>>()
    };
    let exact = velocities("Direct", "Block");
    for rows in ["Block", "Scalar"] {
        for (found, expected) in velocities("GaussSeidel", rows).iter().zip(&exact) {
            assert!(found.distance(*expected) < 1e-4, "{rows}: {found}, exactly {expected}");
        }
    }
}
