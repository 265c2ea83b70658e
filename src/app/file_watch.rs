//! The scene's file on the disk, and those of its parts: another program may write them while they are open here. A
//! thread looks at their times and lengths several times a second, so that the window never waits for a disk; what the
//! file then holds is compared with what was read, so that neither our own saving nor a mere touch is taken for a
//! change. (The crate notify was tried: a file that an editor replaces is lost from then on, so folders would have to
//! be watched, which takes as many lines as looking does, and disks of the network tell nothing.)

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use winit::event_loop::EventLoopProxy;

use super::window::{App, UserEvent};
use crate::scene::part_names;
use crate::session::{Command, Conflict, OnDisk};
use crate::ui::{
    notices::{Remedy, Topic},
    request::Request,
    shell::conflict::ConflictView,
};

/// Time between two looks.
const EVERY: Duration = Duration::from_millis(300);

/// What is watched, and what the user knows of it.
pub(super) struct FileWatch {
    asked: Arc<Mutex<Vec<PathBuf>>>,
    /// The document's file when it was last looked at.
    file: Option<PathBuf>,
    /// The content, hashed, that the user wants to write over.
    pub(super) mine: Option<u64>,
    parts: PartFiles,
    /// The user knows that the file is gone.
    gone: bool,
}

/// The files of the scene's parts.
#[derive(Default)]
struct PartFiles {
    /// The session's counts of opened documents and of changes of the bodies that the list was last looked at.
    made_at: (u64, u64),
    /// The scene's own parts as it called them then; a drag in a scene reads no files.
    names: Vec<String>,
    /// With their contents, hashed, that the user knows of; none where there is no file.
    known: Vec<(PathBuf, Option<u64>)>,
}

/// Time and length of a file, if it is there.
type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(file: &Path) -> Stamp {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok(), found.len()))
}

impl FileWatch {
    /// Watches nothing yet; without an event loop it never tells of anything by itself.
    pub fn new(proxy: Option<EventLoopProxy<UserEvent>>) -> Self {
        let asked: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
        if let Some(proxy) = proxy {
            let asked = asked.clone();
            thread::spawn(move || look(&asked, &proxy));
        }
        Self { asked, file: None, mine: None, parts: PartFiles::default(), gone: false }
    }
}

/// The files with their stamps.
fn stamps(files: Vec<PathBuf>) -> Vec<(PathBuf, Stamp)> {
    let stamped = |file: PathBuf| {
        let stamp = stamp(&file);
        (file, stamp)
    };
    files.into_iter().map(stamped).collect()
}

fn look(asked: &Mutex<Vec<PathBuf>>, proxy: &EventLoopProxy<UserEvent>) {
    let mut last = Vec::new();
    loop {
        thread::sleep(EVERY);
        let files = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let now = stamps(files);
        // A file that is new here may have been written between its reading and this first look, too.
        if now != last && !now.is_empty() && proxy.send_event(UserEvent::FileTouched).is_err() {
            return;
        }
        last = now;
    }
}

/// The content of a file in one number.
fn content(file: &Path) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    std::fs::read(file).ok()?.hash(&mut hasher);
    Some(hasher.finish())
}

impl App {
    /// Follows the document to another file: watched from now on, and among the recent ones. So are its parts.
    pub(super) fn follow_file(&mut self) {
        let file = self.session.file();
        let elsewhere = self.watch.file.as_deref() != file;
        let file = file.map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
        if elsewhere {
            self.state.recent.note(file.as_deref());
            self.watch.file = self.session.file().map(Path::to_path_buf);
            (self.watch.mine, self.watch.gone) = (None, false);
            self.state.notices.withdraw(Topic::Disk);
        }
        if self.follow_parts() || elsewhere {
            let parts = self.watch.parts.known.iter().map(|(file, _)| file.clone());
            *self.watch.asked.lock().unwrap_or_else(PoisonError::into_inner) = file.into_iter().chain(parts).collect();
        }
    }

    /// Keeps the list of the parts' files; true if it may be another one now.
    fn follow_parts(&mut self) -> bool {
        let parts = &mut self.watch.parts;
        let now = (self.session.opened(), self.session.generation());
        if now == parts.made_at {
            return false;
        }
        let same_document = now.0 == parts.made_at.0;
        if !same_document {
            self.state.notices.withdraw(Topic::Disk);
        }
        parts.made_at = now;
        let scene = self.session.scene();
        let names = || scene.into_iter().flat_map(part_names);
        if same_document && names().eq(parts.names.iter().map(String::as_str)) {
            return false;
        }
        parts.names = names().map(str::to_owned).collect();
        let old = std::mem::take(&mut parts.known);
        let known = |file: PathBuf| {
            let before = old.iter().find(|(known, _)| same_document && *known == file).map(|(_, content)| *content);
            let content = before.unwrap_or_else(|| content(&file));
            (file, content)
        };
        parts.known = self.session.part_files().into_iter().map(known).collect();
        true
    }

    /// Offers to read the parts again if another program has changed their files.
    fn parts_touched(&mut self) {
        let parts = &self.watch.parts.known;
        let changed = |(file, known): &&(PathBuf, Option<u64>)| content(file).is_some_and(|now| Some(now) != *known);
        let names: Vec<_> = parts.iter().filter(changed).filter_map(|(file, _)| file.file_name()).collect();
        let what = match names.as_slice() {
            [] => return self.state.notices.withdraw(Topic::Disk),
            [name] => format!("the part {}", name.to_string_lossy()),
            many => format!("{} parts of this scene", many.len()),
        };
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let remedies =
            vec![ask("Read again", Request::Session(Command::ReadParts)), ask("Keep as it is", Request::KeepMine)];
        self.state.notices.ask(Topic::Disk, format!("Another program has changed {what}."), remedies);
    }

    /// Makes the parts anew from their files; what was edited stays.
    pub(super) fn read_parts(&mut self) {
        if self.dispatch(Command::ReadParts) {
            // They may have other parts in them now.
            self.watch.parts.names.clear();
            self.know_parts();
        }
    }

    /// The user knows of the parts' present contents.
    fn know_parts(&mut self) {
        for (file, known) in &mut self.watch.parts.known {
            *known = content(file);
        }
        self.state.notices.withdraw(Topic::Disk);
    }

    /// Offers to reload the file if another program has changed it.
    pub(super) fn file_touched(&mut self) {
        self.state.recent.look();
        let Some(file) = self.session.file() else { return self.parts_touched() };
        let on_disk = self.session.on_disk();
        if on_disk == OnDisk::Gone {
            return self.file_gone();
        }
        self.watch.gone = false;
        if on_disk != OnDisk::Changed {
            return self.parts_touched();
        }
        let now = content(file);
        if now.is_none() || now == self.watch.mine {
            return self.parts_touched();
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let (text, remedies) = if self.session.is_dirty() {
            (
                format!("Another program has changed {name}, and there are unsaved changes here."),
                vec![
                    ask("Show differences", Request::ShowConflict),
                    ask("Take theirs", Request::Reload),
                    ask("Keep mine", Request::KeepMine),
                ],
            )
        } else {
            (
                format!("Another program has changed {name}."),
                vec![ask("Reload", Request::Reload), ask("Keep mine", Request::KeepMine)],
            )
        };
        self.state.notices.ask(Topic::Disk, text, remedies);
    }

    /// Says that the file is gone, once.
    fn file_gone(&mut self) {
        if std::mem::replace(&mut self.watch.gone, true) {
            return;
        }
        let name = self.session.file().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let remedies = vec![ask("Write it again", Request::Overwrite), ask("Save as…", Request::SaveAsDialog)];
        let text = format!("{name} has been deleted or moved. What is open here is not on the disk any more.");
        self.state.notices.ask(Topic::Disk, text, remedies);
    }

    /// Takes the file as it is now; what was here comes back by an undo.
    pub(super) fn reload(&mut self) {
        let mine = self.session.is_dirty();
        if !self.dispatch(Command::Reload) {
            return;
        }
        self.agree();
        if mine {
            let name = self.session.file().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let undo = Request::Session(Command::Undo);
            let remedy = Remedy::Ask { label: "Undo".into(), request: Box::new(undo) };
            self.state
                .notices
                .offer(format!("This is {name} as it is on the disk; your changes are set aside."), remedy);
        }
    }

    /// Shows how the document and its file differ.
    pub(super) fn show_conflict(&mut self) {
        match self.session.conflict() {
            Ok(conflict) => self.state.questions.conflict = Some(ConflictView::new(conflict)),
            Err(error) => self.tell(&error),
        }
    }

    /// Makes one scene of both.
    pub(super) fn merge(&mut self, conflict: Box<Conflict>, theirs: Vec<bool>) {
        if self.dispatch(Command::Merge { conflict, theirs }) {
            self.agree();
            // It may have been written once more meanwhile.
            self.file_touched();
        }
    }

    /// The document and its file, and the parts', are known to the user as they are now.
    fn agree(&mut self) {
        (self.watch.mine, self.watch.gone) = (None, false);
        self.watch.parts.names.clear();
        self.watch.parts.made_at = (0, 0);
        self.follow_parts();
        self.know_parts();
    }

    /// The file's present content may be written over.
    pub(super) fn keep_mine(&mut self) {
        self.watch.mine = self.session.file().and_then(content);
        self.know_parts();
    }

    /// Saves to the document's own file; asks first where that would write over what another program has put there.
    pub(super) fn save(&mut self) {
        let state = self.session.on_disk();
        let known = || self.watch.mine.is_some() && self.session.file().and_then(content) == self.watch.mine;
        if state == OnDisk::Changed && !known() {
            self.state.questions.overwrite = true;
            return;
        }
        self.overwrite(state == OnDisk::Gone);
    }

    /// Saves to the document's own file whatever it holds.
    pub(super) fn overwrite(&mut self, was_gone: bool) {
        if self.dispatch(Command::Save) {
            (self.watch.mine, self.watch.gone) = (None, false);
            self.state.notices.withdraw(Topic::Disk);
            if was_gone {
                self.state.notices.notice("The file had been deleted or moved: it was written anew.");
            }
        }
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
