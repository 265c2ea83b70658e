// The limit surface of a patch's friction: two slides and a torsion over its arm, as
// crates/physics/src/kernel/limit_surface.rs has it, in 32 bits.

// H, H' and H'' of the disc's limit surface in the unit direction (c, s): see crates/physics/src/kernel/limit_surface.rs.
fn support(c: f32, s: f32) -> vec3f {
    let x = c * c;
    let product = c * s;
    let h = H_0 + x * (H_1 + x * (H_2 + x * (H_3 + x * (H_4 + x * H_5))));
    let first = H_1 + x * (2.0 * H_2 + x * (3.0 * H_3 + x * (4.0 * H_4 + x * (5.0 * H_5))));
    let second = 2.0 * H_2 + x * (6.0 * H_3 + x * (12.0 * H_4 + x * (20.0 * H_5)));
    return vec3f(h, -2.0 * product * first, 4.0 * product * product * second - 2.0 * (x - s * s) * first);
}

// The point of the surface of unit size nearest to (f, m) outside of it, both positive; z is 0 where they are within.
fn nearest(patch_surface: bool, f: f32, m: f32) -> vec3f {
    let size = length(vec2f(f, m));
    if size <= INSIDE { return vec3f(0.0); }
    var c = f / size;
    var s = m / size;
    if !patch_surface { return vec3f(c, s, select(0.0, 1.0, size > 1.0)); }
    for (var round = 0u; round < ROUNDS; round++) {
        let h = support(c, s);
        let half = 0.5 * (m * c - f * s - h.y) / max(f * c + m * s + h.z, LEAST_RADIUS);
        let share = 1.0 / (1.0 + half * half);
        let along = share * (1.0 - half * half);
        let across = share * (half + half);
        let turned = vec2f(along * c - across * s, along * s + across * c);
        c = turned.x;
        s = turned.y;
        if c < 0.0 { c = 0.0; s = 1.0; }
        if s < 0.0 { c = 1.0; s = 0.0; }
    }
    let h = support(c, s);
    return vec3f(h.x * c - h.y * s, h.x * s + h.y * c, select(0.0, 1.0, f * c + m * s > h.x));
}

// Two slides and a torsion over the arm, within the surface of a size.
fn projected(patch_surface: bool, asked: vec3f, size: f32) -> vec3f {
    if dot(asked, asked) <= SURELY_INSIDE * size * size { return asked; }
    if size <= 0.0 { return vec3f(0.0); }
    let along = length(asked.xy);
    let found = nearest(patch_surface, along / size, abs(asked.z) / size);
    if found.z == 0.0 { return asked; }
    var share = 0.0;
    if along > 0.0 { share = found.x * size / along; }
    let torsion = found.y * size;
    return vec3f(asked.xy * share, select(torsion, -torsion, asked.z < 0.0));
}
