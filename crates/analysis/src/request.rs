//! What is asked, and whether it makes sense.

use glam::DVec3;

use delassus_doctor::DoctorCase;
use delassus_physics::joint::Joint;

use crate::path::Walker;
use crate::refusal::Refusal;
use crate::rows::Measure;

/// The most samples.
const MAX_SAMPLES: usize = 100_000;

/// How far the driven joint goes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Travel {
    /// A turn of a joint with an angle; between its limits for one with a slide.
    #[default]
    Usual,
    /// So many turns from the value of the scene; negative ones backwards.
    Turns(f64),
    /// From one value to another, rad or m.
    Between(f64, f64),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The driven joint, by its index in the world.
    pub joint: usize,
    pub travel: Travel,
    /// Intervals between samples: there is one sample more.
    pub samples: usize,
    /// The speed of the driven joint, rad/s or m/s, which is constant.
    pub speed: f64,
    /// Other joints that are held at their values of the scene.
    pub hold: Vec<usize>,
    /// The joint at which the work of the driven one arrives.
    pub output: Option<usize>,
    /// A body and a point of it, from the origin of its shape in its axes as in a scene, m.
    pub point: Option<(u32, DVec3)>,
}

impl Default for Request {
    fn default() -> Self {
        Self { joint: 0, travel: Travel::Usual, samples: 36, speed: 1.0, hold: Vec::new(), output: None, point: None }
    }
}

/// What the driven joint measures, if the request makes sense.
pub(crate) fn check(case: &DoctorCase<'_>, request: &Request) -> Result<Measure, Refusal> {
    let joints = &case.world.state.joints;
    let with = || -> Vec<String> {
        let has_value = |index: &usize| Measure::of(&joints[*index].def.kind).is_some();
        (0..joints.len()).filter(has_value).map(|index| case.joint(index).to_owned()).collect()
    };
    let value = |index: usize| {
        let joint = joints.get(index).ok_or_else(|| misuse("", "the scene has no such joint"))?;
        if joint.broken.is_some() {
            return Err(Refusal::Broken { joint: case.joint(index).into() });
        }
        let kind = joint.def.kind.info().name;
        Measure::of(&joint.def.kind).ok_or_else(|| Refusal::NoValue {
            joint: case.joint(index).into(),
            kind,
            with: with(),
        })
    };
    let measure = value(request.joint)?;
    if measure != Measure::Angle && !matches!(request.travel, Travel::Between(..)) {
        slide(&joints[request.joint], request.travel)?;
    }
    for other in request.hold.iter().chain(&request.output) {
        value(*other)?;
    }
    if !(1..=MAX_SAMPLES).contains(&request.samples) {
        return Err(misuse("--samples", format!("expected 1 to {MAX_SAMPLES} intervals between samples")));
    }
    if !(request.speed.is_finite() && request.speed.abs() <= 1e6) {
        return Err(misuse("--speed", "expected a speed of up to 1e6"));
    }
    if let Some((body, at)) = request.point
        && !(at.is_finite() && at.length() < 1e6 && (body as usize) < case.world.state.bodies.len())
    {
        return Err(misuse("--point", "expected a body and a point of it, m"));
    }
    Ok(measure)
}

/// A refusal of what an option of the command gives; the option is empty where none does.
pub(crate) fn misuse(option: impl Into<String>, what: impl Into<String>) -> Refusal {
    Refusal::Misuse { option: option.into(), what: what.into() }
}

fn turns_of_a_slide() -> Refusal {
    misuse("--turns", "this joint slides; give --from and --to in metres")
}

/// The usual travel of a joint that slides: between its limits, m.
fn slide(joint: &Joint, travel: Travel) -> Result<(f64, f64), Refusal> {
    if travel != Travel::Usual {
        return Err(turns_of_a_slide());
    }
    match joint.def.kind.range(joint.rest_length) {
        Some((from, to)) if to > from && (to - from) < 1e6 => Ok((from.into(), to.into())),
        _ => Err(Refusal::NoLimits),
    }
}

/// The ends of the travel, rad or m.
pub(crate) fn ends(walker: &Walker<'_, '_>, request: &Request, measure: Measure) -> Result<(f64, f64), Refusal> {
    use std::f64::consts::TAU;
    let now = walker.value();
    let joint = &walker.linkage.joints[walker.drive.driven].1;
    let (from, to) = match (request.travel, measure) {
        (Travel::Between(from, to), _) => (from, to),
        (Travel::Turns(turns), Measure::Angle) => (now, now + TAU * turns),
        (Travel::Usual, Measure::Angle) => (now, now + TAU),
        (Travel::Turns(_), _) => {
            return Err(turns_of_a_slide());
        }
        (Travel::Usual, _) => match joint.def.kind.range(joint.rest_length) {
            Some((from, to)) if to > from && (to - from) < 1e6 => (from.into(), to.into()),
            _ => {
                return Err(Refusal::NoLimits);
            }
        },
    };
    let most = 1e4 * if measure == Measure::Angle { 1.0 } else { walker.linkage.size };
    if !(from.is_finite() && to.is_finite() && from != to && (from - now).abs() <= most && (to - now).abs() <= most) {
        let (least, most) = (measure.words(now - most), measure.words(now + most));
        return Err(misuse("", format!("the travel: expected two different values from {least} to {most}")));
    }
    Ok((from, to))
}
