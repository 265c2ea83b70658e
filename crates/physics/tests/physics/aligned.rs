//! Faces whose sides lie in one plane but for rounding, as those of stacked blocks do.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{Random, body, run, settings};

/// Half sides of the two blocks, m; the upper one is shifted along x.
const LOWER: Vec3 = Vec3::new(0.5, 0.25, 0.06);
const UPPER: Vec3 = Vec3::new(0.4, 0.25, 0.06);

fn block(half: Vec3, hull: bool) -> Shape {
    let corner =
        |i: u32| half * Vec3::from_array(std::array::from_fn(|axis| if i >> axis & 1 == 0 { -1.0 } else { 1.0 }));
    if hull { Shape::Hull { points: (0..8).map(corner).collect() } } else { Shape::Box { half } }
}

/// The area of the contact of two blocks, the upper one moved and turned by about `off`, m and rad; of a hundred poses
/// the least, as a share of the overlap of the two faces.
fn least_area(hulls: [bool; 2], shift: f32, off: f32) -> f32 {
    let mut random = Random(7);
    let mut least = f32::INFINITY;
    for _ in 0..100 {
        let mut any = || off * Vec3::new(random.next(), random.next(), random.next());
        let mut world = World::new(settings(&["step.gravity=0,0,0"]));
        world.add_body(body(block(LOWER, hulls[0]), Vec3::new(0.3, 0.0, 0.06)));
        let mut upper = body(block(UPPER, hulls[1]), Vec3::new(0.3 + shift, 0.0, 0.18) + any());
        upper.rotation = Quat::from_scaled_axis(any());
        world.add_body(upper);
        world.step();
        let (_, _, manifold) = world.state.contacts.manifolds().next().expect("a contact");
        let along = (LOWER.x + UPPER.x - shift.abs()).min(2.0 * UPPER.x);
        least = least.min(manifold.area / (along * 2.0 * UPPER.y));
    }
    least
}

/// Sides in one plane have no crossings, and rounding puts the corners of both faces outside each other: four points
/// became one, and blocks that had come to rest exactly tipped over (an overhang of 0.99 fell with 50 sweeps and stood
/// with 20).
#[test]
fn faces_with_sides_in_one_plane_keep_all_corners() {
    for hulls in [[false, false], [true, true], [false, true], [true, false]] {
        for shift in [0.0, 0.1, 0.35, -0.6] {
            for off in [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 5e-4] {
                let area = least_area(hulls, shift, off);
                // The faces cover less of each other by their width's share of the shift, and by the turn.
                assert!(
                    area > 0.9995 - 10.0 * off,
                    "hulls {hulls:?}, shifted by {shift} m, off by {off}: {area} of the area"
                );
            }
        }
    }
}

/// Four blocks that each overhang by 0.99 of 1/2, 1/4, 1/6 and 1/8 of their length: the harmonic overhang stands by 1
/// %.
#[test]
fn an_overhang_of_99_percent_stands_at_every_step_and_number_of_sweeps() {
    let places = [-0.37625, -0.21125, 0.03625, 0.53125];
    for set in [
        &[][..],
        &["step.rate=240"],
        &["solver.iterations=8"],
        &["solver.iterations=50"],
        &["step.substeps=16", "solver.iterations=32"],
        &["step.rate=240", "step.substeps=16", "solver.iterations=50"],
        &["solver.method=Direct"],
    ] {
        let mut settings = Settings::default();
        set.iter().for_each(|assignment| settings.assign(assignment).expect("a valid assignment"));
        let mut world = World::new(settings);
        let table = body(Shape::Box { half: Vec3::new(2.0, 1.0, 0.5) }, Vec3::new(-2.0, 0.0, -0.5));
        world.add_body(BodyDef { motion: Motion::Static, ..table });
        for (x, z) in places.into_iter().zip([0.06, 0.18, 0.3, 0.42]) {
            let block = body(Shape::Box { half: Vec3::new(0.5, 0.25, 0.06) }, Vec3::new(x, 0.0, z));
            world.add_body(BodyDef { mass: 2.0, ..block });
        }
        run(&mut world, 20.0);
        let (top, at) = (world.state.bodies[5].position, Vec3::new(0.53125, 0.0, 0.42));
        assert!(top.distance(at) < 2e-3, "{set:?}: the topmost block is at {top}, not {at}");
    }
}
