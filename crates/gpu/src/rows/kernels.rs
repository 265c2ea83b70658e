//! The kernels that sweep rows, and the buffers that each uses, by binding.

use crate::constants::with_header;
use crate::device::Device;

/// A buffer of the row sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowBuffer {
    Velocities,
    // Lanes, see `pack.rs`.
    Shapes,
    Ends,
    Rows,
    Limits,
    Impulses,
    Changes,
    Starts,
    List,
    // Trees, see `articulations.rs`.
    Trees,
    Nodes,
    TreeRows,
    Factors,
    TreeImpulses,
    Work,
}

/// Their names in labels and messages.
pub const BUFFERS: [(RowBuffer, &str); 15] = [
    (RowBuffer::Velocities, "velocities"),
    (RowBuffer::Shapes, "shapes of rows"),
    (RowBuffer::Ends, "ends of lanes"),
    (RowBuffer::Rows, "lanes of rows"),
    (RowBuffer::Limits, "limits of rows"),
    (RowBuffer::Impulses, "impulses"),
    (RowBuffer::Changes, "changes of lanes"),
    (RowBuffer::Starts, "starts of lanes"),
    (RowBuffer::List, "list of lanes"),
    (RowBuffer::Trees, "trees"),
    (RowBuffer::Nodes, "nodes of trees"),
    (RowBuffer::TreeRows, "rows of trees"),
    (RowBuffer::Factors, "factors of trees"),
    (RowBuffer::TreeImpulses, "impulses of trees"),
    (RowBuffer::Work, "changes of trees"),
];

/// A kernel of the row sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKernel {
    /// Gauss–Seidel: the lanes of one colour.
    InTurn,
    /// Jacobi: all lanes, which write their changes of the velocities.
    AtOnce,
    /// Jacobi: adds up the changes by body.
    Gather,
    /// The same for the split position correction.
    CorrectInTurn,
    CorrectAtOnce,
    GatherCorrections,
    /// Trees, and their split position correction.
    Tree,
    CorrectTree,
    /// The same for Jacobi, all trees at once.
    TreeAtOnce,
    CorrectTreeAtOnce,
}

/// A kernel's entry point, whether it is for the split position correction, and the buffers that it uses with their
/// bindings.
pub struct KernelEntry {
    function: &'static str,
    corrects: bool,
    /// Its name in tables.
    pub name: &'static str,
    pub uses: &'static [(u32, RowBuffer)],
}

const LANES: &str = concat!(
    include_str!("../../../../shaders/gpu_lanes.wgsl"),
    include_str!("../../../../shaders/gpu_block.wgsl"),
    include_str!("../../../../shaders/gpu_friction.wgsl")
);
const ARTICULATIONS: &str = include_str!("../../../../shaders/gpu_articulations.wgsl");

const fn entry(
    function: &'static str,
    [name, correction]: [&'static str; 2],
    corrects: bool,
    uses: &'static [(u32, RowBuffer)],
) -> KernelEntry {
    KernelEntry { function, corrects, name: if corrects { correction } else { name }, uses }
}

/// Indexed by [`RowKernel`].
pub const KERNELS: [KernelEntry; 10] = {
    use RowBuffer::{
        Changes, Ends, Factors, Impulses, Limits, List, Nodes, Rows, Shapes, Starts, TreeImpulses, TreeRows, Trees,
        Velocities, Work,
    };
    const TURN: &[(u32, RowBuffer)] = &[(0, Shapes), (1, Ends), (2, Rows), (3, Limits), (4, Impulses), (5, Velocities)];
    const ONCE: &[(u32, RowBuffer)] =
        &[(0, Shapes), (1, Ends), (2, Rows), (3, Limits), (4, Impulses), (5, Velocities), (6, Changes)];
    const GATHER: &[(u32, RowBuffer)] = &[(5, Velocities), (6, Changes), (7, Starts), (8, List)];
    const TREE: &[(u32, RowBuffer)] =
        &[(0, Trees), (1, Nodes), (2, TreeRows), (3, Factors), (4, TreeImpulses), (5, Velocities), (6, Work)];
    const APART: &[(u32, RowBuffer)] = &[
        (0, Trees),
        (1, Nodes),
        (2, TreeRows),
        (3, Factors),
        (4, TreeImpulses),
        (5, Velocities),
        (6, Work),
        (7, Changes),
    ];
    const NAMES: [[&str; 2]; 5] = [
        ["rows in turn", "corrections in turn"],
        ["rows at once", "corrections at once"],
        ["gather", "gather corrections"],
        ["trees", "corrections of trees"],
        ["trees at once", "corrections of trees at once"],
    ];
    [
        entry("in_turn", NAMES[0], false, TURN),
        entry("at_once", NAMES[1], false, ONCE),
        entry("gather", NAMES[2], false, GATHER),
        entry("in_turn", NAMES[0], true, TURN),
        entry("at_once", NAMES[1], true, ONCE),
        entry("gather", NAMES[2], true, GATHER),
        entry("trees_in_turn", NAMES[3], false, TREE),
        entry("trees_in_turn", NAMES[3], true, TREE),
        entry("trees_at_once", NAMES[4], false, APART),
        entry("trees_at_once", NAMES[4], true, APART),
    ]
};

/// The pipelines of all kernels, indexed by [`RowKernel`].
pub fn pipelines(device: &Device) -> Vec<wgpu::ComputePipeline> {
    let module = |label, source: &str| {
        let source = wgpu::ShaderSource::Wgsl(with_header(source).into());
        device.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
    };
    let (lanes, articulations) = (module("lanes", LANES), module("articulations", ARTICULATIONS));
    let pipeline = |entry: &KernelEntry| {
        let constants = [("SIDE", f64::from(u8::from(entry.corrects)))];
        device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry.name),
            layout: None,
            module: if entry.function.starts_with("trees") { &articulations } else { &lanes },
            entry_point: Some(entry.function),
            compilation_options: wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() },
            cache: None,
        })
    };
    KERNELS.iter().map(pipeline).collect()
}
