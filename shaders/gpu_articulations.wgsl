// Trees of any joints solved exactly, a thread a tree: whole mechanisms, or each joint by itself. The processor has
// eliminated them (crates/physics/src/solvers/tree/articulated.rs, whose factors L, Y, W and R these are); here is what each
// sweep does, leaves first and back:
//
//     lacks    r = −ω (J u + b + γ λ)
//     down     y = L⁻¹ f̂,  z = R⁻¹ (r − Yᵀ y),  f̂_p += Wᵀ z                  leaves to root
//     up       z' = z − W Δu_p,  μ = R⁻ᵀ z',  Δu = L⁻ᵀ (y + Y μ),  λ += μ     root to leaves
//
// A sub-step's first sweep moves the bodies by Δu, which 32 bits hold best; further ones, and all with split masses, by
// M⁻¹ Jᵀ μ. In Gauss–Seidel
// ω is 1 and the trees of a turn share no moving body. In Jacobi all trees see the sweep's start, what each
// changes is kept apart, node by node, and gpu_lanes.wgsl adds it up body by body. The velocities of the split position
// correction lie behind the others. Velocities m/s and rad/s, impulses N s and N m s.

struct Turn {
    first: u32,
    count: u32,
    bodies: u32,
    // Whether bodies move by Δu.
    begins: u32,
    // ω.
    omega: f32,
    // The first place of what nodes change.
    lanes: u32,
    spare: u32,
    spare_too: u32,
}

@group(1) @binding(0) var<uniform> turn: Turn;

// The nodes of each tree, from and to, children before parents.
@group(0) @binding(0) var<storage, read> trees: array<vec2u>;
// Of each node two: its body, its parent's place or NONE, its first factor; its first row, their number, A and B.
@group(0) @binding(1) var<storage, read> nodes: array<vec4u>;
// Of each row five: lin, 1/m_A; ang_A, 1/m_B; ang_B, b; I_A⁻¹ ang_A, γ; I_B⁻¹ ang_B, b of the split correction.
@group(0) @binding(2) var<storage, read> rows: array<vec4f>;
// Of each node L with the reciprocals of its diagonal, row by row; Y and W, six numbers a row; R like L.
@group(0) @binding(3) var<storage, read> factors: array<f32>;
// Of each row λ and that of the split correction.
@group(0) @binding(4) var<storage, read_write> impulses: array<f32>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4f>;
// Of each node twelve numbers: f̂, y, then Δu; r, z, then μ.
@group(0) @binding(6) var<storage, read_write> work: array<f32>;
// Of each node what it changes: of its joint's A, of its B; of a root without a joint its body and nothing.
@group(0) @binding(7) var<storage, read_write> changes: array<vec4f>;

// 1 for the split position correction.
override SIDE: u32 = 0u;

// Where entry (i, j), j ≤ i, of a packed triangle is.
fn entry(i: u32, j: u32) -> u32 {
    return i * (i + 1u) / 2u + j;
}

// J u + b + γ λ.
fn lacks(row: u32, a: u32, b: u32) -> f32 {
    let at = 5u * row;
    let first = 2u * (SIDE * turn.bodies + a);
    let second = 2u * (SIDE * turn.bodies + b);
    let speed = dot(rows[at].xyz, velocities[second].xyz - velocities[first].xyz)
        + dot(rows[at + 1u].xyz, velocities[first + 1u].xyz) + dot(rows[at + 2u].xyz, velocities[second + 1u].xyz);
    let offset = select(rows[at + 2u].w, rows[at + 4u].w, SIDE == 1u);
    return speed + offset + rows[at + 3u].w * impulses[2u * row + SIDE];
}

fn down(k: u32) {
    let head = nodes[2u * k];
    let tail = nodes[2u * k + 1u];
    let l = head.z;
    let n = tail.y;
    var force: array<f32, 6>;
    var right: array<f32, 6>;
    for (var i = 0u; i < 6u; i++) {
        var above = 0.0;
        for (var j = 0u; j < i; j++) { above += factors[l + entry(i, j)] * force[j]; }
        force[i] = (work[12u * k + i] - above) * factors[l + entry(i, i)];
        work[12u * k + i] = force[i];
    }
    let y = l + 21u;
    let w = y + 6u * n;
    let r = w + 6u * n;
    var felt: array<f32, 6>;
    for (var i = 0u; i < n; i++) {
        var own = -turn.omega * lacks(tail.x + i, tail.z, tail.w);
        for (var j = 0u; j < 6u; j++) { own -= factors[y + 6u * i + j] * force[j]; }
        var above = 0.0;
        for (var j = 0u; j < i; j++) { above += factors[r + entry(i, j)] * right[j]; }
        right[i] = (own - above) * factors[r + entry(i, i)];
        work[12u * k + 6u + i] = right[i];
        for (var j = 0u; j < 6u; j++) { felt[j] += factors[w + 6u * i + j] * right[i]; }
    }
    if head.y != NONE {
        for (var j = 0u; j < 6u; j++) { work[12u * head.y + j] += felt[j]; }
    }
}

fn up(k: u32) {
    let head = nodes[2u * k];
    let tail = nodes[2u * k + 1u];
    let l = head.z;
    let n = tail.y;
    var force: array<f32, 6>;
    var parent: array<f32, 6>;
    for (var j = 0u; j < 6u; j++) {
        force[j] = work[12u * k + j];
        if head.y != NONE { parent[j] = work[12u * head.y + j]; }
    }
    let y = l + 21u;
    let w = y + 6u * n;
    let r = w + 6u * n;
    var right: array<f32, 6>;
    for (var i = 0u; i < n; i++) {
        right[i] = work[12u * k + 6u + i];
        for (var j = 0u; j < 6u; j++) { right[i] -= factors[w + 6u * i + j] * parent[j]; }
    }
    for (var back = 0u; back < n; back++) {
        let i = n - 1u - back;
        var below = 0.0;
        for (var j = i + 1u; j < n; j++) { below += factors[r + entry(j, i)] * right[j]; }
        right[i] = (right[i] - below) * factors[r + entry(i, i)];
        work[12u * k + 6u + i] = right[i];
        impulses[2u * (tail.x + i) + SIDE] += right[i];
        for (var j = 0u; j < 6u; j++) { force[j] += factors[y + 6u * i + j] * right[i]; }
    }
    for (var back = 0u; back < 6u; back++) {
        let i = 5u - back;
        var below = 0.0;
        for (var j = i + 1u; j < 6u; j++) { below += factors[l + entry(j, i)] * force[j]; }
        force[i] = (force[i] - below) * factors[l + entry(i, i)];
        work[12u * k + i] = force[i];
    }
}

struct Six { linear: vec3f, angular: vec3f }

// Δu of a node's body.
fn change_of(k: u32) -> Six {
    let own = 12u * k;
    return Six(vec3f(work[own], work[own + 1u], work[own + 2u]), vec3f(work[own + 3u], work[own + 4u], work[own + 5u]));
}

// M⁻¹ Jᵀ μ of a node's joint: of its A, and of its B.
fn pushed(k: u32) -> array<Six, 2> {
    let tail = nodes[2u * k + 1u];
    let nothing = Six(vec3f(0.0), vec3f(0.0));
    var by = array<Six, 2>(nothing, nothing);
    for (var i = 0u; i < tail.y; i++) {
        let at = 5u * (tail.x + i);
        let mu = work[12u * k + 6u + i];
        by[0].linear -= rows[at].xyz * (rows[at].w * mu);
        by[0].angular += rows[at + 3u].xyz * mu;
        by[1].linear += rows[at].xyz * (rows[at + 1u].w * mu);
        by[1].angular += rows[at + 4u].xyz * mu;
    }
    return by;
}

// Whether a node's joint moves its A, and its B: what impulses do not move is another tree's, too, and never written.
fn moves(k: u32) -> vec2<bool> {
    let tail = nodes[2u * k + 1u];
    var found = vec2<bool>(false, false);
    for (var i = 0u; i < tail.y; i++) {
        let at = 5u * (tail.x + i);
        found.x = found.x || rows[at].w != 0.0 || any(rows[at + 3u].xyz != vec3f(0.0));
        found.y = found.y || rows[at + 1u].w != 0.0 || any(rows[at + 4u].xyz != vec3f(0.0));
    }
    return found;
}

fn move_body(body: u32, by: Six) {
    let at = 2u * (SIDE * turn.bodies + body);
    velocities[at] += vec4f(by.linear, 0.0);
    velocities[at + 1u] += vec4f(by.angular, 0.0);
}

fn apply(k: u32) {
    if turn.begins == 1u {
        move_body(nodes[2u * k].x, change_of(k));
        return;
    }
    let tail = nodes[2u * k + 1u];
    let by = pushed(k);
    let moved = moves(k);
    if moved.x { move_body(tail.z, by[0]); }
    if moved.y { move_body(tail.w, by[1]); }
}

fn keep_apart(k: u32) {
    let body = nodes[2u * k].x;
    let b = nodes[2u * k + 1u].w;
    let nothing = Six(vec3f(0.0), vec3f(0.0));
    var by = array<Six, 2>(nothing, nothing);
    if turn.begins == 1u {
        if body == b { by[1] = change_of(k); } else { by[0] = change_of(k); }
    } else {
        by = pushed(k);
    }
    let at = 4u * (turn.lanes + k);
    changes[at] = vec4f(by[0].linear, 0.0);
    changes[at + 1u] = vec4f(by[0].angular, 0.0);
    changes[at + 2u] = vec4f(by[1].linear, 0.0);
    changes[at + 3u] = vec4f(by[1].angular, 0.0);
}

fn solve(tree: u32) -> vec2u {
    let range = trees[tree];
    for (var k = range.x; k < range.y; k++) {
        for (var j = 0u; j < 6u; j++) { work[12u * k + j] = 0.0; }
    }
    for (var k = range.x; k < range.y; k++) { down(k); }
    for (var k = range.y; k > range.x; k--) { up(k - 1u); }
    return range;
}

// The tree of a thread, or NONE.
fn tree_of(group: vec3u, groups: vec3u, lane: u32) -> u32 {
    let number = (group.y * groups.x + group.x) * WIDTH + lane;
    return select(NONE, turn.first + number, number < turn.count);
}

@compute @workgroup_size(WIDTH)
fn trees_in_turn(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let tree = tree_of(group, groups, lane);
    if tree == NONE { return; }
    let range = solve(tree);
    for (var k = range.x; k < range.y; k++) { apply(k); }
}

@compute @workgroup_size(WIDTH)
fn trees_at_once(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let tree = tree_of(group, groups, lane);
    if tree == NONE { return; }
    let range = solve(tree);
    for (var k = range.x; k < range.y; k++) { keep_apart(k); }
}
