//! The compute kernels, and the buffers that each reads and writes. Some are those of document 001 (see
//! `docs/math.md`). A kernel has one thread per body, constraint or tree, or one workgroup per group of chains.
//!
//! wgpu derives each pipeline's layout from the buffers that its shader uses, and rejects a bind group with more or
//! fewer buffers. So these lists agree with the shaders, and `traffic.rs` can count memory transfers from them.

use super::layout::{Buffer, Granularity};

/// Threads per workgroup.
pub const LANES: u32 = 64;

/// A kernel: a stage of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// The bodies' inverse inertia in world axes.
    Inertia,
    /// The velocities without constraint impulses.
    Free,
    /// The rows of the constraints, and the impulses from which the sweeps start.
    Rows,
    /// A Jacobi sweep in two passes, with velocities from the total λ or by increments.
    MultipliersTotal,
    VelocitiesTotal,
    MultipliersIncrement,
    VelocitiesIncrement,
    /// Jacobi in one pass per sweep: the preparation, the first sweep, and later ones.
    Offset,
    OnePassFirst,
    OnePass,
    /// One colour of a Gauss–Seidel sweep.
    Coloured,
    /// Exact solution of trees: the factorization, the first solve, and later ones.
    TreeFactor,
    TreeFirst,
    TreeAgain,
    /// Chains by cyclic reduction: their rows, a pass through memory, the final part in a workgroup, and all of it in
    /// one kernel.
    CyclicRows,
    CyclicReduce,
    CyclicFinish,
    CyclicWhole,
    /// Stores the impulses in A's axes for the next sub-step and the read-outs, with the residual.
    Store,
    /// Moves the poses with the velocities.
    Poses,
}

/// A buffer and its access by a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read(Buffer),
    Write(Buffer),
    /// Reads and writes.
    Change(Buffer),
}

impl Use {
    /// The buffer.
    pub fn buffer(self) -> Buffer {
        match self {
            Self::Read(buffer) | Self::Write(buffer) | Self::Change(buffer) => buffer,
        }
    }

    /// Number of memory transfers per entry.
    pub fn times(self) -> u64 {
        if matches!(self, Self::Change(_)) { 2 } else { 1 }
    }
}

/// A shader's source: the common part followed by the named ones.
macro_rules! shader {
    ($($name:literal),*) => {
        concat!(
            include_str!("../../../shaders/gpu_common.wgsl"),
            $(include_str!(concat!("../../../shaders/gpu_", $name, ".wgsl"))),*
        )
    };
}

impl Kernel {
    /// All kernels.
    pub const ALL: [Self; 20] = [
        Self::Inertia,
        Self::Free,
        Self::Rows,
        Self::MultipliersTotal,
        Self::VelocitiesTotal,
        Self::MultipliersIncrement,
        Self::VelocitiesIncrement,
        Self::Offset,
        Self::OnePassFirst,
        Self::OnePass,
        Self::Coloured,
        Self::TreeFactor,
        Self::TreeFirst,
        Self::TreeAgain,
        Self::CyclicRows,
        Self::CyclicReduce,
        Self::CyclicFinish,
        Self::CyclicWhole,
        Self::Store,
        Self::Poses,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inertia => "inertia",
            Self::Free => "free velocities",
            Self::Rows => "rows",
            Self::MultipliersTotal => "multipliers",
            Self::VelocitiesTotal => "velocities",
            Self::MultipliersIncrement => "multipliers, increment",
            Self::VelocitiesIncrement => "velocities, increment",
            Self::Offset => "offset",
            Self::OnePassFirst => "one pass, first",
            Self::OnePass => "one pass",
            Self::Coloured => "coloured",
            Self::TreeFactor => "trees, factors",
            Self::TreeFirst => "trees, solve",
            Self::TreeAgain => "trees, refine",
            Self::CyclicRows => "chains, rows",
            Self::CyclicReduce => "chains, pass",
            Self::CyclicFinish => "chains, finish",
            Self::CyclicWhole => "chains, solve",
            Self::Store => "store",
            Self::Poses => "poses",
        }
    }

    /// Its source text and entry point.
    pub fn source(self) -> (&'static str, &'static str) {
        match self {
            Self::Inertia => (shader!("inertia"), "main"),
            Self::Free => (shader!("free"), "main"),
            Self::Rows => (shader!("rows"), "main"),
            Self::MultipliersTotal => (shader!("multipliers"), "total"),
            Self::VelocitiesTotal => (shader!("velocities"), "total"),
            Self::MultipliersIncrement => (shader!("multipliers"), "increment"),
            Self::VelocitiesIncrement => (shader!("velocities"), "increment"),
            Self::Offset => (shader!("offset"), "main"),
            Self::OnePassFirst => (shader!("one_pass"), "first"),
            Self::OnePass => (shader!("one_pass"), "sweep"),
            Self::Coloured => (shader!("coloured"), "main"),
            Self::TreeFactor => (shader!("symmetric", "trees"), "factor"),
            Self::TreeFirst => (shader!("symmetric", "trees"), "first"),
            Self::TreeAgain => (shader!("symmetric", "trees"), "again"),
            Self::CyclicRows => (shader!("symmetric", "cyclic"), "assemble"),
            Self::CyclicReduce => (shader!("symmetric", "cyclic"), "reduce"),
            Self::CyclicFinish => (shader!("symmetric", "cyclic"), "finish"),
            Self::CyclicWhole => (shader!("symmetric", "cyclic"), "whole_chains"),
            Self::Store => (shader!("store"), "main"),
            Self::Poses => (shader!("poses"), "main"),
        }
    }

    /// What one thread (or workgroup) works on.
    pub fn per(self) -> Granularity {
        match self {
            Self::Inertia | Self::Free | Self::VelocitiesTotal | Self::VelocitiesIncrement | Self::Poses => {
                Granularity::Body
            }
            Self::TreeFactor | Self::TreeFirst | Self::TreeAgain => Granularity::Node,
            Self::CyclicFinish | Self::CyclicWhole => Granularity::Group,
            _ => Granularity::Constraint,
        }
    }

    /// The buffers that it uses besides the configuration.
    pub fn uses(self) -> &'static [Use] {
        use Buffer::{
            Anchors, Blocks, Ends, Factors, Free, Groups, Inverses, Levels, Links, List, Masses, Multipliers, Nodes,
            Others, Poses, Rows, Starts, Velocities, Work,
        };
        use Use::{Change, Read, Write};
        match self {
            Self::Inertia => &[Read(Poses), Read(Masses), Write(Inverses)],
            Self::Free => &[Change(Velocities), Write(Free), Read(Masses)],
            Self::Rows => &[
                Read(Poses),
                Read(Inverses),
                Read(Starts),
                Read(Ends),
                Read(Anchors),
                Write(Rows),
                Change(Multipliers),
            ],
            Self::MultipliersTotal => &[Read(Velocities), Read(Ends), Read(Rows), Change(Multipliers)],
            Self::VelocitiesTotal => &[
                Write(Velocities),
                Read(Free),
                Read(Inverses),
                Read(Starts),
                Read(List),
                Read(Rows),
                Read(Multipliers),
            ],
            Self::MultipliersIncrement => {
                &[Read(Velocities), Read(Ends), Read(Rows), Change(Multipliers), Write(Others)]
            }
            Self::VelocitiesIncrement => {
                &[Change(Velocities), Read(Inverses), Read(Starts), Read(List), Read(Rows), Read(Others)]
            }
            Self::Offset => &[Read(Free), Read(Ends), Change(Rows)],
            Self::OnePassFirst => &[Read(Rows), Read(Multipliers), Write(Others)],
            Self::OnePass => {
                &[Read(Inverses), Read(Starts), Read(List), Read(Ends), Read(Rows), Read(Multipliers), Write(Others)]
            }
            Self::Coloured => &[Change(Velocities), Read(Inverses), Read(Ends), Read(Rows), Change(Multipliers)],
            Self::TreeFactor => &[Read(Inverses), Read(Rows), Read(Nodes), Read(Levels), Write(Factors)],
            Self::TreeFirst => &[
                Change(Velocities),
                Read(Rows),
                Change(Multipliers),
                Read(Nodes),
                Read(Levels),
                Read(Factors),
                Change(Work),
            ],
            Self::TreeAgain => &[
                Read(Velocities),
                Read(Rows),
                Change(Multipliers),
                Write(Others),
                Read(Nodes),
                Read(Levels),
                Read(Factors),
                Change(Work),
            ],
            Self::CyclicRows => &[Read(Velocities), Read(Inverses), Read(Ends), Read(Rows), Read(Links), Write(Blocks)],
            Self::CyclicReduce => &[Read(Links), Change(Blocks)],
            Self::CyclicFinish => &[Change(Multipliers), Write(Others), Read(Links), Read(Groups), Read(Blocks)],
            Self::CyclicWhole => &[
                Read(Velocities),
                Read(Inverses),
                Read(Ends),
                Read(Rows),
                Change(Multipliers),
                Write(Others),
                Read(Links),
                Read(Groups),
            ],
            Self::Store => &[Read(Poses), Read(Velocities), Read(Ends), Read(Anchors), Change(Multipliers)],
            Self::Poses => &[Change(Poses), Change(Velocities)],
        }
    }
}

/// Bytes transferred per entry and access; less than the stride if a kernel reads only a part of the entry.
pub fn touched(kernel: Kernel, buffer: Buffer) -> u64 {
    match (kernel, buffer) {
        // The two lever arms, without bias and block.
        (Kernel::VelocitiesTotal | Kernel::VelocitiesIncrement | Kernel::TreeFactor, Buffer::Rows) => 32,
        // Lever arms and bias.
        (Kernel::CyclicRows | Kernel::CyclicWhole, Buffer::Rows) => 48,
        // Trees are traversed twice: to the root with the bias, back without.
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Rows) => 48 + 32,
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Nodes | Buffer::Factors) => 2 * buffer.stride(),
        // Three vectors of 16 bytes (the planes of `shaders/gpu_trees.wgsl`): all are written and read once, and two
        // are written again. The velocities are read, then read and written.
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Work) => 64,
        (Kernel::TreeFirst, Buffer::Velocities) => 48,
        // One of the two halves.
        (_, Buffer::Blocks) => buffer.stride() / 2,
        // Each constraint accesses both of its bodies.
        (Kernel::Coloured, Buffer::Velocities | Buffer::Inverses) => 2 * buffer.stride(),
        _ => buffer.stride(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// wgpu guarantees only eight storage buffers per stage.
    #[test]
    fn no_kernel_uses_more_buffers_than_every_device_has() {
        for kernel in Kernel::ALL {
            let promised = wgpu::Limits::default().max_storage_buffers_per_shader_stage as usize;
            assert!(kernel.uses().len() <= promised, "{}", kernel.name());
        }
    }
}
