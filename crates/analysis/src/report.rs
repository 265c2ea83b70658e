//! The analysis of a mechanism: one joint drives it from sample to sample, and each sample is measured.

use glam::DVec3;

use delassus_doctor::DoctorCase;
use delassus_physics::body::Motion;
use delassus_physics::joints::UNBOUNDED;

use crate::forces::{self, Bench, Loads};
use crate::found::{Analysis, BodyAt, Centre, DriveLoad, Idle, JointAt, MotorUse, Sample, Stopped, Turn, largest, why};
use crate::linkage::{Linkage, State};
use crate::newton::INCONSISTENT;
use crate::path::{Drive, Walker};
use crate::plane;
use crate::rates::{self, Rates};
use crate::refusal::Refusal;
use crate::request::{Request, check, ends};
use crate::rows::Twist;
use crate::turns::{self, ratios};

/// Larger mechanisms are refused: the work of a sample grows with the cube of their bodies.
const MAX_BODIES: usize = 32;
/// Instant centres are listed for mechanisms of up to this many bodies: 66 pairs with the world.
const MAX_CENTRES: usize = 11;
/// A body is at rest if its share of a motion is below this.
const STILL: f64 = 1e-6;

/// Analyses the mechanism of a joint.
///
/// # Errors
/// A [`Refusal`] says why it cannot be analysed.
pub fn analyse(case: &DoctorCase<'_>, request: &Request) -> Result<Analysis, Refusal> {
    let measure = check(case, request)?;
    let mut linkage = Linkage::of(case, request.joint, MAX_BODIES);
    let name = || case.joint(request.joint).to_owned();
    if linkage.bodies.is_empty() {
        return Err(Refusal::Immovable { joint: name() });
    }
    if linkage.bodies.len() > MAX_BODIES {
        return Err(Refusal::TooLarge { most: MAX_BODIES });
    }
    let place = |joint: usize| linkage.joints.iter().position(|(index, _)| *index == joint);
    let outside = |joint: usize, option: &str| {
        let (other, own) = (case.joint(joint), case.joint(request.joint));
        Refusal::Outside { option: format!("{option} {other}"), joint: other.into(), own: own.into() }
    };
    let driven = place(request.joint).ok_or_else(|| outside(request.joint, "--over"))?;
    let mut held = Vec::new();
    for joint in &request.hold {
        held.push(place(*joint).filter(|at| *at != driven).ok_or_else(|| outside(*joint, "--hold"))?);
    }
    let output = request.output.map(|joint| place(joint).ok_or_else(|| outside(joint, "--output"))).transpose()?;
    let most = INCONSISTENT * linkage.size;
    let refused = |error: f64| if error <= most { Refusal::Locked { joint: name() } } else { Refusal::Open { error } };
    let mut walker = Walker::new(&mut linkage, Drive { driven, held, ..Drive::default() }).map_err(refused)?;
    let (idle, redundant) = mobility(&walker, case)?;
    let (from, to) = ends(&walker, request, measure)?;
    if let Err(barrier) = walker.walk(from) {
        return Err(Refusal::StartNotReached {
            joint: name(),
            wanted: measure.words(from),
            reached: measure.words(walker.value()),
            why: why(case, request.joint, barrier),
        });
    }
    let mut bench: Bench = case.world.state.bodies.to_vec();
    let (mut samples, mut states, mut stopped) = (Vec::new(), Vec::new(), None);
    let (mut all_ratios, mut normals) = (Vec::new(), Vec::new());
    for k in 0..=request.samples {
        if case.world.report.work.is_cancelled() {
            return Err(Refusal::Cancelled);
        }
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
    let (drive, open) = (walker.drive.clone(), walker.open);
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
        open,
        is_single_precision: linkage.is_single_precision,
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

/// The idle motions and the number of redundant rows at the start.
fn mobility(walker: &Walker<'_, '_>, case: &DoctorCase<'_>) -> Result<(Idle, usize), Refusal> {
    let system = walker.system();
    let joint = || case.joint(walker.linkage.joints[walker.drive.driven].0).to_owned();
    let motions = system.free();
    let linkage = &walker.linkage;
    let mut moving = Vec::new();
    let mut moves_bodies = false;
    for motion in &motions {
        let twists = linkage.twists(motion);
        moves_bodies |= linkage.bodies.iter().any(|id| twists[*id as usize].linear.length() > STILL);
        for at in 0..linkage.joints.len() {
            let rate = linkage.value(at, &walker.state).map_or(0.0, |row| rates::speed(&row, &twists));
            let name = case.joint(linkage.joints[at].0).to_owned();
            if rate.abs() > STILL && !moving.contains(&name) {
                moving.push(name);
            }
        }
    }
    if moves_bodies {
        return Err(Refusal::MoreMotions { joint: joint(), count: motions.len(), moving });
    }
    Ok((Idle { motions: motions.len() }, system.redundant()))
}

/// Measures the mechanism at its present pose. Also returns the normal of its plane, if it moves in one.
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
    let at_rest = Rates { twists: none.clone(), accelerations: none };
    let loads: [Loads; 2] = [&at_rest, &moving].map(|rates| forces::loads(walker, &system, rates, bench));
    let joints = (0..linkage.joints.len()).map(|at| {
        let rates = rates::of_value(linkage, &walker.state, &moving, at);
        JointAt {
            value: rates.map(|[rate, acceleration]| [walker.state.values[at], rate, acceleration]),
            at_rest: loads[0].reactions[at],
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
        drive: DriveLoad { at_rest: loads[0].drive, moving: loads[1].drive },
        held: held.map(|(at_rest, moving)| DriveLoad { at_rest: *at_rest, moving: *moving }).collect(),
        ratio,
        centres: Vec::new(),
        point: request.point.map(|(body, at)| point(walker, &moving, body, at)),
        error: system.largest_error(),
    };
    (sample, plane::normal(&own, linkage.size))
}

/// A point of a body: its position, m, velocity, m/s, and acceleration, m/s², in the world frame.
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
    if bodies.len() > MAX_CENTRES {
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

/// The cap of the driven joint's motor or servo, and the largest load that it needs, N or N·m.
fn motor(case: &DoctorCase<'_>, joint: usize, samples: &[Sample]) -> Option<MotorUse> {
    let cap = case.world.state.joints[joint].def.kind.cap().filter(|cap| *cap < UNBOUNDED)?;
    let worst = largest(samples, |sample| sample.drive.moving)?;
    Some(MotorUse { cap: cap.into(), worst: worst.drive.moving.abs(), at: worst.value })
}
