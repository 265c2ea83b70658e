//! A tower of twenty cubes: how far has any of them moved after ten seconds, and is it asleep?

use std::error::Error;

use delassus_physics::glam::Vec3;
use delassus_physics::{BodyDef, Shape, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::default();
    let floor = Shape::Box { half: Vec3::new(10.0, 10.0, 0.5) };
    simulation.add_body(BodyDef::fixed(&floor, Vec3::new(0.0, 0.0, -0.5))?)?;
    let cube = Shape::Box { half: Vec3::splat(0.25) };
    let mut cubes = Vec::new();
    for storey in 0..20 {
        let at = Vec3::new(0.0, 0.0, 0.25 + 0.5 * storey as f32);
        cubes.push((simulation.add_body(BodyDef::dynamic(&cube, at, 10.0)?)?, at));
    }
    for second in 1..=10 {
        (0..60).for_each(|_| simulation.step());
        let moved = cubes.iter().filter_map(|(id, from)| Some(simulation.body(*id)?.position.distance(*from)));
        let (moved, energy) = (moved.fold(0.0, f32::max), simulation.metrics().kinetic_energy);
        println!("after {second:>2} s: moved by up to {:.2} mm, kinetic energy {energy:.1e} J", 1e3 * moved);
    }
    Ok(())
}
