//! Selecting, deleting and duplicating.

use std::collections::{HashMap, HashSet};

use glam::Vec2;

use crate::editor::tools::grab::{Grab, GrabKind};
use crate::{editor::Hands, request::Request, selection::Selection, view::View};
use crate::{
    editor::{Tool, tools::beside},
    request::ask,
};
use delassus_scene::{Origin, Scene};
use delassus_session::{Edit, Element, Motion, Snapshot};

fn names(view: &View<'_>, ids: &[u32]) -> Vec<String> {
    ids.iter().filter_map(|id| view.snapshot.body(*id)).map(|b| b.name.to_string()).collect()
}

/// Deletes the selected bodies with their joints, or the selected joint.
pub fn delete(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let bodies = names(view, &state.selection.bodies);
    let joint = |index: usize| view.snapshot.joints.get(index).map(|j| j.name.to_string());
    let joints: Vec<String> = state.selection.joints().filter_map(joint).collect();
    if bodies.is_empty() && joints.is_empty() {
        state.notices.info("Nothing is selected: click a body or a joint first.".to_owned());
        return;
    }
    if joints.is_empty() && hanging(view, state) > 0 {
        state.notices.offer_undo(format!("Deleted {}", doomed(view, state)));
    }
    ask(Edit::Remove { bodies, joints }, out);
}

/// How many joints would be deleted with the selected bodies.
pub fn hanging(view: &View<'_>, state: &Hands<'_>) -> usize {
    let bodies: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    if bodies.is_empty() {
        return 0;
    }
    view.snapshot.joints.iter().filter(|j| bodies.contains(&j.a) || bodies.contains(&j.b)).count()
}

/// What would be deleted, in words: “3 bodies with 2 joints”.
pub fn doomed(view: &View<'_>, state: &Hands<'_>) -> String {
    let what = match (state.selection.bodies.as_slice(), state.selection.joint) {
        (_, Some(joint)) => return view.snapshot.joints.get(joint).map_or_else(String::new, |j| j.name.to_string()),
        ([], None) => return String::new(),
        ([one], _) => view.snapshot.body(*one).map_or_else(String::new, |b| b.name.to_string()),
        (many, _) => format!("{} bodies", many.len()),
    };
    match hanging(view, state) {
        0 => what,
        1 => format!("{what} with 1 joint"),
        n => format!("{what} with {n} joints"),
    }
}

/// Adds copies of the selected bodies, of the joints among them and of those to the world, beside them, and starts to move
/// them.
pub fn duplicate(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let (mut bodies, mut joints) = view.session.copy(&state.selection.bodies);
    if bodies.is_empty() {
        state.notices.info("Nothing is selected: click a body first.".to_owned());
        return;
    }
    beside::put(&mut bodies, &mut joints, view.snapshot);
    ask(Edit::Add { bodies, joints }, out);
    state.editor.tool = Tool::Move;
}

/// Hides the selection, and clears it.
pub fn hide(view: &View<'_>, state: &mut Hands<'_>) {
    let bodies = names(view, &state.selection.bodies);
    let joint = state.selection.joint.and_then(|i| view.snapshot.joints.get(i));
    let count = bodies.len() + usize::from(joint.is_some());
    if count == 0 {
        state.notices.info("Nothing is selected: click a body or a joint first.".to_owned());
        return;
    }
    state.view3d.visibility.hide(bodies.iter().map(String::as_str), true);
    state.view3d.visibility.hide_joints(joint.map(|j| &*j.name), true);
    state.selection.clear();
    state.notices.info(format!("Hid {count}: Alt+H shows all"));
}

/// Hides all bodies except the selected ones.
pub fn hide_others(view: &View<'_>, state: &mut Hands<'_>) {
    let chosen: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    if chosen.is_empty() {
        state.notices.info("Nothing is selected: click a body first.".to_owned());
        return;
    }
    let others = view.snapshot.bodies.iter().filter(|b| !chosen.contains(&b.id));
    let others: Vec<&str> = others.map(|b| &*b.name).collect();
    let count = others.len();
    state.view3d.visibility.hide(others, true);
    state.notices.info(format!("Hid {count}: Alt+H shows all"));
}

/// Locks the selected bodies, or unlocks them if all of them are locked.
pub fn lock(view: &View<'_>, state: &mut Hands<'_>) {
    let bodies = names(view, &state.selection.bodies);
    if bodies.is_empty() {
        state.notices.info("Nothing is selected: click a body first.".to_owned());
        return;
    }
    let locks = !state.selection.bodies.iter().all(|id| state.view3d.visibility.is_locked(*id));
    state.view3d.visibility.lock(bodies.iter().map(String::as_str), locks);
    let verb = if locks { "Locked" } else { "Unlocked" };
    let count = if bodies.len() == 1 { bodies[0].clone() } else { format!("{} bodies", bodies.len()) };
    let then = if locks { ": you can still select them in the outliner" } else { "" };
    state.notices.info(format!("{verb} {count}{then}"));
}

/// Selects all bodies that are not static, and the static members of their patterns and parts, so that these move as
/// a whole; all bodies if all are static. Hidden and locked bodies are excluded.
pub fn select_all(view: &View<'_>, state: &mut Hands<'_>) {
    let free = || view.snapshot.bodies.iter().filter(|b| state.view3d.visibility.is_free(b.id));
    let group = |id| view.session.body_origin(id).filter(|from| matches!(from, Origin::Pattern(_) | Origin::Part(_)));
    let moving = || free().filter(|b| b.motion != Motion::Static);
    let groups: HashSet<Origin> = moving().filter_map(|b| group(b.id)).collect();
    let belongs = |id| group(id).is_some_and(|group| groups.contains(&group));
    let moves = moving().next().is_some();
    let all = free().filter(|b| !moves || b.motion != Motion::Static || belongs(b.id)).map(|b| b.id).collect();
    state.selection.joint = None;
    state.selection.bodies = all;
}

/// Inverts the selection of bodies that are not static.
pub fn select_inverse(view: &View<'_>, state: &mut Hands<'_>) {
    let chosen: HashSet<u32> = state.selection.bodies.drain(..).collect();
    state.selection.joint = None;
    let others = view
        .snapshot
        .bodies
        .iter()
        .filter(|b| b.motion != Motion::Static && !chosen.contains(&b.id) && state.view3d.visibility.is_free(b.id));
    state.selection.bodies.extend(others.map(|b| b.id));
}

/// Selects the bodies that are connected to the selected ones by joints, including static ones at which a joint ends.
pub fn select_connected(view: &View<'_>, state: &mut Hands<'_>) {
    let mut ids: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    if let Some(joint) = state.selection.joint.and_then(|i| view.snapshot.joints.get(i)) {
        ids.extend([joint.a, joint.b].into_iter().filter(|id| *id != 0));
    }
    // A static body belongs to the mechanism, but connects it to nothing else.
    let passes = |id: u32| view.snapshot.body(id).is_some_and(|b| b.motion != Motion::Static);
    loop {
        let before = ids.len();
        for joint in &view.snapshot.joints {
            for (here, there) in [(joint.a, joint.b), (joint.b, joint.a)] {
                if there != 0 && ids.contains(&here) && (passes(here) || ids.len() == 1) {
                    ids.insert(there);
                }
            }
        }
        if ids.len() == before {
            break;
        }
    }
    let mut ids: Vec<u32> = ids.into_iter().collect();
    ids.sort_unstable();
    state.selection.joint = None;
    state.selection.bodies = ids;
}

/// Starts to move, rotate or scale the selection at the pointer.
pub fn grab(kind: GrabKind, view: &View<'_>, state: &mut Hands<'_>) {
    let middle = state.view3d.rect.size() * 0.5;
    let start = state.view3d.pointer.unwrap_or(Vec2::new(middle.x, middle.y));
    state.editor.grab = Grab::new(kind, start, false, view, state);
    if state.editor.grab.is_none() {
        let why = match (state.selection.joint, kind) {
            (None, _) if !state.selection.bodies.is_empty() => "The selection is locked: Shift+L unlocks it.",
            (None, _) => "Nothing is selected: click a body or a joint first.",
            (Some(joint), kind) => {
                let name = view.snapshot.joints.get(joint).map_or("The joint", |joint| &*joint.name);
                let why = match kind {
                    GrabKind::Scale => "is a joint and has no size: drag the round grips of its stops",
                    _ => "has no direction to rotate",
                };
                state.notices.info(format!("{name} {why}."));
                return;
            }
        };
        state.notices.info(why.to_owned());
    }
}

/// The selection by name, to find it again after an edit has renumbered the bodies.
pub struct Chosen {
    bodies: Vec<String>,
    joints: Vec<String>,
    /// The names before the edit, if new bodies are to be selected.
    known: Option<HashSet<String>>,
}

impl Chosen {
    /// Remembers a selection. With `adds`, the bodies or joints added next are selected instead, if there are any.
    pub fn of(snapshot: &Snapshot, selection: &Selection, adds: bool) -> Self {
        let name = |id: &u32| snapshot.body(*id).map(|b| b.name.to_string());
        Self {
            bodies: selection.bodies.iter().filter_map(name).collect(),
            joints: selection.joints().filter_map(|i| snapshot.joints.get(i)).map(|j| j.name.to_string()).collect(),
            known: adds.then(|| {
                let joints = snapshot.joints.iter().map(|j| format!("joint {}", j.name));
                snapshot.bodies.iter().map(|b| b.name.to_string()).chain(joints).collect()
            }),
        }
    }

    /// Applies the renames of an edit.
    pub fn apply_renames(&mut self, edit: &Edit, scene: &Scene) {
        let member = |old: &str, new: &str, name: &mut String| {
            if let Some(rest) = name.strip_prefix(old).filter(|rest| rest.starts_with('.')) {
                *name = format!("{new}{rest}");
            }
        };
        match edit {
            Edit::Body { name, body } => {
                self.bodies.iter_mut().filter(|n| *n == name).for_each(|n| n.clone_from(&body.name));
            }
            Edit::Joint { name, joint } => {
                self.joints.iter_mut().filter(|n| *n == name).for_each(|n| *n = joint.label());
            }
            Edit::Element(Element::Pattern { index, pattern }) => {
                let Some(old) = scene.patterns.get(*index) else { return };
                let names = self.bodies.iter_mut().chain(&mut self.joints);
                names.for_each(|name| member(old.name(), pattern.name(), name));
            }
            Edit::Element(Element::Part { index, part }) => {
                let Some(old) = scene.parts.get(*index).filter(|old| !old.name.is_empty()) else { return };
                let names = self.bodies.iter_mut().chain(&mut self.joints);
                names.for_each(|name| member(&old.name, &part.name, name));
            }
            _ => {}
        }
    }

    /// The selection in a new snapshot.
    pub fn again(self, snapshot: &Snapshot) -> Selection {
        let mut selection = Selection::default();
        if let Some(known) = self.known {
            let new = snapshot.bodies.iter().filter(|b| !known.contains(&*b.name));
            selection.bodies = new.map(|b| b.id).collect();
            if selection.bodies.is_empty() {
                let is_new = |index: &usize| !known.contains(&format!("joint {}", snapshot.joints[*index].name));
                selection.take_joints((0..snapshot.joints.len()).filter(is_new).collect());
            }
            if !selection.bodies.is_empty() || selection.joint.is_some() {
                return selection;
            }
        }
        // In the order of selection: the last one is shown.
        let wanted: HashSet<&str> = self.bodies.iter().map(String::as_str).collect();
        let found = snapshot.bodies.iter().filter(|b| wanted.contains(&*b.name)).map(|b| (&*b.name, b.id));
        let ids: HashMap<&str, u32> = found.collect();
        selection.bodies = self.bodies.iter().filter_map(|name| ids.get(name.as_str()).copied()).collect();
        if !self.joints.is_empty() {
            let all: HashMap<&str, usize> = snapshot.joints.iter().enumerate().map(|(i, j)| (&*j.name, i)).collect();
            selection.take_joints(self.joints.iter().filter_map(|name| all.get(name.as_str()).copied()).collect());
        }
        selection
    }
}
