//! The errors that Jacobi leaves, and how more sweeps and its other step rules reduce them: `docs/jacobi.md`, written
//! by `cargo test --release -p delassus-verify jacobi -- --ignored`. The quick measurements are compared
//! with the page.

use std::fmt::Write;

use delassus_verify::{CaseRun, Quantity, all};

/// The settings: anchor by anchor, errors corrected by split impulses. With whole trees most cases would leave
/// nothing for Jacobi.
const SWEPT: [&str; 3] = ["preset=SingleStep", "solver.rows=Block", "stabilization.method=Split"];
/// Solver and sweeps of the page's columns.
const COLUMNS: [(&str, &[&str]); 7] = [
    ("Gauss–Seidel, 10", &[]),
    ("1/n, 10", &["solver.method=Jacobi"]),
    ("1/n, 40", &["solver.method=Jacobi", "solver.iterations=40"]),
    ("mass splitting, 10", &["solver.method=Jacobi", "solver.jacobi=MassSplitting"]),
    ("mass splitting, 40", &["solver.method=Jacobi", "solver.jacobi=MassSplitting", "solver.iterations=40"]),
    ("conjugate, 10", &["solver.method=Jacobi", "solver.jacobi=Conjugate"]),
    ("conjugate, 40", &["solver.method=Jacobi", "solver.jacobi=Conjugate", "solver.iterations=40"]),
];

/// Case and quantity of the page's rows, and whether it is quick.
const ROWS: [(&str, &str, bool); 8] = [
    ("cradle/swing", "energy after 10 s", true),
    ("collision/gas", "energy after 20 s", false),
    ("tipping/leaning-floor", "lean of the floor when the block has turned by 0.05 rad", true),
    ("cantilever/six-boxes", "moment at the wall", true),
    ("cantilever/six-boxes", "sag of the last box", true),
    ("limit/stopped-chain", "farthest from a stop after 10 s", true),
    ("limit/stopped-chain", "torque of the first stop", true),
    ("rest/stack-of-eight", "displacement of the topmost one", false),
];

/// The unit of an error, and the factor from the quantity's unit.
fn unit(quantity: &Quantity) -> (&'static str, f64) {
    match (quantity.absolute, quantity.unit) {
        (false, _) => ("%", 100.0),
        (true, "m") => ("mm", 1e3),
        (true, "rad") => ("mrad", 1e3),
        (true, other) => (other, 1.0),
    }
}

/// The quantity of a row, and its errors in all columns.
fn measure(case: &str, quantity: &str) -> (&'static Quantity, Vec<f64>) {
    let case = all().find(|c| c.name == case).expect("a case");
    let index = case.quantities.iter().position(|q| q.name == quantity).expect("a quantity");
    let quantity = &case.quantities[index];
    let error = |set: &[&str]| {
        let mut run = CaseRun::with(case, &[&SWEPT, set].concat(), 60).expect("a scene");
        quantity.error((case.measure)(&mut run)[index]) * unit(quantity).1
    };
    (quantity, COLUMNS.iter().map(|(_, set)| error(set)).collect())
}

const HEAD: &str = "# What Jacobi leaves undone

Made by `cargo test --release -p delassus-verify jacobi -- --ignored`; do not edit. The cases are those of
[truth.md](truth.md), at 60 Hz, with joints swept anchor by anchor and position errors removed by split impulses. A cell is the
error against the closed form, for a step rule of the sweep and a number of sweeps.

**Why.** A Jacobi sweep carries an impulse one joint or contact further to both sides; a Gauss–Seidel sweep carries it all along
its order. With n bodies in a row, n sweeps pass before the first one affects the last. A mode that a sweep shrinks by ρ needs
ln 10/−ln ρ sweeps for each digit, with ρ = cos(π/2n) for n links. So in ten sweeps

- a **cantilever**, whose moment has to go from weld to weld, and **stops in a row** carry only part of their load. The missing part
  bends them until the corrections of the poses hold the rest, and the measured force is too small. Warm starting adds up the rest
  over many steps only where the row of bodies is short.
- a **block on its edge** has four points and their friction, one block of ten rows. So ω = 1/10 for all of them, and the foot of
  the block yields a little in each step: it tips early.
- a **stack** sways: the wider a body stands on the next one, the more rows it has, and the next step treats the remaining error
  of a step as motion.
- **impacts** are different: every solver continues its sweeps until nothing changes (`restitution.rs`), and a gas of elastic
  balls keeps its energy. The energy that a cradle loses with 1/n is lost by the time step. With mass splitting these sweeps take
  split steps as well and are cut off at 200, so some more is lost.

More sweeps help in proportion. Mass splitting helps by the ratio of n to the number of rows that really meet. Conjugate directions
need about the square root of the number of sweeps. None of them makes ten sweeps reach farther than ten bodies. Where that is not
enough, use Gauss–Seidel, whole trees at once (`solver.rows=Tree`) or the direct solver.

";

#[test]
#[ignore = "writes docs/jacobi.md"]
fn page() {
    let names = COLUMNS.iter().map(|(name, _)| format!(" {name} |")).collect::<String>();
    let mut text =
        format!("{HEAD}| case, quantity, unit of the error |{names}\n|---|{}\n", "---|".repeat(COLUMNS.len()));
    for (case, name, _) in ROWS {
        let (quantity, errors) = measure(case, name);
        let cells = errors.iter().map(|error| format!(" {error:+.2} |")).collect::<String>();
        let _ = writeln!(text, "| `{case}`, {name}, {} |{cells}", unit(quantity).0);
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/jacobi.md"), text)
        .expect("the page can be written");
}

/// The numbers on the page agree with the measured ones, to a third or half a unit.
#[test]
fn the_page_says_what_is_measured() {
    let page = include_str!("../../../../docs/jacobi.md");
    for (case, name, quick) in ROWS {
        let line = page.lines().find(|line| line.starts_with(&format!("| `{case}`, {name},"))).expect("a line");
        let said: Vec<f64> = line.split('|').skip(2).filter_map(|cell| cell.trim().parse().ok()).collect();
        assert_eq!(said.len(), COLUMNS.len(), "{line}");
        if !quick {
            continue;
        }
        for ((said, now), (column, _)) in said.iter().zip(measure(case, name).1).zip(COLUMNS) {
            let near = (said - now).abs() <= 0.5 + 0.34 * said.abs().max(now.abs());
            assert!(near, "{case}, {name}, {column}: the page has {said}, measured {now}");
        }
    }
}
