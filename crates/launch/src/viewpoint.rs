//! The camera's position and target, as command-line arguments.

use glam::Vec3;

/// The largest distance of a camera from the origin, m.
const MAX_DISTANCE: f32 = 1e5;

/// The camera's position and target, if they are given.
#[derive(Debug, Clone, Copy, Default, PartialEq, clap::Args)]
pub struct Viewpoint {
    /// Where the camera stands, m; the scene's own if left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "scene")]
    pub eye: Option<Vec3>,
    /// The point that it looks at, m; the scene's own if left out
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "scene")]
    pub target: Option<Vec3>,
    /// Without perspective
    #[arg(long, requires = "scene")]
    pub parallel: bool,
}

fn point(text: &str) -> Result<Vec3, String> {
    let numbers: Result<Vec<f32>, _> = text.trim_matches(['(', ')']).split(',').map(|v| v.trim().parse()).collect();
    (numbers.ok().and_then(|v| <[f32; 3]>::try_from(v).ok()).map(Vec3::from))
        .filter(|p| p.is_finite() && p.abs().max_element() <= MAX_DISTANCE)
        .ok_or_else(|| format!("expected X,Y,Z in metres, each within ±{MAX_DISTANCE}, as in 4,-6,2"))
}

/// Rounding of the positions as a share of the camera's distance: a tenth of a pixel is 7.5e-5 with a field of view
/// of 43° on a thousand pixels.
const FINENESS: f32 = 1e-4;

impl Viewpoint {
    /// The arguments that give this view, as pairs of name and value, with as few digits as keep it to a fraction of
    /// a pixel.
    pub(super) fn words(&self) -> Vec<(&'static str, String)> {
        let distance = match (self.eye, self.target) {
            (Some(eye), Some(target)) => eye.distance(target),
            _ => 1.0,
        };
        let digits = -(distance * FINENESS).max(1e-9).log10().floor();
        let digits = digits.clamp(0.0, 9.0) as usize;
        let said = [("--eye", self.eye), ("--target", self.target)];
        let points = said.into_iter().filter_map(|(name, point)| Some((name, point?.to_array())));
        points.map(|(name, point)| (name, point.map(|number| rounded(number, digits)).join(","))).collect()
    }

    /// The camera's eye and target, m, world frame; parts that are not given come from `own`.
    ///
    /// # Errors
    /// If eye and target are the same point.
    pub fn ends(&self, own: delassus_scene::CameraDoc) -> Result<[Vec3; 2], String> {
        let (eye, target) = (self.eye.unwrap_or(own.eye), self.target.unwrap_or(own.target));
        if eye == target { Err("the camera's eye and target must be two points".into()) } else { Ok([eye, target]) }
    }

    /// Whether no argument was given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A number with this many decimals, without trailing zeros.
fn rounded(number: f32, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}
