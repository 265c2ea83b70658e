//! Carries out the panels' requests; errors become notices in the window.

use std::path::Path;

use super::dialog::Purpose;
use super::files::with_ending;
use super::window::App;
use delassus_scene as scene;
use delassus_session::{Command, Edit, OnDisk, SessionError};
use delassus_ui::editor::Chosen;
use delassus_ui::notices::{FileLine, Remedy, Topic};
use delassus_ui::request::{Replace, Request};
use delassus_ui::shell::questions::UnsavedQuestion;

impl App {
    /// Carries out a request; first asks about unsaved changes that it would lose.
    pub(super) fn carry_out(&mut self, request: Request) {
        let unsaved = || self.session.is_dirty() || self.session.on_disk() == OnDisk::Gone;
        if request.leaves_scene() && unsaved() && !self.can_be_brought_back(&request) {
            self.state.questions.unsaved = Some(UnsavedQuestion { then: request });
            self.request_redraw();
            return;
        }
        self.proceed(request);
        self.follow_file();
        self.keep_work();
        self.request_redraw();
    }

    /// Carries out a request without asking about unsaved changes.
    pub(super) fn proceed(&mut self, request: Request) {
        match request {
            Request::Session(Command::Save) => self.save(),
            Request::Session(Command::ReadParts) => self.read_parts(),
            Request::Session(command) => drop(self.dispatch(command)),
            Request::New => {
                self.dispatch(Command::New);
                self.look_at_scene();
            }
            Request::ListLostWork => self.list_lost_work(),
            Request::Recover(copy) => self.recover(&copy),
            Request::DiscardLostWork(copy) => self.discard_lost_work(&copy),
            Request::OpenDialog => self.ask(Purpose::Open),
            Request::SaveAsDialog => {
                self.after_save = None;
                self.ask(Purpose::Save);
            }
            Request::FolderDialog => self.ask(Purpose::Folder),
            Request::AddFolder(folder) => self.add_folder(&folder),
            Request::ForgetFolder(folder) => self.forget_folder(&folder),
            Request::ExportDialog => self.ask(Purpose::Export),
            Request::RecordingDialog => self.ask(Purpose::Recording),
            Request::Open(path) if delassus_import::is_model(&path) => self.open_model(&path),
            Request::Open(path) => drop(self.open_scene(Command::Open(path))),
            Request::OpenLaunch(options) => self.open_launch(&options),
            Request::AskPath(purpose) => self.ask(purpose),
            Request::SaveAs(path) => self.write(Replace { purpose: Purpose::Save, path: with_ending(path) }),
            Request::Export(path) => self.write(Replace { purpose: Purpose::Export, path: with_ending(path) }),
            Request::SaveRecording(path) => {
                self.write(Replace { purpose: Purpose::Recording, path: with_ending(path) });
            }
            Request::FigureDialog(figure) => {
                self.figure = Some(figure);
                self.ask(Purpose::Figure);
            }
            Request::SaveFigure(path) => self.write(Replace { purpose: Purpose::Figure, path }),
            Request::ResultsDialog(page) => {
                self.results = Some(page);
                self.ask(Purpose::Results);
            }
            Request::SaveResults(path) => {
                let path = if path.extension().is_some() { path } else { path.with_extension("html") };
                self.write(Replace { purpose: Purpose::Results, path });
            }
            Request::AnalysisDialog(file, text) => {
                self.analysis = Some(text);
                self.ask(Purpose::Analysis(file));
            }
            Request::SaveAnalysis(file, path) => {
                let path = if path.extension().is_some() { path } else { path.with_extension(file.ending()) };
                self.write(Replace { purpose: Purpose::Analysis(file), path });
            }
            Request::FilmDialog(plan) => {
                self.plan = plan;
                self.ask(Purpose::Film);
            }
            Request::StillDialog(plan) => {
                self.plan = plan;
                self.ask(Purpose::Still);
            }
            Request::RecordFilm(path) => self.write(Replace { purpose: Purpose::Film, path }),
            Request::SaveStill(path) => self.write(Replace { purpose: Purpose::Still, path }),
            Request::CopyPicture(plan) => self.copy_picture(plan),
            Request::CopyLine => self.copy_line(),
            Request::CopyText(text) => self.ctx.copy_text(text),
            Request::CancelFilm => self.cancel_film(),
            Request::Replace(replace) => self.replace(replace),
            Request::GiveUpSaving => self.after_save = None,
            Request::Reload => self.reload(),
            Request::ShowConflict => self.show_conflict(),
            Request::Merge(conflict, theirs) => self.merge(conflict, theirs),
            Request::KeepMine => self.keep_mine(),
            Request::Overwrite => self.overwrite(false),
            Request::Restore { path, changes } => self.restore(path, changes),
            Request::Quit => self.quitting = true,
            // The request that follows a save; if the save failed, its notice is shown and nothing is lost.
            Request::AfterSave(next) => {
                if !self.session.is_dirty() {
                    self.proceed(*next);
                } else if self.dialog_open {
                    self.after_save = Some(*next);
                }
            }
            Request::Discard(next) => self.proceed(*next),
        }
    }

    /// Dispatches a command to the session; false if it was refused, which is shown as a notice.
    pub(super) fn dispatch(&mut self, command: Command) -> bool {
        let saves = matches!(command, Command::Save | Command::SaveAs(_));
        let adds = matches!(
            &command,
            Command::Edit { edit: Edit::Add { .. } | Edit::AddGroups { .. } | Edit::Join { .. }, .. }
                // What a step back or forth brings back is selected, too.
                | Command::Undo
                | Command::Redo
        );
        let mut before = Chosen::of(self.session.snapshot(), &self.state.selection, adds);
        if let (Command::Edit { edit, .. }, Some(scene)) = (&command, self.session.scene()) {
            before.apply_renames(edit, scene);
        }
        let generation = self.session.generation();
        let opened = self.session.opened();
        let keeps_refusal = matches!(
            command,
            Command::Play
                | Command::Pause
                | Command::TogglePlay
                | Command::Watch(_)
                | Command::MouseJoint { .. }
                | Command::Release
        );
        let placing = self.about_placing(&command);
        let done = self.session.dispatch(command);
        if done.is_ok() && !keeps_refusal {
            self.state.notices.withdraw(Topic::Refused);
            self.show_placing(placing);
        }
        if self.session.generation() != generation && self.session.opened() == opened {
            self.generation = self.session.generation();
            self.state.selection = before.again(self.session.snapshot());
        }
        if let Err(error) = &done {
            self.show_error(error);
        }
        match done {
            Ok(()) if saves => {
                let name = self.session.file().map_or_else(String::new, |file| file.display().to_string());
                self.state.notices.info(format!("Saved {name}"));
                self.refresh_shelf();
                true
            }
            other => other.is_ok(),
        }
    }

    /// Shows an error; each mistake of a file is a notice of its own.
    pub(super) fn show_error(&mut self, error: &SessionError) {
        /// The largest number of mistakes shown at once.
        const MAX_SHOWN: usize = 4;
        // While a path is being typed, its error is shown beneath the field.
        let field = self.state.questions.path_field.as_mut();
        let SessionError::Mistakes(mistakes) = error else {
            match field {
                Some(field) => field.error = Some(error.to_string()),
                None => self.state.notices.refused(error.to_string(), None),
            }
            return;
        };
        if let (Some(field), Some(first)) = (field, mistakes.first()) {
            field.error = Some(first.to_string());
            if first.line == 0 {
                return;
            }
        }
        for mistake in mistakes.iter().take(MAX_SHOWN) {
            let place = FileLine { path: mistake.file.clone(), line: mistake.line };
            self.state.notices.refused(short(mistake), (mistake.line > 0).then_some(Remedy::ShowLine(place)));
        }
        if mistakes.len() > MAX_SHOWN {
            self.state.notices.refused(format!("… and {} more mistakes", mistakes.len() - MAX_SHOWN), None);
        }
    }
}

/// A mistake with the name of the file instead of its path, which would fill the notice.
fn short(mistake: &scene::Mistake) -> String {
    let name = mistake.file.file_name().map(Path::new);
    scene::Mistake { file: name.map(Path::to_path_buf).unwrap_or_default(), ..mistake.clone() }.to_string()
}
