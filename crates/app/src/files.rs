//! Choosing and writing files: scenes, states, recordings, figures, results, analyses and films.

use std::path::{Path, PathBuf};

use super::dialog::{Answer, Purpose};
use super::platform::{self, documents};
use super::window::App;
use delassus_files::built_in;
use delassus_session::Command;
use delassus_ui::notices::{Remedy, Topic};
use delassus_ui::request::{Replace, Request};
use delassus_ui::shell::path_field::PathField;

impl App {
    /// Opens a file dialog, unless one is open.
    pub(super) fn ask(&mut self, purpose: Purpose) {
        if self.dialog_open {
            return;
        }
        if let Some(why) = platform::refusal(purpose) {
            return self.state.notices.refused(why.to_owned(), None);
        }
        if let Some(open) = &self.open {
            self.dialog_open = true;
            if let Some(proxy) = &self.proxy {
                platform::ask(purpose, self.session.file(), &open.host, proxy.clone());
            }
        }
    }

    /// Handles the answer of a file dialog.
    pub(super) fn answered(&mut self, answer: Answer) {
        self.dialog_open = false;
        match (answer.purpose, answer.path) {
            // The question about unsaved changes was asked before the dialog.
            (Purpose::Open, Some(path)) => self.proceed(Request::Open(path)),
            (Purpose::Save, Some(path)) => self.proceed(Request::SaveAs(path)),
            (Purpose::Folder, Some(path)) => self.proceed(Request::AddFolder(path)),
            (Purpose::Export, Some(path)) => self.proceed(Request::Export(path)),
            (Purpose::Recording, Some(path)) => self.proceed(Request::SaveRecording(path)),
            (Purpose::Figure, Some(path)) => self.proceed(Request::SaveFigure(path)),
            (Purpose::Results, Some(path)) => self.proceed(Request::SaveResults(path)),
            (Purpose::Analysis(file), Some(path)) => self.proceed(Request::SaveAnalysis(file, path)),
            (Purpose::Film, Some(path)) => self.proceed(Request::RecordFilm(path)),
            (Purpose::Still, Some(path)) => self.proceed(Request::SaveStill(path)),
            (purpose, None) if answer.unavailable => {
                let current =
                    self.session.file().map_or_else(String::new, |file| suggested_path(file).display().to_string());
                let text = match purpose {
                    Purpose::Export => current.replace(".ron", "-state.ron"),
                    Purpose::Recording => current.replace(".ron", "-run.ron"),
                    Purpose::Figure | Purpose::Still if current.is_empty() => "figure.png".into(),
                    Purpose::Figure | Purpose::Still => current.replace(".ron", ".png"),
                    Purpose::Results => documents().join("results.html").display().to_string(),
                    Purpose::Analysis(file) if current.is_empty() => format!("analysis.{}", file.ending()),
                    Purpose::Analysis(file) => current.replace(".ron", &format!("-analysis.{}", file.ending())),
                    Purpose::Film if current.is_empty() => "film.png".into(),
                    Purpose::Film => current.replace(".ron", "-film.png"),
                    Purpose::Folder => documents().join("").display().to_string(),
                    Purpose::Open | Purpose::Save => current,
                };
                self.state.questions.path_field = Some(PathField::new(purpose, text));
            }
            (_, None) => self.after_save = None,
        }
        self.follow_file();
    }

    /// Writes to a chosen path; asks first if a file exists there, even if the system's dialog has asked: an added
    /// ending may have changed the path, and not every dialog asks.
    pub(super) fn write(&mut self, to: Replace) {
        // A folder cannot be replaced by a file: the attempt to write gives the error.
        let exists = to.path.symlink_metadata().is_ok() && !to.path.is_dir();
        if exists { self.state.questions.replace = Some(to) } else { self.replace(to) }
    }

    /// Writes to a path, replacing any file.
    pub(super) fn replace(&mut self, Replace { purpose, path }: Replace) {
        match purpose {
            Purpose::Export => return self.export(path),
            Purpose::Recording => return self.save_recording(path),
            Purpose::Figure => return self.save_figure(&path),
            Purpose::Results => return self.save_results(&path),
            Purpose::Analysis(_) => return self.save_analysis(&path),
            Purpose::Film => {
                let begun = self.begin_film(&path, self.plan);
                return self.report_written(&path, begun, None);
            }
            Purpose::Still => {
                let saved = self.save_still(&path, self.plan);
                return self.report_written(&path, saved, Some("The figure is in"));
            }
            Purpose::Open | Purpose::Save | Purpose::Folder => {}
        }
        if self.dispatch(Command::SaveAs(path)) {
            self.state.questions.path_field = None;
            self.watch.may_overwrite = None;
            self.state.notices.withdraw(Topic::Disk);
            let next = self.after_save.take();
            next.into_iter().for_each(|next| self.proceed(next));
        } else if self.state.questions.path_field.is_none() {
            self.after_save = None;
        }
    }

    /// Writes the run's state as a scene file, and offers to open it.
    fn export(&mut self, path: PathBuf) {
        if self.dispatch(Command::Export(path.clone())) {
            self.state.questions.path_field = None;
            let text = format!("The state is in {}; the open scene stays as it is.", path.display());
            let request = Box::new(Request::Open(path));
            self.state.notices.offer(text, Remedy::Ask { label: "Open".into(), request });
            self.refresh_shelf();
        }
    }

    /// Writes the recording of the run.
    fn save_recording(&mut self, path: PathBuf) {
        let steps = self.session.recorded().map_or(0, |(steps, _)| steps);
        if self.dispatch(Command::SaveRecording(path.clone())) {
            self.state.questions.path_field = None;
            self.state.notices.info(format!("{steps} steps are saved in {}", path.display()));
        }
    }

    /// Writes the figure that was made before the file dialog opened.
    fn save_figure(&mut self, path: &Path) {
        let Some(figure) = self.figure.take() else { return };
        let saved = figure.save(path, figure.usual_size());
        if saved.is_err() {
            self.figure = Some(figure);
        }
        self.report_written(path, saved, Some("The plots are in"));
    }

    /// Writes the page of results that was made before the file dialog opened.
    fn save_results(&mut self, path: &Path) {
        let Some(page) = &self.results else { return };
        let saved = delassus_files::whole_file::put(path, page.as_bytes());
        if saved.is_ok() {
            self.results = None;
        }
        self.report_written(path, saved, Some("The results are in"));
    }

    /// Writes the text of an analysis that was made before the file dialog opened.
    fn save_analysis(&mut self, path: &Path) {
        let Some(text) = &self.analysis else { return };
        let saved = delassus_files::whole_file::put(path, text.as_bytes());
        if saved.is_ok() {
            self.analysis = None;
        }
        self.report_written(path, saved, Some("The analysis is in"));
    }

    /// Reports the result of writing a file: `words` and its path, or the error.
    fn report_written<E: std::fmt::Display>(&mut self, path: &Path, done: Result<(), E>, words: Option<&str>) {
        match done {
            Ok(()) => {
                self.state.questions.path_field = None;
                if let Some(words) = words {
                    self.state.notices.info(format!("{words} {}", path.display()));
                }
            }
            Err(error) => {
                let message = format!("{}: {error}", path.display());
                match &mut self.state.questions.path_field {
                    Some(field) => field.error = Some(message),
                    None => self.state.notices.refused(message, None),
                }
            }
        }
    }
}

/// The path to offer for a new file: next to this file, or in the user's documents folder if this file is within the
/// program, where nothing can be written.
fn suggested_path(file: &Path) -> PathBuf {
    if !built_in::is_built_in(file) {
        return file.to_path_buf();
    }
    documents().join(file.file_name().unwrap_or_default())
}

/// Adds the library's ending `.ron` if there is none.
pub(super) fn with_ending(path: PathBuf) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension("ron") }
}
