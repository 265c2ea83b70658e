// Symmetric 3×3 matrices, for the kernels that eliminate: trees and chains.

fn sum(x: Symmetric, y: Symmetric) -> Symmetric {
    return Symmetric(x.on + y.on, x.off + y.off);
}

fn whole(m: Symmetric) -> mat3x3f {
    return mat3x3f(
        vec3f(m.on.x, m.off.x, m.off.y), vec3f(m.off.x, m.on.y, m.off.z), vec3f(m.off.y, m.off.z, m.on.z));
}

// Of a product that is symmetric but for rounding.
fn half(m: mat3x3f) -> Symmetric {
    return Symmetric(vec3f(m[0].x, m[1].y, m[2].z), vec3f(m[1].x, m[2].x, m[2].y));
}

fn minus(m: Symmetric) -> Symmetric {
    return Symmetric(-m.on, -m.off);
}

fn pivot(value: f32, before: f32, share: f32) -> f32 {
    return select(0.0, 1.0 / value, value > share * before);
}

// By LDLᵀ, for the determinant of a heavy load on a light body leaves 32 bits. What is dependent bears nothing.
fn inverse(m: Symmetric, share: f32) -> Symmetric {
    let x = pivot(m.on.x, m.on.x, share);
    let yx = m.off.x * x;
    let zx = m.off.y * x;
    let y = pivot(m.on.y - yx * m.off.x, m.on.y, share);
    let left = m.off.z - yx * m.off.y;
    let zy = left * y;
    let z = pivot(m.on.z - zx * m.off.y - zy * left, m.on.z, share);
    let up = yx * zy - zx;
    return Symmetric(
        vec3f(x + yx * yx * y + up * up * z, y + zy * zy * z, z),
        vec3f(-yx * y - up * zy * z, up * z, -zy * z),
    );
}
