//! A step allocates nothing temporary: its lists are kept from step to step, and grow when a step needs more elements
//! than any step before. So no step frees memory, and a step that needs no more than earlier ones allocates none. The
//! counts are those of the whole program, so these tests run one after the other, in a program without other threads.
//!
//! Nor does an edit copy what it does not change: `edits.rs`.

mod edits;

use std::alloc::System;
use std::process::ExitCode;

use delassus_physics::settings::Method;
use delassus_physics::world::World;
use delassus_scene::{library, library::scenes_folder, read};
use edits::{
    a_copy_is_counted_once_an_element, a_drag_in_the_inspector_copies_neither_scene_nor_world,
    a_tick_of_a_slider_copies_nothing_of_the_scene,
};
use libtest_mimic::{Arguments, Trial};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

macro_rules! tests {
    ($($name:ident)*) => {
        fn main() -> ExitCode {
            let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
            let tests = vec![$(Trial::test(stringify!($name), || { $name(); Ok(()) })),*];
            libtest_mimic::run(&arguments, tests).exit_code()
        }
    };
}
tests! {
    the_counter_counts
    no_scene_frees_anything
    a_chain_allocates_nothing
    trees_of_joints_allocate_nothing
    shake_and_rattle_allocate_nothing
    other_solvers_allocate_nothing
    a_whip_above_what_bounces_allocates_nothing
    batches_allocate_nothing
    threads_allocate_nothing_but_their_queue
    a_stack_allocates_nothing
    compounds_allocate_nothing
    a_pyramid_allocates_nothing
    orders_allocate_nothing
    contact_sources_allocate_nothing
    continuous_collision_allocates_nothing
    the_default_allocates_nothing
    joints_that_are_read_and_break_allocate_nothing
    formulas_allocate_nothing
    heaps_of_cylinders_and_hulls_allocate_nothing
    a_ball_inside_a_hull_allocates_nothing
    a_copy_is_counted_once_an_element
    a_tick_of_a_slider_copies_nothing_of_the_scene
    a_drag_in_the_inspector_copies_neither_scene_nor_world
}

/// The allocator's statistics during `run`.
fn counted(run: impl FnOnce()) -> Stats {
    let region = Region::new(COUNTED);
    run();
    region.change()
}

/// The number of allocations and reallocations during `run`.
fn measure(run: impl FnOnce()) -> usize {
    let stats = counted(run);
    stats.allocations + stats.reallocations
}

fn the_counter_counts() {
    let stats = counted(|| {
        let mut list = std::hint::black_box(vec![1u64]);
        list.reserve_exact(100);
        drop(std::hint::black_box(list));
    });
    assert_eq!((stats.allocations, stats.reallocations, stats.deallocations), (1, 1, 1));
}

fn world(scene: &str) -> World {
    let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut settings = loaded.scene.settings.settings();
    settings.solver.threads = 1;
    loaded.flat.world(settings)
}

/// Runs `warm` steps, then counts the allocations of `counted` more.
fn allocations(scene: &str, warm: u32, counted: u32) -> usize {
    allocations_with(scene, &[], warm, counted)
}

/// The same with other settings.
fn allocations_with(scene: &str, assignments: &[&str], warm: u32, counted: u32) -> usize {
    let mut world = world(scene);
    assignments.iter().for_each(|a| world.settings.assign(a).unwrap());
    (0..warm).for_each(|_| world.step());
    measure(|| (0..counted).for_each(|_| world.step()))
}

/// Every scene of the library, and those of up to 50 bodies with the direct solver, too.
fn no_scene_frees_anything() {
    let mut runs = 0;
    for entry in library::ordinary(&scenes_folder()) {
        let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let bodies = loaded.flat.bodies.len();
        let methods: &[_] = if bodies > 50 { &[None] } else { &[None, Some(Method::Direct)] };
        for method in methods {
            let mut settings = loaded.scene.settings.settings();
            settings.solver.method = method.unwrap_or(settings.solver.method);
            settings.solver.threads = 1;
            let mut world = loaded.flat.world(settings);
            // The first step sorts added bodies and joints.
            world.step();
            let steps = match bodies {
                0..=100 => 300,
                101..=1_000 => 120,
                1_001..=20_000 => 10,
                _ => 2,
            };
            let freed = (0..steps).find(|_| counted(|| world.step()).deallocations > 0);
            assert_eq!(freed, None, "{}, {:?}: the step that freed something", entry.id, settings.solver.method);
            runs += 1;
        }
    }
    assert!(runs > 50, "the library was not found");
}

fn a_chain_allocates_nothing() {
    assert_eq!(allocations("jacobi/01-chain-40", 60, 240), 0);
}

fn trees_of_joints_allocate_nothing() {
    for rows in ["solver.rows=Joint", "solver.rows=Tree"] {
        for scene in ["jacobi/01-chain-40", "lab/12-watt", "lab/10-four-bar"] {
            assert_eq!(allocations_with(scene, &[rows], 120, 120), 0, "{scene}, {rows}");
        }
    }
}

fn shake_and_rattle_allocate_nothing() {
    for method in ["stabilization.method=Shake", "stabilization.method=Rattle"] {
        for solver in ["solver.rows=Tree", "solver.method=Direct", "solver.method=Jacobi"] {
            for scene in ["jacobi/01-chain-40", "lab/12-watt", "lab/09-slider-crank"] {
                let counted = allocations_with(scene, &[method, solver], 120, 120);
                assert_eq!(counted, 0, "{scene}, {method}, {solver}");
            }
        }
    }
}

/// Solvers that are no plain sweep, on joints and on a stack.
fn other_solvers_allocate_nothing() {
    for solver in ["solver.method=Nncg", "solver.method=TgsSoft", "solver.method=Avbd", "solver.method=Admm"] {
        for scene in ["lab/09-slider-crank", "book/12-stack"] {
            let counted = allocations_with(scene, &[solver], 60, 60);
            assert_eq!(counted, 0, "{scene}, {solver}");
        }
    }
}

/// Three bars that spin fast in the air while balls and boxes bounce below: trial steps are made and repeated in
/// smaller parts, with contacts that come and go.
fn a_whip_above_what_bounces_allocates_nothing() {
    let mut bodies = String::from(
        "(name: \"floor\", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static, restitution: 1),",
    );
    for (i, name) in ["first", "second", "third"].iter().enumerate() {
        let at = format!("({}, 0, 8)", 0.5 + i as f32);
        bodies += &format!("(name: \"{name}\", shape: Box(half: (0.5, 0.02, 0.02)), at: {at}, mass: 1),");
    }
    for i in 0..24 {
        let shape = ["Box(half: (0.2, 0.2, 0.2))", "Sphere(radius: 0.2)"][i % 2];
        let (x, y, z) = (0.7 * (i % 6) as f32, 0.7 * (i / 6) as f32, 1.0 + 0.1 * (i % 5) as f32);
        bodies += &format!("(name: \"{i}\", shape: {shape}, at: ({x}, {y}, {z}), restitution: 1),");
    }
    let text = format!(
        "(version: 1, title: \"t\", settings: (preset: SingleStep), bodies: [{bodies}], joints: [\
         (name: \"shoulder\", b: \"first\", anchor: (0, 0, 8), kind: BallSocket), \
         (name: \"elbow\", a: \"first\", b: \"second\", anchor: (1, 0, 8), kind: BallSocket), \
         (name: \"wrist\", a: \"second\", b: \"third\", anchor: (2, 0, 8), kind: BallSocket)])"
    );
    let loaded = delassus_scene::read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    // The first division of a step may come before or during the count.
    for bound in ["step.max_turn=0.12", "step.max_turn=9"] {
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        world.settings.assign(bound).unwrap();
        (0..1800).for_each(|_| world.step());
        world.settings.step.max_turn = 0.12;
        let (mut divided, mut pairs) = (0, Vec::with_capacity(600));
        let stats = counted(|| {
            for _ in 0..600 {
                world.step();
                divided += usize::from(world.report.parts > 1);
                pairs.push(world.state.contacts.pairs.len());
            }
        });
        assert!(divided > 30, "{bound}: {divided} steps in parts");
        let range = (pairs.iter().min(), pairs.iter().max());
        assert!(range.0 < range.1 && range.1 > Some(&8), "{bound}: {range:?} pairs, of which some are to come and go");
        // A list may grow when more contacts coincide than ever before.
        assert_eq!((stats.allocations, stats.deallocations), (0, 0), "{bound}");
    }
}

/// Chains in batches of one island each.
fn in_batches(threads: u32, assignments: &[&str]) -> World {
    let mut world = world("jacobi/02-chains-25");
    assignments.iter().for_each(|a| world.settings.assign(a).unwrap());
    (world.settings.contact.enabled, world.pipeline.executor.batch_size, world.settings.solver.threads) =
        (false, 1, threads);
    // Each worker must have processed each batch.
    (0..60).for_each(|_| world.step());
    assert!(world.system.rows.is_empty() && world.report.row_count > 0, "not in batches");
    world
}

fn batches_allocate_nothing() {
    for assignments in
        [["solver.method=GaussSeidel", "solver.rows=Tree"], ["solver.rows=Tree", "stabilization.method=Rattle"]]
    {
        for lanes in ["solver.lanes=true", "solver.lanes=false"] {
            let mut world = in_batches(1, &[&assignments[..], &[lanes]].concat());
            assert_eq!(measure(|| (0..120).for_each(|_| world.step())), 0, "{assignments:?}, {lanes}");
        }
    }
}

/// rayon passes a step to its threads through a queue that is allocated in blocks of 63.
fn threads_allocate_nothing_but_their_queue() {
    let mut world = in_batches(2, &["solver.method=GaussSeidel"]);
    let steps = 630;
    let asked = measure(|| (0..steps).for_each(|_| world.step()));
    assert!(asked <= steps / 63 + 1, "{asked}");
}

fn a_stack_allocates_nothing() {
    assert_eq!(allocations("book/12-stack", 240, 240), 0);
}

/// A table, a cup with a ball, a hook and a hammer. After ten seconds: within the first eight, lists are made for the
/// first time.
fn compounds_allocate_nothing() {
    assert_eq!(allocations("machines/07-compounds", 600, 240), 0);
    let sources = ["contact.source=Growing", "contact.source=Single", "contact.continuous=TimeOfImpact"];
    for source in sources {
        assert_eq!(allocations_with("machines/07-compounds", &[source], 600, 240), 0, "{source}");
    }
}

/// After ten seconds: while it settles, a search is used for the first time and makes its lists.
fn a_pyramid_allocates_nothing() {
    assert_eq!(allocations("lab/02-pyramid-20", 600, 120), 0);
    let small =
        ["stabilization.contacts=Soft", "step.substeps=4", "contact.collide=EachStep", "friction.deferred=true"];
    assert_eq!(allocations_with("lab/02-pyramid-20", &small, 600, 120), 0);
    let listed = [&small[..], &["solver.lanes=false"]].concat();
    assert_eq!(allocations_with("lab/02-pyramid-20", &listed, 600, 120), 0);
}

fn orders_allocate_nothing() {
    for order in ["Forward", "Backward", "Alternating", "Shuffled", "Coloured"] {
        for lanes in [true, false] {
            let settings = [format!("solver.order={order}"), format!("solver.lanes={lanes}")];
            let counted = allocations_with("book/12-stack", &settings.each_ref().map(String::as_str), 240, 60);
            assert_eq!(counted, 0, "{order}, lanes: {lanes}");
        }
    }
}

fn contact_sources_allocate_nothing() {
    for source in ["Growing", "Single"] {
        let source = format!("contact.source={source}");
        assert_eq!(allocations_with("book/12-stack", &[&source], 240, 240), 0, "{source}");
    }
}

/// Bullets in a box of thin walls, stopped by the time of impact many times a second.
fn continuous_collision_allocates_nothing() {
    let wall = |name: &str, half: &str, at: &str| {
        format!("(name: \"{name}\", shape: Box(half: {half}), at: {at}, motion: Static, restitution: 1),")
    };
    let bullet = |name: &str, at: &str, v: &str| {
        format!(
            "(name: \"{name}\", shape: Box(half: (0.05, 0.05, 0.05)), at: {at}, velocity: {v}, restitution: 1, \
             particle: true),"
        )
    };
    let bodies = [
        wall("e", "(0.01, 2, 2)", "(2, 0, 0)"),
        wall("w", "(0.01, 2, 2)", "(-2, 0, 0)"),
        wall("n", "(2, 0.01, 2)", "(0, 2, 0)"),
        wall("s", "(2, 0.01, 2)", "(0, -2, 0)"),
        wall("t", "(2, 2, 0.01)", "(0, 0, 2)"),
        wall("b", "(2, 2, 0.01)", "(0, 0, -2)"),
        bullet("one", "(1, 0.2, 0)", "(80, 50, 30)"),
        bullet("two", "(-1, 0, 0.3)", "(80, -60, 40)"),
    ];
    let text = format!(
        "(version: 1, title: \"t\", settings: (preset: SingleStep, step: (gravity: (0, 0, 0)), friction: (model: Off), \
         contact: (continuous: TimeOfImpact, mix: Product)), bodies: [{}])",
        bodies.concat()
    );
    let loaded = delassus_scene::read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    // The tree and the polytopes grow at the first unusual contacts.
    (0..900).for_each(|_| world.step());
    let mut stops = 0;
    let count = measure(|| {
        for _ in 0..300 {
            world.step();
            stops += usize::from(!world.report.toi_fractions.is_empty());
        }
    });
    assert!(stops > 30, "{stops} stops");
    assert_eq!(count, 0);
}

/// A heap and an arm with motors at the default settings, awake.
fn the_default_allocates_nothing() {
    let mut bodies =
        String::from("(name: \"floor\", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),");
    for i in 0..24 {
        let shape =
            ["Box(half: (0.2, 0.2, 0.2))", "Sphere(radius: 0.2)", "Capsule(radius: 0.1, half_length: 0.2)"][i % 3];
        let (x, y, z) = (0.3 * (i % 4) as f32, 0.3 * (i / 4 % 3) as f32, 0.5 + 0.5 * (i / 4) as f32);
        bodies += &format!("(name: \"{i}\", shape: {shape}, at: ({x}, {y}, {z})),");
    }
    bodies += "(name: \"upper\", shape: Box(half: (0.4, 0.05, 0.05)), at: (3.4, 0, 1), mass: 3),";
    bodies += "(name: \"fore\", shape: Box(half: (0.3, 0.05, 0.05)), at: (4.1, 0, 1), mass: 2),";
    let text = format!(
        "(version: 1, title: \"t\", settings: (sleep: (enabled: false)), bodies: [{bodies}], joints: [\
         (name: \"shoulder\", b: \"upper\", anchor: (3, 0, 1), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0, max_torque: 90))), \
         (name: \"elbow\", a: \"upper\", b: \"fore\", anchor: (3.8, 0, 1), axis: (0, 1, 0), kind: Hinge(motor: (speed: 1, max_torque: 9)))])"
    );
    let loaded = delassus_scene::read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    (0..600).for_each(|_| world.step());
    assert_eq!(measure(|| (0..240).for_each(|_| world.step())), 0);
    assert!(world.contact_points().count() > 40, "the heap touches");
}

/// Readouts of limits, motors and springs, and checks for joints that break, including broken ones.
fn joints_that_are_read_and_break_allocate_nothing() {
    for scene in ["rows/20-breakable", "rows/05-hinge-limit", "rows/17-cone-twist", "rows/14-sprung-joints"] {
        assert_eq!(allocations(scene, 300, 120), 0, "{scene}");
    }
}

/// Rows that are written down, under every method.
fn formulas_allocate_nothing() {
    for method in ["solver.method=Direct", "solver.rows=Mechanism", "solver.rows=Scalar"] {
        assert_eq!(allocations_with("machines/12-your-own-constraint", &[method], 120, 120), 0, "{method}");
    }
}

/// Cylinders, hulls, boxes and capsules fall into a heap.
fn heaps_of_cylinders_and_hulls_allocate_nothing() {
    let tent = "Hull(points: [(-0.5, -0.4, -0.3), (0.5, -0.4, -0.3), (0, 0.6, -0.3), (0.1, 0, 0.5)])";
    let shapes = [
        "Cylinder(radius: 0.3, half_length: 0.2)",
        tent,
        "Box(half: (0.3, 0.2, 0.4))",
        "Capsule(radius: 0.2, half_length: 0.3)",
        "Cylinder(radius: 0.15, half_length: 0.5)",
    ];
    let mut bodies = String::from(
        "(name: \"floor\", shape: Cylinder(radius: 4, half_length: 0.5), at: (0, 0, -0.5), motion: Static),",
    );
    for (i, shape) in shapes.iter().cycle().take(20).enumerate() {
        let at = format!("({}, {}, {})", 0.3 * (i % 3) as f32, 0.2 * (i % 2) as f32, 0.6 + 0.5 * i as f32);
        bodies += &format!("(name: \"{i}\", shape: {shape}, at: {at}),");
    }
    for source in ["Full", "Growing", "Single"] {
        let text = format!("(version: 1, title: \"t\", settings: (preset: SingleStep), bodies: [{bodies}])");
        let loaded = delassus_scene::read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        world.settings.assign(&format!("contact.source={source}")).unwrap();
        (0..600).for_each(|_| world.step());
        let count = measure(|| (0..120).for_each(|_| world.step()));
        assert_eq!(count, 0, "{source}");
        assert!(world.contact_points().any(|p| p.depth > 0.0), "{source}: nothing overlaps");
    }
}

/// A ball deep in a hull, on its way out.
fn a_ball_inside_a_hull_allocates_nothing() {
    let corner = |i: i32| format!("({}, {}, {}),", 10 * (i & 1) - 5, 5 * (i & 2) - 5, (5 * (i & 4) / 2) - 5);
    let corners: String = (0..8).map(corner).collect();
    for source in ["Full", "Growing", "Single"] {
        let text = format!(
            "(version: 1, title: \"t\", settings: (preset: SingleStep), bodies: [\
             (name: \"hull\", shape: Hull(points: [{corners}]), motion: Static), \
             (name: \"ball\", shape: Sphere(radius: 0.1), at: (0.5, 0.2, 3))])"
        );
        let loaded = delassus_scene::read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        world.settings.assign(&format!("contact.source={source}")).unwrap();
        (0..10).for_each(|_| world.step());
        let count = measure(|| (0..5).for_each(|_| world.step()));
        assert_eq!(count, 0, "{source}");
        // The depth is the distance to the top face, z = 5, plus the radius.
        let z = world.state.bodies.iter().find(|b| b.is_dynamic()).expect("the ball").position.z;
        let depth = world.contact_points().map(|p| p.depth).fold(0.0, f32::max);
        assert!((3.0..4.9).contains(&z) && (depth - (5.1 - z)).abs() < 0.1, "{source}: depth {depth} at z = {z}");
    }
}
