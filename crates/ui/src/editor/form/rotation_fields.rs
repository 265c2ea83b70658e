//! The inspector's field of a rotation.

use egui::Ui;
use glam::{EulerRot, Vec3};

use crate::editor::form::{DEGREES, Form};
use crate::widgets::angles::Angles;
use delassus_physics::angle::Angle;
use delassus_scene::Rotation;
use delassus_session::BodyView;

/// The rotation as Euler angles in the chosen unit; it is saved in that form once it is changed.
pub fn row(
    ui: &mut Ui,
    form: &mut Form<'_>,
    rotation: &mut Rotation,
    (label, path): (&str, &str),
    now: Option<&BodyView>,
) {
    let angles = Angles::of(ui.ctx());
    // Rounding errors are shown as zero.
    let hair = 1e-6 * angles.per_radian() as f32;
    let turns = |quat: glam::Quat| {
        let radians = Vec3::from(quat.to_euler(EulerRot::XYZEx));
        radians.map(|v| angles.read(Angle::radians(v))).map(|v| if v.abs() < hair { 0.0 } else { v })
    };
    let written = match *rotation {
        Rotation::Euler { x, y, z } => [x, y, z],
        other => other.quat().map(turns).unwrap_or_default().to_array().map(|v| angles.write(v)),
    };
    let shown = Vec3::from(written.map(|angle| angles.read(angle)));
    let mut turned = shown;
    let unit = match angles {
        Angles::Degrees => "°: turned about the fixed x, then y, then z axis",
        Angles::Radians => "rad: turned about the fixed x, then y, then z axis",
    };
    let range = DEGREES.shown(angles).0.called(unit);
    let now = now.map(|body| turns(body.pose.rotation));
    form.vector(ui, label, path, &mut turned, Some(Vec3::ZERO), &range, now);
    if turned == Vec3::ZERO && shown != Vec3::ZERO {
        *rotation = Rotation::default();
    } else if turned != shown {
        // Unchanged angles keep their exact value.
        let part = |i: usize| if turned[i] == shown[i] { written[i] } else { angles.write(turned[i]) };
        *rotation = Rotation::Euler { x: part(0), y: part(1), z: part(2) };
    }
}
