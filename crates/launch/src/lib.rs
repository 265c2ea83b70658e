//! A request to open a scene: with one of its experiments, with other settings, from a given viewpoint. It is written
//! as command-line arguments; `line` makes such a command line for the open scene.

pub mod line;
mod viewpoint;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use delassus_files::built_in;
use delassus_physics::preset::Preset;
use delassus_physics::setting::Value;
use delassus_physics::settings::Settings;
use delassus_scene::library::{self, Library};
use delassus_scene::{self as scene, Mistake, Scene, assign, nearest};
use delassus_session::{Command, Session, SessionError};

pub use viewpoint::Viewpoint;

/// Which scene to open, and with what changes.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct OpenRequest {
    /// Scene file, a name from `delassus list`, or `-` for a scene on standard input
    pub scene: String,
    #[command(flatten)]
    pub changes: Changes,
}

/// What is other than in the scene's file.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct Changes {
    /// Begin with one of the scene's experiments
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, requires = "scene")]
    pub experiment: Option<String>,
    /// Solve as the presets of `delassus presets` do, as in Rapier or SingleStep; before the changes of --set
    #[arg(long, value_name = "NAME", value_parser = preset, requires = "scene")]
    pub preset: Option<Preset>,
    /// Change a setting, as in solver.iterations=50, or a field of the scene by its path, as in joints.motor.speed=3;
    /// may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = change, requires = "scene")]
    pub set: Vec<Change>,
}

/// An argument of `--set`.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A setting with a valid value.
    Setting { name: &'static str, value: Value },
    /// A field of the scene, not validated yet.
    Field { path: String, value: String },
}

/// Reads the name of a preset.
///
/// # Errors
/// There is none of this name.
pub fn preset(name: &str) -> Result<Preset, String> {
    Preset::named(name.trim()).ok_or_else(|| {
        let names = Preset::all().map(Preset::name);
        let hint = nearest(name, names.clone());
        if hint.is_empty() {
            format!("expected {}", names.collect::<Vec<_>>().join(", "))
        } else {
            format!("no preset{hint}")
        }
    })
}

/// What the window is to open.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
pub struct LaunchOptions {
    /// Scene to open in the window: a file, or a name from `delassus list`
    #[arg(value_name = "SCENE")]
    scene: Option<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub viewpoint: Viewpoint,
}

/// Why a scene cannot be opened as requested.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The request makes no sense.
    #[error("{0}")]
    Misuse(String),
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Reads `solver.iterations=50` or `joints.motor.speed=3`.
///
/// # Errors
/// An unknown name, or a value that the setting does not accept.
pub fn change(text: &str) -> Result<Change, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in solver.iterations=50")?;
    let (name, value) = (name.trim(), value.trim());
    if name == "preset" {
        return Err(format!("a preset is chosen by --preset {value}"));
    }
    let setting = name.strip_prefix("settings.").unwrap_or(name);
    if setting == name && assign::is_path(name) {
        return Ok(Change::Field { path: name.into(), value: value.into() });
    }
    let setting = Settings::find(setting).map_err(|unknown| {
        // `joint.motor.speed` is a misspelt path, not a misspelt setting.
        let first = name.split('.').next().unwrap_or_default();
        let groups = delassus_physics::settings::LIST.iter().filter_map(|s| s.name.split('.').next());
        if groups.clone().any(|group| group == first) {
            return unknown.to_string();
        }
        let hint =
            nearest(first, ["bodies", "joints", "patterns", "parts", "materials", "camera"].into_iter().chain(groups));
        if hint.is_empty() { unknown.to_string() } else { format!("unknown name `{name}`: `{first}`{hint}") }
    })?;
    let value = setting.parse(value).map_err(|e| e.to_string())?;
    Ok(Change::Setting { name: setting.name, value })
}

impl LaunchOptions {
    /// The request to open a file without changes.
    pub fn file(path: &Path) -> Self {
        Self { scene: Some(path.display().to_string()), ..Self::default() }
    }

    /// The request to open a file with one of its experiments.
    pub fn with_experiment(path: &Path, name: &str) -> Self {
        let changes = Changes { experiment: Some(name.to_owned()), ..Changes::default() };
        Self { changes, ..Self::file(path) }
    }

    /// The requested scene, if there is one.
    pub fn open_request(&self) -> Option<OpenRequest> {
        Some(OpenRequest { scene: self.scene.clone()?, changes: self.changes.clone() })
    }
}

impl OpenRequest {
    /// A scene with one of its experiments, or unchanged.
    pub fn of(scene: &str, experiment: Option<&str>) -> Self {
        let changes = Changes { experiment: experiment.map(str::to_owned), ..Changes::default() };
        Self { scene: scene.to_owned(), changes }
    }

    /// The path of the scene's file.
    pub fn path(&self) -> PathBuf {
        library::find(&self.scene)
    }

    /// Opens the scene: fields of the scene first, then the experiment, the preset, and settings, each in the order given.
    ///
    /// # Errors
    /// See [`OpeningError`].
    pub fn open(&self) -> Result<Session, OpeningError> {
        self.open_with(&[])
    }

    /// The same with further changes after those of the request.
    ///
    /// # Errors
    /// See [`OpeningError`].
    pub fn open_with(&self, more: &[Change]) -> Result<Session, OpeningError> {
        let mut session = Session::new();
        session.dispatch(self.first(more)?)?;
        let Some(scene) = session.scene() else { return Ok(session) };
        for command in self.commands(scene, more)? {
            session.dispatch(command)?;
        }
        Ok(session)
    }

    /// The command that opens the scene, with the changed fields in its text.
    ///
    /// # Errors
    /// A field that cannot be set, or a file that cannot be read.
    pub fn first(&self, more: &[Change]) -> Result<Command, OpeningError> {
        let input = if self.scene == STANDARD_INPUT { Some(standard_input()?) } else { None };
        let path = self.path();
        let fields = self.changes.set.iter().chain(more).any(|change| matches!(change, Change::Field { .. }));
        if !fields && input.is_none() {
            return Ok(Command::Open(path));
        }
        let origin = if input.is_some() { "standard input".to_owned() } else { path.display().to_string() };
        let file = input.is_none().then(|| path.clone());
        let read = input.as_ref().map_or_else(|| scene::read(&path), |text| scene::read_str(text, &origin));
        let text = self.with_fields(read.map_err(SessionError::Mistakes)?.text, &origin, more)?;
        Ok(Command::Recover { text, file, base: None })
    }

    /// The text of a scene with the fields that the request and `more` change. `origin` is the text's name, for messages.
    ///
    /// # Errors
    /// A field that cannot be set.
    pub fn with_fields(&self, mut text: String, origin: &str, more: &[Change]) -> Result<String, OpeningError> {
        for change in self.changes.set.iter().chain(more) {
            let Change::Field { path, value } = change else { continue };
            text = assign::assign(&text, origin, path, value)
                .map_err(|what| OpeningError::Misuse(format!("--set {path}={value}: {what}")))?;
        }
        Ok(text)
    }

    /// The commands that apply the experiment and the settings once this scene is open.
    ///
    /// # Errors
    /// An experiment that the scene does not have.
    pub fn commands(&self, scene: &Scene, more: &[Change]) -> Result<Vec<Command>, OpeningError> {
        let name = self.changes.experiment.as_deref();
        let index = name.map(|name| experiment(scene, name)).transpose().map_err(OpeningError::Misuse)?;
        let settings = (self.changes.set.iter().chain(more)).filter_map(|change| match change {
            Change::Setting { name, value } => Some((*name, *value)),
            Change::Field { .. } => None,
        });
        let preset = self.changes.preset.into_iter().flat_map(Preset::changes);
        let settings: Vec<_> = preset.chain(settings).collect();
        let settings = (!settings.is_empty()).then_some(Command::Overlay(settings));
        Ok(index.map(Command::ApplyExperiment).into_iter().chain(settings).collect())
    }

    /// Checks that the file exists and has the requested experiment and fields, without laying out its scene.
    /// Mistakes in the file are reported when it is opened.
    ///
    /// # Errors
    /// See [`OpeningError`].
    pub fn check(&self) -> Result<(), OpeningError> {
        let path = self.path();
        if !built_in::is_file(&path) {
            let entries = Library::now().entries();
            let hint = nearest(&self.scene, entries.iter().map(|entry| entry.id.as_str()));
            let what = format!("no such file, and no scene of the library{hint}");
            return Err(SessionError::Mistakes(vec![Mistake { file: path, what, ..Mistake::default() }]).into());
        }
        if self.changes == Changes::default() {
            return Ok(());
        }
        let text = scene::read::read_text(&path).ok();
        if text.as_ref().is_some_and(|text| text.trim_start().starts_with('<')) {
            // A robot description in XML becomes a scene when it is opened.
            return Ok(());
        }
        self.first(&[])?;
        match text.and_then(|text| scene::read::scene_of(&text)) {
            Some(scene) => self.commands(&scene, &[]).map(drop),
            None => Ok(()),
        }
    }
}

/// The name of a scene that is read from standard input.
const STANDARD_INPUT: &str = "-";

/// The text on standard input. It is read once, even if the scene is opened several times.
fn standard_input() -> Result<String, OpeningError> {
    static TEXT: OnceLock<Result<String, String>> = OnceLock::new();
    let read = || {
        let mut text = String::new();
        let limit = scene::MAX_BYTES;
        io::stdin().lock().take(limit + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
        if text.len() as u64 > limit { Err(format!("it is too large, at most {} MiB", limit >> 20)) } else { Ok(text) }
    };
    let text = TEXT.get_or_init(read).clone();
    text.map_err(|what| {
        let what = format!("cannot be read: {what}");
        SessionError::Mistakes(vec![Mistake { file: "standard input".into(), what, ..Mistake::default() }]).into()
    })
}

/// The index of the experiment with this name; capitals are ignored if there is no exact match.
fn experiment(scene: &Scene, name: &str) -> Result<usize, String> {
    let experiments = &scene.experiments;
    let find = |same: &dyn Fn(&str) -> bool| experiments.iter().position(|e| same(&e.name));
    let lower = name.to_lowercase();
    find(&|known| known == name).or_else(|| find(&|known| known.to_lowercase() == lower)).ok_or_else(|| {
        let names = || experiments.iter().map(|e| e.name.as_str());
        let near = nearest(name, names());
        if experiments.is_empty() {
            format!("--experiment {name}: the scene has no experiments")
        } else if near.is_empty() {
            let quoted: Vec<_> = names().map(|n| format!("`{n}`")).collect();
            format!("no experiment is called `{name}`; the scene has {}", quoted.join(", "))
        } else {
            format!("no experiment is called `{name}`{near}")
        }
    })
}
