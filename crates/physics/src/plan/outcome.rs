//! Who made a step, and why not another.

/// Who made a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The device: see [`crate::device`].
    Device,
    /// Mechanisms in SIMD lanes and other islands in batches: see [`crate::articulations`] and [`crate::batches`].
    /// With the name of the setting that keeps trees of joints out of the lanes, if one does.
    Batched(Option<&'static str>),
    /// All bodies together, for this reason.
    Whole(WholeReason),
}

impl Default for Route {
    fn default() -> Self {
        Self::Whole(WholeReason::default())
    }
}

/// Why all bodies are stepped together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WholeReason {
    /// There are so few that nothing is gained by dividing them.
    #[default]
    FewBodies,
    /// The rows are read after the step, or recorded.
    RowsAreRead,
    /// The setting of this name has a value under which an island's result depends on other islands.
    Setting(&'static str),
    /// Bodies follow movers.
    Movers,
    /// Forces or drag act on bodies.
    Forces,
    /// A joint has stabilisation settings of its own.
    OwnStabilization,
    /// Bodies may touch.
    Contacts,
    /// All bodies hang together.
    OneIsland,
}
