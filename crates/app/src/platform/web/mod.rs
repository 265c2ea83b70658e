//! The browser: a canvas of a page, which eframe drives. There is one thread, so steps are made within a frame's budget.

mod dialog;
mod download;
mod page;
mod screen;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;

pub(crate) use dialog::ask;
pub use page::{Look, run};
pub(crate) use screen::Screen;

use crate::dialog::Purpose;
use crate::window::UserEvent;

/// Whether a frame can wait for the graphics card to give back a picture.
pub(crate) const READS_BACK: bool = false;

/// The ending of the name that is suggested for plots: a page cannot write text into pictures.
pub(crate) const PLOTS_ENDING: &str = "svg";

/// Why files of this purpose cannot be asked for.
pub(crate) fn refusal(purpose: Purpose) -> Option<&'static str> {
    match purpose {
        Purpose::Folder => {
            Some("The browser version cannot see the folders of the disk. Open scenes one by one, or drop them here.")
        }
        Purpose::Film | Purpose::Still => Some(
            "The browser version cannot record the view yet. The desktop version \
                                                can.",
        ),
        _ => None,
    }
}

/// What the page is woken by.
pub(crate) enum WakeEvent {
    App(UserEvent),
    /// A file that was dropped on the page is read.
    Dropped(PathBuf),
}

/// Hands events to the next frame.
#[derive(Clone)]
pub struct Proxy {
    events: Arc<Mutex<Vec<WakeEvent>>>,
    ctx: egui::Context,
}

impl Proxy {
    fn new(ctx: egui::Context) -> Self {
        Self { events: Arc::default(), ctx }
    }

    /// Hands over an event, and asks for a frame.
    fn wake(&self, event: WakeEvent) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.ctx.request_repaint();
    }

    /// Sends an event; true, as a page is never closed before its frames end.
    pub fn send(&self, event: UserEvent) -> bool {
        self.wake(WakeEvent::App(event));
        true
    }

    fn take(&self) -> Vec<WakeEvent> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The page, as far as the application asks something of it.
pub(crate) struct Host {
    ctx: egui::Context,
}

impl Host {
    /// Asks for a frame.
    pub fn request_redraw(&self) {
        self.ctx.request_repaint();
    }

    pub fn set_title(&self, title: &str) {
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(title);
        }
    }
}

/// No other program changes the files of a page.
#[derive(Default)]
pub(crate) struct FilePoll;

impl FilePoll {
    pub fn new(_: Option<Proxy>) -> Self {
        Self
    }

    pub fn set(&self, _: impl Iterator<Item = PathBuf>) {}
}

/// Why a picture cannot be copied.
#[derive(Debug, thiserror::Error)]
#[error("the browser version can copy text only")]
pub struct ClipboardError;

/// The clipboard for pictures, which a page does not have.
#[derive(Default)]
pub struct Clipboard;

impl Clipboard {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn put(&mut self, _: RgbaImage) -> Result<(), ClipboardError> {
        Err(ClipboardError)
    }
}

/// The folder of the settings, whose files are kept in the browser's local storage.
pub(crate) fn config_folder() -> Option<PathBuf> {
    Some(PathBuf::from(SETTINGS))
}

const SETTINGS: &str = "settings";

/// Unsaved work is not kept.
pub(crate) fn recovery_folder() -> Option<PathBuf> {
    None
}

/// Files have no folders.
pub(crate) fn documents() -> PathBuf {
    PathBuf::new()
}
