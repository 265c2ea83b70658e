//! A joint's own stabilisation: the settings of that group, each the scene's until it is said otherwise.

use egui::Ui;

use crate::physics::settings::{LIST, Settings, SettingsPatch, StabilizationPatch};
use crate::ui::editor::form::Form;
use crate::ui::editor::form::setting_row::{self, Edit};

/// Draws the switch and, if it is on, the settings; `scene` is what holds without it.
pub fn rows(ui: &mut Ui, form: &mut Form<'_>, path: &str, own: &mut Option<StabilizationPatch>, scene: &Settings) {
    // What it begins with is the scene's β, said once more.
    let begins = StabilizationPatch { beta: Some(scene.stabilization.beta), ..StabilizationPatch::default() };
    form.optional(ui, ("Stabilisation", "Own stabilisation"), path, own, begins, None);
    let Some(patch) = own else { return };
    let mut settings = *scene;
    patch.apply(&mut settings.stabilization);
    for setting in LIST.iter().filter(|s| s.name.starts_with("stabilization.")) {
        let (now, without) = ((setting.get)(&settings), (setting.get)(scene));
        let asked = ui.push_id(("own", setting.name), |ui| setting_row::row(ui, setting, now, without, None)).inner;
        let value = match asked {
            Some(Edit::Set(value)) => value,
            Some(Edit::Reset) => without,
            None => continue,
        };
        (setting.put)(&mut settings, value);
        *patch = SettingsPatch::between(scene, &settings).stabilization;
    }
}
