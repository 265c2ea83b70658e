//! Sweeps on the device over the rows of any joints and contacts equal the processor's within rounding: every small
//! scene of the library, all kinds of joints, stops, motors, springs, every friction law.
//!
//! Both compute with 32 bits in nearly the same order, so a step differs by about 2⁻²⁴ of the summands: 1e-5 of the
//! largest velocity, or of that of a step of free fall if everything is at rest.

use delassus_scene::Words as _;
use std::collections::BTreeSet;
use std::sync::Arc;

use delassus_gpu::rows::LaneSweeper;
use delassus_gpu::{Device, Stepper};
use delassus_physics::joints::JointKind;
use delassus_physics::settings::Stabilization;
use delassus_physics::solvers::remote_sweeps::SweepRefusal;
use delassus_physics::world::World;
use delassus_scene::library::{ordinary, scenes_folder};
use delassus_scene::read;
use rayon::prelude::*;

use crate::device;
use crate::worlds::{Builder, of_scheme};

/// The common settings of all runs.
const COMMON: [&str; 6] = [
    // The device does not divide steps.
    "step.max_turn=0",
    "solver.rows=Block",
    "solver.iterations=10",
    "solver.tolerance=0",
    "stabilization.method=Baumgarte",
    "formulation.carry=AppliedFirst",
];

/// The sweeps, combined with the friction laws.
const CASES: [&[&str]; 16] = [
    &["solver.method=GaussSeidel", "solver.order=Coloured"],
    &["solver.method=GaussSeidel", "solver.order=Forward", "stabilization.method=Split"],
    &["solver.method=GaussSeidel", "solver.order=Alternating", "friction.model=Coulomb"],
    &["solver.method=GaussSeidel", "solver.order=Backward", "friction.model=Pyramid", "solver.rows=Scalar"],
    &["solver.method=Jacobi", "solver.jacobi=MassSplitting"],
    &["solver.method=Jacobi", "solver.jacobi=MassSplitting", "stabilization.method=Split", "solver.rows=Scalar"],
    &["solver.method=Jacobi", "solver.jacobi=Stable", "formulation.patch=Ellipsoid"],
    // A step that is stable for bodies of many joints, too; with 0.5 a differential's rounding doubles in each sweep.
    &[
        "solver.method=Jacobi",
        "solver.jacobi=Manual",
        "solver.relaxation=0.25",
        "friction.twist=false",
        "stabilization.contacts=Soft",
    ],
    // Whole trees, and single joints; steps that end with the joints closed.
    &["solver.method=GaussSeidel", "solver.rows=Tree", "stabilization.method=Rattle"],
    &["solver.method=GaussSeidel", "solver.rows=Joint", "solver.order=Alternating", "stabilization.method=Split"],
    &["solver.method=GaussSeidel", "solver.rows=Tree", "solver.order=Coloured"],
    &["solver.method=GaussSeidel", "solver.rows=Block", "stabilization.method=Shake"],
    // All rows at once.
    &["solver.method=Jacobi", "solver.jacobi=MassSplitting", "solver.rows=Joint"],
    &["solver.method=Jacobi", "solver.jacobi=Stable", "solver.rows=Tree", "stabilization.method=Split"],
    &["solver.method=Jacobi", "solver.jacobi=MassSplitting", "solver.rows=Tree", "stabilization.method=Rattle"],
    // Small steps: friction is left to the processor's relaxing sweeps.
    &["step.substeps=2", "contact.collide=EachStep", "stabilization.contacts=Soft", "friction.deferred=true"],
];

fn assign(world: &mut World, assignments: &[&str]) {
    assignments.iter().for_each(|assignment| world.settings.assign(assignment).expect("a valid assignment"));
}

fn sweeper(device: &Arc<Device>) -> LaneSweeper {
    LaneSweeper::new(device).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The difference of two copies of a world after `steps` steps, one of them swept on the device, relative to the
/// largest velocity, m/s or rad/s; or why the device does not sweep it.
fn apart(sweeper: LaneSweeper, mut world: World, steps: u32) -> Result<f32, String> {
    let mut other = world.clone();
    // The processor's rows are kept in lists, too.
    (world.pipeline.executor.keep_rows, world.pipeline.executor.readouts, other.pipeline.executor.readouts) =
        (true, false, false);
    other.pipeline.executor.remote_sweeps.sweeper = Some(Box::new(sweeper));
    for _ in 0..steps {
        world.step();
        other.step();
        if let Some(why) = &other.pipeline.executor.remote_sweeps.why {
            return Err(format!("{why:?}"));
        }
    }
    // A step that is swept again after its joints were closed counts twice.
    assert!(other.pipeline.executor.remote_sweeps.swept >= u64::from(steps * world.settings.step.substeps));
    let fall = world.settings.step.gravity.length() * world.settings.h();
    let (mut by, mut of) = ([0.0f32; 2], [fall.max(1e-3); 2]);
    for (own, other) in world.state.velocities.iter().zip(&other.state.velocities) {
        for (slot, (own, other)) in [(own.linear, other.linear), (own.angular, other.angular)].into_iter().enumerate() {
            assert!(other.is_finite() || !own.is_finite());
            by[slot] = by[slot].max((own - other).length());
            of[slot] = of[slot].max(own.length());
        }
    }
    let closed = rounding(&world);
    Ok(((by[0] - closed[0]).max(0.0) / of[0]).max((by[1] - closed[1]).max(0.0) / of[1]))
}

/// The velocities caused by rounding errors in a step that closes its joints, m/s and rad/s: positions have errors of
/// 2⁻²⁴ of their distance from the origin, times about eight, corrected within the step, with lever arms of 5 cm.
/// Zero for other steps.
fn rounding(world: &World) -> [f32; 2] {
    if !matches!(world.settings.stabilization.method, Stabilization::Shake | Stabilization::Rattle) {
        return [0.0; 2];
    }
    let moving = world.state.bodies.iter().filter(|body| body.is_dynamic());
    let far = moving.map(|body| body.position.length()).fold(1.0, f32::max);
    let speed = 8.0 * far * 0.5f32.powi(24) / world.settings.h();
    [speed, speed / 0.05]
}

/// The ordinary scenes with up to `most` bodies, each with its name.
fn scenes(most: usize) -> Vec<(String, World)> {
    let folder = scenes_folder();
    let load = |path: &std::path::Path| {
        let loaded = read(path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let name = path.strip_prefix(&folder).unwrap_or(path).with_extension("").display().to_string();
        (name, loaded.flat.world(loaded.scene.settings.settings()))
    };
    ordinary(&folder)
        .par_iter()
        .map(|entry| load(&entry.path))
        .filter(|(_, world)| world.state.bodies.len() <= most)
        .collect()
}

/// One step of every small scene, after it has run for a while, with all sweeps.
#[test]
fn every_scene_of_the_library() {
    let Some(device) = device() else { return };
    let found: Vec<(String, Result<f32, String>)> = scenes(60)
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, (name, world))| {
            let mut world = world.clone();
            assign(&mut world, &COMMON);
            (0..30).for_each(|_| world.step());
            let device = &device;
            // Each scene has every other case, the next scene the others.
            CASES.into_iter().skip(number % 2).step_by(2).map(move |case| {
                let mut world = world.clone();
                assign(&mut world, case);
                (format!("{name} with {case:?}"), apart(sweeper(device), world, 1))
            })
        })
        .collect();
    let refused: BTreeSet<&String> = found.iter().filter_map(|(_, found)| found.as_ref().err()).collect();
    println!("{} steps, refused: {refused:?}", found.len());
    let mut worst: Vec<(&String, f32)> =
        found.iter().filter_map(|(name, found)| Some((name, *found.as_ref().ok()?))).collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    worst.iter().take(10).for_each(|(name, apart)| println!("{apart:e} {name}"));
    assert!(worst.len() > 375, "{} were swept", worst.len());
    let wrong: Vec<_> = worst.iter().filter(|(_, apart)| *apart > 1e-5).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every kind of joint with its defaults, between a held and a moving body, with a third one attached.
#[test]
fn every_kind_of_joint() {
    let Some(device) = device() else { return };
    let kinds = JointKind::all();
    assert_eq!(kinds.len(), 26, "and the hand, which is none of them");
    for kind in kinds {
        for case in CASES {
            let mut builder = Builder::new(&COMMON);
            builder.chains(2, 3, |_| 1.0);
            builder.world.state.joints.iter_mut().for_each(|joint| joint.def.kind = kind);
            builder.world.refresh_joints();
            builder.stir(1.0);
            assign(&mut builder.world, case);
            let found = apart(sweeper(&device), builder.world, 1);
            // The world bears a share of a pulley's rows.
            if matches!(kind, JointKind::Pulley(_)) {
                assert!(found.as_ref().is_err_and(|why| why.contains("Borne")), "{case:?}: {found:?}");
                continue;
            }
            // With split impulses, and in what RATTLE leaves to them, a drive is corrected together with its joint, in 64
            // bits, which only the processor does.
            let held = matches!(&found, Err(why) if why.contains("MotorTargets"));
            if held && ["Split", "Rattle"].iter().any(|by| case.contains(&&*format!("stabilization.method={by}"))) {
                continue;
            }
            assert!(found.as_ref().is_ok_and(|apart| *apart <= 1e-5), "{kind:?}, {case:?}: {found:?}");
        }
    }
}

/// Chains of ball-sockets: 20,000 rows of one kind, and one block more than lanes.
#[test]
fn many_rows_of_one_shape() {
    let Some(device) = device() else { return };
    for (chains, beads) in [(200, 34), (1, 66)] {
        for case in [CASES[0], CASES[4]] {
            let mut builder = Builder::new(&of_scheme(delassus_gpu::Scheme::Coloured, &[]));
            builder.chains(chains, beads, |bead| if bead % 2 == 0 { 1.0 } else { 1000.0 });
            builder.stir(1.0);
            assign(&mut builder.world, case);
            let found = apart(sweeper(&device), builder.world, 1).expect("it is swept");
            assert!(found <= 1e-5, "{chains} chains of {beads}, {case:?}: {found}");
        }
    }
}

/// Boxes that fall on a floor with a scene's default settings: the device cannot step them but makes their sweeps,
/// with the same result; if the settings ask for the processor, it stops doing so.
#[test]
fn a_world_that_the_device_cannot_step_is_lent_its_sweeps() {
    let Some(device) = device() else { return };
    let load = |(name, world): (String, World)| (name == "rows/10-friction-patch").then_some(world);
    let Some(mut here) = scenes(60).into_iter().find_map(load) else { panic!("a scene of contacts") };
    assert!(here.state.joints.is_empty(), "its joints would be closed by the step");
    here.pipeline.executor.keep_rows = true;
    let mut away = here.clone();
    away.pipeline.executor.keep_rows = false;
    away.settings.assign("solver.device=Gpu").expect("a setting");
    away.pipeline.executor.device = Some(Arc::new(Stepper::new(move || Ok(device.clone()))));
    for _ in 0..60 {
        away.step();
        here.step();
        assert!(away.pipeline.executor.remote_sweeps.is_swept(), "{:?}", away.pipeline.executor.remote_sweeps.why);
        assert!(away.device_refusal().is_none() && away.device_world().is_none(), "{:?}", away.device_refusal());
    }
    assert_eq!(away.pipeline.executor.remote_sweeps.swept, 60 * u64::from(here.settings.step.substeps));
    for (own, other) in here.state.bodies.iter().zip(&*away.state.bodies) {
        assert!((own.position - other.position).length() <= 1e-3, "{} and {}", own.position, other.position);
    }
    away.settings.assign("solver.device=Cpu").expect("a setting");
    away.step();
    assert!(!away.pipeline.executor.remote_sweeps.is_swept());
    // What neither can do on the device is done by the processor.
    away.settings.assign("solver.method=Direct").expect("a setting");
    away.settings.assign("solver.device=Gpu").expect("a setting");
    away.step();
    assert!(away.device_refusal().is_some_and(|why| why.words().contains("no direct solver")));
}

/// If the device is lost between two steps, the processor makes the sweeps, identical to the bit, and reports it.
#[test]
fn a_lost_device_leaves_the_sweeps_to_the_processor() {
    if device().is_none() {
        return;
    }
    let own = Arc::new(Device::open().expect("a device of its own"));
    let mut builder = Builder::new(&of_scheme(delassus_gpu::Scheme::Coloured, &[]));
    builder.chains(2, 10, |_| 1.0);
    let mut world = builder.world;
    world.pipeline.executor.remote_sweeps.sweeper = Some(Box::new(sweeper(&own)));
    world.step();
    assert!(world.pipeline.executor.remote_sweeps.is_swept());
    let mut here = world.clone();
    here.pipeline.executor.keep_rows = true;
    own.device.destroy();
    world.step();
    here.step();
    assert_eq!(world.hash(), here.hash());
    let why = world.pipeline.executor.remote_sweeps.why.clone();
    assert!(
        matches!(&why, Some(SweepRefusal::Failed(error)) if error.to_string().starts_with("The graphics device")),
        "{why:?}"
    );
}

/// Mechanisms that do not amplify rounding errors: a hinge, its stops, a motor, soft rows, a tower at rest. Ten steps
/// and six hundred, relative to the largest velocity.
#[test]
fn ten_steps_and_six_hundred() {
    let Some(device) = device() else { return };
    const CALM: [&str; 5] = [
        "rows/04-hinge",
        "rows/05-hinge-limit",
        "rows/09-angular-motor",
        "rows/12-tower-warm-starting",
        "rows/25-soft-rows",
    ];
    let calm: Vec<_> = scenes(60).into_iter().filter(|(name, _)| CALM.contains(&name.as_str())).collect();
    assert_eq!(calm.len(), CALM.len());
    let found: Vec<(String, [Result<f32, String>; 2])> = calm
        .par_iter()
        .map(|(name, world)| {
            let mut world = world.clone();
            assign(&mut world, &COMMON);
            assign(&mut world, CASES[0]);
            let after = |steps| apart(sweeper(&device), world.clone(), steps);
            (name.clone(), [after(10), after(600)])
        })
        .collect();
    found.iter().for_each(|(name, found)| println!("{name}: {found:?}"));
    for (name, [ten, far]) in found {
        assert!(ten.as_ref().is_ok_and(|apart| *apart <= 1e-3), "{name}: {ten:?}");
        assert!(far.as_ref().is_ok_and(|apart| *apart <= 1e-2), "{name}: {far:?}");
    }
}
