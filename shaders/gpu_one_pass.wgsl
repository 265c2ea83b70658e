// A sweep in one pass over the constraints, 001's equation 30 without the matrix: the velocities are never written.
//
//     λ^{k+1} = λ^k − ω A_ℓℓ⁻¹ (b' + (A λ^k)_ℓ),   A = J M⁻¹ Jᵀ,   b' = b + J V* (gpu_offset.wgsl)
//
// It goes from one list of λ into another. (A λ)_ℓ is what the impulses at the constraint's two bodies make of their
// velocities, seen along it: each thread gathers both bodies' lists, so that the arithmetic grows with the square of
// what meets at a body, and the bytes do not where the caches hold neighbours. `first` is the sweep that leaves the old
// impulses out (001's warm start as printed, erratum 10).

@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(6) var<storage, read> starts: array<u32>;
@group(0) @binding(7) var<storage, read> list: array<u32>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read> multipliers: array<vec4f>;
@group(0) @binding(12) var<storage, read_write> others: array<vec4f>;

// What the impulses make of the velocity of a body's point.
fn pushed(body: u32, lever: vec3f) -> vec3f {
    let low = inverses[2u * body];
    if low.x == 0.0 { return vec3f(0.0); }
    var linear = vec3f(0.0);
    var angular = vec3f(0.0);
    for (var i = starts[body]; i < starts[body + 1u]; i++) {
        let other = list[i] >> 1u;
        let side = list[i] & 1u;
        let impulse = multipliers[other].xyz * select(-1.0, 1.0, side == 1u);
        linear += impulse;
        angular += cross(rows[4u * other + side].xyz, impulse);
    }
    return low.x * linear + cross(times(inertia(low, inverses[2u * body + 1u]), angular), lever);
}

fn swept(index: u32, impulse: vec3f, speed: vec3f) -> vec4f {
    let inverted = Symmetric(
        vec3f(rows[4u * index].w, rows[4u * index + 1u].w, rows[4u * index + 2u].w),
        rows[4u * index + 3u].xyz,
    );
    return vec4f(impulse - config.omega * times(inverted, speed), 0.0);
}

@compute @workgroup_size(LANES)
fn sweep(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    let pair = ends[index];
    let pushed_a = pushed(pair.x, rows[4u * index].xyz);
    let pushed_b = pushed(pair.y, rows[4u * index + 1u].xyz);
    let speed = rows[4u * index + 2u].xyz + pushed_b - pushed_a;
    others[index] = swept(index, multipliers[index].xyz, speed);
}

@compute @workgroup_size(LANES)
fn first(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    others[index] = swept(index, multipliers[index].xyz, rows[4u * index + 2u].xyz);
}
