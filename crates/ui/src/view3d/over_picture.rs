//! Drawn over the picture: numbers, sensors, legend, names, the axes cross and the overlays' button.

use egui::{Align2, Color32, FontId, Rect, Stroke, Ui, pos2, vec2};
use glam::Vec3;
use lucide_icons::Icon;

use crate::{
    view::View,
    view3d::{View3d, labels, legend, overlays, readout, sensor_card},
    widgets::{icon_toggle, theme},
};
use delassus_render::{orbit_view::AxisView, palette};
use delassus_session::Motion;

/// In a narrower view the strip of tools has the top line to itself, points.
pub const NARROW: f32 = 540.0;
/// A smaller view shows fewer numbers at its lower edge, the legend as a button, and a smaller cross of axes: they
/// leave the middle to the scene.
const SMALL_VIEW: egui::Vec2 = vec2(560.0, 360.0);
/// Height of the alarms in a small view, points.
const SMALL_CARD: f32 = 52.0;
/// Height of that line.
const LINE: f32 = 38.0;

/// Distance from the view's upper edge.
fn top(rect: Rect) -> f32 {
    if rect.width() < NARROW { LINE } else { 0.0 }
}

fn is_small(rect: Rect) -> bool {
    rect.width() < SMALL_VIEW.x || rect.height() < SMALL_VIEW.y
}

/// Sizes of the axes' cross, points.
struct Cross {
    /// Distance of its middle from the two edges of the corner.
    middle: f32,
    /// Radius of its disc and of an axis's end, and the length of an axis.
    disc: f32,
    end: f32,
    axis: f32,
    /// The upper edge of the button below it.
    below: f32,
}

impl Cross {
    fn of(rect: Rect) -> Self {
        if is_small(rect) {
            Self { middle: 27.0, disc: 23.0, end: 6.5, axis: 15.0, below: 54.0 }
        } else {
            Self { middle: 44.0, disc: 32.0, end: 7.5, axis: 21.0, below: 84.0 }
        }
    }

    /// What it covers of the view, with the button.
    fn covers(&self, rect: Rect) -> Rect {
        let from = rect.right_top() + vec2(-self.middle - self.disc - 2.0, 0.0);
        Rect::from_min_max(from, rect.right_top() + vec2(0.0, self.below + 30.0 + top(rect)))
    }
}

/// Draws everything inside `rect`, the view; without numbers and legend if it is to be `bare`. True if there is room
/// for the tools.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    view: &View<'_>,
    state: &mut View3d,
    called: overlays::OverlayLabel<'_>,
    bare: bool,
) -> bool {
    // Clipped to the picture.
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.set_clip_rect(rect);
    if view.is_empty() {
        empty_hint(ui, rect);
    } else {
        // Left out if it does not fit.
        let (wide, high, small) = (rect.width(), rect.height(), is_small(rect));
        let mut taken = Vec::new();
        let lower = rect.left_bottom() + vec2(10.0, -10.0);
        let numbers = !bare && wide > 200.0 && high > 150.0 + top(rect);
        if numbers {
            let entries = legend::entries(ui, view.snapshot, state.overlays, state.newtons_a_metre);
            taken.extend(legend::show(ui, lower, &entries, small));
        }
        if small && numbers {
            let at = taken.first().map_or(lower, |legend| legend.right_bottom() + vec2(6.0, 0.0));
            taken.extend(readout::strip(ui, at, rect.right() - 10.0 - at.x, view.snapshot));
            let corner = rect.left_top() + vec2(10.0, 10.0 + top(rect));
            taken.extend(sensor_card::show(ui, corner, SMALL_CARD, view, sensor_card::Shown::Alarms));
        } else if !small && !bare {
            let readout = readout::show(ui, rect.left_top() + vec2(10.0, 10.0 + top(rect)), view);
            // Between the numbers and the legend.
            let at = readout.left_bottom() + vec2(0.0, 6.0);
            let below = taken.first().map_or(lower.y, |legend| legend.top() - 6.0);
            taken.push(readout);
            taken.extend(sensor_card::show(ui, at, below - at.y, view, sensor_card::Shown::All));
        }
        if is_bare(view) {
            bare_hint(ui, rect);
        }
        taken.push(Cross::of(rect).covers(rect));
        labels::show(ui, view, state, taken);
        at_pointer(ui, state);
    }
    if rect.width() > 160.0 && rect.height() > 130.0 {
        axes(ui, rect, state);
        tools(ui, rect, state, called);
    }
    rect.width() > 290.0 && rect.height() > 130.0
}

/// Whether nothing is there that moves, nor any joint.
fn is_bare(view: &View<'_>) -> bool {
    let moves = |body: &delassus_session::BodyView| body.motion != Motion::Static;
    view.snapshot.joints.is_empty() && !view.snapshot.bodies.iter().any(moves)
}

/// What to do in an empty scene.
fn bare_hint(ui: &Ui, rect: Rect) {
    let at = rect.center();
    let text = "B adds a body, J a joint";
    ui.painter().text(at, Align2::CENTER_CENTER, text, FontId::proportional(15.0), theme::colors(ui.visuals()).weak);
}

fn empty_hint(ui: &Ui, rect: Rect) {
    let colors = theme::colors(ui.visuals());
    let centre = rect.center();
    let text = "No scene is open.\nDrop a scene or a robot's URDF or MJCF here,\nor pick a scene on the left.";
    ui.painter().text(
        centre - vec2(0.0, 34.0),
        Align2::CENTER_CENTER,
        char::from(Icon::PackageOpen),
        theme::icon_font(34.0),
        colors.weak,
    );
    for (index, line) in text.lines().enumerate() {
        let at = centre + vec2(0.0, index as f32 * 20.0);
        ui.painter().text(at, Align2::CENTER_TOP, line, FontId::proportional(15.0), colors.text);
    }
}

/// Draws the dragged value beside the pointer.
fn at_pointer(ui: &Ui, state: &View3d) {
    let (Some(text), Some(at)) = (&state.preview.label, state.pointer) else { return };
    let colors = theme::colors(ui.visuals());
    let galley = ui.painter().layout_no_wrap(text.clone(), FontId::proportional(12.5), colors.strong);
    let around = vec2(6.0, 3.0);
    // To the right below the pointer, but inside the view.
    let corner_limit = state.rect.max - galley.size() - around * 2.0;
    let at = (state.rect.min + vec2(at.x + 16.0, at.y + 14.0)).min(corner_limit);
    let back = Rect::from_min_size(at, galley.size()).expand2(around);
    ui.painter().rect(back, 5.0, colors.overlay, Stroke::new(1.0, colors.line), egui::StrokeKind::Outside);
    ui.painter().galley(at, galley, colors.strong);
}

/// The cross of the world's axes in the upper right corner. A click on an axis looks along it, a second click from the
/// other end; a drag turns the camera.
fn axes(ui: &mut Ui, rect: Rect, state: &mut View3d) {
    let cross = Cross::of(rect);
    let centre = rect.right_top() + vec2(-cross.middle, cross.middle + top(rect));
    let colors = theme::colors(ui.visuals());
    ui.painter().circle_filled(centre, cross.disc, colors.overlay.gamma_multiply(0.6));
    let rotation = state.camera.rotation();
    let disc = ui.interact(
        Rect::from_center_size(centre, egui::Vec2::splat(2.0 * cross.disc)),
        ui.scope_id().with("axes"),
        egui::Sense::click_and_drag(),
    );
    if disc.dragged() {
        state.camera.orbit(glam::Vec2::new(disc.drag_delta().x, disc.drag_delta().y));
    }
    let mut ends = [
        (rotation * Vec3::X, palette::AXIS_X, "x", AxisView::Side, AxisView::OtherSide),
        (rotation * Vec3::Y, palette::AXIS_Y, "y", AxisView::Back, AxisView::Front),
        (rotation * Vec3::Z, palette::AXIS_Z, "z", AxisView::Top, AxisView::Below),
    ];
    // The farthest first, so that the nearest lies on top.
    ends.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (direction, color, name, from, other) in ends {
        let tip = centre + vec2(direction.x, -direction.y) * cross.axis;
        let color = theme::from_palette(color);
        let faded = if direction.z < -0.1 { color.gamma_multiply(0.65) } else { color };
        ui.painter().line_segment([centre, tip], Stroke::new(2.0, faded));
        let id = ui.scope_id().with(("axis", name));
        let response = ui.interact(
            Rect::from_center_size(tip, egui::Vec2::splat(2.0 * cross.end + 2.0)),
            id,
            egui::Sense::click(),
        );
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Look along {name}")));
        if response.clicked() {
            state.camera.look_along(if state.camera.looks_along(from) { other } else { from });
        }
        let radius = if response.hovered() { cross.end + 1.5 } else { cross.end };
        response.on_hover_text(format!("Look along {name}; click again to look from its other end"));
        ui.painter().circle_filled(tip, radius, faded);
        let ink = Color32::from_rgb(255, 255, 255);
        ui.painter().text(tip, Align2::CENTER_CENTER, name, FontId::proportional(11.0), ink);
    }
}

/// The buttons below the axes: overlays and framing.
fn tools(ui: &mut Ui, rect: Rect, state: &mut View3d, called: overlays::OverlayLabel<'_>) {
    let colors = theme::colors(ui.visuals());
    let Cross { middle, below, .. } = Cross::of(rect);
    let at = pos2(rect.right() - middle - 16.0, rect.top() + below + top(rect));
    let area = Rect::from_min_size(at, vec2(32.0, 28.0));
    ui.painter().rect_filled(area.expand(1.0), 6.0, colors.overlay);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area.shrink(2.0)).id_salt("view tools"));
    let open_id = child.scope_id().with("overlays popup");
    let is_open = egui::Popup::is_id_open(child.ctx(), open_id);
    let tip = "What is drawn over the bodies";
    let button = icon_toggle(&mut child, Icon::Layers, is_open, "Overlays", tip);
    let newtons = state.newtons_a_metre;
    egui::Popup::menu(&button)
        .id(open_id)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .align(egui::RectAlign::BOTTOM_END)
        .show(|ui| overlays::menu(ui, &mut state.overlays, newtons, called));
}
