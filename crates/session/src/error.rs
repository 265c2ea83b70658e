//! Why a command was refused.

use std::path::PathBuf;

use delassus_scene::{Mistake, SettingError};

/// Why a command was refused. The message is one line for a toast; only mistakes in a scene file take one line each.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{}", lines(.0))]
    Mistakes(Vec<Mistake>),
    #[error("{}: cannot be written: {error}", file.display())]
    Write { file: PathBuf, error: std::io::Error },
    #[error("no scene is open")]
    NoScene,
    #[error("this scene has no file yet: save it under a name")]
    NoFile,
    #[error("nothing to undo")]
    NothingToUndo,
    #[error("nothing to redo")]
    NothingToRedo,
    #[error("no earlier state is kept")]
    NoEarlierState,
    #[error("there is no other branch number {0}")]
    NoBranch(u64),
    #[error("the scene has no experiment number {0}")]
    NoExperiment(usize),
    #[error("there is no {what} called `{name}`")]
    NoSuch { what: &'static str, name: String },
    #[error("{0}")]
    Refused(String),
    #[error("there is no body {0} to pull")]
    NoBody(u32),
}

fn lines(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
