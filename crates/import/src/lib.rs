//! Reads robot descriptions of other programs as scenes: URDF (`<robot>`) and MJCF, MuJoCo's (`<mujoco>`).
//!
//! The reader is pure: files that a model names, such as meshes, are read by a function of the caller. Everything that
//! is changed or left out is reported as a [`Note`]; `docs/import.md` says what is taken.

mod assemble;
pub mod disk;
pub mod export;
mod frame;
mod inertia;
mod meshes;
mod mjcf;
mod model;
pub mod places;
mod report;
mod shapes;
mod urdf;
mod xml;

use delassus_scene::{Mistake, Scene};

pub use report::Note;

use meshes::Meshes;
use report::Report;
use xml::{Documents, Element};

/// Maximum size of a model's text and of a mesh, bytes.
pub const MAX_BYTES: u64 = 256 << 20;

/// How a model is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// Whether the root of a URDF is held by the world; if left out, it is if one joint alone leaves it.
    pub fixed: Option<bool>,
    /// Whether the links of a URDF touch each other.
    pub self_collision: bool,
    /// Frequency, Hz, of servos that hold each joint of a URDF where it is, up to its effort.
    pub hold: Option<f64>,
    /// The keyframe of an MJCF whose pose and controls are taken.
    pub key: Option<String>,
}

/// A model as a scene.
#[derive(Debug, Clone)]
pub struct Imported {
    pub scene: Scene,
    /// What was changed or left out, in the order of the text.
    pub notes: Vec<Note>,
}

impl Imported {
    /// The text of the scene's file: the notes as comments, and the scene as it is saved.
    pub fn text(&self) -> String {
        let mut text = format!("// Imported from {}.", self.scene.source);
        if !self.notes.is_empty() {
            text += " What was changed or left out:";
        }
        text.push('\n');
        for note in &self.notes {
            text += &format!("// - {}\n", delassus_scene::mistake::one_line(&note.to_string()));
        }
        text + &delassus_scene::write(&self.scene)
    }
}

/// Whether a file is a model by its name: `.urdf`, `.xml` or `.mjcf`.
pub fn is_model(path: &std::path::Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    ["urdf", "xml", "mjcf"].iter().any(|known| end.eq_ignore_ascii_case(known))
}

/// Reads a model. `name` is the file's, for messages; `read` reads a file by the name that the model gives it.
///
/// # Errors
/// The first mistake, with its line: it is not XML, a link is missing, a number is not finite.
pub fn import(
    name: &str,
    text: &str,
    options: &Options,
    read: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Imported, Mistake> {
    let report = Report::default();
    let texts = xml::with_includes(name, text, read, &report)?;
    let documents = Documents::parse(&texts)?;
    let root = documents.root();
    let meshes = Meshes::new(read, &report);
    let (model, why): (_, fn(&str, &str) -> &'static str) = match root.name() {
        "robot" => (urdf::read(root, options, &meshes, &report)?, urdf::why),
        "mujoco" => (mjcf::read(root, options, &meshes, &report)?, mjcf::why),
        "mujocoinclude" => return Err(root.mistake("this is a part of a model, which another file includes")),
        "sdf" => return Err(root.mistake("SDF cannot be read yet; URDF and MJCF can")),
        _ => return Err(unknown(root)),
    };
    let mut scene = assemble::scene(&model, options, &report)?;
    scene.source = file_name(name).into();
    meshes.report();
    documents.report_unread(&report, why);
    let files: Vec<String> = texts.iter().map(|text| text.name.clone()).collect();
    Ok(Imported { scene, notes: report.into_notes(&files) })
}

fn unknown(root: Element<'_>) -> Mistake {
    root.mistake("this is not a robot description: its root would be <robot> (URDF) or <mujoco> (MJCF)")
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
