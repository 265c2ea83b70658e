// Sweeps over the rows of any joints and contacts, as the processor has linearized them (src/physics/row.rs):
//
//     J u = lin · (v_B − v_A) + ang_A · ω_A + ang_B · ω_B,   Δλ = −ω (J u + b + γ λ)/(K + γ),   u ← u + M⁻¹ Jᵀ Δλ
//     rows        λ + Δλ within [lo, hi]; without bounds the step is taken whole
//     anchor      three rows at once, Δλ = −ω (K + γ)⁻¹ (J u + b + γ λ)
//     contact     its normals, then what they bind by R = factor · Σ λn (src/physics/bounds.rs):
//                 span |λ| ≤ R, disc ‖(λ1, λ2)‖ ≤ R, surface (λ1, λ2, λ3/arm) in the patch's limit surface of size R (gpu_friction.wgsl)
//     increments  Δλ within [lo, hi], as 004 prints its stops
//
// and, for the split position correction, the same with velocities of their own, which start from rest, and b' for b +
// γ λ: of anchors, normals and what has one bound at most.
//
// `in_turn` is Gauss–Seidel: blocks of a turn share no moving body, and each row sees what those before it have
// changed. `at_once` is Jacobi: all see the sweep's start, what a block changes is kept apart, and `gather` adds it up
// body by body, and what nodes of trees change (shaders/gpu_forest.wgsl).
//
// A group is sixty-four blocks of one shape, lane by lane, and a workgroup: no lane goes another way than its
// neighbours but for what is clamped, and neighbours read neighbouring places. Velocities m/s and rad/s, impulses N s
// and N m s, masses 1/kg.

const WIDTH: u32 = 64u;
const NONE: u32 = 0xffffffffu;
// The body does not move.
const FIXED: u32 = 0x80000000u;
const LARGEST: f32 = 3e38;
// 1 for the split position correction.
override SIDE: u32 = 0u;

struct Turn {
    // Its first group and how many it has.
    first: u32,
    groups: u32,
    bodies: u32,
    // ω.
    omega: f32,
}

@group(1) @binding(0) var<uniform> turn: Turn;

// Of each group: way, rows, normals, bounds; first row, first pair of limits, first law. Behind the groups the laws:
// kind, first row, normals from and to.
@group(0) @binding(0) var<storage, read> shapes: array<vec4u>;
// A and B; NONE in a lane that is not in use.
@group(0) @binding(1) var<storage, read> ends: array<vec2u>;
// Of each row five planes: lin, 1/m_A; ang_A, 1/m_B; ang_B, 1/(K + γ); I_A⁻¹ ang_A, b; I_B⁻¹ ang_B, γ. Behind the three
// rows of an anchor the columns of its inverse, in three of five planes.
@group(0) @binding(2) var<storage, read> rows: array<vec4f>;
// Of each row lo, hi and b'; behind them of each bound its factor and arm.
@group(0) @binding(3) var<storage, read> limits: array<vec4f>;
// λ, and that of the split correction.
@group(0) @binding(4) var<storage, read_write> impulses: array<vec2f>;
// Behind those of all bodies the ones of the split correction.
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4f>;
// Of each lane what its block changes: of A, of B.
@group(0) @binding(6) var<storage, read_write> changes: array<vec4f>;
// The lanes at each body, one list behind the other: twice the lane, and one where the body is its B.
@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> list: array<u32>;

const ROWS: u32 = 0u;
const ANCHOR: u32 = 1u;
const SOFT_ANCHOR: u32 = 2u;
const CONTACT: u32 = 3u;
const INCREMENTS: u32 = 4u;

const SPAN: u32 = 0u;
const DISC: u32 = 1u;
const ELLIPSOID: u32 = 2u;
const PATCH: u32 = 3u;

struct Ends { v_a: vec3f, w_a: vec3f, v_b: vec3f, w_b: vec3f }

// What the rows see, and what they have changed.
var<private> seen: Ends;
var<private> change: Ends;
var<private> live: bool;
var<private> group: u32;
var<private> lane: u32;
var<private> pair: vec2u;
var<private> first_row: u32;
var<private> first_limit: u32;

fn plane(row: u32, number: u32) -> vec4f {
    return rows[((first_row + row) * 5u + number) * WIDTH + lane];
}

fn at(row: u32) -> u32 {
    return (first_row + row) * WIDTH + lane;
}

fn limit(place: u32) -> vec4f {
    return limits[(first_limit + place) * WIDTH + lane];
}

fn sum(v: vec3f) -> f32 {
    return v.x + v.y + v.z;
}

// J u, with b, and with all that a row is off by.
fn speed(row: u32) -> f32 {
    let along = plane(row, 0u).xyz * (seen.v_b - seen.v_a);
    return sum(along + plane(row, 1u).xyz * seen.w_a + plane(row, 2u).xyz * seen.w_b);
}

fn rigid(row: u32) -> f32 {
    return speed(row) + plane(row, 3u).w;
}

fn off(row: u32) -> f32 {
    return rigid(row) + plane(row, 4u).w * impulses[at(row)].x;
}

// Δλ without bounds.
fn step_of(row: u32) -> f32 {
    let whole = -off(row) * plane(row, 2u).w;
    return select(whole * turn.omega, whole, live);
}

fn apply(row: u32, by: f32) {
    let lin = plane(row, 0u);
    change.v_a -= lin.xyz * (lin.w * by);
    change.w_a += plane(row, 3u).xyz * by;
    change.v_b += lin.xyz * (plane(row, 1u).w * by);
    change.w_b += plane(row, 4u).xyz * by;
    if live { seen = change; }
}

// Gives a row this impulse.
fn take(row: u32, impulse: f32) {
    let by = impulse - impulses[at(row)].x;
    impulses[at(row)].x = impulse;
    apply(row, by);
}

fn solve_within(row: u32, lo: f32, hi: f32) {
    take(row, min(max(impulses[at(row)].x + step_of(row), lo), hi));
}

// A row without bounds takes its step whole: the difference of two impulses would keep of it only what 32 bits hold of
// them.
fn solve_row(row: u32) {
    let bounds = limit(row);
    if bounds.x > -LARGEST || bounds.y < LARGEST {
        solve_within(row, bounds.x, bounds.y);
        return;
    }
    let by = step_of(row);
    impulses[at(row)].x += by;
    apply(row, by);
}

fn solve_increment(row: u32) {
    let bounds = limit(row);
    let by = min(max(step_of(row), bounds.x), bounds.y);
    impulses[at(row)].x += by;
    apply(row, by);
}

fn solve_anchor(soft: bool) {
    var wrong = vec3f(rigid(0u), rigid(1u), rigid(2u));
    if soft { wrong = vec3f(off(0u), off(1u), off(2u)); }
    let inverse = mat3x3f(plane(3u, 0u).xyz, plane(3u, 1u).xyz, plane(3u, 2u).xyz);
    var by = inverse * -wrong;
    if !live { by *= turn.omega; }
    for (var row = 0u; row < 3u; row++) {
        impulses[at(row)].x += by[row];
        apply(row, by[row]);
    }
}

// A row of the split correction. Drives and friction, bounded on both sides, take no part, nor do soft rows.
fn correct_row(row: u32) {
    let bounds = limit(row);
    if plane(row, 4u).w > 0.0 || (bounds.x > -LARGEST && bounds.y < LARGEST) { return; }
    let before = impulses[at(row)].y;
    let wrong = speed(row) + bounds.z;
    let impulse = min(max(before - wrong * plane(row, 2u).w * turn.omega, bounds.x), bounds.y);
    impulses[at(row)].y = impulse;
    apply(row, impulse - before);
}

fn correct_anchor() {
    var wrong: vec3f;
    for (var row = 0u; row < 3u; row++) { wrong[row] = speed(row) + limit(row).z; }
    let inverse = mat3x3f(plane(3u, 0u).xyz, plane(3u, 1u).xyz, plane(3u, 2u).xyz);
    let by = turn.omega * (inverse * -wrong);
    for (var row = 0u; row < 3u; row++) {
        impulses[at(row)].y += by[row];
        apply(row, by[row]);
    }
}

fn solve_bound(law: vec4u, factor: f32, arm: f32) {
    var load = 0.0;
    for (var row = law.z; row < law.w; row++) { load += impulses[at(row)].x; }
    let size = factor * load;
    let first = law.y;
    if law.x == SPAN {
        solve_within(first, -size, size);
        return;
    }
    var x = impulses[at(first)].x + step_of(first);
    var y = impulses[at(first + 1u)].x + step_of(first + 1u);
    if law.x == DISC {
        let length = sqrt(x * x + y * y);
        if length > size {
            let shrink = size / length;
            x *= shrink;
            y *= shrink;
        }
        take(first, x);
        take(first + 1u, y);
        return;
    }
    let torsion = (impulses[at(first + 2u)].x + step_of(first + 2u)) / arm;
    let within = projected(law.x == PATCH, vec3f(x, y, torsion), size);
    take(first, within.x);
    take(first + 1u, within.y);
    take(first + 2u, within.z * arm);
}

fn solve() {
    let shape = shapes[2u * group];
    let place = shapes[2u * group + 1u];
    first_row = place.x;
    first_limit = place.y;
    switch shape.x {
        case ANCHOR: { solve_anchor(false); }
        case SOFT_ANCHOR: { solve_anchor(true); }
        case INCREMENTS: {
            for (var row = 0u; row < shape.y; row++) { solve_increment(row); }
        }
        case CONTACT: {
            for (var row = 0u; row < shape.z; row++) {
                let bounds = limit(row);
                solve_within(row, bounds.x, bounds.y);
            }
            for (var bound = 0u; bound < shape.w; bound++) {
                let numbers = limit(shape.y + bound);
                solve_bound(shapes[place.z + bound], numbers.x, numbers.y);
            }
        }
        default: {
            for (var row = 0u; row < shape.y; row++) { solve_row(row); }
        }
    }
}

fn correct() {
    let shape = shapes[2u * group];
    first_row = shapes[2u * group + 1u].x;
    first_limit = shapes[2u * group + 1u].y;
    if shape.x == ANCHOR { correct_anchor(); }
    if shape.x == ANCHOR || shape.x == SOFT_ANCHOR { return; }
    let count = select(shape.y, shape.z, shape.x == CONTACT);
    for (var row = 0u; row < count; row++) { correct_row(row); }
}

// The group of a workgroup; more of them than a dimension takes are laid out in rows.
fn group_of(id: vec3u, groups: vec3u) -> u32 {
    return id.x + id.y * groups.x;
}

// Velocities from `first` on.
fn load(pair: vec2u, first: u32) -> Ends {
    let a = 2u * (first + (pair.x & ~FIXED));
    let b = 2u * (first + (pair.y & ~FIXED));
    return Ends(velocities[a].xyz, velocities[a + 1u].xyz, velocities[b].xyz, velocities[b + 1u].xyz);
}

// Takes the lane's place; false where there is none.
fn begin(id: vec3u, groups: vec3u, own: u32) -> bool {
    if group_of(id, groups) >= turn.groups { return false; }
    group = turn.first + group_of(id, groups);
    lane = own;
    pair = ends[group * WIDTH + lane];
    return pair.x != NONE;
}

fn end_in_turn(first: u32) {
    if pair.x < FIXED {
        velocities[2u * (first + pair.x)] = vec4f(change.v_a, 0.0);
        velocities[2u * (first + pair.x) + 1u] = vec4f(change.w_a, 0.0);
    }
    if pair.y < FIXED {
        velocities[2u * (first + pair.y)] = vec4f(change.v_b, 0.0);
        velocities[2u * (first + pair.y) + 1u] = vec4f(change.w_b, 0.0);
    }
}

fn end_at_once() {
    let place = 4u * (group * WIDTH + lane);
    changes[place] = vec4f(change.v_a, 0.0);
    changes[place + 1u] = vec4f(change.w_a, 0.0);
    changes[place + 2u] = vec4f(change.v_b, 0.0);
    changes[place + 3u] = vec4f(change.w_b, 0.0);
}

// Solves its rows, or the split correction's.
fn solve_side() {
    if SIDE == 1u { correct(); } else { solve(); }
}

@compute @workgroup_size(WIDTH)
fn in_turn(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) own: u32,
) {
    if !begin(id, groups, own) { return; }
    let first = SIDE * turn.bodies;
    live = true;
    seen = load(pair, first);
    change = seen;
    solve_side();
    end_in_turn(first);
}

@compute @workgroup_size(WIDTH)
fn at_once(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) own: u32,
) {
    if !begin(id, groups, own) { return; }
    live = false;
    seen = load(pair, SIDE * turn.bodies);
    change = Ends(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    solve_side();
    end_at_once();
}

@compute @workgroup_size(WIDTH)
fn gather(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) own: u32,
) {
    let body = group_of(id, groups) * WIDTH + own;
    if body >= turn.bodies { return; }
    var linear = vec4f(0.0);
    var angular = vec4f(0.0);
    for (var i = starts[body]; i < starts[body + 1u]; i++) {
        linear += changes[2u * list[i]];
        angular += changes[2u * list[i] + 1u];
    }
    let at = 2u * (SIDE * turn.bodies + body);
    velocities[at] += linear;
    velocities[at + 1u] += angular;
}
