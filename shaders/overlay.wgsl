// Lines, points, arrows and translucent triangles. Needs frame.wgsl.
//
// What is on top keeps its own order in depth, but squeezed into the nearest tenth of the depth range, in front of
// everything else.

fn lifted(clip: vec4f, on_top: bool) -> vec4f {
    // A hair nearer than the surface that it may lie on.
    let z = clip.z * frame.forward.w;
    return vec4f(clip.xy, select(z, 0.9 * clip.w + 0.1 * z, on_top), clip.w);
}

// Metres that a pixel covers at this distance along the line of sight.
fn metres_per_pixel(depth: f32) -> f32 {
    return 2.0 * depth * frame.up.w * frame.viewport.w;
}

// Marks must not bury the bodies that they belong to: their radius in pixels, seen from afar, is at most this. Where
// that is less than a pixel, they fade instead.
fn limit_px(depth: f32) -> f32 {
    return frame.options.w / metres_per_pixel(depth);
}

// ---- Lines and points: a point is a line without length. ----

struct LineCorner {
    @builtin(vertex_index) index: u32,
    @location(0) a: vec3f,
    // Half the width in pixels; negative when on top.
    @location(1) half_width: f32,
    @location(2) b: vec3f,
    // sRGB and alpha.
    @location(3) color: vec4f,
}

struct LinePixel {
    @builtin(position) clip: vec4f,
    // Pixels along the line from its start, and across it.
    @location(0) at: vec2f,
    @location(1) @interpolate(flat) length_and_half: vec2f,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn line_vertex(in: LineCorner) -> LinePixel {
    var out: LinePixel;
    out.color = in.color;
    var a = frame.view_projection * vec4f(in.a, 1.0);
    var b = frame.view_projection * vec4f(in.b, 1.0);
    // Cut off what lies behind the near plane; w is the distance along the line of sight.
    let near = frame.eye.w;
    if a.w < near && b.w < near {
        out.clip = vec4f(0.0, 0.0, -1.0, 1.0);
        return out;
    }
    if a.w < near { a = mix(a, b, (near - a.w) / (b.w - a.w)); }
    if b.w < near { b = mix(b, a, (near - b.w) / (a.w - b.w)); }

    let on_top = in.half_width < 0.0;
    var half_width = abs(in.half_width);
    if all(in.a == in.b) {
        let limit = limit_px(a.w);
        half_width = min(half_width, max(limit, 1.0));
        out.color.a *= min(limit, 1.0);
    }
    let half_view = frame.viewport.xy * 0.5;
    let pixel_a = a.xy / a.w * half_view;
    let pixel_b = b.xy / b.w * half_view;
    let run = pixel_b - pixel_a;
    let length = length(run);
    let along = select(vec2f(1.0, 0.0), run / max(length, 1e-6), length > 1e-3);
    let across = vec2f(-along.y, along.x);

    let end = (in.index & 1u) == 1u;
    let side = f32(in.index >> 1u) * 2.0 - 1.0;
    // Room for round ends and for a soft rim of one pixel.
    let reach = half_width + 1.0;
    let source = select(a, b, end);
    let pixel = select(pixel_a - along * reach, pixel_b + along * reach, end) + across * side * reach;
    // Flat in depth over its width, and without perspective: the pixel coordinates then stay even.
    let lifted_from = lifted(source, on_top);
    out.clip = vec4f(pixel / half_view, lifted_from.z / lifted_from.w, 1.0);
    out.at = vec2f(select(-reach, length + reach, end), side * reach);
    out.length_and_half = vec2f(length, half_width);
    return out;
}

@fragment
fn line_fragment(in: LinePixel) -> @location(0) vec4f {
    let beyond = max(max(-in.at.x, in.at.x - in.length_and_half.x), 0.0);
    let away = length(vec2f(beyond, in.at.y));
    // Lines thinner than a pixel grow faint instead of breaking up.
    let half_width = max(in.length_and_half.y, 0.5);
    let strength = min(in.length_and_half.y / 0.5, 1.0);
    let coverage = clamp(half_width + 0.5 - away, 0.0, 1.0) * strength;
    if coverage <= 0.0 { discard; }
    return vec4f(in.color.rgb, in.color.a * coverage);
}

// ---- Arrows ----

struct ArrowCorner {
    // Across the axis, in shaft radii.
    @location(0) across: vec2f,
    // Along the axis: 0 the tail, 1 where the head begins, 2 the tip.
    @location(1) along: f32,
    @location(2) normal: vec3f,
    // Of the instance:
    @location(3) origin: vec3f,
    // In pixels; negative when on top.
    @location(4) radius: f32,
    @location(5) vector: vec3f,
    @location(6) color: vec4f,
}

struct ArrowPixel {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) color: vec4f,
}

const HEAD_LENGTH: f32 = 8.0;

@vertex
fn arrow_vertex(in: ArrowCorner) -> ArrowPixel {
    let length = length(in.vector);
    let axis = in.vector / max(length, 1e-9);
    let aside = normalize(cross(axis, select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(axis.z) > 0.9)));
    let other = cross(axis, aside);

    // The radius in metres that looks as wide as wanted at the arrow's middle; short arrows are slimmer.
    let middle = frame.view_projection * vec4f(in.origin + in.vector * 0.5, 1.0);
    let depth = max(middle.w, frame.eye.w);
    let limit = limit_px(depth);
    let radius_px = min(abs(in.radius), max(limit, 0.8));
    let radius = min(radius_px * metres_per_pixel(depth), length / (HEAD_LENGTH * 1.5));
    let neck = length - HEAD_LENGTH * radius;

    let along = select(select(neck, length, in.along > 1.5), 0.0, in.along < 0.5);
    var out: ArrowPixel;
    out.world = in.origin + axis * along + (aside * in.across.x + other * in.across.y) * radius;
    out.normal = aside * in.normal.x + other * in.normal.y + axis * in.normal.z;
    out.clip = lifted(frame.view_projection * vec4f(out.world, 1.0), in.radius < 0.0);
    out.color = vec4f(in.color.rgb, in.color.a * min(limit / 0.8, 1.0));
    return out;
}

@fragment
fn arrow_fragment(in: ArrowPixel) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let to_eye = to_eye_from(in.world);
    // Mostly its own colour, so that it means the same everywhere; a little shape.
    let light = 0.72 + 0.22 * max(dot(normal, frame.sun.xyz), 0.0) + 0.16 * max(dot(normal, to_eye), 0.0);
    return vec4f(min(in.color.rgb * light, vec3f(1.0)), in.color.a);
}

// ---- Translucent triangles ----

struct FillCorner {
    @location(0) position: vec3f,
    @location(1) color: vec4f,
}

struct FillPixel {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
}

@vertex
fn fill_vertex(in: FillCorner) -> FillPixel {
    var out: FillPixel;
    out.clip = lifted(frame.view_projection * vec4f(in.position, 1.0), false);
    out.color = in.color;
    return out;
}

@fragment
fn fill_fragment(in: FillPixel) -> @location(0) vec4f {
    return in.color;
}
