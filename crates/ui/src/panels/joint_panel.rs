//! The Inspector's read-outs of a joint: its value between its limits, its forces by the purpose of their rows, and its
//! strength.

use egui::{Align2, CornerRadius, FontId, Grid, Label, RichText, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use glam::Vec3;
use lucide_icons::Icon;

use crate::{
    panels::inspector::{axes, heading, quantity, section, vector, word},
    selection::Selection,
    widgets::{self, angles::Angles, icon_sized, number::with_unit, theme},
};
use delassus_physics::{
    joints::{JointDisplay, JointKind, JointMeasure},
    primitives::swing_twist::SwingLimit,
};
use delassus_session::{JointPose, JointView, Snapshot, snapshot::Broken};

/// The joint's name, kind and bodies.
pub fn head(ui: &mut Ui, joint: &JointView, snapshot: &Snapshot, selection: &mut Selection) {
    let info = joint.kind.info();
    heading(ui, Icon::Link2, &joint.name, info.name);
    ui.add(Label::new(RichText::new(info.what).color(theme::colors(ui.visuals()).weak)).wrap());
    broken(ui, joint);
    ends(ui, joint, snapshot, selection);
}

/// The joint's read-outs.
pub fn show(ui: &mut Ui, joint: &JointView, snapshot: &Snapshot) {
    let place = snapshot.place(joint);
    value(ui, joint, &place);
    widgets::title(ui, "Error");
    section(ui, "joint error", |ui| {
        quantity(ui, "Position", joint.readout.error, "m");
        let angles = Angles::of(ui.ctx());
        word(ui, "Orientation", &angles.words(joint.readout.angular_error));
    });
    forces(ui, joint);
    bears(ui, joint);
    widgets::title(ui, "Anchors, world");
    section(ui, "joint anchors", |ui| {
        axes(ui);
        vector(ui, "On A", place.anchor_a, "m");
        vector(ui, "On B", place.anchor_b, "m");
    });
    ui.label(RichText::new(format!("source: {}", joint.kind.info().source)).small().weak());
}

/// When the joint broke, and under what load.
fn broken(ui: &mut Ui, joint: &JointView) {
    let Some(broken) = joint.broken else { return };
    let color = theme::colors(ui.visuals()).bad;
    let text = format!("broke at {} under {}", crate::widgets::number::time(broken.time), load(joint, broken));
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::Unlink, 14.0).color(color));
        ui.label(RichText::new(text).color(color));
    });
}

/// The title of a value, with the limit that it is at on the same line, so that nothing moves when that changes.
fn value_title(ui: &mut Ui, name: &str, at: &str) {
    ui.horizontal(|ui| {
        widgets::title(ui, name);
        if !at.is_empty() {
            let color = theme::colors(ui.visuals()).warn;
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(at).small().color(color));
                ui.label(icon_sized(Icon::ArrowRightToLine, 12.0).color(color));
            });
        }
    });
}

/// The load under which the joint broke: force or torque or both, if it has a limit for them.
pub fn load(joint: &JointView, broken: Broken) -> String {
    let breaks = joint.breaks.unwrap_or_default();
    let force = breaks.force.map(|_| with_unit(f64::from(broken.force), "N"));
    let torque = breaks.torque.map(|_| with_unit(f64::from(broken.torque), "N·m"));
    [force, torque].into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

fn ends(ui: &mut Ui, joint: &JointView, snapshot: &Snapshot, selection: &mut Selection) {
    ui.add_space(2.0);
    for (end, id) in [("A", joint.a), ("B", joint.b)] {
        ui.horizontal(|ui| {
            ui.label(RichText::new(end).weak());
            match snapshot.body(id) {
                Some(body) => {
                    let name = body.name.to_string();
                    if ui
                        .add(egui::Button::selectable(false, widgets::lead(widgets::icon(Icon::Box), name)).truncate())
                        .clicked()
                    {
                        selection.click_body(id, false);
                    }
                }
                None => {
                    ui.label("the world");
                }
            }
        });
    }
    ui.add_space(2.0);
}

fn value(ui: &mut Ui, joint: &JointView, place: &JointPose) {
    let (read, measures, shown) = (&joint.readout, joint.kind.info().measures, joint.kind.info().shown);
    let (name, angle) = match measures {
        JointMeasure::Angle => (if shown == JointDisplay::Dial { "Twist" } else { "Angle" }, true),
        JointMeasure::Slide => ("Slide", false),
        JointMeasure::Length => ("Length", false),
    };
    let angles = Angles::of(ui.ctx());
    let at = match (read.stops.least, read.stops.greatest) {
        (true, _) if joint.kind.is_rope() => "wound up to its end",
        (true, _) => "at its lower limit",
        (_, true) if joint.kind.is_rope() => "taut",
        (_, true) => "at its upper limit",
        _ if read.stops.swing && shown == JointDisplay::Bend => "at its limit",
        _ => "",
    };
    value_title(ui, name, at);
    if let Some(range) = joint.kind.range(joint.rest_length) {
        bar(ui, name, read.value, range, angle, read.stops.any());
    }
    section(ui, "joint value", |ui| {
        if angle {
            word(ui, "Value", &angles.words(read.value));
            word(ui, "Rate", &angles.rate(read.speed));
        } else {
            quantity(ui, "Value", read.value, "m");
            quantity(ui, "Rate", read.speed, "m/s");
        }
    });
    // If a joint measures its bend, the value above is the swing already.
    if let (Some(limit), true) = (joint.kind.swing_limit(), shown != JointDisplay::Bend) {
        value_title(ui, "Swing", if read.stops.swing { "at its limit" } else { "" });
        let (upper, lower) = match limit {
            SwingLimit::Cone(s) => (s.radians, s.radians),
            SwingLimit::Ellipse(s, t) | SwingLimit::Pyramid(s, t) => {
                (s.radians.max(t.radians), s.radians.min(t.radians))
            }
        };
        let swing = place.axis_a.angle_between(place.axis_b);
        bar(ui, "Swing", swing, (0.0, upper), true, read.stops.swing);
        section(ui, "joint swing", |ui| {
            word(ui, "Value", &angles.words(swing));
            if lower < upper {
                word(ui, "Limits", &format!("{} and {}", angles.words(lower), angles.words(upper)));
            }
        });
    }
}

/// A bar with the value between its limits.
fn bar(ui: &mut Ui, name: &str, value: f32, (min, max): (f32, f32), angle: bool, at_stop: bool) {
    let colors = theme::colors(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::hover());
    let track = egui::Rect::from_min_max(rect.min + vec2(2.0, 3.0), pos2(rect.right() - 2.0, rect.top() + 13.0));
    let painter = ui.painter();
    painter.rect(track, CornerRadius::same(3), colors.sunken, Stroke::new(1.0, colors.line), StrokeKind::Inside);
    let share = |v: f32| if max > min { ((v - min) / (max - min)).clamp(0.0, 1.0) } else { 0.5 };
    let x = |v: f32| egui::lerp(track.left() + 2.0..=track.right() - 2.0, share(v));
    let color = if at_stop { colors.warn } else { colors.accent };
    if min < 0.0 && max > 0.0 {
        let zero = x(0.0);
        painter.line_segment([pos2(zero, track.top()), pos2(zero, track.bottom())], Stroke::new(1.0, colors.weak));
    }
    let from = if min > 0.0 { x(min) } else { x(0.0f32.min(max)) };
    let here = x(value);
    let fill = egui::Rect::from_x_y_ranges(from.min(here)..=from.max(here), track.top() + 3.0..=track.bottom() - 3.0);
    painter.rect_filled(fill, 2.0, color.gamma_multiply(0.5));
    painter.rect_filled(egui::Rect::from_center_size(pos2(here, track.center().y), vec2(4.0, 14.0)), 2.0, color);
    let angles = Angles::of(ui.ctx());
    let show = |v: f32| if angle { angles.words(v) } else { with_unit(f64::from(v), "m") };
    let font = FontId::monospace(11.0);
    let y = rect.bottom();
    painter.text(pos2(track.left(), y), Align2::LEFT_BOTTOM, show(min), font.clone(), colors.weak);
    painter.text(pos2(track.right(), y), Align2::RIGHT_BOTTOM, show(max), font, colors.weak);
    response.on_hover_text(format!("{name} {} of {} to {}", show(value), show(min), show(max)));
}

/// The forces and torques, sorted by the purpose of their rows.
fn forces(ui: &mut Ui, joint: &JointView) {
    let (read, kind) = (&joint.readout, &joint.kind);
    let angular = kind.info().measures == JointMeasure::Angle;
    let along = if angular { "N·m" } else { "N" };
    let limit = if kind.stops_its_end() { "N" } else { along };
    widgets::title(ui, "Forces on B, world")
        .on_hover_text("From the last sub-step: λ/h of the rows, grouped by purpose");
    section(ui, "joint vectors", |ui| {
        axes(ui);
        if read.anchor != Vec3::ZERO || kind.info().coincident {
            vector(ui, "Anchor", read.anchor, "N");
        }
        if read.axis != Vec3::ZERO || kind.holds().1 {
            vector(ui, "Axis", read.axis, "N·m");
        }
        vector(ui, "All", read.force, "N");
        vector(ui, "All", read.torque, "N·m");
    });
    let scalars = [
        ("Spring", read.spring, kind.is_sprung(), along),
        (if kind.servo().is_some() { "Servo" } else { "Motor" }, read.motor, kind.is_driven(), along),
        ("Friction", read.friction, false, along),
        ("Damping", read.damping, false, along),
        ("Coupling", read.coupling, kind.is_coupling(), "N"),
        ("Limit", read.limit, kind.range(joint.rest_length).is_some() && limited_by_row(kind), limit),
        ("Swing limit", read.swing, kind.swing_limit().is_some(), "N·m"),
    ];
    section(ui, "joint scalars", |ui| {
        for (name, value, there, unit) in scalars {
            if there || value != 0.0 {
                quantity(ui, name, value, unit);
            }
        }
        quantity(ui, "Impulse", read.impulse(), "N·s");
        if kind.is_sprung() {
            quantity(ui, "Stored", read.energy, "J");
        }
    });
}

/// Whether the limits of the value have rows of their own. A rope's limit is its anchor's row, a bend's is a swing.
fn limited_by_row(kind: &JointKind) -> bool {
    !kind.is_rope() && kind.info().shown != JointDisplay::Bend
}

/// Bars for the share of the breaking load that is used.
fn bears(ui: &mut Ui, joint: &JointView) {
    let Some(breaks) = joint.breaks else { return };
    let colors = theme::colors(ui.visuals());
    widgets::title(ui, "Breaks above");
    Grid::new("bears").num_columns(2).min_col_width(92.0).spacing([10.0, 3.0]).show(ui, |ui| {
        let read = &joint.readout;
        for (most, now, unit) in
            [(breaks.force, read.force.length(), "N"), (breaks.torque, read.torque.length(), "N·m")]
        {
            let Some(most) = most else { continue };
            ui.label(RichText::new(with_unit(f64::from(most), unit)).monospace());
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width().max(60.0), 16.0), Sense::hover());
            let track = egui::Rect::from_center_size(rect.center(), vec2(rect.width(), 8.0));
            let share = (now / most).clamp(0.0, 1.0);
            let color = if share > 0.8 { colors.warn } else { colors.good };
            ui.painter().rect_filled(track, 3.0, colors.track.gamma_multiply(0.5));
            let filled = egui::Rect::from_min_size(track.min, vec2(track.width() * share, track.height()));
            ui.painter().rect_filled(filled, 3.0, if joint.broken.is_some() { colors.track } else { color });
            ui.end_row();
        }
    });
    ui.add_space(6.0);
}
