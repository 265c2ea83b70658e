//! What the page draws in the view: the path of the followed point, and at the sample that is read the point, the
//! mechanism as a ghost, and the instant centres of a plane mechanism with the names of their two bodies.

use glam::{DVec3, Vec3};

use super::Analyse;
use crate::{view::View, view3d::View3d};
use delassus_render::palette::{ACCENT, PURPLE, VERMILION, with_alpha};
use delassus_session::Pose;
use delassus_session::analysis::Analysis;

/// Centres farther away than this many times the mechanism's size are left out.
const FAR: f64 = 20.0;
/// The least shift of a body that is drawn as a ghost, and the least turn, as a share of the mechanism's size and in rad.
const MOVED: f32 = 1e-3;

pub(super) fn draw(state: &Analyse, view: &View<'_>, view3d: &mut View3d) {
    let Some((shown, analysis)) = state.analysis() else { return };
    let Some(sample) = analysis.samples.get(state.sample()) else { return };
    let preview = &mut view3d.preview;
    let path: Vec<Vec3> = analysis.samples.iter().filter_map(|sample| Some(sample.point?[0].as_vec3())).collect();
    for ends in path.windows(2) {
        preview.lines.push((ends[0], ends[1], with_alpha(ACCENT, 1.0), 2.5));
    }
    if let Some([at, velocity, _]) = sample.point {
        preview.points.push((at.as_vec3(), with_alpha(ACCENT, 1.0), 9.0));
        let arrow = velocity_arrow(analysis, velocity);
        if arrow.length() > 0.0 {
            preview.arrows.push((at.as_vec3(), arrow, with_alpha(ACCENT, 1.0)));
        }
    }
    for (id, at) in analysis.bodies.iter().zip(&sample.bodies) {
        let Some(body) = view.snapshot.body(*id).filter(|_| !view3d.visibility.is_hidden(*id)) else { continue };
        let (centre, rotation) = (at.position.as_vec3(), at.rotation.as_quat());
        let pose = Pose { position: centre - rotation * body.solid.centre, rotation };
        let near = pose.position.distance(body.pose.position) < MOVED * analysis.size as f32;
        if !(near && rotation.angle_between(body.pose.rotation) < MOVED) {
            preview.ghosts.push((body.solid.clone(), pose));
        }
    }
    if state.without_centres {
        return;
    }
    let middle = sample.bodies.iter().map(|body| body.position).sum::<DVec3>() / sample.bodies.len().max(1) as f64;
    let mut words: Vec<(Vec3, String)> = Vec::new();
    for (pair, centre) in analysis.centres.iter().zip(&sample.centres) {
        let Some(centre) = centre.filter(|centre| centre.distance(middle) < FAR * analysis.size) else { continue };
        let [a, b] = pair.bodies.map(|id| shown.body(id));
        let at = centre.as_vec3();
        let is_of_world = pair.bodies.contains(&0);
        preview.discs.push((at, if is_of_world { VERMILION } else { PURPLE }));
        // Centres at one place share a label.
        match words.iter_mut().find(|(other, _)| other.distance(at) < 1e-3 * analysis.size as f32) {
            Some((_, words)) => *words += &format!(", {a}–{b}"),
            None => words.push((at, format!("{a}–{b}"))),
        }
    }
    preview.words.extend(words);
}

/// The velocity of the point as an arrow: the fastest of the travel is a third of the mechanism's size long.
fn velocity_arrow(analysis: &Analysis, velocity: DVec3) -> Vec3 {
    let speeds = analysis.samples.iter().filter_map(|sample| Some(sample.point?[1].length()));
    let fastest = speeds.fold(0.0, f64::max);
    if fastest > 1e-12 { (velocity / fastest * analysis.size / 3.0).as_vec3() } else { Vec3::ZERO }
}
