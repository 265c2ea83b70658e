//! The legend of the overlays.

use egui::{
    Align2, Color32, Popup, Pos2, Rect, RectAlign, RichText, Sense, Stroke, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2,
};
use glam::Vec3;
use lucide_icons::Icon;

use crate::{
    view3d::overlays::{
        APPLIED_FORCE, BOUNDS, BROKEN, CARD_MARGIN, CONTACT, FRICTION, INERTIA, JOINT, JOINT_ERROR, JOINT_FORCE,
        MASS_CENTRE, Overlays, SLIPPING, VELOCITY, floating, hand, scale_text,
    },
    widgets::{icon_button, theme},
};
use delassus_physics::joints::JointMeasure;
use delassus_session::{JointView, Snapshot};

/// How a legend entry is drawn.
#[derive(Clone, Copy)]
pub enum LegendGlyph {
    Dot,
    Arrow,
    Line,
    Square,
    Cross,
    Cone,
    Ring,
}

/// Least height of a line, and the gap between two, points.
const LEGEND_LINE: f32 = 14.0;
const LEGEND_GAP: f32 = 2.0;

/// A mark and what it means.
pub type LegendEntry = (LegendGlyph, [f32; 3], String);

/// The entries: one for everything that is switched on and present.
pub fn entries(ui: &Ui, snapshot: &Snapshot, overlays: Overlays, newtons_a_metre: f32) -> Vec<LegendEntry> {
    let (contacts, joints) = (!snapshot.contacts.is_empty(), !snapshot.joints.is_empty());
    let mut entries: Vec<LegendEntry> = Vec::new();
    if overlays.contacts && contacts {
        entries.push((LegendGlyph::Dot, CONTACT, "contact".into()));
        entries.push((LegendGlyph::Arrow, CONTACT, format!("normal force, {}", scale_text(newtons_a_metre))));
    }
    if overlays.friction && contacts {
        entries.push((LegendGlyph::Arrow, FRICTION, "friction force".into()));
    }
    if overlays.friction_cones && contacts {
        entries.push((LegendGlyph::Cone, FRICTION, "friction cone with the reaction".into()));
    }
    if overlays.moments && contacts {
        entries.push((LegendGlyph::Ring, FRICTION, "twist and rolling, share of the bound".into()));
    }
    if (overlays.friction_cones || overlays.moments) && contacts {
        entries.push((LegendGlyph::Dot, SLIPPING, "at its bound: slips".into()));
    }
    if overlays.joints && joints {
        entries.push((LegendGlyph::Dot, JOINT, "joint anchors and axis".into()));
        let limited = |j: &JointView| j.kind.range(j.rest_length).is_some() || j.kind.swing_limit().is_some();
        let dialled = |j: &JointView| limited(j) && j.kind.info().measures != JointMeasure::Length;
        if snapshot.joints.len() <= crate::view3d::joint_drawing::MAX_DIALS && snapshot.joints.iter().any(dialled) {
            entries.push((
                LegendGlyph::Line,
                hand(theme::picture_theme(ui.visuals())),
                "value between its limits".into(),
            ));
        }
        if snapshot.metrics.broken > 0 {
            entries.push((LegendGlyph::Cross, BROKEN, "broken joint".into()));
        }
    }
    if overlays.joint_forces && joints {
        entries.push((LegendGlyph::Arrow, JOINT_FORCE, format!("joint force, {}", scale_text(newtons_a_metre))));
        entries.push((LegendGlyph::Ring, JOINT_FORCE, "joint torque".into()));
    }
    if overlays.joint_error && joints {
        entries.push((LegendGlyph::Line, JOINT_ERROR, "joint error".into()));
    }
    if overlays.forces && !snapshot.forces.is_empty() {
        entries.push((LegendGlyph::Arrow, APPLIED_FORCE, format!("applied force, {}", scale_text(newtons_a_metre))));
        if snapshot.forces.iter().any(|force| force.torque != Vec3::ZERO) {
            entries.push((LegendGlyph::Ring, APPLIED_FORCE, "applied torque".into()));
        }
    }
    if overlays.velocities {
        entries.push((LegendGlyph::Arrow, VELOCITY, "velocity, 1 m = 2 m/s".into()));
    }
    if overlays.mass_centres {
        entries.push((LegendGlyph::Dot, MASS_CENTRE, "centre of mass".into()));
    }
    if overlays.inertia {
        entries.push((LegendGlyph::Square, INERTIA, "box of the same inertia".into()));
        entries.push((LegendGlyph::Ring, INERTIA, "ellipsoid of inertia".into()));
    }
    if overlays.bounds {
        entries.push((LegendGlyph::Square, BOUNDS, "bounding box".into()));
    }
    entries
}

/// Draws the legend with its lower left corner at `at`. A small view has a button for it.
pub fn show(ui: &mut Ui, at: Pos2, entries: &[LegendEntry], small: bool) -> Option<Rect> {
    if entries.is_empty() {
        return None;
    }
    if small {
        let size = vec2(28.0, theme::ROW_HEIGHT);
        let rect = Rect::from_min_size(at - vec2(0.0, size.y), size);
        ui.painter().rect_filled(rect, 6.0, theme::colors(ui.visuals()).overlay);
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("legend"));
        let button = icon_button(&mut inside, Icon::List, "Legend", "");
        Popup::menu(&button).align(RectAlign::TOP_START).show(|ui| lines(ui, entries));
        return Some(rect);
    }
    // Placed by its coming height: egui knows only the last frame's, so that a new entry made it overlap the plots.
    let line = ui.text_style_height(&TextStyle::Small).max(LEGEND_LINE);
    let rows = entries.len() as f32;
    let height = rows * line + (rows - 1.0) * LEGEND_GAP + 2.0 * f32::from(CARD_MARGIN.top);
    Some(floating(ui, "legend", at - vec2(0.0, height), Align2::LEFT_TOP, |ui| lines(ui, entries)))
}

fn lines(ui: &mut Ui, entries: &[LegendEntry]) {
    ui.spacing_mut().item_spacing = vec2(6.0, LEGEND_GAP);
    ui.spacing_mut().interact_size.y = LEGEND_LINE;
    for (mark, color, text) in entries {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, LEGEND_LINE), Sense::hover());
            draw_mark(ui, *mark, rect.center(), theme::from_palette(*color));
            ui.label(RichText::new(text).small());
        });
    }
}

fn draw_mark(ui: &Ui, mark: LegendGlyph, centre: Pos2, color: Color32) {
    let painter = ui.painter();
    let reach = Vec2::new(7.0, 0.0);
    match mark {
        LegendGlyph::Dot => {
            painter.circle_filled(centre, 3.5, color);
        }
        LegendGlyph::Arrow => painter.arrow(centre - reach, reach * 2.0, Stroke::new(2.0, color)),
        LegendGlyph::Line => {
            painter.line_segment([centre - reach, centre + reach], Stroke::new(2.5, color));
        }
        LegendGlyph::Cross => {
            for side in [vec2(4.5, 4.5), vec2(4.5, -4.5)] {
                painter.line_segment([centre - side, centre + side], Stroke::new(2.0, color));
            }
        }
        LegendGlyph::Cone => {
            let [tip, left, right] = [vec2(0.0, 5.5), vec2(-5.0, -4.5), vec2(5.0, -4.5)].map(|to| centre + to);
            let outline = vec![tip, left, right];
            painter.add(egui::Shape::closed_line(outline, Stroke::new(1.5, color)));
        }
        LegendGlyph::Ring => {
            let at = |angle: f32| centre + 5.0 * vec2(angle.cos(), angle.sin());
            let arc = (0..=12).map(|i| at(-0.6 - i as f32 * 0.4)).collect();
            painter.add(egui::Shape::line(arc, Stroke::new(1.8, color)));
            painter.circle_filled(at(-0.6 - 12.0 * 0.4), 2.2, color);
        }
        LegendGlyph::Square => {
            let rect = egui::Rect::from_center_size(pos2(centre.x, centre.y), vec2(12.0, 9.0));
            painter.rect_stroke(rect, 0.0, Stroke::new(1.5, color), egui::StrokeKind::Middle);
        }
    }
}
