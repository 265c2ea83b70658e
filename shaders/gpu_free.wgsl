// 001, compute_free_velocity: what the bodies do without their joints.
//
//     V* = V + h M⁻¹ F,   F = m g       bodies that impulses do not move keep their velocity

@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> free: array<vec4f>;
@group(0) @binding(4) var<storage, read> masses: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = own(id, groups);
    if body >= config.bodies { return; }
    var linear = velocities[2u * body];
    if masses[2u * body].x > 0.0 {
        linear += vec4f(config.gravity * config.h, 0.0);
    }
    velocities[2u * body] = linear;
    free[2u * body] = linear;
    free[2u * body + 1u] = velocities[2u * body + 1u];
}
