//! The field of a formula of time.

use egui::Ui;

use crate::editor::form::Form;
use crate::editor::form::drafted::{DraftNames, drafted};
use delassus_physics::force::formula::{CONSTANTS, FUNCTIONS, Formula, PAIRS};
use delassus_scene::missing_value;

/// Draws the field of a formula whose time begins at `start`, s.
pub fn formula(ui: &mut Ui, form: &mut Form<'_>, formula: &mut Formula, start: f64, (name, path): (&str, &str)) {
    let names = DraftNames { label: "  factor", name, path, tip: &help() };
    let read = |text: &str| {
        let read = Formula::read(text).map_err(|error| error.to_string())?;
        missing_value(&read, start).map_or(Ok(read), Err)
    };
    drafted(ui, form, formula, &names, |formula| formula.text().to_owned(), read);
}

/// What a formula may contain.
fn help() -> String {
    let words = |list: &mut dyn Iterator<Item = &'static str>| list.collect::<Vec<_>>().join(", ");
    let functions = words(&mut FUNCTIONS.iter().map(|(word, _)| *word));
    let pairs = words(&mut PAIRS.iter().map(|(word, _)| *word));
    let constants = words(&mut CONSTANTS.iter().map(|(word, _)| *word));
    format!(
        "A formula in the time t in seconds, such as 0.5*sin(2*t). Operators: + - * / ^ and brackets. Functions of one \
         value: {functions}; of two: {pairs}. Constants: {constants}."
    )
}
