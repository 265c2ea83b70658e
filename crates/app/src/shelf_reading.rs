//! When the library's folders and the lessons are read. They are many files, perhaps on a slow disk. So only the first
//! reading happens before the window is shown, and all others happen on a thread.

use std::thread;

use super::shelf::{ReadShelf, ShelfRequest};
use super::window::{App, UserEvent};
use delassus_physics::threads;
use delassus_scene::library;
use delassus_ui::view::Shelf;

impl App {
    /// Reads the library's folder and the lessons again.
    pub(super) fn refresh_shelf(&mut self) {
        let request = self.shelf_request();
        let Some(proxy) =
            self.proxy.clone().filter(|_| threads::AVAILABLE && self.open.is_some() && self.shelf != Shelf::default())
        else {
            return self.take_shelf(request.read());
        };
        let send = move || {
            // If the window is closed by now, nobody needs it.
            proxy.send(UserEvent::Shelf(Box::new(request.read())));
        };
        if let Err(error) = thread::Builder::new().name("library".into()).spawn(send) {
            self.state.notices.error(format!("The library cannot be read again: {error}"), None);
        }
    }

    /// The request to read the shelf as it is now.
    pub(super) fn shelf_request(&mut self) -> ShelfRequest {
        self.shelf_requests += 1;
        ShelfRequest {
            root: self.scenes.clone(),
            folders: library::own_folders(&self.config.folders),
            own: self.own.clone(),
            number: self.shelf_requests,
        }
    }

    /// Shows what was read, unless a newer request is under way.
    pub(super) fn take_shelf(&mut self, read: ReadShelf) {
        if read.number != self.shelf_requests {
            return;
        }
        self.shelf = read.shelf;
        if let (Some((_, own)), Some(newer)) = (&mut self.own, read.own) {
            *own = newer;
        }
    }
}
