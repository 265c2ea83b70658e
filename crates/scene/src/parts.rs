//! Parts: other scene files, each read once and placed as often as the document says.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use glam::Quat;

use super::check;
use super::expand::{DocumentFrame, Expander, MAX_BODIES, Origin};
use super::pattern::Pattern;
use super::read::{self, Draft};
use super::report::{DocPath, Report};
use super::types::{Part, Scene};
use delassus_files::built_in;

/// Maximum nesting depth of parts.
pub const MAX_PART_DEPTH: usize = 8;

/// A part's file after reading.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    text: String,
    /// Elements that could not be read, see [`Report`].
    unread: Vec<(String, usize)>,
    draft: Draft,
}

impl Expander {
    /// Lays out a part in a frame.
    pub fn part(
        &mut self,
        part: &Part,
        base: &Path,
        frame: &DocumentFrame,
        origin: Origin,
        place: &DocPath,
        report: &mut Report,
    ) {
        // Fields are listed by name so that a new field must be handled here.
        let Part { name, file, at, rotation } = part;
        let before = report.mistakes.len();
        check::vector(*at, &delassus_physics::quantity::PLACE, &place.field("at"), "at", report);
        let rotation = rotation.quat().unwrap_or_else(|what| {
            report.add(&place.field("rotation"), what);
            Quat::IDENTITY
        });
        let file_at = place.field("file");
        let path = built_in::join(base, file);
        if path.extension().is_none_or(|e| e != "ron") {
            report.add(&file_at, format!("a part is a scene file, `.ron`, not `{file}`"));
        }
        if report.mistakes.len() > before || self.full {
            return;
        }
        self.placed += 1;
        if self.placed > MAX_BODIES {
            self.full = true;
            return report.add(place, format!("the scene has too many parts, at most {MAX_BODIES}"));
        }
        let known = built_in::canonical(&path).unwrap_or_else(|| path.clone());
        if let Some(first) = self.open.iter().position(|open| *open == known) {
            let names = self.open[first..].iter().chain([&known]).map(|p| short(p)).collect::<Vec<_>>();
            return report.add(&file_at, format!("parts include each other in a circle: {}", names.join(" -> ")));
        }
        if self.open.len() > MAX_PART_DEPTH {
            return report.add(&file_at, format!("parts are nested too deeply, at most {MAX_PART_DEPTH}"));
        }
        let Some(file) = self.file(path, &known, &file_at, report) else { return };
        let frame = frame.inner(*at, rotation, name);
        self.open.push(known);
        self.depth += 1;
        let mut inside = Report::new(&file.path, Some(&file.text));
        inside.unread.clone_from(&file.unread);
        self.document(&file.draft, &read::base_of(&file.path), &frame, Some(origin), &mut inside);
        self.depth -= 1;
        self.open.pop();
        if let Some(name) = self.clash.take().filter(|_| inside.mistakes.is_empty()) {
            report.add(
                &place.field("name"),
                format!("the part adds a second body called `{name}`: give it another name"),
            );
        }
        report.adopt(inside.mistakes);
    }

    /// The file of a part, read on first use; `None`, with a mistake reported, if that fails.
    fn file(&mut self, path: PathBuf, known: &Path, place: &DocPath, report: &mut Report) -> Option<Rc<PartFile>> {
        if let Some(file) = self.files.get(known) {
            return file.clone();
        }
        let file = match read::read_text(&path) {
            Ok(text) => {
                let mut inside = Report::new(&path, Some(&text));
                let draft = read::draft(&mut inside);
                let (mistakes, unread) = (inside.mistakes, inside.unread);
                report.adopt(mistakes);
                Some(Rc::new(PartFile { path, text, unread, draft }))
            }
            Err(mistake) => {
                report.add(place, format!("the part `{}` {}", short(&path), mistake.what));
                None
            }
        };
        self.files.insert(known.into(), file.clone());
        file
    }
}

/// The files of a scene's parts, and of their parts, each once, including missing ones. Reads the files.
pub fn part_files(scene: &Scene, base: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(scene, base, &mut found);
    found
}

/// The file paths of a scene's own parts, as the scene writes them.
pub fn part_names(scene: &Scene) -> impl Iterator<Item = &str> {
    scene.parts.iter().chain(scene.patterns.iter().filter_map(Pattern::part)).map(|part| part.file.as_str())
}

fn gather(scene: &Scene, base: &Path, found: &mut Vec<PathBuf>) {
    for name in part_names(scene) {
        let path = built_in::join(base, name);
        let known = built_in::canonical(&path).unwrap_or_else(|| path.clone());
        if found.contains(&known) || path.extension().is_none_or(|e| e != "ron") {
            continue;
        }
        found.push(known);
        if let Ok(text) = read::read_text(&path) {
            let draft = read::draft(&mut Report::new(&path, Some(&text)));
            gather(&draft.scene, &read::base_of(&path), found);
        }
    }
}

/// A path's file name.
fn short(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
