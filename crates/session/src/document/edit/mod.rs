//! Edits of the document's bodies and joints, as pure functions from scene to scene. The session has already written
//! out the patterns and parts concerned: every name here refers to a separate entry.

mod add;
mod compound;
pub mod element;
mod follow;
mod groups;
pub(crate) mod keep_pose;
mod label;
mod posed;
mod rename;
pub(crate) mod resolve;
pub mod rigid;
pub(crate) mod write_out;

use std::collections::{HashMap, HashSet};

use glam::{Quat, Vec3};

use crate::SessionError;
use crate::names::Names;
use add::add;
use delassus_physics::joint::Joint as WorldJoint;
use delassus_physics::world::World;
use delassus_scene::{Body, Joint, Origin, Part, Pattern, Scene, WORLD, unlike_fields};
use element::Element;
use follow::{place, settle_joints};
pub(crate) use label::fresh;
use label::{changed, changed_field, changed_in, moved, removed};
use rigid::Rigid;

/// A change of the document's bodies and joints, which are referred to by name.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Adds bodies, and joints between them or others. A missing name, or one already used, is replaced by a new one;
    /// joints between the new bodies follow the new names.
    Add { bodies: Vec<Body>, joints: Vec<Joint> },
    /// Adds patterns, and parts by the path of their file. A missing name, or one already used, is replaced by a new
    /// one.
    AddGroups { patterns: Vec<Pattern>, parts: Vec<Part> },
    /// Removes bodies with all their joints, and joints.
    Remove { bodies: Vec<String>, joints: Vec<String> },
    /// Moves the origins of bodies, world frame. If all bodies of a pattern or part move by one rigid motion, the
    /// pattern or part itself is moved.
    Place(Vec<Placed>),
    /// Like `Place`, by a rotation about the world's origin followed by a translation, m. Anchors and axes that the
    /// joints of these bodies have in the world move by the same motion.
    Carry { placed: Vec<Placed>, turn: Quat, shift: Vec3 },
    /// Like `Place`, by setting a value of this joint. The joints of these bodies keep what they measure: a zero, a limit
    /// or a length that counts from the scene's pose is changed with it.
    Pose { joint: String, placed: Vec<Placed> },
    /// Makes one body of several, a compound of their shapes. The first one stays; joints between them are dropped.
    Merge { bodies: Vec<String> },
    /// Makes bodies of the parts of a compound.
    Split { body: String },
    /// Adds a joint, for which one body is moved. If the joint is refused, the body is not moved either.
    Join { joint: Box<Joint>, moved: Placed },
    /// Replaces the body of this name. If its name changes, its joints follow.
    Body { name: String, body: Box<Body> },
    /// Replaces the joint of this name.
    Joint { name: String, joint: Box<Joint> },
    /// Replaces several bodies and joints, which keep their names.
    Change { bodies: Vec<Body>, joints: Vec<(String, Joint)> },
    /// A change of anything else in the scene.
    Element(Element),
}

/// New pose of a body's shape origin, world frame, m.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub name: String,
    pub at: Vec3,
    pub rotation: Quat,
}

/// A scene after an edit, with the edit's label.
pub(crate) struct EditedScene {
    pub scene: Scene,
    pub label: String,
}

impl Edit {
    /// The bodies that the edit needs as separate entries.
    pub(crate) fn bodies(&self) -> Vec<&str> {
        match self {
            Self::Add { .. } | Self::AddGroups { .. } | Self::Joint { .. } | Self::Element(_) => Vec::new(),
            Self::Change { bodies, .. } => bodies.iter().map(|b| b.name.as_str()).collect(),
            Self::Remove { bodies, .. } | Self::Merge { bodies } => bodies.iter().map(String::as_str).collect(),
            Self::Split { body } => vec![body],
            Self::Place(placed) | Self::Carry { placed, .. } | Self::Pose { placed, .. } => {
                placed.iter().map(|p| p.name.as_str()).collect()
            }
            Self::Join { moved, .. } => vec![&moved.name],
            Self::Body { name, .. } => vec![name],
        }
    }

    /// The joints that the edit needs as separate entries.
    pub(crate) fn joints(&self) -> Vec<&str> {
        match self {
            Self::Remove { joints, .. } => joints.iter().map(String::as_str).collect(),
            Self::Joint { name, .. } => vec![name],
            Self::Change { joints, .. } => joints.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        }
    }
}

/// What an edit needs to know in addition to the scene.
pub(crate) struct Context<'a> {
    /// All names in use, including those from patterns and parts.
    pub names: &'a Names,
    /// Motions of the bodies in patterns and parts that are moved as wholes, by body name.
    pub members: &'a HashMap<&'a str, Rigid>,
    /// Whether the edit gives a body another orientation than it has in the running world.
    pub turns: bool,
    /// A joint with its ends in its bodies' shape frames, by entry.
    pub on_bodies: &'a dyn Fn(usize) -> Option<Joint>,
    /// The joint of the world that an entry is, and the world in its initial pose.
    pub made: &'a dyn Fn(usize) -> Option<&'a WorldJoint>,
    pub beginning: &'a World,
    /// The number of the body of this name in that world.
    pub number: &'a dyn Fn(&str) -> Option<u32>,
    /// How the document refers to the file of this path.
    pub file: &'a dyn Fn(&str) -> String,
}

impl Context<'_> {
    /// The index of a body's entry.
    fn body(&self, name: &str) -> Result<usize, SessionError> {
        match self.names.body_origin(name) {
            Some(Origin::Body(entry)) => Ok(entry),
            _ => Err(SessionError::NoSuch { what: "body", name: name.into() }),
        }
    }

    /// The index of a joint's entry.
    fn joint(&self, name: &str) -> Result<usize, SessionError> {
        match self.names.joint_origin(name) {
            Some(Origin::Joint(entry)) => Ok(entry),
            _ => Err(SessionError::NoSuch { what: "joint", name: name.into() }),
        }
    }
}

/// The scene after the edit, or why it is refused.
pub(crate) fn apply(mut scene: Scene, edit: &Edit, context: &Context<'_>) -> Result<EditedScene, SessionError> {
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
        Edit::Pose { joint, placed } => {
            place(&mut scene, placed, None, context)?;
            posed::keep_values(&mut scene, placed, context);
            format!("Pose {joint}")
        }
        Edit::Merge { bodies } => compound::merge(&mut scene, bodies, context)?,
        Edit::Split { body } => compound::split(&mut scene, body, context)?,
        Edit::Join { joint, moved } => {
            place(&mut scene, std::slice::from_ref(moved), None, context)?;
            add(&mut scene, &[], std::slice::from_ref(joint), context)?
        }
        Edit::Body { name, body } => {
            let index = context.body(name)?;
            settle_joints(&mut scene, &[(index, name, body)], context);
            let old = std::mem::replace(&mut scene.bodies[index], (**body).clone());
            if body.name == *name {
                moved(name, &old, body).unwrap_or_else(|| changed_in(name, &old, body))
            } else {
                check_name(&body.name, context)?;
                rename::body(&mut scene, &old.name, &body.name);
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
                rename::joint(&mut scene, &old.label(), &joint.label());
            }
            match unlike_fields(&old, &**joint).as_slice() {
                // Name the changed parameter of the kind, if the kind stays the same.
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
    Ok(EditedScene { scene, label })
}

fn check_name(name: &str, context: &Context<'_>) -> Result<(), SessionError> {
    if name.is_empty() {
        Err(SessionError::Refused("a body needs a name".into()))
    } else if name == WORLD {
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
