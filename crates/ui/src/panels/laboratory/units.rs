//! The units of a row's numbers.

use delassus_lab::RowDetails;

/// The unit names of a row's quantities.
pub struct Units {
    pub speed: &'static str,
    pub mass: &'static str,
    /// Of K and γ.
    pub inverse: &'static str,
    pub impulse: &'static str,
    pub force: &'static str,
}

/// The units of a linear or an angular row.
pub fn of(row: &RowDetails) -> Units {
    if row.is_angular() {
        Units { speed: "rad/s", mass: "kg·m²", inverse: "1/(kg·m²)", impulse: "N·m·s", force: "N·m" }
    } else {
        Units { speed: "m/s", mass: "kg", inverse: "1/kg", impulse: "N·s", force: "N" }
    }
}

/// Four digits without a metric prefix, for units that begin with a number, such as 1/kg.
pub fn plain(value: f64, unit: &str) -> String {
    let size = value.abs();
    let text = if value == 0.0 || (1e-3..1e5).contains(&size) {
        let digits = if size >= 1.0 { 3 - size.log10().floor().clamp(0.0, 3.0) as usize } else { 4 };
        format!("{value:.digits$}")
    } else {
        format!("{value:.2e}")
    };
    format!("{} {unit}", text.replace('-', "−"))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_without_prefix_have_four_digits() {
        assert_eq!(plain(0.0844, "1/kg"), "0.0844 1/kg");
        assert_eq!(plain(12.345, "1/kg"), "12.35 1/kg");
        assert_eq!(plain(-4321.0, "1/kg"), "−4321 1/kg");
        assert_eq!(plain(2.5e-7, "1/kg"), "2.50e−7 1/kg");
    }
}
