//! `docs/survey.md`.

use std::fmt::Write;

use crate::run::Run;
use crate::{METHODS, Runs, SOLVERS};

const HEAD: &str = "# What closes joints, over the library

Made by `cargo test --release -p delassus-session --test survey -- --ignored`; do not edit.

Each scene of at most 60 bodies with joints, 5 s with its own sweeps, by split impulses, SHAKE and RATTLE. **Energy**: how far
it is off after 5 s (mean of the last second), in per cent of the most energy of motion by split impulses, the middle of those
scenes where nothing but rigid joints acts (no contact, stop, motor, spring, mover). **Gap**: of the joints' anchors, middle
of all scenes of the mean over joints and time, and of the worst. **Ran away**: scenes where a body was stopped, or the
energy of motion came to two and a half times that by split impulses. **Cost**: wall time of a step over that of split
impulses, the middle; on a busy machine, so roughly.
";

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Whether a run was stopped or gained more energy than can be there.
fn ran_away(run: &Run, split: &Run) -> bool {
    run.stopped > 0 || run.most > 2.5 * split.most + 0.1
}

fn off(run: &Run, split: &Run) -> f64 {
    100.0 * run.change / split.most
}

/// Writes the page.
pub fn write(found: &[Runs]) {
    let mut text =
        format!("{HEAD}\n## By solver\n\n| solver | method | scenes | energy | gap | worst gap | ran away | cost |\n");
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    let keeps = |runs: &Runs| runs.runs.iter().all(|run| run.conserves) && runs.runs[0].most > 0.01;
    for (solver, (name, _)) in SOLVERS.iter().enumerate() {
        let of: Vec<&Runs> = found.iter().filter(|runs| runs.solver == solver).collect();
        for (method, label) in METHODS.iter().enumerate() {
            let all =
                |value: &dyn Fn(&Run, &Run) -> f64| of.iter().map(|r| value(&r.runs[method], &r.runs[0])).collect();
            let among = of.iter().filter(|runs| keeps(runs));
            let energy = middle(among.map(|r| off(&r.runs[method], &r.runs[0]).abs()).collect());
            let away = of.iter().filter(|r| ran_away(&r.runs[method], &r.runs[0])).count();
            let _ = writeln!(
                text,
                "| {name} | {label} | {}, {} keep | {energy:.3} % | {:.3} mm | {:.2} mm | {away} | {:.2} |",
                of.len(),
                of.iter().filter(|runs| keeps(runs)).count(),
                1e3 * middle(all(&|run, _| run.gap_mean)),
                1e3 * middle(all(&|run, _| run.gap_worst)),
                middle(all(&|run, split| run.cost / split.cost)),
            );
        }
    }
    text.push_str(
        "\n## Scenes that keep their energy\n\nEnergy off after 5 s, and the worst gap.\n\n| scene | solver |",
    );
    METHODS.iter().for_each(|label| text.push_str(&format!(" {label} |")));
    text.push_str(&format!("\n|---|---|{}\n", "---|".repeat(METHODS.len())));
    for runs in found.iter().filter(|runs| keeps(runs)) {
        let _ = write!(text, "| {} | {} |", runs.scene, SOLVERS[runs.solver].0);
        for run in &runs.runs {
            let _ = write!(text, " {:+.3} %, {:.2} mm |", off(run, &runs.runs[0]), 1e3 * run.gap_worst);
        }
        text.push('\n');
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/survey.md"), text)
        .expect("the page can be written");
}
