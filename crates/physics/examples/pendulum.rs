//! The period of a pendulum with a large amplitude: measured, and by Gauss's arithmetic–geometric mean.

use std::error::Error;
use std::f64::consts::PI;

use delassus_physics::glam::Vec3;
use delassus_physics::{BodyDef, BodyId, Hinge, JointKind, Shape, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:>8} {:>12} {:>12}", "degrees", "measured, s", "exact, s");
    for degrees in [5.0_f32, 45.0, 90.0, 150.0] {
        let (measured, exact) = (measured(degrees)?, exact(f64::from(degrees).to_radians()));
        println!("{degrees:>8} {measured:>12.4} {exact:>12.4}");
    }
    Ok(())
}

/// The measured period, s, of a ball of 5 cm on an arm of 1 m, released at this angle from its lowest point.
fn measured(degrees: f32) -> Result<f64, Box<dyn Error>> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut simulation = Simulation::default();
    let ball = BodyDef::dynamic(&Shape::Sphere { radius: 0.05 }, Vec3::new(sin, 0.0, -cos), 1.0)?;
    let ball = simulation.add_body(ball)?;
    simulation.add_joint(BodyId::WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default()))?;
    // It passes the bottom, x = 0, at a quarter and at three quarters of the period.
    let (mut crossings, mut before) = (Vec::new(), sin);
    while crossings.len() < 2 {
        simulation.step();
        let x = simulation.body(ball).ok_or("no ball")?.position.x;
        if before.signum() != x.signum() {
            let share = f64::from(x / (x - before));
            crossings.push(simulation.time() - share / 60.0);
        }
        before = x;
    }
    Ok(2.0 * (crossings[1] - crossings[0]))
}

/// T = 2π √(L/g) / agm(1, cos(θ/2)), s, with the length L = R + I/(m R) of the equivalent point pendulum.
fn exact(angle: f64) -> f64 {
    let length: f64 = 1.0 + 0.4 * 0.05 * 0.05;
    let (mut a, mut g) = (1.0, (angle / 2.0).cos());
    for _ in 0..6 {
        (a, g) = ((a + g) / 2.0, (a * g).sqrt());
    }
    2.0 * PI * (length / 9.81).sqrt() / a
}
