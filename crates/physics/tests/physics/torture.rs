//! Torture: 10 kg hung on 1 kg by every kind of joint, given an impulse once a second for 20 s.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::profile::Profile;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::world::{WORLD, World};
use glam::{Vec3, Vec3A};
use rayon::prelude::*;

use crate::build::{cube, joint, settings};

/// Adds bounds where a kind has no stop of its own: otherwise the bodies would slide off, or a shaft would bend to
/// the half turn where its twist is undefined.
fn bounded(mut kind: JointKind) -> JointKind {
    let rail = kind.info().shown == JointDisplay::Rail;
    if let JointKind::Pulley(pulley) = &mut kind {
        // Ten strands hold 10 kg by 1 kg.
        (pulley.over_a, pulley.over_b, pulley.ratio) = (Vec3::new(0.5, 0.0, 10.0), Vec3::new(1.5, 0.0, 10.0), 10.0);
    }
    for Parameter { role, .. } in kind.parameters() {
        match role {
            Role::SlideLimit(limit) if rail => *limit = Some((-0.5, 0.5)),
            Role::Swing(Given::Maybe(limit)) => *limit = Some(SwingLimit::Cone(Angle::degrees(60.0))),
            Role::TurnAxis(axis) => {
                *axis = TurnAxis::Free { limit: Some((Angle::degrees(-60.0), Angle::degrees(60.0))), servo: None };
            }
            _ => {}
        }
    }
    kind
}

/// 1 kg on the world and 10 kg on it, extending along x, with the axis of the joints along y.
fn rack(kind: JointKind, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    let mut above = WORLD;
    for (i, mass) in [1.0, 10.0].into_iter().enumerate() {
        let at = Vec3::X * (0.5 + i as f32);
        let link = world.add_body(BodyDef { mass, collide: false, ..cube(0.25, at) });
        let mut def = joint(&world, above, link, at - Vec3::X * 0.5, Vec3::Y, kind);
        let needs_length = matches!(kind, JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Spring(_));
        if needs_length || matches!(kind, JointKind::PointOnRing(_) | JointKind::Drum(_) | JointKind::Formula(_)) {
            def.anchor_a -= 0.2 * Vec3::X;
            def.anchor_b += 0.2 * Vec3::X;
        }
        if let JointKind::Gear(_) | JointKind::Rack(_) | JointKind::Belt(_) | JointKind::Cam(_) = kind {
            // Teeth couple what has its own bearing; the bodies' centres are a metre apart.
            let guided = i == 1 && matches!(kind, JointKind::Cam(_));
            let (axis, bearing) = match guided {
                true => (Vec3::X, JointKind::Prismatic(Prismatic::default())),
                false => (Vec3::Y, JointKind::Hinge(Hinge::default())),
            };
            world.add_joint(joint(&world, WORLD, link, at, axis, bearing));
            (def.anchor_a, def.anchor_b) = (Vec3::ZERO, Vec3::ZERO);
        }
        if let JointKind::Cam(cam) = &mut def.kind {
            // The follower's point is a metre from the cam's axis; the first one does not move.
            cam.radii = Profile::of(24, |t| if i == 0 { 0.5 } else { 0.9 + 0.1 * t.cos() });
        }
        // Where B's axis is another one than A's.
        def.axis_b = kind.second_axis(Vec3::Y, Vec3::X, Vec3::X).unwrap_or(Vec3::Y);
        world.add_joint(def);
        if let JointKind::Plane(_) = kind {
            // Along the plane the bodies would fall for 20 s.
            let tether = JointKind::Rope(Rope { length: Some(1.0) });
            let mut def = joint(&world, WORLD, link, at, Vec3::Y, tether);
            def.anchor_b = Vec3::ZERO;
            world.add_joint(def);
        }
        above = link;
    }
    world
}

/// The largest errors, m and rad, while the two bodies are hit in turn: an impulse of 5 N·s and up to 10/m rad/s of
/// rotation, in any direction.
fn struck(world: &mut World, seed: u32) -> (f32, f32) {
    let mut noise = seed;
    let mut next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut worst = (0.0f32, 0.0f32);
    for step in 0..720 {
        if step % 60 == 0 {
            let body = 1 + step / 60 % 2;
            let impulse = Vec3::new(next(), next(), next()).normalize_or(Vec3::X);
            let mass = world.state.bodies[body].mass;
            world.state.velocities[body].linear += Vec3A::from(impulse * 5.0 / mass);
            world.state.velocities[body].angular += Vec3A::from(impulse.cross(Vec3::Y) * 10.0 / mass);
        }
        world.step();
        for joint in &world.state.joints {
            worst = (worst.0.max(joint.readout.error), worst.1.max(joint.readout.angular_error));
        }
    }
    worst
}

/// With 40 sweeps, or solved directly, every kind stays whole: split impulses within 10 cm and 0.06 rad (a swing of
/// 10 m/s leaves its circle of 1 m by v² h²/2L = 1.4 cm a step, a taut rope by more); position sweeps likewise, but
/// 0.09 rad; soft joints yield by twice that. Baumgarte is not tested: 1 kg between welds needs far more sweeps for
/// its warm starting to be stable.
#[test]
fn every_kind_survives_impulses() {
    let solvers = [
        ("GaussSeidel", "Split", 0.1, 0.06),
        ("GaussSeidel", "Nonlinear", 0.1, 0.09),
        ("GaussSeidel", "Soft", 0.2, 0.2),
        ("GaussSeidel", "Rattle", 0.1, 0.06),
        ("GaussSeidel", "Shake", 0.1, 0.06),
        ("Direct", "Split", 0.1, 0.06),
        ("Direct", "Rattle", 0.1, 0.06),
    ];
    let kinds = JointKind::all();
    let runs: Vec<_> = solvers.into_iter().flat_map(|solver| kinds.iter().map(move |kind| (solver, *kind))).collect();
    let open: Vec<String> = runs.par_iter().filter_map(|(solver, kind)| too_open(*solver, bounded(*kind))).collect();
    assert!(open.is_empty(), "{}", open.join("\n"));
}

/// How far a kind opens, if that is too far.
fn too_open(
    (solver, method, metres, radians): (&'static str, &'static str, f32, f32),
    kind: JointKind,
) -> Option<String> {
    let name = format!("{}, {solver}, {method}", kind.info().name);
    // Those that exceed the bounds of all others. A rod whips round under SHAKE; why the other two do is not known.
    let (metres, radians) = match (kind.info().name, solver, method) {
        ("Plane", _, "Split") => (0.12, radians),
        ("Distance", "GaussSeidel", "Shake") => (0.2, radians),
        // A rod that is written down; as a rod it whips, too.
        ("Formula", ..) => (0.2, radians),
        // What its ten strands are too long counts ten times.
        ("Pulley", ..) => (10.0 * metres, radians),
        // A whip winds its rope up to 6 cm, on which 10 m/s leave the circle by 20 cm a step.
        ("Drum", _, "Rattle") => (0.2, radians),
        ("Cylindrical", _, "Nonlinear") => (metres, 0.13),
        _ => (metres, radians),
    };
    // A single impulse may happen to meet a body where a stop or a rope turns it by a radian in one step. Of five series
    // the middle one counts: it is within a bound as soon as three are.
    let mut series = Vec::new();
    for seed in [12345, 20264, 28183, 36102, 44021] {
        let assignments =
            ["solver.iterations=40", &format!("solver.method={solver}"), &format!("stabilization.method={method}")];
        let mut world = rack(kind, &assignments);
        series.push(struck(&mut world, seed));
        let finite = world.state.bodies.iter().all(|b| b.position.is_finite() && b.rotation.is_finite());
        assert!(finite && world.report.stopped == 0 && world.report.guarded == 0, "{name}");
        let within = |good: &dyn Fn(&(f32, f32)) -> bool| series.iter().filter(|worst| good(worst)).count();
        if within(&|worst| worst.0 < metres) >= 3 && within(&|worst| worst.1 < radians) >= 3 {
            return None;
        }
    }
    Some(format!("{name}: {series:?} m and rad, {metres} m and {radians} rad allowed"))
}
