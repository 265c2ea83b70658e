//! The state of the interface between frames: each room's own, and the little that they share.

use crate::{
    editor::{Editor, Hands},
    notices::Notices,
    panels::{
        algebra::Pages,
        analyse::Analyse,
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
        solver::SolverTab,
        timeline::Moments,
    },
    selection::Selection,
    shell::{
        action::Action, announcements::Announced, finder::FinderState, keyboard::Keyboard, lost_work::LostWorkList,
        questions::Questions, recent::Recents, sheets::Sheet, source_view::SourceView, tour::Tour, ui_scale::UiScale,
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
    /// Events and breakpoints.
    Events,
    /// Runs with other settings.
    Compare,
}

impl BottomTab {
    /// What the tab shows, and what to do first; the plots have titles instead.
    pub fn sentence(self) -> Option<&'static str> {
        match self {
            Self::Plots => None,
            Self::Lab(of) => Some(of.sentence()),
            Self::Events => Some(
                "Each line is something that happened, such as a contact that begins or a stop that is reached. Click a \
                 line to go to its step.",
            ),
            Self::Compare => Some(
                "Each column is the same scene with other settings, and its rows say how accurate and how fast it is. \
                 Add a run, then change a setting.",
            ),
        }
    }
}

/// Which panels are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    pub left: bool,
    pub right: bool,
    pub plots: bool,
    /// The time line under the view.
    pub timeline: bool,
    /// All panels are hidden; the other fields keep what comes back.
    pub hidden: bool,
}

impl Default for Panels {
    fn default() -> Self {
        Self { left: true, right: true, plots: true, timeline: true, hidden: false }
    }
}

/// The whole state.
pub struct UiState {
    /// Shared by all panels.
    pub selection: Selection,
    pub notices: Notices,
    pub view3d: View3d,
    pub editor: Editor,
    pub library: Library,
    pub outliner: Outliner,
    pub solver: SolverTab,
    pub inspector: Inspector,
    pub plots: Plots,
    pub laboratory: Laboratory,
    /// Whether the list of edits is shown.
    pub history: bool,
    /// The list of bookmarks and branches.
    pub moments: Moments,
    pub events: Events,
    pub compare: Compare,
    pub film: FilmPanel,
    pub probes: Probes,
    pub linear: Linear,
    pub algebra: Pages,
    /// The page on a mechanism over the travel of a joint.
    pub analyse: Analyse,
    /// The derivations and the errata.
    pub reader: Reader,
    pub theme: egui::ThemePreference,
    /// Scale of everything but the picture.
    pub ui_scale: UiScale,
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
    /// The list of work that was not saved when the program ended, while it is shown.
    pub lost_work: Option<LostWorkList>,
    /// The tour, while it is taken.
    pub tour: Option<Tour>,
    pub source: Option<SourceView>,
    pub recent: Recents,
    pub announced: Announced,
    /// Predictions made in lessons, and the open lesson.
    pub lessons: Lessons,
    /// Actions from outside egui, for the next frame.
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
            analyse: Default::default(),
            reader: Default::default(),
            theme: egui::ThemePreference::Dark,
            ui_scale: Default::default(),
            angles: Default::default(),
            keyboard: Default::default(),
            panels: Default::default(),
            left_tab: Default::default(),
            right_tab: Default::default(),
            bottom_tab: Default::default(),
            questions: Default::default(),
            finder: Default::default(),
            sheet: Default::default(),
            lost_work: Default::default(),
            tour: Default::default(),
            source: Default::default(),
            recent: Default::default(),
            announced: Default::default(),
            lessons: Default::default(),
            pending: Default::default(),
        }
    }
}

impl UiState {
    /// Forgets what belonged to the scene that was open before.
    pub fn scene_opened(&mut self) {
        self.selection.clear();
        self.view3d.drag = Drag::Nothing;
        self.view3d.motion = None;
        self.editor.cancel();
        self.outliner.forget();
        self.laboratory.forget();
        self.probes.forget();
        self.analyse.forget();
        self.plots.large = None;
    }

    /// Shows a tab of the right dock; lesson mode ends if it has no room for this tab.
    pub fn show_right(&mut self, tab: RightTab) {
        self.right_tab = tab;
        (self.panels.right, self.panels.hidden) = (true, false);
        self.lessons.focus &= tab == RightTab::Guide;
    }

    /// Whether a tab of the bottom dock is visible.
    pub fn shows(&self, tab: BottomTab) -> bool {
        self.panels.plots && !self.panels.hidden && self.bottom_tab == tab
    }

    /// The parts of the state that the editor's tools work with.
    pub fn hands(&mut self) -> Hands<'_> {
        let modal = self.is_modal();
        let Self { editor, selection, view3d, notices, angles, .. } = self;
        Hands { editor, selection, view3d, notices, angles: *angles, modal }
    }

    /// Whether a page of the bottom dock is open.
    pub fn has_page(&self) -> bool {
        self.linear.open || self.algebra.open.is_some() || self.analyse.open
    }

    /// Whether a question or a text field takes keys and mouse.
    pub fn is_modal(&self) -> bool {
        self.questions.any() || self.finder.is_some()
    }
}
