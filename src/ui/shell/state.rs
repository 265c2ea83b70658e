//! What the interface remembers between frames: of each room its own, and the little that they share.

use crate::ui::{
    editor::{Editor, Hands},
    notices::Notices,
    panels::{
        algebra::Pages,
        compare::Compare,
        events::Events,
        film::FilmPanel,
        inspector::Inspector,
        laboratory::{Instrument, Laboratory},
        lesson::Lessons,
        library::Library,
        linear::Linear,
        outliner::Outliner,
        plots::Plots,
        probe::Probes,
        reader::Reader,
        solver::Solver,
        timeline::Moments,
    },
    selection::Selection,
    shell::{
        action::Action, announcements::Announced, finder::FinderState, keyboard::Keyboard, questions::Questions,
        recent::Recents, scale::Scale, sheets::Sheet, source_view::SourceView, tour::Tour,
    },
    view3d::{Drag, View3d},
    widgets::angles::Angles,
};

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

/// The tabs of the bottom dock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BottomTab {
    #[default]
    Plots,
    Lab(Instrument),
    /// What happens, and at what playing pauses.
    Events,
    /// Runs with other settings beside the one at hand.
    Compare,
}

/// Which panels are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    pub left: bool,
    pub right: bool,
    pub plots: bool,
    /// The line of time under the view.
    pub timeline: bool,
    /// All of them put away at once; the others keep what will come back.
    pub hidden: bool,
}

impl Default for Panels {
    fn default() -> Self {
        Self { left: true, right: true, plots: true, timeline: true, hidden: false }
    }
}

/// All of it.
pub struct UiState {
    /// What the panels have in common.
    pub selection: Selection,
    pub notices: Notices,
    pub view3d: View3d,
    pub editor: Editor,
    pub library: Library,
    pub outliner: Outliner,
    pub solver: Solver,
    pub inspector: Inspector,
    pub plots: Plots,
    pub laboratory: Laboratory,
    /// Whether the list of edits is shown.
    pub history: bool,
    /// The list of bookmarks and futures.
    pub moments: Moments,
    pub events: Events,
    pub compare: Compare,
    pub film: FilmPanel,
    pub probes: Probes,
    pub linear: Linear,
    pub algebra: Pages,
    /// The derivations and the errata.
    pub reader: Reader,
    pub theme: egui::ThemePreference,
    /// How large everything but the picture is drawn.
    pub scale: Scale,
    /// The unit of angles and angular speeds, everywhere.
    pub angles: Angles,
    pub keyboard: Keyboard,
    pub panels: Panels,
    pub left_tab: LeftTab,
    pub right_tab: RightTab,
    pub bottom_tab: BottomTab,
    pub questions: Questions,
    pub finder: Option<FinderState>,
    pub sheet: Option<Sheet>,
    /// The tour, while it is taken.
    pub tour: Option<Tour>,
    pub source: Option<SourceView>,
    pub recent: Recents,
    pub told: Announced,
    /// What was predicted in lessons, and which one is at hand.
    pub lessons: Lessons,
    /// Actions that did not come through egui, to be done in the next frame.
    pub pending: Vec<Action>,
}

impl Default for UiState {
    fn default() -> Self {
        Self {
            selection: Default::default(),
            notices: Default::default(),
            view3d: Default::default(),
            editor: Default::default(),
            library: Default::default(),
            outliner: Default::default(),
            solver: Default::default(),
            inspector: Default::default(),
            plots: Default::default(),
            laboratory: Default::default(),
            history: false,
            moments: Default::default(),
            events: Default::default(),
            compare: Default::default(),
            film: Default::default(),
            probes: Default::default(),
            linear: Default::default(),
            algebra: Default::default(),
            reader: Default::default(),
            theme: egui::ThemePreference::Dark,
            scale: Default::default(),
            angles: Default::default(),
            keyboard: Default::default(),
            panels: Default::default(),
            left_tab: Default::default(),
            right_tab: Default::default(),
            bottom_tab: Default::default(),
            questions: Default::default(),
            finder: Default::default(),
            sheet: Default::default(),
            tour: Default::default(),
            source: Default::default(),
            recent: Default::default(),
            told: Default::default(),
            lessons: Default::default(),
            pending: Default::default(),
        }
    }
}

impl UiState {
    /// Another scene is open: forgets what belonged to the old one.
    pub fn scene_opened(&mut self) {
        self.selection.clear();
        self.view3d.drag = Drag::Nothing;
        self.view3d.motion = None;
        self.editor.cancel();
        self.outliner.forget();
        self.laboratory.forget();
        self.probes.forget();
        self.plots.large = None;
    }

    /// Whether a tab of the bottom dock can be seen.
    pub fn shows(&self, tab: BottomTab) -> bool {
        self.panels.plots && !self.panels.hidden && self.bottom_tab == tab
    }

    /// What the editor's tools have in hand.
    pub fn hands(&mut self) -> Hands<'_> {
        let modal = self.is_modal();
        let Self { editor, selection, view3d, notices, angles, .. } = self;
        Hands { editor, selection, view3d, notices, angles: *angles, modal }
    }

    /// Whether one of the pages of the lower dock is open.
    pub fn has_page(&self) -> bool {
        self.linear.open || self.algebra.open.is_some()
    }

    /// Whether keys and the mouse belong to a question or a field, not to the scene.
    pub fn is_modal(&self) -> bool {
        self.questions.any() || self.finder.is_some()
    }
}
