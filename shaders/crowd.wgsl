// Bodies whose poses lie on the graphics card, made ready for drawing there: `crates/render/src/crowd/mod.rs` says how.
//
//     position  p = lerp(p₀, p₁, α)     rotation  q = slerp(q₀, q₁, α)     mesh's origin  x = p + q o
//     size on the screen, pixels        s = r f / max(d, r), f pixels a metre at distance 1, d the depth
//     level of detail                   how many of the levels' greatest sizes s is above
//
// Bodies are sorted by mesh, level and role by counting: `sort` finds the bucket of each and counts, `lay` makes
// places of the counts and tells the draws, `fill` writes each instance to its place. A group counts among its own
// threads first.

struct CrowdUniforms {
    // xyz: the eye, m. w: the distance at which parallel rays show everything, m; 0 in perspective.
    eye: vec4f,
    // Unit vectors of the view. w: half the width and half the height of the picture at distance 1; pixels a metre
    // there.
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    // Unit vectors across the sun's rays and towards it. w: side of the shadow map, m; by what the size of round meshes
    // is divided; how far from the focus shadows are drawn, m.
    sun_right: vec4f,
    sun_up: vec4f,
    sun: vec4f,
    // As the sun sees them, m: the camera's focus, the middle of the shadow map.
    focus: vec4f,
    bodies: u32,
    slots: u32,
    alpha: f32,
    spare: u32,
}

struct Look {
    scale: vec3f,
    // Of the enclosing sphere about the mesh's origin, m.
    radius: f32,
    // The mesh's origin in the body's frame, m.
    offset: vec3f,
    color: u32,
    // The number of its pose.
    pose: u32,
    // The first of its slots, with ROUND and SPHERE.
    kind: u32,
    marks: u32,
    // Radius of the dot that stands for it, m.
    dot_radius: f32,
}

@group(0) @binding(0) var<uniform> view: CrowdUniforms;
@group(0) @binding(1) var<storage, read> poses: array<vec4f>;
@group(0) @binding(2) var<storage, read> earlier: array<vec4f>;
@group(0) @binding(3) var<storage, read> looks: array<Look>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
// Counts, then places, by slot and role.
@group(0) @binding(5) var<storage, read_write> buckets: array<atomic<u32>>;
// Greatest values, as `ordered` has them, of what casts shadows: see `bound`.
@group(0) @binding(6) var<storage, read_write> bounds: array<atomic<u32>, 6>;
@group(0) @binding(7) var<storage, read_write> instances: array<u32>;
// Five numbers a draw, by slot and pass.
@group(0) @binding(8) var<storage, read_write> draws: array<u32>;

override LANES: u32 = 64u;

const MAX_BUCKETS: u32 = 384u;
const ROLES: u32 = 3u;
const SEEN: u32 = 0u;
// Outside the picture; it may still cast a shadow.
const UNSEEN: u32 = 1u;
const OUTLINED: u32 = 2u;
const DROPPED: u32 = 0xffffffffu;
// In a key: it is outlined, too.
const TWICE: u32 = 0x80000000u;
const ROUND: u32 = 0x10000u;
const SPHERE: u32 = 0x20000u;
const SELECTED: u32 = 8u;
const PATTERN_PLAIN: u32 = 3u;
// Words of an instance.
const WORDS: u32 = 13u;

// As `crates/render/src/level.rs` has them.
const DOT_SLOT: u32 = 16u;
const SPHERE_DOT: f32 = 1.5;
const OTHER_DOT: f32 = 0.75;
const FAINT: f32 = 0.5;
const LEVELS: vec4f = vec4f(2.5, 10.0, 40.0, 180.0);

var<workgroup> counts: array<atomic<u32>, MAX_BUCKETS>;
var<workgroup> places: array<u32, MAX_BUCKETS>;
var<workgroup> group_bounds: array<atomic<u32>, 6>;

fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

fn slerp(a: vec4f, b: vec4f, t: f32) -> vec4f {
    let cosine = dot(a, b);
    let to = select(b, -b, cosine < 0.0);
    let near = min(abs(cosine), 1.0);
    var shares = vec2f(1.0 - t, t);
    if near < 0.9995 {
        let angle = acos(near);
        shares = sin(vec2f(1.0 - t, t) * angle) / sin(angle);
    }
    return normalize(a * shares.x + to * shares.y);
}

struct Pose {
    origin: vec3f,
    rotation: vec4f,
}

// Of the mesh, as it is drawn.
fn pose_of(look: Look) -> Pose {
    let at = 2u * look.pose;
    var position = poses[at].xyz;
    var rotation = poses[at + 1u];
    if view.alpha < 1.0 {
        position = mix(earlier[at].xyz, position, view.alpha);
        rotation = slerp(earlier[at + 1u], rotation, view.alpha);
    }
    return Pose(position + rotate(rotation, look.offset), rotation);
}

fn finite(v: vec4f) -> bool {
    return all((bitcast<vec4u>(v) & vec4u(0x7f800000u)) != vec4u(0x7f800000u));
}

fn depth_of(origin: vec3f) -> f32 {
    return dot(origin - view.eye.xyz, view.forward.xyz);
}

// The radius on the screen, pixels.
fn size_of(origin: vec3f, radius: f32) -> f32 {
    let distance = select(depth_of(origin), view.eye.w, view.eye.w > 0.0);
    return radius / max(distance, radius) * view.forward.w;
}

fn sees(origin: vec3f, radius: f32) -> bool {
    let to = origin - view.eye.xyz;
    let across = abs(vec2f(dot(to, view.right.xyz), dot(to, view.up.xyz)));
    let half = vec2f(view.right.w, view.up.w);
    if view.eye.w > 0.0 { return all(across - half * view.eye.w <= vec2f(radius)); }
    let depth = depth_of(origin);
    return depth > -radius && all(across - half * depth <= sqrt(half * half + 1.0) * radius);
}

// From 0 to 1, spread evenly over the bodies' numbers.
fn chance(number: u32) -> f32 {
    var x = number * 2654435761u;
    x = (x ^ (x >> 15u)) * 2246822519u;
    x = x ^ (x >> 13u);
    return f32(x >> 8u) / 16777216.0;
}

fn dots(look: Look, size: f32) -> bool {
    return size <= select(OTHER_DOT, SPHERE_DOT, (look.kind & SPHERE) != 0u);
}

fn slot_of(look: Look, size: f32) -> u32 {
    if dots(look, size) { return DOT_SLOT; }
    let first = look.kind & 0xffffu;
    if (look.kind & ROUND) == 0u { return first; }
    let above = vec4f(size / view.sun_up.w) > LEVELS;
    return first + dot(select(vec4u(0u), vec4u(1u), above), vec4u(1u));
}

fn flat(point: vec3f) -> vec2f {
    return vec2f(dot(point, view.sun_right.xyz), dot(point, view.sun_up.xyz));
}

// Grows with the number; 0 is less than any.
fn ordered(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

fn bound(place: u32, value: f32) {
    atomicMax(&group_bounds[place], ordered(value));
}

// Where a body goes, and what it does to the bounds of what casts shadows.
fn key_of(number: u32) -> u32 {
    let look = looks[number];
    let pose = pose_of(look);
    if !finite(vec4f(pose.origin, 0.0)) || !finite(pose.rotation) { return DROPPED; }
    let size = size_of(pose.origin, look.radius);
    let selected = (look.marks & SELECTED) != 0u;
    // Of what is too small for a pixel some stand for all.
    if size < FAINT && !selected && chance(look.pose) >= (size / FAINT) * (size / FAINT) { return DROPPED; }
    let seen = sees(pose.origin, look.radius);
    let place = flat(pose.origin);
    let reach = view.sun.w;
    if look.radius < reach * 0.5 && distance(place, view.focus.xy) < reach + look.radius {
        bound(0u, place.x + look.radius);
        bound(1u, look.radius - place.x);
        bound(2u, place.y + look.radius);
        bound(3u, look.radius - place.y);
    }
    let aside = abs(place - view.focus.zw);
    let casts = max(aside.x, aside.y) < view.sun_right.w * 0.5 + look.radius;
    if casts {
        let height = dot(pose.origin, view.sun.xyz);
        bound(4u, height + look.radius);
        bound(5u, look.radius - height);
    }
    if !seen && !casts { return DROPPED; }
    let key = slot_of(look, size) * ROLES + select(UNSEEN, SEEN, seen);
    return select(key, key | TWICE, seen && selected);
}

fn number_of(group: vec3u, groups: vec3u, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * LANES + lane;
}

fn count(key: u32) -> u32 {
    return atomicAdd(&counts[key], 1u);
}

fn outline_of(key: u32) -> u32 {
    return (key & ~TWICE) / ROLES * ROLES + OUTLINED;
}

// Where a body is among those of its group in the same bucket, and among the outlined ones.
struct Ranks { own: u32, outlined: u32 }

fn ranks_of(key: u32) -> Ranks {
    var ranks = Ranks(0u, 0u);
    if key == DROPPED { return ranks; }
    ranks.own = count(key & ~TWICE);
    if (key & TWICE) != 0u { ranks.outlined = count(outline_of(key)); }
    return ranks;
}

// Clears what the group counts, all lanes together.
fn begin(lane: u32) {
    for (var i = lane; i < view.slots * ROLES; i += LANES) { atomicStore(&counts[i], 0u); }
    if lane < 6u { atomicStore(&group_bounds[lane], 0u); }
    workgroupBarrier();
}

@compute @workgroup_size(LANES)
fn sort(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    begin(lane);
    let number = number_of(group, groups, lane);
    if number < view.bodies {
        let key = key_of(number);
        keys[number] = key;
        _ = ranks_of(key);
    }
    workgroupBarrier();
    for (var i = lane; i < view.slots * ROLES; i += LANES) {
        let own = atomicLoad(&counts[i]);
        if own > 0u { atomicAdd(&buckets[i], own); }
    }
    if lane < 6u {
        let own = atomicLoad(&group_bounds[lane]);
        if own > 0u { atomicMax(&bounds[lane], own); }
    }
}

// Tells a draw how many instances it has, and where they begin.
fn draw(slot: u32, pass_number: u32, many: u32, first: u32) {
    let at = (slot * ROLES + pass_number) * 5u;
    draws[at + 1u] = many;
    draws[at + 4u] = first;
}

// By one thread: there are some hundred buckets at most.
@compute @workgroup_size(1)
fn lay() {
    var first = 0u;
    for (var slot = 0u; slot < view.slots; slot++) {
        let seen = atomicLoad(&buckets[slot * ROLES + SEEN]);
        let unseen = atomicLoad(&buckets[slot * ROLES + UNSEEN]);
        let outlined = atomicLoad(&buckets[slot * ROLES + OUTLINED]);
        // What is seen; what casts shadows; what is outlined.
        draw(slot, 0u, seen, first);
        draw(slot, 1u, seen + unseen, first);
        draw(slot, 2u, outlined, first + seen + unseen);
        atomicStore(&buckets[slot * ROLES + SEEN], first);
        atomicStore(&buckets[slot * ROLES + UNSEEN], first + seen);
        atomicStore(&buckets[slot * ROLES + OUTLINED], first + seen + unseen);
        first += seen + unseen + outlined;
    }
}

// Of a body that is drawn.
fn write(place: u32, look: Look, slot: u32, pose: Pose) {
    var scale = look.scale;
    var marks = look.marks;
    if slot == DOT_SLOT {
        let size = size_of(pose.origin, look.radius);
        let selected = (look.marks & SELECTED) != 0u;
        scale = vec3f(look.dot_radius * select(1.0, FAINT / size, size < FAINT && !selected));
        marks = marks | PATTERN_PLAIN;
    }
    let at = place * WORDS;
    let o = bitcast<vec3u>(pose.origin);
    let q = bitcast<vec4u>(pose.rotation);
    let s = bitcast<vec3u>(scale);
    instances[at] = o.x;
    instances[at + 1u] = o.y;
    instances[at + 2u] = o.z;
    instances[at + 3u] = bitcast<u32>(look.radius);
    instances[at + 4u] = q.x;
    instances[at + 5u] = q.y;
    instances[at + 6u] = q.z;
    instances[at + 7u] = q.w;
    instances[at + 8u] = s.x;
    instances[at + 9u] = s.y;
    instances[at + 10u] = s.z;
    instances[at + 11u] = marks;
    instances[at + 12u] = look.color;
}

@compute @workgroup_size(LANES)
fn fill(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    begin(lane);
    let number = number_of(group, groups, lane);
    var key = DROPPED;
    if number < view.bodies { key = keys[number]; }
    let ranks = ranks_of(key);
    workgroupBarrier();
    for (var i = lane; i < view.slots * ROLES; i += LANES) {
        let own = atomicLoad(&counts[i]);
        if own > 0u { places[i] = atomicAdd(&buckets[i], own); }
    }
    workgroupBarrier();
    if key != DROPPED {
        let look = looks[number];
        let pose = pose_of(look);
        let bucket = key & ~TWICE;
        write(places[bucket] + ranks.own, look, bucket / ROLES, pose);
        if (key & TWICE) != 0u {
            write(places[outline_of(key)] + ranks.outlined, look, bucket / ROLES, pose);
        }
    }
}
