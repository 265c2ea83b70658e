//! Which scene a command opens, and with what changes: the same arguments for `run`, `stability` and `render`.

use crate::physics::setting::Value;
use crate::physics::settings::Settings;
use crate::scene::{self, assign, library, nearest};
use crate::session::{Command, Session};

use super::Failure;

#[derive(Debug, clap::Args)]
pub struct Opening {
    /// Scene file, or a name from `delassus list`
    scene: String,
    /// Begin with one of the scene's experiments
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    /// Change a setting, as in solver.iterations=50, or a field of the scene by its path, as in joints.motor.speed=3;
    /// may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    set: Vec<Change>,
}

/// An argument of `--set`.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Of a setting, found right.
    Setting { name: &'static str, value: Value },
    /// Of a field of the scene, not looked at yet.
    Field { path: String, value: String },
}

/// Reads `solver.iterations=50` or `joints.motor.speed=3`.
pub fn change(text: &str) -> Result<Change, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in solver.iterations=50")?;
    let (name, value) = (name.trim(), value.trim());
    let setting = name.strip_prefix("settings.").unwrap_or(name);
    if setting == name && assign::is_path(name) {
        return Ok(Change::Field { path: name.into(), value: value.into() });
    }
    let setting = Settings::find(setting).map_err(|unknown| {
        // `joint.motor.speed` is no misspelt setting.
        let first = name.split('.').next().unwrap_or_default();
        let groups = crate::physics::settings::LIST.iter().filter_map(|s| s.name.split('.').next());
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

impl Opening {
    /// A scene with one of its experiments, or as it is.
    #[cfg(feature = "gui")]
    pub fn of(scene: &str, experiment: Option<&str>) -> Self {
        Self { scene: scene.to_owned(), experiment: experiment.map(str::to_owned), set: Vec::new() }
    }

    /// The scene as it was asked for.
    pub fn scene_name(&self) -> String {
        self.scene.clone()
    }

    /// Opens the scene: fields of the scene first, then the experiment, then settings, each in the order given.
    pub fn open(&self) -> Result<Session, Failure> {
        self.open_with(&[])
    }

    /// The same with further changes behind those that were given.
    pub fn open_with(&self, more: &[Change]) -> Result<Session, Failure> {
        let path = library::find(&self.scene);
        let fields = || {
            self.set.iter().chain(more).filter_map(|change| match change {
                Change::Field { path, value } => Some((path, value)),
                Change::Setting { .. } => None,
            })
        };
        let mut session = if fields().next().is_none() {
            Session::open(&path)?
        } else {
            let mut text = scene::read(&path).map_err(crate::session::SessionError::Mistakes)?.text;
            let origin = path.display().to_string();
            for (field, value) in fields() {
                text = assign::assign(&text, &origin, field, value)
                    .map_err(|what| Failure::Misuse(format!("--set {field}={value}: {what}")))?;
            }
            let mut session = Session::new();
            session.dispatch(Command::Recover { text, file: Some(path) })?;
            session
        };
        session.use_device(super::device());
        if let Some(name) = &self.experiment {
            let index = experiment(&session, name).map_err(Failure::Misuse)?;
            session.dispatch(Command::ApplyExperiment(index))?;
        }
        for change in self.set.iter().chain(more) {
            if let Change::Setting { name, value } = change {
                session.dispatch(Command::Set { name, value: *value })?;
            }
        }
        Ok(session)
    }
}

/// The experiment of this name, whatever its capitals.
fn experiment(session: &Session, name: &str) -> Result<usize, String> {
    let experiments = session.scene().map(|scene| scene.experiments.clone()).unwrap_or_default();
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
