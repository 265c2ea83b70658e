//! Reads a document from text, element by element, so that one mistake does not hide the next.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::expand::{Flat, expand_draft};
use super::mistake::Slip;
use super::mistake::{Mistake, one_line};
use super::outline::{self, Member, Span};
use super::report::Report;
use super::ron_text;
use super::types::Scene;
use super::wording;
use delassus_files::file_reader;

/// Maximum size of a scene file, bytes.
pub const MAX_BYTES: u64 = 16 << 20;

/// A scene that was read without mistakes.
#[derive(Clone)]
pub struct Loaded {
    pub scene: Scene,
    /// The text that was read.
    pub text: String,
    /// The folder that paths of parts are relative to.
    pub base: PathBuf,
    /// Its bodies and joints after laying out.
    pub flat: Flat,
}

/// A document as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub scene: Scene,
    /// Names of the elements that could not be read; empty if the name could not be read either.
    pub broken: Vec<String>,
}

/// Reads a scene file and checks it.
///
/// # Errors
/// All mistakes, in the order of the text.
pub fn read(path: &Path) -> Result<Loaded, Vec<Mistake>> {
    let text = read_text(path).map_err(|m| vec![m])?;
    finish(&text, path, base_of(path))
}

/// Reads a scene from a text; messages call it `origin`, and parts are found as if it were a file at that path.
///
/// # Errors
/// All mistakes, in the order of the text.
pub fn read_str(text: &str, origin: &str) -> Result<Loaded, Vec<Mistake>> {
    finish(text, Path::new(origin), base_of(Path::new(origin)))
}

/// The scene in a text that can be read without mistakes; it is not laid out.
pub fn scene_of(text: &str) -> Option<Scene> {
    let mut report = Report::new(Path::new(""), Some(text));
    let draft = draft(&mut report);
    report.mistakes.is_empty().then_some(draft.scene)
}

/// The folder of a file.
pub(super) fn base_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn finish(text: &str, file: &Path, base: PathBuf) -> Result<Loaded, Vec<Mistake>> {
    let mut report = Report::new(file, Some(text));
    let draft = draft(&mut report);
    let flat = expand_draft(&draft, &base, &mut report);
    let mut mistakes = report.mistakes;
    if mistakes.is_empty() {
        return Ok(Loaded { scene: draft.scene, text: text.into(), base, flat });
    }
    mistakes.sort_by_key(|m| (m.file != file, m.line, m.column));
    Err(mistakes)
}

/// The text of a scene file.
pub fn read_text(path: &Path) -> Result<String, Mistake> {
    let mistake = |what: String| Mistake { file: path.into(), what: one_line(&what), ..Mistake::default() };
    let bytes = file_reader::bytes(path, MAX_BYTES).map_err(|error| mistake(reason(&error)))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]).into_owned();
        let (line, column) = outline::position(&valid, valid.len());
        Mistake { line, column, ..mistake("this is not UTF-8 text".into()) }
    })
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "cannot be read: there is no such file".into(),
        ErrorKind::PermissionDenied => "cannot be read: permission denied".into(),
        ErrorKind::InvalidInput | ErrorKind::FileTooLarge => error.to_string(),
        _ => format!("cannot be read: {error}"),
    }
}

fn too_large() -> String {
    format!("the file is too large, at most {} MiB", MAX_BYTES >> 20)
}

/// The fields of a scene, in order.
pub(super) const FIELDS: &[&str] = &[
    "version",
    "title",
    "source",
    "about",
    "look_for",
    "claims",
    "expects",
    "settings",
    "camera",
    "opens",
    "materials",
    "bodies",
    "patterns",
    "parts",
    "joints",
    "experiments",
    "plots",
    "sensors",
];

/// Reads the text of the report as far as possible.
pub(super) fn draft(report: &mut Report) -> Draft {
    let mut draft = Draft::default();
    let Some(text) = report.text else { return draft };
    if text.len() as u64 > MAX_BYTES {
        report.add_at(0, too_large());
        draft.broken.push(String::new());
        return draft;
    }
    let Some(fields) = fields(report, "Scene", "expected a scene, `(version: 1, title: \"…\", …)`") else {
        draft.broken.push(String::new());
        return draft;
    };
    for DocumentField { name, at, member } in &fields.list {
        if report.full() {
            break;
        }
        let Draft { scene, broken } = &mut draft;
        // Fields are listed by name so that a new field must be read here.
        let Scene {
            version,
            title,
            source,
            about,
            look_for,
            claims,
            expects,
            settings,
            camera,
            opens,
            materials,
            bodies,
            patterns,
            parts,
            joints,
            experiments,
            plots,
            sensors,
        } = scene;
        match *name {
            "version" => one(report, text, member, version),
            "title" => one(report, text, member, title),
            "source" => one(report, text, member, source),
            "about" => one(report, text, member, about),
            "look_for" => one(report, text, member, look_for),
            "claims" => one(report, text, member, claims),
            "expects" => one(report, text, member, expects),
            "settings" => one(report, text, member, settings),
            "camera" => one(report, text, member, camera),
            "opens" => one(report, text, member, opens),
            "materials" => list(report, text, member, |item| materials.push(item), broken),
            "bodies" => list(report, text, member, |item| bodies.push(item), broken),
            "patterns" => list(report, text, member, |item| patterns.push(item), broken),
            "parts" => list(report, text, member, |item| parts.push(item), broken),
            "joints" => list(report, text, member, |item| joints.push(item), &mut Vec::new()),
            "experiments" => list(report, text, member, |item| experiments.push(item), &mut Vec::new()),
            "plots" => list(report, text, member, |item| plots.push(item), &mut Vec::new()),
            "sensors" => list(report, text, member, |item| sensors.push(item), &mut Vec::new()),
            _ => {
                report.slip(Slip::unknown_field(*at, name, FIELDS, false));
                broken.push(String::new());
            }
        }
    }
    fields.ask_for(report, &["version", "title"]);
    draft
}

/// A field of a document.
pub(super) struct DocumentField<'t> {
    pub name: &'t str,
    /// Position of its name, in bytes.
    pub at: usize,
    pub member: Member,
}

/// The fields of a document, each once.
pub(super) struct DocumentFields<'t> {
    pub list: Vec<DocumentField<'t>>,
    /// Position of the document's value, in bytes.
    start: usize,
}

impl DocumentFields<'_> {
    /// Reports which of the required fields are missing.
    pub fn ask_for(&self, report: &mut Report, needed: &[&str]) {
        for field in needed.iter().filter(|needed| self.list.iter().all(|field| field.name != **needed)) {
            report.add_at(self.start, format!("missing field `{field}`"));
        }
    }
}

/// The fields of the report's text, whose value must be named `kind` or unnamed; `None` otherwise. Members without a
/// name and repeated fields are reported and skipped.
pub(super) fn fields<'t>(report: &mut Report<'t>, kind: &str, expected: &str) -> Option<DocumentFields<'t>> {
    let text = report.text?;
    let root = outline::document(text).map_err(|slip| report.slip(slip)).ok()?;
    let name = outline::name(text, &root);
    if !text[root.clone()].ends_with(')') || !(name.is_empty() || name == kind) {
        report.add_at(root.start, expected);
        return None;
    }
    let mut list: Vec<DocumentField<'_>> = Vec::new();
    let mut known = HashSet::new();
    for member in outline::members(text, &root) {
        if report.full() {
            break;
        }
        let Some(key) = member.key.clone() else {
            report.add_at(member.value.start, "expected a field with its name, `name: value`");
            continue;
        };
        let name = &text[key.clone()];
        if !known.insert(name) {
            report.add_at(key.start, format!("the field `{name}` is given twice"));
            continue;
        }
        list.push(DocumentField { name, at: key.start, member });
    }
    Some(DocumentFields { list, start: root.start })
}

pub(super) fn one<T: DeserializeOwned>(report: &mut Report, text: &str, field: &Member, into: &mut T) {
    match wording::value(text, field) {
        Ok(value) => *into = value,
        Err(slip) => report.slip(slip),
    }
}

pub(super) fn list<T: DeserializeOwned>(
    report: &mut Report,
    text: &str,
    field: &Member,
    mut take: impl FnMut(T),
    broken: &mut Vec<String>,
) {
    let at = &field.value;
    if !text[at.clone()].starts_with('[') {
        report.add_at(at.start, "expected a list, `[…]`");
        broken.push(String::new());
        return;
    }
    for (index, member) in outline::members(text, at).into_iter().enumerate() {
        // Nothing more would be reported.
        if report.full() {
            break;
        }
        match wording::value(text, &member) {
            Ok(value) => take(value),
            Err(slip) => {
                report.slip(slip);
                if let Some(key) = &field.key {
                    report.unread.push((text[key.clone()].to_string(), index));
                }
                broken.push(given_name(text, &member.value).unwrap_or_default());
            }
        }
    }
}

/// The name of an element that could not be read, so that references to it are not reported as well.
fn given_name(text: &str, element: &Span) -> Option<String> {
    let members = outline::members(text, element);
    let name = members.into_iter().find(|m| m.name(text) == "name")?;
    ron_text::read(&text[name.value], &ron::Options::default()).ok()
}
