//! The laboratory: what it shows of a step is what the step does, and its numbers agree with the formulas.

mod balance;
mod impacts;
mod inside;
mod load;
mod structure;

use delassus_lab::{BoundState, Matrix, TracedStep, by_kind, compare};
use delassus_physics::row::{ContactPart, RowId};
use delassus_physics::settings::Settings;
use delassus_physics::spectrum::{self, SWEEPS};
use delassus_physics::trace::{Depth, StepStage};
use delassus_physics::world::World;
use delassus_scene::{library, library::scenes_folder, read, read_str};
use glam::DVec3;

fn world(scene: &str, assignments: &[&str]) -> World {
    let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut settings = loaded.scene.settings.settings();
    assignments.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
    loaded.flat.world(settings)
}

fn run(world: &mut World, steps: u32) {
    (0..steps).for_each(|_| world.step());
}

/// The copy that is traced ends exactly as the world itself does, bit for bit, with every solver, and the last state
/// of the trace has the impulses that the rows end with.
#[test]
fn a_look_is_the_step_that_comes() {
    let ways: [&[&str]; 8] = [
        &[],
        &["solver.method=GaussSeidel", "solver.order=Coloured"],
        &["solver.method=GaussSeidel", "solver.rows=Tree"],
        &["solver.method=GaussSeidel", "solver.tolerance=1e-4"],
        &["solver.method=Jacobi", "solver.jacobi=MassSplitting"],
        &["solver.method=Jacobi", "solver.jacobi=Conjugate"],
        &["solver.method=Direct"],
        &["stabilization.method=Rattle"],
    ];
    let mut scenes = 0;
    for entry in library::ordinary(&scenes_folder()) {
        let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        if loaded.flat.bodies.len() > 300 {
            continue;
        }
        scenes += 1;
        // Each scene with its own settings and with one of the other combinations, in turn.
        for way in [ways[0], ways[1 + scenes % (ways.len() - 1)]] {
            let mut settings = loaded.scene.settings.settings();
            way.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
            let mut world = loaded.flat.world(settings);
            for _ in 0..4 {
                run(&mut world, 7);
                let before = world.hash();
                let traced = TracedStep::of(&world, Depth::Sweeps).unwrap_or_else(|| panic!("{}: no step", entry.id));
                assert_eq!(world.hash(), before, "{}: looking changes nothing", entry.id);
                world.step();
                assert_eq!(traced.after.hash(), world.hash(), "{}, {way:?}, step {}", entry.id, traced.step);
                assert_eq!(traced.step, world.state.step_count);
                let last = &traced.trace.moments[traced.last()];
                assert_eq!(last.stage, StepStage::Solved, "{}", entry.id);
                let impulses: Vec<f32> = traced.rows.iter().map(|row| row.impulse).collect();
                assert_eq!(last.impulses, impulses, "{}", entry.id);
            }
        }
    }
    assert!(scenes > 60, "{scenes}");
}

/// A cell is the change of row i's speed for an impulse of 1 in row j: M⁻¹ Jᵀ from the bodies' own masses and
/// inertias, then J, computed in 64 bits.
#[test]
fn a_cell_is_what_an_impulse_in_one_row_does_to_another() {
    for scene in ["book/12-stack", "lab/12-watt", "rows/17-cone-twist", "lab/17-car"] {
        let mut world = world(scene, &[]);
        run(&mut world, 40);
        let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
        let matrix = Matrix::of(&traced, None).expect("rows that hold");
        assert!(matrix.size() > 5, "{scene}: {}", matrix.size());
        for (column, index) in matrix.rows.iter().enumerate() {
            let q = &traced.rows[*index];
            let mut change = vec![(DVec3::ZERO, DVec3::ZERO); world.state.bodies.len()];
            let on = [(q.a, q.jacobian.lin_a(), q.jacobian.ang_a), (q.b, q.jacobian.lin, q.jacobian.ang_b)];
            for (body, lin, ang) in on {
                let of = &world.state.bodies[body as usize];
                if of.is_dynamic() {
                    change[body as usize].0 += lin.as_dvec3() / f64::from(of.mass);
                    change[body as usize].1 += of.inertia().as_dmat3().inverse() * ang.as_dvec3();
                }
            }
            for (line, index) in matrix.rows.iter().enumerate() {
                let p = &traced.rows[*index];
                let ((va, wa), (vb, wb)) = (change[p.a as usize], change[p.b as usize]);
                let j = &p.jacobian;
                let speed = j.lin.as_dvec3().dot(vb - va) + j.ang_a.as_dvec3().dot(wa) + j.ang_b.as_dvec3().dot(wb);
                let probed = speed + if line == column { f64::from(q.gamma) } else { 0.0 };
                let scale = (matrix.cell(line, line) * matrix.cell(column, column)).sqrt();
                let found = matrix.cell(line, column);
                assert!(
                    (found - probed).abs() <= 1e-4 * scale,
                    "{scene}: A({line}, {column}) = {found}, probed {probed}"
                );
            }
        }
    }
}

/// Two equal balls of mass m on one line, held by rods between two walls: A = [[2, −1], [−1, 2]]/m where each rod
/// connects two of them, with eigenvalues 3/m and 1/m, κ = 3, dominance 2.
#[test]
fn the_numbers_of_a_matrix_that_is_known_by_hand() {
    let rod = |a: &str, b: &str| {
        format!("(a: \"{a}\", b: \"{b}\", anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), kind: Distance()),")
    };
    let ball = |name: &str, x: f32| {
        format!(
            "(name: \"{name}\", shape: Sphere(radius: 0.1), at: ({x}, 0, 0), mass: 2, collide: false, particle: true),"
        )
    };
    let text = format!(
        "(version: 1, title: \"t\", settings: (preset: SingleStep), bodies: [{}{}{}], joints: [{}{}])",
        ball("one", 0.0),
        ball("two", 1.0),
        ball("three", 2.0),
        rod("one", "two"),
        rod("two", "three")
    );
    let loaded = read_str(&text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let world = loaded.flat.world(Settings::default());
    let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
    let matrix = Matrix::of(&traced, None).expect("two rods");
    let m = 2.0;
    assert_eq!(matrix.size(), 2);
    for (i, j, expected) in [(0, 0, 2.0 / m), (1, 1, 2.0 / m), (0, 1, -1.0 / m)] {
        assert!((matrix.cell(i, j) - expected).abs() < 1e-6, "A({i}, {j}) = {}", matrix.cell(i, j));
    }
    assert!((matrix.eigenvalues[0] - 3.0 / m).abs() < 1e-6 && (matrix.eigenvalues[1] - 1.0 / m).abs() < 1e-6);
    assert!((matrix.condition() - 3.0).abs() < 1e-5);
    assert!((matrix.dominance().0 - 2.0).abs() < 1e-5);
    assert_eq!((matrix.redundant(), matrix.filled), (0, 4));
}

/// Without bounds each sweep of Gauss–Seidel brings the velocities closer to the exact ones in the norm of the
/// masses, in the end by a factor ρ per sweep; the direct solver arrives at once.
#[test]
fn sweeps_close_in_by_rho() {
    let settings =
        ["solver.method=GaussSeidel", "solver.rows=Block", "solver.iterations=60", "stabilization.method=Off"];
    let mut world = world("jacobi/01-chain-40", &settings);
    world.settings.warm_start.enabled = false;
    run(&mut world, 30);
    let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
    let curves = compare(&world, &traced, true);
    let own = &curves[0].distance;
    assert_eq!(own.len(), 61);
    for (sweep, pair) in own.windows(2).enumerate() {
        assert!(pair[1] <= pair[0] * 1.0001, "sweep {}: {} after {}", sweep + 1, pair[1], pair[0]);
    }
    let radius = f64::from(spectrum::estimate(&world, &mut Default::default(), SWEEPS).radius);
    let ratio = own[60] / own[59];
    assert!((ratio - radius).abs() < 0.03, "a sweep leaves {ratio}, ρ = {radius}");
    // A chain is a tree: one sweep over it is exact up to rounding.
    let tree = curves.iter().find(|curve| curve.name.contains("trees")).expect("the trees");
    assert!(tree.distance[1] < 1e-4 * tree.distance[0], "{:?}", &tree.distance[..2]);
    let jacobi = curves.iter().find(|curve| curve.name.contains("1/n")).expect("Jacobi");
    assert!(jacobi.distance[60] > own[60], "Jacobi is not the faster one");
}

/// Each row belongs to one kind, so after every sweep the largest residual over the kinds is the largest of all rows.
#[test]
fn the_kinds_of_rows_together_are_all_rows() {
    for (scene, kinds) in [("lab/17-car", 3), ("book/12-stack", 2), ("rows/17-cone-twist", 2)] {
        let mut world = world(scene, &["solver.method=GaussSeidel", "solver.rows=Block"]);
        run(&mut world, 60);
        let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
        let (all, own) = (&compare(&world, &traced, false)[0].residual, by_kind(&traced));
        assert!(own.len() >= kinds && all.len() > 3, "{scene}: {} kinds", own.len());
        for (sweep, residual) in all.iter().enumerate() {
            let largest = own.iter().map(|curve| curve.residual[sweep]).fold(0.0, f64::max);
            assert_eq!(largest, *residual, "{scene}, sweep {sweep}");
        }
    }
}

/// A sliding box is reported as slipping with the full µ times its weight; a resting one as holding, with normals
/// that carry its weight.
#[test]
fn a_row_knows_how_it_ended() {
    let text = "(version: 1, title: \"t\", settings: (preset: SingleStep, friction: (model: Coulomb)), bodies: [\
        (name: \"floor\", shape: Box(half: (9, 9, 1)), at: (0, 0, -1), motion: Static, friction: 0.5),\
        (name: \"rests\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), mass: 3, friction: 0.5),\
        (name: \"slides\", shape: Box(half: (0.5, 0.5, 0.1)), at: (3, 0, 0.1), mass: 3, velocity: (4, 0, 0), friction: 0.5)])";
    let loaded = read_str(text, "t").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    run(&mut world, 20);
    let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
    let of = |body: u32, normal: bool| {
        let chosen = traced.rows.iter().filter(move |row| row.a == body || row.b == body);
        chosen.filter(move |row| matches!(row.id, RowId::Contact { part: ContactPart::Normal(_), .. }) == normal)
    };
    for body in [2, 3] {
        let weight: f32 = of(body, true).map(|row| row.force).sum();
        assert!((weight - 3.0 * 9.81).abs() < 0.3, "body {body} is borne by {weight} N");
        assert!(of(body, true).all(|row| row.bounded == BoundState::Holds || row.impulse == 0.0));
    }
    assert!(of(2, false).all(|row| row.bounded == BoundState::Holds));
    let slipping: Vec<_> = of(3, false).filter(|row| row.bounded == BoundState::Slips).collect();
    assert!(!slipping.is_empty());
    let friction: f32 = of(3, false).map(|row| row.force.powi(2)).sum::<f32>();
    // Four points: each contributes µ times its normal force along the direction of sliding.
    let expected: f32 = of(3, true).map(|row| (0.5 * row.force).powi(2)).sum();
    assert!((friction - expected).abs() < 1e-3 * expected, "{friction}, expected {expected}");
    // A row that holds or slips as it should has almost no residual.
    let worst = traced.rows.iter().map(|row| row.residual.abs()).fold(0.0, f32::max);
    assert!(worst < 2e-3, "{worst} m/s");
}
