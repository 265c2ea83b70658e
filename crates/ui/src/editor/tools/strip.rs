//! The strip of tools at the top of the view, with the current tool's options below it.

use egui::{Align2, Area, ComboBox, Frame, Margin, Order, Rect, RichText, Ui, vec2};
use lucide_icons::Icon;

use crate::editor::Tool;
use crate::editor::snap::SnapKind;
use crate::editor::tools::held_frame::FrameEnd;
use crate::editor::tools::joining::{AnchorChoice, AxisChoice};
use crate::editor::tools::mirror::{self, MirrorPlane};
use crate::view3d::over_picture;
use crate::widgets::words::spaced;
use crate::widgets::{self, theme};
use crate::{editor::Hands, request::Request, view::View};
use delassus_physics::joints::JointKind;

/// The tools in the order of the strip: icon, name, what it does, key.
pub const TOOLS: [(Tool, Icon, &str, &str); 7] = [
    (Tool::Select, Icon::MousePointer2, "Select", "Click selects, drag on the ground selects many  (Esc)"),
    (Tool::Move, Icon::Move, "Move", "Move the selection  (G moves at once)"),
    (Tool::Rotate, Icon::Rotate3d, "Rotate", "Turn the selection  (T turns at once)"),
    (Tool::Scale, Icon::Scaling, "Scale", "Scale the selection  (S at once)"),
    (Tool::Joint, Icon::Link2, "Joint", "Drag a joint from body to body  (J)"),
    (Tool::Spawn, Icon::SquarePlus, "Spawn", "Place new bodies  (B)"),
    (Tool::Mirror, Icon::FlipHorizontal2, "Mirror", "Mirror the selection  (Ctrl+M)"),
];

/// Width of the strip with the most options, points.
const WIDEST: f32 = 402.0;

/// Draws the strip.
pub fn show(ui: &Ui, rect: Rect, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    // Opaque, so that numbers and panels do not show through.
    let narrow = rect.width() < over_picture::NARROW;
    let fill = if narrow { ui.visuals().window_fill() } else { colors.overlay };
    let frame = Frame::new().fill(fill).corner_radius(8).inner_margin(Margin::same(3));
    // Right of the numbers, in the middle if there is room. The widest options end left of the axes cross.
    let left = (rect.width() * 0.5 - 130.0).min(rect.width() - WIDEST - 80.0).max(178.0);
    let at = rect.left_top() + if narrow { vec2(6.0, 6.0) } else { vec2(left, 10.0) };
    Area::new(egui::Id::unique("tools"))
        .order(Order::Middle)
        .pivot(Align2::LEFT_TOP)
        .fixed_pos(at)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            frame.show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(2.0, 3.0);
                ui.horizontal(|ui| {
                    for (tool, icon, name, tip) in TOOLS {
                        let on = state.editor.tool == tool;
                        if widgets::icon_toggle(ui, icon, on, &format!("Tool: {name}"), tip).clicked() {
                            state.editor.cancel();
                            state.editor.tool = tool;
                        }
                    }
                    ui.add_space(4.0);
                    let tip = format!(
                        "Places snap to 0.25 m, angles to {}, a joint's stops to 5 cm and {}; Ctrl inverts it while \
                         held",
                        state.angles.round(15),
                        state.angles.round(5)
                    );
                    if widgets::icon_toggle(ui, Icon::Magnet, state.editor.snap, "Snap", &tip).clicked() {
                        state.editor.snap = !state.editor.snap;
                    }
                    let tip = "Handles and X Y Z follow the selection's own axes, not the world's  (U)";
                    if widgets::icon_toggle(ui, Icon::Axis3d, state.editor.local, "Own axes", tip).clicked() {
                        state.editor.local = !state.editor.local;
                    }
                });
                let joint = state.selection.joint.and_then(|index| view.snapshot.joints.get(index));
                match state.editor.tool {
                    Tool::Move | Tool::Rotate if let Some(joint) = joint => ends(ui, &joint.kind, state),
                    Tool::Spawn => crate::editor::tools::spawn_strip::show(ui, view, state, out),
                    Tool::Joint => joints(ui, state),
                    Tool::Mirror => mirror(ui, view, state, out),
                    _ => {}
                }
            });
        });
}

/// Options of the mirror tool: the plane, and whether the selection stays.
fn mirror(ui: &mut Ui, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        let tool = &mut state.editor.mirror;
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label("  across");
        ui.scope(|ui| {
            ui.set_max_width(102.0);
            let tip = |axis: &str| format!("Left and right change places along {axis}  ({})", axis.to_uppercase());
            let items: Vec<_> = mirror::AXES.iter().map(|label| widgets::Segment::new(label, tip(label))).collect();
            if let Some(axis) = widgets::segments(ui, "Mirror across", &items, Some(tool.axis)) {
                tool.axis = axis;
            }
        });
        ui.label("through");
        ui.scope(|ui| {
            ui.set_max_width(176.0);
            let items = [
                widgets::Segment::new("its middle", "The middle of the selection"),
                widgets::Segment::new("the origin", "The world's origin"),
            ];
            let on = usize::from(tool.through == MirrorPlane::Origin);
            if let Some(index) = widgets::segments(ui, "Mirror through", &items, Some(on)) {
                tool.through = if index == 0 { MirrorPlane::Middle } else { MirrorPlane::Origin };
            }
        });
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        widgets::switch(ui, &mut state.editor.mirror.copy, "Mirror a copy");
        ui.label("as a copy, with copies of its joints");
        let count = mirror::world_joints(view, state);
        if count > 0 {
            widgets::switch(ui, &mut state.editor.mirror.world, "Mirror world joints");
            let joints = if count == 1 { "its world joint".into() } else { format!("its {count} world joints") };
            ui.label(format!("and {joints}"))
                .on_hover_text("Mirrors the world end of these joints as well; otherwise it stays where it is");
        }
        let some = !state.selection.bodies.is_empty();
        let button = ui.add_enabled_ui(some, |ui| widgets::word_button(ui, Icon::FlipHorizontal2, "Mirror")).inner;
        if button.on_hover_text("Applies the mirror  (Enter)").clicked() {
            mirror::perform(view, state, out);
        }
    });
}

/// Kind, axis and anchor of the next joint.
fn joints(ui: &mut Ui, state: &mut Hands<'_>) {
    let kinds = JointKind::all();
    let info = crate::editor::tools::joining::kind(state).info();
    ui.horizontal(|ui| {
        let combo = ComboBox::from_id_salt("joint kind").width(140.0).height(420.0).selected_text(spaced(info.name));
        let response = combo.show_ui(ui, |ui| {
            for (index, kind) in kinds.iter().enumerate() {
                let info = kind.info();
                ui.selectable_value(&mut state.editor.kind, index, spaced(info.name)).on_hover_text(info.what);
            }
        });
        widgets::named(response.response, "Joint kind").on_hover_text(info.what);
        if info.axis {
            let shown = AxisChoice::ALL.iter().find(|(a, _)| *a == state.editor.axis).map_or("", |(_, name)| name);
            let combo = ComboBox::from_id_salt("joint axis").width(70.0).selected_text(format!("axis {shown}"));
            let response = combo.show_ui(ui, |ui| {
                for (axis, name) in AxisChoice::ALL {
                    ui.selectable_value(&mut state.editor.axis, axis, name);
                }
            });
            widgets::named(response.response, "Joint axis").on_hover_text(
                "The axis: the pressed face's normal (N), its nearest edge (E), x, y, z, or the line of sight",
            );
        }
        let plain = kinds[state.editor.kind.min(kinds.len() - 1)];
        if crate::editor::tools::joining::limited(plain) != plain {
            let turn = state.angles.round(45);
            let tip = format!("New joints have limits: ±{turn}, or ±0.5 m; drag their stops afterwards");
            if widgets::icon_toggle(ui, Icon::Gauge, state.editor.limits, "With limits", &tip).clicked() {
                state.editor.limits = !state.editor.limits;
            }
        }
    });
    ui.horizontal(|ui| {
        let combo = ComboBox::from_id_salt("joint snap").width(104.0).selected_text(state.editor.snap_kind.words());
        let response = combo.show_ui(ui, |ui| {
            for (kind, name) in SnapKind::ALL {
                ui.selectable_value(&mut state.editor.snap_kind, kind, name);
            }
        });
        widgets::named(response.response, "Joint ends snap to")
            .on_hover_text("What the ends snap to  (Q; Shift: nothing)");
        if info.coincident {
            let combo = ComboBox::from_id_salt("joint anchor").width(172.0).selected_text(state.editor.anchor.words());
            let response = combo.show_ui(ui, |ui| {
                for (anchor, name) in AnchorChoice::ALL {
                    ui.selectable_value(&mut state.editor.anchor, anchor, name);
                }
            });
            widgets::named(response.response, "Joint anchor")
                .on_hover_text("Where the two bodies are held together, and which of them moves for it  (Shift+Q)");
        }
    });
    let color = theme::colors(ui.visuals()).weak;
    ui.label(RichText::new(info.what).small().color(color));
}

/// Which end of the selected joint, of this kind, is moved.
fn ends(ui: &mut Ui, kind: &JointKind, state: &mut Hands<'_>) {
    let tip = "What moves: the anchors and axes on both bodies, or on one of them; a pulley's sheave  \
               (Shift+E, E while dragging)";
    let all = FrameEnd::of(Some(kind));
    let items: Vec<_> = all.iter().map(|(_, label)| widgets::Segment::new(label, tip)).collect();
    let selected = all.iter().position(|(end, _)| *end == state.editor.end);
    if let Some(index) = widgets::segments(ui, "Joint end", &items, selected) {
        state.editor.end = all[index].0;
    }
}
