// What every shader knows: the camera, the sun, the theme. Colours are linear light unless a name says otherwise.

struct FrameUniforms {
    view_projection: mat4x4f,
    // World to the sun's clip space.
    sun_projection: mat4x4f,
    // xyz: the eye. w: distance of the near plane.
    eye: vec4f,
    // Unit vectors of the view. w: half the width and half the height of the picture at distance 1; the factor by which
    // the depth of lines is nearer than that of what they lie on.
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    // Width and height in pixels, and their inverses.
    viewport: vec4f,
    // xyz: unit vector to the sun. w: its strength.
    sun: vec4f,
    // Unit vectors across the sun's rays. w: the width of the shadow map in metres; the depth of its range in metres.
    sun_right: vec4f,
    sun_up: vec4f,
    // Ambient light from above and from below. sky.w: darkness of shadows on the bare ground.
    // ground.w: 1 when shadows are drawn.
    sky: vec4f,
    ground: vec4f,
    // Background towards the zenith, the horizon and the nadir, sRGB. zenith.w: 1 where all rays are parallel.
    zenith: vec4f,
    horizon: vec4f,
    nadir: vec4f,
    // sRGB ink of the grid lines; w: their strength.
    grid: vec4f,
    // x: 1 when edges are drawn. y: radius at which the grid has faded away, metres.
    // z: strength of the edges. w: largest radius of points and of arrows' shafts, metres.
    options: vec4f,
}

@group(0) @binding(0) var<uniform> frame: FrameUniforms;

fn to_srgb(color: vec3f) -> vec3f {
    let c = clamp(color, vec3f(0.0), vec3f(1.0));
    return select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
}

fn to_linear(color: vec3f) -> vec3f {
    return select(pow((color + 0.055) / 1.055, vec3f(2.4)), color / 12.92, color <= vec3f(0.04045));
}

fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// The unit vector from a point toward the eye.
fn to_eye_from(world: vec3f) -> vec3f {
    return select(normalize(frame.eye.xyz - world), -frame.forward.xyz, frame.zenith.w > 0.5);
}

// Evenly spread in 0..1, without the clumps of white noise (Jimenez's interleaved gradient).
fn spread(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}
