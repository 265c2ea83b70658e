//! The questions of file dialogs, and their answers.

use std::path::{Path, PathBuf};

use super::platform;
use delassus_session::analysis::AnalysisFile;
pub use delassus_ui::request::Purpose;

/// The answer of a dialog.
#[derive(Clone, Debug)]
pub struct Answer {
    pub purpose: Purpose,
    /// `None` if the user cancelled, or there is no dialog.
    pub path: Option<PathBuf>,
    /// Whether the system has no dialog service: the dialog ended faster than anybody could cancel it.
    pub unavailable: bool,
}

/// What a dialog lets the user choose.
pub(crate) enum Pick {
    File,
    Folder,
    /// A file to be written, with the name that is suggested.
    NewFile(String),
}

/// The question of a dialog.
pub(crate) struct Question {
    pub title: &'static str,
    /// The kind of the files in words, and their extensions.
    pub kind: &'static str,
    pub endings: &'static [&'static str],
    pub pick: Pick,
}

impl Question {
    /// The question for a purpose. Suggested names come from the file name of the open scene.
    pub fn of(purpose: Purpose, scene: Option<&Path>) -> Self {
        let stem = |otherwise: &str| {
            scene.and_then(Path::file_stem).map_or_else(|| otherwise.into(), |n| n.to_string_lossy().into_owned())
        };
        let (title, pick) = match purpose {
            Purpose::Open => ("Open scene", Pick::File),
            Purpose::Folder => ("Add a folder of scenes", Pick::Folder),
            Purpose::Save => {
                let name = scene.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
                ("Save scene as", Pick::NewFile(name.unwrap_or_else(|| "scene.ron".into())))
            }
            Purpose::Export => ("Save the state as a new scene", Pick::NewFile(format!("{}-state.ron", stem("scene")))),
            Purpose::Recording => ("Save the recording", Pick::NewFile(format!("{}-run.ron", stem("scene")))),
            Purpose::Film => ("Record a film", Pick::NewFile(format!("{}-film.png", stem("scene")))),
            Purpose::Still => ("Save a figure", Pick::NewFile(format!("{}.png", stem("scene")))),
            Purpose::Results => ("Save the results", Pick::NewFile("results.html".into())),
            Purpose::Analysis(file) => {
                let name = format!("{}-analysis.{}", stem("mechanism"), file.ending());
                let title = match file {
                    AnalysisFile::Csv => "Save the analysis",
                    AnalysisFile::Svg | AnalysisFile::Dxf => "Save the path",
                    AnalysisFile::Html => "Save the report",
                };
                (title, Pick::NewFile(name))
            }
            Purpose::Figure => ("Save plots", Pick::NewFile(format!("{}.{}", stem("plots"), platform::PLOTS_ENDING))),
        };
        let (kind, endings): (_, &[&str]) = match purpose {
            Purpose::Figure => ("Picture or table", &["png", "svg", "csv"]),
            Purpose::Results => ("Page", &["html"]),
            Purpose::Analysis(AnalysisFile::Csv) => ("Table", &["csv"]),
            Purpose::Analysis(AnalysisFile::Svg) => ("Drawing", &["svg"]),
            Purpose::Analysis(AnalysisFile::Dxf) => ("Drawing for CAD", &["dxf"]),
            Purpose::Analysis(AnalysisFile::Html) => ("Page", &["html"]),
            Purpose::Film => ("Film", &["png", "gif"]),
            Purpose::Still => ("Picture", &["png"]),
            Purpose::Open => ("Scene or robot description", &["ron", "urdf", "xml"]),
            _ => ("Delassus scene", &["ron"]),
        };
        Self { title, kind, endings, pick }
    }
}
