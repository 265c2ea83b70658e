//! The same scenes here: exported, and run.

use delassus_import::export;
use delassus_physics::Motion;
use delassus_scene::Loaded;

use super::mujoco::Sample;

fn loaded(name: &str, text: &str) -> Loaded {
    delassus_scene::read_str(text, name).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"))
}

/// A scene as MJCF. Nothing of it is left out.
pub fn exported(name: &str, text: &str) -> String {
    let Loaded { scene, flat, .. } = loaded(name, text);
    let exported = export::mjcf(&scene, &flat, &scene.settings.settings());
    // Every export has a note that MuJoCo has its own settings; every pulley, that its strands have no ends.
    let is_known = |note: &str| note.starts_with("settings") || note.contains("does not stop a strand's end");
    assert!(exported.notes.iter().all(|note| is_known(&note.to_string())), "{name}: {:?}", exported.notes);
    exported.text
}

/// Runs a scene at `rate` steps a second for `seconds`, with its other settings, and takes a sample after each `every`
/// seconds.
pub fn run(name: &str, text: &str, rate: f32, (seconds, every): (f64, f64)) -> Vec<Sample> {
    let Loaded { scene, flat, .. } = loaded(name, text);
    let mut settings = scene.settings.settings();
    settings.step.rate = rate;
    let mut world = flat.world(settings);
    let steps = (every * f64::from(rate)).round() as usize;
    let mut samples = Vec::new();
    for number in 0..=(seconds / every).round() as usize {
        if number > 0 {
            (0..steps).for_each(|_| world.step());
        }
        let time = number as f64 * every;
        let bodies = flat.bodies.iter().enumerate().filter(|(_, flat)| flat.def.motion == Motion::Dynamic);
        samples.extend(bodies.map(|(k, flat)| {
            let (body, velocity) = (&world.state.bodies[k + 1], &world.state.velocities[k + 1]);
            Sample {
                time,
                body: flat.name.to_string(),
                place: body.position.as_dvec3(),
                turn: body.rotation.as_dquat().normalize(),
                reach: f64::from(body.solid.radius),
                speed: f64::from(velocity.linear.length() + velocity.angular.length() * body.solid.radius),
            }
        }));
    }
    samples
}
