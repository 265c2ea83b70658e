//! The page of the arena as Markdown: what each solver got right, then each scene with a table and a picture.

use std::fmt::Write;

use super::list::{ArenaScene, ArenaSolver};
use super::match_run::ArenaResult;

/// Below this the error is printed as a bound: rounding and the order of summation differ between machines.
const LEAST: f64 = 1e-3;
const MOST: f64 = 1e3;

/// An error in three digits.
pub fn error(error: f64) -> String {
    match error {
        e if e < LEAST => format!("< {LEAST}"),
        e if e <= MOST => digits(e, 3),
        _ => format!("> {MOST}"),
    }
}

/// A number rounded to so many digits.
fn digits(value: f64, count: usize) -> String {
    format!("{value:.*e}", count - 1).parse::<f64>().unwrap_or(value).to_string()
}

/// The result of a solver in a scene.
fn of<'a>(results: &'a [ArenaResult], scene: &ArenaScene, solver: ArenaSolver) -> Option<&'a ArenaResult> {
    results.iter().find(|result| result.scene == scene.scene && result.solver == solver.name())
}

/// The page about these results. `titles` are those of the scenes; pictures lie in the folder `pictures`.
pub fn page(
    scenes: &[(ArenaScene, String)],
    solvers: &[ArenaSolver],
    results: &[ArenaResult],
    pictures: &str,
) -> Result<String, std::fmt::Error> {
    let mut out = String::from(INTRODUCTION);
    writeln!(out, "\n## The solvers\n\nThe number of scenes in which the error is at most 1, and at most 10.\n")?;
    writeln!(out, "| solver | | right | up to 10 | no result |\n|---|---|---|---|---|")?;
    for solver in solvers {
        let errors = || scenes.iter().map(|(scene, _)| of(results, scene, *solver).and_then(|result| result.error));
        let within = |most: f64| errors().flatten().filter(|error| *error <= most).count();
        let none = errors().filter(Option::is_none).count();
        let (name, what) = (solver.name(), solver.what());
        writeln!(out, "| `{name}` | {what} | {} | {} | {none} |", within(1.0), within(10.0))?;
    }
    for (scene, title) in scenes {
        writeln!(out, "\n## {title}\n\nScene `{}`. Right is `{}`. {}\n", scene.scene, scene.claim, scene.why)?;
        writeln!(out, "| solver | measured | error | cost | |\n|---|---|---|---|---|")?;
        let default = of(results, scene, ArenaSolver::DEFAULT).and_then(|result| result.cost);
        for solver in solvers {
            let Some(result) = of(results, scene, *solver) else { continue };
            let cost = result.cost.zip(default).map_or_else(String::new, |(cost, of)| digits(cost / of, 1));
            let (measured, note) = (&result.measured, &result.note);
            let error = result.error.map_or_else(String::new, error);
            writeln!(out, "| `{}` | {measured} | {error} | {cost} | {note} |", solver.name())?;
        }
        writeln!(out, "\n![Error against cost]({pictures}/{}.svg)", scene.stem())?;
    }
    Ok(out)
}

const INTRODUCTION: &str = "\
# The arena

Written by `delassus arena --out docs`; do not edit. Scenes that solvers find hard, each with a value that is known
without any solver: from a closed form, from statics or from symmetry. Every solver runs every scene.

*Error* is |measured − right| over the tolerance in the scene's claim, so that 1 is just within it. *Cost* is the processor
time of the steps on one thread, relative to that of the default `SmallSteps`, rounded to one digit: it differs between
machines. The pictures show it in seconds per simulated second. A line joins the solvers that no other one beats in both.

The presets of other engines hold the default values of these engines, not the engines (docs/presets.md). Many of these
engines have options for such scenes, for instance continuous collision detection for single bodies; they are not used
here. Every solver keeps the gravity and the steps per second of the scene; all other settings are its own. Where the
result depends on friction or restitution, the coefficients in `scenes/arena` are 0 or 1: engines combine two materials
differently, but all make 1 of 1 and 1.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_three_digits_and_bounds() {
        let shown = [0.0, 1e-4, 0.01234, 1.049, 9.996, 437.4, 1e9, f64::INFINITY].map(error);
        assert_eq!(shown, ["< 0.001", "< 0.001", "0.0123", "1.05", "10", "437", "> 1000", "> 1000"]);
    }
}
