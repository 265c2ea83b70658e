//! Linkages for these tests, and the text of their bodies and joints.

use glam::{Quat, Vec3};

/// Bars of 1 kg without contacts, each between two points.
pub fn bars(ends: &[(&str, Vec3, Vec3)]) -> String {
    ends.iter().fold(String::new(), |text, (name, from, to)| {
        let (at, half) = ((*from + *to) / 2.0, from.distance(*to) / 2.0);
        let turn = Quat::from_rotation_arc(Vec3::X, (*to - *from).normalize());
        format!(
            r#"{text}(name: "{name}", shape: Box(half: ({half}, 0.05, 0.05)), at: ({}, {}, {}), rotation: ({}, {}, {}, {}), mass: 1, collide: false),"#,
            at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w
        )
    })
}

/// The text of a joint: name, bodies, anchor, axis, kind.
pub fn joint(name: &str, a: &str, b: &str, at: Vec3, axis: Vec3, kind: &str) -> String {
    format!(
        r#"(name: "{name}", a: "{a}", b: "{b}", anchor: ({}, {}, {}), axis: ({}, {}, {}), kind: {kind}),"#,
        at.x, at.y, at.z, axis.x, axis.y, axis.z
    )
}

/// A four-bar linkage in the plane y = 0 with these joints' positions; its axes are along y, except that `tilt` is
/// added to the third.
pub fn four_bar(points: [Vec3; 4], tilt: Vec3, kinds: [&str; 4]) -> (String, String) {
    let [a, b, c, d] = points;
    let bodies = bars(&[("crank", a, b), ("rod", b, c), ("rocker", d, c)]);
    let joints = joint("A", "world", "crank", a, Vec3::Y, kinds[0])
        + &joint("B", "crank", "rod", b, Vec3::Y, kinds[1])
        + &joint("C", "rod", "rocker", c, Vec3::Y + tilt, kinds[2])
        + &joint("D", "world", "rocker", d, Vec3::Y, kinds[3]);
    (bodies, joints)
}

/// A four-bar with links of 0.4, 1.3 and 0.9 on a ground of 1.1.
pub fn linkage() -> [Vec3; 4] {
    let (a, d) = (Vec3::ZERO, Vec3::new(1.1, 0.0, 0.0));
    let b = Vec3::new(0.4 * 1.1f32.cos(), 0.0, 0.4 * 1.1f32.sin());
    // The intersection of circles of 1.3 about B and of 0.9 about D.
    let (way, span) = (d - b, d.distance(b));
    let along = (1.3f32.powi(2) - 0.9f32.powi(2) + span * span) / (2.0 * span);
    let up = (1.3f32.powi(2) - along * along).sqrt();
    let across = Vec3::new(-way.z, 0.0, way.x) / span;
    [a, b, b + way / span * along + across * up, d]
}
