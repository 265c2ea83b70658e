//! The presets at the top of the Solver tab: all settings of the solver at once, of this program or of another engine.

use egui::{ComboBox, RectAlign, RichText, Tooltip, Ui};

use crate::{request::Request, view::View, widgets::theme};
use delassus_physics::preset::Preset;
use delassus_session::Command;

/// What stands in the list for a preset.
fn label(preset: Preset) -> &'static str {
    match (preset.engine(), preset) {
        (Some(engine), _) => engine.name,
        (None, Preset::SmallSteps) => "Small steps (default)",
        (None, _) => "Single step, as in the book",
    }
}

/// What a preset is, on hover.
fn tip(ui: &mut Ui, preset: Preset) {
    ui.set_max_width(420.0);
    let Some(engine) = preset.engine() else {
        let what = match preset {
            Preset::SmallSteps => "Four sub-steps of four sweeps with soft contacts: the default of new scenes.",
            _ => "One sub-step of ten sweeps: the loop of the book.",
        };
        ui.label(what);
        return;
    };
    ui.label(format!("The default settings of {}, read from its source: {}.", engine.name, engine.version));
    let weak = theme::colors(ui.visuals()).weak;
    ui.label(RichText::new("Without a counterpart here:").color(weak));
    for what in engine.without {
        ui.label(RichText::new(format!("• {what}")).color(weak));
    }
}

/// Draws the row.
pub fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let now = Preset::of(view.settings);
    ui.horizontal(|ui| {
        let name = ui.label("Preset").on_hover_text(
            "Changes all settings of the solver at once. Gravity, step rate, breaking and the formulations stay as \
             they are. Undo brings the old settings back.",
        );
        let text = now.map_or("Own settings", label);
        let list =
            ComboBox::from_id_salt("preset").width(ui.available_width() - 8.0).selected_text(text).show_ui(ui, |ui| {
                for preset in Preset::all() {
                    let item = ui.selectable_label(now == Some(preset), label(preset));
                    // Beside the list, so that the names below stay visible.
                    let mut tooltip = Tooltip::for_enabled(&item);
                    tooltip.popup = tooltip.popup.align(RectAlign::LEFT_START);
                    tooltip.show(|ui| tip(ui, preset));
                    if item.clicked() && now != Some(preset) {
                        out.push(Request::Session(Command::ChoosePreset(preset)));
                    }
                }
            });
        let shown = list.response.labelled_by(name.id);
        if let Some(preset) = now {
            shown.on_hover_ui(|ui| tip(ui, preset));
        }
    });
}
