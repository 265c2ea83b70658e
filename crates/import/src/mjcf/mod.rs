//! Reads MJCF, the XML format of MuJoCo: a tree of bodies with joints, z up, degrees unless it says otherwise.
//!
//! Source: the XML reference of MuJoCo.

mod actuators;
mod bodies;
mod compiler;
mod contact;
mod defaults;
mod equality;
mod fits;
mod geoms;
mod joints;
mod law;
mod names;
mod reflected;
mod sensors;

use std::collections::HashMap;
use std::rc::Rc;

use delassus_scene::Mistake;
use glam::{DMat3, DQuat, DVec3};

use crate::Options;
use crate::meshes::Meshes;
use crate::model::{Freedom, Model};
use crate::report::Report;
use crate::shapes::Mesh;
use crate::xml::Element;
use bodies::Tree;
use compiler::Compiler;
use defaults::Defaults;

/// What is known before the bodies are read.
struct Context<'a> {
    compiler: Compiler,
    defaults: Defaults<'a>,
    /// The meshes by their names; nothing for those that cannot be read.
    meshes: HashMap<String, Option<Rc<Mesh>>>,
    /// Whether controls are clamped to their ranges, and whether actuators act: <flag> may switch both off.
    clamps: bool,
    actuation: bool,
    report: &'a Report,
}

/// Reads the model of a `<mujoco>`.
///
/// # Errors
/// The first mistake, with its line.
pub fn read<'a>(
    root: Element<'a>,
    options: &Options,
    meshes: &Meshes<'_>,
    report: &'a Report,
) -> Result<Model, Mistake> {
    let name = root.text("model").unwrap_or("model").to_owned();
    let compiler = Compiler::read(root, report)?;
    let defaults = Defaults::read(root)?;
    let flag = |name: &str| {
        let flags = root.all("option").into_iter().filter_map(|option| option.one("flag"));
        flags.into_iter().all(|flag| flag.text(name) != Some("disable"))
    };
    let (clamps, actuation) = (flag("clampctrl"), flag("actuation"));
    let mut context = Context { compiler, defaults, meshes: HashMap::new(), clamps, actuation, report };
    for assets in root.all("asset") {
        for element in assets.all("mesh") {
            let (name, mesh) = mesh(element, &context, meshes)?;
            context.meshes.insert(name, mesh);
        }
    }
    let key = options.key.as_deref().map(|name| key(root, name)).transpose()?;
    let worlds = root.all("worldbody");
    if worlds.is_empty() {
        return Err(root.mistake("there is no <worldbody>"));
    }
    let mut tree = Tree::new(&worlds, key.as_ref().map(|(pose, _)| pose.clone()));
    for world in worlds {
        bodies::world(world, &context, &mut tree)?;
    }
    if let Some((pose, _)) = &key {
        let count = |freedom: Freedom| match freedom {
            Freedom::All => 7,
            Freedom::Ball => 4,
            Freedom::Turn | Freedom::Slide => 1,
            _ => 0,
        };
        let needed: usize = tree.joints.iter().map(|joint| count(joint.freedom)).sum();
        if !pose.is_empty() && pose.len() != needed {
            return Err(root.mistake(format!("`qpos` of the keyframe has {} numbers, not {needed}", pose.len())));
        }
    }
    if let Some(total) = context.compiler.total {
        let sum: f64 = tree.links.iter().filter_map(|link| link.mass).map(|mass| mass.mass).sum();
        for mass in tree.links.iter_mut().filter_map(|link| link.mass.as_mut()) {
            mass.mass *= total / sum;
            mass.inertia *= total / sum;
        }
    }
    for (number, joint) in std::mem::take(&mut tree.spring_dampers) {
        joints::spring_damper(&joint, number, context.compiler.angle, &mut tree)?;
    }
    tree.capped = vec![false; tree.joints.len()];
    let mut controls = key.map(|(_, controls)| controls).unwrap_or_default().into_iter();
    for section in root.all("actuator") {
        actuators::read(section, &context, &mut tree, &mut controls)?;
    }
    let mut couplings = Vec::new();
    for section in root.all("equality") {
        couplings.extend(equality::read(section, &context, &mut tree)?);
    }
    let mut measured = Vec::new();
    for section in root.all("sensor") {
        measured.extend(sensors::read(section, &context, &tree)?);
    }
    let (mut excluded, mut paired) = (Vec::new(), Vec::new());
    for section in root.all("contact") {
        contact::read(section, &context, &mut tree, &mut excluded, &mut paired)?;
    }
    contact::frictionless(&context, &mut tree);
    for joint in tree.joints.iter_mut().filter(|joint| joint.drive.is_none() && options.hold.is_none()) {
        if joint.effort.take().is_some() {
            report.note(joint.place, "`actuatorfrcrange`", "bounds a drive, but its joint has none");
        }
    }
    let gravity = gravity(root)?;
    let contacts = flag("contact");
    let Tree { links, joints, .. } = tree;
    let (self_collision, on_floor) = (true, false);
    let sensors = measured;
    let larger_friction = true;
    Ok(Model {
        name,
        links,
        joints,
        couplings,
        sensors,
        excluded,
        paired,
        larger_friction,
        gravity,
        contacts,
        self_collision,
        on_floor,
    })
}

fn gravity(root: Element<'_>) -> Result<Option<DVec3>, Mistake> {
    let mut gravity = None;
    for option in root.all("option") {
        gravity = option.vector("gravity")?.or(gravity);
        let flag = option.one("flag");
        if flag.and_then(|flag| flag.text("gravity")) == Some("disable") {
            gravity = Some(DVec3::ZERO);
        }
    }
    Ok(gravity)
}

/// The pose and the controls of a keyframe.
fn key(root: Element<'_>, name: &str) -> Result<(Vec<f64>, Vec<f64>), Mistake> {
    let keys: Vec<Element<'_>> = root.all("keyframe").into_iter().flat_map(|frames| frames.children()).collect();
    let found = keys.iter().find(|key| key.text("name") == Some(name));
    let Some(found) = found else { return Err(root.mistake(format!("no keyframe is called `{name}`"))) };
    found.mark();
    Ok((found.numbers("qpos")?.unwrap_or_default(), found.numbers("ctrl")?.unwrap_or_default()))
}

/// A mesh and its name, which is its file's if it has none.
fn mesh<'a>(
    element: Element<'a>,
    context: &Context<'a>,
    meshes: &Meshes<'_>,
) -> Result<(String, Option<Rc<Mesh>>), Mistake> {
    let classed = context.defaults.of(element, None)?;
    let scale = classed.vector("scale")?.unwrap_or(DVec3::ONE);
    let file = element.text("file");
    let stem = |file: &str| {
        let last = file.rsplit('/').next().unwrap_or(file);
        last.rsplit_once('.').map_or(last, |(stem, _)| stem).to_owned()
    };
    let name = element.text("name").map(str::to_owned).or_else(|| file.map(stem));
    let name = name.ok_or_else(|| element.mistake("a mesh needs a name or a file"))?;
    let mesh = match (file, element.numbers("vertex")?) {
        (Some(file), _) => meshes.load(&format!("{}{file}", context.compiler.folder), scale, element.place()),
        (None, Some(numbers)) => {
            let points: Vec<DVec3> = numbers.chunks_exact(3).map(|p| DVec3::from_slice(p) * scale).collect();
            Some(Meshes::of_points(&name, &points).map_err(|why| element.mistake(why))?)
        }
        (None, None) => {
            context.report.note(element.place(), element.title(), "is neither a file nor corners, and is left out");
            None
        }
    };
    let origin = element.vector("refpos")?.unwrap_or_default();
    let turn = match element.numbers("refquat")?.as_deref() {
        Some([w, x, y, z]) => DQuat::from_xyzw(*x, *y, *z, *w).normalize().inverse(),
        _ => DQuat::IDENTITY,
    };
    let placed = mesh.map(|mesh| {
        if origin == DVec3::ZERO && turn == DQuat::IDENTITY {
            return mesh;
        }
        let point = |point: DVec3| turn * (point - origin);
        let axes = DMat3::from_quat(turn);
        let solid = mesh.solid.map(|(volume, centre, unit)| (volume, point(centre), axes * unit * axes.transpose()));
        Rc::new(Mesh { name: mesh.name.clone(), corners: mesh.corners.iter().map(|p| point(*p)).collect(), solid })
    });
    Ok((name, placed))
}

/// Why an element of MJCF is left out, by its name and that of its parent.
pub fn why(parent: &str, name: &str) -> &'static str {
    match (parent, name) {
        (_, "site") => "marks a place, and has no counterpart",
        (_, "camera" | "light" | "visual" | "texture" | "material" | "statistic" | "skin" | "rgba") => "is about looks",
        (_, "size" | "custom" | "plugin" | "extension") => "is for MuJoCo itself",
        (_, "tendon") => "tendons have no counterpart",
        ("keyframe", _) | (_, "keyframe") => "`--key NAME` selects its pose and controls",
        (_, "composite" | "replicate" | "flexcomp" | "flex" | "deformable" | "attach" | "hfield") => {
            "is not supported, and is left out"
        }
        (_, "flag") => "switches of MuJoCo's solver have no counterpart",
        _ => "has no counterpart and is left out",
    }
}
