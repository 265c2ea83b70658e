//! What of a scene has no counterpart in MJCF, besides what the other modules tell of joints.

use delassus_physics::body::Motion;
use delassus_physics::force::ByTime;
use delassus_physics::settings::{Gyroscopic, Settings};
use delassus_scene::{Flat, FlatBody, FlatJoint, Scene};

use crate::report::{Place, Report};

/// Tells all of it.
pub fn tell(scene: &Scene, flat: &Flat, settings: &Settings, report: &Report) {
    let note = |element: &str, what: &str| report.note(Place::default(), element, what);
    let shown: Vec<&str> = [
        ("plots", scene.plots.is_empty()),
        ("experiments", scene.experiments.is_empty()),
        ("claims", scene.claims.is_empty()),
    ]
    .into_iter()
    .filter(|(_, empty)| !empty)
    .map(|(name, _)| name)
    .collect();
    if !shown.is_empty() {
        note(&shown.join(", "), "are about this program, and are left out");
    }
    note("settings", "gravity is taken; MuJoCo has a step, a solver and contacts of its own");
    if settings.step.gyroscopic == Gyroscopic::Off {
        note("`step.gyroscopic`", "is off; MuJoCo always has the gyroscopic torque");
    }
    let colliding = || flat.bodies.iter().filter(|body| body.def.collide);
    let first = colliding().next().map(|body| body.def.material.friction);
    if settings.contact.enabled && colliding().any(|body| Some(body.def.material.friction) != first) {
        note("`contact.mix`", "of two coefficients of friction MuJoCo takes the greater");
    }
    flat.bodies.iter().for_each(|own| body(own, settings, report));
    flat.joints.iter().for_each(|own| joint(own, report));
}

fn body(body: &FlatBody, settings: &Settings, report: &Report) {
    let def = &body.def;
    // One note for all bodies alike.
    let note = |element: &str, what: &str| report.note(Place::default(), element, what);
    let moves = def.mover.is_some() || def.velocity.length() + def.angular_velocity.length() > 0.0;
    if def.motion == Motion::Kinematic && moves {
        report.note(Place::default(), format!("body `{}`", body.name), "moves by itself, and stands still in MuJoCo");
    }
    if def.motion == Motion::Dynamic && def.drag.is_some() {
        report.note(Place::default(), format!("body `{}`", body.name), "its drag has no counterpart");
    }
    if !(def.collide && settings.contact.enabled) {
        return;
    }
    if def.material.restitution > 0.0 {
        note("restitution", "has no counterpart: the softness of MuJoCo's contacts says how far they throw back");
    }
    if def.material.soft.is_some() {
        note("soft surfaces", "have no counterpart: they have MuJoCo's usual softness");
    }
}

fn joint(joint: &FlatJoint, report: &Report) {
    let note = |what: &str| report.note(Place::default(), format!("joint `{}`", joint.name), what);
    let options = &joint.def.options;
    if options.breaks.is_some() {
        note("never breaks in MuJoCo");
    }
    if options.stabilization.is_some() {
        note("its own stabilisation has no counterpart");
    }
    if options.soft.is_some() {
        note("its soft rows have no counterpart: they are rigid");
    }
    if options.by_time != ByTime::Constant {
        note("what drives it changes with time: it has its value at time 0 in MuJoCo, for good");
    }
}
