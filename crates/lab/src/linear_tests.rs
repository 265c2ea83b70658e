//! Chapter 5's systems to the printed digit, and properties of others that are known analytically.

use super::*;

/// As the book prints it, with two decimals.
fn printed(system: &LinearSystem, sweeps: usize) -> Vec<String> {
    let iteration = system.sweep(Sweep::GaussSeidel, sweeps);
    iteration.iterates[1..].iter().map(|x| format!("{:.2} {:.2}", x[0], x[1])).collect()
}

#[test]
fn the_books_first_table_to_the_printed_digit() {
    let [(.., first), ..] = examples();
    let rows = ["6.00 -8.50", "31.50 -59.50", "184.50 -365.50", "1102.50 -2201.50", "6610.50 -13217.50"];
    assert_eq!(printed(&first, 5), rows);
    // vᵀ M v = −8 for v = (−2, 1); no row is dominant; T multiplies the error by (4/2)·3 = 6.
    let verdict = first.verdict(Sweep::GaussSeidel);
    assert!(!verdict.definite && !verdict.symmetric && !verdict.dominant[0] && !verdict.dominant[1]);
    assert!((verdict.radius - 6.0).abs() < 1e-12, "{}", verdict.radius);
}

#[test]
fn the_books_second_table_to_the_printed_digit() {
    let [_, (.., second), ..] = examples();
    assert_eq!(printed(&second, 5), ["2.00 0.75", "1.75 0.88", "1.71 0.90", "1.70 0.90", "1.70 0.90"]);
    let solution = second.solution().expect("it has one");
    assert!((solution[0] - 1.7).abs() < 1e-12 && (solution[1] - 0.9).abs() < 1e-12);
    let verdict = second.verdict(Sweep::GaussSeidel);
    assert!(verdict.definite && verdict.dominant[0] && verdict.dominant[1]);
    // T = [[0, −1/3], [0, 1/6]]
    assert!((verdict.radius - 1.0 / 6.0).abs() < 1e-12);
    // T = [[0, −1/3], [−1/2, 0]], eigenvalues ±√(1/6)
    assert!((second.verdict(Sweep::Jacobi(1.0)).radius - (1.0f64 / 6.0).sqrt()).abs() < 1e-12);
}

#[test]
fn a_rods_contacts_push_or_are_free() {
    let rod = |b| LinearSystem::new([[4.0, -2.0], [-2.0, 4.0]], b).non_negative();
    for (b, x) in [([1.0, 1.0], [0.5, 0.5]), ([1.0, -0.2], [0.3, 0.1]), ([1.0, -0.8], [0.25, 0.0])] {
        let found = rod(b).solution().expect("it has one");
        assert!((found[0] - x[0]).abs() < 1e-12 && (found[1] - x[1]).abs() < 1e-12, "{b:?}: {found:?}");
        for how in [Sweep::GaussSeidel, Sweep::Jacobi(1.0)] {
            let iteration = rod(b).sweep(how, 60);
            let last = iteration.iterates.last().expect("there is one");
            assert!((last[0] - x[0]).abs() < 1e-12 && (last[1] - x[1]).abs() < 1e-12, "{b:?} {how:?}: {last:?}");
            assert!(iteration.residuals.last().is_some_and(|residual| *residual < 1e-11));
        }
    }
}

#[test]
fn a_matrix_can_be_definite_and_jacobi_runs_away() {
    let (.., system) = examples()[3];
    let verdict = system.verdict(Sweep::GaussSeidel);
    assert!(verdict.symmetric && verdict.definite && !verdict.dominant[0] && verdict.radius < 1.0);
    // I − D⁻¹A has the eigenvalue 1 − (1 + 2·0.8) for (1, 1, 1).
    assert!((system.verdict(Sweep::Jacobi(1.0)).radius - 1.6).abs() < 1e-9);
    assert!((system.verdict(Sweep::Jacobi(0.5)).radius - 0.9).abs() < 1e-9, "1 − ½·0.2 is the largest then");
    let away = system.sweep(Sweep::Jacobi(1.0), 200);
    assert!(away.iterates.len() < 100 && away.residuals.last().is_some_and(|residual| *residual > 1e9));
}

#[test]
fn the_chapters_conditions_are_neither_enough_nor_needed() {
    // T = [[0, −a₁₂], [0, a₁₂ a₂₁]] if the diagonal is 1.
    for (example, definite, radius) in [(4, true, 25.0), (5, false, 0.6)] {
        let (.., system) = examples()[example];
        let verdict = system.verdict(Sweep::GaussSeidel);
        assert_eq!((verdict.definite, verdict.symmetric), (definite, false));
        assert!((verdict.radius - radius).abs() < 1e-9 && !verdict.dominant[0], "{}", verdict.radius);
        assert_eq!(system.solution().map(|x| x.map(f64::round)), Some([1.0, 1.0, 0.0, 0.0]));
    }
}

#[test]
fn a_chains_radius_is_the_squared_cosine() {
    // Jacobi on n beads: cos(π/(n + 1)); Gauss–Seidel on a consistently ordered matrix: its square (Young 1971).
    let (.., chain) = examples()[6];
    let cosine = (std::f64::consts::PI / 5.0).cos();
    assert!((chain.verdict(Sweep::Jacobi(1.0)).radius - cosine).abs() < 1e-12);
    assert!((chain.verdict(Sweep::GaussSeidel).radius - cosine * cosine).abs() < 1e-12);
}

#[test]
fn redundant_rows_have_no_single_solution() {
    let (.., twice) = examples()[7];
    assert_eq!(twice.solution(), None);
    let iteration = twice.sweep(Sweep::GaussSeidel, 1);
    assert_eq!(iteration.residuals, [1.0, 0.0], "yet one is found");
    assert!((twice.verdict(Sweep::GaussSeidel).radius - 1.0).abs() < 1e-12, "what cannot be seen stays");
}

#[test]
fn a_diagonal_of_nothing_moves_nothing() {
    let system = LinearSystem::new([[0.0, 1.0], [1.0, 1.0]], [1.0, 1.0]);
    let iteration = system.sweep(Sweep::GaussSeidel, 3);
    assert!(iteration.iterates.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(iteration.iterates[1][0], 0.0);
}
