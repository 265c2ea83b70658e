//! Edits of the document's bodies and joints, as pure functions from scene to scene. The session has written out
//! what patterns and parts stand for before: here every name is an entry of its own.

pub mod element;
mod follow;
mod groups;
pub(in crate::session) mod keep_pose;
mod label;
pub(in crate::session) mod resolve;
pub mod rigid;
pub(in crate::session) mod write_out;

use std::collections::{HashMap, HashSet};

use glam::{Quat, Vec3};

use crate::scene::{Body, Experiment, Joint, Origin, Part, Pattern, Scene, WORLD, unlike_fields};
use crate::session::SessionError;
use crate::session::names::Names;
use element::Element;
use follow::{place, settle_joints};
use label::{changed, changed_field, changed_in, noun, removed};
pub(in crate::session) use label::{counted, fresh};
use rigid::Rigid;

/// A change of the document's bodies and joints. Bodies and joints go by their names.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// New bodies, and joints between them or others. A name that is taken, or none, becomes a new one; joints among
    /// the new bodies follow.
    Add { bodies: Vec<Body>, joints: Vec<Joint> },
    /// New patterns, and parts by the path of their file. A name that is taken, or none, becomes a new one.
    AddGroups { patterns: Vec<Pattern>, parts: Vec<Part> },
    /// Takes away bodies, all joints that hang on them, and joints.
    Remove { bodies: Vec<String>, joints: Vec<String> },
    /// Puts the origins of bodies elsewhere, world frame. All that a pattern or part stands for, by one rigid motion,
    /// is the pattern or part elsewhere.
    Place(Vec<Placed>),
    /// The same, by a turn about the world's origin and a shift, m; what the joints of these bodies hold in the world
    /// goes along by that motion.
    Carry { placed: Vec<Placed>, turn: Quat, shift: Vec3 },
    /// A new joint, for which a body is put elsewhere. If the joint is refused, the body stays too.
    Join { joint: Box<Joint>, moved: Placed },
    /// Another body in place of the one of this name. A new name is followed by the joints.
    Body { name: String, body: Box<Body> },
    /// Another joint in place of the one of this name.
    Joint { name: String, joint: Box<Joint> },
    /// Other bodies and joints in place of those of these names, which stay.
    Change { bodies: Vec<Body>, joints: Vec<(String, Joint)> },
    /// What else the scene holds.
    Element(Element),
}

/// Where a body's shape origin is to be, world frame, m.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub name: String,
    pub at: Vec3,
    pub rotation: Quat,
}

/// A scene after an edit, and what the edit is called.
pub(in crate::session) struct Edited {
    pub scene: Scene,
    pub label: String,
}

impl Edit {
    /// The bodies that must be entries of their own.
    pub(in crate::session) fn bodies(&self) -> Vec<&str> {
        match self {
            Self::Add { .. } | Self::AddGroups { .. } | Self::Joint { .. } | Self::Element(_) => Vec::new(),
            Self::Change { bodies, .. } => bodies.iter().map(|b| b.name.as_str()).collect(),
            Self::Remove { bodies, .. } => bodies.iter().map(String::as_str).collect(),
            Self::Place(placed) | Self::Carry { placed, .. } => placed.iter().map(|p| p.name.as_str()).collect(),
            Self::Join { moved, .. } => vec![&moved.name],
            Self::Body { name, .. } => vec![name],
        }
    }

    /// The joints that must be entries of their own.
    pub(in crate::session) fn joints(&self) -> Vec<&str> {
        match self {
            Self::Remove { joints, .. } => joints.iter().map(String::as_str).collect(),
            Self::Joint { name, .. } => vec![name],
            Self::Change { joints, .. } => joints.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}

/// What the edit needs to know of the scene besides its text.
pub(in crate::session) struct Context<'a> {
    /// All names in use, those of patterns and parts too.
    pub names: &'a Names,
    /// How the members of patterns and parts move that are placed as wholes, by name.
    pub members: &'a HashMap<&'a str, Rigid>,
    /// Whether what is placed has another orientation than it has just now in the running world.
    pub turns: bool,
    /// A joint with its ends in its bodies' shape frames, by entry.
    pub on_bodies: &'a dyn Fn(usize) -> Option<Joint>,
    /// How the document names the file of this path.
    pub file: &'a dyn Fn(&str) -> String,
}

impl Context<'_> {
    /// The entry of a body.
    fn body(&self, name: &str) -> Result<usize, SessionError> {
        match self.names.body_origin(name) {
            Some(Origin::Body(entry)) => Ok(entry),
            _ => Err(SessionError::NoSuch { what: "body", name: name.into() }),
        }
    }

    /// The entry of a joint.
    fn joint(&self, name: &str) -> Result<usize, SessionError> {
        match self.names.joint_origin(name) {
            Some(Origin::Joint(entry)) => Ok(entry),
            _ => Err(SessionError::NoSuch { what: "joint", name: name.into() }),
        }
    }
}

/// The scene with the edit made, or why not.
pub(in crate::session) fn apply(mut scene: Scene, edit: &Edit, context: &Context<'_>) -> Result<Edited, SessionError> {
    let label = match edit {
        Edit::Add { bodies, joints } => add(&mut scene, bodies, joints, context)?,
        Edit::AddGroups { patterns, parts } => groups::add(&mut scene, patterns, parts, context),
        Edit::Remove { bodies, joints } => {
            let gone_bodies = bodies.iter().map(|n| context.body(n)).collect::<Result<HashSet<_>, _>>()?;
            let mut gone_joints = joints.iter().map(|n| context.joint(n)).collect::<Result<HashSet<_>, _>>()?;
            let names: HashSet<&str> = bodies.iter().map(String::as_str).collect();
            let hangs = |j: &Joint| names.contains(j.a.as_str()) || names.contains(j.b.as_str());
            gone_joints.extend(scene.joints.iter().enumerate().filter(|(_, j)| hangs(j)).map(|(i, _)| i));
            let label = removed(bodies, gone_joints.len(), joints);
            scene.bodies.keep_indices(|i| !gone_bodies.contains(&i));
            scene.joints.keep_indices(|i| !gone_joints.contains(&i));
            label
        }
        Edit::Place(placed) | Edit::Carry { placed, .. } => {
            let along = match edit {
                Edit::Carry { turn, shift, .. } => Some(Rigid { turn: *turn, shift: *shift }),
                _ => None,
            };
            place(&mut scene, placed, along, context)?;
            let verb = if context.turns { "Turn" } else { "Move" };
            match placed.as_slice() {
                [one] => format!("{verb} {}", one.name),
                many => format!("{verb} {} bodies", many.len()),
            }
        }
        Edit::Join { joint, moved } => {
            place(&mut scene, std::slice::from_ref(moved), None, context)?;
            add(&mut scene, &[], std::slice::from_ref(joint), context)?
        }
        Edit::Body { name, body } => {
            let index = context.body(name)?;
            settle_joints(&mut scene, &[(index, name, body)], context);
            let old = std::mem::replace(&mut scene.bodies[index], (**body).clone());
            if body.name == *name {
                changed_in(name, &old, body)
            } else {
                check_name(&body.name, context)?;
                let labels: Vec<String> = scene.joints.iter().map(Joint::label).collect();
                rename_ends(&mut scene, |end| (end == old.name).then(|| body.name.clone()));
                // Joints without a name are called after their bodies.
                let now: Vec<String> = scene.joints.iter().map(Joint::label).collect();
                for (old, new) in labels.iter().zip(&now).filter(|(old, new)| old != new) {
                    rename_quantities(&mut scene, &JOINT_LISTS, old, new);
                }
                rename_quantities(&mut scene, &["bodies.", "contacts."], &old.name, &body.name);
                rename_contacts(&mut scene, &old.name, &body.name);
                scene.opens.rename(&old.name, &body.name);
                format!("Rename {name} to {}", body.name)
            }
        }
        Edit::Joint { name, joint } => {
            let index = context.joint(name)?;
            check_ends(joint)?;
            let renamed = joint.name != scene.joints[index].name;
            if renamed && context.joint(&joint.label()).is_ok_and(|other| other != index) {
                return Err(SessionError::Refused(format!("a joint is called `{}` already", joint.label())));
            }
            let old = std::mem::replace(&mut scene.joints[index], (**joint).clone());
            if old.label() != joint.label() {
                rename_quantities(&mut scene, &JOINT_LISTS, &old.label(), &joint.label());
            }
            match unlike_fields(&old, &**joint).as_slice() {
                // What of its kind, if it is still of that.
                [field] if field == "kind" => match unlike_fields(&old.kind, &joint.kind).as_slice() {
                    [parameter] => changed_field(name, parameter),
                    _ => changed_field(name, field),
                },
                [field] => changed_field(name, field),
                _ => format!("Change {name}"),
            }
        }
        Edit::Change { bodies, joints } => {
            let indices = bodies.iter().map(|b| context.body(&b.name)).collect::<Result<Vec<_>, _>>()?;
            let others: Vec<_> = indices.iter().zip(bodies).map(|(i, b)| (*i, b.name.as_str(), b)).collect();
            settle_joints(&mut scene, &others, context);
            for (index, body) in indices.into_iter().zip(bodies) {
                scene.bodies[index] = body.clone();
            }
            for (name, joint) in joints {
                check_ends(joint)?;
                let old = &mut scene.joints[context.joint(name)?];
                *old = Joint { name: std::mem::take(&mut old.name), ..joint.clone() };
            }
            changed(bodies, joints)
        }
        Edit::Element(element) => return element::apply(scene, element),
    };
    Ok(Edited { scene, label })
}

/// Calls the ends of joints otherwise for which `name` has another name.
fn rename_ends(scene: &mut Scene, name: impl Fn(&str) -> Option<String>) {
    scene.joints.update(|joint| match (name(&joint.a), name(&joint.b)) {
        (None, None) => None,
        (a, b) => Some(Joint {
            a: a.unwrap_or_else(|| joint.a.clone()),
            b: b.unwrap_or_else(|| joint.b.clone()),
            ..joint.clone()
        }),
    });
}

/// How a plot's quantities of joints begin.
const JOINT_LISTS: [&str; 2] = ["joints.", "rows."];

/// Plots and claims follow a body or joint to its new name.
fn rename_quantities(scene: &mut Scene, lists: &[&str], old: &str, new: &str) {
    let renamed = |text: &str| {
        let list = lists.iter().find(|list| text.starts_with(**list))?;
        let column = text[list.len()..].strip_prefix(old)?.strip_prefix('.')?;
        // Of a name that only begins alike more than a column is left, of rows more than a number and a column.
        let more = column.matches('.').count();
        (more == usize::from(*list == "rows.")).then(|| format!("{list}{new}.{column}"))
    };
    let claim = |claim: &str| {
        let mut words = claim.to_owned();
        for list in lists {
            words = renamed_in(&words, &format!("{list}{old}."), &format!("{list}{new}."), *list == "rows.");
        }
        words
    };
    let claims = |texts: &[String]| texts.iter().map(|text| claim(text)).collect::<Vec<_>>();
    scene.claims = claims(&scene.claims);
    scene.experiments.update(|experiment| {
        let new = Experiment { claims: claims(&experiment.claims), ..experiment.clone() };
        (new != *experiment).then_some(new)
    });
    update_plots(scene, renamed);
}

/// So do quantities of two bodies, `contacts.a+b.force`.
fn rename_contacts(scene: &mut Scene, old: &str, new: &str) {
    let claims = |texts: &[String]| {
        let first = |text: &str| text.replace(&format!("contacts.{old}+"), &format!("contacts.{new}+"));
        let second = |text: String| match text.contains("contacts.") {
            true => text.replace(&format!("+{old}."), &format!("+{new}.")),
            false => text,
        };
        texts.iter().map(|text| second(first(text))).collect::<Vec<_>>()
    };
    scene.claims = claims(&scene.claims);
    scene.experiments.update(|experiment| {
        let new = Experiment { claims: claims(&experiment.claims), ..experiment.clone() };
        (new != *experiment).then_some(new)
    });
    update_plots(scene, |text| {
        let (pair, column) = text.strip_prefix("contacts.")?.rsplit_once('.')?;
        let name = |text: &str| if text == old { new.to_owned() } else { text.to_owned() };
        let (a, b) = match pair.strip_prefix(old).and_then(|rest| rest.strip_prefix('+')) {
            Some(b) => (new.to_owned(), name(b)),
            None => (pair.strip_suffix(old)?.strip_suffix('+')?.to_owned(), new.to_owned()),
        };
        Some(format!("contacts.{a}+{b}.{column}"))
    });
}

/// Quantities of the plots are called otherwise where `renamed` says so.
fn update_plots(scene: &mut Scene, renamed: impl Fn(&str) -> Option<String>) {
    scene.plots.update(|plot| {
        let mut new = plot.clone();
        for text in new.curves.iter_mut().chain([&mut new.against]) {
            if let Some(renamed) = renamed(text) {
                *text = renamed;
            }
        }
        (new != *plot).then_some(new)
    });
}

/// A claim in which what begins with `old` begins with `new`, where nothing but a column comes behind it; of rows their
/// number, too.
fn renamed_in(claim: &str, old: &str, new: &str, rows: bool) -> String {
    let (mut words, mut rest) = (String::new(), claim);
    while let Some(at) = rest.find(old) {
        let (before, behind) = (&rest[..at], &rest[at + old.len()..]);
        let column = behind.split(|c: char| c.is_whitespace() || "<>=!±".contains(c)).next().unwrap_or_default();
        let whole = column.matches('.').count() == usize::from(rows);
        words.extend([before, if whole { new } else { old }]);
        rest = behind;
    }
    words + rest
}

fn check_name(name: &str, context: &Context<'_>) -> Result<(), SessionError> {
    if name.is_empty() || name == WORLD {
        Err(SessionError::Refused(format!("a body cannot be called `{name}`")))
    } else if context.names.body(name).is_some() {
        Err(SessionError::Refused(format!("a body is called `{name}` already")))
    } else {
        Ok(())
    }
}

fn check_ends(joint: &Joint) -> Result<(), SessionError> {
    let both = || format!("a joint needs two bodies, both ends are `{}`", joint.a);
    if joint.a == joint.b { Err(SessionError::Refused(both())) } else { Ok(()) }
}

fn add(scene: &mut Scene, bodies: &[Body], joints: &[Joint], context: &Context<'_>) -> Result<String, SessionError> {
    let mut new: HashSet<String> = HashSet::new();
    let mut renamed: HashMap<&str, String> = HashMap::new();
    for body in bodies {
        let wanted = if body.name.is_empty() { noun(body) } else { &body.name };
        let name = fresh(wanted, |name| new.contains(name) || context.names.body(name).is_some());
        new.insert(name.clone());
        renamed.insert(&body.name, name.clone());
        scene.bodies.push(Body { name, ..body.clone() });
    }
    let mut new: HashSet<String> = HashSet::new();
    for joint in joints {
        let mut joint = joint.clone();
        for end in [&mut joint.a, &mut joint.b] {
            if let Some(new) = renamed.get(end.as_str()) {
                end.clone_from(new);
            }
        }
        check_ends(&joint)?;
        let twin = scene.joints.iter().find(|j| same_ends(j, &joint) && same_kind(j, &joint, scene));
        if let Some(twin) = twin {
            let (a, b, kind) = (&joint.a, &joint.b, joint.kind.info().name);
            let name = twin.label();
            return Err(SessionError::Refused(format!("{a} and {b} already share a {kind} there: {name}")));
        }
        let taken = |name: &str| new.contains(name) || context.joint(name).is_ok();
        if taken(&joint.label()) {
            joint.name = fresh(&joint.label(), taken);
        }
        new.insert(joint.label());
        scene.joints.push(joint);
    }
    Ok(match (bodies, joints) {
        ([one], []) => format!("Add {}", renamed.get(one.name.as_str()).map_or("", String::as_str)),
        ([], [one]) => format!("Join {} to {}", one.b, one.a),
        ([], many) => format!("Add {} joints", many.len()),
        (many, []) => format!("Add {} bodies", many.len()),
        (bodies, joints) => {
            format!("Add {}, {}", counted(bodies.len(), "body", "bodies"), counted(joints.len(), "joint", "joints"))
        }
    })
}

fn same_ends(a: &Joint, b: &Joint) -> bool {
    (a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a)
}

/// Whether two joints between the same bodies do the same at the same place, however that is written.
fn same_kind(a: &Joint, b: &Joint, scene: &Scene) -> bool {
    /// Nearer anchors are one, m.
    const APART: f32 = 1e-4;
    let place = |j: &Joint| (j.anchor, j.anchor_a, j.anchor_b);
    let near = || {
        let ((a1, a2), (b1, b2)) = (on_entries(a, scene)?, on_entries(b, scene)?);
        let (b1, b2) = if a.a == b.a { (b1, b2) } else { (b2, b1) };
        Some(a1.distance(b1) < APART && a2.distance(b2) < APART)
    };
    a.kind.info().name == b.kind.info().name && (place(a) == place(b) || near() == Some(true))
}

/// A joint's anchors on its bodies, if it says them and the bodies have entries of their own.
fn on_entries(joint: &Joint, scene: &Scene) -> Option<(Vec3, Vec3)> {
    let Some(point) = joint.anchor else { return joint.anchor_a.zip(joint.anchor_b) };
    let local = |name: &str| {
        if name == WORLD {
            return Some(point);
        }
        let body = scene.bodies.iter().find(|b| b.name == name)?;
        Some(body.rotation.quat().ok()?.conjugate() * (point - body.at))
    };
    local(&joint.a).zip(local(&joint.b))
}
