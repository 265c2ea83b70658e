//! What the panels ask for; only the application carries it out.

use std::path::PathBuf;

use crate::{
    figure::Figure,
    opening::Wanted,
    physics::setting::Value,
    session::{Command, Conflict, Edit},
};

/// What a panel asks of the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Session(Command),
    /// Shows the system's dialog (or the path field) and opens what is chosen.
    OpenDialog,
    SaveAsDialog,
    Open(PathBuf),
    /// Opens a scene with an experiment, settings and a camera, as a line has asked for it.
    OpenWanted(Box<Wanted>),
    SaveAs(PathBuf),
    /// Writes there although a file stands there: it was asked for.
    Replace(Replace),
    /// Shows the dialog (or the path field) again for the same purpose.
    AskPath(Purpose),
    /// What waits for the scene to be saved under a name waits no longer.
    GiveUpSaving,
    /// Writes the state of the run as a scene of its own.
    ExportDialog,
    Export(PathBuf),
    /// Asks where to write what was recorded.
    RecordingDialog,
    SaveRecording(PathBuf),
    /// Asks where to write a figure.
    FigureDialog(Box<Figure>),
    SaveFigure(PathBuf),
    /// Asks where to write a film, or the moment that is shown, of this size and length.
    FilmDialog(FilmPlan),
    StillDialog(FilmPlan),
    RecordFilm(PathBuf),
    SaveStill(PathBuf),
    /// Puts the moment that is shown on the clipboard: as it is seen, or of this size.
    CopyPicture(Option<FilmPlan>),
    /// Puts a line of text on the clipboard that opens what is open.
    CopyLine,
    /// Gives up the film that is being recorded.
    CancelFilm,
    Reload,
    /// Shows how the document and its file differ.
    ShowConflict,
    /// Makes one scene of the document and its file, with theirs where that is true.
    Merge(Box<Conflict>, Vec<bool>),
    /// What another program has written to the scene's file may be written over.
    KeepMine,
    /// Saves, whatever another program has written there.
    Overwrite,
    Quit,
    /// Opens a scene and sets some of its settings again.
    Restore {
        path: PathBuf,
        changes: Vec<(&'static str, Value)>,
    },
    /// Leaves the present scene for an empty one.
    New,
    /// Opens work that was not saved when the program ended, from this copy.
    Recover(PathBuf),
    /// Carries on with what the question about unsaved changes held up, if they are saved by now.
    AfterSave(Box<Request>),
    /// Carries on with it whatever is lost.
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
                | Self::OpenWanted(_)
                | Self::Restore { .. }
                | Self::Quit
        )
    }
}

/// What a file is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Open,
    Save,
    /// For the state of the run.
    Export,
    /// For the recording of the run.
    Recording,
    /// For plots as a picture or a table.
    Figure,
    /// For a film.
    Film,
    /// For a picture of the view.
    Still,
}

/// A file that is there already, and what would be written in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replace {
    pub purpose: Purpose,
    pub path: PathBuf,
}

/// One edit, asked of the session.
pub fn ask(edit: Edit, out: &mut Vec<Request>) {
    out.push(Request::Session(Command::Edit { edit, gesture: None }));
}

/// A film or a figure that is asked for: of the view, for so long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmPlan {
    /// Of the view, pixels.
    pub size: [u32; 2],
    /// Pictures a second.
    pub rate: f32,
    /// How much simulated time, s.
    pub seconds: f32,
    /// The plots stand below the view.
    pub plots: bool,
}

impl Default for FilmPlan {
    fn default() -> Self {
        Self { size: [960, 540], rate: 25.0, seconds: 5.0, plots: false }
    }
}

impl FilmPlan {
    /// How many pictures that are, at this simulated time a second of the film.
    pub fn frames(&self, speed: f32) -> u64 {
        (f64::from(self.seconds) * f64::from(self.rate) / f64::from(speed.max(1e-3))).round().max(1.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 s at 25 a second: 125; in slow motion, a tenth, ten times as many.
    #[test]
    fn a_film_in_slow_motion_has_more_pictures() {
        let plan = FilmPlan::default();
        assert_eq!((plan.frames(1.0), plan.frames(0.1), plan.frames(5.0)), (125, 1250, 25));
        assert_eq!(FilmPlan { seconds: 0.0, ..plan }.frames(1.0), 1);
    }
}
