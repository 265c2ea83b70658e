//! How the window opens a scene: playback speed, paused or not, labels over bodies, and the relevant switches first.

use serde::{Deserialize, Serialize};

use super::report::{DocPath, Report};
use delassus_physics::setting::is_default;
use delassus_physics::settings::LIST;

/// Range of the playback speed, simulated seconds per second of wall time.
pub const SPEEDS: std::ops::RangeInclusive<f32> = 0.01..=10.0;
/// Maximum number of labels in a scene.
pub const MAX_LABELS: usize = 32;

/// How the window opens a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StartOptions {
    /// Playback speed, simulated seconds per second of wall time.
    #[serde(skip_serializing_if = "is_one")]
    pub speed: f32,
    /// Whether the run starts paused.
    #[serde(skip_serializing_if = "is_default")]
    pub paused: bool,
    /// Texts shown over bodies, to tell apart what the scene compares.
    #[serde(skip_serializing_if = "is_default")]
    pub labels: Vec<Label>,
    /// The settings relevant in this scene, by name; the switchboard shows them first.
    #[serde(skip_serializing_if = "is_default")]
    pub switches: Vec<String>,
    /// Settings that have no effect here.
    #[serde(skip_serializing_if = "is_default")]
    pub idle: Vec<Idle>,
}

/// A text shown over a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The body's name in the laid-out scene, such as `none.0`.
    pub over: String,
    pub says: String,
}

/// Settings without effect in a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idle {
    /// A setting such as `contact.slop`, or a whole group such as `friction`.
    pub setting: String,
    /// The reason, to be read after “because”.
    pub because: String,
}

impl Default for StartOptions {
    fn default() -> Self {
        Self { speed: 1.0, paused: false, labels: Vec::new(), switches: Vec::new(), idle: Vec::new() }
    }
}

impl StartOptions {
    /// Why a setting has no effect here; `None` if it may have one.
    pub fn idle(&self, setting: &str) -> Option<&str> {
        let group = setting.split('.').next().unwrap_or_default();
        let idle = self.idle.iter().find(|idle| idle.setting == setting || idle.setting == group)?;
        Some(&idle.because)
    }

    /// Updates the labels of a renamed body.
    pub fn rename(&mut self, old: &str, new: &str) {
        self.labels.iter_mut().filter(|label| label.over == old).for_each(|label| new.clone_into(&mut label.over));
    }
}

/// Checks all fields.
pub(super) fn check(start: &StartOptions, report: &mut Report) {
    let opens = DocPath::Root.field("opens");
    // Fields are listed by name so that a new field must be checked here.
    let StartOptions { speed, paused: _, labels, switches, idle } = start;
    if !SPEEDS.contains(speed) {
        let what = format!("the speed must be {} to {} simulated seconds a second", SPEEDS.start(), SPEEDS.end());
        report.add(&opens.field("speed"), what);
    }
    if labels.len() > MAX_LABELS {
        report.add(&opens.field("labels"), format!("a scene has at most {MAX_LABELS} labels"));
    }
    for (i, name) in switches.iter().enumerate() {
        if !LIST.iter().any(|setting| setting.name == name) {
            report.add(&opens.field("switches").item(i), format!("no setting is called `{name}`"));
        }
    }
    for (i, Idle { setting: idle, because: _ }) in idle.iter().enumerate() {
        let of_group = |name: &str| name.split('.').next() == Some(idle);
        if !LIST.iter().any(|setting| setting.name == idle || of_group(setting.name)) {
            let what = format!("no setting or group is called `{idle}`");
            report.add(&opens.field("idle").item(i).field("setting"), what);
        }
    }
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}

#[cfg(test)]
mod tests {
    use super::super::{read_str, write};

    const TEXT: &str = r#"(version: 1, title: "t", opens: (speed: 0.1, paused: true, labels: [(over: "a", says: "A")],
        switches: ["solver.iterations"], idle: [(setting: "friction", because: "nothing touches")]),
        bodies: [(name: "a", shape: Sphere(radius: 1))])"#;

    #[test]
    fn it_comes_back_from_saving_and_says_what_has_no_effect() {
        let scene = read_str(TEXT, "t").unwrap_or_else(|m| panic!("{m:?}")).scene;
        assert_eq!(read_str(&write(&scene), "t").unwrap_or_else(|m| panic!("{m:?}")).scene, scene);
        assert_eq!(scene.opens.idle("friction.model"), Some("nothing touches"));
        assert_eq!(scene.opens.idle("contact.slop"), None);
    }

    #[test]
    fn what_cannot_be_is_a_mistake_with_its_place() {
        for (right, wrong, message) in [
            ("speed: 0.1", "speed: 0.001", "0.01 to 10"),
            ("solver.iterations", "solver.sweeps", "no setting is called `solver.sweeps`"),
            ("setting: \"friction\"", "setting: \"fricton\"", "no setting or group is called `fricton`"),
        ] {
            let mistakes = read_str(&TEXT.replace(right, wrong), "t").err().unwrap_or_default();
            assert_eq!(mistakes.len(), 1, "{wrong}");
            assert!(mistakes[0].to_string().contains(message), "{}", mistakes[0]);
        }
    }
}
