//! `delassus render`: pictures of a scene, without a display.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use glam::Vec3;

use super::Failure;
use super::opening::Opening;
use crate::app::{Bearing, Look, Pictures};
use crate::render::camera::AxisView;
use crate::render::gpu::{Gpu, GpuError};
use crate::session::{Command, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    opening: Opening,
    /// The PNG file to write; with --every a number goes before its ending: picture-0000.png, picture-0001.png, …
    #[arg(long, value_name = "PNG")]
    out: PathBuf,
    /// Steps to run before the picture is taken, or in all
    #[arg(long, value_name = "N", default_value_t = 0)]
    steps: u64,
    /// Take a picture of the beginning and of every K-th step
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Width and height, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Where to look from, with all that moves in the picture and without perspective but for the corner; instead of
    /// the scene's own camera
    #[arg(long, value_name = "SIDE", conflicts_with = "eye")]
    view: Option<Side>,
    /// Where the camera stands, m; the scene's own if left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    eye: Option<Vec3>,
    /// The point that it looks at, m; the scene's own if left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    target: Option<Vec3>,
}

/// A side to look from.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
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

/// Runs this command again in a process of its own where a driver would complain on standard error though all is well:
/// Mesa's Vulkan layer that chooses among devices asks for a compositor, even where no session has one, and can only be
/// switched off from outside. Nothing where there is no need, or no way.
pub fn quietly() -> Option<ExitCode> {
    const SWITCH: &str = "NODEVICE_SELECT";
    let set = |name: &str| std::env::var_os(name).is_some();
    if !cfg!(target_os = "linux") || set("XDG_RUNTIME_DIR") || set(SWITCH) {
        return None;
    }
    let again = std::process::Command::new(std::env::current_exe().ok()?)
        .args(std::env::args_os().skip(1))
        .env(SWITCH, "1")
        .status()
        .ok()?;
    // Ended by a signal, it has no code.
    Some(again.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The largest side that every adapter can draw, pixels.
const LARGEST: u32 = 8192;
/// How far from the origin a camera may be, m.
const FARTHEST: f32 = 1e5;

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    (sides.filter(|sides: &[u32; 2]| sides.iter().all(|side| (1..=LARGEST).contains(side))))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {LARGEST}, as in 1280x720"))
}

fn point(text: &str) -> Result<Vec3, String> {
    let numbers: Result<Vec<f32>, _> = text.trim_matches(['(', ')']).split(',').map(|v| v.trim().parse()).collect();
    (numbers.ok().and_then(|v| <[f32; 3]>::try_from(v).ok()).map(Vec3::from))
        .filter(|p| p.is_finite() && p.abs().max_element() <= FARTHEST)
        .ok_or_else(|| format!("expected X,Y,Z in metres, each within ±{FARTHEST}, as in 4,-6,2"))
}

pub fn render(arguments: &Arguments) -> Result<(), Failure> {
    let mut session = arguments.opening.open()?;
    let look = look(arguments, &session)?;
    let failure = |path: &Path, error: GpuError| Failure::Error(format!("{}: {error}", path.display()));
    let gpu = Gpu::headless().map_err(|error| failure(&arguments.out, error))?;
    let mut pictures = Pictures::new(&gpu, arguments.size).map_err(|error| failure(&arguments.out, error))?;
    let mut frame = 0;
    for step in 0..=arguments.steps {
        if step > 0 {
            session.dispatch(Command::Step)?;
        }
        let path = match arguments.every {
            Some(every) if step.is_multiple_of(every) => numbered(&arguments.out, frame),
            None if step == arguments.steps => arguments.out.clone(),
            _ => continue,
        };
        frame += 1;
        pictures.draw(&session, &look, &path).map_err(|error| failure(&path, error))?;
    }
    Ok(())
}

/// What the arguments ask for, in the scene as it begins, so that a sequence's camera holds still.
fn look(arguments: &Arguments, session: &Session) -> Result<Look, Failure> {
    let own = session.scene().map(|scene| scene.camera).unwrap_or_default();
    if let Some(side) = arguments.view {
        return Ok(Look::around(session, side.bearing(), arguments.target, arguments.size));
    }
    let (eye, target) = (arguments.eye.unwrap_or(own.eye), arguments.target.unwrap_or(own.target));
    if eye == target {
        return Err(Failure::Misuse("the camera's eye and target must be two points".into()));
    }
    Ok(Look::between(eye, target))
}

/// `picture-0007.png` of `picture.png`.
fn numbered(path: &Path, frame: u64) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-{frame:04}{ending}"))
}
