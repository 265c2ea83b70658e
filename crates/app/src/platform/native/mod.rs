//! The desktop: a window of the system, which winit drives.

mod clipboard;
mod dialog;
mod file_poll;
mod frame;
mod icon;
mod screen;
mod settings;
mod window;

use winit::error::EventLoopError;
use winit::event_loop::{EventLoop, EventLoopProxy};

pub use clipboard::{Clipboard, ClipboardError};
pub(crate) use dialog::ask;
pub(crate) use file_poll::FilePoll;
pub(crate) use screen::Screen;
pub(crate) use settings::{config_folder, documents, recovery_folder};
pub(crate) use window::Host;

use crate::dialog::Purpose;
use crate::window::{App, UserEvent};
use crate::{AppError, Start, recovery};

/// Whether a frame can wait for the graphics card to give back a picture.
pub(crate) const READS_BACK: bool = true;

/// The ending of the name that is suggested for plots.
pub(crate) const PLOTS_ENDING: &str = "png";

/// Why files of this purpose cannot be asked for: here they always can.
pub(crate) fn refusal(_: Purpose) -> Option<&'static str> {
    None
}

/// What the event loop is woken by: the application's own events, and those of the accessibility adapter.
#[derive(Debug)]
pub(crate) enum WakeEvent {
    App(UserEvent),
    Accessibility(egui_winit::accesskit_winit::Event),
}

impl From<egui_winit::accesskit_winit::Event> for WakeEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// Sends events to the application from any thread.
#[derive(Clone, Debug)]
pub struct Proxy(EventLoopProxy<WakeEvent>);

impl Proxy {
    /// Sends an event; false if the window is closed by now.
    pub fn send(&self, event: UserEvent) -> bool {
        self.0.send_event(WakeEvent::App(event)).is_ok()
    }
}

/// Opens the window, and returns when it is closed.
///
/// # Errors
/// No display, or no graphics adapter.
pub fn run(start: Start) -> Result<(), AppError> {
    let event_loop = event_loop()?;
    let mut app = App::new(Proxy(event_loop.create_proxy()), start);
    if let Some(orders) = app.recovery.orders()
        && let Err(error) = recovery::last_words::install(orders)
    {
        eprintln!("Unsaved work will not be kept when a signal ends the program: {error}");
    }
    let ran = event_loop.run_app(&mut app);
    // If the display is gone, what was not saved is kept. After a regular end there is nothing to keep.
    app.recovery.flush();
    ran.map_err(|error| AppError::NoDisplay(reason(&error)))?;
    match app.failure.take() {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// The message of winit's error, without its source location.
fn reason(error: &EventLoopError) -> String {
    match error {
        EventLoopError::Os(os) => {
            let text = os.to_string();
            text.rsplit_once(".rs:")
                .and_then(|(_, rest)| rest.split_once(": "))
                .map_or(text.clone(), |(_, why)| why.into())
        }
        other => other.to_string(),
    }
}

/// winit panics if a library that it loads at run time is missing: the panic is turned into an error.
fn event_loop() -> Result<EventLoop<WakeEvent>, AppError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(|| EventLoop::with_user_event().build());
    std::panic::set_hook(hook);
    match built {
        Ok(Ok(event_loop)) => Ok(event_loop),
        Ok(Err(error)) => Err(AppError::NoDisplay(reason(&error))),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(AppError::NoDisplay(text.unwrap_or_else(|| "a library is missing".into())))
        }
    }
}
