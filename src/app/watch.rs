//! The scene's file on the disk: another program may write it while it is open here. A thread looks at its time and
//! length once a second, so that the window never waits for a disk; what the file then holds is compared with what was
//! read, so that neither our own saving nor a mere touch is taken for a change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use winit::event_loop::EventLoopProxy;

use super::window::{App, UserEvent};
use crate::session::{Command, OnDisk};
use crate::ui::{
    Request,
    toasts::{Remedy, Topic},
};

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// What is watched, and what the user knows of it.
pub(super) struct Watch {
    asked: Arc<Mutex<Option<PathBuf>>>,
    /// The document's file when it was last looked at.
    file: Option<PathBuf>,
    /// The content, hashed, that the user wants to write over.
    mine: Option<u64>,
}

/// Time and length of a file, if it is there.
type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(file: &Path) -> Stamp {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok(), found.len()))
}

impl Watch {
    /// Watches nothing yet; without an event loop it never tells of anything by itself.
    pub fn new(proxy: Option<EventLoopProxy<UserEvent>>) -> Self {
        let asked: Arc<Mutex<Option<PathBuf>>> = Arc::default();
        if let Some(proxy) = proxy {
            let asked = asked.clone();
            thread::spawn(move || look(&asked, &proxy));
        }
        Self { asked, file: None, mine: None }
    }
}

fn look(asked: &Mutex<Option<PathBuf>>, proxy: &EventLoopProxy<UserEvent>) {
    let mut last: Option<(PathBuf, Stamp)> = None;
    loop {
        thread::sleep(EVERY);
        let file = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let now = file.map(|file| {
            let stamp = stamp(&file);
            (file, stamp)
        });
        // A file that is new here may have been written between its reading and this first look, too.
        if now != last && now.is_some() && proxy.send_event(UserEvent::FileTouched).is_err() {
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
    /// Follows the document to another file: watched from now on, and among the recent ones.
    pub(super) fn follow_file(&mut self) {
        let file = self.session.file();
        if self.watch.file.as_deref() == file {
            return;
        }
        let file = file.map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
        self.state.recent.note(file.as_deref());
        self.watch.file = self.session.file().map(Path::to_path_buf);
        self.watch.mine = None;
        self.state.toasts.withdraw(Topic::Disk);
        *self.watch.asked.lock().unwrap_or_else(PoisonError::into_inner) = file;
    }

    /// Offers to reload the file if another program has changed it.
    pub(super) fn file_touched(&mut self) {
        self.state.recent.look();
        let Some(file) = self.session.file() else { return };
        if self.session.on_disk() != OnDisk::Changed {
            return self.state.toasts.withdraw(Topic::Disk);
        }
        let now = content(file);
        if now.is_none() || now == self.watch.mine {
            return;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let (text, remedies) = if self.session.is_dirty() {
            let reload = Request::Discard(Box::new(Request::Reload));
            (
                format!("Another program has changed {name}, and there are unsaved changes here."),
                vec![ask("Reload, lose mine", reload), ask("Keep mine", Request::KeepMine)],
            )
        } else {
            (
                format!("Another program has changed {name}."),
                vec![ask("Reload", Request::Reload), ask("Keep mine", Request::KeepMine)],
            )
        };
        self.state.toasts.ask(Topic::Disk, text, remedies);
    }

    /// The file's present content may be written over.
    pub(super) fn keep_mine(&mut self) {
        self.watch.mine = self.session.file().and_then(content);
        self.state.toasts.withdraw(Topic::Disk);
    }

    /// Saves to the document's own file; asks first where that would write over what another program has put there.
    pub(super) fn save(&mut self) {
        let state = self.session.on_disk();
        let known = || self.watch.mine.is_some() && self.session.file().and_then(content) == self.watch.mine;
        if state == OnDisk::Changed && !known() {
            self.state.overwrite = true;
            return;
        }
        self.overwrite(state == OnDisk::Gone);
    }

    /// Saves to the document's own file whatever it holds.
    pub(super) fn overwrite(&mut self, was_gone: bool) {
        if self.dispatch(Command::Save) {
            self.watch.mine = None;
            self.state.toasts.withdraw(Topic::Disk);
            if was_gone {
                self.state.toasts.notice("The file had been deleted or moved: it was written anew.");
            }
        }
    }
}
