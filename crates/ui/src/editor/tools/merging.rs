//! Merging the selected bodies into one, a compound of their shapes, and splitting a compound into bodies.

use crate::{editor::Hands, request::Request, view::View};
use delassus_physics::shape::Shape;
use delassus_session::{Command, Edit};

fn ask(edit: Edit, out: &mut Vec<Request>) {
    out.push(Request::Session(Command::Edit { edit, gesture: None }));
}

/// The selected bodies become one. The last one selected stays, and takes the others' shapes.
pub fn merge(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let selected = &state.selection.bodies;
    let names = selected.iter().rev().filter_map(|id| view.snapshot.body(*id)).map(|body| body.name.to_string());
    let bodies: Vec<String> = names.collect();
    if bodies.len() < 2 {
        state.notices.info("Select the bodies to merge: click them with Shift held.".to_owned());
        return;
    }
    let among = |id: u32| selected.contains(&id);
    let between = view.snapshot.joints.iter().filter(|joint| among(joint.a) && among(joint.b)).count();
    let joints = match between {
        0 => String::new(),
        1 => "; the joint between them is gone".to_owned(),
        many => format!("; the {many} joints between them are gone"),
    };
    state.notices.offer_undo(format!("Merged {} bodies into {}{joints}", bodies.len(), bodies[0]));
    ask(Edit::Merge { bodies }, out);
}

/// The selected compound becomes a body for each of its parts.
pub fn split(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let chosen = state.selection.bodies.last().and_then(|id| view.snapshot.body(*id));
    match chosen.filter(|body| matches!(body.solid.shape, Shape::Compound { .. })) {
        Some(body) => ask(Edit::Split { body: body.name.to_string() }, out),
        None => state.notices.info("Select a compound: a body of several shapes.".to_owned()),
    }
}
