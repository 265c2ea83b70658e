//! Erratum 33: contacts as the book handles them up to its chapter 11, by impulses applied after the sweeps
//! (`formulation.contact=Blows`).

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{G, body, close, floor, joint, run, settings};

const METHODS: [&str; 3] = ["solver.method=GaussSeidel", "solver.method=Jacobi", "solver.method=Direct"];
const H: f32 = 1.0 / 120.0;

fn world(assignments: &[&str]) -> World {
    let own = ["step.rate=120", "formulation.contact=Blows", "contact.mix=Product", "stabilization.method=Off"];
    World::new(settings(&[&own, assignments].concat()))
}

fn ball(at: Vec3, velocity: Vec3, material: Material) -> BodyDef {
    BodyDef { velocity, material, ..body(Shape::Sphere { radius: 0.5 }, at) }
}

fn bouncy(restitution: f32) -> Material {
    Material { restitution, friction: 0.0, ..Material::default() }
}

/// A ball 2 cm above the floor approaches at 6 m/s. Gravity acts first: v = 6 + g h; the ball meets the floor after t
/// = 0.02/v, leaves at e v, and is e v (h − t) above it at the end of the step. There was no contact row.
#[test]
fn an_impact_comes_at_its_time_and_leaves_e_times_the_speed() {
    for method in METHODS {
        let (e, gap) = (0.7f32, 0.02);
        let mut world = world(&[method]);
        world.add_body(BodyDef { material: bouncy(1.0), ..floor() });
        let ball = world.add_body(ball(Vec3::Z * (0.5 + gap), Vec3::Z * -6.0, bouncy(e))) as usize;
        world.step();
        let v = 6.0 + G * H;
        close("speed", world.state.velocities[ball].linear.z, e * v, 1e-5 * v);
        close("height", world.state.bodies[ball].position.z - 0.5, e * v * (H - gap / v), 2e-6);
        assert_eq!(world.report.row_count, 0, "{method}");
        let impulse = world.contact_points().map(|point| point.impulse).sum::<f32>();
        let mass = world.state.bodies[ball].mass;
        close("impulse", impulse, mass * (1.0 + e) * v, 1e-4 * mass * v);
    }
}

/// As printed, there is no check whether the bodies are separating. A ball that overlaps the floor by 1 cm and leaves
/// it at 2 m/s, less g h, is reversed, times e, and put on the floor.
#[test]
fn erratum_33_what_parts_is_turned_round() {
    let e = 0.5;
    let mut world = world(&[]);
    world.add_body(BodyDef { material: bouncy(1.0), ..floor() });
    let ball = world.add_body(ball(Vec3::Z * 0.49, Vec3::Z * 2.0, bouncy(e))) as usize;
    world.step();
    let v = 2.0 - G * H;
    close("speed", world.state.velocities[ball].linear.z, -e * v, 1e-5);
    close("height", world.state.bodies[ball].position.z, 0.5 - e * v * H, 2e-6);
}

/// Two balls that overlap by 3 cm and approach each other: momentum is conserved, they leave at e times their speed,
/// and are moved apart by their shares of 1/m. Friction is μ K⁻¹ times the slip before the impact: K = 1/mA + 1/mB +
/// r²/IA + r²/IB.
#[test]
fn an_impact_keeps_momentum_and_rubs_by_mu() {
    let (e, mu) = (0.6f32, 0.3);
    let material = Material { restitution: e.sqrt(), friction: mu, ..Material::default() };
    let material = Material { friction: mu.sqrt(), ..material };
    let mut world = world(&["step.gravity=0,0,0"]);
    let def = |x: f32, v: Vec3, mass: f32| BodyDef { mass, ..ball(Vec3::X * x, v, material) };
    let a = world.add_body(def(0.0, Vec3::new(2.0, 0.0, 0.0), 3.0)) as usize;
    let b = world.add_body(def(0.97, Vec3::new(-1.0, 0.8, 0.0), 1.0)) as usize;
    let before = world.metrics();
    world.step();
    let after = world.metrics();
    close("momentum", (after.momentum - before.momentum).length() as f32, 0.0, 2e-6);
    let (va, vb) = (&world.state.velocities[a], &world.state.velocities[b]);
    close("they part", vb.linear.x - va.linear.x, e * 3.0, 1e-5);
    let k = |mass: f32| 1.0 / mass + 0.25 / (0.4 * mass * 0.25);
    let rubbed = mu * 0.8 / (k(3.0) + k(1.0));
    close("friction on b", vb.linear.y, 0.8 - rubbed / 1.0, 1e-5);
    close("friction on a", va.linear.y, rubbed / 3.0, 1e-5);
    // 3 cm: the 1/m are 1/3 and 1, so A is moved by a quarter of it.
    let (xa, xb) = (world.state.bodies[a].position.x, world.state.bodies[b].position.x);
    close("a", xa, -0.03 / 4.0 + va.linear.x * H, 2e-6);
    close("b", xb, 0.97 + 0.03 * 3.0 / 4.0 + vb.linear.x * H, 2e-6);
}

/// Two balls with a joint between them fall, and one of them hits the floor. Rows stop the other one in the same
/// step; an impact applied after the sweeps leaves it falling, and the joint responds only in the next step.
#[test]
fn joints_answer_an_impact_a_step_later() {
    let fall = |form: &str| {
        let mut world = world(&[form, "stabilization.method=Off", "solver.iterations=50", "warm_start.enabled=false"]);
        world.add_body(BodyDef { material: bouncy(1.0), ..floor() });
        let down = Vec3::Z * -5.0;
        let low = world.add_body(ball(Vec3::new(0.0, 0.0, 0.501), down, bouncy(0.0)));
        let high = world.add_body(ball(Vec3::new(0.0, 0.0, 1.6), down, bouncy(0.0)));
        let kind = JointKind::BallSocket(BallSocket {});
        world.add_joint(joint(&world, low, high, Vec3::Z * 1.05, Vec3::Z, kind));
        world.step();
        let first = world.state.velocities[high as usize].linear.z;
        world.step();
        (first, world.state.velocities[low as usize].linear.z, world.state.velocities[high as usize].linear.z)
    };
    let v = -5.0 - G * H;
    let (first, _, _) = fall("formulation.contact=Rows");
    // The gap of a millimetre closes within the step.
    close("rows hold both", first, -0.001 / H, 0.01);
    let (first, low, high) = fall("formulation.contact=Blows");
    close("an impact holds one", first, v, 1e-4);
    // The joint gives the two a common speed before the next impact stops the lower one again.
    close("the upper one a step later", high, 0.5 * v - G * H, 1e-3);
    close("the lower one, struck again", low, 0.0, 1e-3);
}

/// A ball comes to rest on the floor even when every impact is applied after the sweeps: nothing is carried over from
/// one impact to the next.
#[test]
fn a_ball_comes_to_rest_by_impacts() {
    let mut world = world(&[]);
    world.add_body(BodyDef { material: bouncy(1.0), ..floor() });
    let ball = world.add_body(ball(Vec3::Z * 1.0, Vec3::ZERO, bouncy(0.5))) as usize;
    run(&mut world, 5.0);
    close("height", world.state.bodies[ball].position.z, 0.5, 2e-3);
    assert!(world.state.velocities[ball].linear.length() < 2.0 * G * H, "{}", world.state.velocities[ball].linear);
}
