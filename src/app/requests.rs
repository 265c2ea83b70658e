//! Carrying out what the panels ask for; whatever goes wrong becomes a notice in the window.

use std::path::{Path, PathBuf};

use super::{
    dialog::{self, Answer, Purpose},
    scene_view,
    window::App,
};
use crate::ui::{
    editor::Chosen,
    notices::{Place, Remedy, Topic},
    request::{Replace, Request},
    shell::{path_field::PathField, questions::UnsavedQuestion},
    view3d::placing,
};
use crate::{
    physics::{
        setting::Value,
        settings::{LIST, SettingsPatch},
    },
    scene::{self, CameraDoc, Scene},
    session::{Command, Edit, OnDisk, SessionError},
};

/// What was changed in a scene that is left without saving.
struct LeftBehind {
    path: PathBuf,
    title: String,
    changes: Vec<(&'static str, Value)>,
}

impl App {
    /// Does what was asked, after the question about unsaved changes where it would lose some.
    pub(super) fn carry_out(&mut self, request: Request) {
        let unsaved = || self.session.is_dirty() || self.session.on_disk() == OnDisk::Gone;
        if request.leaves_scene() && unsaved() && !self.can_be_brought_back(&request) {
            self.state.questions.unsaved = Some(UnsavedQuestion { then: request });
            self.request_redraw();
            return;
        }
        self.proceed(request);
        self.follow_file();
        self.request_redraw();
    }

    fn proceed(&mut self, request: Request) {
        match request {
            Request::Session(Command::Save) => self.save(),
            Request::Session(Command::ReadParts) => self.read_parts(),
            Request::Session(command) => drop(self.dispatch(command)),
            Request::New => {
                self.dispatch(Command::New);
                self.look_at_scene();
            }
            Request::Recover(copy) => self.recover(&copy),
            Request::OpenDialog => self.ask(Purpose::Open),
            Request::SaveAsDialog => {
                self.after_save = None;
                self.ask(Purpose::Save);
            }
            Request::ExportDialog => self.ask(Purpose::Export),
            Request::RecordingDialog => self.ask(Purpose::Recording),
            Request::Open(path) => self.open_scene(path),
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
            Request::CancelFilm => self.cancel_film(),
            Request::Replace(asked) => self.replace(asked),
            Request::GiveUpSaving => self.after_save = None,
            Request::Reload => self.reload(),
            Request::ShowConflict => self.show_conflict(),
            Request::Merge(conflict, theirs) => self.merge(conflict, theirs),
            Request::KeepMine => self.keep_mine(),
            Request::Overwrite => self.overwrite(false),
            Request::Restore { path, changes } => self.restore(path, changes),
            Request::Quit => self.quitting = true,
            // Asked for after a save: if that failed, its notice stands and nothing is lost.
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

    /// Obeys a command of the session; false if it was refused, which is told.
    pub(super) fn dispatch(&mut self, command: Command) -> bool {
        let saves = matches!(command, Command::Save | Command::SaveAs(_));
        let adds = matches!(
            &command,
            Command::Edit { edit: Edit::Add { .. } | Edit::AddGroups { .. } | Edit::Join { .. }, .. }
        );
        let mut before = Chosen::of(self.session.snapshot(), &self.state.selection, adds);
        if let (Command::Edit { edit, .. }, Some(scene)) = (&command, self.session.scene()) {
            before.follow(edit, scene);
        }
        let generation = self.session.generation();
        let opened = self.session.opened();
        let passes = matches!(
            command,
            Command::Play
                | Command::Pause
                | Command::TogglePlay
                | Command::Watch(_)
                | Command::Pull { .. }
                | Command::Release
        );
        let placing = self.about_placing(&command);
        let done = self.session.dispatch(command);
        if done.is_ok() && !passes {
            self.state.notices.withdraw(Topic::Refused);
            self.tell_placing(placing);
        }
        if self.session.generation() != generation && self.session.opened() == opened {
            self.generation = self.session.generation();
            self.state.selection = before.again(self.session.snapshot());
        }
        if let Err(error) = &done {
            self.tell(error);
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

    /// Writes to a path that was chosen; asks first where a file stands there already. Even where the system's dialog
    /// has asked: the ending may have made another file of it, and not every dialog asks.
    fn write(&mut self, to: Replace) {
        // A folder is no file to be replaced: writing says so.
        let stands = to.path.symlink_metadata().is_ok() && !to.path.is_dir();
        if stands { self.state.questions.replace = Some(to) } else { self.replace(to) }
    }

    /// Writes there, whatever stands there.
    fn replace(&mut self, Replace { purpose, path }: Replace) {
        match purpose {
            Purpose::Export => return self.export(path),
            Purpose::Recording => return self.save_recording(path),
            Purpose::Figure => return self.save_figure(&path),
            Purpose::Film => {
                let begun = self.begin_film(&path, self.plan);
                return self.told(&path, begun, None);
            }
            Purpose::Still => {
                let saved = self.save_still(&path, self.plan);
                return self.told(&path, saved, Some("The figure is in"));
            }
            Purpose::Open | Purpose::Save => {}
        }
        if self.dispatch(Command::SaveAs(path)) {
            self.state.questions.path_field = None;
            self.watch.mine = None;
            self.state.notices.withdraw(Topic::Disk);
            let next = self.after_save.take();
            next.into_iter().for_each(|next| self.proceed(next));
        } else if self.state.questions.path_field.is_none() {
            self.after_save = None;
        }
    }

    /// Writes the state of the run to a file of its own, and offers to open it.
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
            self.state.notices.info(format!("{steps} steps are recorded in {}", path.display()));
        }
    }

    /// Writes the figure that was made when its file was asked for.
    fn save_figure(&mut self, path: &Path) {
        let Some(figure) = self.figure.take() else { return };
        let saved = figure.save(path, figure.usual_size());
        if saved.is_err() {
            self.figure = Some(figure);
        }
        self.told(path, saved, Some("The plots are in"));
    }

    /// Tells what became of a file: with `words` where it is, else why it is not.
    fn told<E: std::fmt::Display>(&mut self, path: &Path, done: Result<(), E>, words: Option<&str>) {
        match done {
            Ok(()) => {
                self.state.questions.path_field = None;
                if let Some(words) = words {
                    self.state.notices.info(format!("{words} {}", path.display()));
                }
            }
            Err(error) => {
                let told = format!("{}: {error}", path.display());
                match &mut self.state.questions.path_field {
                    Some(field) => field.error = Some(told),
                    None => self.state.notices.refused(told, None),
                }
            }
        }
    }

    /// Opens a scene; on a mistake the present one stays.
    fn open_scene(&mut self, path: PathBuf) {
        let first = self.session.scene().is_none();
        let left = self.changes();
        match self.session.dispatch(Command::Open(path)) {
            Ok(()) => {
                self.state.questions.path_field = None;
                self.state.notices.withdraw(Topic::Refused);
                self.look_at_scene();
                let opens = self.session.scene().map(|scene| (scene.opens.speed, scene.opens.paused));
                let (speed, paused) = opens.unwrap_or((1.0, false));
                self.dispatch(Command::SetSpeed(speed));
                if paused {
                    self.dispatch(Command::Pause);
                } else if first {
                    self.dispatch(Command::Play);
                }
                self.offer_back(left);
            }
            Err(error) => self.tell(&error),
        }
    }

    /// Offers what a process that ended without saving has left.
    pub(super) fn offer_recovered(&mut self) {
        for found in self.recovery.found() {
            let name = found.file.as_deref().and_then(Path::file_name);
            let of = name.map_or_else(|| "a new scene".into(), |name| name.to_string_lossy().into_owned());
            let text = format!("Work on {of} was not saved when Delassus ended last.");
            let request = Box::new(Request::Recover(found.copy));
            self.state.notices.offer(text, Remedy::Ask { label: "Recover".into(), request });
        }
    }

    /// Opens what was left, as unsaved; the copy goes once it is open.
    fn recover(&mut self, copy: &Path) {
        let Some(found) = self.recovery.found().into_iter().find(|found| found.copy == copy) else {
            self.state.notices.error("That work is no longer there.".to_owned(), None);
            return;
        };
        match self.session.dispatch(Command::Recover { text: found.text, file: found.file }) {
            Ok(()) => {
                self.look_at_scene();
                // What cannot be removed is offered again.
                let _ = std::fs::remove_file(copy);
            }
            Err(error) => self.tell(&error),
        }
    }

    /// Looks from where the scene's file says, or, if it says nothing, so that everything is seen.
    fn look_at_scene(&mut self) {
        let doc = self.session.scene().map(|scene| scene.camera).unwrap_or_default();
        // What was hidden when this file was last open is hidden again.
        self.state.view3d.veil.follow(&self.session);
        let size = self.state.view3d.rect.size();
        let aspect = if size.y > 0.0 { Some(size.x / size.y) } else { None };
        let camera = &mut self.state.view3d.camera;
        let view = scene_view(&doc);
        camera.set(aspect.map_or(view, |aspect| view.in_a_picture(aspect)));
        let bounds = placing::bounds(self.session.snapshot(), &[], &self.state.view3d.veil)
            .filter(|_| doc == CameraDoc::default());
        if let Some((min, max)) = bounds {
            camera.frame(min, max, aspect.unwrap_or(1.0));
        }
    }

    /// The open file with its title and the settings that were changed in it.
    fn changes(&self) -> Option<LeftBehind> {
        let path = self.session.file().filter(|_| self.session.is_dirty())?.to_owned();
        let settings = self.session.settings();
        let names = self.session.settings_differ_from_file();
        let changes = LIST.iter().filter(|s| names.contains(&s.name)).map(|s| (s.name, (s.get)(settings)));
        Some(LeftBehind { path, title: self.session.title(), changes: changes.collect() })
    }

    /// Flipped switches are play more often than work: leaving them behind asks nothing, but a click brings them back.
    fn offer_back(&mut self, left: Option<LeftBehind>) {
        let Some(left) = left.filter(|left| !left.changes.is_empty()) else { return };
        let LeftBehind { path, title, changes } = left;
        let count = changes.len();
        let settings = if count == 1 { "setting" } else { "settings" };
        let text = format!("{count} changed {settings} of “{title}” were not saved.");
        let request = Request::Restore { path, changes };
        self.state.notices.offer(text, Remedy::Ask { label: "Bring back".into(), request: Box::new(request) });
    }

    fn restore(&mut self, path: PathBuf, changes: Vec<(&'static str, Value)>) {
        self.open_scene(path);
        for (name, value) in changes {
            self.dispatch(Command::Set { name, value });
        }
    }

    /// Whether opening another scene leaves nothing behind but changed settings of a file.
    fn can_be_brought_back(&self, request: &Request) -> bool {
        let (Request::Open(_), Some(now), Some(file)) = (request, self.session.scene(), self.session.file()) else {
            return false;
        };
        scene::read(file).is_ok_and(|on_disk| without_settings(now) == without_settings(&on_disk.scene))
    }

    fn ask(&mut self, purpose: Purpose) {
        if self.dialog_open {
            return;
        }
        if let Some(open) = &self.open {
            self.dialog_open = true;
            if let Some(proxy) = &self.proxy {
                dialog::ask(purpose, self.session.file(), &open.window, proxy.clone());
            }
        }
    }

    /// A file dialog has closed.
    pub(super) fn answered(&mut self, answer: Answer) {
        self.dialog_open = false;
        match (answer.purpose, answer.path) {
            // The question about unsaved changes was asked before the dialog.
            (Purpose::Open, Some(path)) => self.proceed(Request::Open(path)),
            (Purpose::Save, Some(path)) => self.proceed(Request::SaveAs(path)),
            (Purpose::Export, Some(path)) => self.proceed(Request::Export(path)),
            (Purpose::Recording, Some(path)) => self.proceed(Request::SaveRecording(path)),
            (Purpose::Figure, Some(path)) => self.proceed(Request::SaveFigure(path)),
            (Purpose::Film, Some(path)) => self.proceed(Request::RecordFilm(path)),
            (Purpose::Still, Some(path)) => self.proceed(Request::SaveStill(path)),
            (purpose, None) if answer.unavailable => {
                let now = self.session.file().map_or_else(String::new, |file| file.display().to_string());
                let text = match purpose {
                    Purpose::Export => now.replace(".ron", "-state.ron"),
                    Purpose::Recording => now.replace(".ron", "-run.ron"),
                    Purpose::Figure | Purpose::Still if now.is_empty() => "figure.png".into(),
                    Purpose::Figure | Purpose::Still => now.replace(".ron", ".png"),
                    Purpose::Film if now.is_empty() => "film.png".into(),
                    Purpose::Film => now.replace(".ron", "-film.png"),
                    Purpose::Open | Purpose::Save => now,
                };
                self.state.questions.path_field = Some(PathField::new(purpose, text));
            }
            (_, None) => self.after_save = None,
        }
        self.follow_file();
    }

    /// Shows an error, each mistake of a file as a notice of its own.
    pub(super) fn tell(&mut self, error: &SessionError) {
        /// More mistakes than this at once help nobody.
        const MOST: usize = 4;
        // Where a path is being typed, what is wrong with it stands beneath it.
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
        for mistake in mistakes.iter().take(MOST) {
            let place = Place { path: mistake.file.clone(), line: mistake.line };
            self.state.notices.refused(short(mistake), (mistake.line > 0).then_some(Remedy::ShowLine(place)));
        }
        if mistakes.len() > MOST {
            self.state.notices.refused(format!("… and {} more mistakes", mistakes.len() - MOST), None);
        }
    }
}

/// A mistake with the file's name only: the path would fill the notice.
fn short(mistake: &scene::Mistake) -> String {
    let name = mistake.file.file_name().map(Path::new);
    scene::Mistake { file: name.map(Path::to_path_buf).unwrap_or_default(), ..mistake.clone() }.to_string()
}

fn without_settings(scene: &Scene) -> Scene {
    Scene { settings: SettingsPatch::default(), ..scene.clone() }
}

/// The ending that the library looks for.
fn with_ending(path: PathBuf) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension("ron") }
}
