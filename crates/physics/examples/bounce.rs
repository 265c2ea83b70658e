//! A ball dropped from a metre: how high it comes back for each restitution, against e² h.

use std::error::Error;

use delassus_physics::glam::Vec3;
use delassus_physics::{BodyDef, Shape, Simulation};

const RADIUS: f32 = 0.1;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:>12} {:>12} {:>10}", "restitution", "measured, m", "e² h, m");
    for restitution in [0.25_f32, 0.5, 0.75, 1.0] {
        let measured = height_after_one_bounce(restitution)?;
        println!("{restitution:>12} {measured:>12.3} {:>10.3}", restitution * restitution);
    }
    Ok(())
}

fn height_after_one_bounce(restitution: f32) -> Result<f32, Box<dyn Error>> {
    let mut simulation = Simulation::default();
    simulation.set("step.rate=240")?;
    let mut floor = BodyDef::fixed(&Shape::Box { half: Vec3::new(5.0, 5.0, 0.5) }, Vec3::new(0.0, 0.0, -0.5))?;
    let mut ball = BodyDef::dynamic(&Shape::Sphere { radius: RADIUS }, Vec3::new(0.0, 0.0, 1.0 + RADIUS), 1.0)?;
    (floor.material.restitution, ball.material.restitution) = (restitution, restitution);
    simulation.add_body(floor)?;
    let ball = simulation.add_body(ball)?;
    let (mut struck, mut highest) = (false, 0.0_f32);
    for _ in 0..480 {
        simulation.step();
        let now = simulation.body(ball).ok_or("no ball")?;
        if struck && now.velocity.z < 0.0 {
            break;
        }
        struck |= now.velocity.z > 0.0;
        if struck {
            highest = highest.max(now.position.z - RADIUS);
        }
    }
    Ok(highest)
}
