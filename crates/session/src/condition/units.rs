//! Units in which the numbers of a condition may be written.

use std::f64::consts::PI;

/// Unit, the SI unit that it is a multiple of, and the factor.
const UNITS: &[(&str, &str, f64)] = &[
    ("µm", "m", 1e-6),
    ("mm", "m", 1e-3),
    ("cm", "m", 1e-2),
    ("km", "m", 1e3),
    ("ms", "s", 1e-3),
    ("µm/s", "m/s", 1e-6),
    ("mm/s", "m/s", 1e-3),
    ("cm/s", "m/s", 1e-2),
    ("µrad", "rad", 1e-6),
    ("mrad", "rad", 1e-3),
    ("deg", "rad", PI / 180.0),
    ("°", "rad", PI / 180.0),
    ("mrad/s", "rad/s", 1e-3),
    ("deg/s", "rad/s", PI / 180.0),
    ("rpm", "rad/s", PI / 30.0),
    ("mN", "N", 1e-3),
    ("kN", "N", 1e3),
    ("Nm", "N·m", 1.0),
    ("kN·m", "N·m", 1e3),
    ("mJ", "J", 1e-3),
    ("kJ", "J", 1e3),
    ("Ns", "N·s", 1.0),
];

/// The size of `unit` in a quantity's own unit. A quantity may have several own units, one per kind of joint.
///
/// # Errors
/// It is not a unit of this quantity.
pub(crate) fn factor(unit: &str, own_units: &str, name: &str) -> Result<f64, String> {
    let mut all = own_units.split(", ");
    if all.clone().any(|own_unit| own_unit == unit) {
        return Ok(1.0);
    }
    let known = UNITS.iter().filter(|(written, ..)| *written == unit);
    match known.clone().find(|(_, si, _)| all.any(|own_unit| own_unit == *si)) {
        Some((.., factor)) => Ok(*factor),
        None if own_units.is_empty() => Err(format!("`{name}` has no unit, not `{unit}`")),
        None => Err(format!("`{name}` is in {own_units}: `{unit}` is no unit of it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_taken_where_it_fits() {
        assert_eq!(factor("mm", "m", "z"), Ok(1e-3));
        assert_eq!(factor("deg", "rad, m", "value"), Ok(PI / 180.0));
        assert_eq!(factor("m", "rad, m", "value"), Ok(1.0));
        assert!(factor("J", "m", "z").is_err_and(|said| said == "`z` is in m: `J` is no unit of it"));
        assert!(factor("m", "", "contacts").is_err_and(|said| said.contains("has no unit")));
    }
}
