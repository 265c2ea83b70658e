//! Friction compared with closed forms.

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{G, body, close, cube, floor, run, settings};

/// For sliding along a tangent, a box of friction is as strong as a disc.
const MODELS: [&str; 4] = ["Patch", "Coulomb", "Pyramid", "Cone"];

/// Case 5: on an incline a box slides at g (sin α − μ cos α) t, or not at all. The floor is level, gravity is
/// inclined.
#[test]
fn box_on_an_incline_sticks_or_slides() {
    for (model, method) in MODELS.into_iter().flat_map(|model| ["GaussSeidel", "Direct"].map(|method| (model, method)))
    {
        let set = [format!("friction.model={model}"), format!("solver.method={method}")];
        for degrees in [20.0f32, 25.0, 30.0, 45.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let mut world = World::new(settings(&["step.rate=240", &set[0], &set[1]]));
            world.settings.step.gravity = Vec3::new(G * sin, 0.0, -G * cos);
            world.add_body(floor());
            let cube = world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.5)));
            run(&mut world, 1.0);
            let expected = (G * (sin - 0.5 * cos)).max(0.0);
            let speed = world.state.velocities[cube as usize].linear.x;
            close(&format!("{model}, {method}, {degrees}°: speed"), speed, expected, 5e-3);
        }
    }
}

/// Case 6: from v0 a box stops after Σ (v0 − k μ g h) h, the same along and across the tangents; 0.8926 m from 3 m/s.
/// The pyramid, a box clamp per axis, brakes with √2 μ g along the diagonal.
#[test]
fn sliding_box_stops_alike_in_every_direction() {
    for model in MODELS {
        for direction in [Vec3::X, Vec3::new(1.0, 1.0, 0.0).normalize()] {
            let mut world = World::new(settings(&[&format!("friction.model={model}")]));
            world.add_body(floor());
            let cube = world.add_body(BodyDef { velocity: 3.0 * direction, ..cube(0.5, Vec3::new(0.0, 0.0, 0.5)) });
            run(&mut world, 2.0);
            let diagonal = model == "Pyramid" && direction.y != 0.0;
            let (h, a) = (1.0 / 60.0, 0.5 * G * if diagonal { std::f32::consts::SQRT_2 } else { 1.0 });
            let expected: f32 = (1..).map(|k| 3.0 - k as f32 * a * h).take_while(|v| *v > 0.0).map(|v| v * h).sum();
            let way = world.state.bodies[cube as usize].position - Vec3::new(0.0, 0.0, 0.5);
            close(&format!("{model} along {direction}: way"), way.dot(direction), expected, 1e-2);
            assert!(way.dot(Vec3::new(-direction.y, direction.x, 0.0)).abs() < 1e-3, "straight");
        }
    }
}

/// The time until a body that spins about the normal stops, s.
fn spin_down(model: &str, shape: Shape, height: f32) -> f32 {
    let mut world = World::new(settings(&["step.rate=240"]));
    for assignment in format!("friction.model={model}").split(' ') {
        world.settings.assign(assignment).expect("a setting");
    }
    world.add_body(floor());
    let top = world.add_body(BodyDef { angular_velocity: Vec3::Z * 10.0, ..body(shape, Vec3::new(0.0, 0.0, height)) });
    while world.state.velocities[top as usize].angular.z > 1e-3 && world.state.time < 5.0 {
        world.step();
    }
    world.state.time as f32
}

/// Case 7: t = I ω / (μ m g r_p), r_p the mean distance from the centre: ⅔ R for a disc, (√2 + asinh 1) a/6 for a
/// square of side a; by 000's formula ⅔ √(area/π). Four corners at distance √2 s brake with r = √2 s, and on average
/// with 4/π times that where each has a box instead of a disc.
#[test]
fn spinning_bodies_stop_by_their_patch() {
    let (omega, mu) = (10.0, 0.5);
    let disc = 0.5 * 0.25 * omega / (mu * G * (2.0 / 3.0) * 0.5);
    close("disc", spin_down("Patch", Shape::Cylinder { radius: 0.5, half_length: 0.2 }, 0.2), disc, 1e-2);
    let square = Shape::Box { half: Vec3::new(0.5, 0.5, 0.2) };
    let inertia = (0.25 + 0.25) / 3.0;
    let patch = inertia * omega / (mu * G * (2.0f32.sqrt() + 1.0f32.asinh()) / 6.0);
    close("square patch", spin_down("Patch", square.clone(), 0.2), patch, 6e-3);
    let printed = inertia * omega / (mu * G * (2.0 / 3.0) * (1.0 / std::f32::consts::PI).sqrt());
    close("square patch of 000", spin_down("Patch formulation.patch=Disc", square.clone(), 0.2), printed, 6e-3);
    let corners = inertia * omega / (mu * G * 0.5f32.sqrt());
    close("four corners", spin_down("Coulomb", square.clone(), 0.2), corners, 1e-2);
    // While the square turns, the directions in which its corners move turn relative to the tangents: the factor is
    // between 1 and √2, on average over a turn ∫ (|cos| + |sin|) / 2π = 4/π.
    let boxes = corners * std::f32::consts::FRAC_PI_4;
    close("four corners, a box each", spin_down("Pyramid", square, 0.2), boxes, 0.05 * boxes);
}

/// Case 8: a sliding ball starts rolling at 5/7 v0 after 2 v0 / (7 μ g).
#[test]
fn sliding_ball_begins_to_roll() {
    for model in MODELS {
        let mut world = World::new(settings(&["step.rate=240", &format!("friction.model={model}")]));
        let material = Material { friction: 0.3, ..Material::default() };
        world.add_body(BodyDef { material, ..floor() });
        let shape = Shape::Sphere { radius: 0.5 };
        let ball =
            world.add_body(BodyDef { material, velocity: Vec3::X * 5.0, ..body(shape, Vec3::new(0.0, 0.0, 0.5)) });
        let slip =
            |w: &World| w.state.velocities[ball as usize].linear.x - 0.5 * w.state.velocities[ball as usize].angular.y;
        while slip(&world) > 1e-3 && world.state.time < 2.0 {
            world.step();
        }
        close(&format!("{model}: time"), world.state.time as f32, 2.0 * 5.0 / (7.0 * 0.3 * G), 1e-2);
        close(&format!("{model}: speed"), world.state.velocities[ball as usize].linear.x, 25.0 / 7.0, 1e-2);
    }
}

/// A box at 99.9 % of the angle of friction, at the default settings: gravity leans by 4.9 of µ g = 4.905 m/s². In the
/// first sub-step it moves by a h², because friction is left to the sweeps after it; from then on it stands. A speed v
/// that was left to it then would carry it v²/(2 · 0.005) metres on.
#[test]
fn a_box_just_below_the_angle_of_friction_is_not_let_go_by_a_cold_start() {
    for (half, share) in [(0.1, 0.999), (0.5, 0.999), (0.1, 0.99), (0.3, 0.9)] {
        let mut world = World::new(Settings::default());
        let lean = share * 0.5 * G;
        world.settings.step.gravity = Vec3::new(lean, 0.0, -G);
        world.add_body(floor());
        let id = world.add_body(cube(half, Vec3::Z * half));
        run(&mut world, 10.0);
        let moved = world.state.bodies[id as usize].position.x;
        let first = lean * world.settings.h().powi(2);
        assert!(moved.abs() < 1.2 * first, "{half} m, {share}: {moved} m");
    }
}
