//! When the library's folders and the lessons are read. They are many files, which may be on a slow disk: so only the
//! first reading happens before the window is shown, and all others on a thread.

use std::thread;

use super::shelf::{ReadShelf, ShelfRequest};
use super::window::{App, UserEvent};
use delassus_scene::library;
use delassus_ui::view::Shelf;

impl App {
    /// Reads the library's folder and the lessons again.
    pub(super) fn refresh_shelf(&mut self) {
        let asked = self.shelf_asked();
        let Some(proxy) = self.proxy.clone().filter(|_| self.open.is_some() && self.shelf != Shelf::default()) else {
            return self.take_shelf(asked.made());
        };
        let read = move || {
            // If the window is closed by now, nobody needs it.
            let _ = proxy.send_event(UserEvent::Shelf(Box::new(asked.made())));
        };
        if let Err(error) = thread::Builder::new().name("library".into()).spawn(read) {
            self.state.notices.error(format!("The library cannot be read again: {error}"), None);
        }
    }

    /// What to read now.
    pub(super) fn shelf_asked(&mut self) -> ShelfRequest {
        self.shelf_turn += 1;
        ShelfRequest {
            root: self.scenes.clone(),
            folders: library::own_folders(&self.config.folders),
            own: self.own.clone(),
            turn: self.shelf_turn,
        }
    }

    /// Shows what was read, unless it is being read again.
    pub(super) fn take_shelf(&mut self, read: ReadShelf) {
        if read.turn != self.shelf_turn {
            return;
        }
        self.shelf = read.shelf;
        if let (Some((_, own)), Some(newer)) = (&mut self.own, read.own) {
            *own = newer;
        }
    }
}
