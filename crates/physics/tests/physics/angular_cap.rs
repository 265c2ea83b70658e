//! Erratum 34: an impulse's result above 30 rad/s is cut off (`formulation.angular_speed=AsPrinted`).

use delassus_physics::angular_cap::MAX_ANGULAR_SPEED;
use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{body, close, cube, floor, joint, settings};

/// Half the side of the box, and its lever arm to the rod, m.
const HALF: f32 = 0.25;
const R: f32 = 0.5;
/// An old impulse that no load requires, N·s.
const P: f32 = 1000.0;

/// A box of 1 kg hangs on a rod along x that is attached beside its centre; the rod starts with the impulse P. The
/// box's speed along x after a number of sweeps, m/s.
fn remaining_speed(form: &str, sweeps: u32) -> f32 {
    let own = ["step.gravity=0,0,0", "solver.rows=Scalar", "stabilization.method=Off", "warm_start.safeguard=Off"];
    let asked = [format!("formulation.angular_speed={form}"), format!("solver.iterations={sweeps}")];
    let mut world = World::new(settings(&[own.as_slice(), &asked.each_ref().map(String::as_str)].concat()));
    let hung = world.add_body(BodyDef { collide: false, ..cube(HALF, Vec3::ZERO) });
    let mut rod = joint(&world, WORLD, hung, Vec3::Y * R, Vec3::X, JointKind::Distance(Distance { length: Some(2.0) }));
    rod.anchor_a = Vec3::new(2.0, R, 0.0);
    let rod = world.add_joint(rod) as usize;
    world.state.joints[rod].impulses[0] = P;
    world.step();
    world.state.velocities[hung as usize].linear.x.abs()
}

/// Each sweep responds only to the remaining speed P/m, because the rotation is cut off: it removes P/m · 1/(m K) and
/// leaves the share s = 1 − 1/(m K), with K = 1/m + r²/I. The rotation that remains, at most 30 rad/s, adds at most
/// 30 r in all: 30 r/(m K) per sweep, and the sum of the powers of s is m K. Without the cap, one sweep takes all of
/// it back.
#[test]
fn erratum_34_what_is_cut_off_cannot_be_taken_back() {
    let (m, inertia) = (1.0, 2.0 * (2.0 * HALF).powi(2) / 12.0);
    let share = 1.0 - 1.0 / (m * (1.0 / m + R * R / inertia));
    close("the share", share, 6.0 / 7.0, 1e-6);
    for sweeps in [1, 2, 5, 20] {
        close(
            "cut off",
            remaining_speed("AsPrinted", sweeps),
            P / m * share.powi(sweeps as i32),
            MAX_ANGULAR_SPEED * R,
        );
        close("free", remaining_speed("Free", sweeps), 0.0, 1e-5 * P);
    }
}

/// A ball of 1 kg hits the floor while sliding at 120 m/s: μ u/K_t changes its angular velocity by r λ/I, K_t = 1/m +
/// r²/I.
#[test]
fn erratum_34_an_impact_leaves_thirty_radians_a_second() {
    let turning = |form: &str| {
        let form = format!("formulation.angular_speed={form}");
        let own = ["formulation.contact=Blows", "contact.mix=Product", "step.gravity=0,0,0", &form];
        let mut world = World::new(settings(&own));
        let material = Material { friction: 1.0, restitution: 0.0, ..Material::default() };
        world.add_body(BodyDef { material, ..floor() });
        let velocity = Vec3::new(120.0, 0.0, -1.0);
        let ball = body(Shape::Sphere { radius: R }, Vec3::Z * (R + 0.001));
        let ball = world.add_body(BodyDef { velocity, material, ..ball }) as usize;
        world.step();
        world.state.velocities[ball].angular.length()
    };
    let inertia = 0.4 * R * R;
    close("free", turning("Free"), R / inertia * 120.0 / (1.0 + R * R / inertia), 0.01);
    close("cut off", turning("AsPrinted"), MAX_ANGULAR_SPEED, 1e-4);
}

/// A kinematic body turns at 50 rad/s about z: neither the old impulse of a joint on its axis nor a ball that hits it
/// slows it down. The body on the joint and the ball are capped.
#[test]
fn a_mover_that_turns_faster_than_the_bound_keeps_its_speed() {
    let omega = 50.0;
    let mover = |contact: &str| {
        let contact = format!("formulation.contact={contact}");
        let own = ["formulation.angular_speed=AsPrinted", "step.gravity=0,0,0", "solver.rows=Scalar", &contact];
        let more = ["stabilization.method=Off", "warm_start.safeguard=Off"];
        let mut world = World::new(settings(&[own.as_slice(), &more].concat()));
        let angular_velocity = Vec3::Z * omega;
        let bar = BodyDef { motion: Motion::Kinematic, angular_velocity, ..cube(HALF, Vec3::ZERO) };
        let bar = world.add_body(bar);
        let ball = body(Shape::Sphere { radius: R }, Vec3::new(1.1, 0.0, 0.0));
        let ball = world.add_body(BodyDef { velocity: Vec3::X * -120.0, ..ball });
        let hung = world.add_body(BodyDef { collide: false, ..cube(HALF, Vec3::Z * 2.0) });
        let def = joint(&world, bar, hung, Vec3::Z, Vec3::Z, JointKind::BallSocket(BallSocket::default()));
        let held = world.add_joint(def) as usize;
        world.state.joints[held].impulses[..3].fill(P);
        world.step();
        [bar, ball, hung].map(|body| world.state.velocities[body as usize].angular)
    };
    for contact in ["Rows", "Blows"] {
        let [bar, ball, hung] = mover(contact);
        assert_eq!(Vec3::from(bar), Vec3::Z * omega, "{contact}");
        assert!(ball.length() > 0.0 && ball.length() <= MAX_ANGULAR_SPEED * 1.0001, "{contact}: {ball}");
        assert!(hung.length() > 0.0 && hung.length() <= MAX_ANGULAR_SPEED * 1.0001, "{contact}: {hung}");
    }
}
