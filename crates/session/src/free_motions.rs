//! The free motions of the open scene's mechanisms. They take long for large mechanisms, so what finds them can be
//! taken to another thread, and cancelled.

use std::sync::Arc;

use super::Session;
use super::names::Names;
use delassus_doctor::motions::{self, FreeMotion, MotionPath};
use delassus_doctor::{DoctorCase, Mechanism};
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// What a search for free motions has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundMotions {
    pub motions: Vec<FreeMotion>,
    /// The path along the first.
    pub path: MotionPath,
    /// Whether there are more than can be told apart with a limited amount of work.
    pub too_many: bool,
}

/// A mechanism in its current state.
struct MechanismNow {
    world: World,
    names: Arc<Names>,
    mechanism: Mechanism,
}

impl MechanismNow {
    /// Evaluates `say` for it.
    fn say<T>(mut self, cancel: Option<&Cancel>, say: impl FnOnce(&DoctorCase<'_>, &Mechanism) -> T) -> T {
        self.world.report.work.cancelled_by(cancel.cloned());
        let (bodies, joints) = (self.names.bodies.iter().map(|n| &**n), self.names.joints.iter().map(|n| &**n));
        say(&DoctorCase::named(&self.world, bodies, joints), &self.mechanism)
    }
}

impl Session {
    /// Finds the free motions of a mechanism in its current state, by its index in the list, and the path along the
    /// first. What this returns computes them, in the frame or elsewhere.
    pub fn motions(&self, mechanism: usize) -> impl FnOnce(Option<&Cancel>) -> FoundMotions + Send + use<> {
        let task = self.now(mechanism);
        move |cancel| {
            let find = |case: &DoctorCase<'_>, mechanism: &Mechanism| {
                let Some(motions) = motions::of(case, mechanism) else {
                    return FoundMotions { too_many: true, ..FoundMotions::default() };
                };
                let path = motions.first().map(|first| motions::motion_path(case, mechanism, first));
                FoundMotions { motions, path: path.unwrap_or_default(), too_many: false }
            };
            task.map(|task| task.say(cancel, find)).unwrap_or_default()
        }
    }

    /// Finds the path along a free motion in both directions, up to what ends it.
    pub fn motion_path(
        &self,
        mechanism: usize,
        motion: &FreeMotion,
    ) -> impl FnOnce(Option<&Cancel>) -> MotionPath + Send + use<> {
        let (task, motion) = (self.now(mechanism), motion.clone());
        move |cancel| {
            task.map(|task| task.say(cancel, |case, mechanism| motions::motion_path(case, mechanism, &motion)))
                .unwrap_or_default()
        }
    }

    /// A mechanism in its current state; `None` if an edit that the doctor has not examined yet removed part of it.
    fn now(&self, mechanism: usize) -> Option<MechanismNow> {
        let (open, mechanism) = (self.open.as_ref()?, self.mechanisms().get(mechanism)?);
        let mut world = open.run.synced().clone();
        let there = mechanism.bodies.iter().all(|body| (*body as usize) < world.state.bodies.len())
            && mechanism.joints.iter().all(|joint| *joint < world.state.joints.len());
        world.pipeline.executor.device = None;
        there.then(|| MechanismNow { world, names: open.names.clone(), mechanism: mechanism.clone() })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Command, Edit, Session};

    const SCENE: &str = r#"(
        version: 1,
        title: "Cut",
        bodies: [
            (name: "upper", shape: Sphere(radius: 0.1), at: (1, 0, 3)),
            (name: "lower", shape: Sphere(radius: 0.1), at: (2, 0, 3)),
        ],
        joints: [
            (name: "hook", b: "upper", anchor: (0, 0, 3), kind: BallSocket),
            (name: "link", a: "upper", b: "lower", anchor: (1, 0, 3), kind: BallSocket),
        ],
    )"#;

    /// Between an edit and the next examination, mechanisms may list joints that no longer exist.
    #[test]
    fn motions_of_a_mechanism_that_an_edit_has_cut_do_not_panic() {
        let mut session = Session::from_text(SCENE, "cut.ron").expect("a scene");
        let before = session.motions(0)(None);
        assert!(!before.motions.is_empty());
        let edit = Edit::Remove { bodies: Vec::new(), joints: vec!["link".to_owned()] };
        session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
        let after = session.motions(0)(None).motions;
        assert!(after.iter().flat_map(|motion| &motion.bodies).all(|(body, ..)| *body <= 2), "and nothing panics");
        session.motion_path(0, &before.motions[0])(None);
    }
}
