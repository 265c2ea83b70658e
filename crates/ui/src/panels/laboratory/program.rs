//! The program of a step: pseudo-code of the solver that is set, with the lines lit that made the tick, and their
//! numbers beside them.

use egui::{Align, Color32, Frame, Layout, Margin, RichText, Ui};

use super::{typeset::formula, units};
use crate::widgets::{number::with_unit, theme};
use delassus_lab::{Inside, Tick, TracedStep};
use delassus_physics::settings::{ContactStabilization, Method, Settings, Stabilization};
use delassus_physics::trace::{StepStage, SweepUnit};

/// What a line of the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Forces,
    WarmStart,
    /// The head of the loop over the sweeps, lit by a sweep as a whole.
    Sweeps,
    /// The head of an inner loop, which is never lit.
    Loop,
    /// The impulse of a block; its bounds; its effect on the velocities.
    Impulse,
    Clamp,
    Apply,
    /// A whole tree or mechanism.
    Tree,
    /// All rows at once, by a direct solver or in a sweep of Jacobi.
    All,
    Impacts,
    Move,
    Relax,
}

/// A line: how far it is indented, in steps, and its text as in `typeset.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub indent: u8,
    pub stage: Stage,
    pub text: String,
}

const IMPULSE: &str = "Δ$λ$ := −($J u$ + $b$ + $γ λ$)/($K$ + $γ$)";
const APPLY: &str = "$u$ := $u$ + $M$^−1^ $J$^T^ Δ$λ$";

/// The program of a step under these settings, with a line for trees and one for impacts if the step has them.
pub(super) fn lines(settings: &Settings, inside: &Inside, traced: &TracedStep) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = |indent: u8, stage: Stage, text: &str| lines.push(Line { indent, stage, text: text.to_owned() });
    let method = settings.solver.method;
    let solves = |of: fn(SweepUnit) -> bool| {
        let found = |tick: &Tick| matches!(tick, Tick::Solve(number) if of(traced.trace.solves[*number].unit));
        inside.ticks.iter().any(found)
    };
    let has_trees = solves(|unit| matches!(unit, SweepUnit::Tree(_)));
    let has_blocks = solves(|unit| matches!(unit, SweepUnit::Block(_))) || !has_trees;
    line(0, Stage::Forces, "$u$ := $u$ + $h M$^−1^ $f$");
    match method {
        Method::Direct => {
            line(0, Stage::All, "solve ($J M$^−1^ $J$^T^ + $γ$) $λ$ = −($J u$ + $b$)");
            line(0, Stage::All, "$u$ := $u$ + $M$^−1^ $J$^T^ $λ$");
        }
        _ => {
            let starts = settings.warm_start.enabled;
            line(0, Stage::WarmStart, if starts { "$u$ := $u$ + $M$^−1^ $J$^T^ $λ$" } else { "$λ$ := 0" });
            let sweeps = traced.sweeps();
            line(0, Stage::Sweeps, &if sweeps == 1 { "one sweep:".to_owned() } else { format!("{sweeps} sweeps:") });
        }
    }
    match method {
        Method::Direct => {}
        Method::Jacobi => {
            line(1, Stage::All, "for all blocks, from the same $u$:");
            line(2, Stage::All, IMPULSE);
            line(2, Stage::All, "$λ$ := clamp($λ$ + $ω$ Δ$λ$)");
            line(1, Stage::All, "$u$ := $u$ + $M$^−1^ Σ $J$^T^ Δ$λ$");
        }
        Method::Avbd => {
            line(1, Stage::All, "for each body in turn, from the present $u$:");
            line(2, Stage::All, "$p$ := clamp($λ$ − $κ$ ($J u$ + $b$))");
            line(2, Stage::All, "solve ($M$ + $J$^T^ $κ J$) Δ$u$ = $J$^T^ $p$ − $M$ ($u$ − $u$_free_)");
            line(1, Stage::All, "for all rows:  $λ$ := $p$,  $κ$ grows with what is left");
        }
        Method::Admm => {
            line(1, Stage::All, "solve ($A$ + $γ$ + $ρ W$) $λ$ = $ρ W z$ − $ν$ − $J u$ − $b$");
            line(1, Stage::All, "$z$ := nearest point within the bounds to $λ$ + $ν$/($ρ W$)");
            line(1, Stage::All, "$ν$ := $ν$ + $ρ W$ ($λ$ − $z$)");
        }
        Method::GaussSeidel | Method::Nncg | Method::TgsSoft => {
            if has_trees {
                line(1, Stage::Loop, "for each mechanism, all rows at once:");
                line(2, Stage::Tree, "solve $J u$ + $b$ + $γ λ$ = 0");
            }
            if has_blocks {
                line(1, Stage::Loop, "for each block:");
                line(2, Stage::Impulse, IMPULSE);
                line(2, Stage::Clamp, "$λ$ := clamp($λ$ + Δ$λ$)");
                line(2, Stage::Apply, APPLY);
            }
            if method == Method::Nncg {
                line(1, Stage::All, "$β$ := |Δ$λ$|²/|Δ$λ$_before_|²");
                line(1, Stage::All, "$λ$, $u$ go on by $β$ times their last change");
            }
        }
    }
    let impacts = |tick: &Tick| matches!(stage_of(traced, *tick), Stage::Impacts);
    if inside.ticks.iter().any(impacts) {
        line(0, Stage::Impacts, "what was hit:  $J u$ ≥ −$e J u$_before_");
    }
    line(0, Stage::Move, "$x$ := $x$ + $h u$");
    if relaxes(settings) {
        line(0, Stage::Relax, "relaxing sweeps:  the same with $b$ = 0, $γ$ = 0");
    }
    lines
}

/// Whether sweeps without the push of soft stabilisation follow the motion.
fn relaxes(settings: &Settings) -> bool {
    let Settings { stabilization, solver, .. } = settings;
    let is_soft = stabilization.method == Stabilization::Soft || stabilization.contacts == ContactStabilization::Soft;
    is_soft && stabilization.relax > 0 && solver.method != Method::Direct
}

/// What was done in a tick; of a block the first of its lines.
fn stage_of(traced: &TracedStep, tick: Tick) -> Stage {
    match tick {
        Tick::Moved => Stage::Move,
        Tick::Solve(number) => {
            let solve = &traced.trace.solves[number];
            match solve.unit {
                _ if solve.pass > 0 || !traced.trace.pair_impulses(solve).is_empty() => Stage::Impacts,
                SweepUnit::Tree(_) => Stage::Tree,
                SweepUnit::Block(_) => Stage::Impulse,
            }
        }
        Tick::Moment(index) => match traced.trace.moments[index].stage {
            StepStage::Forces => Stage::Forces,
            StepStage::Start => Stage::WarmStart,
            StepStage::Sweep(_) => Stage::All,
            StepStage::Impacts(_) | StepStage::EnergyRemoved => Stage::Impacts,
            // The velocities that the bodies are moved with.
            StepStage::Solved => Stage::Move,
        },
    }
}

/// Whether a line belongs to a tick of this stage.
pub(super) fn is_lit(line: Stage, tick: Stage) -> bool {
    match line {
        Stage::Loop => false,
        Stage::Sweeps => tick == Stage::All,
        Stage::Clamp | Stage::Apply => tick == Stage::Impulse,
        Stage::Relax => tick == Stage::Move,
        _ => line == tick,
    }
}

/// What a line came to in a tick: the numbers of the row that got the largest impulse.
fn number(stage: Stage, inside: &Inside, traced: &TracedStep, tick: usize) -> Option<String> {
    let before = tick.checked_sub(1)?;
    if !matches!(stage, Stage::Impulse | Stage::Clamp | Stage::Apply) {
        return None;
    }
    let (was, is) = (inside.state(traced, before), inside.state(traced, tick));
    let rows = inside.rows(traced, tick);
    let change = |row: &usize| (is.given(*row) - was.given(*row)).abs();
    let most = rows.into_iter().max_by(|a, b| change(a).total_cmp(&change(b)))?;
    let row = &traced.rows[most];
    let units::Units { speed, impulse, .. } = units::of(row);
    Some(match stage {
        Stage::Impulse => {
            let left = inside.residuals(traced, before, &[most])[0];
            format!("r {}", with_unit(left.into(), speed))
        }
        Stage::Clamp => {
            let [from, to] = [&was, &is].map(|state| with_unit(state.given(most).into(), impulse));
            format!("{}: {from} → {to}", row.part())
        }
        _ => {
            let solved = &traced.trace.rows[most];
            let still = solved.inv_mb == 0.0 && solved.inv_ib == glam::Vec3A::ZERO;
            let (body, name) = if still { (row.a, "A") } else { (row.b, "B") };
            let (was, is) = (was.velocities[body as usize], is.velocities[body as usize]);
            let (linear, angular) = ((is.linear - was.linear).length(), (is.angular - was.angular).length());
            match row.is_angular() {
                true => format!("|Δω| of {name} {}", with_unit(angular.into(), "rad/s")),
                false => format!("|Δv| of {name} {}", with_unit(linear.into(), "m/s")),
            }
        }
    })
}

/// Shows the program, with the lines of the tick lit.
pub fn show(ui: &mut Ui, (inside, traced): (&Inside, &TracedStep), settings: &Settings, tick: usize) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = 16.0;
    let substeps = settings.step.substeps;
    if substeps > 1 {
        let words = format!("sub-step {substeps} of {substeps}, h = {}", with_unit(settings.h().into(), "s"));
        ui.label(RichText::new(words).small().color(colors.weak));
    }
    let now = stage_of(traced, inside.ticks[tick]);
    for line in lines(settings, inside, traced) {
        let lit = is_lit(line.stage, now);
        let fill = if lit { colors.accent.gamma_multiply(0.22) } else { Color32::TRANSPARENT };
        let left = 4 + 14 * line.indent as i8;
        Frame::new().fill(fill).corner_radius(3.0).inner_margin(Margin { left, right: 4, top: 1, bottom: 1 }).show(
            ui,
            |ui| {
                ui.set_width(ui.available_width());
                ui.horizontal(|ui| {
                    formula(ui, &line.text);
                    let number = lit.then(|| number(line.stage, inside, traced, tick)).flatten();
                    if let Some(number) = number {
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            ui.add(egui::Label::new(RichText::new(number).small().color(colors.weak)).truncate());
                        });
                    }
                });
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use delassus_physics::trace::Depth;
    use delassus_scene::{library, read};

    use super::*;

    fn traced(scene: &str, assignments: &[&str]) -> (Settings, TracedStep) {
        let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut settings = loaded.scene.settings.settings();
        assignments.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
        let mut world = loaded.flat.world(settings);
        (0..12).for_each(|_| world.step());
        (settings, TracedStep::of(&world, Depth::Blocks).expect("a step"))
    }

    /// Whatever the solver does, its program has a line for it.
    #[test]
    fn each_tick_lights_a_line_of_the_program() {
        let methods = ["GaussSeidel", "Jacobi", "Direct", "Nncg", "TgsSoft", "Avbd", "Admm"];
        for scene in
            ["book/09-chain", "book/12-stack", "book/24-everything", "lab/10-four-bar", "contact2d/02-restitution"]
        {
            for method in methods {
                for rows in ["Scalar", "Mechanism"] {
                    let ways = [format!("solver.method={method}"), format!("solver.rows={rows}")];
                    let (settings, traced) = traced(scene, &[&ways[0], &ways[1]]);
                    let inside = Inside::of(&traced, None);
                    let lines = lines(&settings, &inside, &traced);
                    for tick in &inside.ticks {
                        let stage = stage_of(&traced, *tick);
                        let lit = lines.iter().any(|line| is_lit(line.stage, stage));
                        assert!(lit, "{scene}, {method}, {rows}: {tick:?}, {stage:?}\n{lines:#?}");
                    }
                }
            }
        }
    }

    /// Gauss–Seidel with warm starting: forces, old impulses, the loop over the blocks with its three lines, the motion.
    #[test]
    fn the_program_of_the_books_chain() {
        let (settings, traced) = traced("book/09-chain", &[]);
        let lines = lines(&settings, &Inside::of(&traced, None), &traced);
        let stages: Vec<Stage> = lines.iter().map(|line| line.stage).collect();
        use Stage::{Apply, Clamp, Forces, Impulse, Loop, Move, Sweeps, WarmStart};
        assert_eq!(stages, [Forces, WarmStart, Sweeps, Loop, Impulse, Clamp, Apply, Move]);
        assert_eq!(lines[2].text, "5 sweeps:");
    }
}
