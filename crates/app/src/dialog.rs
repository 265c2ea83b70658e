//! The system's file dialogs. A dialog runs on its own thread and answers through the event loop, so that the window
//! never waits for it.

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use winit::{event_loop::EventLoopProxy, window::Window};

use super::window::UserEvent;
pub use delassus_ui::request::Purpose;

/// The answer of a dialog.
#[derive(Clone, Debug)]
pub struct Answer {
    pub purpose: Purpose,
    /// `None` if it was cancelled, or there is no dialog.
    pub path: Option<PathBuf>,
    /// It failed faster than anybody could cancel it: there is no dialog service.
    pub unavailable: bool,
}

/// A user needs longer than this to cancel a dialog.
const TOO_QUICK: Duration = Duration::from_millis(400);

/// Shows a dialog. `scene` is the open scene's file, whose folder and name are its defaults.
pub fn ask(purpose: Purpose, scene: Option<&Path>, window: &Window, proxy: EventLoopProxy<UserEvent>) {
    let (kind, endings): (_, &[&str]) = match purpose {
        Purpose::Figure => ("Picture or table", &["png", "svg", "csv"]),
        Purpose::Results => ("Page", &["html"]),
        Purpose::Film => ("Film", &["png", "gif"]),
        Purpose::Still => ("Picture", &["png"]),
        _ => ("Delassus scene", &["ron"]),
    };
    let mut dialog = rfd::AsyncFileDialog::new().add_filter(kind, endings).set_parent(window);
    let folder = scene.and_then(Path::parent).filter(|folder| folder.is_dir());
    if let Some(folder) = folder.and_then(|folder| folder.canonicalize().ok()) {
        dialog = dialog.set_directory(folder);
    }
    let started = Instant::now();
    // The dialog is created on the window's thread; only waiting for it happens on the other one.
    let future: std::pin::Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> = match purpose {
        Purpose::Open => Box::pin(dialog.set_title("Open scene").pick_file()),
        Purpose::Folder => Box::pin(dialog.set_title("Add a folder of scenes").pick_folder()),
        Purpose::Save => {
            let name = scene.and_then(Path::file_name).map_or_else(|| "scene.ron".into(), |n| n.to_string_lossy());
            Box::pin(dialog.set_title("Save scene as").set_file_name(name).save_file())
        }
        Purpose::Export => {
            let stem = scene.and_then(Path::file_stem).map_or_else(|| "scene".into(), |n| n.to_string_lossy());
            let dialog = dialog.set_title("Save the state as a new scene").set_file_name(format!("{stem}-state.ron"));
            Box::pin(dialog.save_file())
        }
        Purpose::Recording => {
            let stem = scene.and_then(Path::file_stem).map_or_else(|| "scene".into(), |n| n.to_string_lossy());
            Box::pin(dialog.set_title("Save the recording").set_file_name(format!("{stem}-run.ron")).save_file())
        }
        Purpose::Film | Purpose::Still => {
            let stem = scene.and_then(Path::file_stem).map_or_else(|| "scene".into(), |n| n.to_string_lossy());
            let (title, end) =
                if purpose == Purpose::Film { ("Record a film", "-film") } else { ("Save a figure", "") };
            Box::pin(dialog.set_title(title).set_file_name(format!("{stem}{end}.png")).save_file())
        }
        Purpose::Results => {
            let dialog = dialog.set_title("Save the results").set_file_name("results.html");
            Box::pin(dialog.save_file())
        }
        Purpose::Figure => {
            let stem = scene.and_then(Path::file_stem).map_or_else(|| "plots".into(), |n| n.to_string_lossy());
            Box::pin(dialog.set_title("Save plots").set_file_name(format!("{stem}.png")).save_file())
        }
    };
    thread::spawn(move || {
        let path = pollster::block_on(future).map(|file| file.path().to_owned());
        let unavailable = path.is_none() && started.elapsed() < TOO_QUICK;
        // If the window is closed by now, the answer is dropped.
        let _ = proxy.send_event(UserEvent::Dialog(Answer { purpose, path, unavailable }));
    });
}
