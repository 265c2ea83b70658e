//! Writes `docs/growth.md`.

use std::fmt::Write;

use rayon::prelude::*;

use crate::chain::{Pose, links};
use crate::{METHODS, WAYS, measured, settings};

/// The result of a cell: the largest gain, and its case.
#[derive(Clone, Default)]
struct Worst {
    gained: f64,
    by: String,
}

impl Worst {
    fn add(&mut self, gained: f64, by: &str) {
        if gained > self.gained {
            *self = Self { gained, by: by.to_owned() };
        }
    }

    fn text(&self) -> String {
        let number = number(self.gained);
        if self.gained < SMALL { number } else { format!("{number} ({})", self.by) }
    }
}

/// Gains below this count as zero.
const SMALL: f64 = 1e-2;

/// A gain as shown in the tables.
fn number(gained: f64) -> String {
    match gained {
        gained if gained < SMALL => "–".into(),
        gained if gained.is_infinite() => "**∞**".into(),
        gained if gained < 1.0 => format!("{gained:.2}"),
        gained if gained < 1000.0 => format!("**{gained:.0}**"),
        gained => format!("**{gained:.0e}**"),
    }
}

fn header(first: &str) -> String {
    let ways = WAYS.iter().map(|way| format!(" {way} |")).collect::<String>();
    format!("\n| {first} |{ways}\n|---|{}\n", "---|".repeat(WAYS.len()))
}

/// Gains with exact solves, which are due to the step itself. A column for each stabilisation except the one that
/// feeds errors back, and two for its remedies, each with the worst of those.
fn of_the_step() -> String {
    let ways: Vec<_> = WAYS.iter().filter(|way| **way != "Baumgarte").collect();
    let head = ways.iter().map(|way| format!(" {way} |")).collect::<String>();
    let rule = "---|".repeat(ways.len() + 2);
    let mut table = format!("\n| joints |{head} two sub-steps | geometric stiffness |\n|---|{rule}\n");
    let lines: Vec<_> = links()
        .par_iter()
        .map(|link| {
            let of = |way: &str, more: &[&str]| {
                let by = |pose| measured(*link, 100.0, pose, settings(&["solver.method=Direct"], way, more), 5.0);
                by(Pose::Level).max(by(Pose::Hanging))
            };
            let worst = |more: &[&str]| ways.iter().map(|way| of(way, more)).fold(0.0, f64::max);
            let mut gains: Vec<f64> = ways.iter().map(|way| of(way, &[])).collect();
            if gains.iter().all(|gain| *gain < 1e-2) {
                return String::new();
            }
            gains.extend([worst(&["step.substeps=2"]), worst(&["stabilization.geometric_stiffness=true"])]);
            let cells = gains.iter().map(|gain| format!(" {} |", number(*gain))).collect::<String>();
            format!("| {} |{cells}\n", link.name)
        })
        .collect();
    table.extend(lines);
    table
}

/// One table by method, and one by kind of joint.
fn tables(more: &[&str]) -> (String, String) {
    let (mut methods, mut kinds) = (header("solver"), header("joints"));
    let links = links();
    let mut by_kind = vec![vec![Worst::default(); WAYS.len()]; links.len()];
    for (name, method) in METHODS {
        let _ = write!(methods, "| {name} |");
        for (column, way) in WAYS.iter().enumerate() {
            let mut worst = Worst::default();
            for (row, link) in links.iter().enumerate() {
                for load in [1.0, 100.0] {
                    for pose in [Pose::Level, Pose::Hanging] {
                        let gained = measured(*link, load, pose, settings(method, way, more), 5.0);
                        worst.add(gained, &format!("{}, {load}:1", link.name));
                        by_kind[row][column].add(gained, &format!("{name}, {load}:1"));
                    }
                }
            }
            let _ = write!(methods, " {} |", worst.text());
        }
        methods.push('\n');
    }
    for (link, row) in links.iter().zip(&by_kind) {
        let cells = row.iter().map(|worst| format!(" {} |", worst.text())).collect::<String>();
        let _ = writeln!(kinds, "| {} |{cells}", link.name);
    }
    (methods, kinds)
}

const HEAD: &str = "# Which method is bounded

Made by `cargo test --release -p delassus-session --test growth -- --ignored`; do not edit.

Eight links of 1 kg and 0.5 m on every kind of joint, the last one of 1 or of 100 kg, let go from rest, level or hanging down but
for a lean of 1 in 100, for 5 s at 60 Hz with ten sweeps a step: the most that the energy was above what it began with, as a
multiple of what gravity can turn over, Σ m g r. A dash is less than one per cent; ∞ is a body faster than 100 km/s. In
brackets the worst case.

**Proven.** Let u* be the velocities that bodies have without the step's impulses. A solve makes f(λ) = T(u) − T(u*) + bᵀλ +
½ γ λ² least, T the kinetic energy, and each sweep of Gauss–Seidel, whatever its blocks, lowers f; so does each sweep of
Jacobi with ω ≤ 1/n or with split masses, for xᵀAx ≤ n xᵀDx where n blocks meet at a body. From no impulses, f = 0, a solve so adds no
energy, however few its sweeps. What adds energy is

- **a start from old impulses** with f > 0. The safeguard (`warm_start.safeguard`, `crates/physics/src/warm_start_limiter.rs`) lets a mechanism
  start with f above zero only as far as its last solves have gone below: then Σ T(u) − T(u*) ≤ −Σ bᵀλ over all steps. With it,
  *no stabilisation*, *split impulses* and *nonlinear Gauss–Seidel* add no kinetic energy in the long run under any such sweep, any
  masses and any joints; of conjugate directions and of friction that is bound together it is measured, not proven. Split
  impulses and position sweeps move poses, and may lift what they move; the tables have by how much.
- **joints closed at the end of the step**: the bias of *SHAKE* and *RATTLE* does work, too. Each mechanism has an account of it
  (`crates/physics/src/energy_budget/`): a step that would overdraw it is made with split impulses instead. So the gain is bounded by a share
  of the motion that there is. Under 100:1 that is still several times what the chain itself could turn over where sweeps that leave
  much undone let the load fall. Split impulses without the direct solver gain nothing.
- **errors fed back through the velocities**, b: *Baumgarte*, and *soft* until its relaxing sweep. No sweep is proven to
  bound these. Soft is under the safeguard, the work of its bias booked; Baumgarte is left as it is, since warm starting and Baumgarte
  hold each other only while factor × (1 + β) × ρᴺ < 1, and that is what there is to see. `warm_start.safeguard=Always` bounds it, too.
- **a manual ω** above 2/λmax(D⁻¹A), and stops as 004 prints them, whose sweeps raise f. They are left as they are.
- **the step itself**: a light link of inertia I and length L that is pulled with T swings at √(T L/I), and no step follows what
  turns by more than 2 a step. These chains under 100 kg do so by 3: exact solves do not help, sub-steps and
  `stabilization.geometric_stiffness` do. The next table has what is left to the direct solver.

Looked at as often as the window does, each quarter of a second of the scene and at each step that jerks a light link,
`stability.rs` warns of them before a fifth of the energy that is turned over has been gained: tested for every case here but scalar
rows, for 3 s (`crates/session/tests/growth/`). A frame of many steps ends with the step that is to be reported. Above 4,000 bodies and joints, where
a frame does not read every joint, jerks are not looked for.
";

/// Measures everything and writes the page.
pub fn write() {
    let settings = ["Usual", "Always", "Off"].map(|choice| format!("warm_start.safeguard={choice}"));
    let mut tables: Vec<_> = settings.par_iter().map(|choice| tables(&[choice])).collect();
    let (without, always, (with, kinds)) = (tables.remove(2).0, tables.remove(1).0, tables.remove(0));
    let text = format!(
        "{HEAD}\n## The step itself, by the direct solver, under 100:1\n{}\n## By solver\n{with}\n## By joints\n{kinds}\n\
         ## By solver, with the safeguard for Baumgarte, too\n{always}\n\
         ## By solver, without the safeguard\n{without}",
        of_the_step()
    );
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/growth.md"), text)
        .expect("the page can be written");
}
