//! The joint or contact of a lesson, and the current values of its symbols.

use glam::Vec3;

use crate::{
    panels::laboratory::{row_drawing, units},
    selection::Selection,
    view::View,
    widgets::{
        self,
        angles::Angles,
        number::{length, with_unit, without_rounding},
    },
};
use delassus_lab::{RowDetails, TracedStep};
use delassus_physics::row::{ContactPart, Owner, RowId};
use delassus_scene::letter::{Letter, Live};
use delassus_session::{BodyView, JointPose, JointView, Motion};

/// The data of a joint or contact, or of a body that touches nothing. Vectors are in the world frame.
pub struct LessonConstraint<'a> {
    pub name: String,
    pub bodies: [Option<&'a BodyView>; 2],
    pub anchors: [Vec3; 2],
    pub axes: Option<[Vec3; 2]>,
    pub joint: Option<&'a JointView>,
    pub row: Option<&'a RowDetails>,
    /// Whether A and B are swapped in comparison with the row.
    pub turned: bool,
    pub h: f32,
    pub beta: f32,
}

/// The selected joint or contact; if none is selected, the one that the lesson names. A body that touches nothing has no
/// row.
pub fn pair<'a>(
    view: &'a View<'_>,
    live: &Live,
    traced: Option<&'a TracedStep>,
    selection: &Selection,
) -> Option<LessonConstraint<'a>> {
    let snapshot = view.snapshot;
    let joint = selection.joint.or_else(|| {
        // A selected body of this joint leaves the joint in place.
        let free = |joint: &JointView| {
            selection.bodies.is_empty() || [joint.a, joint.b].iter().any(|body| selection.bodies.contains(body))
        };
        snapshot.joints.iter().position(|joint| *joint.name == *live.of && free(joint))
    });
    let (h, beta) = (snapshot.sub_step, view.settings.stabilization.beta);
    if let Some(index) = joint {
        let joint = snapshot.joints.get(index)?;
        let own = |row: &&RowDetails| matches!(row.owner, Owner::Joint(owner) if owner as usize == index);
        let row = traced.and_then(|traced| {
            // A stop that is not reached may have no row: another row of the lesson's joint would mislead.
            let another = || traced.rows.iter().find(own).filter(|_| *joint.name != *live.of);
            traced.rows.iter().filter(own).nth(live.row).or_else(another)
        });
        let JointPose { anchor_a, anchor_b, axis_a, axis_b } = snapshot.place(joint);
        let has_axis = axis_a.length_squared() > 0.5 && joint.kind.info().axis;
        return Some(LessonConstraint {
            name: joint.name.to_string(),
            bodies: [snapshot.body(joint.a), snapshot.body(joint.b)],
            anchors: [anchor_a, anchor_b],
            axes: has_axis.then_some([axis_a, axis_b]),
            joint: Some(joint),
            row,
            turned: false,
            h,
            beta,
        });
    }
    let called = |name: &str| snapshot.bodies.iter().find(|body| *body.name == *name).map(|body| body.id);
    let chosen = selection.bodies.last().copied();
    let body = chosen.or_else(|| called(&live.of))?;
    let other = live.with.as_deref().filter(|_| chosen.is_none()).and_then(called);
    let row = traced.and_then(|traced| traced.rows.iter().find(|row| is_contact(row, body, other)));
    let name = |id: u32| snapshot.body(id).map_or_else(|| "world".to_owned(), |body| body.name.to_string());
    let Some((row, at)) = row.zip(traced).and_then(|(row, traced)| Some((row, row_drawing::point(traced, row)?)))
    else {
        // The velocities and masses can be read without a contact, too.
        let bodies = [other.and_then(|other| snapshot.body(other)), Some(snapshot.body(body)?)];
        let names: Vec<String> = other.into_iter().chain([body]).map(name).collect();
        let anchors = bodies.map(|body| body.map_or(Vec3::ZERO, |body| body.centre));
        let (name, axes, joint, row, turned) = (names.join(" · "), None, None, None, false);
        return Some(LessonConstraint { name, bodies, anchors, axes, joint, row, turned, h, beta });
    };
    // The symbols are shown for the dynamic body: a floor has neither velocity nor mass.
    let still = |id: u32| snapshot.body(id).is_none_or(|body| body.motion == Motion::Static);
    let turned = other.map_or_else(|| still(row.b) && !still(row.a), |other| row.b == other);
    let [a, b] = if turned { [row.b, row.a] } else { [row.a, row.b] };
    Some(LessonConstraint {
        name: format!("{} · {}", name(a), name(b)),
        bodies: [snapshot.body(a), snapshot.body(b)],
        turned,
        anchors: [at, at],
        axes: None,
        joint: None,
        row: Some(row),
        h,
        beta,
    })
}

/// Whether a row is the normal of a contact of this body, with the other one if there is one.
fn is_contact(row: &RowDetails, body: u32, other: Option<u32>) -> bool {
    let RowId::Contact { part: ContactPart::Normal(_), .. } = row.id else { return false };
    let touched = match body {
        body if body == row.a => row.b,
        body if body == row.b => row.a,
        _ => return false,
    };
    other.is_none_or(|other| other == touched)
}

/// A vector symbol: its start and its components in the world frame, and its unit.
pub fn vector(letter: Letter, pair: &LessonConstraint<'_>) -> Option<(Vec3, Vec3, &'static str)> {
    let [a, b] = pair.bodies;
    let [at_a, at_b] = pair.anchors;
    let origin = Some(Vec3::ZERO);
    let centre = |body: Option<&BodyView>| body.map(|body| body.centre);
    Some(match letter {
        Letter::CentreA => (origin?, centre(a)?, "m"),
        Letter::CentreB => (origin?, centre(b)?, "m"),
        Letter::AnchorA => (origin?, at_a, "m"),
        Letter::AnchorB => (origin?, at_b, "m"),
        Letter::LeverA => (centre(a)?, at_a - centre(a)?, "m"),
        Letter::LeverB => (centre(b)?, at_b - centre(b)?, "m"),
        Letter::LeverS => (centre(a)?, at_b - centre(a)?, "m"),
        Letter::Gap => (at_a, at_b - at_a, "m"),
        Letter::VelocityA => (centre(a)?, a?.velocity, "m/s"),
        Letter::VelocityB => (centre(b)?, b?.velocity, "m/s"),
        Letter::SpinA => (centre(a)?, a?.angular_velocity, "rad/s"),
        Letter::SpinB => (centre(b)?, b?.angular_velocity, "rad/s"),
        Letter::AxisA => (at_a, pair.axes?[0], ""),
        Letter::AxisB => (at_b, pair.axes?[1], ""),
        Letter::Direction => {
            let row = pair.row?;
            let direction = if row.is_angular() { row.jacobian.ang_b } else { row.jacobian.lin };
            (at_b, if pair.turned { -direction } else { direction }, "")
        }
        Letter::Tangent => (centre(b)?, b?.velocity * pair.h, "m"),
        _ => return None,
    })
}

/// The value of a symbol as text of constant width.
pub fn value(letter: Letter, pair: &LessonConstraint<'_>, angles: Angles) -> String {
    if let Some((_, vector, unit)) = vector(letter, pair) {
        let part = |c: f32| format!("{:>7}", widgets::number::component(c).trim());
        return format!("{}{}{} {unit}", part(vector.x), part(vector.y), part(vector.z));
    }
    scalar(letter, pair, angles).unwrap_or_else(|| "–".to_owned())
}

fn scalar(letter: Letter, pair: &LessonConstraint<'_>, angles: Angles) -> Option<String> {
    let readout = pair.joint.map(|joint| &joint.readout);
    Some(match letter {
        Letter::Error => length(without_rounding(f64::from(readout?.error), "m")),
        Letter::Angle => angles.words(without_rounding(f64::from(readout?.value), "rad")),
        Letter::Lean => angles.words(without_rounding(f64::from(readout?.angular_error), "rad")),
        Letter::Step => with_unit(f64::from(pair.h), "s"),
        Letter::Share => format!("{:.3}", pair.beta),
        Letter::Weight => with_unit(f64::from(pair.bodies[1]?.mass), "kg"),
        Letter::Row | Letter::K | Letter::Mass | Letter::Impulse | Letter::Force | Letter::Bias | Letter::Rate => {
            let row = pair.row?;
            let unit = units::of(row);
            match letter {
                Letter::K => units::plain(f64::from(row.k), unit.inverse),
                Letter::Mass => with_unit(f64::from(row.mass()), unit.mass),
                Letter::Impulse => with_unit(f64::from(row.impulse), unit.impulse),
                Letter::Force => with_unit(f64::from(row.force), unit.force),
                Letter::Bias => with_unit(f64::from(row.bias), unit.speed),
                Letter::Rate => with_unit(f64::from(rate(row, pair)), unit.speed),
                _ => row.part(),
            }
        }
        _ => return None,
    })
}

/// J u with the current velocities of the bodies.
fn rate(row: &RowDetails, pair: &LessonConstraint<'_>) -> f32 {
    let still = (Vec3::ZERO, Vec3::ZERO);
    let of = |body: Option<&BodyView>| body.map_or(still, |body| (body.velocity, body.angular_velocity));
    let [a, b] = pair.bodies;
    let [(va, wa), (vb, wb)] = if pair.turned { [of(b), of(a)] } else { [of(a), of(b)] };
    let j = &row.jacobian;
    j.lin.dot(vb - va) + j.net.dot(va) + j.ang_a.dot(wa) + j.ang_b.dot(wb)
}
