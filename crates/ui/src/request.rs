//! The requests of the panels; only the application carries them out.

use std::path::PathBuf;

use delassus_figure::Figure;
use delassus_launch::LaunchOptions;
use delassus_physics::setting::Value;
use delassus_session::analysis::AnalysisFile;
use delassus_session::{Command, Conflict, Edit};

/// A request of a panel to the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Session(Command),
    /// Shows the system's dialog (or the path field) and opens the chosen file.
    OpenDialog,
    SaveAsDialog,
    /// Asks for a folder of scenes.
    FolderDialog,
    /// Lists the scenes of this folder in the library, now and later.
    AddFolder(PathBuf),
    /// Removes a folder from the library.
    ForgetFolder(PathBuf),
    Open(PathBuf),
    /// Opens a scene with an experiment, settings and a camera, from a command line.
    OpenLaunch(Box<LaunchOptions>),
    SaveAs(PathBuf),
    /// Overwrites an existing file, after the user has confirmed it.
    Replace(Replace),
    /// Shows the dialog (or the path field) again for the same purpose.
    AskPath(Purpose),
    /// Drops the request that waits until the scene is saved under a name.
    GiveUpSaving,
    /// Asks where to write the present state as a new scene.
    ExportDialog,
    Export(PathBuf),
    /// Asks where to write the recording.
    RecordingDialog,
    SaveRecording(PathBuf),
    /// Asks where to write a figure.
    FigureDialog(Box<Figure>),
    SaveFigure(PathBuf),
    /// Asks where to write this page of a learner's results, in HTML.
    ResultsDialog(String),
    SaveResults(PathBuf),
    /// Asks where to write this text of an analysis.
    AnalysisDialog(AnalysisFile, String),
    SaveAnalysis(AnalysisFile, PathBuf),
    /// Asks where to write a film of this size and length, or a picture of the present moment.
    FilmDialog(FilmPlan),
    StillDialog(FilmPlan),
    RecordFilm(PathBuf),
    SaveStill(PathBuf),
    /// Copies a picture of the present moment: as it is in the window, or of this size.
    CopyPicture(Option<FilmPlan>),
    /// Copies a command line that opens the open scene as it is.
    CopyLine,
    /// Puts a text on the system's clipboard.
    CopyText(String),
    /// Cancels the film that is being recorded.
    CancelFilm,
    Reload,
    /// Shows how the document and its file differ.
    ShowConflict,
    /// Merges the document and its file; for each difference, `true` takes the file's version.
    Merge(Box<Conflict>, Vec<bool>),
    /// Keeps the document; saving it may overwrite what another program has written to the file.
    KeepMine,
    /// Saves, and overwrites what another program has written to the file.
    Overwrite,
    Quit,
    /// Opens a scene and sets some of its settings again.
    Restore {
        path: PathBuf,
        changes: Vec<(&'static str, Value)>,
    },
    /// Leaves the present scene for an empty one.
    New,
    /// Shows the list of work that was not saved when the program ended.
    ListLostWork,
    /// Opens this copy of unsaved work.
    Recover(PathBuf),
    /// Deletes this copy of unsaved work.
    DiscardLostWork(PathBuf),
    /// Carries out the request that the question about unsaved changes delayed, if they have been saved.
    AfterSave(Box<Request>),
    /// Carries out the delayed request and discards unsaved changes.
    Discard(Box<Request>),
}

impl Request {
    /// Whether it would lose unsaved changes.
    pub fn leaves_scene(&self) -> bool {
        matches!(
            self,
            Self::New
                | Self::Recover(_)
                | Self::OpenDialog
                | Self::Open(_)
                | Self::OpenLaunch(_)
                | Self::Restore { .. }
                | Self::Quit
        )
    }
}

/// What the user is asked to choose a path for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Open,
    Save,
    /// For a folder of scenes.
    Folder,
    /// For the state of the run.
    Export,
    /// For the recording of the run.
    Recording,
    /// For plots as a picture or a table.
    Figure,
    /// For the results of the lessons.
    Results,
    /// For a mechanism over the travel of a joint: a table, a path, or a page.
    Analysis(AnalysisFile),
    /// For a film.
    Film,
    /// For a picture of the view.
    Still,
}

/// An existing file, and what would overwrite it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replace {
    pub purpose: Purpose,
    pub path: PathBuf,
}

/// Requests one edit of the session.
pub fn ask(edit: Edit, out: &mut Vec<Request>) {
    out.push(Request::Session(Command::Edit { edit, gesture: None }));
}

/// A requested film or picture of the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmPlan {
    /// Width and height of the view, pixels.
    pub size: [u32; 2],
    /// Pictures per second of the film.
    pub rate: f32,
    /// Length in simulated time, s.
    pub seconds: f32,
    /// Whether the plots are shown below the view.
    pub plots: bool,
}

impl Default for FilmPlan {
    fn default() -> Self {
        Self { size: [960, 540], rate: 25.0, seconds: 5.0, plots: false }
    }
}

impl FilmPlan {
    /// The number of pictures, if a second of the film shows `speed` seconds of simulated time.
    pub fn frames(&self, speed: f32) -> u64 {
        (f64::from(self.seconds) * f64::from(self.rate) / f64::from(speed.max(1e-3))).round().max(1.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 s at 25 per second are 125 pictures; at a tenth of the speed there are ten times as many.
    #[test]
    fn a_film_in_slow_motion_has_more_pictures() {
        let plan = FilmPlan::default();
        assert_eq!((plan.frames(1.0), plan.frames(0.1), plan.frames(5.0)), (125, 1250, 25));
        assert_eq!(FilmPlan { seconds: 0.0, ..plan }.frames(1.0), 1);
    }
}
