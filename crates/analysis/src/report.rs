//! The analysis: what is asked, and what is found at every sample.

use glam::{DQuat, DVec3};

use delassus_doctor::DoctorCase;
use delassus_physics::body::Motion;
use delassus_physics::joint::Joint;
use delassus_physics::joints::UNBOUNDED;

use crate::forces::{self, Bench, Loads, Reaction};
use crate::linkage::{Linkage, State};
use crate::path::{Barrier, Drive, INCONSISTENT, Walker};
use crate::plane;
use crate::rates::{self, Rates};
use crate::refusal::Refusal;
use crate::rows::{Measure, Twist};
use crate::turns::{self, ratios};

/// Larger mechanisms are refused: the work of a sample grows with the cube of their bodies.
const MOST_BODIES: usize = 32;
/// The most samples.
const MOST_SAMPLES: usize = 100_000;
/// Instant centres are listed for mechanisms of up to this many bodies: 66 pairs with the world.
const MOST_CENTRES: usize = 11;
/// A body that moves less than this share of a motion is still.
const STILL: f64 = 1e-6;

/// How far the driven joint goes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Travel {
    /// A turn of a joint with an angle; between its limits for one with a slide.
    #[default]
    Usual,
    /// So many turns from the value of the scene; negative ones backwards.
    Turns(f64),
    /// From one value to another, rad or m.
    Between(f64, f64),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The driven joint, by its index in the world.
    pub joint: usize,
    pub travel: Travel,
    /// Intervals between samples: there is one sample more.
    pub samples: usize,
    /// The speed of the driven joint, rad/s or m/s, which is constant.
    pub speed: f64,
    /// Other joints that are held at their values of the scene.
    pub hold: Vec<usize>,
    /// The joint at which the work of the driven one arrives.
    pub output: Option<usize>,
    /// A body and a point of it, from the origin of its shape in its axes as in a scene, m.
    pub point: Option<(u32, DVec3)>,
}

impl Default for Request {
    fn default() -> Self {
        Self { joint: 0, travel: Travel::Usual, samples: 36, speed: 1.0, hold: Vec::new(), output: None, point: None }
    }
}

/// The force or torque of a drive, N or N·m, positive where it drives the value up: at rest, and at the asked speed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DriveLoad {
    pub still: f64,
    pub moving: f64,
}

/// A joint at a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAt {
    /// Its value, rad or m, its rate and its acceleration; none where it has no single value.
    pub value: Option<[f64; 3]>,
    /// What it bears at rest, and at the asked speed.
    pub still: Reaction,
    pub moving: Reaction,
}

/// A body at a sample: its centre of mass, m, its orientation, velocity and acceleration, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyAt {
    pub position: DVec3,
    pub rotation: DQuat,
    pub velocity: Twist,
    pub acceleration: Twist,
}

/// A sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The value of the driven joint, rad or m.
    pub value: f64,
    /// In the order of [`Analysis::joints`] and [`Analysis::bodies`].
    pub joints: Vec<JointAt>,
    pub bodies: Vec<BodyAt>,
    pub drive: DriveLoad,
    /// What holds the held joints.
    pub held: Vec<DriveLoad>,
    /// The rate of the output's value for each rate of the driven one.
    pub ratio: Option<f64>,
    /// Of the pairs of [`Analysis::centres`], world frame, m; none at infinity.
    pub centres: Vec<Option<DVec3>>,
    /// The point's place, m, velocity, m/s, and acceleration, m/s², world frame.
    pub point: Option<[DVec3; 3]>,
    /// The largest error of the joints, m; angles times the mechanism's size.
    pub error: f64,
}

impl Sample {
    /// The mechanical advantage: the output's force or torque for each of the drive, without friction and inertia.
    /// Infinite at a dead centre of the output.
    pub fn advantage(&self) -> Option<f64> {
        self.ratio.map(|ratio| 1.0 / ratio)
    }
}

/// A pair of bodies whose instant centre is listed; 0 is the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Centre {
    pub bodies: [u32; 2],
}

/// Where a joint turns back: its index in the world, the driven value, and its own, rad or m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    pub joint: usize,
    pub driven: f64,
    pub value: f64,
}

/// Where the mechanism stopped before the end of its travel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopped {
    /// The driven value, rad or m.
    pub value: f64,
    pub barrier: Barrier,
}

/// What the driven joint's motor has, and what it needs at the asked speed, N·m or N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotorUse {
    pub cap: f64,
    /// The largest need, and the driven value there.
    pub worst: f64,
    pub at: f64,
}

/// Motions that remain with the driven joint held, and in which no centre of mass moves: a rod that spins about its own
/// axis. They are left at rest by the shortest velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Idle {
    pub motions: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The driven joint and what its value measures.
    pub joint: usize,
    pub measure: Measure,
    pub speed: f64,
    /// The joints of the mechanism, by their index in the world, and its dynamic bodies.
    pub joints: Vec<usize>,
    pub bodies: Vec<u32>,
    /// The joints that are held.
    pub held: Vec<usize>,
    pub output: Option<usize>,
    pub samples: Vec<Sample>,
    pub stopped: Option<Stopped>,
    pub turns: Vec<Turn>,
    pub motor: Option<MotorUse>,
    /// The normal of the plane in which all bodies move, if there is one; world frame.
    pub normal: Option<DVec3>,
    /// The pairs of bodies whose instant centres the samples list.
    pub centres: Vec<Centre>,
    pub idle: Idle,
    /// Redundant rows, among which the load is shared by the least norm.
    pub redundant: usize,
    /// Whether any row has 32 bits only.
    pub is_single: bool,
    /// The size of the mechanism, m.
    pub size: f64,
    /// Joints of the mechanism whose friction is left out, and those whose motors or servos are.
    pub with_friction: Vec<usize>,
    pub with_motor: Vec<usize>,
    /// Whether it has bodies that a mover moves; they stay where they are.
    pub has_movers: bool,
}

/// Analyses the mechanism of a joint.
///
/// # Errors
/// A [`Refusal`] says why it cannot be analysed.
pub fn analyse(case: &DoctorCase<'_>, request: &Request) -> Result<Analysis, Refusal> {
    let measure = check(case, request)?;
    let mut linkage = Linkage::of(case, request.joint, MOST_BODIES);
    let name = || case.joint(request.joint).to_owned();
    if linkage.bodies.is_empty() {
        return Err(Refusal::Immovable { joint: name() });
    }
    if linkage.bodies.len() > MOST_BODIES {
        return Err(Refusal::TooLarge { most: MOST_BODIES });
    }
    let place = |joint: usize| linkage.joints.iter().position(|(index, _)| *index == joint);
    let outside = |joint: usize, option: &str| {
        let (other, own) = (case.joint(joint), case.joint(request.joint));
        Refusal::Misuse(format!("{option} {other}: it does not belong to the mechanism of `{own}`"))
    };
    let driven = place(request.joint).ok_or_else(|| outside(request.joint, "--over"))?;
    let mut held = Vec::new();
    for joint in &request.hold {
        held.push(place(*joint).filter(|at| *at != driven).ok_or_else(|| outside(*joint, "--hold"))?);
    }
    let output = request.output.map(|joint| place(joint).ok_or_else(|| outside(joint, "--output"))).transpose()?;
    let most = INCONSISTENT * linkage.size;
    let refused = |error: f64| if error <= most { Refusal::Locked { joint: name() } } else { Refusal::Open { error } };
    let mut walker = Walker::new(&mut linkage, Drive { driven, held }).map_err(refused)?;
    let (idle, redundant) = mobility(&walker, case)?;
    let (from, to) = ends(&walker, request, measure)?;
    if let Err(barrier) = walker.walk(from) {
        return Err(Refusal::StartNotReached {
            joint: name(),
            wanted: shown(measure, from),
            reached: shown(measure, walker.value()),
            why: why(case, request.joint, barrier),
        });
    }
    let mut bench: Bench = case.world.state.bodies.to_vec();
    let (mut samples, mut states, mut stopped) = (Vec::new(), Vec::new(), None);
    let (mut all_ratios, mut normals) = (Vec::new(), Vec::new());
    for k in 0..=request.samples {
        let value = if k == request.samples { to } else { from + (to - from) * k as f64 / request.samples as f64 };
        if let Err(barrier) = walker.walk(value) {
            stopped = Some(Stopped { value: walker.value(), barrier });
            break;
        }
        let ratios = ratios(&walker);
        let (sample, normal) = sample(&walker, request, output.map(|at| ratios[at]), &mut bench);
        samples.push(sample);
        normals.push(normal);
        all_ratios.push(ratios);
        states.push(walker.state.clone());
    }
    let turns = turning(&mut walker, driven, &samples, &all_ratios, &states);
    let (normal, centres) = centres(&walker, &normals, &mut samples);
    let motor = motor(case, request.joint, &samples);
    let drive = walker.drive.clone();
    let index = |at: &usize| linkage.joints[*at].0;
    let others = |is: &dyn Fn(&delassus_physics::joints::JointKind) -> bool| -> Vec<usize> {
        let concerned = (0..linkage.joints.len()).filter(|at| is(&linkage.joints[*at].1.def.kind));
        concerned.map(|at| linkage.joints[at].0).collect()
    };
    let with_motor = others(&|kind| kind.is_driven() || kind.has_servo());
    let own: Vec<usize> = drive.held.iter().chain([&driven]).map(index).collect();
    Ok(Analysis {
        joint: request.joint,
        measure,
        speed: request.speed,
        joints: linkage.joints.iter().map(|(index, _)| *index).collect(),
        bodies: linkage.bodies.clone(),
        held: drive.held.iter().map(index).collect(),
        output: request.output,
        samples,
        stopped,
        turns,
        motor,
        normal,
        centres,
        idle,
        redundant,
        is_single: linkage.is_single,
        size: linkage.size,
        with_friction: others(&|kind| kind.holding_friction() > 0.0),
        with_motor: with_motor.into_iter().filter(|joint| !own.contains(joint)).collect(),
        has_movers: linkage.joints.iter().any(|(_, joint)| {
            [joint.def.a, joint.def.b]
                .iter()
                .any(|id| case.world.state.bodies[*id as usize].motion == Motion::Kinematic)
        }),
    })
}

/// What the driven joint measures, if the request makes sense.
fn check(case: &DoctorCase<'_>, request: &Request) -> Result<Measure, Refusal> {
    let joints = &case.world.state.joints;
    let with = || -> Vec<String> {
        let has_value = |index: &usize| Measure::of(&joints[*index].def.kind).is_some();
        (0..joints.len()).filter(has_value).map(|index| case.joint(index).to_owned()).collect()
    };
    let value = |index: usize| {
        let joint = joints.get(index).ok_or_else(|| Refusal::Misuse("the scene has no such joint".into()))?;
        if joint.broken.is_some() {
            return Err(Refusal::Broken { joint: case.joint(index).into() });
        }
        let kind = joint.def.kind.info().name;
        Measure::of(&joint.def.kind).ok_or_else(|| Refusal::NoValue {
            joint: case.joint(index).into(),
            kind,
            with: with(),
        })
    };
    let measure = value(request.joint)?;
    if measure != Measure::Angle && !matches!(request.travel, Travel::Between(..)) {
        slide(&joints[request.joint], request.travel)?;
    }
    for other in request.hold.iter().chain(&request.output) {
        value(*other)?;
    }
    if !(1..=MOST_SAMPLES).contains(&request.samples) {
        return Err(Refusal::Misuse(format!("--samples: expected 1 to {MOST_SAMPLES}")));
    }
    if !(request.speed.is_finite() && request.speed.abs() <= 1e6) {
        return Err(Refusal::Misuse("--speed: expected a speed of up to 1e6".into()));
    }
    if let Some((body, at)) = request.point
        && !(at.is_finite() && at.length() < 1e6 && (body as usize) < case.world.state.bodies.len())
    {
        return Err(Refusal::Misuse("--point: expected a body and a point of it, m".into()));
    }
    Ok(measure)
}

/// The idle motions and the number of redundant rows at the start.
fn mobility(walker: &Walker<'_, '_>, case: &DoctorCase<'_>) -> Result<(Idle, usize), Refusal> {
    let system = walker.system();
    let joint = || case.joint(walker.linkage.joints[walker.drive.driven].0).to_owned();
    let motions = system.free();
    let linkage = &walker.linkage;
    let mut moving = Vec::new();
    let mut goes = false;
    for motion in &motions {
        let twists = linkage.twists(motion);
        goes |= linkage.bodies.iter().any(|id| twists[*id as usize].linear.length() > STILL);
        for at in 0..linkage.joints.len() {
            let rate = linkage.value(at, &walker.state).map_or(0.0, |row| rates::speed(&row, &twists));
            let name = case.joint(linkage.joints[at].0).to_owned();
            if rate.abs() > STILL && !moving.contains(&name) {
                moving.push(name);
            }
        }
    }
    if goes {
        return Err(Refusal::MoreMotions { joint: joint(), count: motions.len(), moving });
    }
    Ok((Idle { motions: motions.len() }, system.redundant()))
}

/// The usual travel of a joint that slides: between its limits, m.
fn slide(joint: &Joint, travel: Travel) -> Result<(f64, f64), Refusal> {
    if travel != Travel::Usual {
        return Err(Refusal::Misuse("--turns: this joint slides; give --from and --to in metres".into()));
    }
    match joint.def.kind.range(joint.rest_length) {
        Some((from, to)) if to > from && (to - from) < 1e6 => Ok((from.into(), to.into())),
        _ => Err(Refusal::Misuse("this joint slides without limits: give --from and --to in metres".into())),
    }
}

/// The ends of the travel, rad or m.
fn ends(walker: &Walker<'_, '_>, request: &Request, measure: Measure) -> Result<(f64, f64), Refusal> {
    use std::f64::consts::TAU;
    let now = walker.value();
    let joint = &walker.linkage.joints[walker.drive.driven].1;
    let (from, to) = match (request.travel, measure) {
        (Travel::Between(from, to), _) => (from, to),
        (Travel::Turns(turns), Measure::Angle) => (now, now + TAU * turns),
        (Travel::Usual, Measure::Angle) => (now, now + TAU),
        (Travel::Turns(_), _) => {
            return Err(Refusal::Misuse("--turns: this joint slides; give --from and --to in metres".into()));
        }
        (Travel::Usual, _) => match joint.def.kind.range(joint.rest_length) {
            Some((from, to)) if to > from && (to - from) < 1e6 => (from.into(), to.into()),
            _ => {
                return Err(Refusal::Misuse("this joint slides without limits: give --from and --to in metres".into()));
            }
        },
    };
    let most = 1e4 * if measure == Measure::Angle { 1.0 } else { walker.linkage.size };
    if !(from.is_finite() && to.is_finite() && from != to && (from - now).abs() <= most && (to - now).abs() <= most) {
        let (least, most) = (shown(measure, now - most), shown(measure, now + most));
        return Err(Refusal::Misuse(format!("the travel: expected two different values from {least} to {most}")));
    }
    Ok((from, to))
}

/// A value with its unit, as text: an angle in degrees.
fn shown(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Angle => format!("{:.4}°", value.to_degrees()),
        Measure::Slide | Measure::Length => format!("{value:.6} m"),
    }
}

/// Why it stopped, as text.
fn why(case: &DoctorCase<'_>, driven: usize, barrier: Barrier) -> String {
    match barrier {
        Barrier::DeadCentre => "a dead centre".into(),
        Barrier::Stop { joint } if joint == driven => "at its own stop".into(),
        Barrier::Stop { joint } => format!("where `{}` is at its stop", case.joint(joint)),
    }
}

impl Analysis {
    /// A driven value with its unit, as text: an angle in degrees.
    pub fn shown(&self, value: f64) -> String {
        shown(self.measure, value)
    }

    /// Where and why it stopped, as text.
    pub fn stopped_words(&self, case: &DoctorCase<'_>) -> Option<String> {
        let stopped = self.stopped?;
        Some(format!("{}, {}", self.shown(stopped.value), why(case, self.joint, stopped.barrier)))
    }
}

fn sample(
    walker: &Walker<'_, '_>,
    request: &Request,
    ratio: Option<f64>,
    bench: &mut Bench,
) -> (Sample, Option<DVec3>) {
    let system = walker.system();
    let linkage = &walker.linkage;
    let moving = rates::rates(walker, &system, request.speed);
    let none = vec![Twist::default(); moving.twists.len()];
    let still = Rates { twists: none.clone(), accelerations: none };
    let loads: [Loads; 2] = [&still, &moving].map(|rates| forces::loads(walker, &system, rates, bench));
    let joints = (0..linkage.joints.len()).map(|at| {
        let rates = rates::of_value(linkage, &walker.state, &moving, at);
        JointAt {
            value: rates.map(|[rate, acceleration]| [walker.state.values[at], rate, acceleration]),
            still: loads[0].reactions[at],
            moving: loads[1].reactions[at],
        }
    });
    let body = |id: &u32| {
        let pose = walker.state.poses[*id as usize];
        BodyAt {
            position: pose.position,
            rotation: pose.rotation,
            velocity: moving.twists[*id as usize],
            acceleration: moving.accelerations[*id as usize],
        }
    };
    let held = loads[0].held.iter().zip(&loads[1].held);
    let own: Vec<Twist> = linkage.bodies.iter().map(|id| moving.twists[*id as usize]).collect();
    let sample = Sample {
        value: walker.value(),
        joints: joints.collect(),
        bodies: linkage.bodies.iter().map(body).collect(),
        drive: DriveLoad { still: loads[0].drive, moving: loads[1].drive },
        held: held.map(|(still, moving)| DriveLoad { still: *still, moving: *moving }).collect(),
        ratio,
        centres: Vec::new(),
        point: request.point.map(|(body, at)| point(walker, &moving, body, at)),
        error: system.largest_error(),
    };
    (sample, plane::normal(&own, linkage.size))
}

/// A point of a body: its place, velocity and acceleration.
fn point(walker: &Walker<'_, '_>, rates: &Rates, id: u32, at: DVec3) -> [DVec3; 3] {
    let pose = walker.state.poses[id as usize];
    let centre = walker.linkage.case.world.state.bodies[id as usize].solid.centre.as_dvec3();
    let arm = pose.rotation * (at - centre);
    let (twist, change) = (rates.twists[id as usize], rates.accelerations[id as usize]);
    let inwards = twist.angular.cross(twist.angular.cross(arm));
    [pose.position + arm, rates::of_point(twist, arm), rates::of_point(change, arm) + inwards]
}

/// Where the joints other than the driven one turn back.
fn turning(
    walker: &mut Walker<'_, '_>,
    driven: usize,
    samples: &[Sample],
    ratios: &[Vec<f64>],
    states: &[State],
) -> Vec<Turn> {
    let mut all = Vec::new();
    for at in (0..walker.linkage.joints.len()).filter(|at| *at != driven) {
        if walker.drive.held.contains(&at) || ratios.iter().any(|ratios| !ratios[at].is_finite()) {
            continue;
        }
        let own: Vec<(f64, f64)> = samples.iter().zip(ratios).map(|(s, ratios)| (s.value, ratios[at])).collect();
        let found = turns::find(walker, at, &own, |walker, k| walker.stand(&states[k]));
        let joint = walker.linkage.joints[at].0;
        all.extend(found.into_iter().map(|turn| Turn { joint, driven: turn.driven, value: turn.value }));
    }
    all
}

/// The plane of the mechanism and its instant centres, which are added to the samples.
fn centres(walker: &Walker<'_, '_>, normals: &[Option<DVec3>], samples: &mut [Sample]) -> (Option<DVec3>, Vec<Centre>) {
    let Some(n) = normals.iter().copied().flatten().next() else { return (None, Vec::new()) };
    let same = |other: &Option<DVec3>| other.is_some_and(|other| other.cross(n).length() < 1e-4);
    if !normals.iter().all(same) {
        return (None, Vec::new());
    }
    let bodies = &walker.linkage.bodies;
    if bodies.len() > MOST_CENTRES {
        return (Some(n), Vec::new());
    }
    let all: Vec<u32> = std::iter::once(delassus_physics::body::WORLD).chain(bodies.iter().copied()).collect();
    let pairs: Vec<Centre> = (0..all.len())
        .flat_map(|i| (i + 1..all.len()).map(move |j| (i, j)))
        .map(|(i, j)| Centre { bodies: [all[i], all[j]] })
        .collect();
    for sample in samples {
        let at = |id: u32| match bodies.binary_search(&id) {
            Ok(k) => (sample.bodies[k].position, sample.bodies[k].velocity),
            Err(_) => (DVec3::ZERO, Twist::default()),
        };
        sample.centres = pairs.iter().map(|pair| plane::centre(n, at(pair.bodies[0]), at(pair.bodies[1]))).collect();
    }
    (Some(n), pairs)
}

/// The first sample at which this is largest in size.
pub fn largest(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> Option<&Sample> {
    // A later one that is larger by rounding only is not.
    let is_larger = |new: f64, old: f64| new > old * (1.0 + 1e-9) && new > 1e-12;
    samples.iter().reduce(|old, new| if is_larger(of(new).abs(), of(old).abs()) { new } else { old })
}

/// What the motor or servo of the driven joint has, and needs.
fn motor(case: &DoctorCase<'_>, joint: usize, samples: &[Sample]) -> Option<MotorUse> {
    let cap = case.world.state.joints[joint].def.kind.cap().filter(|cap| *cap < UNBOUNDED)?;
    let worst = largest(samples, |sample| sample.drive.moving)?;
    Some(MotorUse { cap: cap.into(), worst: worst.drive.moving.abs(), at: worst.value })
}
