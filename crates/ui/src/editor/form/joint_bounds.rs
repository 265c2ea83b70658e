//! The fields of a joint's bounds: stops, rests, lengths and swings.

use egui::Ui;

use crate::editor::form::joint_fields::RunningJoint;
use crate::editor::form::{self, DEGREES, DragRange, Form, MOST_LENGTH, field_visitor::VisitFields};
use crate::widgets::{angles::Angles, number::with_unit};
use delassus_physics::angle::Angle;
use delassus_physics::joints::JointKind;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::primitives::tangent::Leaving;
use delassus_physics::quantity;

/// A coordinate of a joint: an angle or a distance along a slide.
pub(super) trait AngleOrSlide: Clone + PartialEq + 'static {
    /// In degrees or metres.
    const RANGE: DragRange;
    const NONE: Self;
    /// The limits that a new limit starts with.
    const DEFAULT_MIN: Self;
    const DEFAULT_MAX: Self;
    /// The value in rad or m.
    fn value(&self) -> f32;
    fn field(&mut self, ui: &mut Ui, mixed: bool, name: &str) -> bool;
    /// A value of the running world, rad or m, in words.
    fn words(value: f32, angles: Angles) -> String;
}

impl AngleOrSlide for Angle {
    const RANGE: DragRange = DEGREES;
    const NONE: Self = Self::degrees(0.0);
    const DEFAULT_MIN: Self = Self::degrees(-45.0);
    const DEFAULT_MAX: Self = Self::degrees(45.0);
    fn value(&self) -> f32 {
        self.radians
    }
    fn field(&mut self, ui: &mut Ui, mixed: bool, name: &str) -> bool {
        form::angle(ui, self, mixed, &Self::RANGE, name)
    }
    fn words(value: f32, angles: Angles) -> String {
        angles.words(value)
    }
}

impl AngleOrSlide for f32 {
    const RANGE: DragRange = DragRange::of(quantity::SLIDE, 0.01).dragged(-MOST_LENGTH, MOST_LENGTH);
    const NONE: Self = 0.0;
    const DEFAULT_MIN: Self = -0.5;
    const DEFAULT_MAX: Self = 0.5;
    fn value(&self) -> f32 {
        *self
    }
    fn field(&mut self, ui: &mut Ui, mixed: bool, name: &str) -> bool {
        form::number(ui, self, mixed, &Self::RANGE, name).changed()
    }
    fn words(value: f32, _: Angles) -> String {
        with_unit(f64::from(value), "m")
    }
}

/// Two stops, kept in order: one that is moved past the other takes it along.
pub(super) fn limit<Q: AngleOrSlide + VisitFields>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (name, path): (&str, &str),
    limit: &mut Option<(Q, Q)>,
    now: Option<f32>,
) {
    let angles = Angles::of(ui.ctx());
    form.optional(
        ui,
        (name, name),
        path,
        limit,
        (Q::DEFAULT_MIN, Q::DEFAULT_MAX),
        now.map(|now| Q::words(now, angles)),
    );
    let Some((min, max)) = limit else { return };
    let before = min.clone();
    for (end, words, part) in [(&mut *min, "from", "0"), (&mut *max, "to", "1")] {
        let path = format!("{path}.{part}");
        form.row(ui, &format!("  {words}"), &path, end, None, |ui, end, mixed| {
            end.field(ui, mixed(""), &format!("{name} {words}"))
        });
    }
    if min.value() > max.value() {
        if *min == before { min.clone_from(max) } else { max.clone_from(min) }
    }
}

/// A length. Without one it is the anchors' distance in the scene.
pub(super) fn length(
    ui: &mut Ui,
    form: &mut Form<'_>,
    name: &str,
    path: &str,
    length: &mut Option<f32>,
    now: Option<&RunningJoint<'_>>,
) {
    const LENGTH: DragRange = DragRange::of(quantity::LENGTH, 0.01).dragged(1e-3, MOST_LENGTH);
    let initial = now.map_or(1.0, |joint| joint.view.rest_length.max(LENGTH.min));
    let given = format!("{name} given");
    form.optional(ui, (&given, &given), path, length, initial, None);
    let distance = now.map(|RunningJoint { view, place }| match &view.kind {
        JointKind::Pulley(_) => view.readout.value,
        JointKind::Drum(drum) => {
            let gap = place.anchor_b - place.anchor_a;
            Leaving::of(gap, place.axis_a, drum.radius).free
        }
        _ => place.anchor_a.distance(place.anchor_b),
    });
    if let Some(length) = length {
        form.number(ui, (&format!("  {}", name.to_lowercase()), name), path, length, None, &LENGTH, distance);
    }
}

pub(super) fn swing(ui: &mut Ui, form: &mut Form<'_>, limit: &mut SwingLimit, now: Option<&RunningJoint<'_>>) {
    const HALF: DragRange =
        DEGREES.within(quantity::HALF_ANGLE.min.to_degrees(), quantity::HALF_ANGLE.max.to_degrees());
    let (shape, first, second) = match *limit {
        SwingLimit::Cone(a) => (0, a, a),
        SwingLimit::Ellipse(a, b) => (1, a, b),
        SwingLimit::Pyramid(a, b) => (2, a, b),
    };
    let mut chosen = shape;
    let shapes = [(0, "cone"), (1, "ellipse"), (2, "pyramid")];
    form.choice(ui, ("Swing", "Swing shape"), "kind.swing", &mut chosen, None, &shapes);
    if chosen != shape {
        *limit = match chosen {
            0 => SwingLimit::Cone(first),
            1 => SwingLimit::Ellipse(first, second),
            _ => SwingLimit::Pyramid(first, second),
        };
    }
    let swing_now =
        now.map(|joint| joint.place.axis_a.angle_between(joint.place.axis_b)).filter(|angle| angle.is_finite());
    let default = Some(Angle::degrees(45.0));
    match limit {
        SwingLimit::Cone(a) => form.angle(ui, ("  half angle", "Swing"), "kind.swing", a, default, &HALF, swing_now),
        SwingLimit::Ellipse(a, b) | SwingLimit::Pyramid(a, b) => {
            let names = ("  first axis", "Swing about the first axis");
            form.angle(ui, names, "kind.swing", a, default, &HALF, swing_now);
            let names = ("  second axis", "Swing about the second axis");
            form.angle(ui, names, "kind.swing", b, default, &HALF, None);
        }
    }
}
