//! Why a command was refused.

use std::path::PathBuf;

use delassus_scene::{Mistake, Scene, SettingError};

/// Why a command was refused. The message is one line for a toast; only mistakes in a scene file take one line each.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{}", lines(.0))]
    Mistakes(Vec<Mistake>),
    #[error("{}: cannot be written: {error}", file.display())]
    Write { file: PathBuf, error: std::io::Error },
    #[error("no scene is open")]
    NoScene,
    #[error("this scene has no file yet: save it under a name")]
    NoFile,
    #[error("nothing to undo")]
    NothingToUndo,
    #[error("nothing to redo")]
    NothingToRedo,
    #[error("no earlier state is kept")]
    NoEarlierState,
    #[error("there is no other branch number {0}")]
    NoBranch(u64),
    #[error("the scene has no experiment number {0}")]
    NoExperiment(usize),
    #[error("there is no {what} called `{name}`")]
    NoSuch { what: &'static str, name: String },
    #[error("{0}")]
    Refused(String),
    #[error("there is no body {0} to pull")]
    NoBody(u32),
}

impl SessionError {
    /// Mistakes in a scene that was edited here. It has no lines, so that each is told by the name of its joint or body.
    pub(crate) fn by_name(mut mistakes: Vec<Mistake>, scene: &Scene) -> Self {
        for mistake in &mut mistakes {
            if let Some(place) = named(&mistake.place, scene) {
                mistake.place = place;
            }
        }
        Self::Mistakes(mistakes)
    }
}

/// ``joint `hinge`, `b` `` for `joints[2].b`.
fn named(place: &str, scene: &Scene) -> Option<String> {
    let (list, rest) = place.split_once('[')?;
    let (index, field) = rest.split_once(']')?;
    let index: usize = index.parse().ok()?;
    let whole = match list {
        "joints" => format!("joint `{}`", scene.joints.get(index)?.label()),
        "bodies" => format!("body `{}`", scene.bodies.get(index)?.name),
        _ => return None,
    };
    Some(match field.trim_start_matches('.') {
        "" => whole,
        field => format!("{whole}, `{field}`"),
    })
}

fn lines(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_of_an_edit_names_its_joint_or_body() {
        let text = r#"(version: 1, title: "t", bodies: [(name: "door", shape: Sphere(radius: 1))],
            joints: [(name: "hinge", b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge())])"#;
        let scene = delassus_scene::read_str(text, "t.ron").expect("a scene").scene;
        let of = |place: &str| named(place, &scene);
        assert_eq!(of("joints[0].b").as_deref(), Some("joint `hinge`, `b`"));
        assert_eq!(of("joints[0]").as_deref(), Some("joint `hinge`"));
        assert_eq!(of("bodies[0].shape.radius").as_deref(), Some("body `door`, `shape.radius`"));
        assert_eq!((of("joints[7]"), of("settings"), of("plots[0]")), (None, None, None));
    }
}
