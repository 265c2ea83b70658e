//! The structure of A, the order in which it is eliminated, and the impulses that cancel.

use delassus_lab::{BlockCell, EliminationOrder, Matrix, TracedStep};
use delassus_physics::settings::Settings;
use delassus_physics::trace::Depth;
use delassus_scene::read_str;

use super::{run, world};

fn of(scene: &str, steps: u32) -> (TracedStep, Matrix) {
    let mut world = world(scene, &[]);
    run(&mut world, steps);
    let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
    let matrix = Matrix::of(&traced, None).expect("rows that hold");
    (traced, matrix)
}

/// J M⁻¹ Jᵀ of the two factors as they are drawn is A, except for γ on the diagonal.
#[test]
fn the_factors_multiply_to_the_matrix() {
    for (scene, steps) in [("book/12-stack", 200), ("lab/10-four-bar", 20), ("jacobi/01-chain-40", 20)] {
        let (traced, matrix) = of(scene, steps);
        let (rows, columns) = (matrix.size(), 6 * matrix.bodies.len());
        let mut halves = vec![0.0; rows * columns];
        for (at, half) in halves.iter_mut().enumerate() {
            let (row, column) = (at / columns, at % columns);
            let body = 6 * (column / 6);
            let through =
                (body..body + 6).map(|k| matrix.jacobian(&traced, row, k) * matrix.inverse_mass(&traced, k, column));
            *half = through.sum();
        }
        for i in 0..rows {
            for j in 0..rows {
                let product: f64 = (0..columns).map(|k| halves[i * columns + k] * matrix.jacobian(&traced, j, k)).sum();
                let gamma = if i == j { f64::from(traced.rows[matrix.rows[i]].gamma) } else { 0.0 };
                let scale = (matrix.cell(i, i) * matrix.cell(j, j)).sqrt();
                let off = (product + gamma - matrix.cell(i, j)).abs();
                assert!(off < 1e-4 * scale, "{scene}: A({i}, {j}) = {}, J M⁻¹ Jᵀ = {product}", matrix.cell(i, j));
            }
        }
    }
}

/// The pattern matches the numbers: eliminating A row by row in the given order leaves zero wherever the pattern is
/// empty and fills in exactly where it says; eliminating a tree from its leaves fills in nothing.
#[test]
fn the_order_of_elimination_fills_in_what_it_says() {
    for (scene, loops) in [("jacobi/01-chain-40", false), ("lab/10-four-bar", true), ("lab/16-rope-bridge", true)] {
        let (traced, matrix) = of(scene, 12);
        if matrix.all > matrix.size() {
            continue;
        }
        let elimination = EliminationOrder::of(&traced, &matrix.parts);
        assert_eq!(elimination.closing > 0, loops, "{scene}: {} close loops", elimination.closing);
        if !loops {
            assert_eq!(elimination.filled, 0, "{scene}");
        }
        let mut sorted = elimination.order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..matrix.parts.len()).collect::<Vec<_>>(), "{scene}: each block once");
        // The rows in the order of their blocks, and the position of each one's block.
        let rows: Vec<(usize, usize)> = (elimination.order.iter().enumerate())
            .flat_map(|(place, part)| {
                let part = matrix.parts[*part];
                (part.first..part.first + part.count).map(move |row| (place, row))
            })
            .collect();
        let n = rows.len();
        let mut a: Vec<Vec<f64>> =
            rows.iter().map(|(_, i)| rows.iter().map(|(_, j)| matrix.cell(*i, *j)).collect()).collect();
        let mut filled = vec![0.0f64; matrix.parts.len().pow(2)];
        for k in 0..n {
            let pivot = a[k].clone();
            // A redundant row has no pivot left.
            if pivot[k].abs() < 1e-9 * matrix.cell(rows[k].1, rows[k].1) {
                continue;
            }
            for line in a.iter_mut().skip(k + 1) {
                let factor = line[k] / pivot[k];
                line.iter_mut().zip(&pivot).skip(k).for_each(|(cell, of)| *cell -= factor * of);
            }
            for i in k + 1..n {
                for j in k + 1..n {
                    let at = rows[i].0 * matrix.parts.len() + rows[j].0;
                    filled[at] = filled[at].max(a[i][j].abs());
                }
            }
        }
        let mut seen = 0;
        for i in 0..matrix.parts.len() {
            for j in 0..i {
                let most = filled[i * matrix.parts.len() + j];
                match elimination.cell(i, j) {
                    BlockCell::Empty => assert_eq!(most, 0.0, "{scene}: blocks {i} and {j} are said to stay apart"),
                    BlockCell::Filled => seen += usize::from(most > 0.0),
                    BlockCell::Coupled => {}
                }
            }
        }
        assert_eq!(seen, elimination.filled, "{scene}: what is said to fill in does");
    }
}

/// In a star of rods that all meet at the hub, the scene's order, which takes the hub's own joint first, couples
/// everything anyway. A comb eliminated from its spine has fill-in that elimination from its teeth does not have.
#[test]
fn a_comb_fills_in_from_the_wrong_end() {
    let (mut bodies, mut joints) = (String::new(), String::new());
    let count = 5;
    for k in 0..count {
        bodies += &format!("(name: \"spine{k}\", shape: Sphere(radius: 0.1), at: ({k}, 0, 2), collide: false),");
        bodies += &format!("(name: \"tooth{k}\", shape: Sphere(radius: 0.1), at: ({k}, 0, 1), collide: false),");
        joints += &format!("(a: \"spine{k}\", b: \"tooth{k}\", anchor: ({k}, 0, 1.5), kind: BallSocket),");
        if k > 0 {
            joints += &format!("(a: \"spine{}\", b: \"spine{k}\", anchor: ({k}, 0, 2), kind: BallSocket),", k - 1);
        }
    }
    let text = format!(
        "(version: 1, title: \"comb\", settings: (preset: SingleStep), bodies: [{bodies}], joints: [{joints}])"
    );
    let loaded = read_str(&text, "comb").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let traced = TracedStep::of(&loaded.flat.world(Settings::default()), Depth::Sweeps).expect("a step");
    let matrix = Matrix::of(&traced, None).expect("rows");
    let elimination = EliminationOrder::of(&traced, &matrix.parts);
    assert_eq!((elimination.filled, elimination.closing), (0, 0));
    assert_eq!(matrix.parts.len(), 2 * count - 1);
}

/// Impulses that cancel: A λ = 0 up to rounding, with as many patterns as there are redundant rows. A box on four
/// points has one normal too many; a door on three hinges has two hinges' worth of redundant rows.
#[test]
fn null_vectors_move_nothing() {
    let mut found = 0;
    for (scene, steps) in
        [("book/12-stack", 200), ("lab/12-watt", 30), ("lab/18-drawbridge", 30), ("lab/16-rope-bridge", 10)]
    {
        let (_, matrix) = of(scene, steps);
        let vectors = matrix.null_vectors();
        assert_eq!(vectors.len(), matrix.redundant(), "{scene}");
        found += vectors.len();
        let scale = matrix.eigenvalues[0];
        for vector in &vectors {
            assert!((vector.iter().fold(0.0f64, |most, part| most.max(part.abs())) - 1.0).abs() < 1e-9, "{scene}");
            for i in 0..matrix.size() {
                let moved: f64 = (0..matrix.size()).map(|j| matrix.cell(i, j) * vector[j]).sum();
                assert!(moved.abs() < 2e-3 * scale, "{scene}: row {i} is moved by {moved} of {scale}");
            }
        }
    }
    assert!(found > 0, "no scene has a row too many");
}
