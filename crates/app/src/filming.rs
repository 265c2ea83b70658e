//! Recording of films: time advances by the film's steps, one picture per frame, independent of the clock.

use std::path::Path;

use image::RgbaImage;

use super::{
    film_steps::FilmSteps,
    labels,
    platform::{self, ClipboardError},
    window::App,
};
use delassus_render::{
    film::{Film, FilmError, FilmFormat, stacked, still},
    gpu::GpuError,
    offscreen::Offscreen,
};
use delassus_session::{Command, Session};
use delassus_ui::{
    UiState,
    notices::Remedy,
    panels::{compare, plots},
    request::{FilmPlan, Request},
    view::{Shelf, View},
    view3d::{
        picture_builder::{PictureBuilder, Show},
        placing,
        preview::Preview,
    },
    widgets::{angles::Angles, theme},
};

/// A film being recorded.
pub(super) struct Filming {
    film: Film,
    artist: Artist,
    /// Number of pictures of the whole film, and of those made so far.
    frames: u64,
    made: u64,
    steps: FilmSteps,
}

/// Draws the view, and the plots below it, off screen.
struct Artist {
    offscreen: Offscreen<'static>,
    picture_builder: PictureBuilder,
    plan: FilmPlan,
}

/// Why there is no film or figure.
#[derive(Debug, thiserror::Error)]
pub(super) enum FilmingError {
    #[error(transparent)]
    Film(#[from] FilmError),
    #[error(transparent)]
    Gpu(#[from] GpuError),
    #[error(transparent)]
    Figure(#[from] delassus_figure::FigureError),
    #[error("no clipboard can be reached here ({0})")]
    Clipboard(#[from] ClipboardError),
    #[error("the browser version cannot take pictures of the view yet")]
    NoReadBack,
    #[error("the window is not open")]
    NoWindow,
}

/// The height of the plots below a view of this width, pixels.
pub fn plots_height(width: u32) -> u32 {
    (width / 3).clamp(160, 480)
}

impl Artist {
    /// The size of its pictures, pixels.
    fn size(plan: &FilmPlan) -> [u32; 2] {
        [plan.size[0], plan.size[1] + if plan.plots { plots_height(plan.size[0]) } else { 0 }]
    }

    fn picture(
        &mut self,
        session: &Session,
        state: &UiState,
        visuals: &egui::Visuals,
    ) -> Result<RgbaImage, FilmingError> {
        let [width, height] = self.plan.size;
        let (gravity, arrows) = (session.settings().step.gravity.length(), state.view3d.overlays.arrow_scale);
        let others = compare::pictures(session, visuals);
        let nothing = Preview::default();
        let show = Show {
            overlays: state.view3d.overlays,
            theme: theme::picture_theme(visuals),
            alpha: 1.0,
            h: session.snapshot().sub_step,
            newtons_a_metre: placing::newtons_a_metre(session.snapshot(), gravity, arrows),
            selected: &state.selection.bodies,
            hovered: None,
            joint: state.selection.joint,
            more_joints: &state.selection.more_joints,
            pixels: (height as f32 / 800.0).max(0.75),
            preview: &nothing,
            others: &others,
            visibility: &state.view3d.visibility,
            on_device: None,
            camera: &state.view3d.camera,
            viewport: glam::Vec2::new(width as f32, height as f32),
        };
        let view = self.offscreen.draw(self.picture_builder.set(session.snapshot(), &show), &state.view3d.camera)?;
        let view = labels::labelled(&view, session, &state.view3d.visibility, &state.view3d.camera)?;
        if !self.plan.plots {
            return Ok(view);
        }
        let figure = plotted(session, state);
        Ok(stacked(&view, &figure.image([width, plots_height(width)])?))
    }
}

/// The dock's plots, side by side.
fn plotted(session: &Session, state: &UiState) -> delassus_figure::Figure {
    let (empty, shelf) = (delassus_scene::Scene::default(), Shelf::default());
    let pick = |_, _| None;
    let view = View::of(session, &empty, &shelf, &pick, "", 0.0);
    let figure = plots::figure_of_all(&view, &state.plots, state.angles);
    delassus_figure::Figure { title: String::new(), columns: figure.panels.len().clamp(1, 4), ..figure }
}

/// The default plots of a scene, for pictures without a window.
pub(super) fn plots_of(session: &Session) -> delassus_figure::Figure {
    let state = UiState { angles: Angles::Degrees, ..UiState::default() };
    plotted(session, &state)
}

impl App {
    fn artist(&self, plan: FilmPlan) -> Result<Artist, FilmingError> {
        if !platform::READS_BACK {
            return Err(FilmingError::NoReadBack);
        }
        let gpu = &self.open.as_ref().ok_or(FilmingError::NoWindow)?.screen.gpu;
        let quality = gpu.quality();
        let offscreen = Offscreen::owning(gpu.clone(), plan.size[0], plan.size[1], quality)?;
        Ok(Artist { offscreen, picture_builder: PictureBuilder::default(), plan })
    }

    /// Begins a film; playing pauses, and each picture advances the run.
    pub(super) fn begin_film(&mut self, path: &Path, plan: FilmPlan) -> Result<(), FilmingError> {
        let artist = self.artist(plan)?;
        let rate = FilmFormat::of(path)?.rate(plan.rate);
        let speed = self.session.speed();
        let frames = FilmPlan { rate, ..plan }.frames(speed);
        let film = Film::create(path, Artist::size(&plan), frames, rate)?;
        self.dispatch(Command::Pause);
        let steps = f64::from(self.session.settings().step.rate) * f64::from(speed) / f64::from(rate);
        self.filming = Some(Filming { film, artist, frames, made: 0, steps: FilmSteps::new(steps) });
        self.state.film.progress = Some((0, frames));
        Ok(())
    }

    /// Makes the next picture of the current film; false if there is none.
    pub(super) fn film(&mut self) -> bool {
        let Some(mut filming) = self.filming.take() else { return false };
        if filming.made > 0 && !filming.steps.are_made(&mut self.session) {
            self.filming = Some(filming);
            return true;
        }
        let visuals = self.ctx.global_style().visuals.clone();
        let picture = filming.artist.picture(&self.session, &self.state, &visuals);
        let added = picture.and_then(|picture| Ok(filming.film.add(picture)?));
        filming.made += 1;
        self.state.film.progress = Some((filming.made, filming.frames));
        let name = filming.film.path().display().to_string();
        let ended = match added {
            Ok(()) if !filming.film.is_whole() => {
                self.filming = Some(filming);
                return true;
            }
            Ok(()) => filming.film.finish().map_err(FilmingError::from),
            Err(error) => Err(error),
        };
        self.state.film.progress = None;
        match ended {
            Ok(()) => self.state.notices.info(format!("Film saved: {name}")),
            Err(error) => self.state.notices.error(format!("The film failed: {error}"), None),
        }
        false
    }

    /// Cancels the current film; no file is written.
    pub(super) fn cancel_film(&mut self) {
        self.filming = None;
        self.state.film.progress = None;
    }

    /// Writes the displayed moment as a picture.
    pub(super) fn save_still(&mut self, path: &Path, plan: FilmPlan) -> Result<(), FilmingError> {
        if FilmFormat::of(path)? != FilmFormat::Png {
            return Err(FilmError::Ending.into());
        }
        Ok(still(&self.picture_now(plan)?, path)?)
    }

    /// Copies a picture of the displayed moment to the clipboard; without a plan it has the size of the view. A notice
    /// shows the result.
    pub(super) fn copy_picture(&mut self, plan: Option<FilmPlan>) {
        let view_size = self.state.view3d.rect.size() * self.ctx.pixels_per_point();
        let side = |pixels: f32| (pixels.round() as u32).max(1);
        let plan = plan.unwrap_or(FilmPlan {
            size: [side(view_size.x), side(view_size.y)],
            plots: false,
            ..FilmPlan::default()
        });
        let copied = self.picture_now(plan).and_then(|picture| {
            let [width, height] = [picture.width(), picture.height()];
            self.clipboard.put(picture)?;
            Ok([width, height])
        });
        match copied {
            Ok([width, height]) => {
                self.state.notices.info(format!("The picture is on the clipboard: {width} × {height} pixels."));
            }
            Err(error) => {
                let text = format!("The picture was not copied: {error}");
                let request = Box::new(Request::StillDialog(plan));
                self.state.notices.refused(text, Some(Remedy::Ask { label: "Save it instead".into(), request }));
            }
        }
    }

    /// A picture of the displayed moment.
    fn picture_now(&mut self, plan: FilmPlan) -> Result<RgbaImage, FilmingError> {
        let mut artist = self.artist(plan)?;
        let visuals = self.ctx.global_style().visuals.clone();
        artist.picture(&self.session, &self.state, &visuals)
    }
}
