//! Makes a scene of a model: a body for each link that has a mass or a shape, and a joint for each of its joints.

mod bodies;
mod collisions;
mod couplings;
mod joints;
mod masses;
mod merge;
pub mod names;
mod overlaps;
mod relation;
mod sensors;

use delassus_physics::body::Motion;
use delassus_physics::settings::Mix;
use delassus_physics::shape::Shape;
use delassus_scene::words::counted;
use delassus_scene::{Body, CameraDoc, Mistake, Scene};
use glam::{DVec3, Vec3};

use crate::Options;
use crate::model::{Freedom, Model};
use crate::report::{Place, Report};
use bodies::LinkBody;
use names::Names;

/// Half the size of the floor under a free model, m.
const FLOOR: f32 = 10.0;
/// Gravity of a scene that says nothing, m/s².
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// The scene of a model.
///
/// # Errors
/// A joint or a mass that no scene can have.
pub fn scene(model: &Model, options: &Options, report: &Report) -> Result<Scene, Mistake> {
    let mut model = model.clone();
    merge::fixed(&mut model, report);
    masses::complete(&mut model, options.hold.is_some(), report);
    if model.on_floor {
        lift(&mut model, report);
    }
    if let Some(hertz) = options.hold {
        joints::hold(&mut model, hertz);
    }
    let mut names = Names::default();
    let mut made: Vec<LinkBody> = Vec::new();
    for number in 0..model.links.len() {
        bodies::of_link(&model, number, &mut names, &mut made, report);
    }
    bodies::drag(&model, &mut made);
    collisions::set(&model, &mut made, report);
    let mut scene = Scene { title: model.name.clone(), ..Scene::default() };
    let mut taken = Names::default();
    let (joints, numbers) = joints::all(&model, &made, &mut taken, report);
    scene.joints.extend(joints);
    scene.joints.extend(couplings::all(&model, &made, &numbers, &mut taken, report));
    scene.sensors.extend(sensors::all(&model, &numbers, report));
    scene.camera = camera(&model);
    if let Some(gravity) = model.gravity.filter(|gravity| (*gravity - GRAVITY).length() > 1e-9) {
        scene.settings.step.gravity = Some(gravity.as_vec3());
    }
    scene.settings.contact.mix = model.larger_friction.then_some(Mix::Most);
    scene.settings.contact.enabled = (!model.contacts).then_some(false);
    if model.on_floor {
        let shape = Shape::Box { half: Vec3::new(FLOOR, FLOOR, 0.5) };
        let floor = Body::new(names.unique("floor"), shape, Vec3::new(0.0, 0.0, -0.5));
        scene.bodies.push(Body { motion: Motion::Static, ..floor });
    }
    scene.bodies.extend(made.into_iter().map(|made| made.body));
    let moving = model.joints.iter().filter(|j| !matches!(j.freedom, Freedom::Nothing | Freedom::All)).count();
    scene.about = format!(
        "{}, read from the description of a robot: {}, and {}.",
        model.name,
        counted(scene.bodies.len(), "body", "bodies"),
        counted(moving, "joint that moves", "joints that move")
    );
    Ok(scene)
}

/// Lifts a free model so that its lowest point is on the floor, at z = 0.
fn lift(model: &mut Model, report: &Report) {
    let free = model.links.iter().filter(|link| !link.fixed);
    let low = free.flat_map(|link| {
        link.shapes
            .iter()
            .filter(|shape| shape.collides)
            .map(|shape| bodies::lowest(&(link.pose * shape.frame), &shape.form))
    });
    let low = low.fold(f64::INFINITY, f64::min);
    if !low.is_finite() {
        report.note(Place::default(), "model", "has no shape that touches anything, and falls past the floor");
        return;
    }
    let up = DVec3::Z * -low;
    model.links.iter_mut().filter(|link| !link.fixed).for_each(|link| link.pose.origin += up);
    model.joints.iter_mut().for_each(|joint| joint.anchor += up);
    report.note(Place::default(), "model", format!("stands on a floor at z = 0: it is moved by {:.4} m along z", up.z));
}

/// A camera that sees the model, from the front left.
fn camera(model: &Model) -> CameraDoc {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for link in model.links.iter().filter(|link| !link.scenery) {
        low = low.min(link.pose.origin);
        high = high.max(link.pose.origin);
        for point in link.shapes.iter().flat_map(|s| s.form.points().into_iter().map(|p| s.frame.point(p))) {
            low = low.min(link.pose.point(point));
            high = high.max(link.pose.point(point));
        }
    }
    if !(low.is_finite() && high.is_finite()) {
        return CameraDoc::default();
    }
    let (centre, size) = ((low + high) * 0.5, (high - low).length().clamp(0.2, 200.0));
    let eye = centre + DVec3::new(0.85, -1.35, 0.5) * size;
    CameraDoc { eye: eye.as_vec3(), target: centre.as_vec3() }
}
