// The right side of a sweep in one pass (gpu_one_pass.wgsl), once a sub-step: what is wrong with the free velocities.
//
//     b' = b + J V*

@group(0) @binding(3) var<storage, read> free: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(10) var<storage, read_write> rows: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    let pair = ends[index];
    let at_a = free[2u * pair.x].xyz + cross(free[2u * pair.x + 1u].xyz, rows[4u * index].xyz);
    let at_b = free[2u * pair.y].xyz + cross(free[2u * pair.y + 1u].xyz, rows[4u * index + 1u].xyz);
    rows[4u * index + 2u] += vec4f(at_b - at_a, 0.0);
}
