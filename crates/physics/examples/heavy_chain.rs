//! Ten links of 1 kg with 10 kg below: what sweeps leave of the gap, and what the direct solver does.

use std::error::Error;

use delassus_physics::glam::Vec3;
use delassus_physics::{BallSocket, BodyDef, BodyId, JointKind, Shape, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:>14}   settings", "widest gap");
    for settings in [
        &["preset=SmallSteps"][..],
        &["preset=SingleStep", "solver.rows=Block", "stabilization.method=Split", "solver.iterations=10"],
        &["preset=SingleStep", "solver.rows=Block", "stabilization.method=Split", "solver.iterations=100"],
        &["preset=SingleStep", "solver.method=Direct"],
    ] {
        println!("{:>11.3} mm   {}", 1e3 * widest_gap(settings)?, settings.join(" "));
    }
    Ok(())
}

/// The widest gap of any joint, m, in five seconds after the hanging load is pushed sideways.
fn widest_gap(settings: &[&str]) -> Result<f64, Box<dyn Error>> {
    let mut simulation = Simulation::default();
    settings.iter().try_for_each(|assignment| simulation.set(assignment))?;
    let mut above = BodyId::WORLD;
    for link in 0..=10 {
        let at = Vec3::new(0.0, 0.0, -0.2 * link as f32 - 0.1);
        let half = if link == 10 { Vec3::splat(0.1) } else { Vec3::new(0.03, 0.03, 0.1) };
        let mut body = BodyDef::dynamic(&Shape::Box { half }, at, if link == 10 { 10.0 } else { 1.0 })?;
        body.velocity.x = if link == 10 { 1.0 } else { 0.0 };
        let body = simulation.add_body(body)?;
        let pin = Vec3::new(0.0, 0.0, -0.2 * link as f32);
        simulation.add_joint(above, body, pin, Vec3::Z, JointKind::BallSocket(BallSocket::default()))?;
        above = body;
    }
    let mut widest = 0.0_f64;
    for _ in 0..300 {
        simulation.step();
        widest = widest.max(simulation.metrics().joint_error_max);
    }
    Ok(widest)
}
