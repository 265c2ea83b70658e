//! RATTLE: mechanisms at rest and under load, the forces that are read, and errors with which a run begins.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, body, close, joint, run, settings};
use crate::conserving::{SOLVERS, energy};

/// A table on welded legs at rest: nothing moves, and the legs bear as much as with split impulses (a quarter each by
/// symmetry; sweeps in order leave one of them a tenth). Before this was fixed, its joints trembled by 10⁻⁴ rad, its
/// top was reported as falling at ½ g h, and at 240 Hz two legs bore nothing.
#[test]
fn a_table_on_welded_legs_rests() {
    for rows in ["solver.rows=Tree", "solver.rows=Joint"] {
        for rate in ["step.rate=60", "step.rate=240"] {
            let mut world = World::new(settings(&["stabilization.method=Rattle", rows, rate]));
            let floor = world.add_body(crate::build::floor());
            let slab = |half, at| body(Shape::Box { half }, at);
            let top = slab(Vec3::new(0.6, 0.5, 0.03), Vec3::Z * 0.73);
            let top = world.add_body(BodyDef { mass: 10.0, ..top });
            for (x, y) in [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)] {
                let leg = world.add_body(slab(Vec3::new(0.04, 0.04, 0.35), Vec3::new(x, y, 0.35)));
                let weld = JointKind::Fixed(Fixed::default());
                world.add_joint(joint(&world, top, leg, Vec3::new(x, y, 0.7), Vec3::Z, weld));
            }
            run(&mut world, 20.0);
            let forces: Vec<f32> = world.state.joints.iter().map(|joint| joint.readout.force.length()).collect();
            let fastest =
                world.state.velocities.iter().map(|u| u.linear.length().max(u.angular.length())).fold(0.0, f32::max);
            assert!(fastest < 1e-4, "{rows}, {rate}: {fastest} m/s or rad/s at rest");
            for force in &forces {
                let quarter = 2.5 * G;
                assert!((force / quarter - 1.0).abs() < 0.25, "{rows}, {rate}: legs bear {forces:?} of {quarter} N");
            }
            assert!(world.state.bodies[floor as usize].position.z < 0.0);
        }
    }
}

/// An engine whose pins are all hinges closes its loop twice over. Old impulses along the redundant rows turned its
/// light rod wildly when the step's curvature was computed from them, and grew to 20 kN by feedback; now they are
/// some 50 N, and the joints stay closed.
#[test]
fn an_engine_of_hinges_keeps_its_forces() {
    let mut world = World::new(settings(&["stabilization.method=Rattle", "solver.rows=Tree"]));
    let bar = |half, at, mass| BodyDef { mass, collide: false, ..body(Shape::Box { half }, at) };
    let crank = world.add_body(bar(Vec3::new(0.32, 0.05, 0.1), Vec3::new(0.25, 0.1, 0.0), 2.0));
    let rod = world.add_body(bar(Vec3::new(0.88, 0.04, 0.06), Vec3::new(1.3, 0.0, 0.0), 1.0));
    let slider = world.add_body(bar(Vec3::new(0.25, 0.2, 0.2), Vec3::new(2.1, 0.0, 0.0), 4.0));
    let motor = Some(AngularDrive { speed: 3.0, max_torque: 200.0 });
    let hinge = |motor| JointKind::Hinge(Hinge { motor, ..Hinge::default() });
    let prismatic = JointKind::Prismatic(Prismatic::default());
    for (a, b, anchor, axis, kind) in [
        (WORLD, crank, Vec3::new(0.0, 0.1, 0.0), Vec3::NEG_Y, hinge(motor)),
        (WORLD, slider, Vec3::new(2.1, 0.0, 0.0), Vec3::X, prismatic),
        (crank, rod, Vec3::new(0.5, 0.05, 0.0), Vec3::Y, hinge(None)),
        (slider, rod, Vec3::new(2.1, 0.0, 0.0), Vec3::Y, hinge(None)),
    ] {
        world.add_joint(joint(&world, a, b, anchor, axis, kind));
    }
    let (mut most, mut gap) = (0.0f32, 0.0f64);
    for _ in 0..1200 {
        world.step();
        most = world.state.joints.iter().map(|joint| joint.readout.force.length()).fold(most, f32::max);
        gap = gap.max(world.metrics().joint_error_max);
    }
    // The slider is driven at r ω² (1 + r/l) = 5.9 m/s² at most, and the joints bear 7 kg.
    let most_statics = 4.0 * 5.9 + 7.0 * G;
    assert!(most < 3.0 * most_statics, "{most} N, of {most_statics} N");
    assert!(gap < 2e-3, "a joint opened by {gap:.1e} m");
}

/// A wheel of I = 2/5 m r² = 0.004 kg m² under 0.02 N·m from rest: ω = T t/I and θ = T t²/2I from the first step on,
/// because a run begins with half a kick. With a whole kick it would be ahead by T h/2I: 5.6 % after nine steps.
#[test]
fn a_motor_at_its_cap_begins_with_half_a_kick() {
    for solver in SOLVERS {
        let mut world = World::new(settings(&[&["stabilization.method=Rattle"], solver].concat()));
        let ball = BodyDef { collide: false, ..body(Shape::Sphere { radius: 0.1 }, Vec3::ZERO) };
        let wheel = world.add_body(BodyDef { mass: 1.0, ..ball });
        let motor = Some(AngularDrive { speed: 100.0, max_torque: 0.02 });
        let hinge = JointKind::Hinge(Hinge { motor, ..Hinge::default() });
        world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Y, hinge));
        let inertia = 0.4 * 0.01;
        for step in 1..=60 {
            world.step();
            let t = step as f32 / 60.0;
            close("speed", world.state.joints[0].readout.speed, 0.02 * t / inertia, 1e-4 * (1.0 + t));
            close("angle", world.state.joints[0].readout.value, 0.5 * 0.02 * t * t / inertia, 1e-4);
        }
    }
}

/// What hangs at rest stays at rest: velocities at the end of the step are zero, and the joint bears m g.
#[test]
fn rattle_reads_rest_as_rest() {
    for solver in SOLVERS {
        let mut world = World::new(settings(&[&["stabilization.method=Rattle"], solver].concat()));
        let mut above = WORLD;
        for i in 0..5 {
            let at = Vec3::NEG_Z * (i as f32 + 0.5);
            let link =
                world.add_body(BodyDef { collide: false, ..body(Shape::Box { half: Vec3::new(0.02, 0.02, 0.5) }, at) });
            let ball = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, above, link, at + 0.5 * Vec3::Z, Vec3::Y, ball));
            above = link;
        }
        run(&mut world, 2.0);
        let fastest = world.state.velocities.iter().map(|u| u.linear.length()).fold(0.0, f32::max);
        assert!(fastest < 1e-3, "{solver:?}: {fastest} m/s");
        close("the upper joint's force", world.state.joints[0].readout.force.length(), 5.0 * G, 0.05);
    }
}

/// Joints that are created with an error are drawn together without an impulse: the split correction removes the
/// error found at the start.
#[test]
fn an_error_that_is_found_adds_no_energy() {
    for method in ["Shake", "Rattle"] {
        let method = format!("stabilization.method={method}");
        let mut world = World::new(settings(&["step.gravity=0,0,0", &method]));
        let bar = world
            .add_body(BodyDef { collide: false, ..body(Shape::Box { half: Vec3::new(0.5, 0.02, 0.02) }, Vec3::X) });
        let mut def = joint(&world, WORLD, bar, 0.5 * Vec3::X, Vec3::Y, JointKind::BallSocket(BallSocket {}));
        def.anchor_a += Vec3::new(0.0, 0.1, 0.2);
        world.add_joint(def);
        let mut most = 0.0f64;
        for _ in 0..120 {
            world.step();
            most = most.max(energy(&world));
        }
        // A Baumgarte correction of 0.22 m at β = 0.2 would begin with 2.7 m/s, some joules.
        assert!(most < 0.02, "{method}: {most} J");
        assert!(world.metrics().joint_error_max < 2e-4, "{method}: {} m", world.metrics().joint_error_max);
    }
}

/// Contacts have a method of their own: a box that overlaps the floor is moved out by split impulses, whatever the
/// joints use.
#[test]
fn contacts_are_stabilised_apart_from_joints() {
    let sunk = |assignments: &[&str]| {
        let mut world = World::new(settings(assignments));
        world.add_body(crate::build::floor());
        world.add_body(crate::build::cube(0.5, Vec3::Z * 0.45));
        let mut fastest = 0.0f32;
        for _ in 0..120 {
            world.step();
            fastest = fastest.max(world.state.velocities[2].linear.z);
        }
        (0.5 - world.state.bodies[2].position.z, fastest)
    };
    let (depth, fastest) = sunk(&["stabilization.method=Rattle"]);
    assert!(depth < 0.006 && fastest < 1e-3, "as joints: {depth} m, {fastest} m/s");
    let (depth, fastest) = sunk(&["stabilization.method=Rattle", "stabilization.contacts=Baumgarte"]);
    assert!(depth < 0.006 && fastest > 0.05, "Baumgarte pushes by velocities: {depth} m, {fastest} m/s");
    let (depth, _) = sunk(&["stabilization.contacts=Off"]);
    assert!((depth - 0.05).abs() < 1e-3, "off leaves the overlap: {depth} m");
}
