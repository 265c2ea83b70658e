//! Presets: settings that belong together, under one name. A scene names one in `settings: (preset: SingleStep)`; the
//! settings that it names beside it win.

use serde::{Deserialize, Serialize};

use super::setting::{Choices, Domain, SettingValue, Value};
use super::settings::{
    Collide, ContactPatch, ContactStabilization, FrictionPatch, Settings, SettingsPatch, SleepPatch, SolverPatch,
    StabilizationPatch, StepPatch,
};

choice! {
    /// A named set of settings.
    Preset { SmallSteps, SingleStep }
}

impl Preset {
    /// The preset of this name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let known = Self::CHOICES.names.iter().find(|known| known.eq_ignore_ascii_case(name))?;
        Self::from_value(Value::Choice(known))
    }

    /// The names, as a setting's domain.
    pub const DOMAIN: Domain = Domain::choice(Self::CHOICES);

    /// The settings that it names.
    pub fn patch(self) -> SettingsPatch {
        let small = self == Self::SmallSteps;
        let one = |many, single| Some(if small { many } else { single });
        SettingsPatch {
            step: StepPatch { substeps: one(4, 1), ..StepPatch::default() },
            solver: SolverPatch { iterations: one(4, 10), extra: one(256, 0), ..SolverPatch::default() },
            stabilization: StabilizationPatch {
                contacts: Some(if small { ContactStabilization::Soft } else { ContactStabilization::AsJoints }),
                hertz: Some(if small { 60.0 } else { 30.0 }),
                relax: one(2, 1),
                ..StabilizationPatch::default()
            },
            contact: ContactPatch {
                collide: Some(if small { Collide::EachStep } else { Collide::EachSubstep }),
                slop: Some(if small { 0.003 } else { 0.005 }),
                mean_first: Some(small),
                ..ContactPatch::default()
            },
            friction: FrictionPatch { deferred: Some(small), ..FrictionPatch::default() },
            sleep: SleepPatch { enabled: Some(small), ..SleepPatch::default() },
            ..SettingsPatch::default()
        }
    }

    /// The defaults with this preset.
    pub fn settings(self) -> Settings {
        self.patch().settings()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_are_the_default() {
        assert_eq!(Preset::SmallSteps.settings(), Settings::default());
    }

    #[test]
    fn settings_beside_a_preset_win_over_it() {
        let mut patch = SettingsPatch { preset: Some(Preset::SingleStep), ..SettingsPatch::default() };
        assert_eq!(patch.settings().step.substeps, 1);
        patch.step.substeps = Some(3);
        assert_eq!((patch.settings().step.substeps, patch.settings().solver.iterations), (3, 10));
        let mut first = SettingsPatch::default();
        first.step.substeps = Some(8);
        first.merge(&SettingsPatch { preset: Some(Preset::SingleStep), ..SettingsPatch::default() });
        assert_eq!(first.settings(), Preset::SingleStep.settings(), "a preset that comes later wins");
    }
}
