//! Watches the files of the scene and of its parts, which other programs may change while they are open. A thread
//! polls their times and lengths several times a second, so that the window never waits for the disk. A changed file
//! is compared with the content that was read, so that neither our own saves nor a new time stamp count as a change. (The
//! crate notify was tried: it loses a file that an editor replaces, so folders would have to be watched, which takes
//! as much code as polling, and network drives send no events.)

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::dialog::Purpose;
use super::platform::{FilePoll, Proxy};
use super::window::App;
use delassus_files::{built_in, file_reader};
use delassus_scene::{MAX_BYTES, part_names};
use delassus_session::{Command, Conflict, OnDisk};
use delassus_ui::{
    notices::{Remedy, Topic},
    request::Request,
    shell::conflict::ConflictView,
};

/// The watched files, and what the user knows about them.
pub(super) struct FileWatch {
    polled: FilePoll,
    /// The document's file at the last update.
    file: Option<PathBuf>,
    /// Hash of the file content that the user has decided to overwrite.
    pub(super) may_overwrite: Option<u64>,
    parts: PartFiles,
    /// The user was told that the file is gone.
    gone: bool,
}

/// The files of the scene's parts.
#[derive(Default)]
struct PartFiles {
    /// The session's counts of opened documents and of generations at the last update of the list.
    made_at: (u64, u64),
    /// The names of the scene's parts at that time; as long as they stay the same, no files are read.
    names: Vec<String>,
    /// The files with a hash of the content that the user knows of; `None` if there is no file.
    known: Vec<(PathBuf, Option<u64>)>,
}

impl FileWatch {
    /// Watches nothing yet; without an event loop it never sends events.
    pub fn new(proxy: Option<Proxy>) -> Self {
        Self { polled: FilePoll::new(proxy), file: None, may_overwrite: None, parts: PartFiles::default(), gone: false }
    }

    /// Whether the document's file is known to be gone.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// Asks again about changes of the document's file.
    pub fn forget_answers(&mut self) {
        (self.may_overwrite, self.gone) = (None, false);
    }
}

/// A hash of a file's content.
fn content(file: &Path) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    file_reader::bytes(file, MAX_BYTES).ok()?.hash(&mut hasher);
    Some(hasher.finish())
}

impl App {
    /// Updates the watched files and the recent files after the document's file or its parts have changed.
    pub(super) fn follow_file(&mut self) {
        let file = self.session.file();
        let file_changed = self.watch.file.as_deref() != file;
        let file = file.map(built_in::absolute);
        if file_changed {
            self.state.recent.note(file.as_deref());
            self.watch.file = self.session.file().map(Path::to_path_buf);
            (self.watch.may_overwrite, self.watch.gone) = (None, false);
            self.state.notices.withdraw(Topic::Disk);
        }
        if self.follow_parts() || file_changed {
            let parts = self.watch.parts.known.iter().map(|(file, _)| file.clone());
            let files = file.into_iter().chain(parts).filter(|file| !built_in::is_built_in(file));
            self.watch.polled.set(files);
        }
    }

    /// Updates the list of the parts' files; true if it may have changed.
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

    /// Rebuilds the parts from their files; edits of the scene are kept.
    pub(super) fn read_parts(&mut self) {
        if self.dispatch(Command::ReadParts) {
            // The parts may contain other parts now.
            self.watch.parts.names.clear();
            self.mark_parts_known();
        }
    }

    /// Marks the parts' current contents as known to the user.
    fn mark_parts_known(&mut self) {
        for (file, known) in &mut self.watch.parts.known {
            *known = content(file);
        }
        self.state.notices.withdraw(Topic::Disk);
    }

    /// Offers to reload the file if another program has changed it.
    pub(super) fn file_touched(&mut self) {
        self.state.recent.check_files();
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
        if now.is_some() && now == self.watch.may_overwrite {
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

    /// Shows once that the file is gone.
    fn file_gone(&mut self) {
        if std::mem::replace(&mut self.watch.gone, true) {
            return;
        }
        let name = self.session.file().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let remedies = vec![ask("Write it again", Request::Overwrite), ask("Save as…", Request::SaveAsDialog)];
        let text = format!("{name} has been deleted or moved. What is open here is no longer on the disk.");
        self.state.notices.ask(Topic::Disk, text, remedies);
    }

    /// Loads the file's current content; an undo brings back the previous document.
    pub(super) fn reload(&mut self) {
        let mine = self.session.is_dirty();
        if !self.dispatch(Command::Reload) {
            return;
        }
        self.mark_all_known();
        if mine {
            let name = self.session.file().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let words = format!("This is {name} as it is on the disk; your changes are set aside.");
            self.state.notices.offer_undo(words);
        }
    }

    /// Shows the differences between the document and its file.
    pub(super) fn show_conflict(&mut self) {
        match self.session.conflict() {
            Ok(conflict) => self.state.questions.conflict = Some(ConflictView::new(conflict)),
            Err(error) => self.show_error(&error),
        }
    }

    /// Merges the document with its file.
    pub(super) fn merge(&mut self, conflict: Box<Conflict>, theirs: Vec<bool>) {
        if self.dispatch(Command::Merge { conflict, theirs }) {
            self.mark_all_known();
            // The file may have changed again meanwhile.
            self.file_touched();
        }
    }

    /// Marks the current contents of the document's file and of the parts as known to the user.
    fn mark_all_known(&mut self) {
        (self.watch.may_overwrite, self.watch.gone) = (None, false);
        self.watch.parts.names.clear();
        self.watch.parts.made_at = (0, 0);
        self.follow_parts();
        self.mark_parts_known();
    }

    /// Marks the file's current content as one that may be overwritten.
    pub(super) fn keep_mine(&mut self) {
        self.watch.may_overwrite = self.session.file().and_then(content);
        self.mark_parts_known();
    }

    /// Saves to the document's own file; asks first if another program has changed it.
    pub(super) fn save(&mut self) {
        // A scene within the program cannot be overwritten: the changed scene becomes a new file.
        if self.session.file().is_some_and(built_in::is_built_in) {
            return self.ask(Purpose::Save);
        }
        let state = self.session.on_disk();
        let known =
            || self.watch.may_overwrite.is_some() && self.session.file().and_then(content) == self.watch.may_overwrite;
        if state == OnDisk::Changed && !known() {
            self.state.questions.overwrite = true;
            return;
        }
        self.overwrite(state == OnDisk::Gone);
    }

    /// Saves to the document's own file, whatever it contains.
    pub(super) fn overwrite(&mut self, was_gone: bool) {
        if self.dispatch(Command::Save) {
            (self.watch.may_overwrite, self.watch.gone) = (None, false);
            self.state.notices.withdraw(Topic::Disk);
            if was_gone {
                self.state.notices.notice("The file had been deleted or moved: it was created again.");
            }
        }
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
