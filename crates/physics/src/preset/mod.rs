//! Presets: settings that belong together, under one name. A scene names one in `settings: (preset: SingleStep)`; the
//! settings that it names beside it win. The window's list and `delassus presets` show what each one sets.
//!
//! Two are of this program. The others (`engines.rs`) are the settings that other engines have as they come, each value
//! with its place in that engine's source, and a list of what has no counterpart here. They are that engine's values, not
//! its program: what this program does with them may differ from what that engine does.

mod engines;

pub use engines::ABSENT;

use serde::{Deserialize, Serialize};

use super::setting::{Choices, Domain, SettingValue, Value};
use super::settings::{
    Collide, ContactPatch, ContactStabilization, FrictionPatch, LIST, Settings, SettingsPatch, SleepPatch, SolverPatch,
    StabilizationPatch, StepPatch,
};

choice! {
    /// A named set of settings.
    Preset { SmallSteps, SingleStep, Box3D, Box2D24, Rapier, Jolt, Bullet, PhysX, PhysXTgs }
}

/// The engine whose settings a preset has.
#[derive(Debug, Clone, Copy)]
pub struct Engine {
    pub name: &'static str,
    /// What was read: a version or commit, and its date.
    pub version: &'static str,
    /// The names of settings, and where each value stands in the engine's source.
    pub sources: &'static [(&'static str, &'static str)],
    /// What has no counterpart here.
    pub without: &'static [&'static str],
}

impl Preset {
    /// All presets, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Self::CHOICES.names.iter().filter_map(|name| Self::from_value(Value::Choice(name)))
    }

    /// The preset of this name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|preset| preset.name().eq_ignore_ascii_case(name))
    }

    /// Its name, as scene files write it.
    pub fn name(self) -> &'static str {
        match self.to_value() {
            Value::Choice(name) => name,
            _ => "",
        }
    }

    /// The names, as a setting's domain.
    pub const DOMAIN: Domain = Domain::choice(Self::CHOICES);

    /// The engine that it is of; `None` for those of this program.
    pub fn engine(self) -> Option<&'static Engine> {
        match self {
            Self::SmallSteps | Self::SingleStep => None,
            Self::Box3D => Some(&engines::BOX3D),
            Self::Box2D24 => Some(&engines::BOX2D_24),
            Self::Rapier => Some(&engines::RAPIER),
            Self::Jolt => Some(&engines::JOLT),
            Self::Bullet => Some(&engines::BULLET),
            Self::PhysX => Some(&engines::PHYSX),
            Self::PhysXTgs => Some(&engines::PHYSX_TGS),
        }
    }

    /// The settings that it names.
    pub fn patch(self) -> SettingsPatch {
        match self {
            Self::SmallSteps => of_this_program(true),
            Self::SingleStep => of_this_program(false),
            Self::Box3D => engines::box3d(),
            Self::Box2D24 => engines::box2d_24(),
            Self::Rapier => engines::rapier(),
            Self::Jolt => engines::jolt(),
            Self::Bullet => engines::bullet(),
            Self::PhysX => engines::physx(false),
            Self::PhysXTgs => engines::physx(true),
        }
    }

    /// The defaults with this preset.
    pub fn settings(self) -> Settings {
        self.patch().settings()
    }

    /// What choosing this preset changes in an open scene: every setting but the scene's own, such as gravity.
    pub fn changes(self) -> impl Iterator<Item = (&'static str, Value)> {
        let settings = self.settings();
        LIST.iter().filter(|setting| !is_of_scene(setting.name)).map(move |s| (s.name, (s.get)(&settings)))
    }

    /// The settings of a scene once this preset is chosen for it.
    pub fn chosen(self, scene: &Settings) -> Settings {
        let mut chosen = self.settings();
        for setting in LIST.iter().filter(|setting| is_of_scene(setting.name)) {
            // A value that a setting has, it also takes.
            let _ = (setting.put)(&mut chosen, (setting.get)(scene));
        }
        chosen
    }

    /// The preset that these settings are, if any.
    pub fn of(settings: &Settings) -> Option<Self> {
        Self::all().find(|preset| preset.chosen(settings) == *settings)
    }
}

/// Whether a setting says what a scene is, or how the machine is used, and not how the solver works.
fn is_of_scene(name: &str) -> bool {
    const NAMES: [&str; 7] = [
        "step.rate",
        "step.gravity",
        "solver.lanes",
        "solver.threads",
        "solver.device",
        "solver.spectrum_every",
        "contact.enabled",
    ];
    NAMES.contains(&name) || name.starts_with("formulation.") || name.starts_with("breaking.")
}

/// Small steps, the default, or the single step of the book.
fn of_this_program(small: bool) -> SettingsPatch {
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
        friction: FrictionPatch { deferred: Some(small), under_load: Some(small), ..FrictionPatch::default() },
        sleep: SleepPatch { enabled: Some(small), ..SleepPatch::default() },
        ..SettingsPatch::default()
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

    /// Each value of an engine that differs from the default says where it is from, and names a setting that exists.
    #[test]
    fn every_value_of_an_engine_has_its_source() {
        let default = Settings::default();
        for preset in Preset::all() {
            let Some(engine) = preset.engine() else { continue };
            for (name, source) in engine.sources {
                assert!(LIST.iter().any(|setting| setting.name == *name), "{}: no setting {name}", engine.name);
                assert!(!source.is_empty(), "{}: {name}", engine.name);
            }
            let settings = preset.settings();
            for setting in LIST.iter().filter(|s| (s.get)(&settings) != (s.get)(&default)) {
                let known =
                    ABSENT.contains(&setting.name) || engine.sources.iter().any(|(name, _)| *name == setting.name);
                assert!(known, "{}: {} has no source", engine.name, setting.name);
            }
            for setting in LIST {
                let value = (setting.get)(&settings);
                let mut copy = Settings::default();
                assert!(copy.set(setting.name, value).is_ok(), "{}: {} = {value}", engine.name, setting.name);
            }
        }
    }

    #[test]
    fn a_chosen_preset_is_recognised_and_keeps_what_is_the_scenes_own() {
        let mut scene = Settings::default();
        scene.step.rate = 240.0;
        scene.solver.iterations = 77;
        for preset in Preset::all() {
            let chosen = preset.chosen(&scene);
            assert_eq!((chosen.step.rate, Preset::of(&chosen)), (240.0, Some(preset)));
        }
        assert_eq!(Preset::of(&scene), None);
    }
}
