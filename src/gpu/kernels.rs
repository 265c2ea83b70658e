//! The kernels: 001's, a thread a body, a constraint or a tree, or a workgroup a chain, and which buffers each reads and writes.
//!
//! wgpu makes each pipeline's layout of what its shader uses, and refuses a list of buffers that has one more or
//! fewer: so the lists here, by which `traffic.rs` counts, are those of the shaders.

use super::layout::{Buffer, Granularity};

/// Threads of a group.
pub const LANES: u32 = 64;

/// A stage of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kernel {
    Inertia,
    Free,
    Rows,
    /// The two passes of a sweep, from the total λ and by increments.
    MultipliersTotal,
    VelocitiesTotal,
    MultipliersIncrement,
    VelocitiesIncrement,
    /// The sweep in one pass, with what comes before it.
    Offset,
    OnePassFirst,
    OnePass,
    /// A turn of Gauss–Seidel.
    Coloured,
    /// Trees solved exactly: the elimination, the first solve and those behind it.
    TreeFactor,
    TreeFirst,
    TreeAgain,
    /// Chains by cyclic reduction: their rows, a pass through memory, what a workgroup does of it, and all at once.
    CyclicRows,
    CyclicReduce,
    CyclicFinish,
    CyclicWhole,
    Store,
    Poses,
}

/// A buffer as a kernel uses it.
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

    /// How often an entry goes to or from the memory.
    pub fn times(self) -> u64 {
        if matches!(self, Self::Change(_)) { 2 } else { 1 }
    }
}

/// A shader's text behind what all have in common, and other parts.
macro_rules! shader {
    ($($name:literal),*) => {
        concat!(
            include_str!("../../shaders/gpu_common.wgsl"),
            $(include_str!(concat!("../../shaders/gpu_", $name, ".wgsl"))),*
        )
    };
}

impl Kernel {
    /// All of them.
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

    /// Its text and the name of its function there.
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

    /// What a thread of it is for.
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

    /// The buffers that it uses beside the config.
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

/// Bytes of an entry that come by in a pass: less than there are where a kernel reads a part of them.
pub fn touched(kernel: Kernel, buffer: Buffer) -> u64 {
    match (kernel, buffer) {
        // The two levers alone, without bias and block.
        (Kernel::VelocitiesTotal | Kernel::VelocitiesIncrement | Kernel::TreeFactor, Buffer::Rows) => 32,
        // Levers and bias.
        (Kernel::CyclicRows | Kernel::CyclicWhole, Buffer::Rows) => 48,
        // Trees are gone through twice: down with the bias, up without.
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Rows) => 48 + 32,
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Nodes | Buffer::Factors) => 2 * buffer.stride(),
        // Three planes written and read, and two written again; velocities read, and read and written.
        (Kernel::TreeFirst | Kernel::TreeAgain, Buffer::Work) => 64,
        (Kernel::TreeFirst, Buffer::Velocities) => 48,
        // One of the two halves.
        (_, Buffer::Blocks) => buffer.stride() / 2,
        // A body's comes by with each of its constraints, each in a turn of its own: two of a constraint.
        (Kernel::Coloured, Buffer::Velocities | Buffer::Inverses) => 2 * buffer.stride(),
        _ => buffer.stride(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// wgpu promises eight storage buffers a stage, and no more.
    #[test]
    fn no_kernel_uses_more_buffers_than_every_device_has() {
        for kernel in Kernel::ALL {
            let promised = wgpu::Limits::default().max_storage_buffers_per_shader_stage as usize;
            assert!(kernel.uses().len() <= promised, "{}", kernel.name());
        }
    }
}
