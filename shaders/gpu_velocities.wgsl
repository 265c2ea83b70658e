// 001, update_velocities: the second pass of a sweep, a thread a body that gathers from its constraints.
//
//     V^{k+1} = V* + M⁻¹ Jᵀ λ^{k+1}        `total`, as 001 prints it: from the whole of λ each time
//     V^{k+1} = V^k + M⁻¹ Jᵀ Δλ            `increment`: rounds off as the processor's sweep does
//
// A body's list has the constraints at it, each with the side that it is on in the lowest bit.

@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> free: array<vec4f>;
@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(6) var<storage, read> starts: array<u32>;
@group(0) @binding(7) var<storage, read> list: array<u32>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read> multipliers: array<vec4f>;
@group(0) @binding(12) var<storage, read> others: array<vec4f>;

struct Momentum { linear: vec3f, angular: vec3f }

// Jᵀ λ on a body, of an entry of its list.
fn gathered(sum: Momentum, entry: u32, impulse: vec3f) -> Momentum {
    let index = entry >> 1u;
    if (entry & 1u) == 0u {
        return Momentum(sum.linear - impulse, sum.angular - cross(rows[4u * index].xyz, impulse));
    }
    return Momentum(sum.linear + impulse, sum.angular + cross(rows[4u * index + 1u].xyz, impulse));
}

fn add(body: u32, low: vec4f, sum: Momentum, linear: vec4f, angular: vec4f) {
    let turning = times(inertia(low, inverses[2u * body + 1u]), sum.angular);
    velocities[2u * body] = linear + vec4f(low.x * sum.linear, 0.0);
    velocities[2u * body + 1u] = angular + vec4f(turning, 0.0);
}

@compute @workgroup_size(LANES)
fn total(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = own(id, groups);
    if body >= config.bodies { return; }
    let low = inverses[2u * body];
    if low.x == 0.0 { return; }
    var sum = Momentum(vec3f(0.0), vec3f(0.0));
    for (var i = starts[body]; i < starts[body + 1u]; i++) {
        sum = gathered(sum, list[i], multipliers[list[i] >> 1u].xyz);
    }
    add(body, low, sum, free[2u * body], free[2u * body + 1u]);
}

@compute @workgroup_size(LANES)
fn increment(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = own(id, groups);
    if body >= config.bodies { return; }
    let low = inverses[2u * body];
    if low.x == 0.0 { return; }
    var sum = Momentum(vec3f(0.0), vec3f(0.0));
    for (var i = starts[body]; i < starts[body + 1u]; i++) {
        sum = gathered(sum, list[i], others[list[i] >> 1u].xyz);
    }
    add(body, low, sum, velocities[2u * body], velocities[2u * body + 1u]);
}
