//! Quality settings of rendering.

/// The rendering quality that a machine can afford.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel: 1 or 4.
    pub samples: u32,
    /// Side of the shadow map, texels.
    pub shadow_map: u32,
    /// Penumbrae that widen with distance; otherwise hard shadows with a soft rim.
    pub soft_shadows: bool,
    /// Divides the screen radius that selects the level of detail of round meshes: 1 is the finest.
    pub coarseness: f32,
}

impl Quality {
    pub const FULL: Self = Self { samples: 4, shadow_map: 2048, soft_shadows: true, coarseness: 1.0 };
    pub const SOFTWARE: Self = Self { samples: 1, shadow_map: 1024, soft_shadows: false, coarseness: 2.5 };
}
