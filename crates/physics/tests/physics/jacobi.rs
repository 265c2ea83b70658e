//! Jacobi by conjugate directions, compared with Jacobi with split masses alone.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{cube, floor, joint, run, split_blocks};

/// Sixteen links on a line, released once: the residual of the first step after this many sweeps from zero, m/s.
fn left(step: &str, sweeps: u32) -> f32 {
    let (step, sweeps) = (format!("solver.jacobi={step}"), format!("solver.iterations={sweeps}"));
    let mut world = World::new(split_blocks(&["solver.method=Jacobi", "warm_start.enabled=false", &step, &sweeps]));
    let mut above = WORLD;
    for i in 0..16 {
        let at = Vec3::new(0.0, 0.0, -0.25 - 0.5 * i as f32);
        let link = world.add_body(BodyDef { collide: false, ..cube(0.1, at) });
        let anchor = at + Vec3::Z * 0.25;
        world.add_joint(joint(&world, above, link, anchor, Vec3::Y, JointKind::BallSocket(BallSocket {})));
        above = link;
    }
    world.step();
    world.report.residual
}

/// The slowest mode of the line shrinks by cos(π/2n) per sweep, 1 − 0.0048 for n = 16: 150 sweeps leave half of it,
/// while conjugate directions, which need only the square root of that number, leave less than a hundredth of that.
#[test]
fn conjugate_directions_need_the_root_of_the_sweeps() {
    let (plain, conjugate) = (left("MassSplitting", 150), left("Conjugate", 150));
    assert!(conjugate < 1e-2 * plain, "{conjugate} m/s against {plain}");
}

/// Bounds are respected: boxes stacked on a floor come to rest with conjugate directions, and none is pulled down.
#[test]
fn a_stack_stands_by_conjugate_directions() {
    let mut world =
        World::new(split_blocks(&["solver.method=Jacobi", "solver.jacobi=Conjugate", "solver.iterations=30"]));
    world.add_body(floor());
    for i in 0..4 {
        world.add_body(cube(0.5, Vec3::Z * (0.5 + i as f32)));
    }
    run(&mut world, 5.0);
    for (i, body) in world.state.bodies[2..].iter().enumerate() {
        let sunk = 0.5 + i as f32 - body.position.z;
        // The slop of each contact below it, and the same amount again.
        let most = 2.0 * world.settings.contact.slop * (i + 1) as f32;
        assert!((-1e-3..most).contains(&sunk), "box {i} has sunk by {sunk} m");
    }
    assert!(world.contact_points().all(|point| point.impulse >= 0.0), "no contact pulls");
}
