//! A crank and rocker: the motor's torque over a turn, and the power that it makes.

use std::error::Error;

use delassus_physics::glam::{Quat, Vec3};
use delassus_physics::joints::UNBOUNDED;
use delassus_physics::{AngularDrive, BodyDef, BodyId, Hinge, JointKind, Shape, Simulation};

/// Ground pivot of the crank, the two pins, and the ground pivot of the rocker, m.
const POINTS: [Vec3; 4] = [Vec3::ZERO, Vec3::new(0.0, 0.0, 0.3), Vec3::new(0.9, 0.0, 0.6), Vec3::new(1.0, 0.0, 0.0)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::default();
    let mut bars = Vec::new();
    for pins in POINTS.windows(2) {
        let along = pins[1] - pins[0];
        let shape = Shape::Box { half: Vec3::new(0.5 * along.length(), 0.02, 0.02) };
        let mut bar = BodyDef::dynamic(&shape, 0.5 * (pins[0] + pins[1]), 1.0)?;
        bar.rotation = Quat::from_rotation_arc(Vec3::X, along.normalize());
        bar.collide = false;
        bars.push(simulation.add_body(bar)?);
    }
    let drive = AngularDrive { speed: 2.0, max_torque: UNBOUNDED };
    let crank = JointKind::Hinge(Hinge { motor: Some(drive), ..Hinge::default() });
    let free = JointKind::Hinge(Hinge::default());
    let motor = simulation.add_joint(BodyId::WORLD, bars[0], POINTS[0], Vec3::Y, crank)?;
    simulation.add_joint(bars[0], bars[1], POINTS[1], Vec3::Y, free)?;
    simulation.add_joint(bars[1], bars[2], POINTS[2], Vec3::Y, free)?;
    simulation.add_joint(BodyId::WORLD, bars[2], POINTS[3], Vec3::Y, free)?;

    println!("{:>9} {:>12} {:>10}", "crank, °", "torque, N·m", "power, W");
    for step in 1..=188 {
        simulation.step();
        let crank = simulation.joint(motor).ok_or("no motor")?;
        if step % 12 == 0 {
            let power = crank.motor * crank.speed;
            println!("{:>9.1} {:>12.2} {power:>10.2}", crank.value.to_degrees(), crank.motor);
        }
    }
    println!("largest gap of a pin: {:.3} mm", 1e3 * simulation.metrics().joint_error_max);
    Ok(())
}
