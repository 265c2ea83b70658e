//! The doctor at work on the open scene: its findings, and the fixes that it proposes.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use super::run::Run;
use super::{Edit, Placed, Session, SessionError, document::edit::write_out};
use crate::doctor::motions::{self, FreeMotion, MotionPath};
use crate::doctor::{self, DoctorCase, Examination, Finding, Fix, Mechanism, angles};
use crate::physics::angle::Angle;
use crate::physics::joints::Role;
use crate::physics::setting::Value;
use crate::physics::spectrum::{self, Scratch};
use crate::physics::stability::{self, Stability, Warning};
use crate::physics::world::World;
use crate::scene::{Joint, Origin};

/// How long the scene must be left alone before it is looked at again.
const LEFT_ALONE: Duration = Duration::from_millis(300);
/// How often the sweeps' convergence is looked at, in seconds of the clock on the wall or of the scene, whichever comes
/// first, and at each step that jerks; a frame ends with the step that is to be told of. `tests/growth` holds that
/// growth is told of in time by such looks.
pub const WATCH: f64 = 0.25;
/// Row sweeps that a look may take: some milliseconds.
const WATCH_ROWS: usize = 400_000;

/// A scene with more bodies is opened before the doctor has seen it: that is told once he has.
const AT_ONCE: usize = 20_000;

/// What the doctor knows of the open scene.
#[derive(Default)]
pub(super) struct Chart {
    seen: Examination,
    /// Wall time since the scene was edited, if it has not been looked at since.
    edited: Option<Duration>,
    stability: Stability,
    scratch: Scratch,
    /// Wall time since the sweeps were looked at, and the scene's time then, in seconds.
    watched: Option<(Duration, f64)>,
    /// Whether a look at a step since the last frame has found something, which the next frame is to show.
    found: bool,
    /// Where a look at a large scene will come from.
    coming: Option<Receiver<Examination>>,
}

impl Chart {
    /// Looks at a step if it is time to, or if it jerks: what swings too quickly for the step pulls for a step or two,
    /// between two looks. Where nobody watches it does nothing. True where it warns and did not before.
    pub fn stepped(&mut self, run: &Run) -> bool {
        let Some((_, at)) = self.watched.filter(|_| !self.found) else { return false };
        let known = |warning: &Warning| matches!(warning, Warning::Whipping { .. });
        let jerks = || !self.stability.warnings.iter().any(known) && stability::whips(run.shown()).is_some();
        if (run.shown().time - at).abs() < WATCH && !jerks() {
            return false;
        }
        let before = self.stability.warnings.len();
        match run.late() {
            Some(late) => self.look(&late.settled().unwrap_or_else(|| late.clone())),
            None => self.look(run.settled()),
        }
        self.found = !self.stability.warnings.is_empty();
        self.found && before == 0
    }

    fn look(&mut self, world: &World) {
        let sweeps = (WATCH_ROWS / world.row_count.max(1)).clamp(8, spectrum::SWEEPS as usize);
        self.stability = stability::stability(world, &mut self.scratch, sweeps as u32);
        self.watched = Some((Duration::ZERO, world.time));
    }
}

impl Session {
    /// What the doctor found in the scene as it begins.
    pub fn findings(&self) -> &[Finding] {
        &self.chart.seen.findings
    }

    /// The mechanisms of the scene as it begins.
    pub fn mechanisms(&self) -> &[Mechanism] {
        &self.chart.seen.mechanisms
    }

    /// Of each kind of mechanism the first, and how many there are.
    pub fn mechanism_kinds(&self) -> &[(usize, usize)] {
        &self.chart.seen.kinds
    }

    /// The motions that a mechanism's joints leave free as it stands now, by its index in the list.
    pub fn motions(&self, mechanism: usize) -> Vec<FreeMotion> {
        self.now(mechanism, motions::of).unwrap_or_default()
    }

    /// The way along one of them to both sides, up to what ends it.
    pub fn way(&self, mechanism: usize, motion: &FreeMotion) -> MotionPath {
        self.now(mechanism, |case, mechanism| motions::way(case, mechanism, motion)).unwrap_or_default()
    }

    /// What is to be said of a mechanism as it stands now; nothing where an edit has taken some of it away, which the
    /// doctor has not seen yet.
    fn now<T>(&self, mechanism: usize, say: impl FnOnce(&DoctorCase<'_>, &Mechanism) -> T) -> Option<T> {
        let (open, mechanism) = (self.open.as_ref()?, self.chart.seen.mechanisms.get(mechanism)?);
        let world = open.run.world();
        let there = mechanism.bodies.iter().all(|body| (*body as usize) < world.bodies.len())
            && mechanism.joints.iter().all(|joint| *joint < world.joints.len());
        if !there {
            return None;
        }
        let (bodies, joints) = (open.names.bodies.iter().map(|n| &**n), open.names.joints.iter().map(|n| &**n));
        Some(say(&DoctorCase::named(open.run.settled(), bodies, joints), mechanism))
    }

    /// How the sweeps converge, as of the last look: see [`Session::watch`].
    pub fn stability(&self) -> &Stability {
        &self.chart.stability
    }

    /// Looks at the scene.
    pub(super) fn examine(&mut self) {
        self.chart.edited = None;
        (self.chart.watched, self.chart.found) = (None, false);
        self.chart.stability = Stability::default();
        self.chart.coming = None;
        let Some(open) = &self.open else {
            self.chart.seen = Examination::default();
            return;
        };
        let (names, scene) = (open.names.clone(), open.document.scene.clone());
        let mut world = World::clone(open.run.beginning());
        world.settings = self.settings;
        let look = move || {
            let (bodies, joints) = (names.bodies.iter().map(|n| &**n), names.joints.iter().map(|n| &**n));
            doctor::examine(&DoctorCase::named(&world, bodies, joints).said(&scene))
        };
        if open.run.world().bodies.len() <= AT_ONCE {
            self.chart.seen = look();
            return;
        }
        let (send, coming) = mpsc::channel();
        // Nobody waits for it any more if the scene has been edited meanwhile.
        let there = std::thread::Builder::new().name("doctor".into()).spawn(move || drop(send.send(look())));
        self.chart.seen = Examination::default();
        self.chart.coming = there.is_ok().then_some(coming);
    }

    /// Notes that the scene was edited; it is looked at once it has been left alone.
    pub(super) fn edited(&mut self) {
        self.chart.edited = Some(Duration::ZERO);
    }

    /// Whether the doctor will look again in a moment: somebody should call [`Session::advance`] then.
    pub fn doctor_waits(&self) -> bool {
        self.chart.edited.is_some() || self.chart.coming.is_some()
    }

    /// Lets wall time pass.
    pub(super) fn wait_for_doctor(&mut self, wall: Duration) {
        if let Some((watched, _)) = &mut self.chart.watched {
            *watched = watched.saturating_add(wall);
        }
        if let Some(coming) = &self.chart.coming {
            match coming.try_recv() {
                Ok(seen) => (self.chart.seen, self.chart.coming) = (seen, None),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => self.chart.coming = None,
            }
        }
        if let Some(edited) = &mut self.chart.edited {
            *edited = edited.saturating_add(wall);
            if *edited >= LEFT_ALONE {
                self.examine();
            }
        }
    }

    /// Looks at how the sweeps converge, if the last look is some time ago, and has the steps to come looked at. For
    /// whoever shows it, in each frame: a look takes as long as a few steps.
    pub fn watch(&mut self) {
        let Some(open) = &self.open else { return };
        let time = open.run.world().time;
        let recent = |(wall, at): (Duration, f64)| wall.as_secs_f64() < WATCH && (time - at).abs() < WATCH;
        let found = std::mem::take(&mut self.chart.found);
        if !found && !self.chart.watched.is_some_and(recent) {
            self.chart.look(open.run.settled());
        }
    }

    /// Does what the doctor proposes.
    pub(super) fn treat(&mut self, fix: &Fix) -> Result<(), SessionError> {
        match fix {
            Fix::Direct => {
                self.dispatch(super::Command::Set { name: "solver.method", value: Value::Choice("Direct") })?
            }
            _ => {
                let edit = self.treatment(fix)?;
                self.change(&edit, None)?;
            }
        }
        self.examine();
        Ok(())
    }

    /// The edit that does what the doctor proposes.
    fn treatment(&self, fix: &Fix) -> Result<Edit, SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let gone = || SessionError::Refused("that is not in the scene any more".into());
        let entry = |index: usize| -> Result<(String, Joint), SessionError> {
            let name = open.names.joints.get(index).ok_or_else(gone)?.to_string();
            let doc = match open.names.joint_origins[index] {
                Origin::Joint(entry) => open.document.scene.joints.get(entry).cloned().ok_or_else(gone)?,
                _ => write_out::joint(&open.names, open.run.beginning(), index),
            };
            Ok((name, doc))
        };
        let names_body = |body: u32| -> Result<String, SessionError> {
            let at = (body as usize).checked_sub(1).ok_or_else(gone)?;
            Ok(open.names.bodies.get(at).ok_or_else(gone)?.to_string())
        };
        let changed = |index: usize, change: &dyn Fn(&mut Joint)| {
            let (name, mut joint) = entry(index)?;
            change(&mut joint);
            Ok(Edit::Joint { name, joint: Box::new(joint) })
        };
        match *fix {
            // An end that is left out is where the other one is.
            Fix::MeetAnchors { joint } => changed(joint, &|doc| {
                if doc.anchor_a.is_some() {
                    doc.anchor_b = None;
                }
            }),
            Fix::AlignAxes { joint } => changed(joint, &|doc| doc.axis_b = None),
            Fix::Length { joint, length } => changed(joint, &|doc| {
                for parameter in doc.kind.parameters() {
                    if let Role::Length(own) = parameter.role {
                        *own = Some(length);
                    }
                }
            }),
            Fix::Limit { joint, range: (min, max) } => changed(joint, &|doc| {
                for parameter in doc.kind.parameters() {
                    match parameter.role {
                        Role::AngleLimit(limit) => *limit = Some((Angle::radians(min), Angle::radians(max))),
                        Role::SlideLimit(limit) => *limit = Some((min, max)),
                        // No ranges of the joint's value.
                        Role::Swing(_) | Role::AngularMotor(_) | Role::LinearMotor(_) | Role::Length(_) => {}
                        Role::AngularSpring(_) | Role::LinearSpring(_) | Role::Hertz(_) | Role::DampingRatio(_) => {}
                        Role::HingeForm(_) | Role::OrientationForm(_) => {}
                    }
                }
            }),
            Fix::Axis { joint, axis } => changed(joint, &|doc| {
                (doc.axis, doc.axis_a, doc.axis_b) = (Some(axis), None, None);
            }),
            Fix::NoMotor { joint } => changed(joint, &|doc| doc.kind.lose_motor()),
            Fix::Direct => Err(gone()),
            Fix::Breaks { joint, breaks } => changed(joint, &|doc| doc.breaks = Some(breaks)),
            Fix::Degrees { joint } => changed(joint, &|doc| angles::in_degrees(&mut doc.kind)),
            Fix::TurnInDegrees { body } => {
                let name = names_body(body)?;
                let found = open.document.scene.bodies.iter().find(|doc| doc.name == name);
                let mut doc = found.cloned().ok_or_else(gone)?;
                doc.rotation = angles::turned_in_degrees(&doc.rotation);
                Ok(Edit::Body { name, body: Box::new(doc) })
            }
            Fix::Remove { joint } => {
                let (name, _) = entry(joint)?;
                Ok(Edit::Remove { bodies: Vec::new(), joints: vec![name] })
            }
            Fix::Move { body, by } => {
                let name = names_body(body)?;
                let placed = &open.run.beginning().bodies[body as usize];
                Ok(Edit::Place(vec![Placed { name, at: placed.shape_origin() + by, rotation: placed.rotation }]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Command, Edit, Session};

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

    /// Between an edit and the doctor's next look his mechanisms may have joints that are there no more.
    #[test]
    fn motions_of_a_mechanism_that_an_edit_has_cut_do_not_panic() {
        let mut session = Session::from_text(SCENE, "cut.ron").expect("a scene");
        assert!(!session.motions(0).is_empty());
        let edit = Edit::Remove { bodies: Vec::new(), joints: vec!["link".to_owned()] };
        session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
        let motions = session.motions(0);
        assert!(motions.iter().flat_map(|motion| &motion.bodies).all(|(body, ..)| *body <= 2), "and nothing panics");
    }
}
