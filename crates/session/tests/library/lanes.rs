//! Blocks solved side by side (`solvers/wide`) give the same bits as blocks solved one at a time, in every scene of
//! the library, with every order and rule whose rows can be solved side by side.

use delassus_physics::world::World;
use delassus_scene::library::{ordinary, scenes_folder};
use delassus_scene::read;
use rayon::prelude::*;

/// One after the other, the settings that change the order, the rows or their bounds.
const CASES: [&[&str]; 17] = [
    &[],
    &["solver.order=Backward"],
    &["solver.order=Alternating"],
    &["solver.order=Coloured"],
    &["friction.model=Coulomb"],
    &["friction.model=Pyramid", "solver.rows=Scalar"],
    &["friction.model=Cone"],
    &["solver.rows=Tree"],
    &["stabilization.method=Soft", "stabilization.contacts=Soft"],
    &["stabilization.method=Baumgarte", "stabilization.contacts=Baumgarte"],
    &["stabilization.method=Shake", "step.substeps=2"],
    &["stabilization.method=Rattle", "solver.rows=Block"],
    &["stabilization.method=Rattle", "solver.rows=Tree"],
    &["step.substeps=2", "contact.collide=EachStep"],
    &["step.substeps=3", "contact.collide=EachStep", "stabilization.contacts=Soft", "friction.deferred=true"],
    &["stabilization.contacts=Soft", "friction.deferred=true", "stabilization.relax=2", "solver.order=Alternating"],
    &["solver.method=TgsSoft"],
];

fn hashes(world: &World, case: &[&str], lanes: &str, steps: u32) -> Vec<u64> {
    let mut world = world.clone();
    case.iter().for_each(|assignment| world.settings.assign(assignment).unwrap());
    world.settings.assign(lanes).unwrap();
    (0..steps)
        .map(|_| {
            world.step();
            world.hash()
        })
        .collect()
}

#[test]
fn lanes_have_the_bits_of_one() {
    let wrong: Vec<String> = ordinary(&scenes_folder())
        .par_iter()
        .flat_map_iter(|entry| {
            let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
            let world = loaded.flat.world(loaded.scene.settings.settings());
            let steps =
                if world.state.bodies.len() > 1_000 { 0 } else { 2 + 2_000 / world.state.bodies.len().max(20) as u32 };
            CASES.into_iter().filter_map(move |case| {
                let (one, four) = ("solver.lanes=false", "solver.lanes=true");
                let (reference, wide) = (hashes(&world, case, one, steps), hashes(&world, case, four, steps));
                let differs = (0..reference.len()).find(|step| reference[*step] != wide[*step])?;
                Some(format!("{} with {case:?}: step {differs}", entry.path.display()))
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
