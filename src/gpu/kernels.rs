//! The kernels: 001's, a thread a body or a constraint, and which buffers each reads and writes.
//!
//! wgpu makes each pipeline's layout of what its shader uses, and refuses a list of buffers that has one more or
//! fewer: so the lists here, by which `traffic.rs` counts, are those of the shaders.

use super::layout::{Buffer, Per};

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

/// A shader's text behind what all have in common.
macro_rules! shader {
    ($name:literal) => {
        concat!(
            include_str!("../../shaders/gpu_common.wgsl"),
            include_str!(concat!("../../shaders/gpu_", $name, ".wgsl"))
        )
    };
}

impl Kernel {
    /// All of them.
    pub const ALL: [Self; 12] = [
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
            Self::Store => (shader!("store"), "main"),
            Self::Poses => (shader!("poses"), "main"),
        }
    }

    /// What a thread of it is for.
    pub fn per(self) -> Per {
        match self {
            Self::Inertia | Self::Free | Self::VelocitiesTotal | Self::VelocitiesIncrement | Self::Poses => Per::Body,
            _ => Per::Constraint,
        }
    }

    /// The buffers that it uses beside the course.
    pub fn uses(self) -> &'static [Use] {
        use Buffer::{
            Anchors, Ends, Free, Inverses, List, Masses, Multipliers, Others, Poses, Rows, Starts, Velocities,
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
            Self::Store => &[Read(Poses), Read(Velocities), Read(Ends), Read(Anchors), Change(Multipliers)],
            Self::Poses => &[Change(Poses), Change(Velocities)],
        }
    }
}

/// A kernel's part in a sweep reads less of an entry than there is.
pub fn touched(kernel: Kernel, buffer: Buffer) -> u64 {
    match (kernel, buffer) {
        // The two levers alone, without bias and block.
        (Kernel::VelocitiesTotal | Kernel::VelocitiesIncrement, Buffer::Rows) => 32,
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
