//! The scenes of the arena, `arena.ron`, and the solvers that run them.

use serde::Deserialize;

use super::super::common::Failure;
use delassus_files::built_in;
use delassus_physics::preset::Preset;
use delassus_physics::setting::{SettingValue, Value};
use delassus_physics::settings::{Method, Settings};
use delassus_scene::{Loaded, library, nearest, read};

const LIST: &str = include_str!("arena.ron");

/// A scene with what is right in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArenaScene {
    /// Its id in the library.
    pub scene: String,
    /// A claim `QUANTITY = b ± t`: b is the right value, t the unit of the error.
    pub claim: String,
    /// Why b is right: the formula, or the law.
    pub why: String,
}

impl ArenaScene {
    /// The name of its picture, without ending.
    pub fn stem(&self) -> String {
        self.scene.replace('/', "-")
    }

    /// The scene, read from the library even if the user has another one of its name.
    pub fn read(&self) -> Result<Loaded, Failure> {
        let path = library::find(&format!("{}{}", built_in::ROOT, self.scene));
        read(&path).map_err(|mistakes| Failure::Error(mistakes[0].to_string()))
    }
}

/// The scenes of these names, in any order, or all.
pub fn scenes(named: &[String]) -> Result<Vec<ArenaScene>, Failure> {
    let mut all: Vec<ArenaScene> = ron::from_str(LIST).map_err(|error| Failure::Error(format!("arena.ron:{error}")))?;
    let short = |scene: &ArenaScene| scene.scene.rsplit('/').next().unwrap_or_default().to_owned();
    let is = |scene: &ArenaScene, name: &str| scene.scene == name || short(scene) == name;
    for name in named {
        if !all.iter().any(|scene| is(scene, name)) {
            let names: Vec<String> = all.iter().flat_map(|scene| [scene.scene.clone(), short(scene)]).collect();
            let near = nearest(name, names.iter().map(String::as_str));
            return Err(Failure::Misuse(format!("--scene: the arena has no scene `{name}`{near}")));
        }
    }
    all.retain(|scene| named.is_empty() || named.iter().any(|name| is(scene, name)));
    Ok(all)
}

/// Settings that run every scene: a preset, or the default with another `solver.method`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArenaSolver {
    Preset(Preset),
    Method(Method),
}

impl ArenaSolver {
    /// The program's default.
    pub const DEFAULT: Self = Self::Preset(Preset::SmallSteps);

    /// Its name, that of the preset or of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preset(preset) => preset.name(),
            Self::Method(method) => match method.to_value() {
                Value::Choice(name) => name,
                _ => "",
            },
        }
    }

    /// What it is, in a few words.
    pub fn what(self) -> String {
        match self {
            Self::Method(_) => "the default with this `solver.method`".into(),
            Self::Preset(preset) => super::super::presets::title(preset),
        }
    }

    /// The settings of a scene that it runs: gravity and steps per second remain the scene's.
    pub fn settings(self, scene: &Settings) -> Settings {
        match self {
            Self::Preset(preset) => preset.chosen(scene),
            Self::Method(method) => {
                let mut settings = Preset::SmallSteps.chosen(scene);
                settings.solver.method = method;
                settings
            }
        }
    }
}

/// The solvers of these names, in any case, or all.
pub fn solvers(named: &[String]) -> Result<Vec<ArenaSolver>, Failure> {
    let methods = Method::CHOICES.names.iter().filter_map(|name| Method::from_value(Value::Choice(name)));
    // The default has a method, too.
    let others = methods.filter(|method| *method != Settings::default().solver.method);
    let mut all: Vec<ArenaSolver> =
        Preset::all().map(ArenaSolver::Preset).chain(others.map(ArenaSolver::Method)).collect();
    for name in named {
        if !all.iter().any(|solver| solver.name().eq_ignore_ascii_case(name)) {
            let near = nearest(name, all.iter().map(|solver| solver.name()));
            return Err(Failure::Misuse(format!("--solver: the arena has no solver `{name}`{near}")));
        }
    }
    all.retain(|solver| named.is_empty() || named.iter().any(|name| solver.name().eq_ignore_ascii_case(name)));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every claim names something that its scene has, and has a number that it should be.
    #[test]
    fn every_scene_of_the_arena_says_what_is_right() {
        built_in::install(delassus_library::FILES);
        let all = scenes(&[]).map_err(|_| "it can be read").expect("the list");
        for scene in &all {
            let loaded = scene.read().map_err(|_| scene.scene.clone()).expect("the library has it");
            assert_eq!(delassus_session::claims::mistake(&scene.claim, &loaded), None, "{}", scene.scene);
            let tolerance = delassus_session::claims::tolerance(&scene.claim);
            assert!(tolerance.is_ok_and(|tolerance| tolerance > 0.0), "{}: {}", scene.scene, scene.claim);
            assert!(scene.why.ends_with('.'), "{}", scene.scene);
        }
        // What was made for the arena is in it.
        let made = library::arena(&library::scenes_folder());
        assert!(made.len() > 10, "{made:?}");
        for entry in made {
            assert!(all.iter().any(|scene| scene.scene == entry.id), "{} is not listed", entry.id);
        }
    }

    #[test]
    fn scenes_and_solvers_are_found_by_name_and_others_have_a_suggestion() {
        let said = |result: Result<usize, Failure>| match result {
            Err(Failure::Misuse(what)) => what,
            other => format!("{other:?}"),
        };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let count = |named: &[&str]| scenes(&names(named)).map(|found| found.len());
        assert!(matches!(count(&["13-flippers", "lab/19-net"]), Ok(2)));
        assert!(said(count(&["13-flipers"])).contains("13-flippers"), "{}", said(count(&["13-flipers"])));
        let count = |named: &[&str]| solvers(&names(named)).map(|found| found.len());
        assert!(matches!(count(&["direct", "Box3D"]), Ok(2)));
        assert!(said(count(&["Rapir"])).contains("Rapier"), "{}", said(count(&["Rapir"])));
        let all = solvers(&[]).map_err(|_| "none are refused").expect("all");
        assert_eq!(all[0], ArenaSolver::DEFAULT);
        assert_eq!(all[0].settings(&Settings::default()), Settings::default());
    }
}
