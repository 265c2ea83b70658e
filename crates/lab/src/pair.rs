//! Two bodies and the rows between them in numbers, in the notation of the book's chapters 2 to 4 and 7.
//!
//! ```text
//! u = (v_A, ω_A, v_B, ω_B)                    twelve numbers, m/s and rad/s
//! M⁻¹ = diag(1/m_A, I_A⁻¹, 1/m_B, I_B⁻¹)      12 × 12, per body three times 1/m and a 3 × 3 block
//! J = (−l, a_A, l, a_B)                       one line for each row
//! K = J M⁻¹ Jᵀ                                the velocity changes in all rows by a unit impulse in one of them
//! ```
//! World axes, with the poses at the time the rows were solved. Source: 004 ch. 2–4, 7; docs/math.md.

use glam::{Mat3, Vec3};

use super::{RowDetails, TracedStep};
use delassus_physics::row::Owner;
use delassus_physics::trace::StepStage;

/// Number of velocity components of two bodies.
pub const WIDE: usize = 12;

/// A joint or contact with the velocities and masses of its bodies, and its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoBodySystem {
    pub a: u32,
    pub b: u32,
    /// Indices into [`TracedStep::rows`].
    pub rows: Vec<usize>,
    /// Velocities after the forces of the step but before any impulse, and after the solve; m/s and rad/s.
    pub before: [f64; WIDE],
    pub after: [f64; WIDE],
    pub jacobian: Vec<[f64; WIDE]>,
    /// M⁻¹, 1/kg and 1/(kg·m²).
    pub inverse_mass: [[f64; WIDE]; WIDE],
    /// K, 1/kg, 1/(kg·m) or 1/(kg·m²).
    pub k: Vec<Vec<f64>>,
}

impl TwoBodySystem {
    /// Every owner of rows in the step with its two bodies, in the order of the rows.
    pub fn owners(traced: &TracedStep) -> Vec<(Owner, u32, u32)> {
        let mut owners: Vec<(Owner, u32, u32)> = Vec::new();
        for row in &traced.rows {
            if owners.last().is_none_or(|(last, ..)| *last != row.owner)
                && !owners.iter().any(|(known, ..)| *known == row.owner)
            {
                owners.push((row.owner, row.a, row.b));
            }
        }
        owners
    }

    /// The system of an owner in the traced step; `None` if it has no rows.
    pub fn of(traced: &TracedStep, owner: Owner) -> Option<Self> {
        let rows: Vec<&RowDetails> = traced.rows.iter().filter(|row| row.owner == owner).collect();
        let (a, b) = rows.first().map(|row| (row.a, row.b))?;
        let inverse_mass = inverse_mass(traced, [a, b]);
        let jacobian: Vec<[f64; WIDE]> = rows.iter().map(|row| line(row)).collect();
        let through = |p: &[f64; WIDE], q: &[f64; WIDE]| -> f64 {
            p.iter().zip(&inverse_mass).map(|(mine, masses)| mine * dot(masses, q)).sum()
        };
        let k = jacobian.iter().map(|p| jacobian.iter().map(|q| through(p, q)).collect()).collect();
        let velocities = |stage: fn(&StepStage) -> bool| {
            let moment = traced.trace.moments.iter().find(|moment| stage(&moment.stage));
            moment.map_or([0.0; WIDE], |moment| {
                let [va, vb] = [a, b].map(|id| moment.velocities[id as usize]);
                let parts: [Vec3; 4] = [va.linear.into(), va.angular.into(), vb.linear.into(), vb.angular.into()];
                wide(parts.map(|part| clean(part.to_array()).into()))
            })
        };
        Some(Self {
            a,
            b,
            rows: rows.iter().map(|row| row.index).collect(),
            before: velocities(|stage| *stage == StepStage::Forces),
            after: velocities(|stage| *stage == StepStage::Solved),
            jacobian,
            inverse_mass,
            k,
        })
    }

    /// The numbers of zeros in J and in M⁻¹.
    pub fn zeros(&self) -> (usize, usize) {
        let count = |lines: &[[f64; WIDE]]| lines.iter().flatten().filter(|cell| **cell == 0.0).count();
        (count(&self.jacobian), count(&self.inverse_mass))
    }

    /// J u for one of its rows, m/s or rad/s.
    pub fn rate(&self, row: usize, u: &[f64; WIDE]) -> f64 {
        dot(&self.jacobian[row], u)
    }
}

fn dot(p: &[f64; WIDE], q: &[f64; WIDE]) -> f64 {
    p.iter().zip(q).map(|(p, q)| p * q).sum()
}

fn wide(parts: [Vec3; 4]) -> [f64; WIDE] {
    std::array::from_fn(|i| f64::from(parts[i / 3][i % 3]))
}

/// Components below this share of the largest one next to them are rounding errors, and set to zero.
const ROUNDING: f32 = 1e-6;

fn clean<const N: usize>(cells: [f32; N]) -> [f32; N] {
    let largest = cells.iter().fold(0.0f32, |largest, cell| largest.max(cell.abs()));
    cells.map(|cell| if cell.abs() < ROUNDING * largest { 0.0 } else { cell })
}

fn line(row: &RowDetails) -> [f64; WIDE] {
    let j = &row.jacobian;
    let parts = [j.lin_a(), j.ang_a, j.lin, j.ang_b];
    clean(std::array::from_fn::<_, WIDE, _>(|i| parts[i / 3][i % 3])).map(f64::from)
}

fn inverse_mass(traced: &TracedStep, bodies: [u32; 2]) -> [[f64; WIDE]; WIDE] {
    let mut cells = [[0.0; WIDE]; WIDE];
    for (place, id) in bodies.into_iter().enumerate() {
        let body = &traced.after.state.bodies[id as usize];
        let turn = Mat3::from_quat(traced.trace.poses[id as usize].1);
        let inverse = turn * body.inv_inertia_local * turn.transpose();
        let inverse = Mat3::from_cols_array(&clean(inverse.to_cols_array()));
        let first = 6 * place;
        for i in 0..3 {
            cells[first + i][first + i] = f64::from(body.inv_mass);
            for k in 0..3 {
                cells[first + 3 + i][first + 3 + k] = f64::from(inverse.col(k)[i]);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::trace::Depth;
    use delassus_session::{Command, Session};

    fn traced_step(scene: &str, steps: usize) -> TracedStep {
        let scenes = delassus_scene::library::source_scenes();
        let mut session = Session::open(&scenes.join(scene)).expect("it can be read");
        (0..steps).for_each(|_| drop(session.dispatch(Command::Step)));
        TracedStep::of(session.world().expect("it has a world"), Depth::Sweeps).expect("a step can be made")
    }

    /// The diagonal of K is what the solver divides by, and K is symmetric.
    #[test]
    fn k_is_what_the_solver_works_with() {
        for (scene, steps) in [("rows/04-hinge.ron", 20), ("book/19-cv.ron", 20), ("book/12-stack.ron", 40)] {
            let traced = traced_step(scene, steps);
            let owners = TwoBodySystem::owners(&traced);
            assert!(!owners.is_empty(), "{scene}");
            for (owner, a, b) in owners {
                let pair = TwoBodySystem::of(&traced, owner).expect("it has rows");
                assert_eq!((pair.a, pair.b), (a, b));
                for (i, index) in pair.rows.iter().enumerate() {
                    let solver = f64::from(traced.rows[*index].k);
                    assert!(
                        (pair.k[i][i] - solver).abs() <= 1e-4 * solver.max(1e-3),
                        "{scene}: {} {solver}",
                        pair.k[i][i]
                    );
                    for j in 0..i {
                        assert!((pair.k[i][j] - pair.k[j][i]).abs() <= 1e-6 * pair.k[i][i].max(pair.k[j][j]));
                    }
                }
            }
        }
    }

    /// The velocity change by the impulses of a joint is M⁻¹ Jᵀ λ.
    #[test]
    fn the_velocities_change_by_m_inverse_times_j_transposed_times_lambda() {
        // The pendulum has one joint and no contacts.
        let traced = traced_step("book/08-pendulum.ron", 60);
        let [(owner, ..)] = TwoBodySystem::owners(&traced)[..] else { panic!("one joint has rows") };
        let pair = TwoBodySystem::of(&traced, owner).expect("it has rows");
        let impulse = |column: usize| -> f64 {
            let parts = pair.rows.iter().zip(&pair.jacobian);
            parts.map(|(index, line)| f64::from(traced.rows[*index].impulse) * line[column]).sum()
        };
        let push: [f64; WIDE] = std::array::from_fn(impulse);
        for (i, masses) in pair.inverse_mass.iter().enumerate() {
            let changed = pair.after[i] - pair.before[i];
            assert!((changed - dot(masses, &push)).abs() < 1e-4, "{i}: {changed} for {}", dot(masses, &push));
        }
        // The joint's rows are solved as a block: J u = −b in each of them.
        for (row, index) in pair.rows.iter().enumerate() {
            assert!((pair.rate(row, &pair.after) + f64::from(traced.rows[*index].bias)).abs() < 1e-3);
        }
    }

    /// A hinge has two rows without a linear part; M⁻¹ has three equal numbers and a 3 × 3 block per body.
    #[test]
    fn what_must_be_zero_is() {
        let traced = traced_step("rows/04-hinge.ron", 0);
        let (owner, ..) = TwoBodySystem::owners(&traced)[0];
        let pair = TwoBodySystem::of(&traced, owner).expect("it has rows");
        assert_eq!(pair.jacobian.len(), 5);
        for (line, index) in pair.jacobian.iter().zip(&pair.rows) {
            let angular = traced.rows[*index].is_angular();
            assert_eq!(line[..3].iter().chain(&line[6..9]).all(|cell| *cell == 0.0), angular);
        }
        let (_, zeros) = pair.zeros();
        assert!(zeros >= WIDE * WIDE - 2 * (3 + 9), "{zeros}");
    }
}
