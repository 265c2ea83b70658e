//! The fields of rows that are written down: their formulas, bounds and parameters, each as a line of text.

use egui::Ui;

use crate::editor::form::Form;
use crate::editor::form::drafted::{DraftNames, drafted};
use delassus_physics::joints::{Formula, JointKind};
use delassus_physics::primitives::expression::{DISTANCE, LEAVES, OF_VECTORS};
use delassus_physics::primitives::written::{Bound, Bounds, Rows, Values};
use delassus_physics::quantity;
use delassus_physics::refuse;

/// Draws the field of the rows, with semicolons between them. `of` is the joint's kind, with its bounds and parameters.
pub fn rows(ui: &mut Ui, form: &mut Form<'_>, path: &str, rows: &mut Rows, of: &JointKind) {
    let names = DraftNames { label: "Rows", name: "Row formulas", path, tip: &help() };
    let read = |text: &str| {
        let rows = read_rows(text)?;
        checked(of, |formula| formula.rows = rows).map(|()| rows)
    };
    drafted(ui, form, rows, &names, |rows| rows.texts().collect::<Vec<_>>().join("; "), read);
}

/// Draws the field of the bounds, a word or two numbers for each row, with semicolons between them.
pub fn bounds(ui: &mut Ui, form: &mut Form<'_>, path: &str, bounds: &mut Bounds, of: &JointKind) {
    let tip = "For each row =, >=, <=, or the least and the greatest value with .. between them. Left out it is =.";
    let names = DraftNames { label: "Bounds", name: "Row bounds", path, tip };
    let read = |text: &str| {
        let bounds = read_bounds(text)?;
        checked(of, |formula| formula.bounds = bounds).map(|()| bounds)
    };
    drafted(ui, form, bounds, &names, written_bounds, read);
}

/// Draws the field of the parameters, as r = 0.2; k = 3.
pub fn values(ui: &mut Ui, form: &mut Form<'_>, path: &str, values: &mut Values, of: &JointKind) {
    let tip = "Values of the names that the rows use, as r = 0.2; k = 3.";
    let names = DraftNames { label: "Parameters", name: "Row parameters", path, tip };
    let read = |text: &str| {
        let values = read_values(text)?;
        checked(of, |formula| formula.parameters = values).map(|()| values)
    };
    drafted(ui, form, values, &names, written_values, read);
}

/// Whether the joint is sound with a change; what is refused stays in its field, to be mended there.
fn checked(of: &JointKind, change: impl FnOnce(&mut Formula)) -> Result<(), String> {
    let mut kind = *of;
    if let JointKind::Formula(formula) = &mut kind {
        change(formula);
    }
    refuse::kind(&kind).map_or(Ok(()), |(_, what)| Err(what))
}

/// The parts of a list.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|part| !part.is_empty())
}

fn read_rows(text: &str) -> Result<Rows, String> {
    Rows::read(&parts(text).collect::<Vec<_>>())
}

fn number(text: &str) -> Result<f32, String> {
    let number = text.trim().parse::<f32>().map_err(|_| format!("`{}` is not a number", text.trim()))?;
    refuse::number(&quantity::PARAMETER, "it", number).map_or(Ok(number), Err)
}

fn written_bounds(bounds: &Bounds) -> String {
    let word = |bound: &Bound| match bound {
        Bound::Equal => "=".to_owned(),
        Bound::AtLeast => ">=".to_owned(),
        Bound::AtMost => "<=".to_owned(),
        Bound::Between(least, most) => format!("{least} .. {most}"),
    };
    bounds.given().iter().map(word).collect::<Vec<_>>().join("; ")
}

fn read_bounds(text: &str) -> Result<Bounds, String> {
    let bound = |part: &str| match part {
        "=" => Ok(Bound::Equal),
        ">=" | "≥" => Ok(Bound::AtLeast),
        "<=" | "≤" => Ok(Bound::AtMost),
        _ => {
            let (least, most) =
                part.split_once("..").ok_or_else(|| format!("`{part}` is none of =, >=, <=, 0 .. 1"))?;
            let (least, most) = (number(least)?, number(most)?);
            if least > most { Err(format!("{least} is above {most}")) } else { Ok(Bound::Between(least, most)) }
        }
    };
    Bounds::new(&parts(text).map(bound).collect::<Result<Vec<_>, _>>()?)
}

fn written_values(values: &Values) -> String {
    values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("; ")
}

fn read_values(text: &str) -> Result<Values, String> {
    let value = |part: &str| {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form r = 0.2"))?;
        Ok::<_, String>((name.trim().to_owned(), number(value)?))
    };
    Values::new(&parts(text).map(value).collect::<Result<Vec<_>, _>>()?)
}

/// What a row may contain.
fn help() -> String {
    let words = |list: &mut dyn Iterator<Item = &'static str>| list.collect::<Vec<_>>().join(", ");
    let leaves = words(&mut LEAVES.iter().map(|(word, _)| *word).chain([DISTANCE]));
    let functions = words(&mut OF_VECTORS.iter().map(|(word, _)| *word));
    format!(
        "The error of each row, m or rad, with ; between rows, as distance - 0.2. Names: {leaves}. Of vectors: {functions}, \
         and .x, .y, .z. Operators + - * / ^ and the functions of formulas of time. Other names are parameters, given below."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_was_read() {
        let bounds = read_bounds("=; >= ; -0.1 .. 0.2;<=").expect("four bounds");
        assert_eq!(bounds.given(), [Bound::Equal, Bound::AtLeast, Bound::Between(-0.1, 0.2), Bound::AtMost]);
        assert_eq!(read_bounds(&written_bounds(&bounds)), Ok(bounds));
        let values = read_values("r = 0.2; k=-3").expect("two values");
        assert_eq!(values.iter().collect::<Vec<_>>(), [("r", 0.2), ("k", -3.0)]);
        assert_eq!(read_values(&written_values(&values)), Ok(values));
        for (wrong, what) in [
            (read_bounds("=; 1 .. 0").map(|_| ()), "1 is above 0"),
            (read_bounds("about").map(|_| ()), "is none of"),
            (read_values("r = x").map(|_| ()), "`x` is not a number"),
            (read_values("r = 1; r = 2").map(|_| ()), "given twice"),
            (
                read_rows("distance - 1; 2 + * 3").map(|_| ()),
                "row 2: formula: a value is missing before `*`, at character 5",
            ),
        ] {
            assert!(wrong.clone().is_err_and(|error| error.contains(what)), "{wrong:?}");
        }
    }
}
