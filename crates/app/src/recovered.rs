//! What the window does with unsaved work: it backs up the open scene, and lists, opens and deletes the copies that
//! other processes left.

use std::path::Path;

use super::recovery::KeptWork;
use super::window::App;
use delassus_session::Command;
use delassus_ui::notices::{Remedy, Topic};
use delassus_ui::request::Request;
use delassus_ui::shell::lost_work::{LostWork, LostWorkList};

impl App {
    /// Backs up the unsaved work of the open scene to a folder next to the settings.
    pub(super) fn keep_work(&mut self) {
        if let Err(error) = self.recovery.note(&self.session, self.watch.is_gone()) {
            self.state.notices.error(format!("Unsaved work cannot be backed up: {error}"), None);
        }
    }

    /// Offers the newest unsaved work of processes that ended without saving, and the list of all.
    pub(super) fn offer_recovered(&mut self) {
        let found = self.recovery.found();
        let Some(newest) = found.first() else { return };
        let name = lost(newest.clone()).name();
        let text = match found.len() {
            1 => format!("Delassus ended with unsaved work on {name}."),
            count => format!("Delassus ended with unsaved work. There are {count} copies, the newest of {name}."),
        };
        let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
        let remedies =
            vec![ask("Recover", Request::Recover(newest.copy.clone())), ask("Show all", Request::ListLostWork)];
        self.state.notices.ask(Topic::LostWork, text, remedies);
    }

    /// Shows the list of all copies of unsaved work.
    pub(super) fn list_lost_work(&mut self) {
        let list = self.recovery.found().into_iter().map(lost).collect();
        self.state.lost_work = Some(LostWorkList::new(list));
        // The notice would cover the list, which offers the same and more.
        self.state.notices.withdraw(Topic::LostWork);
    }

    /// Opens a copy as unsaved work. The copy stays until the work is saved or discarded. If the work's file has changed
    /// since, the window asks what to do about it.
    pub(super) fn recover(&mut self, copy: &Path) {
        let (slot, work) = match self.recovery.claim(copy) {
            Ok(claimed) => claimed,
            Err(error) => {
                self.state.notices.error(format!("That work cannot be recovered: {error}"), None);
                return self.list_again();
            }
        };
        if let Err(error) =
            self.session.dispatch(Command::Recover { text: work.text, file: work.file, base: work.base })
        {
            return self.show_error(&error);
        }
        self.recovery.adopt(slot, &self.session);
        self.state.notices.withdraw(Topic::LostWork);
        self.state.lost_work = None;
        self.look_at_scene();
        self.follow_file();
        self.watch.forget_answers();
        self.file_touched();
    }

    /// Deletes a copy of unsaved work.
    pub(super) fn discard_lost_work(&mut self, copy: &Path) {
        if let Err(error) = self.recovery.discard(copy) {
            self.state.notices.error(format!("That work cannot be discarded: {error}"), None);
        }
        self.state.notices.withdraw(Topic::LostWork);
        self.list_again();
    }

    fn list_again(&mut self) {
        if self.state.lost_work.is_some() {
            self.list_lost_work();
        }
    }
}

/// How the list shows a copy.
fn lost(work: KeptWork) -> LostWork {
    let age = work.written.elapsed().unwrap_or_default();
    LostWork { copy: work.copy, title: work.title, file: work.file, age }
}
