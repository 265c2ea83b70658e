//! The kernels that sweep rows, and the buffers that each uses by its binding.

use crate::gpu::device::Device;

/// A buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
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
    // Trees, see `forest.rs`.
    Trees,
    Nodes,
    TreeRows,
    Factors,
    TreeImpulses,
    Work,
}

/// Their names in messages.
pub const BUFFERS: [(Buffer, &str); 15] = [
    (Buffer::Velocities, "velocities"),
    (Buffer::Shapes, "shapes of rows"),
    (Buffer::Ends, "ends of lanes"),
    (Buffer::Rows, "lanes of rows"),
    (Buffer::Limits, "limits of rows"),
    (Buffer::Impulses, "impulses"),
    (Buffer::Changes, "changes of lanes"),
    (Buffer::Starts, "starts of lanes"),
    (Buffer::List, "list of lanes"),
    (Buffer::Trees, "trees"),
    (Buffer::Nodes, "nodes of trees"),
    (Buffer::TreeRows, "rows of trees"),
    (Buffer::Factors, "factors of trees"),
    (Buffer::TreeImpulses, "impulses of trees"),
    (Buffer::Work, "changes of trees"),
];

/// A kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    InTurn,
    AtOnce,
    Gather,
    /// The same for the split position correction.
    CorrectInTurn,
    CorrectAtOnce,
    GatherCorrections,
    /// Trees, and their split correction.
    Tree,
    CorrectTree,
}

/// A kernel's text and function, and the buffers that it uses, each with its binding.
pub struct Entry {
    source: &'static str,
    function: &'static str,
    pub uses: &'static [(u32, Buffer)],
}

const LANES: &str = include_str!("../../../shaders/gpu_lanes.wgsl");
const FOREST: &str = include_str!("../../../shaders/gpu_forest.wgsl");

/// By their numbers.
pub const KERNELS: [Entry; 8] = {
    use Buffer::{
        Changes, Ends, Factors, Impulses, Limits, List, Nodes, Rows, Shapes, Starts, TreeImpulses, TreeRows, Trees,
        Velocities, Work,
    };
    const TURN: &[(u32, Buffer)] = &[(0, Shapes), (1, Ends), (2, Rows), (3, Limits), (4, Impulses), (5, Velocities)];
    const ONCE: &[(u32, Buffer)] =
        &[(0, Shapes), (1, Ends), (2, Rows), (3, Limits), (4, Impulses), (5, Velocities), (6, Changes)];
    const GATHER: &[(u32, Buffer)] = &[(5, Velocities), (6, Changes), (7, Starts), (8, List)];
    const TREE: &[(u32, Buffer)] =
        &[(0, Trees), (1, Nodes), (2, TreeRows), (3, Factors), (4, TreeImpulses), (5, Velocities), (6, Work)];
    [
        Entry { source: LANES, function: "in_turn", uses: TURN },
        Entry { source: LANES, function: "at_once", uses: ONCE },
        Entry { source: LANES, function: "gather", uses: GATHER },
        Entry { source: LANES, function: "correct_in_turn", uses: TURN },
        Entry { source: LANES, function: "correct_at_once", uses: ONCE },
        Entry { source: LANES, function: "gather_corrections", uses: GATHER },
        Entry { source: FOREST, function: "sweep", uses: TREE },
        Entry { source: FOREST, function: "correct", uses: TREE },
    ]
};

impl Entry {
    /// Its function's name.
    pub fn name(&self) -> &'static str {
        self.function
    }
}

/// All kernels of a device, by their numbers.
pub fn pipelines(device: &Device) -> Vec<wgpu::ComputePipeline> {
    let module = |label, source: &'static str| {
        let source = wgpu::ShaderSource::Wgsl(source.into());
        device.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
    };
    let (lanes, forest) = (module("lanes", LANES), module("forest", FOREST));
    let pipeline = |entry: &Entry| {
        device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry.function),
            layout: None,
            module: if entry.source == FOREST { &forest } else { &lanes },
            entry_point: Some(entry.function),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    };
    KERNELS.iter().map(pipeline).collect()
}
