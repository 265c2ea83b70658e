//! `delassus render`: draws pictures of a scene, without a display.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use glam::Vec3;
use image::RgbaImage;

use super::common::{Failure, open, step as step_once};
use super::outputs;
use super::stop::Stop;
use delassus_app::{Bearing, PictureCamera, Pictures, plots_height};
use delassus_launch::{OpenRequest, Viewpoint};
use delassus_render::film::{self, Film};
use delassus_render::gpu::Gpu;
use delassus_render::orbit_view::AxisView;
use delassus_session::{SPEEDS, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// The PNG file to write; with --every a number goes before its ending: picture-0000.png, picture-0001.png, …
    #[arg(long, value_name = "PNG", required_unless_present = "film")]
    out: Option<PathBuf>,
    /// Record a film instead, an animated .png or .gif, from the state after --steps on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "every"])]
    film: Option<PathBuf>,
    /// Simulated time of the film, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 5.0, requires = "film")]
    seconds: f32,
    /// Pictures a second of the film, 1 to 60; a GIF has 50 at most
    #[arg(long, value_name = "N", default_value_t = 25.0, requires = "film")]
    fps: f32,
    /// Simulated seconds that pass in a second of the film
    #[arg(long, value_name = "S", default_value_t = 1.0, requires = "film")]
    speed: f32,
    /// Draw the scene's plots below the picture
    #[arg(long)]
    plots: bool,
    /// Steps to run before the picture is taken, or in all
    #[arg(long, value_name = "N", default_value_t = 0)]
    steps: u64,
    /// Take a picture of the beginning and of every K-th step
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Width and height, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Where to look from, instead of the scene's own camera: everything that moves is in the picture, and only the
    /// corner is drawn with perspective
    #[arg(long, value_name = "SIDE", conflicts_with = "eye")]
    view: Option<Side>,
    #[command(flatten)]
    viewpoint: Viewpoint,
}

/// A side to look from.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Side {
    /// From −y: x to the right, z up
    Front,
    /// From +y
    Back,
    /// From −x
    Left,
    /// From +x: y to the right, z up
    Right,
    /// From above: x to the right, y up
    Top,
    /// From below
    Bottom,
    /// From before, the right and above
    Corner,
}

impl Side {
    fn bearing(self) -> Bearing {
        Bearing::Axis(match self {
            Self::Front => AxisView::Front,
            Self::Back => AxisView::Back,
            Self::Left => AxisView::OtherSide,
            Self::Right => AxisView::Side,
            Self::Top => AxisView::Top,
            Self::Bottom => AxisView::Below,
            Self::Corner => return Bearing::From(Vec3::new(0.6, -1.0, 0.5)),
        })
    }
}

/// Begins this command anew, in the same process, if a driver would print a spurious error: Mesa's Vulkan
/// device-selection layer looks for a compositor, even if there is no session, and can only be disabled through the
/// environment. Returns where this is not necessary or not possible.
pub fn quietly() {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        const SWITCH: &str = "NODEVICE_SELECT";
        let set = |name: &str| std::env::var_os(name).is_some();
        if !set("XDG_RUNTIME_DIR")
            && !set(SWITCH)
            && let Ok(program) = std::env::current_exe()
        {
            // It returns only if it fails. The error is then printed, and nothing else is lost.
            let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
        }
    }
}

/// The largest side that every adapter supports, pixels.
const MAX_SIDE: u32 = 8192;
/// Reads `1280x720`.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    (sides.filter(|sides: &[u32; 2]| sides.iter().all(|side| (1..=MAX_SIDE).contains(side))))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {MAX_SIDE}, as in 1280x720"))
}

pub fn render(arguments: &Arguments) -> Result<(), Failure> {
    let mut session = open(&arguments.open_request, &[])?;
    let reads = outputs::scene_files(&arguments.open_request, &session);
    outputs::check(&reads, &[("--out", arguments.out.as_deref()), ("--film", arguments.film.as_deref())])?;
    let drawing = Drawing::of(arguments);
    let look = drawing.camera(&session)?;
    if let Some(path) = &arguments.film {
        return film(arguments, path, &mut session, &look);
    }
    let Some(out) = &arguments.out else { return Ok(()) };
    let gpu = Gpu::headless().map_err(|error| failed(out, &error))?;
    let mut pictures = Pictures::new(&gpu, arguments.size).map_err(|error| failed(out, &error))?;
    let (stop, mut frame) = (Stop::listen()?, 0);
    for step in 0..=arguments.steps {
        if stop.is_asked() {
            return Err(Failure::Stopped(format!("stopped after {} of {} steps", step, arguments.steps)));
        }
        if step > 0 {
            step_once(&mut session)?;
        }
        let path = match arguments.every {
            Some(every) if step.is_multiple_of(every) => numbered(out, frame),
            None if step == arguments.steps => out.clone(),
            _ => continue,
        };
        frame += 1;
        outputs::check(&reads, &[("--out", Some(&path))])?;
        let picture = drawing.picture(&mut pictures, &session, &look).map_err(|error| failed(&path, &*error))?;
        film::still(&picture, &path).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

fn failed(path: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Error(format!("{}: {error}", path.display()))
}

/// Records a film.
fn film(arguments: &Arguments, path: &Path, session: &mut Session, look: &PictureCamera) -> Result<(), Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds.is_finite()) {
        return Err(Failure::Misuse("--seconds: expected a time above 0".into()));
    }
    if !SPEEDS.contains(&arguments.speed) {
        return Err(Failure::Misuse(format!("--speed: expected {} to {}", SPEEDS.start(), SPEEDS.end())));
    }
    let kind =
        film::FilmFormat::of(path).map_err(|error| Failure::Misuse(format!("--film {}: {error}", path.display())))?;
    let stop = Stop::listen()?;
    for step in 0..arguments.steps {
        if stop.is_asked() {
            return Err(Failure::Stopped(format!("stopped after {step} of {} steps before the film", arguments.steps)));
        }
        step_once(session)?;
    }
    let rate = f64::from(kind.rate(arguments.fps));
    let frames = (f64::from(arguments.seconds) * rate / f64::from(arguments.speed)).round().max(1.0);
    let [width, height] = arguments.size;
    let below = if arguments.plots { plots_height(width) } else { 0 };
    let mut reel = Film::create(path, [width, height + below], frames as u64, arguments.fps)
        .map_err(|error| failed(path, &error))?;
    let gpu = Gpu::headless().map_err(|error| failed(path, &error))?;
    let mut pictures = Pictures::new(&gpu, arguments.size).map_err(|error| failed(path, &error))?;
    let steps = f64::from(session.settings().step.rate) * f64::from(arguments.speed) / rate;
    let (mut owed, mut made) = (0.0, 0_u64);
    while !reel.is_whole() {
        if stop.is_asked() {
            // Dropping the film clears it away.
            let frames = frames as u64;
            return Err(Failure::Stopped(format!("stopped after {made} of {frames} pictures: no film is written")));
        }
        made += 1;
        let drawn =
            Drawing::of(arguments).picture(&mut pictures, session, look).map_err(|error| failed(path, &*error))?;
        reel.add(drawn).map_err(|error| failed(path, &error))?;
        owed += steps;
        // Steps after the last picture are not needed.
        while owed >= 1.0 - 1e-9 && !reel.is_whole() && !stop.is_asked() {
            owed -= 1.0;
            step_once(session)?;
        }
    }
    reel.finish().map_err(|error| failed(path, &error))
}

/// The options of a drawing.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// The size of the view, pixels.
    pub size: [u32; 2],
    /// See [`Arguments`].
    pub view: Option<Side>,
    pub viewpoint: Viewpoint,
    /// Whether the scene's plots are drawn below the view.
    pub plots: bool,
}

impl Drawing {
    fn of(arguments: &Arguments) -> Self {
        let Arguments { size, view, viewpoint, plots, .. } = *arguments;
        Self { size, view, viewpoint, plots }
    }

    /// The camera, determined from the scene's initial state, so that it stays fixed in a sequence.
    ///
    /// # Errors
    /// If eye and target are the same point.
    pub fn camera(&self, session: &Session) -> Result<PictureCamera, Failure> {
        let scene_camera = session.scene().map(|scene| scene.camera).unwrap_or_default();
        if let Some(side) = self.view {
            return Ok(PictureCamera::around(session, side.bearing(), self.viewpoint.target, self.size));
        }
        let [eye, target] = self.viewpoint.ends(scene_camera).map_err(Failure::Misuse)?;
        Ok(PictureCamera::between(eye, target, self.viewpoint.parallel))
    }

    /// The view, with the plots below it if requested.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn picture(
        &self,
        pictures: &mut Pictures<'_>,
        session: &Session,
        look: &PictureCamera,
    ) -> Result<RgbaImage, Box<dyn std::error::Error>> {
        let view = pictures.picture(session, look)?;
        if !self.plots {
            return Ok(view);
        }
        let plots = delassus_app::plots_of(session).image([view.width(), plots_height(view.width())])?;
        Ok(film::stacked(&view, &plots))
    }
}

/// `picture-0007.png` of `picture.png`.
fn numbered(path: &Path, frame: u64) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-{frame:04}{ending}"))
}
