//! Counts what a sweep costs: bytes transferred between memory and chip, and arithmetic operations.
//!
//! Each entry that a kernel uses counts once per pass, twice if it is read and written: caches are assumed to hold
//! what neighbouring threads share (a body's velocity is read by all of its constraints), and nothing from one pass
//! to the next. So this is a lower bound for a large scene; a scene that fits into the cache transfers less.

use super::chains::WIDTH;
use super::kernels::{Kernel, touched};
use super::layout::Granularity;
use super::solver_config::Scheme;

/// The cost of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Bytes per constraint.
    pub bytes: f64,
    /// Additions and multiplications per constraint.
    pub operations: f64,
    /// Number of kernels that wait for each other.
    pub passes: u32,
}

/// The size of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub bodies: usize,
    pub constraints: usize,
    /// Passes through memory for chains, see [`chains::passes`](super::chains::passes).
    pub passes: u32,
}

/// The kernels of one sweep.
pub fn kernels(scheme: Scheme, passes: u32) -> Vec<Kernel> {
    match scheme {
        Scheme::Printed => vec![Kernel::MultipliersTotal, Kernel::VelocitiesTotal],
        Scheme::Incremental => vec![Kernel::MultipliersIncrement, Kernel::VelocitiesIncrement],
        Scheme::OnePass => vec![Kernel::OnePass],
        Scheme::Coloured => vec![Kernel::Coloured],
        Scheme::Exact => vec![Kernel::TreeFirst],
        Scheme::Cyclic if passes == 0 => vec![Kernel::CyclicWhole, Kernel::VelocitiesIncrement],
        Scheme::Cyclic => {
            let mut list = vec![Kernel::CyclicReduce; passes as usize];
            list.insert(0, Kernel::CyclicRows);
            list.extend([Kernel::CyclicFinish, Kernel::VelocitiesIncrement]);
            list
        }
    }
}

/// Bytes that a kernel transfers in a scene of these sizes.
pub fn bytes(kernel: Kernel, bodies: usize, constraints: usize) -> u64 {
    let entries = |per: Granularity| match per {
        Granularity::Step => 0,
        Granularity::Body => bodies,
        Granularity::Constraint | Granularity::Link => constraints,
        Granularity::End => 2 * constraints,
        // A tree that is held has one body per joint.
        Granularity::Node => constraints,
        // One entry per body of the longest tree, shared by all trees: negligible.
        Granularity::Level => 0,
        // Assumes that all lanes of each workgroup are in use.
        Granularity::Group => constraints.div_ceil(WIDTH as usize),
    };
    let used = kernel.uses().iter();
    used.map(|used| entries(used.buffer().per()) as u64 * touched(kernel, used.buffer()) * used.times()).sum()
}

/// Additions and multiplications of a kernel, counted in its shader: a cross product has 9, a dot product 5, a
/// symmetric matrix times a vector 15. `constraints_per_body` is the mean number of constraints at a body.
fn operations(kernel: Kernel, bodies: usize, constraints: usize, constraints_per_body: f64) -> f64 {
    let (bodies, constraints) = (bodies as f64, constraints as f64);
    // Gathering for one body: impulse and moment added up for each list entry; then times 1/m and I⁻¹.
    let gathered = constraints_per_body * (3.0 + 9.0 + 3.0) + 3.0 + 15.0;
    match kernel {
        // Velocities of two points, their difference and the bias; the block, ω, the sum.
        Kernel::MultipliersTotal | Kernel::MultipliersIncrement => {
            constraints * (2.0 * (9.0 + 3.0) + 6.0 + 15.0 + 3.0 + 3.0)
        }
        Kernel::VelocitiesTotal | Kernel::VelocitiesIncrement => bodies * (gathered + 6.0),
        // Gathering for both bodies, one sign per entry more; velocities of their points, and as above.
        Kernel::OnePass => {
            constraints * (2.0 * (gathered + 3.0 * constraints_per_body + 9.0 + 3.0) + 6.0 + 15.0 + 3.0 + 3.0)
        }
        // As for the multipliers; then for both bodies the moment, I⁻¹, 1/m and the sums.
        Kernel::Coloured => constraints * (2.0 * (9.0 + 3.0) + 6.0 + 15.0 + 3.0 + 2.0 * (9.0 + 15.0 + 3.0 + 6.0)),
        // M̂⁻¹ twice, made of two symmetric and two general products and two sums; velocities of four points and the
        // error; T twice, two moments; the sums of f̂, η, Δu, λ and V.
        Kernel::TreeFirst => {
            constraints * (2.0 * 66.0 + 4.0 * 12.0 + 9.0 + 2.0 * 15.0 + 2.0 * 9.0 + 6.0 + 3.0 + 6.0 + 3.0 + 6.0)
        }
        Kernel::CyclicRows => constraints * ROW_OF_CHAIN,
        // Both neighbours' blocks are inverted.
        Kernel::CyclicReduce => constraints * (2.0 * INVERSE + PASS),
        Kernel::CyclicFinish => constraints * IN_GROUP,
        Kernel::CyclicWhole => constraints * (ROW_OF_CHAIN + IN_GROUP),
        _ => 0.0,
    }
}

/// Inverting a symmetric matrix by LDLᵀ.
const INVERSE: f64 = 30.0;
/// D of two bodies and U of one, each three columns of two cross products and I⁻¹; ρ.
const ROW_OF_CHAIN: f64 = 3.0 * (3.0 * (9.0 + 15.0 + 9.0 + 1.0)) + 9.0 + 2.0 * (9.0 + 3.0) + 6.0;
/// Four products of two matrices, a fifth for U, two matrix–vector products, and the sums.
const PASS: f64 = 5.0 * 45.0 + 2.0 * 15.0 + 2.0 * (6.0 + 3.0) + 9.0;
/// Six passes within a workgroup, an inverse in each and one at the end.
const IN_GROUP: f64 = 6.0 * (INVERSE + PASS) + INVERSE + 15.0 + 3.0;

/// The cost of a sweep per constraint.
pub fn sweep(scheme: Scheme, work: Workload) -> Cost {
    let Workload { bodies, constraints, passes } = work;
    let constraints_per_body = 2.0 * constraints as f64 / bodies.max(1) as f64;
    let kernels = kernels(scheme, passes);
    let each =
        |of: &dyn Fn(Kernel) -> f64| kernels.iter().map(|kernel| of(*kernel)).sum::<f64>() / constraints.max(1) as f64;
    Cost {
        bytes: each(&|kernel| bytes(kernel, bodies, constraints) as f64),
        operations: each(&|kernel| operations(kernel, bodies, constraints, constraints_per_body)),
        // At least as many turns as constraints meet at a body.
        passes: if scheme == Scheme::Coloured { constraints_per_body.ceil() as u32 } else { kernels.len() as u32 },
    }
}

/// Bytes per constraint of a sweep over the rows of ball-sockets: see `shaders/gpu_lanes.wgsl`.
pub fn lanes(at_once: bool, bodies: usize, constraints: usize) -> f64 {
    // Ends, five planes of three rows, the inverse, the impulses read and written.
    let rows = 8 + 3 * 5 * 16 + 3 * 16 + 2 * 3 * 8;
    let bodies = bodies as f64 / constraints.max(1) as f64;
    if at_once {
        // Changes written and gathered by a list; velocities read, then read and written.
        f64::from(rows + 2 * 64 + 2 * 4) + bodies * (32.0 + 4.0 + 64.0)
    } else {
        // Each constraint accesses both bodies.
        f64::from(rows + 2 * 2 * 32)
    }
}

/// The kernels of a step besides its sweeps, without warm starting.
pub fn around(scheme: Scheme, passes: u32) -> Vec<Kernel> {
    use Kernel::{
        Free, Inertia, Offset, Poses, Rows, Store, TreeAgain, TreeFactor, VelocitiesIncrement, VelocitiesTotal,
    };
    // Trees and chains are solved a second time to remove rounding errors.
    let between = match scheme {
        Scheme::OnePass => vec![Offset, VelocitiesTotal],
        Scheme::Exact => vec![TreeFactor, TreeAgain, VelocitiesIncrement],
        Scheme::Cyclic => kernels(scheme, passes),
        Scheme::Printed | Scheme::Incremental | Scheme::Coloured => Vec::new(),
    };
    [vec![Inertia, Free, Rows], between, vec![Store, Poses]].concat()
}

/// Bytes that a step with `iterations` sweeps transfers.
pub fn step(scheme: Scheme, iterations: u32, work: Workload) -> f64 {
    let bytes_of = |k: &Kernel| bytes(*k, work.bodies, work.constraints);
    let sum = |kernels: Vec<Kernel>| kernels.iter().map(bytes_of).sum::<u64>() as f64;
    // Trees are solved once and refined once, whatever the number of sweeps.
    let exact = matches!(scheme, Scheme::Exact | Scheme::Cyclic);
    let sweeps = if exact { iterations.min(1) } else { iterations };
    sum(around(scheme, work.passes)) + f64::from(sweeps) * sum(kernels(scheme, work.passes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beads in chains of forty, as in `delassus bench-gpu`; the world counts as a body.
    fn beads(chains: usize) -> Workload {
        Workload { bodies: 40 * chains + 1, constraints: 39 * chains, passes: 0 }
    }

    /// The tables of docs/gpu.md must have these numbers.
    #[test]
    fn the_page_says_what_is_counted() {
        let page = include_str!("../../../docs/gpu.md");
        for scheme in Scheme::ALL {
            let Cost { bytes, operations, passes } = sweep(scheme, beads(2500));
            let name = scheme.name();
            let line = format!("| `{name}` | {passes} | {bytes:.0} | {operations:.0} | {:.2} |", operations / bytes);
            assert!(page.contains(&line), "{line}");
            for chains in [2500, 25_000] {
                let step = step(scheme, 20, beads(chains));
                let at = |bandwidth: f64| bandwidth / step;
                let line = format!(
                    "| {} beads, `{name}` | {:.0} | {:.0} | {:.0} |",
                    40 * chains,
                    step * 1e-6,
                    at(272e9),
                    at(4.8e12)
                );
                assert!(page.contains(&line), "{line}");
            }
        }
    }

    /// For a long chain, with one body per constraint: the sums of the tables in `kernels.rs` and `layout.rs`, by
    /// hand.
    #[test]
    fn a_sweep_in_one_pass_moves_at_most_160_bytes_a_constraint() {
        let long = Workload { bodies: 1_000_000, constraints: 1_000_000, passes: 14 };
        let bytes_of = |scheme| sweep(scheme, long).bytes;
        // Ends, start, two entries of the list, rows, inverses, λ read and written.
        assert_eq!(bytes_of(Scheme::OnePass), f64::from(8 + 4 + 2 * 4 + 64 + 32 + 16 + 16));
        assert!(bytes_of(Scheme::OnePass) <= 160.0);
        // Ends, velocities, rows, λ twice; start, entries, levers, inverses, λ, V* and V.
        let passes = (8 + 32 + 64 + 2 * 16) + (4 + 2 * 4 + 32 + 32 + 16 + 32 + 32);
        assert_eq!(bytes_of(Scheme::Printed), f64::from(passes));
        // Δλ in addition to λ; V changed in place instead of V* read and V written.
        assert_eq!(bytes_of(Scheme::Incremental), f64::from(passes + 16));
    }

    /// Beads on strings of forty, as 001 has them: 40 bodies to 39 joints.
    #[test]
    fn beads_on_strings_move_at_most_160_bytes_a_constraint() {
        assert!(sweep(Scheme::OnePass, beads(2500)).bytes <= 160.0);
    }
}
