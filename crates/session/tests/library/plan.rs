//! A setting that the plan calls idle changes no bit of any scene: whatever values all idle settings have, each scene
//! of the library has the same states, with its own settings and with those of other methods.

use delassus_physics::plan::{Facts, all_idle};
use delassus_physics::setting::{Domain, Setting, Value};
use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::library::{ordinary, scenes_folder};
use delassus_scene::read;
use glam::Vec3;
use rayon::prelude::*;

/// Settings that make others idle, one set after the other.
const CASES: [&[&str]; 12] = [
    &[],
    &["solver.method=Direct"],
    &["solver.method=Jacobi"],
    &["warm_start.enabled=false"],
    &["contact.enabled=false"],
    &["contact.restitution=false", "warm_start.distance=false"],
    &["friction.model=Off"],
    &["friction.model=Coulomb", "friction.rolling=false"],
    &["stabilization.method=Baumgarte", "stabilization.contacts=AsJoints"],
    &["stabilization.method=Soft", "stabilization.contacts=Nonlinear", "stabilization.relax=0"],
    &["formulation.contact=Blows", "step.substeps=1"],
    &["sleep.enabled=false", "breaking.enabled=false", "contact.continuous=Off"],
];

/// Another value in the setting's range; `draw` chooses it.
fn other(setting: &Setting, now: Value, draw: usize) -> Value {
    let part = [0.0, 0.1, 0.5, 1.0][draw % 4];
    match (setting.domain, now) {
        (Domain::Switch, Value::Bool(now)) => Value::Bool(!now),
        (Domain::Integer { min, max }, _) => Value::Int(min + ((max - min) as f32 * part) as u32),
        (Domain::Real { min, max }, _) => Value::Real(min + (max - min) * part),
        (Domain::Choice(choices), Value::Choice(now)) => {
            let others: Vec<_> = choices.names.iter().filter(|name| **name != now).collect();
            Value::Choice(others[draw % others.len()])
        }
        (Domain::Vector { max }, _) => Value::Vector(Vec3::new(0.3, -0.5, 1.0) * (max * part)),
        _ => now,
    }
}

/// The state's hash after some steps with these settings.
fn hash(world: &World, settings: Settings, steps: usize) -> u64 {
    let mut world = World { settings, ..world.clone() };
    (0..steps).for_each(|_| world.step());
    world.hash()
}

/// The idle settings that change the state, one at a time.
fn culprits(world: &World, settings: Settings, facts: &Facts, steps: usize, draw: usize) -> Vec<String> {
    let right = hash(world, settings, steps);
    let changes = |setting: &Setting| {
        let mut changed = settings;
        (setting.put)(&mut changed, other(setting, (setting.get)(&settings), draw));
        hash(world, changed, steps) != right
    };
    let own = all_idle(&settings, facts).filter(|(setting, _)| changes(setting));
    own.map(|(setting, why)| format!("{} ({why:?})", setting.name)).collect()
}

#[test]
fn settings_without_effect_change_no_state() {
    let wrong: Vec<String> = ordinary(&scenes_folder())
        .par_iter()
        .flat_map_iter(|entry| {
            let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
            let world = loaded.flat.world(loaded.scene.settings.settings());
            let facts = Facts::of(&world);
            let bodies = world.state.bodies.len();
            let steps = if bodies > 500 { 0 } else { 5 + 600 / bodies.max(10) };
            CASES.into_iter().enumerate().filter_map(move |(number, case)| {
                let mut settings = world.settings;
                case.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
                let mut changed = settings;
                for (setting, _) in all_idle(&settings, &facts) {
                    (setting.put)(&mut changed, other(setting, (setting.get)(&settings), number));
                }
                if hash(&world, settings, steps) == hash(&world, changed, steps) {
                    return None;
                }
                let culprits = culprits(&world, settings, &facts, steps, number);
                Some(format!("{} with {case:?}: {culprits:?}", entry.path.display()))
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
