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
    // One note is in every model: that MuJoCo has settings of its own.
    assert_eq!(exported.notes.len(), 1, "{name}: {:?}", exported.notes);
    exported.text
}

/// Runs a scene at so many steps a second, its other settings as they are, for so many seconds, with a sample each so
/// many seconds.
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
        let bodies = flat.bodies.iter().zip(world.state.bodies.iter().skip(1));
        samples.extend(bodies.filter(|(flat, _)| flat.def.motion == Motion::Dynamic).map(|(flat, body)| Sample {
            time,
            body: flat.name.to_string(),
            place: body.position.as_dvec3(),
            turn: body.rotation.as_dquat().normalize(),
            reach: f64::from(body.solid.radius),
        }));
    }
    samples
}
