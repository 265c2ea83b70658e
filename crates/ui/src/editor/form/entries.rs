//! The inspector's fields for one entry or several. A field whose values differ shows a dash. A change applies to all
//! entries, as one edit.

use std::collections::BTreeSet;

use egui::Ui;

use crate::editor::form::field_visitor::{Mixed, VisitFields};
use crate::editor::form::fields::{self, ask_from};
use crate::editor::form::joint_fields::{self, RunningJoint};
use crate::editor::form::{self, Form};
use crate::widgets;
use crate::{request::Request, view::View};
use delassus_scene::{Body, Joint};
use delassus_session::Edit;

/// Copies of the selected entries; the last one's values are shown. They are copied again only when the document or
/// the selection changes, so that an idle frame copies nothing.
#[derive(Clone)]
pub struct Entries<T> {
    /// The document's revision, and the selected ids.
    key: (u64, Vec<u32>),
    names: Vec<String>,
    entries: Vec<T>,
    mixed: Mixed,
    /// Volume of the shown body, m³. A hull's is slow to compute.
    volume: f32,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { key: Default::default(), names: Vec::new(), entries: Vec::new(), mixed: Mixed::default(), volume: 0.0 }
    }
}

impl<T: VisitFields> Entries<T> {
    /// Copies the entries if the document or the selection has changed; returns true if it did.
    fn refresh(&mut self, revision: u64, ids: &[u32], entry: impl Fn(u32) -> Option<(String, T)>) -> bool {
        if self.key.0 == revision && self.key.1 == ids {
            return false;
        }
        self.key = (revision, ids.to_vec());
        (self.names, self.entries) = ids.iter().filter_map(|id| entry(*id)).unzip();
        self.mixed = match self.entries.split_last() {
            Some((shown, others)) => Mixed::of(shown, others),
            None => Mixed::default(),
        };
        true
    }

    /// All entries, with the fields at these paths taken from `new`.
    fn with_fields(&self, new: &T, paths: &BTreeSet<String>) -> Vec<T> {
        let mut all = self.entries.clone();
        for entry in &mut all {
            paths.iter().for_each(|path| entry.adopt(new, path));
        }
        all
    }
}

/// The fields that were changed or set.
fn changed_fields<T: VisitFields>(old: &T, new: &T, touched: BTreeSet<String>) -> BTreeSet<String> {
    let mut paths = touched;
    old.differ(new, "", &mut paths);
    paths
}

/// The fields of these bodies, by their numbers in the snapshot.
pub fn bodies(ui: &mut Ui, ids: &[u32], view: &View<'_>, cache: &mut Entries<Body>, out: &mut Vec<Request>) {
    let changed = cache.refresh(view.session.revision(), ids, |id| {
        Some((view.snapshot.body(id)?.name.to_string(), view.session.body_entry_of(id)?))
    });
    if changed {
        cache.volume = cache.entries.last().map_or(0.0, |body| fields::volume(&body.shape));
    }
    let Some((old, name)) = cache.entries.last().zip(cache.names.last()) else { return };
    let single = cache.entries.len() == 1;
    let running = ids.last().and_then(|id| view.snapshot.body(*id)).filter(|_| single);
    let mut new = old.clone();
    widgets::title(ui, if single { "Entry in the scene" } else { "What they have in common" });
    let mut form = Form::new(&cache.mixed);
    ui.push_id(name, |ui| {
        if single {
            name_row(ui, &mut form, &mut new.name, "Body name");
        }
        fields::body(ui, &mut form, &mut new, cache.volume, &view.scene.materials, running);
    });
    let touched = form.touched();
    if new == *old && touched.is_empty() {
        return;
    }
    if single {
        return ask_from(ui, Edit::Body { name: name.clone(), body: Box::new(new) }, out);
    }
    let mut bodies = cache.with_fields(&new, &changed_fields(old, &new, touched));
    bodies.iter_mut().for_each(fields::drop_impossible);
    ask_from(ui, Edit::Change { bodies, joints: Vec::new() }, out);
}

/// The fields of these joints, by their indices in the snapshot.
pub fn joints(ui: &mut Ui, ids: &[u32], view: &View<'_>, cache: &mut Entries<Joint>, out: &mut Vec<Request>) {
    cache.refresh(view.session.revision(), ids, |id| {
        let name = view.snapshot.joints.get(id as usize)?.name.to_string();
        let entry = view.session.joint_entry(&name)?;
        Some((name, entry))
    });
    let Some((old, name)) = cache.entries.last().zip(cache.names.last()) else { return };
    let single = cache.entries.len() == 1;
    let running = ids.last().and_then(|id| view.snapshot.joints.get(*id as usize)).filter(|_| single);
    let running = running.map(|joint| RunningJoint { view: joint, place: view.snapshot.place(joint) });
    let mut new = old.clone();
    widgets::title(ui, if single { "Entry in the scene" } else { "What they have in common" });
    let mut form = Form::new(&cache.mixed);
    ui.push_id(name, |ui| {
        if single {
            let mut label = name.clone();
            name_row(ui, &mut form, &mut label, "Joint name");
            if label != *name {
                new.name = label;
            }
        }
        joint_fields::joint(ui, &mut form, &mut new, view.settings, running.as_ref());
    });
    let touched = form.touched();
    if new == *old && touched.is_empty() {
        return;
    }
    if single {
        return ask_from(ui, Edit::Joint { name: name.clone(), joint: Box::new(new) }, out);
    }
    let joints =
        cache.names.iter().cloned().zip(cache.with_fields(&new, &changed_fields(old, &new, touched))).collect();
    ask_from(ui, Edit::Change { bodies: Vec::new(), joints }, out);
}

/// A field for a name, which changes when the field loses the focus.
pub fn name_row(ui: &mut Ui, form: &mut Form<'_>, name: &mut String, what: &str) {
    form.row(ui, "Name", "name", name, None, |ui, name, _| {
        let typed = form::text(ui, name, what, 1);
        let entered = typed.is_some();
        *name = typed.unwrap_or_else(|| name.clone());
        entered
    });
}
