//! Opening scenes, and offers to bring back settings that were left unsaved.

use std::path::PathBuf;

use super::scene_view;
use super::window::App;
use delassus_physics::setting::Value;
use delassus_physics::settings::{LIST, SettingsPatch};
use delassus_scene::{self as scene, CameraDoc, Scene};
use delassus_session::Command;
use delassus_ui::notices::{Remedy, Topic};
use delassus_ui::request::Request;
use delassus_ui::view3d::placing;

/// The changed settings of a scene that was left without saving.
struct LeftBehind {
    path: PathBuf,
    title: String,
    changes: Vec<(&'static str, Value)>,
}

impl App {
    /// Opens a scene by this command; if it fails, the current scene stays. Returns whether it is open.
    pub(super) fn open_scene(&mut self, command: Command) -> bool {
        let first = self.session.scene().is_none();
        let left = self.changes();
        let done = self.session.dispatch(command);
        match &done {
            Ok(()) => {
                self.state.questions.path_field = None;
                self.state.notices.withdraw(Topic::Refused);
                self.state.notices.withdraw(Topic::Imported);
                self.look_at_scene();
                let opens = self.session.scene().map(|scene| (scene.opens.speed, scene.opens.paused));
                let (speed, paused) = opens.unwrap_or((1.0, false));
                self.dispatch(Command::SetSpeed(speed));
                if paused {
                    self.dispatch(Command::Pause);
                } else if first {
                    self.dispatch(Command::Play);
                }
                self.offer_back(left);
            }
            Err(error) => self.show_error(error),
        }
        done.is_ok()
    }

    /// Sets the camera of the scene's file, or, if it has none, one that shows everything.
    pub(super) fn look_at_scene(&mut self) {
        let doc = self.session.scene().map(|scene| scene.camera).unwrap_or_default();
        // What was hidden when this file was last open is hidden again.
        self.state.view3d.visibility.update(&self.session);
        let size = self.state.view3d.rect.size();
        let aspect = if size.y > 0.0 { Some(size.x / size.y) } else { None };
        let camera = &mut self.state.view3d.camera;
        let view = scene_view(&doc);
        camera.set(aspect.map_or(view, |aspect| view.in_a_picture(aspect)));
        let bounds = placing::bounds(self.session.snapshot(), &[], &self.state.view3d.visibility)
            .filter(|_| doc == CameraDoc::default());
        if let Some((min, max)) = bounds {
            camera.frame(min, max, aspect.unwrap_or(1.0));
        }
    }

    /// The open file with its title and its changed settings, if there are unsaved changes.
    fn changes(&self) -> Option<LeftBehind> {
        let path = self.session.file().filter(|_| self.session.is_dirty())?.to_owned();
        let settings = self.session.settings();
        let names = self.session.settings_differ_from_file();
        let changes = LIST.iter().filter(|s| names.contains(&s.name)).map(|s| (s.name, (s.get)(settings)));
        Some(LeftBehind { path, title: self.session.title(), changes: changes.collect() })
    }

    /// Changed settings are usually experiments: leaving them asks nothing, but a notice offers to restore them.
    fn offer_back(&mut self, left: Option<LeftBehind>) {
        let Some(left) = left.filter(|left| !left.changes.is_empty()) else { return };
        let LeftBehind { path, title, changes } = left;
        let count = changes.len();
        let settings = if count == 1 { "setting" } else { "settings" };
        let text = format!("{count} changed {settings} of “{title}” were not saved.");
        let request = Request::Restore { path, changes };
        self.state.notices.offer(text, Remedy::Ask { label: "Bring back".into(), request: Box::new(request) });
    }

    pub(super) fn restore(&mut self, path: PathBuf, changes: Vec<(&'static str, Value)>) {
        self.open_scene(Command::Open(path));
        for (name, value) in changes {
            self.dispatch(Command::Set { name, value });
        }
    }

    /// Whether opening another scene loses only changed settings of a file.
    pub(super) fn can_be_brought_back(&self, request: &Request) -> bool {
        let (Request::Open(_) | Request::OpenLaunch(_), Some(now), Some(file)) =
            (request, self.session.scene(), self.session.file())
        else {
            return false;
        };
        scene::read(file).is_ok_and(|on_disk| without_settings(now) == without_settings(&on_disk.scene))
    }
}

fn without_settings(scene: &Scene) -> Scene {
    Scene { settings: SettingsPatch::default(), ..scene.clone() }
}
