//! Checks of a document's single elements: numbers are finite and in range, names are unique.

mod body;
mod joint;
mod motion;
mod value;

use std::collections::HashSet;

use delassus_physics::quantity;
use delassus_physics::setting_text::SettingError;
use delassus_physics::settings::SettingsPatch;

pub use self::body::MAX_HULL_POINTS;
pub(super) use self::body::body;
use self::body::{spring, surface};
pub(super) use self::joint::{breaks, joint, kind, soft, stabilization};
pub(super) use self::motion::drive;
pub use self::motion::{MAX_FORCES, MAX_TIMES, MAX_WAYPOINTS, missing_value};
pub(super) use self::value::{count, direction, number, vector};
use super::report::{DocPath, Report};
use super::sensor;
use super::start_options;
use super::types::{CameraDoc, Experiment, Material, Plot, Scene, VERSION};

/// Maximum number of plots in a scene, and of curves in a plot.
pub const MAX_PLOTS: usize = 24;
pub const MAX_CURVES: usize = 12;
/// Maximum number of a scene's materials, of its experiments, and of the claims in one list: people choose among the
/// first two, and each claim is tested after every step.
pub const MAX_MATERIALS: usize = 1000;
pub const MAX_EXPERIMENTS: usize = 1000;
pub const MAX_CLAIMS: usize = 1000;

/// Checks everything that does not require laying out.
pub(super) fn document(scene: &Scene, report: &mut Report) {
    // Fields are listed by name so that a new field must be checked here.
    let Scene {
        version,
        settings: patch,
        camera: CameraDoc { eye, target },
        opens,
        materials,
        bodies,
        experiments,
        plots,
        sensors,
        // They are counted here and checked when they are tried.
        claims,
        // Texts.
        title: _,
        source: _,
        about: _,
        look_for: _,
        // Checked while reading.
        expects: _,
        // Checked one by one while laying out.
        patterns: _,
        parts: _,
        joints: _,
    } = scene;
    if *version != VERSION {
        let what = format!("this program reads version {VERSION}, not {version}");
        report.add(&DocPath::Root.field("version"), what);
    }
    settings(patch, &DocPath::Root.field("settings"), report);
    start_options::check(opens, report);
    let camera = DocPath::Root.field("camera");
    vector(*eye, &quantity::PLACE, &camera.field("eye"), "eye", report);
    vector(*target, &quantity::PLACE, &camera.field("target"), "target", report);
    if eye == target {
        report.add(&camera, "the camera's eye and target must be two points");
    }
    for (name, count, most) in [
        ("materials", materials.len(), MAX_MATERIALS),
        ("experiments", experiments.len(), MAX_EXPERIMENTS),
        ("claims", claims.len(), MAX_CLAIMS),
    ] {
        if count > most {
            return report.add(&DocPath::Root.field(name), format!("a scene has at most {most} {name}, not {count}"));
        }
    }
    let bodies_at = DocPath::Root.field("bodies");
    let mut names = HashSet::new();
    for (i, body) in bodies.iter().enumerate() {
        if !names.insert(&body.name) && !body.name.is_empty() {
            report.add(&bodies_at.item(i).field("name"), format!("a second body is called `{}`", body.name));
        }
    }
    let materials_at = DocPath::Root.field("materials");
    let mut names = HashSet::new();
    for (i, Material { name, friction, restitution, rolling, soft }) in materials.iter().enumerate() {
        let place = materials_at.item(i);
        if name.is_empty() || !names.insert(name) {
            report.add(&place.field("name"), format!("a second material is called `{name}`"));
        }
        surface(Some(*friction), Some(*restitution), Some(*rolling), &place, report);
        spring(*soft, &place, report);
    }
    let experiments_at = DocPath::Root.field("experiments");
    let mut names = HashSet::new();
    for (i, Experiment { name, about: _, set, claims }) in experiments.iter().enumerate() {
        let place = experiments_at.item(i);
        if !names.insert(name) {
            report.add(&place.field("name"), format!("a second experiment is called `{name}`"));
        }
        settings(set, &place.field("set"), report);
        if claims.len() > MAX_CLAIMS {
            let what = format!("an experiment has at most {MAX_CLAIMS} claims, not {}", claims.len());
            report.add(&place.field("claims"), what);
        }
    }
    let plots_at = DocPath::Root.field("plots");
    // The quantities are looked up when drawing: an unknown name is reported next to the plot.
    for (i, Plot { title: _, curves, against: _, scale: _ }) in plots.iter().enumerate() {
        if curves.is_empty() || curves.len() > MAX_CURVES {
            let what = format!("a plot has from 1 to {MAX_CURVES} curves");
            report.add(&plots_at.item(i).field("curves"), what);
        }
    }
    if plots.len() > MAX_PLOTS {
        report.add(&plots_at.item(MAX_PLOTS), format!("a scene has at most {MAX_PLOTS} plots"));
    }
    sensor::check(sensors, report);
}

fn settings(patch: &SettingsPatch, place: &DocPath, report: &mut Report) {
    for mistake in patch.mistakes() {
        match &mistake {
            SettingError::Value { name, .. } => match name.split_once('.') {
                Some((group, field)) => report.add(&place.field(group).field(field), mistake.to_string()),
                None => report.add(&place.field(name), mistake.to_string()),
            },
            SettingError::Unknown { .. } => report.add(place, mistake.to_string()),
        }
    }
}
