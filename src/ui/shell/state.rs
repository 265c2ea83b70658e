//! What the panels remember between frames, and what they are shown.

use std::path::{Path, PathBuf};

use glam::{Vec2, Vec3};

use crate::ui::{
    editor::{Editor, form::entries::Entries},
    panels::{library::Shelf, outliner::Outliner},
    shell::{
        action::Action,
        conflict::ConflictView,
        finder::FinderState,
        keyboard::Keyboard,
        path_field::PathField,
        recent::Recents,
        scale::Scale,
        sheets::Sheet,
        source_view::SourceView,
        toasts::{Remedy, Toasts, Topic},
        tour::Tour,
    },
    view3d::{motion::Shown, overlays::Overlays, veil::Veil},
    widgets::angles::Angles,
};
use crate::{
    doctor::Finding,
    physics::stability::Stability,
    physics::{setting::Value, settings::Settings},
    render::camera::Camera,
    scene::{Body, Joint, Scene},
    session::{Command, Conflict, Hit, Samples, Session, Snapshot, Trouble},
};

/// Everything that the panels read in a frame.
pub struct View<'a> {
    pub scene: &'a Scene,
    /// For what only it can say; it cannot be changed through here.
    pub session: &'a Session,
    /// Where the scene came from; `None` before it has a file.
    pub path: Option<&'a Path>,
    /// Whether the document differs from its file.
    pub unsaved: bool,
    /// The document's settings, as the next step will use them.
    pub settings: &'a Settings,
    /// The settings that the file on disk gives.
    pub file_settings: &'a Settings,
    pub snapshot: &'a Snapshot,
    pub samples: &'a Samples,
    /// What the doctor found in the scene as it begins.
    pub findings: &'a [Finding],
    /// How the sweeps converged when they were last looked at.
    pub stability: &'a Stability,
    pub clock: Transport,
    /// The experiment whose settings are the present ones.
    pub experiment: Option<usize>,
    pub shelf: &'a Shelf,
    /// Names of the edits that an undo takes back and a redo makes again.
    pub undo: Option<&'a str>,
    pub redo: Option<&'a str>,
    /// What a ray from the eye meets first: origin and unit direction, world.
    pub pick: &'a dyn Fn(Vec3, Vec3) -> Option<Hit>,
    /// The graphics adapter, for “About”.
    pub adapter: &'a str,
    /// Wall time that a frame takes, stepping and drawing, ms.
    pub frame_ms: f64,
}

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transport {
    pub playing: bool,
    /// Simulated seconds asked per second of wall time.
    pub speed: f32,
    /// Simulated seconds achieved per second of wall time; zero when paused.
    pub factor: f32,
    /// Steps take too long for the asked speed.
    pub behind: bool,
    /// How far the picture is between the last two steps, 0 to 1.
    pub alpha: f32,
}

impl<'a> View<'a> {
    /// What a session has to show. `empty` stands in while no scene is open.
    pub fn of(
        session: &'a Session,
        empty: &'a Scene,
        shelf: &'a Shelf,
        pick: &'a dyn Fn(Vec3, Vec3) -> Option<Hit>,
        adapter: &'a str,
        frame_ms: f64,
    ) -> Self {
        Self {
            scene: session.scene().unwrap_or(empty),
            session,
            path: session.file(),
            unsaved: session.is_dirty(),
            settings: session.settings(),
            file_settings: session.file_settings(),
            snapshot: session.snapshot(),
            samples: session.samples(),
            findings: session.findings(),
            stability: session.stability(),
            clock: Transport {
                playing: session.playing(),
                speed: session.speed(),
                factor: session.real_time_factor(),
                behind: session.behind(),
                alpha: session.alpha(),
            },
            experiment: session.active_experiment(),
            shelf,
            undo: session.undo_label(),
            redo: session.redo_label(),
            pick,
            adapter,
            frame_ms,
        }
    }

    /// Whether there is anything to simulate.
    pub fn is_empty(&self) -> bool {
        self.snapshot.bodies.is_empty()
    }
}

/// What a panel asks of the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    Session(Command),
    /// Shows the system's dialog (or the path field) and opens what is chosen.
    OpenDialog,
    SaveAsDialog,
    Open(PathBuf),
    SaveAs(PathBuf),
    /// Writes there although a file stands there: it was asked for.
    Replace(Replace),
    /// Shows the dialog (or the path field) again for the same purpose.
    AskPath(Purpose),
    /// What waits for the scene to be saved under a name waits no longer.
    GiveUpSaving,
    /// Writes the state of the run as a scene of its own.
    ExportDialog,
    Export(PathBuf),
    Reload,
    /// Shows how the document and its file differ.
    ShowConflict,
    /// Makes one scene of the document and its file, with theirs where that is true.
    Merge(Box<Conflict>, Vec<bool>),
    /// What another program has written to the scene's file may be written over.
    KeepMine,
    /// Saves, whatever another program has written there.
    Overwrite,
    Quit,
    /// Opens a scene and sets some of its settings again.
    Restore {
        path: PathBuf,
        changes: Vec<(&'static str, Value)>,
    },
    /// Leaves the present scene for an empty one.
    New,
    /// Opens work that was not saved when the program ended, from this copy.
    Recover(PathBuf),
    /// Carries on with what the question about unsaved changes held up, if they are saved by now.
    AfterSave(Box<Request>),
    /// Carries on with it whatever is lost.
    Discard(Box<Request>),
}

impl Request {
    /// Whether it would lose unsaved changes.
    pub fn leaves_scene(&self) -> bool {
        matches!(
            self,
            Self::New | Self::Recover(_) | Self::OpenDialog | Self::Open(_) | Self::Restore { .. } | Self::Quit
        )
    }
}

/// The tabs of the left dock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeftTab {
    #[default]
    Library,
    Outliner,
}

/// The tabs of the right dock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RightTab {
    #[default]
    Solver,
    Inspector,
    Doctor,
    Guide,
}

/// Which panels are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    pub left: bool,
    pub right: bool,
    pub plots: bool,
    /// All of them put away at once; the three above keep what will come back.
    pub hidden: bool,
}

impl Default for Panels {
    fn default() -> Self {
        Self { left: true, right: true, plots: true, hidden: false }
    }
}

/// What is selected and what the pointer is on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Body numbers, as in the snapshot; the last is shown by the inspector.
    pub bodies: Vec<u32>,
    /// Index into the snapshot's joints; the one that the inspector shows.
    pub joint: Option<usize>,
    /// Joints that are selected besides it.
    pub more_joints: Vec<usize>,
    pub hovered: Option<u32>,
}

impl Selection {
    /// Forgets everything: another scene is open.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
    /// Takes a body alone, or adds and removes it.
    pub fn click_body(&mut self, id: u32, add: bool) {
        self.joint = None;
        if !add {
            self.bodies = vec![id];
        } else if let Some(at) = self.bodies.iter().position(|b| *b == id) {
            self.bodies.remove(at);
        } else {
            self.bodies.push(id);
        }
    }
    /// Takes a joint alone.
    pub fn click_joint(&mut self, index: usize) {
        self.bodies.clear();
        self.more_joints.clear();
        self.joint = Some(index);
    }

    /// Adds a joint to those selected, or removes it.
    pub fn add_joint(&mut self, index: usize) {
        let mut joints: Vec<usize> = self.joints().filter(|joint| *joint != index).collect();
        if joints.len() == self.joints().count() {
            joints.push(index);
        }
        self.take_joints(joints);
    }

    /// Takes these joints; the last is shown.
    pub fn take_joints(&mut self, mut joints: Vec<usize>) {
        self.bodies.clear();
        self.joint = joints.pop();
        self.more_joints = joints;
    }

    /// All selected joints, the shown one last.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        let more = if self.joint.is_some() { self.more_joints.as_slice() } else { &[] };
        more.iter().copied().chain(self.joint)
    }
}

/// What the pressed mouse button is doing in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drag {
    #[default]
    Nothing,
    Orbit,
    Pan,
    Look,
    /// A rectangle from this point of the view, in points.
    Box(Vec2),
    /// A body pulled at `local`; the target moves in the plane through `at` that faces the camera.
    Pull {
        body: u32,
        local: Vec3,
        at: Vec3,
    },
}

/// The question that is asked before unsaved changes are lost.
#[derive(Clone, Debug)]
pub struct UnsavedQuestion {
    pub then: Request,
}

/// What a file is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Open,
    Save,
    /// For the state of the run.
    Export,
}

/// A file that is there already, and what would be written in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replace {
    pub purpose: Purpose,
    pub path: PathBuf,
}

/// The panels' memory.
pub struct UiState {
    pub theme: egui::ThemePreference,
    /// How large everything but the picture is drawn.
    pub scale: Scale,
    /// The unit of angles and angular speeds, everywhere.
    pub angles: Angles,
    pub keyboard: Keyboard,
    pub panels: Panels,
    /// What each plot shows, where it was chosen.
    pub plots: [Option<usize>; 3],
    pub left_tab: LeftTab,
    pub right_tab: RightTab,
    pub overlays: Overlays,
    pub camera: Camera,
    pub selection: Selection,
    pub drag: Drag,
    pub editor: Editor,
    /// Where the pointer was last seen over the view, in the view's points.
    pub pointer: Option<Vec2>,
    /// The entries that the inspector's fields are of.
    pub body_entries: Entries<Body>,
    pub joint_entries: Entries<Joint>,
    /// The view's rectangle, in points; zero until it was laid out.
    pub view_rect: egui::Rect,
    pub library_search: String,
    pub outliner_search: String,
    pub outliner: Outliner,
    /// What is hidden and locked in the view.
    pub veil: Veil,
    pub settings_search: String,
    pub finder: Option<FinderState>,
    pub sheet: Option<Sheet>,
    /// The tour, while it is taken.
    pub tour: Option<Tour>,
    pub source: Option<SourceView>,
    pub question: Option<UnsavedQuestion>,
    /// Asks whether to write over what another program has put into the scene's file.
    pub overwrite: bool,
    /// Asks whether to write over another file.
    pub replace: Option<Replace>,
    /// How the document and its file differ, while that is shown.
    pub conflict: Option<ConflictView>,
    pub recent: Recents,
    /// Whether the list of edits is shown.
    pub history: bool,
    pub path_field: Option<PathField>,
    pub toasts: Toasts,
    /// How many joints were broken in the last frame, and when the last of them broke, s.
    pub broken: (usize, f64),
    /// What has been told of the run's trouble.
    pub trouble: Option<Trouble>,
    /// Newtons that a force arrow of one metre stands for.
    pub newtons_a_metre: f32,
    /// Actions that did not come through egui, to be done in the next frame.
    pub pending: Vec<Action>,
    /// The free motion of a mechanism that is shown.
    pub motion: Option<Shown>,
    /// Time runs until the next frame, when the pause that it asked for has come.
    pub motion_waits: bool,
    /// Something on screen moves by itself, so another frame is due.
    pub animating: bool,
}

impl Default for UiState {
    fn default() -> Self {
        Self {
            theme: egui::ThemePreference::Dark,
            scale: Scale::default(),
            angles: Angles::default(),
            keyboard: Keyboard::default(),
            panels: Panels::default(),
            plots: [None; 3],
            left_tab: LeftTab::default(),
            right_tab: RightTab::default(),
            overlays: Overlays::default(),
            camera: Camera::default(),
            selection: Selection::default(),
            drag: Drag::Nothing,
            editor: Editor::default(),
            pointer: None,
            body_entries: Entries::default(),
            joint_entries: Entries::default(),
            view_rect: egui::Rect::ZERO,
            library_search: String::new(),
            outliner_search: String::new(),
            outliner: Outliner::default(),
            veil: Veil::default(),
            settings_search: String::new(),
            finder: None,
            sheet: None,
            tour: None,
            source: None,
            question: None,
            overwrite: false,
            replace: None,
            conflict: None,
            recent: Recents::default(),
            history: false,
            path_field: None,
            toasts: Toasts::default(),
            broken: (0, f64::NEG_INFINITY),
            trouble: None,
            newtons_a_metre: 20.0,
            pending: Vec::new(),
            motion: None,
            motion_waits: false,
            animating: false,
        }
    }
}

impl UiState {
    /// Another scene is open: forgets what belonged to the old one.
    pub fn scene_opened(&mut self) {
        self.selection.clear();
        self.drag = Drag::Nothing;
        self.editor.cancel();
        self.outliner.forget();
        self.motion = None;
    }

    /// Tells of joints that have broken since the last frame.
    pub fn tell_breaks(&mut self, snapshot: &Snapshot) {
        let (count, last) = self.broken;
        let now = snapshot.metrics.broken;
        if now == count {
            return;
        }
        let broken = || snapshot.joints.iter().filter_map(|j| Some((j, j.broken?)));
        if now > count {
            let fresh: Vec<_> = broken().filter(|(_, b)| b.time > last).collect();
            if let Some((joint, how)) = fresh.first() {
                let others = match fresh.len() - 1 {
                    0 => String::new(),
                    n => format!(", and {n} more"),
                };
                let load = crate::ui::panels::joint_panel::load(joint, *how);
                let middle = (joint.anchor_a + joint.anchor_b) * 0.5;
                self.toasts.notice_at(format!("{} broke under {load}{others}.", joint.name), middle);
            }
        } else {
            self.toasts.forget_notices();
        }
        self.broken = (now, broken().map(|(_, b)| b.time).fold(f64::NEG_INFINITY, f64::max));
    }

    /// Tells once why the run was paused, until that is over.
    pub fn tell_trouble(&mut self, snapshot: &Snapshot) {
        if self.trouble == snapshot.trouble {
            return;
        }
        self.trouble.clone_from(&snapshot.trouble);
        match &self.trouble {
            Some(trouble) => {
                let reset = Remedy::Ask { label: "Reset".into(), request: Box::new(Request::Session(Command::Reset)) };
                let body = trouble.body.and_then(|id| snapshot.body(id));
                let about = body.map(|body| body.centre).filter(|at| at.is_finite());
                self.toasts.ask_at(Topic::Trouble, format!("Paused: {}.", trouble.what), vec![reset], about);
            }
            None => self.toasts.withdraw(Topic::Trouble),
        }
    }

    /// Whether keys and the mouse belong to a question or a field, not to the scene.
    pub fn is_modal(&self) -> bool {
        self.question.is_some()
            || self.overwrite
            || self.replace.is_some()
            || self.path_field.is_some()
            || self.finder.is_some()
    }
}
