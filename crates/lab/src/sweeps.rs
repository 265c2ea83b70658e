//! Convergence of the sweeps of one step towards its solution, with the scene's settings and with all other methods.
//!
//! ```text
//! residual    the largest r of any row after a sweep, m/s or rad/s           (`physics/trace.rs`)
//! distance    ‖u − u*‖ = √((u − u*)ᵀ M (u − u*)),  √J                        u*: velocities of the direct solver
//! ```

use super::TracedStep;
use delassus_physics::body::Velocity;
use delassus_physics::settings::Settings;
use delassus_physics::trace::{Depth, StepStage, Trace};
use delassus_physics::world::World;

/// The methods that are compared: their names and the settings that select them.
pub const METHODS: &[(&str, &[&str])] = &[
    ("Gauss–Seidel, scalar rows", &["solver.method=GaussSeidel", "solver.rows=Scalar"]),
    ("Gauss–Seidel, anchors", &["solver.method=GaussSeidel", "solver.rows=Block"]),
    ("Gauss–Seidel, joints", &["solver.method=GaussSeidel", "solver.rows=Joint"]),
    ("Gauss–Seidel, trees", &["solver.method=GaussSeidel", "solver.rows=Tree"]),
    ("Gauss–Seidel, mechanisms", &["solver.method=GaussSeidel", "solver.rows=Mechanism"]),
    ("NNCG, anchors", &["solver.method=Nncg", "solver.rows=Block"]),
    ("AVBD", &["solver.method=Avbd"]),
    ("ADMM", &["solver.method=Admm"]),
    ("Jacobi, ω = 1/n", &["solver.method=Jacobi", "solver.jacobi=Stable"]),
    ("Jacobi, mass splitting", &["solver.method=Jacobi", "solver.jacobi=MassSplitting"]),
    ("Jacobi, conjugate", &["solver.method=Jacobi", "solver.jacobi=Conjugate"]),
    ("direct", &["solver.method=Direct"]),
];

/// The convergence of one method.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepCurve {
    pub name: String,
    /// The largest residual at the start and after each sweep, m/s or rad/s.
    pub residual: Vec<f64>,
    /// The distance to the direct solution at the same moments, √J.
    pub distance: Vec<f64>,
}

/// The curve of a traced step; `exact` are the velocities of the direct solution.
pub fn curve(name: &str, world: &World, trace: &Trace, exact: &[Velocity]) -> SweepCurve {
    let moments = || trace.moments[trace.start()..].iter().filter(|moment| is_swept(moment.stage));
    let largest = |list: &Vec<f32>| list.iter().fold(0.0, |largest: f64, r| largest.max(f64::from(r.abs())));
    SweepCurve {
        name: name.to_owned(),
        residual: moments().map(|moment| largest(&moment.residuals)).collect(),
        distance: moments().map(|moment| distance(world, &moment.velocities, exact)).collect(),
    }
}

/// The curve of the scene's own settings, and with `others` those of all [`METHODS`], each with as many sweeps, all
/// on the same step.
pub fn compare(world: &World, traced: &TracedStep, others: bool) -> Vec<SweepCurve> {
    let with = |assignments: &[&str]| {
        let mut copy = world.clone();
        let mut settings: Settings = copy.settings;
        assignments.iter().for_each(|assignment| settings.assign(assignment).expect("a setting of the list"));
        copy.settings = settings;
        copy.traced(Depth::Sweeps)
    };
    let Some((_, direct)) = with(&["solver.method=Direct"]) else { return Vec::new() };
    // The direct solution before restitution: the last solve, if closing the joints took several.
    let exact = direct.moments.iter().rev().find(|moment| matches!(moment.stage, StepStage::Sweep(_)));
    let Some(exact) = exact.map(|moment| &moment.velocities) else { return Vec::new() };
    let mut curves = vec![curve("as set", world, &traced.trace, exact)];
    if others {
        let traced = METHODS.iter().filter_map(|(name, assignments)| Some((name, with(assignments)?)));
        curves.extend(traced.map(|(name, (_, trace))| curve(name, world, &trace, exact)));
    }
    curves
}

/// The curve of the scene's own settings for each kind of row, in the order in which the kinds first occur; without
/// distances.
pub fn by_kind(traced: &TracedStep) -> Vec<SweepCurve> {
    let mut kinds: Vec<&'static str> = Vec::new();
    for row in &traced.rows {
        if !kinds.contains(&row.kind()) {
            kinds.push(row.kind());
        }
    }
    let trace = &traced.trace;
    let moments = || trace.moments[trace.start()..].iter().filter(|moment| is_swept(moment.stage));
    let largest = |kind: &str, list: &[f32]| {
        let rows_of_kind = traced.rows.iter().filter(|row| row.kind() == kind);
        rows_of_kind.fold(0.0, |largest: f64, row| largest.max(f64::from(list[row.index].abs())))
    };
    let curve = |kind: &'static str| SweepCurve {
        name: kind.to_owned(),
        residual: moments().map(|moment| largest(kind, &moment.residuals)).collect(),
        distance: Vec::new(),
    };
    kinds.into_iter().map(curve).collect()
}

/// Whether a moment belongs to the start or the sweeps, before restitution.
fn is_swept(stage: StepStage) -> bool {
    matches!(stage, StepStage::Forces | StepStage::Start | StepStage::Sweep(_))
}

/// ‖u − v‖ in the norm of M, √J.
fn distance(world: &World, u: &[Velocity], v: &[Velocity]) -> f64 {
    let mut sum = 0.0;
    for ((body, u), v) in world.state.bodies.iter().zip(u).zip(v).filter(|((body, _), _)| body.is_dynamic()) {
        let (linear, angular) = ((u.linear - v.linear).as_dvec3(), (u.angular - v.angular).as_dvec3());
        sum += f64::from(body.mass) * linear.length_squared() + angular.dot(body.inertia().as_dmat3() * angular);
    }
    sum.sqrt()
}
