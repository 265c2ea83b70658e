//! Runs the doctor on the open scene: its findings, and the fixes that it proposes.

use std::time::Duration;

use super::background::{Background, Progress};
use super::{Edit, Placed, Session, SessionError, document::edit::write_out};
use delassus_doctor::verdict::{self, Breach, Cure, Judge, Trial};
use delassus_doctor::{self as doctor, DoctorCase, Examination, Finding, Fix, Mechanism, angles};
use delassus_physics::angle::Angle;
use delassus_physics::joints::{JointKind, Role};
use delassus_physics::spectrum::Scratch;
use delassus_physics::stability::Stability;
use delassus_physics::work::Cancel;
use delassus_physics::world::World;
use delassus_scene::{Joint, Origin, Rule};

/// Time without edits before the scene is examined again.
const LEFT_ALONE: Duration = Duration::from_millis(300);
/// In the window an examination runs on a thread of its own. A frame waits this long for it, so that the findings of
/// most scenes are there at once.
const MAX_WAIT: Duration = Duration::from_millis(30);

/// The doctor's results for the open scene.
#[derive(Default)]
pub(super) struct Chart {
    seen: Examination,
    /// Wall time since the last edit, if the scene has not been examined since.
    edited: Option<Duration>,
    pub stability: Stability,
    pub scratch: Scratch,
    /// Wall time since the last convergence check, and the simulated time of that check, s.
    pub watched: Option<(Duration, f64)>,
    /// Whether a check during a step since the last frame gave a warning, which the next frame shows.
    pub found: bool,
    /// A check under way on a thread of its own, as in the window where steps take long.
    pub looking: Option<Background<Stability>>,
    /// Whether long checks are made on a thread.
    pub elsewhere: bool,
    /// The examination under way.
    pending: Option<Background<Examination>>,
    /// The verdict on the run, and what cures its gravest breach: see [`Session::breaches`].
    pub judge: Judge,
    cure: CureSearch,
}

/// The search for a cure, on a thread of its own.
#[derive(Default)]
enum CureSearch {
    #[default]
    None,
    /// Trials for this breach are being made.
    Running(Breach, Background<Option<Cure>>),
    Done(Breach, Option<Cure>),
}

impl Session {
    /// The doctor's findings in the scene at step 0.
    pub fn findings(&self) -> &[Finding] {
        &self.chart.seen.findings
    }

    /// The mechanisms of the scene at step 0.
    pub fn mechanisms(&self) -> &[Mechanism] {
        &self.chart.seen.mechanisms
    }

    /// The first mechanism of each kind, and the number of that kind.
    pub fn mechanism_kinds(&self) -> &[(usize, usize)] {
        &self.chart.seen.kinds
    }

    /// Looks at the run for the verdict, if a look is due. The window does this through [`Session::watch`].
    pub fn judge(&mut self) {
        if let Some(open) = &self.open {
            self.chart.judge.watch(open.run.world());
        }
    }

    /// What keeps the run from being trusted: the worst breach of each rule, the gravest first. Includes those that the
    /// scene [expects](delassus_scene::Scene::expects).
    pub fn breaches(&self) -> Vec<Breach> {
        self.chart.judge.breaches()
    }

    /// The breaches that are there now, at every place.
    pub fn breaches_now(&self) -> impl Iterator<Item = &Breach> {
        self.chart.judge.now()
    }

    /// Whether the scene breaks this rule on purpose.
    pub fn expects(&self, rule: Rule) -> bool {
        self.open.as_ref().is_some_and(|open| open.document.scene.expects.contains(&rule))
    }

    /// What a breach says, as a sentence with the names of the scene.
    pub fn breach_words(&self, breach: &Breach) -> String {
        let Some(open) = &self.open else { return String::new() };
        let body = |id: u32| match (id as usize).checked_sub(1) {
            Some(index) => open.names.bodies.get(index).map_or("a body", |name| &**name),
            None => "the world",
        };
        breach.what(|joint| open.names.joints.get(joint).map_or("a joint", |name| &**name), body)
    }

    /// A trial that finds what cures this breach.
    pub fn trial(&self, breach: &Breach) -> Option<Trial> {
        let open = self.open.as_ref()?;
        let mut beginning = World::clone(open.run.beginning());
        beginning.settings = self.settings;
        // The device is the window's, and the thread may outlive that.
        beginning.pipeline.executor.device = None;
        Some(Trial { beginning, breach: *breach })
    }

    /// The cure of a breach that the window found by trials on a thread of its own; `None` while it searches, or where
    /// no trial helps.
    pub fn cure_of(&self, breach: &Breach) -> Option<&Cure> {
        match &self.chart.cure {
            CureSearch::Done(of, cure) if of.rule == breach.rule && of.joint == breach.joint => cure.as_ref(),
            _ => None,
        }
    }

    /// Searches for the cure of the gravest breach that is not expected.
    pub(super) fn search_cure(&mut self) {
        if let CureSearch::Running(breach, pending) = &self.chart.cure {
            match pending.poll() {
                Progress::Done(cure) => self.chart.cure = CureSearch::Done(*breach, cure),
                Progress::Running => return,
                Progress::Failed => self.chart.cure = CureSearch::Done(*breach, None),
            }
        }
        if self.chart.edited.is_some() {
            return;
        }
        let Some(breach) = self.breaches().into_iter().find(|breach| !self.expects(breach.rule)) else { return };
        if matches!(&self.chart.cure, CureSearch::Done(of, _) if of.rule == breach.rule && of.joint == breach.joint) {
            return;
        }
        let Some(mut trial) = self.trial(&breach) else { return };
        let search = Background::start("cure", move |cancel| {
            trial.beginning.report.work.cancelled_by(Some(cancel.clone()));
            verdict::cure(&trial)
        });
        if let Some(search) = search {
            self.chart.cure = CureSearch::Running(breach, search);
        }
    }

    /// Examines the scene.
    pub(super) fn examine(&mut self) {
        self.chart.judge.clear();
        self.chart.cure = CureSearch::None;
        self.chart.edited = None;
        (self.chart.watched, self.chart.found) = (None, false);
        self.chart.stability = Stability::default();
        (self.chart.pending, self.chart.looking) = (None, None);
        let Some(open) = &self.open else {
            self.chart.seen = Examination::default();
            return;
        };
        let (names, scene) = (open.names.clone(), open.document.scene.clone());
        let mut world = World::clone(open.run.beginning());
        world.settings = self.settings;
        world.pipeline.executor.device = None;
        let mut look = move |cancel: Option<&Cancel>| {
            world.report.work.cancelled_by(cancel.cloned());
            let (bodies, joints) = (names.bodies.iter().map(|n| &**n), names.joints.iter().map(|n| &**n));
            doctor::examine(&DoctorCase::named(&world, bodies, joints).with_scene(&scene))
        };
        if !self.is_ahead() {
            self.chart.seen = look(None);
            return;
        }
        self.chart.seen = Examination::default();
        self.chart.pending = Background::start("doctor", move |cancel| look(Some(cancel)));
        if let Some(pending) = &self.chart.pending
            && let Progress::Done(seen) = pending.wait(MAX_WAIT)
        {
            (self.chart.seen, self.chart.pending) = (seen, None);
        }
    }

    /// Notes that the scene was edited; it is examined after `LEFT_ALONE` without further edits. What is under way is
    /// of another scene.
    pub(super) fn edited(&mut self) {
        (self.chart.pending, self.chart.looking) = (None, None);
        self.chart.cure = CureSearch::None;
        self.chart.edited = Some(Duration::ZERO);
    }

    /// Whether an examination is under way. An edit cancels it, and so does closing the scene.
    pub fn doctor_examines(&self) -> bool {
        self.chart.pending.is_some()
    }

    /// Whether an examination is pending, so that [`Session::advance`] must be called again.
    pub fn doctor_waits(&self) -> bool {
        self.chart.edited.is_some() || self.chart.pending.is_some()
    }

    /// Advances the wall time of pending checks and examinations.
    pub(super) fn wait_for_doctor(&mut self, wall: Duration) {
        if let Some((watched, _)) = &mut self.chart.watched {
            *watched = watched.saturating_add(wall);
        }
        if let Some(pending) = &self.chart.pending {
            match pending.poll() {
                Progress::Done(seen) => (self.chart.seen, self.chart.pending) = (seen, None),
                Progress::Running => {}
                Progress::Failed => self.chart.pending = None,
            }
        }
        if let Some(edited) = &mut self.chart.edited {
            *edited = edited.saturating_add(wall);
            if *edited >= LEFT_ALONE {
                self.examine();
            }
        }
    }

    /// Applies a fix that the doctor proposes.
    pub(super) fn apply_fix(&mut self, fix: &Fix) -> Result<(), SessionError> {
        match fix {
            Fix::Set { name, value } => self.dispatch(super::Command::Set { name, value: *value })?,
            _ => {
                let edit = self.treatment(fix)?;
                self.change(&edit, None)?;
            }
        }
        self.examine();
        Ok(())
    }

    /// The edit that applies a fix.
    fn treatment(&self, fix: &Fix) -> Result<Edit, SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let gone = || SessionError::Refused("this is no longer in the scene".into());
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
            // An anchor that is left out is placed at the other one.
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
                if let JointKind::SixDof(kind) = &mut doc.kind {
                    return kind.measured().into_iter().for_each(|axis| kind.set_limit(axis, (min, max)));
                }
                for parameter in doc.kind.parameters() {
                    match parameter.role {
                        Role::AngleLimit(limit) => *limit = Some((Angle::radians(min), Angle::radians(max))),
                        Role::SlideLimit(limit) => *limit = Some((min, max)),
                        // These do not limit the joint's value.
                        Role::Swing(_) | Role::AngularMotor(_) | Role::LinearMotor(_) | Role::Length(_) => {}
                        Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => {}
                        Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => {}
                        Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
                        Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => {}
                        Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
                        Role::SlideAxis(_) | Role::TurnAxis(_) | Role::Axes(_) | Role::RotationZero(_) => {}
                    }
                }
            }),
            Fix::Axis { joint, axis } => changed(joint, &|doc| {
                (doc.axis, doc.axis_a, doc.axis_b) = (Some(axis), None, None);
            }),
            Fix::NoMotor { joint } => changed(joint, &|doc| doc.kind.lose_motor()),
            Fix::Set { .. } => Err(gone()),
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
                let placed = &open.run.beginning().state.bodies[body as usize];
                Ok(Edit::Place(vec![Placed { name, at: placed.shape_origin() + by, rotation: placed.rotation }]))
            }
        }
    }
}
