//! Scenes as MJCF, the XML format of MuJoCo: the mirror image of the import.
//!
//! ```text
//! links.rs       bodies: frames, masses, velocities       closing.rs     joints that close loops, ropes, rods, springs
//! tree.rs        which joint carries which body           couplings.rs   gears, belts, racks, threads
//! motions.rs     what a joint leaves free                 actuators.rs   servos, motors, forces
//! drives.rs      springs and servos in SI units           contact.rs     bodies that do not touch
//! geoms.rs       shapes                                   left_out.rs    what has no counterpart
//! velocities.rs  rates of joints                          tags.rs        XML
//! ```
//! A body of MJCF has its origin and its axes where the scene has those of the body's shape. Every joint has the value
//! that it has in the scene, so that the model's own pose is that of the scene, and the keyframe [`KEY`] begins with the
//! scene's velocities and targets. Metres, kilograms, seconds and radians; z up, as in a scene. Source: the XML reference
//! of MuJoCo; `docs/import.md` says what becomes what.

mod actuators;
mod closing;
mod contact;
mod couplings;
mod drives;
mod geoms;
mod left_out;
mod links;
mod motions;
mod sensors;
mod sites;
mod tags;
mod tree;
mod velocities;
mod write;

use delassus_physics::Settings;
use delassus_scene::{Flat, Scene};

use crate::report::{Note, Report};

/// The name of the keyframe from which MuJoCo starts as the scene does.
pub const KEY: &str = "start";

/// A scene as the text of a model.
#[derive(Debug, Clone)]
pub struct Exported {
    /// The text of the MJCF file; the notes stand at its top.
    pub text: String,
    /// What has no counterpart, or is otherwise than in the scene.
    pub notes: Vec<Note>,
}

/// A scene as MJCF. `flat` are its bodies and joints as they are laid out, `settings` those that it runs with.
pub fn mjcf(scene: &Scene, flat: &Flat, settings: &Settings) -> Exported {
    let report = Report::default();
    let model = write::model(scene, flat, settings, &report);
    let notes = report.into_notes(&[]);
    let mut head = format!("\n  {} as exported by delassus.\n", write::title(scene));
    head += "  The keyframe \"start\" has the scene's velocities and targets. Constraints and stops are as stiff as\n";
    head += "  MuJoCo makes them for its step: choose a short one.\n";
    if !notes.is_empty() {
        head += "  What has no counterpart, or is otherwise:\n";
    }
    notes.iter().for_each(|note| head += &format!("  - {}\n", delassus_scene::mistake::one_line(&note.to_string())));
    let mut text = format!("<!--{}-->\n", tags::comment(&head));
    model.write(0, &mut text);
    Exported { text, notes }
}
