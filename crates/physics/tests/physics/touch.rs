//! Where friction acts, and how much of its bound is used.

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::shape::Shape;
use delassus_physics::touch::Traction;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{G, body, close, floor, run, settings};

const H: f32 = 1.0 / 60.0;

/// A box of 2 kg, off the origin, on a floor under a gravity inclined by `slope`, after a second; μ = 0.5.
fn on_a_slope(slope: f32, assignments: &[&str]) -> Vec<Traction> {
    let mut settings = settings(assignments);
    settings.solver.iterations = 100;
    settings.step.gravity = G * Vec3::new(slope.sin(), 0.0, -slope.cos());
    let mut world = World::new(settings);
    world.add_body(floor());
    let half = Vec3::new(0.6, 0.4, 0.2);
    world.add_body(BodyDef { mass: 2.0, ..body(Shape::Box { half }, Vec3::new(3.0, -1.0, half.z)) });
    run(&mut world, 1.0);
    world.tractions().collect()
}

/// The friction of a patch acts once, in the middle and not at the corners, with m g sin α; at rest it uses tan α/μ of
/// its bound.
#[test]
fn patch_friction_acts_in_the_middle_at_rest() {
    let slope = 0.3f32;
    let found = on_a_slope(slope, &["friction.under_load=true"]);
    let [patch] = found.as_slice() else { panic!("{found:?}") };
    close("x", patch.position.x, 3.0, 1e-3);
    close("y", patch.position.y, -1.0, 0.02);
    let slide = patch.slide.expect("a patch slides");
    let on_box = if patch.b == 2 { slide.impulse } else { -slide.impulse };
    close("friction", on_box.x / H, -2.0 * G * slope.sin(), 0.02);
    close("across", on_box.y / H, 0.0, 0.02);
    close("load", patch.load / H, 2.0 * G * slope.cos(), 0.05);
    close("share", patch.share(), slope.tan() / 0.5, 5e-3);
}

/// Where a patch slips its friction acts under the load. It has the moment μ N c about the centre of a box of half height
/// c, so the load is μ c down the slope from the middle of its face, on a slope of any angle.
#[test]
fn patch_friction_that_slips_acts_under_the_load() {
    for slope in [0.55f32, 0.7] {
        let mut settings = settings(&["friction.under_load=true"]);
        settings.solver.iterations = 100;
        settings.step.gravity = G * Vec3::new(slope.sin(), 0.0, -slope.cos());
        let mut world = World::new(settings);
        world.add_body(floor());
        let half = Vec3::new(0.6, 0.4, 0.2);
        world.add_body(BodyDef { mass: 2.0, ..body(Shape::Box { half }, Vec3::Z * half.z) });
        run(&mut world, 0.5);
        let found: Vec<Traction> = world.tractions().collect();
        let [patch] = found.as_slice() else { panic!("{found:?}") };
        // The points were found before the step in which the box moved on.
        let step = H * world.state.velocities[2].linear.x;
        close("x", patch.position.x - world.state.bodies[2].position.x + step, 0.5 * half.z, 2e-3);
        close("share", patch.share(), 1.0, 1e-3);
    }
}

/// Friction at each point: four of them together hold the box; on a slope steeper than friction can hold, all slip.
#[test]
fn friction_at_points_acts_at_the_points() {
    for model in ["friction.model=Coulomb", "friction.model=Pyramid", "friction.model=Cone"] {
        let found = on_a_slope(0.3, &[model]);
        assert_eq!(found.len(), 4, "{model}");
        let sum: f32 = found.iter().map(|t| t.slide.expect("a point slides").impulse.x.abs()).sum();
        close(model, sum / H, 2.0 * G * 0.3f32.sin(), 0.02);
        assert!(found.iter().all(|t| t.twist.is_none() && (t.position.x - 3.0).abs() > 0.5), "{found:?}");
        let slipping = on_a_slope(0.6, &[model]);
        assert!(!slipping.is_empty() && slipping.iter().all(|t| t.share() > 0.999), "{slipping:?}");
    }
}

/// A spinning cylinder and a rolling ball use the full bound of torsional and rolling friction: the braking moment is
/// I dω/dt, together with the tangents' moment about the axis, and μ_r m g.
#[test]
fn twist_and_rolling_are_moments_of_the_patch() {
    let mut world = World::new(settings(&["step.rate=240"]));
    world.add_body(floor());
    let (radius, mass, h) = (0.5, 3.0, 1.0 / 240.0);
    let shape = Shape::Cylinder { radius, half_length: 0.1 };
    let disc = world.add_body(BodyDef { mass, angular_velocity: Vec3::Z * 10.0, ..body(shape, Vec3::Z * 0.1) });
    let rolling = 0.01;
    let ball = world.add_body(BodyDef {
        material: Material { rolling, ..Material::default() },
        velocity: Vec3::X * 2.0,
        angular_velocity: Vec3::Y * 4.0,
        ..body(Shape::Sphere { radius }, Vec3::new(4.0, 0.0, radius))
    });
    run(&mut world, 0.2);
    let before = world.state.velocities[disc as usize].angular.z;
    world.step();
    let braked = 0.5 * mass * radius * radius * (before - world.state.velocities[disc as usize].angular.z) / h;
    let of = |id: u32| world.tractions().find(|t| t.a == id || t.b == id).expect("it touches");
    let patch = of(disc);
    let twist = patch.twist.expect("a disc has a twist row");
    close("spins", twist.share(), 1.0, 1e-3);
    // The points at a disc's rim are not evenly spaced: their centre is slightly off the axis, and slides.
    let arm = patch.position - world.state.bodies[disc as usize].position;
    let slide = patch.slide.expect("a patch slides").impulse;
    let moment = (twist.impulse + arm.cross(slide)).z.abs() / h;
    close("twist", moment, braked, 1e-2 * braked);
    let moment = of(ball).rolling.expect("felt rolls");
    close("rolls", moment.share(), 1.0, 1e-3);
    close("rolling", moment.impulse.length() / h, rolling * G, 0.02 * rolling * G);
    close("about y", moment.impulse.y.abs(), moment.impulse.length(), 1e-3 * moment.impulse.length());
}
