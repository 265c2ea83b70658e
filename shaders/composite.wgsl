// Lays the finished scene on the window, with the outline of the selection around it.

// True when the target converts linear light to sRGB itself.
override TARGET_CONVERTS: bool = false;

struct Laid {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@group(0) @binding(0) var scene: texture_2d<f32>;
@group(0) @binding(1) var linear_sampler: sampler;
@group(0) @binding(2) var mask: texture_2d<f32>;

const ACCENT: vec3f = vec3f(1.0, 0.549, 0.102);

@vertex
fn composite_vertex(@builtin(vertex_index) index: u32) -> Laid {
    let corner = vec2f(f32(index & 1u) * 2.0, f32(index >> 1u) * 2.0);
    var out: Laid;
    out.clip = vec4f(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.0, 1.0);
    out.uv = corner;
    return out;
}

fn for_target(color: vec3f) -> vec3f {
    if !TARGET_CONVERTS { return color; }
    return select(pow((color + 0.055) / 1.055, vec3f(2.4)), color / 12.92, color <= vec3f(0.04045));
}

@fragment
fn scene_fragment(in: Laid) -> @location(0) vec4f {
    return vec4f(for_target(textureSampleLevel(scene, linear_sampler, in.uv, 0.0).rgb), 1.0);
}

// The mask, blurred over a few pixels, passes through one half at the silhouette: a band around that value is a line
// of even width with soft rims.
@fragment
fn outline_fragment(in: Laid) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(mask));
    var covered = 0.0;
    var total = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y)));
            // Between texels, so that the sampler averages four of them.
            let tap = vec2f(f32(x), f32(y)) * 1.5;
            covered += weight * textureSampleLevel(mask, linear_sampler, in.uv + tap * texel, 0.0).r;
            total += weight;
        }
    }
    let part = covered / total;
    let alpha = smoothstep(0.02, 0.22, part) * (1.0 - smoothstep(0.62, 0.92, part));
    return vec4f(for_target(ACCENT), alpha);
}
