//! Everything that a key, a menu entry or the command finder can do, in one list: menus, the key sheet, the finder
//! and the keyboard itself read it.

use egui::{Key, KeyboardShortcut, Modifiers};
use lucide_icons::Icon;

use crate::editor::{Tool, tools::grab};
use crate::panels::laboratory::{Instrument, inside::Walk};
use crate::shell::{keys::shortcut_text, ui_scale::UiScaleStep};
use crate::view3d::overlays::OverlayKind;
use crate::widgets::angles::Angles;
use delassus_render::orbit_view::AxisView;
use delassus_scene::lesson::Algebra;

/// Something to do, without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Open,
    OpenRecent,
    AddFolder,
    /// The list of work that was not saved when the program ended.
    RecoverWork,
    Reload,
    Export,
    History,
    Save,
    SaveAs,
    Quit,
    New,
    Undo,
    Redo,
    Delete,
    Copy,
    Paste,
    Duplicate,
    Merge,
    Split,
    SelectAll,
    SelectInverse,
    SelectConnected,
    Hide,
    HideOthers,
    ShowAll,
    Lock,
    Rename,
    SpawnHere,
    Shoot,
    Grab(grab::GrabKind),
    LocalAxes,
    JointEnd,
    SnapKind,
    JointAnchor,
    Tool(Tool),
    KeepPose,
    ResetSettings,
    TogglePlay,
    Step,
    StepBack,
    /// To the newest moment of the run.
    Newest,
    PreviousMark,
    NextMark,
    Bookmark,
    /// The list of bookmarks and branches.
    Moments,
    /// Continues from an earlier moment and drops what came after it.
    Fork,
    Reset,
    /// Records the run from its beginning, or asks where to save what was recorded.
    Record,
    ForgetRecording,
    Slower,
    Faster,
    PreviousScene,
    NextScene,
    TogglePanels,
    ToggleLeft,
    ToggleRight,
    TogglePlots,
    ToggleTimeline,
    Laboratory(Instrument),
    /// Tab: events and breakpoints.
    Events,
    /// Tab: runs with other settings.
    Compare,
    /// Window: films and figures.
    Film,
    /// Copies a picture of the view.
    CopyPicture,
    /// Copies a command line that opens the current scene as it is now.
    CopyLine,
    /// Opens a scene from such a line.
    OpenLine,
    /// Window: distances, angles and forces.
    Probes,
    /// The page on a mechanism over the travel of a joint.
    Analyse,
    /// The laboratory's page on chapter 5, the linear system.
    Linear,
    /// The laboratory's pages on chapters 2 to 4, 13 and 15.
    Algebra(Algebra),
    /// The contents of the lessons.
    Lessons,
    /// The derivations and the errata.
    Reader,
    /// What each solver gets right, and what it costs.
    Arena,
    /// Moves through the stages of one step.
    Inside(Walk),
    FrameSelection,
    FrameAll,
    Look(AxisView),
    Perspective,
    Overlay(OverlayKind),
    ToggleGrid,
    ToggleShadows,
    ThemeDark,
    ThemeLight,
    ThemeSystem,
    UiScale(UiScaleStep),
    Angles(Angles),
    /// Moves keyboard focus to the panels, or back to the scene.
    Keyboard,
    Find,
    Keys,
    About,
    Tour,
    Deselect,
}

/// The menu of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    File,
    Edit,
    View,
    Laboratory,
    Simulate,
    Help,
    /// In no menu.
    Hidden,
}

/// A line of the list.
#[derive(Clone, Copy, Debug)]
pub struct ActionInfo {
    pub action: Action,
    pub menu: Menu,
    pub name: &'static str,
    pub icon: Icon,
    /// The first is shown.
    pub keys: &'static [KeyboardShortcut],
    /// The menu draws a line above it.
    pub first_of_group: bool,
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}
const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}
const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}
pub(super) const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };
const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(CTRL_SHIFT, key)
}

macro_rules! actions {
    ($($menu:ident { $($action:expr, $name:literal, $icon:ident, [$($key:expr),*] $(, $group:ident)?;)* })*) => {
        /// All actions, in the order of the menus. An action in two menus has its keys in the first of them.
        pub const ACTIONS: &[ActionInfo] = &[$($(ActionInfo {
            action: $action, menu: Menu::$menu, name: $name, icon: Icon::$icon, keys: &[$($key),*],
            first_of_group: actions!(@group $($group)?),
        }),*),*];
    };
    (@group) => { false };
    (@group line) => { true };
}

actions! {
    File {
        Action::New, "New scene", FilePlus, [ctrl(Key::N)];
        Action::Open, "Open scene…", FolderOpen, [ctrl(Key::O)];
        Action::OpenRecent, "Open recent", History, [];
        Action::AddFolder, "Add a folder of scenes…", FolderPlus, [];
        Action::RecoverWork, "Recover work…", ArchiveRestore, [];
        Action::PreviousScene, "Previous scene", ChevronLeft, [key(Key::OpenBracket)];
        Action::NextScene, "Next scene", ChevronRight, [key(Key::CloseBracket)];
        Action::Save, "Save", Save, [ctrl(Key::S)], line;
        Action::SaveAs, "Save as…", SaveAll, [ctrl_shift(Key::S)];
        Action::Export, "Save the state as a new scene…", FileOutput, [];
        Action::Reload, "Revert to the file", RefreshCw, [];
        Action::Film, "Film and figure…", Clapperboard, [], line;
        Action::CopyPicture, "Copy the picture", Copy, [];
        Action::CopyLine, "Copy a line that opens this", Terminal, [];
        Action::OpenLine, "Open a line…", ClipboardPaste, [];
        Action::Quit, "Quit", LogOut, [ctrl(Key::Q)], line;
    }
    Edit {
        Action::Undo, "Undo", Undo2, [ctrl(Key::Z)];
        Action::Redo, "Redo", Redo2, [ctrl_shift(Key::Z), ctrl(Key::Y)];
        Action::History, "History", ListOrdered, [ctrl(Key::H)];
        Action::Grab(grab::GrabKind::Move), "Move the selection", Move, [key(Key::G)], line;
        Action::Grab(grab::GrabKind::Rotate), "Turn the selection", Rotate3d, [key(Key::T)];
        Action::Grab(grab::GrabKind::Scale), "Scale the selection", Scaling, [key(Key::S)];
        Action::LocalAxes, "Own axes instead of the world's", Axis3d, [key(Key::U)];
        Action::JointEnd, "Move the joint's next end", Unlink, [shift(Key::E)];
        Action::Copy, "Copy", Copy, [ctrl(Key::C)];
        Action::Paste, "Paste", ClipboardPaste, [ctrl(Key::V)];
        Action::Duplicate, "Duplicate", CopyPlus, [ctrl(Key::D)];
        Action::Delete, "Delete", Trash2, [key(Key::Delete), key(Key::Backspace)];
        Action::Tool(Tool::Joint), "Joint tool", Link2, [key(Key::J)], line;
        Action::SnapKind, "Next kind of point for a joint's ends", Locate, [key(Key::Q)];
        Action::JointAnchor, "Next place for a joint's anchor", LocateFixed, [shift(Key::Q)];
        Action::Tool(Tool::Spawn), "Spawn tool", SquarePlus, [key(Key::B)];
        Action::Tool(Tool::Mirror), "Mirror tool", FlipHorizontal2, [ctrl(Key::M)];
        Action::SpawnHere, "Spawn at the pointer", CopyPlus, [shift(Key::B)];
        Action::Shoot, "Shoot a ball", Rocket, [shift(Key::S)];
        Action::SelectAll, "Select all that moves", BoxSelect, [ctrl(Key::A)], line;
        Action::SelectInverse, "Invert the selection", Replace, [ctrl(Key::I)];
        Action::SelectConnected, "Select the whole mechanism", Waypoints, [key(Key::L)];
        Action::Rename, "Rename", TextCursorInput, [key(Key::F2)];
        Action::Hide, "Hide the selection", EyeOff, [key(Key::H)], line;
        Action::HideOthers, "Hide all others", ScanEye, [shift(Key::H)];
        Action::ShowAll, "Show all", Eye, [alt(Key::H)];
        Action::Lock, "Lock or unlock the selection", Lock, [shift(Key::L)];
        Action::Merge, "Merge into one body", Combine, [], line;
        Action::Split, "Split into its parts", Ungroup, [];
        Action::KeepPose, "Keep this pose", Pin, [], line;
        Action::ResetSettings, "All settings as in the file", RotateCcw, [];
    }
    View {
        Action::FrameSelection, "Frame selection", Focus, [key(Key::F)];
        Action::FrameAll, "Frame all", Maximize, [key(Key::Home)];
        Action::Look(AxisView::Front), "From the front", Square, [key(Key::Num1)];
        Action::Look(AxisView::Side), "From the side", Square, [key(Key::Num3)];
        Action::Look(AxisView::Top), "From above", Square, [key(Key::Num7)];
        Action::Perspective, "Perspective", Box, [key(Key::Num5)];
        Action::Overlay(OverlayKind::Contacts), "Contacts", Crosshair, [key(Key::C)], line;
        Action::Overlay(OverlayKind::Friction), "Friction", MoveHorizontal, [key(Key::I)];
        Action::Overlay(OverlayKind::FrictionCones), "Friction cones", Cone, [shift(Key::C)];
        Action::Overlay(OverlayKind::Moments), "Twist and rolling", RotateCw, [shift(Key::I)];
        Action::Overlay(OverlayKind::Joints), "Joints", Link2, [key(Key::K)];
        Action::Overlay(OverlayKind::JointForces), "Joint forces", MoveDiagonal, [shift(Key::K)];
        Action::Overlay(OverlayKind::JointError), "Joint error", Unlink2, [key(Key::E)];
        Action::Overlay(OverlayKind::Forces), "Applied forces", ArrowUpRight, [];
        Action::Overlay(OverlayKind::Velocities), "Velocities", MoveUpRight, [key(Key::V)];
        Action::Overlay(OverlayKind::MassCentres), "Mass centres", CircleDot, [key(Key::M)];
        Action::Overlay(OverlayKind::Inertia), "Inertia", Axis3d, [shift(Key::M)];
        Action::Overlay(OverlayKind::Bounds), "Bounding boxes", SquareDashed, [key(Key::X)];
        Action::Overlay(OverlayKind::Names), "Names", Tag, [key(Key::N)];
        Action::ToggleGrid, "Ground grid", Grid3x3, [], line;
        Action::ToggleShadows, "Shadows", Cloud, [];
        Action::ThemeDark, "Dark theme", Moon, [], line;
        Action::ThemeLight, "Light theme", Sun, [];
        Action::ThemeSystem, "Theme of the system", Monitor, [];
        Action::Angles(Angles::Degrees), "Angles in degrees", DraftingCompass, [], line;
        Action::Angles(Angles::Radians), "Angles in radians", Pi, [];
        Action::UiScale(UiScaleStep::Larger), "Larger interface", ZoomIn, [ctrl(Key::Equals), ctrl(Key::Plus)], line;
        Action::UiScale(UiScaleStep::Smaller), "Smaller interface", ZoomOut, [ctrl(Key::Minus)];
        Action::UiScale(UiScaleStep::Whole), "Interface at 100 %", Scan, [ctrl(Key::Num0)];
        Action::Keyboard, "Keyboard to the panels and back", Keyboard, [key(Key::F6)], line;
        Action::TogglePanels, "Hide or show all panels", PanelsTopLeft, [key(Key::Tab)];
        Action::ToggleLeft, "Left panel", PanelLeft, [];
        Action::ToggleRight, "Right panel", PanelRight, [];
        Action::TogglePlots, "Plots", ChartLine, [];
        Action::ToggleTimeline, "Timeline", Clock, [];
        Action::Lessons, "All lessons", GraduationCap, [key(Key::F3)], line;
    }
    Laboratory {
        Action::Laboratory(Instrument::Inside), "Inside the next step", Footprints, [];
        Action::Laboratory(Instrument::Rows), "Rows of the next step", Table2, [];
        Action::Laboratory(Instrument::Matrix), "Delassus matrix", Grid3x3, [];
        Action::Laboratory(Instrument::Sweeps), "Sweeps of the next step", ChartSpline, [];
        Action::Laboratory(Instrument::Ledger), "Ledger of energy and momentum", Scale, [];
        Action::Laboratory(Instrument::Parity), "Processor and graphics device side by side", GitCompareArrows, [];
        Action::Events, "Events and breakpoints", ListTree, [];
        Action::Compare, "Compare runs", GitCompare, [];
        Action::Arena, "Arena: solvers and right values", Swords, [];
        Action::Probes, "Probes: distances, angles, forces", Ruler, [ctrl_shift(Key::P)];
        Action::Analyse, "Analyse a mechanism", Cog, [ctrl_shift(Key::A)];
        Action::Linear, "Linear systems, as in chapter 5", SquareFunction, [], line;
        Action::Algebra(Algebra::TwoBodies), "Two bodies: u, J and the inverse masses", Grid2x2, [];
        Action::Algebra(Algebra::Manifold), "Manifold: a contact point by point", Waypoints, [];
        Action::Algebra(Algebra::Quaternions), "Quaternions: products as matrices", Rotate3d, [];
    }
    Simulate {
        Action::TogglePlay, "Play or pause", Play, [key(Key::Space), key(Key::P)];
        Action::Step, "One step", StepForward, [key(Key::Period), key(Key::O)];
        Action::StepBack, "One step back", StepBack, [key(Key::Comma)];
        Action::Reset, "Reset", SkipBack, [key(Key::R)];
        Action::Bookmark, "Bookmark this moment", Bookmark, [ctrl(Key::B)], line;
        Action::PreviousMark, "To the previous edit or bookmark", ChevronFirst, [key(Key::PageUp)];
        Action::NextMark, "To the next edit or bookmark", ChevronLast, [key(Key::PageDown)];
        Action::Newest, "To the newest moment", SkipForward, [key(Key::End)];
        Action::Fork, "Continue from here", GitFork, [];
        Action::Moments, "Bookmarks and branches", GitBranch, [ctrl(Key::L)];
        Action::Record, "Record the run from its beginning", Circle, [], line;
        Action::ForgetRecording, "Discard the recording", CircleX, [];
        Action::Inside(Walk::Forward), "Next block within the step", ChevronRight, [alt(Key::Period)], line;
        Action::Inside(Walk::Back), "Previous block within the step", ChevronLeft, [alt(Key::Comma)];
        Action::Inside(Walk::NextSweep), "Next sweep within the step", ChevronsRight, [ctrl(Key::Period)];
        Action::Inside(Walk::PreviousSweep), "Previous sweep within the step", ChevronsLeft, [ctrl(Key::Comma)];
        Action::Inside(Walk::Play), "Play the step from inside", Footprints, [alt(Key::P)];
        Action::Slower, "Slower", Rewind, [key(Key::Minus)], line;
        Action::Faster, "Faster", FastForward, [key(Key::Plus), key(Key::Equals)];
    }
    Help {
        Action::Find, "Find a scene or a command…", Search, [ctrl(Key::P)];
        Action::Keys, "Mouse and keys", Keyboard, [key(Key::F1)];
        Action::Lessons, "All lessons", GraduationCap, [];
        Action::Reader, "Derivations and errata", BookText, [];
        Action::Tour, "Tour: build a four-bar linkage", Drill, [];
        Action::About, "About Delassus", Info, [], line;
    }
    Hidden {
        Action::Deselect, "Deselect", X, [key(Key::Escape)];
    }
}

impl Action {
    /// This action's line.
    pub fn info(self) -> Option<&'static ActionInfo> {
        ACTIONS.iter().find(|info| info.action == self)
    }
}

impl ActionInfo {
    /// Whether it is the action's first line; another one only repeats it in a second menu.
    pub fn is_first(&self) -> bool {
        self.action.info().is_some_and(|first| first.menu == self.menu)
    }

    /// The key to show, as words: `Ctrl+Shift+Z`; empty if there is none.
    pub fn key_text(&self) -> String {
        self.keys.first().map_or_else(String::new, shortcut_text)
    }

    /// Name and key, for a tooltip.
    pub fn tip(&self) -> String {
        if self.keys.is_empty() { self.name.to_owned() } else { format!("{}  ({})", self.name, self.key_text()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let keys: Vec<_> = ACTIONS.iter().flat_map(|info| info.keys.iter().map(move |k| (k, info.name))).collect();
        for (i, (key, name)) in keys.iter().enumerate() {
            for (other, other_name) in &keys[..i] {
                assert_ne!(key, other, "{name} and {other_name}");
            }
        }
    }
}
