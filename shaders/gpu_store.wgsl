// What a sub-step leaves of its impulses: in A's axes, where the next one and the read-outs find them, with the speed
// by which the constraint is still wrong.
//
//     λ₀ = R_Aᵀ λ,   residual = max |R_Aᵀ (J V + b)|

@group(0) @binding(1) var<storage, read> poses: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(9) var<storage, read> anchors: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    let pair = ends[index];
    let x_a = poses[2u * pair.x].xyz;
    let q_a = poses[2u * pair.x + 1u];
    let p_a = x_a + turned(q_a, anchors[2u * index].xyz);
    let r_b = turned(poses[2u * pair.y + 1u], anchors[2u * index + 1u].xyz);
    let p_b = poses[2u * pair.y].xyz + r_b;
    let at_a = velocities[2u * pair.x].xyz + cross(velocities[2u * pair.x + 1u].xyz, p_b - x_a);
    let at_b = velocities[2u * pair.y].xyz + cross(velocities[2u * pair.y + 1u].xyz, r_b);
    let wrong = abs(turned_back(q_a, at_b - at_a + config.rate * (p_b - p_a)));
    multipliers[index] = vec4f(turned_back(q_a, multipliers[index].xyz), max(wrong.x, max(wrong.y, wrong.z)));
}
