//! The window's settings, saved in a small file in the user's configuration folder. If the file or a field is missing
//! or broken, defaults are used, field by field.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::platform::config_folder;
use delassus_files::{file_reader, memory, whole_file};
use delassus_physics::threads;
use delassus_render::orbit_view::OrbitView;
use delassus_ui::{
    UiState,
    panels::lesson::{Answers, Lessons, Progress},
    shell::{
        recent::Recents,
        state::{Panels, RightTab},
        tour::Tour,
        ui_scale::UiScale,
    },
    view3d::{
        View3d,
        overlays::Overlays,
        visibility::{SavedVisibility, Visibility},
    },
    widgets::angles::Angles,
};

/// The largest file of settings, bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The saved settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Inner size of the window, points.
    pub width: f32,
    pub height: f32,
    pub maximized: bool,
    pub theme: ThemeChoice,
    /// Scale of the interface relative to the screen's own, 0.75 to 2.
    pub scale: f32,
    /// The unit of angles on screen.
    pub angles: Angles,
    pub left_panel: bool,
    pub right_panel: bool,
    pub plots: bool,
    /// The time line under the view.
    pub timeline: bool,
    pub overlays: Overlays,
    /// Whether the tour has been offered.
    pub welcomed: bool,
    /// The predictions in lessons, by lesson id.
    pub lessons: Answers,
    /// The runs and drawn curves in lessons, and the lesson to continue with.
    pub lesson_progress: Progress,
    /// The scene that was open last.
    pub scene: Option<PathBuf>,
    /// The recently opened files, newest first.
    pub recent: Vec<PathBuf>,
    /// The user's own folders of scenes, in addition to the program's library.
    pub folders: Vec<PathBuf>,
    /// By file: the bodies that are hidden or locked.
    pub veiled: Vec<SavedVisibility>,
    /// The camera for the last scene.
    pub camera: Option<Eye>,
}

/// A camera position and target, world frame, m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Eye {
    pub eye: Vec3,
    pub target: Vec3,
}

/// The user's choice of theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    #[default]
    Dark,
    Light,
    System,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            width: 1440.0,
            height: 900.0,
            maximized: false,
            theme: ThemeChoice::default(),
            scale: 1.0,
            angles: Angles::default(),
            left_panel: true,
            right_panel: true,
            plots: true,
            timeline: true,
            overlays: Overlays::default(),
            welcomed: false,
            lessons: Answers::new(),
            lesson_progress: Progress::default(),
            scene: None,
            recent: Vec::new(),
            folders: Vec::new(),
            veiled: Vec::new(),
            camera: None,
        }
    }
}

fn file() -> Option<PathBuf> {
    Some(config_folder()?.join("window.ron"))
}

/// The queue of saves. Whichever threads save, older settings never replace newer ones.
#[derive(Default)]
struct Saves {
    /// The newest settings that no thread has started to write.
    newest: Mutex<Option<Config>>,
    writing: Mutex<()>,
}

static SAVES: Saves = Saves { newest: Mutex::new(None), writing: Mutex::new(()) };

impl Saves {
    fn put(&self, config: &Config) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(config.clone());
    }

    /// Writes the newest settings, unless another thread has written them.
    fn write_newest(&self, file: &Path) -> std::io::Result<()> {
        let _guard = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner).take();
        newest.map_or(Ok(()), |config| config.save_to(file))
    }

    fn save(&self, config: &Config, file: &Path) -> std::io::Result<()> {
        self.put(config);
        self.write_newest(file)
    }
}

impl Config {
    /// The saved settings, as far as they can be read.
    pub fn load() -> Self {
        file()
            .and_then(|file| file_reader::text(&file, MAX_BYTES).ok())
            .map_or_else(Self::default, |text| Self::read(&text))
    }

    fn read(text: &str) -> Self {
        let mut config: Self = ron::from_str(text).unwrap_or_default();
        let fits = |v: f32, range: std::ops::RangeInclusive<f32>| v.is_finite() && range.contains(&v);
        if !fits(config.width, 320.0..=16_384.0) || !fits(config.height, 240.0..=16_384.0) {
            (config.width, config.height) = (Self::default().width, Self::default().height);
        }
        if !fits(config.overlays.arrow_scale, 0.01..=100.0) {
            config.overlays.arrow_scale = Overlays::default().arrow_scale;
        }
        config.camera = config.camera.filter(|c| c.eye.is_finite() && c.target.is_finite() && c.eye != c.target);
        config
    }

    /// Writes the file through a temporary one, so that a crash does not leave it incomplete.
    ///
    /// # Errors
    /// If the folder cannot be created or the file cannot be written.
    pub fn save(&self) -> std::io::Result<()> {
        file().map_or(Ok(()), |file| SAVES.save(self, &file))
    }

    /// Saves the settings on a thread, so that the window does not wait for the disk.
    pub fn save_in_background(&self) {
        let Some(file) = file() else { return };
        SAVES.put(self);
        let save = move || {
            SAVES
                .write_newest(&file)
                .unwrap_or_else(|error| eprintln!("The window's settings cannot be saved: {error}"));
        };
        if threads::AVAILABLE {
            drop(std::thread::Builder::new().name("settings".into()).spawn(save));
        } else {
            save();
        }
    }

    fn save_to(&self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        if !memory::TAKES_THE_DISKS_PLACE {
            std::fs::create_dir_all(folder)?;
        }
        let text =
            ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default()).map_err(std::io::Error::other)?;
        whole_file::write(file, text.as_bytes(), (".window", ".tmp"), None)
    }

    /// The interface's state with the saved settings.
    pub fn ui_state(&self) -> UiState {
        UiState {
            theme: match self.theme {
                ThemeChoice::Dark => egui::ThemePreference::Dark,
                ThemeChoice::Light => egui::ThemePreference::Light,
                ThemeChoice::System => egui::ThemePreference::System,
            },
            ui_scale: UiScale::near(self.scale),
            angles: self.angles,
            panels: Panels {
                left: self.left_panel,
                right: self.right_panel,
                plots: self.plots,
                timeline: self.timeline,
                hidden: false,
            },
            // A new user is offered the tour.
            tour: (!self.welcomed).then(Tour::default),
            // The Guide shows what the scene is about, and its lesson.
            right_tab: if self.welcomed { RightTab::default() } else { RightTab::Guide },
            recent: Recents::of(&self.recent),
            lessons: Lessons::of(self.lessons.clone(), self.lesson_progress.clone()),
            view3d: View3d { overlays: self.overlays, visibility: Visibility::of(&self.veiled), ..View3d::default() },
            ..Default::default()
        }
    }

    /// Copies the settings from the interface's state.
    pub fn remember(&mut self, state: &UiState) {
        self.theme = match state.theme {
            egui::ThemePreference::Dark => ThemeChoice::Dark,
            egui::ThemePreference::Light => ThemeChoice::Light,
            egui::ThemePreference::System => ThemeChoice::System,
        };
        self.scale = state.ui_scale.factor();
        self.angles = state.angles;
        self.welcomed = true;
        self.lessons.clone_from(&state.lessons.answers);
        self.lesson_progress.clone_from(&state.lessons.progress);
        self.left_panel = state.panels.left;
        self.right_panel = state.panels.right;
        self.plots = state.panels.plots;
        self.timeline = state.panels.timeline;
        self.overlays = state.view3d.overlays;
        self.recent = state.recent.paths();
        self.veiled = state.view3d.visibility.kept(&self.recent);
        let OrbitView { focus, .. } = state.view3d.camera.view;
        self.camera = Some(Eye { eye: state.view3d.camera.eye(), target: focus });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_ui::panels::lesson::ExerciseRecord;

    #[test]
    fn a_broken_file_is_no_error() {
        for text in ["", "(", "(width: \"wide\")", "(width: NaN)", "(width: -3, height: 1e30)", "\u{0}\u{1}", "[1, 2]"]
        {
            assert_eq!(Config::read(text).width, Config::default().width, "{text:?}");
        }
    }

    #[test]
    fn unknown_and_missing_fields_are_forgiven() {
        let config = Config::read("(height: 700, theme: Light, from_the_future: 3)");
        assert_eq!((config.height, config.theme), (700.0, ThemeChoice::Light));
        assert_eq!(config.width, Config::default().width);
    }

    #[test]
    fn after_a_fault_at_any_point_of_saving_the_old_settings_are_read_or_the_new() {
        use delassus_files::fault::{FaultKind, at_each_point};
        for kind in [FaultKind::Fails, FaultKind::Crashes] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("window.ron");
            let old = Config { width: 1000.0, ..Config::default() };
            let new = Config { width: 1200.0, angles: Angles::Radians, ..Config::default() };
            let text = ron::ser::to_string(&old).expect("it is plain data");
            let write = || {
                std::fs::write(&file, &text).expect("a file");
                new.save_to(&file)
            };
            let points = at_each_point(kind, write, |point, result| {
                let now = Config::read(&file_reader::text(&file, MAX_BYTES).expect("a file"));
                assert!(now == old || now == new, "{kind:?} at point {point}");
                assert!(result.is_err() || now == new, "{kind:?} at point {point}");
            });
            assert!(points > 5, "{points}");
        }
    }

    /// Two threads that save at the same time may finish in either order.
    #[test]
    fn newer_settings_are_never_replaced_by_older_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("window.ron");
        let saves = Saves::default();
        std::thread::scope(|scope| {
            for width in 0..40_u16 {
                saves.put(&Config { width: 1000.0 + f32::from(width), ..Config::default() });
                scope.spawn(|| saves.write_newest(&file).expect("a folder that can be written to"));
            }
        });
        let read = || Config::read(&file_reader::text(&file, MAX_BYTES).expect("a file"));
        assert_eq!(read().width, 1039.0);
        saves.save(&Config::default(), &file).expect("a folder that can be written to");
        assert_eq!(read(), Config::default());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let config = Config {
            scene: Some("scenes/book/09-chain.ron".into()),
            recent: vec!["scenes/book/09-chain.ron".into(), "mine/bridge.ron".into()],
            folders: vec!["mine".into()],
            camera: Some(Eye { eye: Vec3::new(1.0, 2.0, 3.0), target: Vec3::ZERO }),
            theme: ThemeChoice::System,
            angles: Angles::Radians,
            lessons: [("one".to_owned(), 2)].into(),
            lesson_progress: Progress {
                runs: [("one".to_owned(), [0, 3].into())].into(),
                drawn: [("one".to_owned(), [(0, 0.5), (200, -1.25)].into())].into(),
                exercises: [(
                    "one".to_owned(),
                    ExerciseRecord {
                        attempts: 3,
                        hints: 1,
                        solved: true,
                        cost: Some(14.0),
                        ..ExerciseRecord::default()
                    },
                )]
                .into(),
                name: "A. Student".into(),
                last: "one".into(),
            },
            veiled: vec![SavedVisibility {
                file: "mine/bridge.ron".into(),
                hidden: vec!["post".into()],
                ..SavedVisibility::default()
            }],
            ..Default::default()
        };
        let text = ron::ser::to_string_pretty(&config, ron::ser::PrettyConfig::default()).expect("it is plain data");
        assert_eq!(Config::read(&text), config);
    }
}
