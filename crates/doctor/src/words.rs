//! Text that several rules share.

use super::{DoctorCase, Fix};
use delassus_physics::plan::{self, Path};
use delassus_physics::setting::Value;
use delassus_physics::settings::{RowSolve, Settings};
use delassus_physics::solvers;
use delassus_scene::words::counted;

/// The names of joints, up to a readable number.
pub fn names(case: &DoctorCase<'_>, joints: &[usize]) -> String {
    const MAX_NAMES: usize = 6;
    let names: Vec<String> = joints.iter().take(MAX_NAMES).map(|joint| case.joint(*joint).to_owned()).collect();
    match (joints.len(), names.split_last()) {
        (0, _) | (_, None) => String::new(),
        (1, Some((only, _))) => only.clone(),
        (2..=MAX_NAMES, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (count, Some(_)) => format!("{} and {} more", names.join(", "), count - MAX_NAMES),
    }
}

/// "1 degree of freedom".
pub fn degrees(count: usize) -> String {
    counted(count, "degree", "degrees") + " of freedom"
}

/// Number of sweeps for a decimal digit if each sweep multiplies the error by `rho`.
pub fn digit(rho: f64) -> f64 {
    (std::f64::consts::LN_10 / -rho.ln()).round()
}

/// Describes the convergence within a step if each sweep multiplies the error by `rho`.
pub fn sweeps(settings: &Settings, rho: f64) -> String {
    if solvers::of(settings.solver.method).exact {
        return "the direct solver is not affected".into();
    }
    format!("a digit takes about {} sweeps, and a step has {}", digit(rho), settings.sweeps() * settings.step.substeps)
}

/// A change of a setting as the label of a button.
pub fn change(name: &str, value: Value) -> String {
    match (name, value) {
        ("solver.method", Value::Choice("Direct")) => "Use the direct solver".into(),
        ("solver.rows", Value::Choice("Mechanism")) => "Solve mechanisms exactly".into(),
        ("step.substeps", Value::Int(substeps)) => format!("Use {substeps} sub-steps"),
        ("contact.impacts", Value::Choice("Propagate")) => "Pass impacts on pair by pair".into(),
        ("stabilization.geometric_stiffness", _) => "Use geometric stiffness".into(),
        _ => format!("Set {name}={value}"),
    }
}

/// The setting that solves the rows of joints exactly: mechanisms as blocks, or the direct solver if this is set already
/// or the other settings do not allow it.
pub fn exact_solver_setting(settings: &Settings) -> (&'static str, Value) {
    let mut changed = *settings;
    changed.solver.rows = RowSolve::Mechanism;
    if settings.solver.rows != RowSolve::Mechanism && plan::takes(Path::Mechanisms, &changed) {
        ("solver.rows", Value::Choice("Mechanism"))
    } else {
        ("solver.method", Value::Choice("Direct"))
    }
}

/// The direct solver as a cure.
pub const DIRECT: Fix = Fix::Set { name: "solver.method", value: Value::Choice("Direct") };

/// A number with three significant digits.
pub fn number(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.2e}")
    } else {
        // 0.0999996 is written as 0.100.
        let decimals = (2 - (size * 1.0005).log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 1.0, -12.345, 0.0123, 999.6, 1e6, 2e-5, 0.099_999_6].map(number);
        assert_eq!(shown, ["0", "1.00", "-12.3", "0.0123", "1000", "1.00e6", "2.00e-5", "0.100"]);
    }
}
