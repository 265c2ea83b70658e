//! A number as it is typed into a field: with the field's unit or without, with a point or a comma.

use delassus_physics::joints::UNBOUNDED;

use crate::editor::form::ranges::DragRange;

/// A field whose entries differ.
pub const MIXED: &str = "—";
/// A cap that nothing reaches.
pub const NO_LIMIT: &str = "no limit";

/// The number that a text stands for.
///
/// # Errors
/// Why it is none for this field, as a sentence.
pub fn read(text: &str, range: &DragRange) -> Result<f32, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("A number is needed.".into());
    }
    if text == NO_LIMIT && range.has_no_limit(UNBOUNDED) {
        return Ok(UNBOUNDED);
    }
    let plain = text.replace('−', "-").replace(',', ".");
    let bare = without_unit(&plain, range.symbol());
    // “inf” and “NaN” are numbers for Rust.
    let is_word = bare.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E'));
    let Some(number) = bare.parse::<f64>().ok().filter(|_| !is_word) else {
        let unit = match range.symbol() {
            "" => String::new(),
            unit => format!(" in {unit}"),
        };
        return Err(format!("`{text}` is no number{unit}."));
    };
    let value = number as f32;
    if range.allows(value) { Ok(value) } else { Err(format!("Allowed is {}, not {text}.", range.allowed())) }
}

/// The text without the field's unit at its end; `kg/m3` is `kg/m³`.
fn without_unit<'t>(text: &'t str, unit: &str) -> &'t str {
    let plain = |unit: &str| unit.replace('²', "2").replace('³', "3").replace(['·', '*', '^', ' '], "");
    let unit = plain(unit);
    let mut ends = text.char_indices().map(|(at, _)| at).skip(1);
    ends.find(|at| !unit.is_empty() && plain(&text[*at..]) == unit).map_or(text, |at| text[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::form::ranges::{DEGREES, SIZE, UNIT};
    use delassus_physics::quantity;

    const DENSE: DragRange = DragRange::of(quantity::DENSITY, 5.0);

    #[test]
    fn a_number_may_have_the_unit_of_its_field() {
        let metres = ["2.5", " 2,5 ", "2.5 m", "2.5m", "2.5e0 m"].map(|text| read(text, &SIZE).ok());
        assert_eq!(metres, [Some(2.5); 5]);
        let densities = ["500 kg/m³", "500kg/m3", "500 kg / m^3"].map(|text| read(text, &DENSE).ok());
        assert_eq!(densities, [Some(500.0); 3]);
        assert_eq!(["−30°", "-30 °"].map(|text| read(text, &DEGREES).ok()), [Some(-30.0); 2]);
    }

    #[test]
    fn what_is_no_number_of_the_field_is_refused_with_the_reason() {
        let why = |text: &str| read(text, &SIZE).expect_err("no size");
        assert_eq!(why("30cm"), "`30cm` is no number in m.");
        assert_eq!(["NaN", "1/8", "inf", "m"].map(|text| why(text).contains("is no number in m")), [true; 4]);
        assert_eq!(why(" "), "A number is needed.");
        assert_eq!(why("0"), "Allowed is above 0 m, at most 1.00e5 m, not 0.");
        assert_eq!(["-1", "1e9", "1e300"].map(|text| why(text).starts_with("Allowed is above 0 m")), [true; 3]);
        assert_eq!(read("1.5", &UNIT), Err("Allowed is 0 to 1, not 1.5.".into()));
        assert_eq!(read("1e-4", &SIZE), Ok(1e-4), "smaller than what one drags to");
    }

    #[test]
    fn only_a_cap_can_be_typed_as_no_limit() {
        assert_eq!(read(NO_LIMIT, &DragRange::of(quantity::MOTOR_FORCE, 1.0).cap()), Ok(UNBOUNDED));
        assert!(read(NO_LIMIT, &SIZE).is_err());
    }
}
