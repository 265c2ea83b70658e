//! A frame: time advances, the panels are laid out, their requests are carried out, the picture is drawn.

use std::time::Duration;

use super::{
    device_poses,
    views::{PictureArea, Views},
    window::{App, OpenWindow},
};
use delassus_physics::clock::Instant;
use delassus_render::{picture::Theme, renderer::ViewportRect};
use delassus_session::{BodyNeeds, Session, SnapshotNeeds};
use delassus_ui::{
    self, RightTab, UiState,
    panels::compare,
    request::Request,
    shell::snapshot_needs::{device_body_needs, snapshot_needs},
    view::View,
    view3d::{picture_builder, placing, preview::Preview},
    widgets::theme,
};

/// The share of a frame that steps may take, and the range of that time, seconds.
const STEP_SHARE: f64 = 0.5;
const STEP_BUDGET: (f64, f64) = (0.010, 0.040);
/// The shortest time between frames with a software renderer, so that the processor has time for steps.
pub(super) const SOFTWARE_FRAME: Duration = Duration::from_millis(16);

/// The interval at which the numbers over the picture of a large scene are updated.
const NUMBERS: Duration = Duration::from_millis(100);

/// With more rows than this, convergence is estimated only while its tab is open.
const CHEAP_ROWS: usize = 5000;

/// When a frame began, the wall time since the frame before, and whether it is recorded in a film.
pub(super) struct FrameStart {
    pub begin: Instant,
    pub wall: Duration,
    films: bool,
}

impl App {
    /// Lets time pass up to this frame: steps are made or taken, and what is shown is brought up to date. `None` while
    /// there is no window.
    pub(super) fn begin_frame(&mut self) -> Option<FrameStart> {
        let begin = Instant::now();
        let films = self.film();
        self.keep_work();
        self.keep_answers();
        let open = self.open.as_mut()?;
        let wall = begin.duration_since(open.last_frame);
        open.last_frame = begin;
        open.next_frame = None;
        let numbers = begin.duration_since(open.last_numbers) >= NUMBERS;
        if numbers {
            open.last_numbers = begin;
        }
        let shown = snapshot_needs(&self.state, self.session.snapshot(), numbers);
        let on_device = open.screen.gpu.draws_crowds() && self.state.view3d.preview.leaves_bodies();
        let bodies = if on_device { device_body_needs(self.session.snapshot(), numbers) } else { BodyNeeds::Now };
        let plots = self.filming.is_some();
        let (quantities, samples) = (shown.quantities || plots, shown.samples || plots);
        self.session.set_needs(SnapshotNeeds { quantities, samples, bodies, ..shown });
        self.session.run_ahead(true);
        let budget = (open.frame_seconds * STEP_SHARE).clamp(STEP_BUDGET.0, STEP_BUDGET.1);
        self.session.advance(wall, Duration::from_secs_f64(budget));
        if let Some(notice) = self.session.take_device_notice() {
            self.state.notices.error(notice, None);
        }
        if let Some(notice) = self.session.take_notice() {
            self.state.notices.error(notice, None);
        }
        let panels = self.state.panels;
        // If the estimate of the convergence is cheap, the status bar's warnings are kept up to date whatever tab is
        // open.
        let cheap = self.session.snapshot().metrics.rows < CHEAP_ROWS;
        let shown = panels.right && !panels.hidden && self.state.right_tab == RightTab::Doctor;
        if cheap || shown {
            self.session.watch();
        }
        Some(FrameStart { begin, wall, films })
    }

    /// Measures the frame, and requests the next one if anything moves. `moving`: whether the camera moves.
    pub(super) fn end_frame(&mut self, start: &FrameStart, moving: bool) {
        let FrameStart { begin, films, .. } = *start;
        if let Some(open) = &mut self.open {
            let duration = begin.elapsed().as_secs_f64();
            open.frame_seconds += (duration - open.frame_seconds) * 0.1;
            if self.session.playing()
                || films
                || moving
                || self.state.view3d.animating
                || self.session.doctor_waits()
                || self.session.looks_back() != (false, false)
                || self.session.runs_behind() > 0
                || self.session.computing().is_some()
            {
                let wait = if open.screen.gpu.is_software { SOFTWARE_FRAME } else { Duration::ZERO };
                open.next_frame = Some(begin + wait);
            }
        }
        self.set_title();
    }

    /// Brings the interface up to date before the panels are laid out.
    pub(super) fn before_panels(&mut self) {
        if self.session.generation() != self.generation {
            self.generation = self.session.generation();
            self.state.scene_opened();
        }
        self.ctx.set_theme(self.state.theme);
        self.ctx.set_zoom_factor(self.state.ui_scale.factor());
        let gravity = self.session.settings().step.gravity.length();
        self.state.view3d.newtons_a_metre =
            placing::newtons_a_metre(self.session.snapshot(), gravity, self.state.view3d.overlays.arrow_scale);
        self.state.view3d.visibility.update(&self.session);
    }

    /// Lays out the panels in the whole window, and returns their requests. `adapter` names the graphics adapter.
    pub(super) fn panels_in(&mut self, ui: &mut egui::Ui, adapter: &str, frame_ms: f64) -> Vec<Request> {
        let mut requests: Vec<Request> = Vec::new();
        let empty = delassus_scene::Scene::default();
        let session = &self.session;
        let free = self.state.view3d.visibility.free();
        let pick = |origin, direction| session.pick_where(origin, direction, &free);
        let view = View::of(session, &empty, &self.shelf, &pick, adapter, frame_ms);
        delassus_ui::show(ui, &view, &mut self.state, &mut requests);
        requests
    }

    /// Hands the pictures of this frame to `draw`, with the open window. `ppp`: pixels per point; `size`: of the window,
    /// pixels. `None` while there is no window.
    pub(super) fn draw_views<R>(
        &mut self,
        ppp: f32,
        size: [u32; 2],
        draw: impl FnOnce(&mut OpenWindow, &Views<'_>) -> R,
    ) -> Option<R> {
        let open = self.open.as_mut()?;
        let visuals = self.ctx.global_style().visuals.clone();
        let cells = &self.state.compare.cells;
        let others = if cells.is_empty() { compare::pictures(&self.session, &visuals) } else { Vec::new() };
        let show = show(&self.state, &self.session, theme::picture_theme(&visuals), ppp, &others);
        let poses = device_poses::poses(&self.session, &open.screen.gpu);
        let show_main = picture_builder::Show { on_device: poses.as_ref().map(|_| self.session.generation()), ..show };
        let to_pixels = |rect| pixels(rect, ppp, size);
        let picture = self.picture_builder.set(self.session.snapshot(), &show_main);
        let mut areas = vec![PictureArea { picture, rect: to_pixels(self.state.view3d.rect), poses: poses.as_ref() }];
        self.cell_builders.resize_with(cells.len(), picture_builder::PictureBuilder::default);
        let nothing = Preview::default();
        for ((builder, cell), run) in self.cell_builders.iter_mut().zip(cells).zip(self.session.runs()) {
            let viewport = glam::Vec2::new(cell.width(), cell.height()) * ppp;
            let show = picture_builder::Show { hovered: None, preview: &nothing, viewport, ..show };
            let picture = builder.set(run.session().snapshot(), &show);
            areas.push(PictureArea { picture, rect: to_pixels(*cell), poses: None });
        }
        let background = theme::colors(&visuals).panel;
        let views = Views {
            areas: &areas,
            camera: &self.state.view3d.camera,
            background: [background.r(), background.g(), background.b()].map(|c| f32::from(c) / 255.0),
        };
        Some(draw(open, &views))
    }

    /// Shows the first error of the graphics driver since the last frame.
    pub(super) fn report_driver(&mut self, error: Option<String>) {
        if let Some(error) = error {
            let first = error.lines().next().unwrap_or_default();
            self.state.notices.error(format!("The graphics driver reports: {first}"), None);
        }
    }

    fn set_title(&mut self) {
        let mark = if self.session.is_dirty() { "*" } else { "" };
        let title = format!("{}{mark} – Delassus", self.session.title());
        if let Some(open) = &mut self.open
            && open.title != title
        {
            open.host.set_title(&title);
            open.title = title;
        }
    }
}

/// What the picture shows of a run, and how.
pub(super) fn show<'a>(
    state: &'a UiState,
    session: &Session,
    theme: Theme,
    ppp: f32,
    others: &'a [picture_builder::GhostRun<'a>],
) -> picture_builder::Show<'a> {
    picture_builder::Show {
        overlays: state.view3d.overlays,
        theme,
        alpha: session.alpha(),
        h: session.snapshot().sub_step,
        newtons_a_metre: state.view3d.newtons_a_metre,
        selected: &state.selection.bodies,
        hovered: state.selection.hovered,
        joint: state.selection.joint,
        more_joints: &state.selection.more_joints,
        pixels: ppp,
        preview: &state.view3d.preview,
        others,
        visibility: &state.view3d.visibility,
        on_device: None,
        camera: &state.view3d.camera,
        viewport: glam::Vec2::new(state.view3d.rect.width(), state.view3d.rect.height()) * ppp,
    }
}

/// A rectangle in points as whole pixels inside the window.
fn pixels(rect: egui::Rect, ppp: f32, [width, height]: [u32; 2]) -> ViewportRect {
    let to_pixels = |v: f32, limit: u32| (v * ppp).round().clamp(0.0, limit as f32) as u32;
    let (x, y) = (to_pixels(rect.left(), width), to_pixels(rect.top(), height));
    let (right, bottom) = (to_pixels(rect.right(), width), to_pixels(rect.bottom(), height));
    ViewportRect { x, y, width: right.saturating_sub(x), height: bottom.saturating_sub(y) }
}
