// 001, compute_inertia: the inverse inertia in world axes.
//
//     I⁻¹ = R I₀⁻¹ Rᵀ,   column by column: R (I₀⁻¹ (Rᵀ e))

@group(0) @binding(1) var<storage, read> poses: array<vec4f>;
@group(0) @binding(4) var<storage, read> masses: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> inverses: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = own(id, groups);
    if body >= config.bodies { return; }
    let low = masses[2u * body];
    let high = masses[2u * body + 1u];
    let local = inertia(low, high);
    // Of a ball R cancels: nothing is to be lost by rounding.
    if all(local.off == vec3f(0.0)) && local.on.x == local.on.y && local.on.y == local.on.z {
        inverses[2u * body] = low;
        inverses[2u * body + 1u] = high;
        return;
    }
    let q = poses[2u * body + 1u];
    let x = turned(q, times(local, turned_back(q, vec3f(1.0, 0.0, 0.0))));
    let y = turned(q, times(local, turned_back(q, vec3f(0.0, 1.0, 0.0))));
    let z = turned(q, times(local, turned_back(q, vec3f(0.0, 0.0, 1.0))));
    inverses[2u * body] = vec4f(low.x, x.x, y.y, z.z);
    inverses[2u * body + 1u] = vec4f(0.5 * (x.y + y.x), 0.5 * (x.z + z.x), 0.5 * (y.z + z.y), 0.0);
}
