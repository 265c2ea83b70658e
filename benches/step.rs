//! How long a step takes, and in which phase: `cargo bench`. One thread.
//!
//! Every case starts from a warmed-up state and returns to it every 240 steps, so that a longer measurement does not
//! measure a later state.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use delassus::physics::metrics::Phases;
use delassus::physics::settings::{Method, Stabilization};
use delassus::physics::world::World;
use delassus::scene::{Pattern, Scene, expand, library, read};

/// A case: its name, the scene, the steps before measuring, and the changes to the scene.
struct Case {
    name: &'static str,
    scene: &'static str,
    warm: u32,
    change: fn(&mut Scene),
}

const CASES: &[Case] = &[
    Case { name: "chain of 40", scene: "jacobi/01-chain-40", warm: 240, change: gauss_seidel },
    Case { name: "250 chains of 40", scene: "jacobi/03-chains-2500", warm: 120, change: tenth },
    Case { name: "2500 chains of 40", scene: "jacobi/03-chains-2500", warm: 20, change: gauss_seidel },
    Case { name: "stack of 10", scene: "lab/01-stack-10", warm: 240, change: |_| {} },
    Case { name: "pyramid of base 20", scene: "lab/02-pyramid-20", warm: 240, change: |_| {} },
    Case { name: "50 ragdolls", scene: "lab/04-ragdolls-50", warm: 240, change: |_| {} },
];

fn gauss_seidel(scene: &mut Scene) {
    let settings = &mut scene.settings;
    settings.solver.method = Some(Method::GaussSeidel);
    (settings.warm_start.enabled, settings.stabilization.method) = (Some(true), Some(Stabilization::Split));
}

/// 250 of the 2,500 chains.
fn tenth(scene: &mut Scene) {
    gauss_seidel(scene);
    for index in 0..scene.patterns.len() {
        if let Some(Pattern::Grid(grid)) = scene.patterns.get_mut(index) {
            grid.count.2 /= 10;
        }
    }
}

/// The number of steps between two returns to the warmed-up state.
const STRETCH: u64 = 240;

fn world(case: &Case) -> World {
    let mut loaded = read(&library::find(case.scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    (case.change)(&mut loaded.scene);
    let flat = expand(&loaded.scene, &loaded.base).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    flat.world(loaded.scene.settings.settings())
}

fn warmed(case: &Case) -> World {
    let mut world = world(case);
    (0..case.warm).for_each(|_| world.step());
    world
}

/// The time of `count` steps from the warmed-up state; `seen` is called with the world after each.
fn time(warmed: &World, count: u64, mut seen: impl FnMut(&World)) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = count;
    while left > 0 {
        let mut world = warmed.clone();
        // The buffers of a copy have to grow once.
        world.step();
        let stretch = left.min(STRETCH);
        let begin = Instant::now();
        for _ in 0..stretch {
            world.step();
            seen(&world);
        }
        total += begin.elapsed();
        left -= stretch;
        black_box(world.hash());
    }
    total
}

/// Mean milliseconds of each phase.
fn phases(case: &Case, world: &World) {
    let count = if world.state.bodies.len() > 20_000 { 10 } else { STRETCH };
    let mut sum = Phases::default();
    let total = time(world, count, |world| {
        sum.broad += world.report.phases.broad;
        sum.narrow += world.report.phases.narrow;
        sum.prepare += world.report.phases.prepare;
        sum.solve += world.report.phases.solve;
        sum.integrate += world.report.phases.integrate;
    });
    let ms = |d: Duration| d.as_secs_f64() * 1e3 / count as f64;
    println!(
        "{:20} {:6} {:7} {:8.3} {:8.3} {:8.3} {:8.3} {:9.3} {:9.3}",
        case.name,
        world.state.bodies.len() - 1,
        world.system.rows.len(),
        ms(sum.broad),
        ms(sum.narrow),
        ms(sum.prepare),
        ms(sum.solve),
        ms(sum.integrate),
        ms(total),
    );
}

fn main() {
    // `cargo test --benches` omits this word and only checks that it builds.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let worlds: Vec<World> = CASES.iter().map(warmed).collect();
    println!("ms a step               bodies    rows    broad   narrow  prepare    solve integrate     whole");
    for (case, world) in CASES.iter().zip(&worlds) {
        phases(case, world);
    }
    println!();
    let mut criterion = Criterion::default().configure_from_args();
    for (case, world) in CASES.iter().zip(&worlds) {
        if world.state.bodies.len() > 20_000 {
            // A hundred samples of this case would take minutes.
            let mut group = criterion.benchmark_group("load and step");
            group.sample_size(10);
            group.bench_function(format!("load {}", case.name), |b| b.iter(|| self::world(case)));
            group.bench_function(format!("step {}", case.name), |b| b.iter_custom(|n| time(world, n, |_| {})));
        } else {
            let name = format!("step {}", case.name);
            criterion.bench_function(&name, |b| b.iter_custom(|n| time(world, n, |_| {})));
        }
    }
    criterion.final_summary();
}
