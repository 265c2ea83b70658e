// Trees of any joints solved exactly, a thread a tree: whole mechanisms, or each joint by itself. The processor has
// eliminated them (src/physics/solvers/tree/articulated.rs, whose factors L, Y, W and R these are); here is what each
// sweep does, leaves first and back:
//
//     lacks    r = −(J u + b + γ λ)
//     down     y = L⁻¹ f̂,  z = R⁻¹ (r − Yᵀ y),  f̂_p += Wᵀ z                  leaves to root
//     up       z' = z − W Δu_p,  μ = R⁻ᵀ z',  Δu = L⁻ᵀ (y + Y μ),  λ += μ     root to leaves
//
// A sub-step's first sweep moves the bodies by Δu, which 32 bits hold best; further ones by M⁻¹ Jᵀ μ. The trees of a
// turn share no moving body. `correct` is the same for the split position correction, whose velocities lie behind the
// others. Velocities m/s and rad/s, impulses N s and N m s.

struct Turn {
    first: u32,
    count: u32,
    bodies: u32,
    // Whether it is the sub-step's first sweep.
    begins: u32,
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

const WIDTH: u32 = 64u;
const NONE: u32 = 0xffffffffu;

var<private> side: u32;

// Where entry (i, j), j ≤ i, of a packed triangle is.
fn entry(i: u32, j: u32) -> u32 {
    return i * (i + 1u) / 2u + j;
}

// J u + b + γ λ.
fn lacks(row: u32, a: u32, b: u32) -> f32 {
    let at = 5u * row;
    let first = 2u * (side * turn.bodies + a);
    let second = 2u * (side * turn.bodies + b);
    let speed = dot(rows[at].xyz, velocities[second].xyz - velocities[first].xyz)
        + dot(rows[at + 1u].xyz, velocities[first + 1u].xyz) + dot(rows[at + 2u].xyz, velocities[second + 1u].xyz);
    let offset = select(rows[at + 2u].w, rows[at + 4u].w, side == 1u);
    return speed + offset + rows[at + 3u].w * impulses[2u * row + side];
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
        var own = -lacks(tail.x + i, tail.z, tail.w);
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
        impulses[2u * (tail.x + i) + side] += right[i];
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

// Moves a node's body by its Δu.
fn move_by_change(k: u32) {
    let own = 12u * k;
    let linear = vec3f(work[own], work[own + 1u], work[own + 2u]);
    move_body(nodes[2u * k].x, linear, vec3f(work[own + 3u], work[own + 4u], work[own + 5u]));
}

fn move_body(body: u32, linear: vec3f, angular: vec3f) {
    let at = 2u * (side * turn.bodies + body);
    velocities[at] += vec4f(linear, 0.0);
    velocities[at + 1u] += vec4f(angular, 0.0);
}

// Moves the two bodies of a node's joint by μ. What impulses do not move is another tree's, too, and never written.
fn move_by_impulses(k: u32) {
    let tail = nodes[2u * k + 1u];
    var linear_a = vec3f(0.0);
    var angular_a = vec3f(0.0);
    var linear_b = vec3f(0.0);
    var angular_b = vec3f(0.0);
    var moves_a = false;
    var moves_b = false;
    for (var i = 0u; i < tail.y; i++) {
        let at = 5u * (tail.x + i);
        let mu = work[12u * k + 6u + i];
        linear_a -= rows[at].xyz * (rows[at].w * mu);
        angular_a += rows[at + 3u].xyz * mu;
        linear_b += rows[at].xyz * (rows[at + 1u].w * mu);
        angular_b += rows[at + 4u].xyz * mu;
        moves_a = moves_a || rows[at].w != 0.0 || any(rows[at + 3u].xyz != vec3f(0.0));
        moves_b = moves_b || rows[at + 1u].w != 0.0 || any(rows[at + 4u].xyz != vec3f(0.0));
    }
    if moves_a { move_body(tail.z, linear_a, angular_a); }
    if moves_b { move_body(tail.w, linear_b, angular_b); }
}

fn solve(tree: u32) {
    let range = trees[tree];
    for (var k = range.x; k < range.y; k++) {
        for (var j = 0u; j < 6u; j++) { work[12u * k + j] = 0.0; }
    }
    for (var k = range.x; k < range.y; k++) { down(k); }
    for (var k = range.y; k > range.x; k--) { up(k - 1u); }
    for (var k = range.x; k < range.y; k++) {
        if turn.begins == 1u { move_by_change(k); } else { move_by_impulses(k); }
    }
}

fn number_of(group: vec3u, groups: vec3u, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WIDTH + lane;
}

@compute @workgroup_size(WIDTH)
fn sweep(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    side = 0u;
    let number = number_of(group, groups, lane);
    if number < turn.count { solve(turn.first + number); }
}

@compute @workgroup_size(WIDTH)
fn correct(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    side = 1u;
    let number = number_of(group, groups, lane);
    if number < turn.count { solve(turn.first + number); }
}
