//! Copy, cut and paste: bodies and the joints among them as the text of a scene.

use egui::{Event, Ui};

use crate::{editor::Hands, request::Request, view::View};
use crate::{
    editor::tools::{arrange, beside},
    request::ask,
};
use delassus_scene::{self as scene, Scene};
use delassus_session::Edit;

/// The title of a copied piece, for readers of the text.
const TITLE: &str = "Copied from Delassus";

/// Handles the system's copy, cut and paste events unless a text field has the focus.
pub fn events(ui: &Ui, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    if ui.ctx().text_edit_focused() || state.modal {
        return;
    }
    let events = ui.input(|i| i.events.clone());
    for event in events {
        match event {
            Event::Copy => copy(view, state, out),
            Event::Cut => {
                copy(view, state, out);
                arrange::delete(view, state, out);
            }
            Event::Paste(text) => paste(&text, view, state, out),
            _ => {}
        }
    }
}

/// Copies the selected bodies, for the system's clipboard and for the menu's Paste.
pub fn copy(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let (bodies, joints) = view.session.copy(&state.selection.bodies);
    if bodies.is_empty() {
        state.notices.info("Nothing is selected: click a body first.".to_owned());
        return;
    }
    let count = bodies.len();
    let text =
        scene::write(&Scene { title: TITLE.into(), bodies: bodies.into(), joints: joints.into(), ..Scene::default() });
    state.editor.copied = Some(text.clone());
    out.push(Request::CopyText(text));
    state.notices.info(format!("Copied {count} {}", if count == 1 { "body" } else { "bodies" }));
}

/// Pastes what was copied last in this window: only a key gives a program the system's clipboard.
pub fn paste_copied(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    match state.editor.copied.clone() {
        Some(text) => paste(&text, view, state, out),
        None => state.notices.info("Nothing was copied in this window. Ctrl+V pastes from others.".to_owned()),
    }
}

/// Adds the bodies and joints of a scene's text, beside those that are there.
fn paste(text: &str, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    match scene::read_str(text, "the clipboard") {
        Ok(loaded) if loaded.scene.bodies.is_empty() => {
            state.notices.info("The clipboard holds a scene without bodies of its own.".to_owned());
        }
        Ok(loaded) => {
            let (mut bodies, mut joints) = (loaded.scene.bodies.to_vec(), loaded.scene.joints.to_vec());
            beside::put(&mut bodies, &mut joints, view.snapshot);
            // The scene's materials are not copied.
            bodies.iter_mut().for_each(|body| body.material = None);
            ask(Edit::Add { bodies, joints }, out);
        }
        Err(mistakes) => {
            let reason = mistakes.first().map_or_else(String::new, ToString::to_string);
            state.notices.error(format!("The clipboard holds no bodies: {reason}"), None);
        }
    }
}
