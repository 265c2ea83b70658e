// A turn of Gauss–Seidel: constraints that share no moving body, each on the velocities that the turns before it have
// left, a thread a constraint.
//
//     Δλ = −A_ℓℓ⁻¹ (J V + b),   λ ← λ + Δλ,   V ← V + M⁻¹ Jᵀ Δλ        at once, on the two bodies alone
//
// A body that impulses do not move is shared by many and is read only. Constraints lie in the order of their turns.

struct Turn {
    // Its first constraint, and how many there are.
    first: u32,
    count: u32,
    spare: u32,
    spare_too: u32,
}

@group(1) @binding(0) var<uniform> turn: Turn;

@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;

// An impulse at a lever changes a body.
fn push(body: u32, lever: vec3f, impulse: vec3f, linear: vec4f, angular: vec4f) {
    let low = inverses[2u * body];
    if low.x == 0.0 { return; }
    let turning = times(inertia(low, inverses[2u * body + 1u]), cross(lever, impulse));
    velocities[2u * body] = linear + vec4f(low.x * impulse, 0.0);
    velocities[2u * body + 1u] = angular + vec4f(turning, 0.0);
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = own(id, groups);
    let index = turn.first + place;
    if place >= turn.count || index >= config.constraints { return; }
    let pair = ends[index];
    let s_a = rows[4u * index];
    let r_b = rows[4u * index + 1u];
    let bias = rows[4u * index + 2u];
    let inverted = Symmetric(vec3f(s_a.w, r_b.w, bias.w), rows[4u * index + 3u].xyz);
    let v_a = velocities[2u * pair.x];
    let w_a = velocities[2u * pair.x + 1u];
    let v_b = velocities[2u * pair.y];
    let w_b = velocities[2u * pair.y + 1u];
    let at_a = v_a.xyz + cross(w_a.xyz, s_a.xyz);
    let at_b = v_b.xyz + cross(w_b.xyz, r_b.xyz);
    let by = -times(inverted, at_b - at_a + bias.xyz);
    multipliers[index] += vec4f(by, 0.0);
    push(pair.x, s_a.xyz, -by, v_a, w_a);
    push(pair.y, r_b.xyz, by, v_b, w_b);
}
