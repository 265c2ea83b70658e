// 001, compute_positions: poses with the new velocities.
//
//     x' = x + h v,   q' = exp(h ω/2) q                    ω in world axes
//     q' = q + (h/2) q ω, as 001 prints it                 a choice: turns about an axis that the body carries
//
// exp by its series: what a device's sine is good for, WGSL does not say. A velocity that is no number or ran away is
// set to zero, the body stays, and `w` beside its position keeps what it was: 1 no number, 2 ran away.

@group(0) @binding(1) var<storage, read_write> poses: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;

fn largest(v: vec3f) -> f32 {
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

// Of a number that is none every comparison is false.
fn is_finite(v: vec3f) -> bool {
    return abs(v.x) < LARGEST && abs(v.y) < LARGEST && abs(v.z) < LARGEST;
}

fn stop(body: u32, position: vec4f, finite: bool) {
    if position.w == 0.0 {
        poses[2u * body] = vec4f(position.xyz, select(1.0, 2.0, finite));
    }
}

// exp(turn/2) as a quaternion.
fn exponential(turn: vec3f) -> vec4f {
    var half = 0.5 * turn;
    var doublings = 0;
    while dot(half, half) > 0.25 && doublings < 32 {
        half *= 0.5;
        doublings++;
    }
    let x = dot(half, half);
    let sine = 1.0 + x * (-1.0 / 6.0 + x * (1.0 / 120.0 + x * (-1.0 / 5040.0 + x / 362880.0)));
    let cosine = 1.0 + x * (-0.5 + x * (1.0 / 24.0 + x * (-1.0 / 720.0 + x / 40320.0)));
    var q = vec4f(sine * half, cosine);
    for (; doublings > 0; doublings--) {
        q = product(q, q);
    }
    return q;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = own(id, groups);
    if body >= config.bodies { return; }
    let position = poses[2u * body];
    let linear = velocities[2u * body].xyz;
    let angular = velocities[2u * body + 1u].xyz;
    let finite = is_finite(linear) && is_finite(angular);
    if !(finite && max(largest(linear), largest(angular)) < RUNAWAY) {
        velocities[2u * body] = vec4f(0.0);
        velocities[2u * body + 1u] = vec4f(0.0);
        stop(body, position, finite);
        return;
    }
    let to = position.xyz + config.h * linear;
    if is_finite(to) && largest(to) < EDGE {
        poses[2u * body] = vec4f(to, position.w);
    } else {
        stop(body, position, is_finite(to));
    }
    let turn = config.h * angular;
    if all(turn == vec3f(0.0)) { return; }
    let q = poses[2u * body + 1u];
    if (config.flags & PRINTED_ROTATION) != 0u {
        poses[2u * body + 1u] = normalize(q + 0.5 * product(q, vec4f(turn, 0.0)));
    } else {
        poses[2u * body + 1u] = normalize(product(exponential(turn), q));
    }
}
