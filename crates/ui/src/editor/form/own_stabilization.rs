//! A joint's own stabilisation: that group of settings, each the scene's unless it is given.

use egui::Ui;

use crate::editor::form::Form;
use crate::editor::form::setting_row::{self, SettingEdit};
use delassus_physics::settings::{LIST, Settings, SettingsPatch, StabilizationPatch};

/// Draws the switch and, if it is on, the settings. `scene` holds the scene's settings.
pub fn rows(
    ui: &mut Ui,
    form: &mut Form<'_>,
    path: &str,
    patch_of_joint: &mut Option<StabilizationPatch>,
    scene: &Settings,
) {
    // It begins with the scene's β.
    let begins = StabilizationPatch { beta: Some(scene.stabilization.beta), ..StabilizationPatch::default() };
    form.optional(ui, ("Stabilisation", "Own stabilisation"), path, patch_of_joint, begins, None);
    let Some(patch) = patch_of_joint else { return };
    let mut settings = *scene;
    patch.apply(&mut settings.stabilization);
    for setting in LIST.iter().filter(|s| s.name.starts_with("stabilization.")) {
        let (now, without) = ((setting.get)(&settings), (setting.get)(scene));
        let asked = ui.push_id(("own", setting.name), |ui| setting_row::row(ui, setting, now, without, None)).inner;
        let value = match asked {
            Some(SettingEdit::Set(value)) => value,
            Some(SettingEdit::Reset) => without,
            None => continue,
        };
        (setting.put)(&mut settings, value);
        *patch = SettingsPatch::between(scene, &settings).stabilization;
    }
}
