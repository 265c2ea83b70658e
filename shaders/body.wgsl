// Bodies: instanced meshes, lit by the sun and the sky, with the marks that make their rotation legible.
// Needs frame.wgsl and shadow.wgsl.

struct Corner {
    @location(0) position: vec3f,
    @location(1) cap: f32,
    @location(2) normal: vec3f,
    @location(3) edge: vec3f,
    // Of the instance:
    @location(4) origin: vec3f,
    @location(5) radius: f32,
    @location(6) rotation: vec4f,
    @location(7) scale: vec3f,
    @location(8) marks: u32,
    // sRGB and opacity.
    @location(9) color: vec4f,
}

struct Surface {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) local: vec3f,
    @location(3) edge: vec3f,
    @location(4) @interpolate(flat) color: vec4f,
    @location(5) @interpolate(flat) marks: u32,
    @location(6) @interpolate(flat) stripe: f32,
}

const PATTERN_TWO_TONE: u32 = 1u;
const PATTERN_STRIPED: u32 = 2u;
const PATTERN_PLAIN: u32 = 3u;
const HOVERED: u32 = 4u;
const SELECTED: u32 = 8u;

// Corners of a dot, which faces whoever looks, say so where others say their cap.
fn is_dot(corner: Corner) -> bool {
    return corner.cap > 1.5;
}

fn local_position(corner: Corner) -> vec3f {
    if corner.cap != 0.0 {
        return corner.position * corner.scale.x + vec3f(0.0, 0.0, corner.cap * corner.scale.z);
    }
    return corner.position * corner.scale;
}

// Of a dot in a plane across the view.
fn dot_position(corner: Corner, right: vec3f, up: vec3f) -> vec3f {
    return corner.origin + (right * corner.position.x + up * corner.position.y) * corner.scale.x;
}

// `right` and `up` are the unit vectors of whoever looks: the eye or the sun.
fn world_position(corner: Corner, right: vec3f, up: vec3f) -> vec3f {
    if is_dot(corner) { return dot_position(corner, right, up); }
    return corner.origin + rotate(corner.rotation, local_position(corner));
}

@vertex
fn shadow_vertex(corner: Corner) -> @builtin(position) vec4f {
    return frame.sun_projection * vec4f(world_position(corner, frame.sun_right.xyz, frame.sun_up.xyz), 1.0);
}

@vertex
fn mask_vertex(corner: Corner) -> @builtin(position) vec4f {
    return frame.view_projection * vec4f(world_position(corner, frame.right.xyz, frame.up.xyz), 1.0);
}

@fragment
fn mask_fragment() -> @location(0) vec4f {
    return vec4f(1.0);
}

@vertex
fn body_vertex(corner: Corner) -> Surface {
    var normal = corner.normal;
    if corner.cap == 0.0 { normal = normalize(normal / max(abs(corner.scale), vec3f(1e-6))); }
    var out: Surface;
    out.local = local_position(corner);
    out.world = corner.origin + rotate(corner.rotation, out.local);
    out.normal = rotate(corner.rotation, normal);
    if is_dot(corner) {
        out.local = vec3f(0.0);
        out.world = dot_position(corner, frame.right.xyz, frame.up.xyz);
        out.normal = frame.right.xyz * normal.x + frame.up.xyz * normal.y - frame.forward.xyz * normal.z;
    }
    out.clip = frame.view_projection * vec4f(out.world, 1.0);
    out.edge = corner.edge;
    out.color = vec4f(to_linear(corner.color.rgb), corner.color.a);
    out.marks = corner.marks;
    out.stripe = clamp(corner.radius * 0.42, 0.02, 1.0);
    return out;
}

// 1 on a crease, 0 away from it; `change` is the edge coordinates' change for a pixel.
fn crease(edge: vec3f, change: vec3f) -> f32 {
    let slope = max(change, vec3f(1e-6));
    let pixels = edge / slope;
    let line = 1.0 - smoothstep(vec3f(0.35), vec3f(1.35), pixels);
    // Faces of a few pixels are all crease: let the lines fade away with them.
    let strength = line * (1.0 - smoothstep(vec3f(0.06), vec3f(0.3), slope));
    return max(strength.x, max(strength.y, strength.z));
}

// A step at 0 from -1 to 1, as wide as a pixel.
fn step_at_zero(value: f32, change: f32) -> f32 {
    return clamp(value / max(change, 1e-6), -1.0, 1.0);
}

// Powers by squaring: a software driver's pow is slow.
fn square(x: f32) -> f32 {
    return x * x;
}

@fragment
fn body_fragment(in: Surface) -> @location(0) vec4f {
    // Derivatives first, where all of a quad's pixels still walk together.
    let edge_change = fwidth(in.edge);
    let local_change = fwidth(in.local);
    let along = dot(in.local, vec3f(0.5774)) / in.stripe;
    let along_change = fwidth(along);

    let normal = normalize(in.normal);
    let to_eye = to_eye_from(in.world);
    let pattern = in.marks & 3u;
    var albedo = in.color.rgb;

    if pattern == PATTERN_TWO_TONE {
        let octant = step_at_zero(in.local.x, local_change.x) * step_at_zero(in.local.y, local_change.y)
            * step_at_zero(in.local.z, local_change.z);
        albedo = mix(albedo * 0.66, min(albedo * 1.18 + 0.02, vec3f(1.0)), octant * 0.5 + 0.5);
    } else if pattern == PATTERN_STRIPED {
        let wave = abs(fract(along) - 0.5) * 4.0 - 1.0;
        let fine = 1.0 - smoothstep(0.3, 0.8, along_change);
        let stripe = step_at_zero(wave, along_change * 2.0) * fine;
        albedo = mix(albedo * 0.68, albedo * 1.12, stripe * 0.5 + 0.5);
    }
    if (in.marks & HOVERED) != 0u { albedo = min(albedo * 1.35 + 0.03, vec3f(1.0)); }
    if (in.marks & SELECTED) != 0u { albedo = min(albedo * 1.1 + 0.01, vec3f(1.0)); }

    let facing = max(dot(normal, frame.sun.xyz), 0.0);
    let sun = frame.sun.w * facing * sunlight(in.world, normal, in.clip.xy);
    let ambient = mix(frame.ground.rgb, frame.sky.rgb, normal.z * 0.5 + 0.5);
    // A little light from the eye keeps faces in the shade apart.
    let lamp = 0.10 * max(dot(normal, to_eye), 0.0);
    var color = albedo * (ambient + vec3f(1.0, 0.985, 0.955) * sun + lamp);

    let half_way = normalize(to_eye + frame.sun.xyz);
    let grazing = 1.0 - max(dot(normal, to_eye), 0.0);
    let gloss = square(square(square(square(square(max(dot(normal, half_way), 0.0))))));
    // Dark surfaces shine less: a wide dark floor must not wash out where it mirrors the sun.
    let shine = min(square(2.0 * dot(albedo, vec3f(0.2126, 0.7152, 0.0722))) * 4.0, 1.0);
    color += vec3f(0.10 * sun * gloss * shine) + frame.sky.rgb * 0.05 * square(square(grazing));

    if pattern != PATTERN_PLAIN && frame.options.x > 0.5 {
        color *= 1.0 - frame.options.z * crease(in.edge, edge_change);
    }
    return vec4f(to_srgb(color), in.color.a);
}
