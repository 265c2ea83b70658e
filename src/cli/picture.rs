//! `delassus render`: a picture of a scene, without a display.

use std::path::PathBuf;

use super::{Assignment, Failure, assignment};
use crate::session::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene file, or a name from `delassus list`
    scene: String,
    /// The PNG file to write
    #[arg(long, value_name = "PNG")]
    out: PathBuf,
    /// Steps to run before the picture is taken
    #[arg(long, value_name = "N", default_value_t = 0)]
    steps: u64,
    /// Width and height, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// Change a setting, as in solver.iterations=50; see `delassus settings`
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<Assignment>,
}

/// The largest side that every adapter can draw, pixels.
const LARGEST: u32 = 8192;

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    (sides.filter(|sides: &[u32; 2]| sides.iter().all(|side| (1..=LARGEST).contains(side))))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {LARGEST}, as in 1280x720"))
}

pub fn render(arguments: &Arguments) -> Result<(), Failure> {
    let mut session = super::open(&arguments.scene, &arguments.set)?;
    for _ in 0..arguments.steps {
        session.dispatch(Command::Step)?;
    }
    crate::app::render_scene(&session, arguments.size, &arguments.out)
        .map_err(|error| Failure::Error(format!("{}: {error}", arguments.out.display())))
}
