// Sweeps over the rows of any joints and contacts, as the processor has linearized them (crates/physics/src/row/):
//
//     J u = lin · (v_B − v_A) + ang_A · ω_A + ang_B · ω_B,   Δλ = −ω (J u + b + γ λ)/(K + γ),   u ← u + M⁻¹ Jᵀ Δλ
//     rows        λ + Δλ within [lo, hi]; without bounds the step is taken whole
//     anchor      three rows at once, Δλ = −ω (K + γ)⁻¹ (J u + b + γ λ)
//     contact     its normals, then what they bind by R = factor · Σ λn (crates/physics/src/bounds.rs):
//                 span |λ| ≤ R, disc ‖(λ1, λ2)‖ ≤ R, surface (λ1, λ2, λ3/arm) in the patch's limit surface of size R (gpu_friction.wgsl)
//     increments  Δλ within [lo, hi], as 004 prints its stops
//
// and, for the split position correction, the same with velocities of their own, which start from rest, and b' for b +
// γ λ: of anchors, normals and what has one bound at most.
//
// `in_turn` is Gauss–Seidel: blocks of a turn share no moving body, and each row sees what those before it have
// changed. `at_once` is Jacobi: all see the sweep's start, what a block changes is kept apart, and `gather` adds it up
// body by body, and what nodes of trees change (shaders/gpu_articulations.wgsl).
//
// A group is sixty-four blocks of one shape, lane by lane, and a workgroup: no lane goes another way than its
// neighbours but for what is clamped, and neighbours read neighbouring places. Velocities m/s and rad/s, impulses N s
// and N m s, masses 1/kg.

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
