//! Edits of what a scene holds besides bodies and joints of its own: surfaces, patterns, parts, experiments, words.
//!
//! Materials go by their names, patterns and parts by their places in the scene's lists, since a part may have no name.

use super::EditedScene;
use super::rename::ends;
use crate::scene::{
    Body, CameraDoc, Experiment, List, MAX_CURVES, MAX_PLOTS, Material, Origin, Part, Pattern, Plot, Scene,
};
use crate::session::SessionError;

/// A change of one of the scene's elements.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// A new surface; a name that is taken, or none, becomes a new one.
    AddMaterial(Material),
    /// Another surface in place of the one of this name. A new name is followed by the bodies.
    Material { name: String, material: Material },
    /// Takes a surface away that no body names.
    RemoveMaterial(String),
    /// Another pattern in place of the one of this index. A new name is followed by the joints.
    Pattern { index: usize, pattern: Box<Pattern> },
    /// Another part in place of the one of this index. A new name is followed by the joints.
    Part { index: usize, part: Box<Part> },
    /// The bodies and joints that a pattern or part stands for, in its place.
    WriteOut(Origin),
    /// What the scene says of itself. The world does not see it.
    Heading(Box<Heading>),
    /// All experiments, in their order. The world does not see them.
    Experiments(Vec<Experiment>),
    /// All plots, in their order. The world does not see them.
    Plots(Vec<Plot>),
}

/// What a scene says of itself, and where its camera starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    pub title: String,
    pub source: String,
    pub about: String,
    pub look_for: String,
    pub camera: CameraDoc,
}

impl Heading {
    /// What this scene says of itself.
    pub fn of(scene: &Scene) -> Self {
        // Each field by its name: whoever adds one to the scene has to say here whether it is edited with these.
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
    /// Whether the world does not see it.
    pub(in crate::session) fn is_words(&self) -> bool {
        matches!(self, Self::Heading(_) | Self::Experiments(_) | Self::Plots(_))
    }
}

/// The scene with the edit made, or why not.
pub(in crate::session) fn apply(mut scene: Scene, element: &Element) -> Result<EditedScene, SessionError> {
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
        // The session has written it out and named it.
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
    };
    Ok(EditedScene { scene, label })
}

/// What a pattern or part is called.
pub(in crate::session) fn name_of(scene: &Scene, origin: Origin) -> Result<&str, SessionError> {
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
    SessionError::Refused("that is not in the scene any more".into())
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
            // A part has materials of its own.
            pattern.body_mut().filter(|body| is_named(body))?.material = named();
            Some(pattern)
        });
    }
    scene.materials[index] = material.clone();
    Ok(if material.name == name { format!("Change {name}") } else { format!("Rename {name} to {}", material.name) })
}

/// The bodies and patterns that name a material of this scene.
fn users<'a>(scene: &'a Scene, name: &'a str) -> impl Iterator<Item = &'a str> {
    let is_named = move |body: &Body| body.material.as_deref() == Some(name);
    let bodies = scene.bodies.iter().filter(move |body| is_named(body)).map(|body| body.name.as_str());
    // A part has materials of its own.
    let patterns = scene.patterns.iter().filter(move |pattern| pattern.body().is_some_and(is_named));
    bodies.chain(patterns.map(Pattern::name))
}

/// Joints follow the members of a pattern or part that is called otherwise now.
fn renamed(scene: &mut Scene, old: &str, new: &str) -> Result<(), SessionError> {
    if old == new {
        return Ok(());
    }
    if new.trim().is_empty() {
        return refuse("it needs a name: joints call its bodies by that".into());
    }
    ends(scene, |end| {
        let rest = end.strip_prefix(old).filter(|rest| rest.starts_with('.'))?;
        Some(format!("{new}{rest}"))
    });
    Ok(())
}

fn change_heading(scene: &mut Scene, new: &Heading) -> Result<String, SessionError> {
    // Each field by its name: whoever adds one has to name its edit.
    let Heading { title, source, about, look_for, camera } = new;
    let CameraDoc { eye, target } = *camera;
    if !eye.is_finite() || !target.is_finite() || eye == target {
        return refuse("the camera's eye and target must be two points".into());
    }
    scene.camera = *camera;
    let mut label = "Place the camera";
    // The first in the form comes last: of several changes it names the edit.
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
    let lacks = |list: &List<Experiment>, e: &Experiment| !list.iter().any(|other| other.name == e.name);
    let (added, lost) = (new.iter().find(|e| lacks(old, e)), old.iter().find(|e| lacks(new, e)));
    match (added, lost) {
        (Some(to), Some(from)) => format!("Rename {} to {}", from.name, to.name),
        (Some(added), None) => format!("Add experiment {}", added.name),
        (None, Some(lost)) => format!("Delete experiment {}", lost.name),
        (None, None) => match new.iter().find(|e| !old.contains(e)) {
            Some(changed) => format!("Change experiment {}", changed.name),
            None => "Reorder the experiments".into(),
        },
    }
}
