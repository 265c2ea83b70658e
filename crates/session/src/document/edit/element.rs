//! Edits of scene elements other than own bodies and joints: materials, patterns, parts, experiments, plots,
//! sensors, words.
//!
//! Materials are referred to by name, patterns and parts by index, since a part may have no name.

use super::EditedScene;
use super::rename::ends;
use crate::SessionError;
use delassus_scene::{
    Body, CameraDoc, Experiment, List, MAX_CURVES, MAX_PLOTS, MAX_SENSORS, Material, Origin, Part, Pattern, Plot,
    Scene, Sensor,
};

/// A change of one of the scene's elements.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// Adds a material; a missing name, or one already used, is replaced by a new one.
    AddMaterial(Material),
    /// Replaces the material of this name. If its name changes, the bodies that use it follow.
    Material { name: String, material: Material },
    /// Removes a material that no body uses.
    RemoveMaterial(String),
    /// Replaces the pattern of this index. If its name changes, the joints follow.
    Pattern { index: usize, pattern: Box<Pattern> },
    /// Replaces the part of this index. If its name changes, the joints follow.
    Part { index: usize, part: Box<Part> },
    /// Replaces a pattern or part by its bodies and joints.
    WriteOut(Origin),
    /// Replaces the scene's texts and initial camera. The world does not use them.
    Heading(Box<Heading>),
    /// Replaces all experiments, in order. The world does not use them.
    Experiments(Vec<Experiment>),
    /// Replaces all plots, in order. The world does not use them.
    Plots(Vec<Plot>),
    /// Replaces all sensors, in order. The world does not use them.
    Sensors(Vec<Sensor>),
}

/// The scene's texts, and the initial camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    pub title: String,
    pub source: String,
    pub about: String,
    pub look_for: String,
    pub camera: CameraDoc,
}

impl Heading {
    /// The texts and camera of this scene.
    pub fn of(scene: &Scene) -> Self {
        // Fields are listed by name so that a new field must be assigned here.
        let Scene {
            title,
            source,
            about,
            look_for,
            camera,
            version: _,
            claims: _,
            expects: _,
            settings: _,
            opens: _,
            materials: _,
            bodies: _,
            patterns: _,
            parts: _,
            joints: _,
            experiments: _,
            plots: _,
            sensors: _,
        } = scene;
        Self {
            title: title.clone(),
            source: source.clone(),
            about: about.clone(),
            look_for: look_for.clone(),
            camera: *camera,
        }
    }
}

impl Element {
    /// Whether the world does not use this element.
    pub(crate) fn is_words(&self) -> bool {
        matches!(self, Self::Heading(_) | Self::Experiments(_) | Self::Plots(_) | Self::Sensors(_))
    }
}

/// The scene after the edit, or why it is refused.
pub(crate) fn apply(mut scene: Scene, element: &Element) -> Result<EditedScene, SessionError> {
    let label = match element {
        Element::AddMaterial(material) => {
            let mut material = material.clone();
            if material.name.is_empty() {
                material.name = "surface".into();
            }
            let taken = |name: &str| scene.materials.iter().any(|m| m.name == name);
            let mut numbered = (2..).map(|n| format!("{}-{n}", material.name));
            if taken(&material.name) {
                material.name = numbered.find(|name| !taken(name)).unwrap_or_default();
            }
            let label = format!("Add material {}", material.name);
            scene.materials.push(material);
            label
        }
        Element::Material { name, material } => change_material(&mut scene, name, material)?,
        Element::RemoveMaterial(name) => {
            let index = material_at(&scene, name)?;
            let mut users = users(&scene, name);
            if let Some(first) = users.next() {
                let more = match users.count() {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                return refuse(format!("{name} is the material of {first}{more}: give them another first"));
            }
            drop(users);
            scene.materials.remove(index);
            format!("Delete material {name}")
        }
        Element::Pattern { index, pattern } => {
            let old = scene.patterns.get_mut(*index).ok_or_else(gone)?;
            let old = std::mem::replace(old, (**pattern).clone()).name().to_owned();
            renamed(&mut scene, &old, pattern.name())?;
            format!("Change {old}")
        }
        Element::Part { index, part } => {
            let old = scene.parts.get_mut(*index).ok_or_else(gone)?;
            let old = std::mem::replace(old, (**part).clone()).name;
            if !old.is_empty() {
                renamed(&mut scene, &old, &part.name)?;
            }
            format!("Change {}", if old.is_empty() { &part.file } else { &old })
        }
        // The session has already written it out and set the label.
        Element::WriteOut(_) => String::new(),
        Element::Heading(heading) => change_heading(&mut scene, heading)?,
        Element::Experiments(experiments) => {
            for (i, experiment) in experiments.iter().enumerate() {
                if experiment.name.trim().is_empty() {
                    return refuse("an experiment needs a name".into());
                }
                if experiments[..i].iter().any(|other| other.name == experiment.name) {
                    return refuse(format!("an experiment is called “{}” already", experiment.name));
                }
            }
            let experiments = experiments.iter().cloned().collect();
            let label = experiments_label(&scene.experiments, &experiments);
            scene.experiments = experiments;
            label
        }
        Element::Plots(plots) => {
            if plots.len() > MAX_PLOTS {
                return refuse(format!("a scene has at most {MAX_PLOTS} plots"));
            }
            if plots.iter().any(|plot| plot.curves.is_empty() || plot.curves.len() > MAX_CURVES) {
                return refuse(format!("a plot has from 1 to {MAX_CURVES} curves"));
            }
            let label = match plots.len().cmp(&scene.plots.len()) {
                std::cmp::Ordering::Greater => "Add plots",
                std::cmp::Ordering::Less => "Remove plots",
                std::cmp::Ordering::Equal => "Change plots",
            };
            scene.plots = plots.iter().cloned().collect();
            label.into()
        }
        Element::Sensors(sensors) => change_sensors(&mut scene, sensors)?,
    };
    Ok(EditedScene { scene, label })
}

/// The name of a pattern or part.
pub(crate) fn name_of(scene: &Scene, origin: Origin) -> Result<&str, SessionError> {
    match origin {
        Origin::Pattern(index) => scene.patterns.get(index).map(Pattern::name).ok_or_else(gone),
        Origin::Part(index) => {
            let part = scene.parts.get(index).ok_or_else(gone)?;
            Ok(if part.name.is_empty() { &part.file } else { &part.name })
        }
        Origin::Body(_) | Origin::Joint(_) => refuse("only a pattern or part can be written out".into()),
    }
}

fn refuse<T>(why: String) -> Result<T, SessionError> {
    Err(SessionError::Refused(why))
}

fn gone() -> SessionError {
    SessionError::Refused("this is no longer in the scene".into())
}

fn material_at(scene: &Scene, name: &str) -> Result<usize, SessionError> {
    let found = scene.materials.iter().position(|m| m.name == *name);
    found.ok_or_else(|| SessionError::NoSuch { what: "material", name: name.into() })
}

fn change_material(scene: &mut Scene, name: &str, material: &Material) -> Result<String, SessionError> {
    let index = material_at(scene, name)?;
    if material.name != name {
        if material.name.trim().is_empty() {
            return refuse("a material needs a name".into());
        }
        if scene.materials.iter().any(|m| m.name == material.name) {
            return refuse(format!("a material is called `{}` already", material.name));
        }
        let is_named = |body: &Body| body.material.as_deref() == Some(name);
        let named = || Some(material.name.clone());
        scene.bodies.update(|body| is_named(body).then(|| Body { material: named(), ..body.clone() }));
        scene.patterns.update(|pattern| {
            let mut pattern = pattern.clone();
            // A part uses the materials of its own file.
            pattern.body_mut().filter(|body| is_named(body))?.material = named();
            Some(pattern)
        });
    }
    scene.materials[index] = material.clone();
    Ok(if material.name == name { format!("Change {name}") } else { format!("Rename {name} to {}", material.name) })
}

/// The bodies and patterns that use a material of this scene.
fn users<'a>(scene: &'a Scene, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_named = move |body: &Body| body.material.as_deref() == Some(name);
    let bodies = scene.bodies.iter().filter(move |body| is_named(body)).map(|body| body.name.as_str());
    // A part uses the materials of its own file.
    let patterns = scene.patterns.iter().filter(move |pattern| pattern.body().is_some_and(is_named));
    bodies.chain(patterns.map(Pattern::name))
}

/// After a pattern or part was renamed, updates the joints that refer to its members.
fn renamed(scene: &mut Scene, old: &str, new: &str) -> Result<(), SessionError> {
    if old == new {
        return Ok(());
    }
    if new.trim().is_empty() {
        return refuse("it needs a name: joints refer to its bodies by it".into());
    }
    ends(scene, |end| {
        let rest = end.strip_prefix(old).filter(|rest| rest.starts_with('.'))?;
        Some(format!("{new}{rest}"))
    });
    Ok(())
}

fn change_heading(scene: &mut Scene, new: &Heading) -> Result<String, SessionError> {
    // Fields are listed by name so that a new field must be edited here.
    let Heading { title, source, about, look_for, camera } = new;
    let CameraDoc { eye, target } = *camera;
    if !eye.is_finite() || !target.is_finite() || eye == target {
        return refuse("the camera's eye and target must be two points".into());
    }
    scene.camera = *camera;
    let mut label = "Place the camera";
    // The reverse of the form's order: of several changes the first in the form names the edit.
    for (old, new, change) in [
        (&mut scene.look_for, look_for, "Change what to look for"),
        (&mut scene.about, about, "Change what it is about"),
        (&mut scene.source, source, "Change the source"),
        (&mut scene.title, title, "Change the title"),
    ] {
        if old != new {
            label = change;
            old.clone_from(new);
        }
    }
    Ok(label.into())
}

fn experiments_label(old: &List<Experiment>, new: &List<Experiment>) -> String {
    list_label("experiment", old, new, |experiment| &experiment.name)
}

fn change_sensors(scene: &mut Scene, sensors: &[Sensor]) -> Result<String, SessionError> {
    if sensors.len() > MAX_SENSORS {
        return refuse(format!("a scene has at most {MAX_SENSORS} sensors"));
    }
    for (i, sensor) in sensors.iter().enumerate() {
        if let Some((_, what)) = sensor.fault() {
            return refuse(what);
        }
        if sensors[..i].iter().any(|other| other.name == sensor.name) {
            return refuse(format!("a sensor is called “{}” already", sensor.name));
        }
    }
    let sensors = sensors.iter().cloned().collect();
    let label = list_label("sensor", &scene.sensors, &sensors, |sensor| &sensor.name);
    scene.sensors = sensors;
    Ok(label)
}

/// The label of a change of a list of named elements.
fn list_label<T: Clone + PartialEq>(what: &str, old: &List<T>, new: &List<T>, name: fn(&T) -> &str) -> String {
    let lacks = |list: &List<T>, e: &T| !list.iter().any(|other| name(other) == name(e));
    let (added, lost) = (new.iter().find(|e| lacks(old, e)), old.iter().find(|e| lacks(new, e)));
    match (added, lost) {
        (Some(to), Some(from)) => format!("Rename {} to {}", name(from), name(to)),
        (Some(added), None) => format!("Add {what} {}", name(added)),
        (None, Some(lost)) => format!("Delete {what} {}", name(lost)),
        (None, None) => match new.iter().find(|e| !old.contains(e)) {
            Some(changed) => format!("Change {what} {}", name(changed)),
            None => format!("Reorder the {what}s"),
        },
    }
}
