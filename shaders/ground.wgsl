// The background, the shadow on the bare ground, and the grid on it. Needs frame.wgsl and shadow.wgsl.

struct Sky {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> Sky {
    // One triangle that covers the picture.
    let corner = vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    var out: Sky;
    out.clip = vec4f(corner, 0.0, 1.0);
    out.direction = frame.forward.xyz + corner.x * frame.right.w * frame.right.xyz + corner.y * frame.up.w * frame.up.xyz;
    return out;
}

@fragment
fn sky_fragment(in: Sky) -> @location(0) vec4f {
    let height = normalize(in.direction).z;
    let above = mix(frame.horizon.rgb, frame.zenith.rgb, smoothstep(0.0, 0.75, height));
    let below = mix(frame.horizon.rgb, frame.nadir.rgb, smoothstep(0.0, 0.6, -height));
    let color = select(below, above, height > 0.0);
    // Half a step of noise, against bands in the gradient.
    return vec4f(color + (spread(in.clip.xy) - 0.5) / 255.0, 1.0);
}

struct Ground {
    @builtin(position) clip: vec4f,
    // World x and y, relative to the eye's rounded place, for precision far out.
    @location(0) at: vec2f,
}

fn rounded_eye() -> vec2f {
    return round(frame.eye.xy / 10.0) * 10.0;
}

@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> Ground {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    var out: Ground;
    out.at = corner * frame.options.y;
    out.clip = frame.view_projection * vec4f(out.at + rounded_eye(), 0.0, 1.0);
    // Lines win against a floor whose top is at the same height.
    out.clip.z *= 1.0 + 0.15 * (frame.forward.w - 1.0);
    return out;
}

// The part of the ground that the shadow map reaches.
@vertex
fn ground_shadow_vertex(@builtin(vertex_index) index: u32) -> Ground {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // Across the sun's rays, metres; then along them down to z = 0.
    let across = (corner - frame.sun_projection[3].xy) * frame.sun_right.w * 0.5;
    let on_map = frame.sun_right.xyz * across.x + frame.sun_up.xyz * across.y;
    let at = on_map - frame.sun.xyz * (on_map.z / frame.sun.z);
    var out: Ground;
    out.at = at.xy - rounded_eye();
    out.clip = frame.view_projection * vec4f(at.xy, 0.0, 1.0);
    return out;
}

@fragment
fn ground_shadow_fragment(in: Ground) -> @location(0) vec4f {
    // From below, the ground is glass.
    if frame.eye.z <= 0.0 { discard; }
    let world = vec3f(in.at + rounded_eye(), 0.0);
    let shade = 1.0 - sunlight(world, vec3f(0.0, 0.0, 1.0), in.clip.xy);
    return vec4f(0.0, 0.0, 0.0, shade * frame.sky.w);
}

// How much of a pixel the nearest of parallel lines covers; `change` is the coordinate's change for a pixel.
fn line(coordinate: f32, change: f32, half_width: f32) -> f32 {
    let pixels = abs(fract(coordinate - 0.5) - 0.5) / change;
    // Lines closer together than a few pixels merge to a tone, and then to nothing.
    return clamp(half_width + 0.5 - pixels, 0.0, 1.0) * clamp(1.27 - 4.5 * change, 0.0, 1.0);
}

fn lines(at: vec2f, change: vec2f, spacing: f32, half_width: f32) -> f32 {
    let x = line(at.x / spacing, change.x / spacing, half_width);
    let y = line(at.y / spacing, change.y / spacing, half_width);
    return max(x, y);
}

@fragment
fn grid_fragment(in: Ground) -> @location(0) vec4f {
    let dx = dpdx(in.at);
    let dy = dpdy(in.at);
    let change = max(vec2f(length(vec2f(dx.x, dy.x)), length(vec2f(dx.y, dy.y))), vec2f(1e-7));

    let tenth = lines(in.at, change, 0.1, 0.5) * 0.055;
    let one = lines(in.at, change, 1.0, 0.5) * 0.17;
    let ten = lines(in.at, change, 10.0, 0.6) * 0.34;
    var color = frame.grid.rgb;
    var alpha = max(max(tenth, one), ten) * frame.grid.w;

    let world = in.at + rounded_eye();
    let on_x = clamp(1.5 - abs(world.y) / change.y, 0.0, 1.0);
    let on_y = clamp(1.5 - abs(world.x) / change.x, 0.0, 1.0);
    if on_x > 0.0 { color = mix(color, vec3f(0.84, 0.27, 0.31), on_x); alpha = max(alpha, on_x * 0.85); }
    if on_y > 0.0 { color = mix(color, vec3f(0.41, 0.64, 0.23), on_y); alpha = max(alpha, on_y * 0.85); }

    let away = length(vec3f(world, 0.0) - frame.eye.xyz) / frame.options.y;
    return vec4f(color, alpha * (1.0 - smoothstep(0.15, 0.95, away)));
}
