// 001, update_multipliers: the first pass of a sweep, a thread a constraint.
//
//     Δλ = −ω A_ℓℓ⁻¹ (J V^k + b),   λ^{k+1} = λ^k + Δλ
//
// `total` keeps λ alone; `increment` hands Δλ on, too.

@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;
@group(0) @binding(12) var<storage, read_write> others: array<vec4f>;

fn change(index: u32) -> vec3f {
    let pair = ends[index];
    let s_a = rows[4u * index];
    let r_b = rows[4u * index + 1u];
    let bias = rows[4u * index + 2u];
    let inverted = Symmetric(vec3f(s_a.w, r_b.w, bias.w), rows[4u * index + 3u].xyz);
    let at_a = velocities[2u * pair.x].xyz + cross(velocities[2u * pair.x + 1u].xyz, s_a.xyz);
    let at_b = velocities[2u * pair.y].xyz + cross(velocities[2u * pair.y + 1u].xyz, r_b.xyz);
    return -config.omega * times(inverted, at_b - at_a + bias.xyz);
}

@compute @workgroup_size(LANES)
fn total(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    multipliers[index] += vec4f(change(index), 0.0);
}

@compute @workgroup_size(LANES)
fn increment(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    let by = vec4f(change(index), 0.0);
    multipliers[index] += by;
    others[index] = by;
}
