// 001, compute_violation_and_jacobian_and_delassus, and the impulses that the sweeps start from.
//
//     C = p_B − p_A,   b = (β/h) C,   s_A = p_B − x_A,   r_B = p_B − x_B
//     A_ℓℓ = n_A (1/m_A + [s_A]× I_A⁻¹ [s_A]×ᵀ) + n_B (1/m_B + [r_B]× I_B⁻¹ [r_B]×ᵀ)
//     [s]× I⁻¹ [s]×ᵀ e = s × I⁻¹ (e × s)
//
// n is 1, or by mass splitting the number of constraints at the body. Impulses are kept in A's axes from step to step,
// as those of the processor's rows are: λ = R_A λ₀.

@group(0) @binding(1) var<storage, read> poses: array<vec4f>;
@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(6) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(9) var<storage, read> anchors: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;

fn count(body: u32) -> f32 {
    if (config.flags & SPLIT) == 0u { return 1.0; }
    return f32(starts[body + 1u] - starts[body]);
}

// A body's part of A_ℓℓ.
fn part(body: u32, lever: vec3f) -> Symmetric {
    let low = inverses[2u * body];
    if low.x == 0.0 { return Symmetric(vec3f(0.0), vec3f(0.0)); }
    let world = inertia(low, inverses[2u * body + 1u]);
    let x = cross(lever, times(world, cross(vec3f(1.0, 0.0, 0.0), lever)));
    let y = cross(lever, times(world, cross(vec3f(0.0, 1.0, 0.0), lever)));
    let z = cross(lever, times(world, cross(vec3f(0.0, 0.0, 1.0), lever)));
    let n = count(body);
    return Symmetric(n * (vec3f(low.x) + vec3f(x.x, y.y, z.z)), n * vec3f(y.x, z.x, z.y));
}

fn reciprocal(k: f32) -> f32 {
    return select(0.0, 1.0 / k, k > SMALLEST_K);
}

// Brought to a scale of one first: the determinant of a body of a milligram or a megatonne leaves 32 bits.
fn inverse(k: Symmetric) -> Symmetric {
    let scale = reciprocal(max(k.on.x, max(k.on.y, k.on.z)));
    let a = k.on * scale;
    let b = k.off * scale;
    let on = vec3f(a.y * a.z - b.z * b.z, a.x * a.z - b.y * b.y, a.x * a.y - b.x * b.x);
    let off = vec3f(b.y * b.z - b.x * a.z, b.x * b.z - b.y * a.y, b.x * b.y - a.x * b.z);
    let determinant = a.x * on.x + b.x * off.x + b.y * off.y;
    if !(determinant > SINGULAR) {
        return Symmetric(vec3f(reciprocal(k.on.x), reciprocal(k.on.y), reciprocal(k.on.z)), vec3f(0.0));
    }
    let share = scale / determinant;
    return Symmetric(on * share, off * share);
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = own(id, groups);
    if index >= config.constraints { return; }
    let pair = ends[index];
    let x_a = poses[2u * pair.x].xyz;
    let q_a = poses[2u * pair.x + 1u];
    let x_b = poses[2u * pair.y].xyz;
    let q_b = poses[2u * pair.y + 1u];
    let p_a = x_a + turned(q_a, anchors[2u * index].xyz);
    let r_b = turned(q_b, anchors[2u * index + 1u].xyz);
    let p_b = x_b + r_b;
    let s_a = p_b - x_a;
    let on_a = part(pair.x, s_a);
    let on_b = part(pair.y, r_b);
    let inverted = inverse(Symmetric(on_a.on + on_b.on, on_a.off + on_b.off));
    let bias = config.rate * (p_b - p_a);
    rows[4u * index] = vec4f(s_a, inverted.on.x);
    rows[4u * index + 1u] = vec4f(r_b, inverted.on.y);
    rows[4u * index + 2u] = vec4f(bias, inverted.on.z);
    rows[4u * index + 3u] = vec4f(inverted.off, 0.0);
    // Not what is no number times nothing.
    var impulse = vec3f(0.0);
    if config.warm > 0.0 {
        impulse = config.warm * turned(q_a, multipliers[index].xyz);
    }
    multipliers[index] = vec4f(impulse, 0.0);
}
