//! Writes `docs/truth.md`.

use std::fmt::Write;

use super::accuracy_order::{LADDER, OrderOutcome};
use super::case::{Case, METHODS, Quantity, RATES};
use super::cases::FAMILIES;
use super::faults;
use super::number;
use super::outcome::{CaseOutcome, ReadingVerdict};
use super::table::method_name;

const OPENING: &str = "\
# The simulation against the truth

Made by `cargo run --release --no-default-features -- verify --markdown docs/truth.md`; do not edit. Each case is a scene
whose motion or forces are known: by a formula, or by an integration in 64 bits that shares no code with the physics.
Every solver runs it at 60, 240 and 1000 steps a second, with the program's defaults unless the case says otherwise.
A cell is the error: in per cent of what is expected, or in the unit shown. `delassus verify --case NAME` measures one of
them again, `delassus verify --scene NAME` prints its scene, to be opened in the window. Seventeen more scenes are judged by
MuJoCo, another program: see [import.md](import.md#mujoco-as-a-judge).

The step is of second order for what flies freely and for what joints hold by RATTLE, the default: their errors fall to a
sixteenth from 60 to 240 Hz. All errors in per cent should fall to a quarter or less. “Within” is what the program claims at 60 Hz and at the
higher rates; its tests hold it to that at 60 and at 240 Hz. **Bold** is where a solver is known to be wrong by more; the notes
below each table say why.
";

/// The page as Markdown.
pub fn markdown(outcomes: &[CaseOutcome], orders: &[OrderOutcome]) -> String {
    let mut out = String::from(OPENING);
    for family in FAMILIES {
        let of_family: Vec<_> =
            outcomes.iter().filter(|o| family.cases.iter().any(|c| c.name == o.case.name)).collect();
        if of_family.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {}\n\n{}\n", family.title, family.about);
        for outcome in &of_family {
            describe(&mut out, outcome.case);
        }
        let _ = write!(out, "\n| case, quantity | truth | expected | within |");
        for method in METHODS {
            let _ = write!(out, " {}, 60 Hz | 240 Hz | 1000 Hz |", method_name(method));
        }
        let _ = writeln!(out, "\n|---|---|---|---|{}", "---|".repeat(RATES.len() * METHODS.len()));
        let mut notes = Vec::new();
        for outcome in &of_family {
            for (q, quantity) in outcome.case.quantities.iter().enumerate() {
                row(&mut out, &mut notes, outcome, q, quantity);
            }
        }
        if !notes.is_empty() {
            out.push('\n');
        }
        for (i, note) in notes.iter().enumerate() {
            let mut letters = note.chars();
            let first = letters.next().map_or_else(String::new, |c| c.to_uppercase().collect());
            let _ = writeln!(out, "{}. {first}{}.", i + 1, letters.as_str());
        }
    }
    if !orders.is_empty() {
        order_section(&mut out, orders);
    }
    out
}

/// The heading of a case's description on the page; a test looks for it.
pub fn heading(case: &Case) -> String {
    format!("- **`{}`** {}", case.name, case.what)
}

fn describe(out: &mut String, case: &Case) {
    let _ = write!(out, "{}", heading(case));
    if !case.runs.set.is_empty() {
        let _ = write!(out, " With {}.", case.runs.set.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", "));
    }
    for (method, why) in case.runs.without {
        let _ = write!(out, " Without {}: {why}.", method_name(*method));
    }
    out.push('\n');
}

/// The claimed bounds of a quantity as text: one, or one for each rate.
fn within(quantity: &Quantity, at: [f64; RATES.len()]) -> String {
    let [at_60, at_240, _] = at.map(|bound| number::error(quantity, bound).trim_start_matches('+').to_string());
    if at_60 == at_240 { at_60 } else { format!("{at_60}, {at_240}") }
}

fn row(out: &mut String, notes: &mut Vec<String>, outcome: &CaseOutcome, q: usize, quantity: &Quantity) {
    let expected = format!("{} {}", number::short((quantity.expected)()), quantity.unit);
    let case = outcome.case.name;
    let _ = write!(
        out,
        "| `{case}`, {} | {} | {} | {} |",
        quantity.name,
        quantity.truth,
        expected.trim_end(),
        within(quantity, quantity.bounds.at)
    );
    for (column, method) in METHODS.iter().enumerate() {
        let mut mark = || {
            let fault = faults::of(case, quantity.name, *method);
            fault.map_or(String::new(), |fault| format!("<sup>{}</sup>", note(notes, fault.why)))
        };
        for rate in 0..RATES.len() {
            let cell = outcome.reading(q, column, rate).map_or("–".into(), |reading| {
                let error = number::error(quantity, reading.error);
                match reading.verdict {
                    ReadingVerdict::Holds => error,
                    ReadingVerdict::Wrong => format!("**{error}**{}", mark()),
                    ReadingVerdict::Beyond => format!("**{error}, beyond**{}", mark()),
                }
            });
            let _ = write!(out, " {cell} |");
        }
    }
    out.push('\n');
}

/// The number of a footnote, which is added if it is new.
fn note(notes: &mut Vec<String>, text: &str) -> usize {
    match notes.iter().position(|n| n == text) {
        Some(i) => i + 1,
        None => {
            notes.push(text.into());
            notes.len()
        }
    }
}

fn order_section(out: &mut String, orders: &[OrderOutcome]) {
    out.push_str(
        "\n## Orders of accuracy\n\nThe power of the step that an error follows: the slope of a line through the \
        logarithms of the errors at four rates.\n\n| case, quantity | solver |",
    );
    for rate in LADDER {
        let _ = write!(out, " {rate} Hz |");
    }
    let _ = writeln!(out, " order | expected |\n|---|---|{}---|---|", "---|".repeat(LADDER.len()));
    for outcome in orders {
        let Some((_, _, quantity)) = outcome.order.find() else { continue };
        for (column, method) in METHODS.iter().enumerate() {
            let _ = write!(out, "| `{}`, {} | {} |", outcome.order.case, quantity.name, method_name(*method));
            for error in outcome.errors[column] {
                let _ = write!(out, " {} |", number::error(quantity, error));
            }
            let order = outcome.order;
            let _ =
                writeln!(out, " {:.2} | {} ± {}, {} |", outcome.slope(column), order.order, order.within, order.why);
        }
    }
}
