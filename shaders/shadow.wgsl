// How much of the sun a point sees.

// 1: wide, distance-dependent penumbrae. 0: four taps, for software rendering.
override SOFT: bool = true;

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
// The same texture, readable as numbers.
@group(1) @binding(2) var shadow_depth: texture_2d<f32>;

// Width of the penumbra for each metre between a body and its shadow (the real sun's is 0.009).
const SUN_SIZE: f32 = 0.085;
const WIDEST: f32 = 0.35;
const BLOCKER_TAPS: i32 = 10;
const FILTER_TAPS: i32 = 20;
const GOLDEN_ANGLE: f32 = 2.3999632;

fn disc(index: i32, count: i32, turn: f32) -> vec2f {
    let angle = f32(index) * GOLDEN_ANGLE + turn;
    return sqrt((f32(index) + 0.5) / f32(count)) * vec2f(cos(angle), sin(angle));
}

// The map's range ends at the lowest body; what lies below that must not count as behind the empty background.
fn tap_depth(depth: f32, tap: vec2f, slope: vec2f) -> f32 {
    return min(depth + dot(tap, slope), 0.9999);
}

// `normal` is the surface's; `pixel` seeds the sampling pattern.
fn sunlight(world: vec3f, normal: vec3f, pixel: vec2f) -> f32 {
    let facing = dot(normal, frame.sun.xyz);
    if frame.ground.w < 0.5 { return 1.0; }
    if facing <= 0.0 { return 0.0; }

    let size = f32(textureDimensions(shadow_map).x);
    let width = frame.sun_right.w;
    let depth_range = frame.sun_up.w;
    let texel = width / size;
    let at = frame.sun_projection * vec4f(world + normal * texel * 1.2, 1.0);
    let uv = at.xy * vec2f(0.5, -0.5) + 0.5;
    let from_middle = max(abs(at.x), abs(at.y));
    if from_middle >= 1.0 { return 1.0; }
    let fade = smoothstep(0.92, 1.0, from_middle);

    // The surface itself is nearer to the sun on one side of a tap disc: its slope, in depth for each metre across.
    let slope = vec2f(dot(normal, frame.sun_right.xyz), dot(normal, frame.sun_up.xyz)) / max(facing, 0.2);
    let across = vec2f(1.0, -1.0) / width;
    let depth = at.z - 0.4 * texel / depth_range;

    if !SOFT {
        var lit = 0.0;
        for (var i = 0; i < 4; i++) {
            let tap = (vec2f(f32(i & 1), f32(i >> 1)) - 0.5) * texel;
            let own = tap_depth(depth, tap, slope / depth_range);
            lit += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + tap * across, own);
        }
        return mix(lit * 0.25, 1.0, fade);
    }

    let turn = spread(pixel) * 6.2831853;
    let limit = i32(size) - 1;
    var blocked = 0.0;
    var distance = 0.0;
    for (var i = 0; i < BLOCKER_TAPS; i++) {
        let tap = disc(i, BLOCKER_TAPS, turn) * WIDEST * 0.5;
        let own = tap_depth(depth, tap, slope / depth_range);
        let texel_at = clamp(vec2i((uv + tap * across) * size), vec2i(0), vec2i(limit));
        let found = textureLoad(shadow_depth, texel_at, 0).r;
        if found < own {
            blocked += 1.0;
            distance += (own - found) * depth_range;
        }
    }
    let smallest = 1.4 * texel;
    let radius = clamp(distance / max(blocked, 1.0) * SUN_SIZE * 0.5, smallest, max(WIDEST * 0.5, smallest));
    var lit = 0.0;
    for (var i = 0; i < FILTER_TAPS; i++) {
        let tap = disc(i, FILTER_TAPS, turn) * radius;
        let own = tap_depth(depth, tap, slope / depth_range);
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + tap * across, own);
    }
    return mix(lit / f32(FILTER_TAPS), 1.0, fade);
}
