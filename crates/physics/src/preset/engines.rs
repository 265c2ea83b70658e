//! The settings of other engines as they come; the numbers were read from their sources on 28 November 2026. A value without
//! a source is one of [`ABSENT`]: what no engine of these has, switched off.
//!
//! Where an engine mixes friction as √(a b), the mean stands for it: they agree where the two materials are alike.

use super::Engine;
use crate::settings::{
    Collide, ContactPatch, ContactSource, ContactStabilization, Continuous, FrictionModel, FrictionPatch, Gyroscopic,
    Method, Mix, RowSolve, Safeguard, SettingsPatch, SleepPatch, SolverPatch, Stabilization, StabilizationPatch,
    StepPatch, WarmStartPatch,
};

/// Settings that stand for something that no engine of these has.
pub const ABSENT: &[&str] = &["step.max_turn", "solver.extra", "warm_start.safeguard", "contact.mean_first"];

/// What they share: projected Gauss–Seidel, and none of [`ABSENT`].
fn shared() -> SettingsPatch {
    SettingsPatch {
        step: StepPatch { max_turn: Some(0.0), ..StepPatch::default() },
        solver: SolverPatch {
            method: Some(Method::GaussSeidel),
            extra: Some(0),
            rows: Some(RowSolve::Block),
            ..SolverPatch::default()
        },
        warm_start: WarmStartPatch { safeguard: Some(Safeguard::Off), ..WarmStartPatch::default() },
        contact: ContactPatch {
            mean_first: Some(false),
            continuous: Some(Continuous::Off),
            prediction: Some(0.02),
            ..ContactPatch::default()
        },
        ..SettingsPatch::default()
    }
}

/// Sub-steps of one soft sweep and one relaxing sweep, with contacts found once a step: Box3D, Rapier, PhysX.
fn soft_steps(substeps: u32, iterations: u32) -> SettingsPatch {
    let mut patch = shared();
    patch.step.substeps = Some(substeps);
    patch.solver.iterations = Some(iterations);
    patch.stabilization = StabilizationPatch {
        method: Some(Stabilization::Soft),
        contacts: Some(ContactStabilization::Soft),
        relax: Some(1),
        ..StabilizationPatch::default()
    };
    patch.contact.collide = Some(Collide::EachStep);
    patch
}

/// One step of several sweeps: Box2D 2.4, Jolt, Bullet.
fn single_step(iterations: u32) -> SettingsPatch {
    let mut patch = shared();
    patch.step.substeps = Some(1);
    patch.solver.iterations = Some(iterations);
    patch.contact.collide = Some(Collide::EachSubstep);
    patch.friction.deferred = Some(false);
    patch
}

fn sleep(speed: f32, time: f32) -> SleepPatch {
    SleepPatch { enabled: Some(true), speed: Some(speed), time: Some(time) }
}

pub const BOX3D: Engine = Engine {
    name: "Box3D",
    version: "30c67b5, 12 August 2026",
    sources: &[
        ("step.substeps", "four, as b3World_Step recommends"),
        ("step.gyroscopic", "solver.c: Newton's method on the implicit equation"),
        ("solver.method", "solver.c: sub-steps of a soft sweep and a rigid one"),
        ("solver.iterations", "solver.c: one sweep with the push in each sub-step"),
        ("solver.rows", "spherical_joint.c, revolute_joint.c: a block for the anchor, others for the axes"),
        ("stabilization.method", "solver.h: b3MakeSoft"),
        ("stabilization.hertz", "joint.c: constraintHertz 60"),
        ("stabilization.damping_ratio", "joint.c: constraintDampingRatio 2"),
        ("stabilization.contact_hertz", "types.c: contactHertz 30"),
        ("stabilization.contact_damping_ratio", "types.c: contactDampingRatio 10"),
        ("stabilization.relax", "solver.c: one sweep without the push in each sub-step"),
        ("contact.slop", "contact_solver.c: the push has none; B3_LINEAR_SLOP belongs to the finding of contacts"),
        ("contact.prediction", "constants.h: B3_SPECULATIVE_DISTANCE, four times the slop of 5 mm"),
        ("contact.continuous", "types.c: enableContinuous"),
        ("sleep.speed", "types.h: sleepThreshold 0.05 m/s"),
        ("sleep.time", "constants.h: B3_TIME_TO_SLEEP 0.5 s"),
    ],
    without: &[
        "the centre of friction is weighted by depth, here by what each point carried",
        "friction and twist are bounded separately: `formulation.patch` chooses this, and belongs to the scene",
        "time of impact only against bodies that do not move",
        "friction is mixed as √(a b)",
    ],
};

/// Also Box2D 3, which has the same values; there contacts with the ground keep their damping ratio.
pub fn box3d() -> SettingsPatch {
    let mut patch = soft_steps(4, 1);
    patch.solver.method = Some(Method::TgsSoft);
    patch.step.gyroscopic = Some(Gyroscopic::Implicit);
    patch.stabilization.hertz = Some(60.0);
    patch.stabilization.damping_ratio = Some(2.0);
    patch.stabilization.contact_hertz = Some(30.0);
    patch.stabilization.contact_damping_ratio = Some(10.0);
    patch.contact.slop = Some(0.0);
    patch.contact.max_push = Some(3.0);
    patch.contact.continuous = Some(Continuous::TimeOfImpact);
    patch.friction =
        FrictionPatch { model: Some(FrictionModel::Patch), deferred: Some(true), ..FrictionPatch::default() };
    patch.sleep = sleep(0.05, 0.5);
    patch
}

pub const BOX2D_24: Engine = Engine {
    name: "Box2D 2.4",
    version: "9dc24a6, 30 December 2021",
    sources: &[
        ("step.substeps", "b2World::Step: one"),
        ("step.gyroscopic", "there is none in a plane"),
        ("solver.iterations", "testbed/settings.h: 8"),
        ("solver.rows", "b2_revolute_joint.cpp: a 2 × 2 block for the anchor"),
        ("stabilization.method", "b2_contact_solver.cpp: SolvePositionConstraints"),
        ("stabilization.contacts", "b2_contact_solver.cpp: SolvePositionConstraints"),
        ("stabilization.position_iterations", "testbed/settings.h: 3"),
        ("stabilization.beta", "b2_common.h: b2_baumgarte 0.2"),
        ("stabilization.max_correction", "b2_common.h: b2_maxLinearCorrection 0.2 m"),
        ("stabilization.joint_slop", "b2_common.h: b2_linearSlop 5 mm"),
        ("contact.slop", "b2_common.h: b2_linearSlop 5 mm"),
        ("contact.collide", "b2World::Step: once, before the solver"),
        ("contact.continuous", "b2World::SolveTOI"),
        ("friction.model", "b2_contact_solver.cpp: a row for each point"),
        ("friction.deferred", "b2_contact_solver.cpp: friction in every sweep"),
        ("sleep.speed", "b2_common.h: b2_linearSleepTolerance 0.01 m/s"),
    ],
    without: &[
        "it works in a plane: here the same in space",
        "the two normals of a contact are solved as one block",
        "shapes have a skin of 10 mm; angles have a slop of 2°",
        "time of impact only against bodies that do not move",
        "friction is mixed as √(a b)",
    ],
};

pub fn box2d_24() -> SettingsPatch {
    let mut patch = single_step(8);
    patch.step.gyroscopic = Some(Gyroscopic::Off);
    patch.stabilization = StabilizationPatch {
        method: Some(Stabilization::Nonlinear),
        contacts: Some(ContactStabilization::Nonlinear),
        beta: Some(0.2),
        position_iterations: Some(3),
        max_correction: Some(0.2),
        joint_slop: Some(0.005),
        ..StabilizationPatch::default()
    };
    patch.contact.slop = Some(0.005);
    patch.contact.continuous = Some(Continuous::TimeOfImpact);
    patch.friction.model = Some(FrictionModel::Coulomb);
    patch.sleep = sleep(0.01, 0.5);
    patch
}

pub const RAPIER: Engine = Engine {
    name: "Rapier",
    version: "0.36, ccd01cd, 16 August 2026",
    sources: &[
        ("step.substeps", "integration_parameters.rs: num_solver_iterations 4"),
        ("solver.iterations", "integration_parameters.rs: num_internal_pgs_iterations 1"),
        ("solver.rows", "joint rows are solved one by one"),
        ("warm_start.joints", "integration_parameters.rs: warmstart_joints false"),
        ("stabilization.method", "integration_parameters.rs: SpringCoefficients"),
        ("stabilization.hertz", "integration_parameters.rs: joints 10⁶ Hz; here the largest value"),
        ("stabilization.damping_ratio", "integration_parameters.rs: joints 1"),
        ("stabilization.contact_hertz", "integration_parameters.rs: contact_defaults 30 Hz"),
        ("stabilization.contact_damping_ratio", "integration_parameters.rs: contact_defaults 10"),
        ("stabilization.relax", "integration_parameters.rs: num_internal_stabilization_iterations 1"),
        ("contact.slop", "integration_parameters.rs: normalized_allowed_linear_error 5 mm"),
        ("contact.continuous", "bodies have none unless they ask for it"),
        ("sleep.speed", "rigid_body_components.rs: 0.05 m/s"),
        ("sleep.time", "rigid_body_components.rs: 0.5 s"),
    ],
    without: &[
        "contacts with bodies that do not move have 60 Hz",
        "contact points of a large manifold are reduced to clusters",
    ],
};

pub fn rapier() -> SettingsPatch {
    let mut patch = soft_steps(4, 1);
    patch.solver.rows = Some(RowSolve::Scalar);
    patch.step.gyroscopic = Some(Gyroscopic::Midpoint);
    patch.warm_start.joints = Some(false);
    patch.stabilization.hertz = Some(10_000.0);
    patch.stabilization.damping_ratio = Some(1.0);
    patch.stabilization.contact_hertz = Some(30.0);
    patch.stabilization.contact_damping_ratio = Some(10.0);
    patch.contact.slop = Some(0.005);
    patch.contact.max_push = Some(3.0);
    patch.friction =
        FrictionPatch { model: Some(FrictionModel::Patch), deferred: Some(true), ..FrictionPatch::default() };
    patch.sleep = sleep(0.05, 0.5);
    patch
}

pub const JOLT: Engine = Engine {
    name: "Jolt",
    version: "3b47ec3, 30 June 2026",
    sources: &[
        ("step.substeps", "PhysicsSystem::Update with one collision step"),
        ("step.gyroscopic", "BodyCreationSettings.h: mApplyGyroscopicForce false"),
        ("solver.iterations", "PhysicsSettings.h: mNumVelocitySteps 10"),
        ("solver.rows", "ConstraintPart: a block for the anchor, others for the axes"),
        ("stabilization.method", "PhysicsSystem::JobSolvePositionConstraints"),
        ("stabilization.contacts", "PhysicsSystem::JobSolvePositionConstraints"),
        ("stabilization.position_iterations", "PhysicsSettings.h: mNumPositionSteps 2"),
        ("stabilization.beta", "PhysicsSettings.h: mBaumgarte 0.2"),
        ("stabilization.max_correction", "PhysicsSettings.h: mMaxPenetrationDistance 0.2 m"),
        ("contact.slop", "PhysicsSettings.h: mPenetrationSlop 20 mm"),
        ("contact.prediction", "PhysicsSettings.h: mSpeculativeContactDistance 20 mm"),
        ("contact.collide", "PhysicsSystem::Update: once a collision step"),
        ("contact.continuous", "BodyCreationSettings.h: EMotionQuality::Discrete"),
        ("friction.model", "ContactConstraintManager.cpp: at the mean of the points, with a row about the normal"),
        ("friction.deferred", "ContactConstraintManager.cpp: friction in every sweep"),
        ("friction.under_load", "ContactConstraintManager.cpp: at the mean of the points"),
        ("sleep.speed", "PhysicsSettings.h: mPointVelocitySleepThreshold 0.03 m/s"),
        ("sleep.time", "PhysicsSettings.h: mTimeBeforeSleep 0.5 s"),
    ],
    without: &[
        "bodies are damped: 5 % of their speed in a second",
        "within a contact friction is solved before the normal",
        "boxes have rounded edges of 50 mm where they touch by an edge",
        "friction is mixed as √(a b)",
    ],
};

pub fn jolt() -> SettingsPatch {
    let mut patch = single_step(10);
    patch.step.gyroscopic = Some(Gyroscopic::Off);
    patch.stabilization = StabilizationPatch {
        method: Some(Stabilization::Nonlinear),
        contacts: Some(ContactStabilization::Nonlinear),
        beta: Some(0.2),
        position_iterations: Some(2),
        max_correction: Some(0.2),
        ..StabilizationPatch::default()
    };
    patch.contact.slop = Some(0.02);
    patch.friction.model = Some(FrictionModel::Patch);
    patch.friction.under_load = Some(false);
    patch.sleep = sleep(0.03, 0.5);
    patch
}

pub const BULLET: Engine = Engine {
    name: "Bullet",
    version: "6c888f4, 29 January 2025",
    sources: &[
        ("step.substeps", "stepSimulation with a fixed step: one"),
        ("step.gyroscopic", "btRigidBody.cpp: BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY"),
        ("solver.iterations", "btContactSolverInfo.h: m_numIterations 10"),
        ("solver.rows", "btSequentialImpulseConstraintSolver.cpp: row by row"),
        ("warm_start.factor", "btContactSolverInfo.h: m_warmstartingFactor 0.85"),
        ("stabilization.method", "btContactSolverInfo.h: m_erp"),
        ("stabilization.contacts", "btContactSolverInfo.h: m_splitImpulsePenetrationThreshold, above −40 mm"),
        ("stabilization.beta", "btContactSolverInfo.h: m_erp 0.2"),
        ("contact.slop", "btContactSolverInfo.h: m_linearSlop 0"),
        ("contact.source", "btPersistentManifold: four points that are kept"),
        ("contact.drift", "btPersistentManifold.cpp: gContactBreakingThreshold 20 mm"),
        ("contact.collide", "btDiscreteDynamicsWorld: once a step"),
        ("contact.continuous", "bodies have none unless they ask for it"),
        ("contact.max_push", "none; here the largest value"),
        ("contact.mix", "btManifoldResult.cpp: the product"),
        ("contact.restitution_threshold", "btContactSolverInfo.h: m_restitutionVelocityThreshold 0.2 m/s"),
        ("friction.model", "btContactSolverInfo.h: rows of their own bounds for each point"),
        ("friction.deferred", "btSequentialImpulseConstraintSolver.cpp: friction in every sweep"),
        ("sleep.speed", "btRigidBody.h: m_linearSleepingThreshold 0.8 m/s"),
        ("sleep.time", "btRigidBody.cpp: gDeactivationTime 2 s"),
    ],
    without: &[
        "overlaps deeper than 40 mm are removed by split impulses",
        "friction acts along one direction, in which the point slips, and after all normals of a sweep",
        "shapes have a skin of 40 mm",
    ],
};

pub fn bullet() -> SettingsPatch {
    let mut patch = single_step(10);
    patch.step.gyroscopic = Some(Gyroscopic::Implicit);
    patch.solver.rows = Some(RowSolve::Scalar);
    patch.warm_start.factor = Some(0.85);
    patch.stabilization = StabilizationPatch {
        method: Some(Stabilization::Baumgarte),
        contacts: Some(ContactStabilization::Baumgarte),
        beta: Some(0.2),
        ..StabilizationPatch::default()
    };
    patch.contact.source = Some(ContactSource::Growing);
    patch.contact.drift = Some(0.02);
    patch.contact.slop = Some(0.0);
    patch.contact.max_push = Some(1000.0);
    patch.contact.mix = Some(Mix::Product);
    patch.contact.restitution_threshold = Some(0.2);
    patch.friction.model = Some(FrictionModel::Pyramid);
    patch.sleep = sleep(0.8, 2.0);
    patch
}

const PHYSX_SOURCES: &[(&str, &str)] = &[
    ("step.substeps", "PxSceneDesc.h: PGS one step; TGS one sub-step for each of the four position iterations"),
    ("step.gyroscopic", "PxRigidBodyFlag::eENABLE_GYROSCOPIC_FORCES is off"),
    ("solver.iterations", "PxRigidDynamic.h: four position iterations; TGS one for each sub-step"),
    ("solver.rows", "DyConstraintSetup.cpp: row by row, after the rows are made orthogonal"),
    ("warm_start.enabled", "DyConstraintSetupBlock.cpp, DyContactPrep.cpp: appliedForce starts from zero in each step"),
    ("stabilization.method", "sweeps with the push, then sweeps without it"),
    (
        "stabilization.hertz",
        "DyConstraintSetup.cpp: erp 1, the whole error of a joint; here a spring that does the same",
    ),
    ("stabilization.damping_ratio", "DyConstraintSetup.cpp: erp 1"),
    ("stabilization.contact_hertz", "DyContactPrep.cpp: 0.8 of an overlap; here a spring that does the same at 60 Hz"),
    ("stabilization.contact_damping_ratio", "DyContactPrep.cpp: 0.8 of an overlap"),
    ("stabilization.relax", "PxRigidDynamic.h: one velocity iteration"),
    ("contact.slop", "restOffset 0"),
    ("contact.collide", "PxScene::simulate: once a step"),
    ("contact.prediction", "contactOffset 20 mm"),
    ("contact.continuous", "PxSceneFlag::eENABLE_CCD is off"),
    ("contact.max_push", "maxDepenetrationVelocity is not bounded; here the largest value"),
    ("contact.restitution_threshold", "PxSceneDesc.h: bounceThresholdVelocity 0.2 × 10 m/s"),
    ("friction.deferred", "friction in the sweeps, too"),
    ("sleep.speed", "sleepThreshold 5e-5 × (10 m/s)² of kinetic energy per mass: 0.1 m/s"),
    ("sleep.time", "PxSceneDesc.h: wakeCounterResetValue 0.4 s"),
];
const PHYSX_WITHOUT: &[&str] = &[
    "friction acts at two anchors of a patch, in the last three sweeps and those of velocities",
    "velocity iterations follow the last sub-step only",
    "the temporal solver carries impulses from one sub-step to the next within a step",
    "rows of a joint are made orthogonal before they are solved",
];

pub const PHYSX: Engine = Engine {
    name: "PhysX, projected Gauss–Seidel",
    version: "a3d8a64, 24 June 2026",
    sources: PHYSX_SOURCES,
    without: PHYSX_WITHOUT,
};
pub const PHYSX_TGS: Engine = Engine { name: "PhysX, temporal Gauss–Seidel", ..PHYSX };

pub fn physx(temporal: bool) -> SettingsPatch {
    let mut patch = if temporal { soft_steps(4, 1) } else { soft_steps(1, 4) };
    patch.solver.rows = Some(RowSolve::Scalar);
    patch.step.gyroscopic = Some(Gyroscopic::Off);
    patch.warm_start.enabled = Some(false);
    // A spring without a damper closes the whole error in a step: h ω/(2 ζ + h ω) = 1.
    patch.stabilization.hertz = Some(10_000.0);
    patch.stabilization.damping_ratio = Some(0.0);
    patch.stabilization.contact_hertz = Some(PHYSX_HERTZ);
    patch.stabilization.contact_damping_ratio = Some(damping_for(0.8, if temporal { 240.0 } else { 60.0 }));
    patch.contact.slop = Some(0.0);
    patch.contact.max_push = Some(1000.0);
    patch.contact.restitution_threshold = Some(2.0);
    patch.friction =
        FrictionPatch { model: Some(FrictionModel::Patch), deferred: Some(false), ..FrictionPatch::default() };
    patch.sleep = sleep(0.1, 0.4);
    patch
}

/// A frequency so high that the rows are rigid but for a millionth.
const PHYSX_HERTZ: f32 = 7000.0;

/// The damping ratio with which a spring of `PHYSX_HERTZ` removes a `share` of an error in a step at `rate` Hz:
/// h ω/(2 ζ + h ω) = share.
fn damping_for(share: f32, rate: f32) -> f32 {
    0.5 * std::f32::consts::TAU * PHYSX_HERTZ / rate * (1.0 / share - 1.0)
}
