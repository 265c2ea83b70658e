//! The buffers: structures of arrays, as named in document 001, with their contents and bytes per entry.
//!
//! WGSL aligns three-component vectors to four, so related data fill the fourth component: a constraint's two lever
//! arms, bias and inverse block, 15 numbers, take four vectors. A buffer has the same binding number in all shaders.

/// What one entry of a buffer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    Step,
    Body,
    Constraint,
    /// An end of a constraint.
    End,
    /// A body of a tree.
    Node,
    /// An elimination step of all trees.
    Level,
    /// A constraint of a chain.
    Link,
    /// A workgroup that solves chains.
    Group,
}

/// The number of entries of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    pub bodies: usize,
    pub constraints: usize,
    pub nodes: usize,
    /// Number of elimination steps of the longest tree.
    pub levels: usize,
    /// Constraints of chains, and the workgroups that solve them.
    pub links: usize,
    pub groups: usize,
}

/// A buffer; its number is its binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Buffer {
    /// The parameters of a step: see `solver_config.rs`.
    Config = 0,
    /// 001 `pos`, `rot`: position, m, and a fault mark (0: none); rotation x y z w.
    Poses = 1,
    /// 001 `lin_vel`, `ang_vel`, with their deltas: V^k, m/s and rad/s.
    Velocities = 2,
    /// V*, laid out likewise.
    Free = 3,
    /// 001 `lin_mass_inv` and the inverse of `ang_mass_local`: (1/m, xx, yy, zz), (xy, xz, yz, –), 1/kg and
    /// 1/(kg·m²), body frame.
    Masses = 4,
    /// The same with `ang_mass_inv`, world frame.
    Inverses = 5,
    /// 001 `ic0`.
    Starts = 6,
    /// 001 `constraint_list`, with the side in the lowest bit.
    List = 7,
    /// 001 `ib0`, `ib1`.
    Ends = 8,
    /// 001 `r0`, `r1`: anchors in the body frames, m.
    Anchors = 9,
    /// 001 `jacobian`, `violations`, `delassus_inv`: s_A, m; r_B, m; b, m/s; the inverse block, kg, its diagonal in
    /// the fourth components of these, the rest in the last vector.
    Rows = 10,
    /// 001 `multiplier`: λ, N·s; between steps in A's axes, with the residual, m/s, in the fourth component.
    Multipliers = 11,
    /// Δλ, or λ of the next sweep.
    Others = 12,
    /// Bodies of trees in the order of their elimination: see `trees.rs`.
    Nodes = 13,
    /// Where each elimination step begins in the nodes, then the total number of nodes twice.
    Levels = 14,
    /// The factors of each node: seven planes, see `shaders/gpu_trees.wgsl`.
    Factors = 15,
    /// Δu and z of a solve: three planes, m/s, rad/s and N·s.
    Work = 16,
    /// Position of each constraint in its chain: see `chains.rs`.
    Links = 17,
    /// The constraints of each workgroup.
    Groups = 18,
    /// Block rows of chains during cyclic reduction, in two halves: D and U, 1/kg, ρ, m/s; see
    /// `shaders/gpu_cyclic.wgsl`.
    Blocks = 19,
}

impl Buffer {
    /// All of them, in the order of their bindings.
    pub const ALL: [Self; 20] = [
        Self::Config,
        Self::Poses,
        Self::Velocities,
        Self::Free,
        Self::Masses,
        Self::Inverses,
        Self::Starts,
        Self::List,
        Self::Ends,
        Self::Anchors,
        Self::Rows,
        Self::Multipliers,
        Self::Others,
        Self::Nodes,
        Self::Levels,
        Self::Factors,
        Self::Work,
        Self::Links,
        Self::Groups,
        Self::Blocks,
    ];

    /// What one entry belongs to.
    pub fn per(self) -> Granularity {
        match self {
            Self::Config => Granularity::Step,
            Self::Poses | Self::Velocities | Self::Free | Self::Masses | Self::Inverses | Self::Starts => {
                Granularity::Body
            }
            Self::List => Granularity::End,
            Self::Ends | Self::Anchors | Self::Rows | Self::Multipliers | Self::Others => Granularity::Constraint,
            Self::Nodes | Self::Factors | Self::Work => Granularity::Node,
            Self::Levels => Granularity::Level,
            Self::Links | Self::Blocks => Granularity::Link,
            Self::Groups => Granularity::Group,
        }
    }

    /// Bytes per entry.
    pub fn stride(self) -> u64 {
        match self {
            Self::Config => 48,
            Self::Poses | Self::Velocities | Self::Free | Self::Masses | Self::Inverses | Self::Anchors => 32,
            Self::Starts | Self::List | Self::Levels => 4,
            Self::Ends => 8,
            Self::Rows => 64,
            Self::Multipliers | Self::Others | Self::Nodes | Self::Links | Self::Groups => 16,
            Self::Factors => 7 * 16,
            Self::Work => 3 * 16,
            Self::Blocks => 2 * 5 * 16,
        }
    }

    /// Its size in bytes for these sizes. At least 64: an empty buffer cannot be bound.
    pub fn bytes(self, sizes: Sizes) -> u64 {
        let entries = match self.per() {
            Granularity::Step => 1,
            // `Starts` has one more entry, the end of the list.
            Granularity::Body => sizes.bodies + usize::from(self == Self::Starts),
            Granularity::Constraint => sizes.constraints,
            Granularity::End => 2 * sizes.constraints,
            Granularity::Node => sizes.nodes,
            Granularity::Level => sizes.levels + 2,
            Granularity::Link => sizes.links,
            Granularity::Group => sizes.groups,
        };
        (entries as u64 * self.stride()).max(64)
    }

    /// Its name in labels and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Poses => "poses",
            Self::Velocities => "velocities",
            Self::Free => "free velocities",
            Self::Masses => "masses",
            Self::Inverses => "inverse inertias",
            Self::Starts => "starts",
            Self::List => "list of constraints",
            Self::Ends => "ends",
            Self::Anchors => "anchors",
            Self::Rows => "rows",
            Self::Multipliers => "multipliers",
            Self::Others => "other multipliers",
            Self::Nodes => "bodies of trees",
            Self::Levels => "levels of trees",
            Self::Factors => "factors of trees",
            Self::Work => "changes of trees",
            Self::Links => "links of chains",
            Self::Groups => "workgroups of chains",
            Self::Blocks => "rows of chains",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_are_places_in_the_list() {
        for (place, buffer) in Buffer::ALL.into_iter().enumerate() {
            assert_eq!(buffer as usize, place, "{}", buffer.name());
        }
    }
}
