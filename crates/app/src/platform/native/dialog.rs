//! The system's file dialogs. A dialog runs on its own thread and answers through the event loop, so that the window
//! never waits for it.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::{Host, Proxy};
use crate::dialog::{Answer, Pick, Purpose, Question};
use crate::window::UserEvent;

/// A user needs longer than this to cancel a dialog.
const MIN_DIALOG_TIME: Duration = Duration::from_millis(400);

/// Shows a dialog. `scene` is the open scene's file, whose folder and name are its defaults.
pub(crate) fn ask(purpose: Purpose, scene: Option<&Path>, host: &Host, proxy: Proxy) {
    let Question { title, kind, endings, pick } = Question::of(purpose, scene);
    let mut dialog = rfd::AsyncFileDialog::new().add_filter(kind, endings).set_parent(&*host.window).set_title(title);
    let folder = scene.and_then(Path::parent).filter(|folder| folder.is_dir());
    if let Some(folder) = folder.and_then(|folder| folder.canonicalize().ok()) {
        dialog = dialog.set_directory(folder);
    }
    let started = Instant::now();
    // The dialog is created on the window's thread; only waiting for it happens on the other one.
    let future: std::pin::Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> = match pick {
        Pick::File => Box::pin(dialog.pick_file()),
        Pick::Folder => Box::pin(dialog.pick_folder()),
        Pick::NewFile(name) => Box::pin(dialog.set_file_name(name).save_file()),
    };
    thread::spawn(move || {
        let path = pollster::block_on(future).map(|file| file.path().to_owned());
        let unavailable = path.is_none() && started.elapsed() < MIN_DIALOG_TIME;
        // If the window is closed by now, the answer is dropped.
        proxy.send(UserEvent::Dialog(Answer { purpose, path, unavailable }));
    });
}
