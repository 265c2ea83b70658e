// Chains of ball-sockets solved exactly by parallel cyclic reduction, one thread per joint. The corrections η of a
// chain's impulses solve a block tridiagonal system, 3×3 blocks:
//
//     A η = ρ,   A = J M⁻¹ Jᵀ,   ρ = −(J V + b),   λ ← λ + η
//     D_i = J_i M⁻¹ J_iᵀ,   U_i = J_i M⁻¹ J_{i+1}ᵀ = σ σ' (1/m + [l]× I⁻¹ [l']×ᵀ)
//
// over the body that joints i and i + 1 share, where J = σ (1, −[l]×): σ is 1 on a joint's B and −1 on its A. Each pass
// eliminates from every row at once the rows a stride s before and behind it, E = D⁻¹:
//
//     D_i ← D_i − U_{i−s}ᵀ E_{i−s} U_{i−s} − U_i E_{i+s} U_iᵀ
//     ρ_i ← ρ_i − U_{i−s}ᵀ E_{i−s} ρ_{i−s} − U_i E_{i+s} ρ_{i+s}
//     U_i ← −U_i E_{i+s} U_{i+s}                           which couples i and i + 2s
//
// A stays symmetric: a row is coupled to the row before it by that row's Uᵀ. After ⌈log₂ n⌉ passes no row has a
// neighbour, and η_i = E_i ρ_i.
//
// A workgroup keeps the rows of one chain, or of some short ones, in its own memory and makes all passes there
// (`whole_chains`). A longer chain of n joints is first split by passes through the device's memory, `reduce`, until its
// s chains of every s-th joint are short enough; then a workgroup solves each of these (`finish`). A second solve
// removes rounding errors; gpu_velocities.wgsl gathers M⁻¹ Jᵀ η. Units: D, U 1/kg; ρ m/s; η, λ N s.
// Source: Hockney and Jesshope 1981; the two stages: Zhang, Cohen and Owens 2010.

struct Turn {
    // Distance between neighbours in the chain, constraints.
    stride: u32,
    // The half of `blocks` that is read.
    side: u32,
    spare: u32,
    spare_too: u32,
}

@group(1) @binding(0) var<uniform> turn: Turn;

@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec2u>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;
@group(0) @binding(12) var<storage, read_write> others: array<vec4f>;
// For each constraint: the first of its chain, and the end; the body that it shares with the next, or NONE; flags whether
// that body is its body B (bit 0) and the next one's (bit 1).
@group(0) @binding(17) var<storage, read> links: array<vec4u>;
// For each workgroup: its first constraint, the number of constraints, and their stride.
@group(0) @binding(18) var<storage, read> groups: array<vec4u>;
// Two halves, one read while the other is written. Five vectors per row: D and ρ, with U's first column in the fourth
// components, then U's other columns.
@group(0) @binding(19) var<storage, read_write> blocks: array<vec4f>;

// A row's D, or of a neighbour E; U; ρ.
struct Equation { d: Symmetric, u: mat3x3f, r: vec3f }

fn empty() -> Equation {
    let nothing = vec3f(0.0);
    return Equation(Symmetric(nothing, nothing), mat3x3f(nothing, nothing, nothing), nothing);
}

// 1/m + [l]× I⁻¹ [l']×ᵀ of a body.
fn between(body: u32, l: vec3f, l_too: vec3f) -> mat3x3f {
    let low = inverses[2u * body];
    if low.x == 0.0 { return empty().u; }
    let turns = inertia(low, inverses[2u * body + 1u]);
    return mat3x3f(
        vec3f(low.x, 0.0, 0.0) + cross(l, times(turns, cross(vec3f(1.0, 0.0, 0.0), l_too))),
        vec3f(0.0, low.x, 0.0) + cross(l, times(turns, cross(vec3f(0.0, 1.0, 0.0), l_too))),
        vec3f(0.0, 0.0, low.x) + cross(l, times(turns, cross(vec3f(0.0, 0.0, 1.0), l_too))),
    );
}

// A row as the velocities leave it.
fn assembled(index: u32) -> Equation {
    let pair = ends[index];
    let s_a = rows[4u * index].xyz;
    let r_b = rows[4u * index + 1u].xyz;
    let at_a = velocities[2u * pair.x].xyz + cross(velocities[2u * pair.x + 1u].xyz, s_a);
    let at_b = velocities[2u * pair.y].xyz + cross(velocities[2u * pair.y + 1u].xyz, r_b);
    var own = empty();
    own.d = half(between(pair.x, s_a, s_a) + between(pair.y, r_b, r_b));
    own.r = at_a - at_b - rows[4u * index + 2u].xyz;
    let link = links[index];
    if link.z != NONE {
        let is_b = link.w & 1u;
        let is_next_s_b = link.w >> 1u;
        let next = rows[4u * (index + 1u) + is_next_s_b].xyz;
        own.u = between(link.z, select(s_a, r_b, is_b == 1u), next) * select(-1.0, 1.0, is_b == is_next_s_b);
    }
    return own;
}

fn take_out_before(own: Equation, other: Equation) -> Equation {
    let share = transpose(other.u) * whole(other.d);
    return Equation(sum(own.d, minus(half(share * other.u))), own.u, own.r - share * other.r);
}

fn take_out_behind(own: Equation, other: Equation) -> Equation {
    let share = own.u * whole(other.d);
    return Equation(
        sum(own.d, minus(half(share * transpose(own.u)))), (share * other.u) * -1.0, own.r - share * other.r);
}

fn packed(row: Equation) -> array<vec4f, 5> {
    return array<vec4f, 5>(
        vec4f(row.d.on, row.u[0].x),
        vec4f(row.d.off, row.u[0].y),
        vec4f(row.r, row.u[0].z),
        vec4f(row.u[1], 0.0),
        vec4f(row.u[2], 0.0),
    );
}

fn unpacked(p: array<vec4f, 5>) -> Equation {
    let u = mat3x3f(vec3f(p[0].w, p[1].w, p[2].w), p[3].xyz, p[4].xyz);
    return Equation(Symmetric(p[0].xyz, p[1].xyz), u, p[2].xyz);
}

fn stored(index: u32, side: u32) -> Equation {
    let at = 5u * (side * config.constraints + index);
    return unpacked(
        array<vec4f, 5>(blocks[at], blocks[at + 1u], blocks[at + 2u], blocks[at + 3u], blocks[at + 4u]));
}

fn store(index: u32, side: u32, row: Equation) {
    let at = 5u * (side * config.constraints + index);
    let p = packed(row);
    blocks[at] = p[0];
    blocks[at + 1u] = p[1];
    blocks[at + 2u] = p[2];
    blocks[at + 3u] = p[3];
    blocks[at + 4u] = p[4];
}

fn inverted(row: Equation) -> Equation {
    return Equation(inverse(row.d, REDUNDANT), row.u, row.r);
}

@compute @workgroup_size(LANES)
fn assemble(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let index = own(id, count);
    if index >= config.constraints { return; }
    store(index, 0u, assembled(index));
}

// A pass through the device's memory.
@compute @workgroup_size(LANES)
fn reduce(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let index = own(id, count);
    if index >= config.constraints { return; }
    let link = links[index];
    var row = stored(index, turn.side);
    if index >= link.x + turn.stride {
        row = take_out_before(row, inverted(stored(index - turn.stride, turn.side)));
    }
    if index + turn.stride < link.y {
        row = take_out_behind(row, inverted(stored(index + turn.stride, turn.side)));
    }
    store(index, 1u - turn.side, row);
}

// A workgroup's rows, packed, with E in place of D.
var<workgroup> kept: array<array<vec4f, 5>, WIDTH>;

// All passes of a workgroup, whose rows are a stride apart. Returns the correction η of the lane's row. All lanes must
// call it, because it has barriers.
fn reduced(begun: Equation, index: u32, lane: u32, stride: u32, link: vec4u) -> vec3f {
    var row = begun;
    for (var away = 1u; away < WIDTH; away *= 2u) {
        kept[lane] = packed(inverted(row));
        workgroupBarrier();
        if index >= link.x + away * stride { row = take_out_before(row, unpacked(kept[lane - away])); }
        if index + away * stride < link.y { row = take_out_behind(row, unpacked(kept[lane + away])); }
        workgroupBarrier();
    }
    return times(inverse(row.d, REDUNDANT), row.r);
}

fn give(index: u32, impulse: vec3f) {
    multipliers[index] += vec4f(impulse, 0.0);
    others[index] = vec4f(impulse, 0.0);
}

// The group of a workgroup; more of them than a dimension takes are laid out in rows.
fn group_of(id: vec3u, count: vec3u) -> vec4u {
    let number = id.x + id.y * count.x;
    if number >= arrayLength(&groups) { return vec4u(0u); }
    return groups[number];
}

@compute @workgroup_size(WIDTH)
fn finish(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) count: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_of(id, count);
    let index = group.x + lane * group.z;
    let used = lane < group.y;
    var row = empty();
    // A row without neighbours.
    var link = vec4u(index, index, NONE, 0u);
    if used {
        row = stored(index, turn.side);
        link = links[index];
    }
    let impulse = reduced(row, index, lane, turn.stride, link);
    if used { give(index, impulse); }
}

@compute @workgroup_size(WIDTH)
fn whole_chains(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) count: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let group = group_of(id, count);
    let index = group.x + lane;
    let used = lane < group.y && index < config.constraints;
    var row = empty();
    var link = vec4u(index, index, NONE, 0u);
    if used {
        row = assembled(index);
        link = links[index];
    }
    let impulse = reduced(row, index, lane, 1u, link);
    if used { give(index, impulse); }
}
