//! Models as scenes: imported quantities have the values that closed forms give, and the rest is reported.

mod broken;
mod driven;
mod export;
mod files;
mod mjcf;
mod report;
mod taken;
mod touching;
mod urdf;

use delassus_import::{Imported, Options, import};
use delassus_physics::joints::{Hinge, JointKind};
use delassus_scene::{Body, Joint, Mistake};
use glam::{DMat3, DVec3};

/// Imports a model; other files that it names cannot be read.
fn read(text: &str, options: &Options) -> Result<Imported, Mistake> {
    import("models/model.xml", text, options, &|_| Err("there is no such file".into()))
}

/// The scene of a model without mistakes. Checks that its text is read back without mistakes, and is the same as that
/// of a saved scene.
fn imported(text: &str) -> Imported {
    with(text, &Options::default())
}

fn with(text: &str, options: &Options) -> Imported {
    let imported = read(text, options).unwrap_or_else(|mistake| panic!("{mistake}"));
    let written = imported.text();
    let loaded = delassus_scene::read_str(&written, "model.ron").unwrap_or_else(|m| panic!("{m:?}\n{written}"));
    assert_eq!(loaded.scene, imported.scene);
    let body = written.lines().skip_while(|line| line.starts_with("//")).collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(body, delassus_scene::write(&loaded.scene));
    imported
}

fn body<'a>(imported: &'a Imported, name: &str) -> &'a Body {
    let found = imported.scene.bodies.iter().find(|body| body.name == name);
    found.unwrap_or_else(|| panic!("no body {name} in {}", imported.text()))
}

fn joint<'a>(imported: &'a Imported, name: &str) -> &'a Joint {
    let found = imported.scene.joints.iter().find(|joint| joint.name == name);
    found.unwrap_or_else(|| panic!("no joint {name} in {}", imported.text()))
}

fn hinge(imported: &Imported, name: &str) -> Hinge {
    match &joint(imported, name).kind {
        JointKind::Hinge(hinge) => *hinge,
        other => panic!("{other:?}"),
    }
}

/// Mass, mass centre and inertia in the world's axes.
fn mass(body: &Body) -> (f64, DVec3, DMat3) {
    let turn = body.rotation.quat().expect("a rotation").as_dquat();
    let centre = body.at.as_dvec3() + turn * body.mass_centre.unwrap_or_default().as_dvec3();
    let axes = DMat3::from_quat(turn);
    let own = body.inertia.expect("an inertia").matrix().as_dmat3();
    (f64::from(body.mass.expect("a mass")), centre, axes * own * axes.transpose())
}

fn close(a: DVec3, b: DVec3) -> bool {
    (a - b).abs().max_element() < 1e-6 * (1.0 + a.abs().max_element())
}

fn near(a: DMat3, b: DMat3) -> bool {
    let largest = a.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    (a - b).to_cols_array().into_iter().all(|x| x.abs() < 1e-6 * largest)
}

/// Whether a note has all of these words.
fn notes_say(imported: &Imported, words: &[&str]) -> bool {
    imported.notes.iter().any(|note| words.iter().all(|word| note.to_string().contains(word)))
}
