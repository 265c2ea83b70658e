// What the kernels of the Jacobi solver share: the step's numbers, 3×3 matrices, rotations.
//
// Signs and levers are those of the processor's rows (crates/physics/src/parts/plane.rs), and 001's but for the first:
//
//     C = p_B − p_A,   J = [−1, [s_A]×, 1, −[r_B]×],   s_A = p_B − x_A       001 has x_A − x_B + …, and r_A for s_A
//     J V + (β/h) C = 0,   λ an impulse, N s                                 001's multiplier is a force: λ/h
//
// World frame, metres, seconds, kilograms.

struct SolverConfig {
    bodies: u32,
    constraints: u32,
    // Of these bits:
    flags: u32,
    // Bodies of all trees.
    nodes: u32,
    gravity: vec3f,
    // Length of the sub-step, s.
    h: f32,
    // β/h, 1/s: the share of an error that is asked back, as a speed.
    rate: f32,
    // ω: the share of each correction that is taken.
    omega: f32,
    // The share of the last sub-step's impulses that this one starts from; 0 starts from nothing.
    warm: f32,
    spare_too: f32,
}

@group(0) @binding(0) var<uniform> config: SolverConfig;

override LANES: u32 = 64;

// The thread's own number; more groups than a dimension takes are laid out in rows.
fn own(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x * LANES;
}

// A symmetric matrix: (xx, yy, zz) and (xy, xz, yz).
struct Symmetric { on: vec3f, off: vec3f }

fn times(m: Symmetric, v: vec3f) -> vec3f {
    return vec3f(
        m.on.x * v.x + m.off.x * v.y + m.off.y * v.z,
        m.off.x * v.x + m.on.y * v.y + m.off.z * v.z,
        m.off.y * v.x + m.off.z * v.y + m.on.z * v.z,
    );
}

// 1/mass and inverse inertia as they lie in two vectors: (1/m, xx, yy, zz), (xy, xz, yz, –).
fn inertia(low: vec4f, high: vec4f) -> Symmetric {
    return Symmetric(low.yzw, high.xyz);
}

// q v q⁻¹.
fn turned(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// q⁻¹ v q.
fn turned_back(q: vec4f, v: vec3f) -> vec3f {
    return turned(vec4f(-q.xyz, q.w), v);
}

// a ⊗ b.
fn product(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}
