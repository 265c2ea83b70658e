//! Resolves the names in an edit to entries of the document. Patterns and parts with a member named in the edit are
//! written out first, unless the edit moves them as wholes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::element::{self, Element};
use super::{Context, Edit, EditedScene, apply, rigid, write_out};
use crate::SessionError;
use crate::names::Names;
use crate::open::OpenScene;
use delassus_physics::joint::Joint as WorldJoint;
use delassus_scene::{Origin, Scene};

/// The document after an edit.
pub(crate) fn edited(open: &OpenScene, edit: &Edit) -> Result<EditedScene, SessionError> {
    let (names, beginning) = (&open.names, open.run.beginning());
    let mut gone: HashSet<Origin> = (edit.bodies().into_iter().filter_map(|name| names.body_origin(name)))
        .chain(edit.joints().into_iter().filter_map(|name| names.joint_origin(name)))
        .collect();
    gone.retain(write_out::is_many);
    let wholes = match edit {
        Edit::Place(placed) | Edit::Carry { placed, .. } | Edit::Pose { placed, .. } => {
            rigid::whole_motions(&open.document.scene, placed, names, beginning)
        }
        _ => HashMap::new(),
    };
    gone.retain(|origin| !wholes.contains_key(origin));
    let mut label = None;
    if let Edit::Element(Element::WriteOut(origin)) = edit {
        label = Some(format!("Write out {}", element::name_of(&open.document.scene, *origin)?));
        gone.insert(*origin);
    }
    let scene = if gone.is_empty() {
        Cow::Borrowed(&*open.document.scene)
    } else {
        Cow::Owned(write_out::write_out(&open.document.scene, beginning, names, &gone))
    };
    // Names of unnamed joints depend on their order; if nothing is written out, the names stay as they are.
    let written;
    let entries = if gone.is_empty() {
        names
    } else {
        let flat = delassus_scene::expand(&scene, &open.document.base).map_err(SessionError::Mistakes)?;
        written = Arc::new(Names::of(&flat));
        &written
    };
    let first_joint = names.first_joint();
    let shift = scene.joints.len() - open.document.scene.joints.len();
    let on_bodies = |index: usize| {
        // Written-out joints come first and already have their ends on their bodies.
        let mut joint = scene.joints[index].clone();
        let made = beginning.state.joints.get(first_joint + index.checked_sub(shift)?)?;
        write_out::on_bodies(&mut joint, made, beginning);
        Some(joint)
    };
    let origins = names.joint_origins.iter().enumerate();
    let first: Vec<usize> = origins.filter(|(_, origin)| gone.contains(origin)).map(|(i, _)| i).collect();
    let made = |index: usize| -> Option<&WorldJoint> {
        let index =
            index.checked_sub(shift).map_or_else(|| first.get(index).copied(), |own| Some(first_joint + own))?;
        beginning.state.joints.get(index).map(|joint| &**joint)
    };
    let number = |name: &str| names.body(name);
    let members = rigid::of_members(names, &wholes);
    let context = Context {
        members: &members,
        turns: turns(open, edit),
        names: entries,
        on_bodies: &on_bodies,
        made: &made,
        beginning,
        number: &number,
        file: &|path| open.document.calls(Path::new(path)),
    };
    let mut edited = apply((*scene).clone(), edit, &context)?;
    if !wholes.is_empty() {
        // Written-out patterns and parts shift the indices; the motions use those of the document.
        let mut document = Scene {
            patterns: open.document.scene.patterns.clone(),
            parts: open.document.scene.parts.clone(),
            ..Scene::default()
        };
        rigid::move_patterns_and_parts(&mut document, &wholes);
        write_out::dissolve(&mut document, &gone);
        (edited.scene.patterns, edited.scene.parts) = (document.patterns, document.parts);
    }
    if let (Edit::AddGroups { .. }, Some(file)) = (edit, &open.document.file) {
        // If the part refers back to this file, the saved scene could not be read again.
        delassus_scene::expand_as(&edited.scene, &open.document.base, file).map_err(SessionError::Mistakes)?;
    }
    Ok(EditedScene { label: label.unwrap_or(edited.label), ..edited })
}

/// Whether an edit rotates what it places. Compared with the running world: during a run, the document's entry still
/// has the initial orientation.
fn turns(open: &OpenScene, edit: &Edit) -> bool {
    let (Edit::Place(placed) | Edit::Carry { placed, .. } | Edit::Pose { placed, .. }) = edit else { return false };
    let now = |name: &str| Some(open.run.world().state(open.names.body(name)?).1);
    placed.iter().any(|p| now(&p.name).is_none_or(|now| rigid::same_turn(now, p.rotation).is_none()))
}
