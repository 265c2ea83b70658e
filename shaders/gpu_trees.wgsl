// Trees of ball-sockets solved exactly, a thread a tree: block LDLᵀ over its bodies, leaves first. With all signs
// towards the parent, l and l_p the levers of a joint on the body and on its parent, J u = v + ω × l:
//
//     below the joint   M̂ Δu = f̂ + Jᵀ η              M̂: the body with all that hangs on it, f̂ what that pushes
//     the joint         J Δu − J_p Δu_p = ρ            ρ = ∓(J V + b), what is wrong with the velocities
//
//     factor   M̂ = (A Bᵀ; B C),  G = B A⁻¹,  D = C − G Bᵀ              6×6 by 3×3 blocks
//              S = J M̂⁻¹ Jᵀ = A⁻¹ + Nᵀ D⁻¹ N,  N = [l]× − G,  T = S⁻¹,  M̂_p += J_pᵀ T J_p
//     down     u = M̂⁻¹ f̂,  z = T (ρ − J u),  f̂_p −= J_pᵀ z              leaves to root
//     up       η = z + T J_p Δu_p,  Δu = u + M̂⁻¹ Jᵀ η,  λ ± η            root to leaves
//
// It is the elimination of the processor's trees (crates/physics/src/solvers/tree/articulated.rs) for three rows, which are a
// basis of space, so that Y, W and R of there need not be kept. The first solve of a sub-step moves the bodies by Δu,
// which 32 bits hold best; further ones refine and hand η on, from which gpu_velocities.wgsl gathers M⁻¹ Jᵀ η.
//
// The nodes of all trees lie step by step: `levels[k] + t` is the k-th of tree t, trees by their length, the longest
// first, so that neighbouring threads read neighbouring places. What a parent sums up goes by register from the body
// before it, and through memory from others. Units: masses kg, kg m and kg m²; velocities m/s and rad/s; impulses N s
// and N m s.

@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> inverses: array<vec4f>;
@group(0) @binding(10) var<storage, read> rows: array<vec4f>;
@group(0) @binding(11) var<storage, read_write> multipliers: array<vec4f>;
@group(0) @binding(12) var<storage, read_write> others: array<vec4f>;
// Body; the parent's place, or FIXED and a body that does not move; twice the constraint, and one if the body is its B;
// what of the flags below holds.
@group(0) @binding(13) var<storage, read> nodes: array<vec4u>;
@group(0) @binding(14) var<storage, read> levels: array<u32>;
// Seven planes: A⁻¹ in two, G in three columns, D⁻¹ in two, T in their fourth places. Until a node's turn comes its M̂.
@group(0) @binding(15) var<storage, read_write> factors: array<vec4f>;
// Three planes: f̂, then u, then Δu, in two; z.
@group(0) @binding(16) var<storage, read_write> work: array<vec4f>;

// The whole of a symmetric 6×6 matrix: (A Bᵀ; B C).
struct Mass { a: Symmetric, b: mat3x3f, c: Symmetric }
struct Factors { a: Symmetric, g: mat3x3f, d: Symmetric, t: Symmetric }
struct Six { linear: vec3f, angular: vec3f }

// [l]×.
fn skew(l: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(0.0, l.z, -l.y), vec3f(-l.z, 0.0, l.x), vec3f(l.y, -l.x, 0.0));
}

// M of a body by itself.
fn own_mass(body: u32) -> Mass {
    let low = inverses[2u * body];
    let inverse_inertia = inertia(low, inverses[2u * body + 1u]);
    var turns = inverse(inverse_inertia, 0.0);
    if all(inverse_inertia.on == vec3f(0.0)) { turns = Symmetric(vec3f(NEVER_TURNS), vec3f(0.0)); }
    let nothing = mat3x3f(vec3f(0.0), vec3f(0.0), vec3f(0.0));
    return Mass(Symmetric(vec3f(1.0 / low.x), vec3f(0.0)), nothing, turns);
}

fn plus(m: Mass, n: Mass) -> Mass {
    return Mass(sum(m.a, n.a), m.b + n.b, sum(m.c, n.c));
}

fn stored_mass(slot: u32) -> Mass {
    let n = config.nodes;
    let columns = mat3x3f(factors[2u * n + slot].xyz, factors[3u * n + slot].xyz, factors[4u * n + slot].xyz);
    return Mass(
        Symmetric(factors[slot].xyz, factors[n + slot].xyz),
        columns,
        Symmetric(factors[5u * n + slot].xyz, factors[6u * n + slot].xyz),
    );
}

fn store_mass(slot: u32, m: Mass) {
    let n = config.nodes;
    factors[slot] = vec4f(m.a.on, 0.0);
    factors[n + slot] = vec4f(m.a.off, 0.0);
    factors[2u * n + slot] = vec4f(m.b[0], 0.0);
    factors[3u * n + slot] = vec4f(m.b[1], 0.0);
    factors[4u * n + slot] = vec4f(m.b[2], 0.0);
    factors[5u * n + slot] = vec4f(m.c.on, 0.0);
    factors[6u * n + slot] = vec4f(m.c.off, 0.0);
}

// The levers of a node's joint: its own, its parent's.
fn lever(joint: u32) -> vec3f {
    return rows[4u * (joint >> 1u) + (joint & 1u)].xyz;
}

fn lever_of_parent(joint: u32) -> vec3f {
    return rows[4u * (joint >> 1u) + 1u - (joint & 1u)].xyz;
}

@compute @workgroup_size(LANES)
fn factor(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let tree = own(id, groups);
    if tree >= levels[1] { return; }
    let n = config.nodes;
    var carried: Mass;
    for (var k = 0u; levels[k] + tree < levels[k + 1u]; k++) {
        let slot = levels[k] + tree;
        let node = nodes[slot];
        var m = own_mass(node.x);
        if (node.w & CARRIED) != 0u { m = plus(m, carried); }
        if (node.w & STORED) != 0u { m = plus(m, stored_mass(slot)); }
        let a = inverse(m.a, 0.0);
        let g = m.b * whole(a);
        let d = inverse(sum(m.c, minus(half(g * transpose(m.b)))), 0.0);
        var t = Symmetric(vec3f(0.0), vec3f(0.0));
        if node.z != NONE {
            let across = skew(lever(node.z)) - g;
            t = inverse(sum(a, half(transpose(across) * (whole(d) * across))), REDUNDANT);
            let arm = skew(lever_of_parent(node.z));
            let turned = arm * whole(t);
            carried = Mass(t, turned, half(turned * transpose(arm)));
        }
        factors[slot] = vec4f(a.on, t.on.x);
        factors[n + slot] = vec4f(a.off, t.on.y);
        factors[2u * n + slot] = vec4f(g[0], t.on.z);
        factors[3u * n + slot] = vec4f(g[1], t.off.x);
        factors[4u * n + slot] = vec4f(g[2], t.off.y);
        factors[5u * n + slot] = vec4f(d.on, t.off.z);
        factors[6u * n + slot] = vec4f(d.off, 0.0);
        if node.y < FIXED && (node.w & NEXT) == 0u {
            if (node.w & PUT) == 0u { carried = plus(carried, stored_mass(node.y)); }
            store_mass(node.y, carried);
        }
    }
}

fn factors_of(slot: u32) -> Factors {
    let n = config.nodes;
    let p = array<vec4f, 6>(
        factors[slot], factors[n + slot], factors[2u * n + slot], factors[3u * n + slot], factors[4u * n + slot],
        factors[5u * n + slot]);
    return Factors(
        Symmetric(p[0].xyz, p[1].xyz),
        mat3x3f(p[2].xyz, p[3].xyz, p[4].xyz),
        Symmetric(p[5].xyz, factors[6u * n + slot].xyz),
        Symmetric(vec3f(p[0].w, p[1].w, p[2].w), vec3f(p[3].w, p[4].w, p[5].w)),
    );
}

// M̂⁻¹ f.
fn moved(m: Factors, f: Six) -> Six {
    let angular = times(m.d, f.angular - m.g * f.linear);
    return Six(times(m.a, f.linear) - angular * m.g, angular);
}

// J u of a lever, and Jᵀ η.
fn at(u: Six, l: vec3f) -> vec3f {
    return u.linear + cross(u.angular, l);
}

fn pushed(l: vec3f, impulse: vec3f) -> Six {
    return Six(impulse, cross(l, impulse));
}

fn stored(slot: u32) -> Six {
    return Six(work[slot].xyz, work[config.nodes + slot].xyz);
}

fn store(slot: u32, u: Six) {
    work[slot] = vec4f(u.linear, 0.0);
    work[config.nodes + slot] = vec4f(u.angular, 0.0);
}

// ρ: the velocity of the joint's point on the parent less that on the body, and what is to be of it.
fn wrong(node: vec4u, l: vec3f, l_p: vec3f) -> vec3f {
    var parent = node.y & ~FIXED;
    if node.y < FIXED { parent = nodes[node.y].x; }
    let own = Six(velocities[2u * node.x].xyz, velocities[2u * node.x + 1u].xyz);
    let other = Six(velocities[2u * parent].xyz, velocities[2u * parent + 1u].xyz);
    let bias = rows[4u * (node.z >> 1u) + 2u].xyz;
    return at(other, l_p) - at(own, l) - select(-bias, bias, (node.z & 1u) == 1u);
}

// How many nodes the tree has.
fn down(tree: u32) -> u32 {
    var carried = Six(vec3f(0.0), vec3f(0.0));
    var k = 0u;
    for (; levels[k] + tree < levels[k + 1u]; k++) {
        let slot = levels[k] + tree;
        let node = nodes[slot];
        let m = factors_of(slot);
        var f = Six(vec3f(0.0), vec3f(0.0));
        if (node.w & CARRIED) != 0u { f = carried; }
        if (node.w & STORED) != 0u {
            let sums = stored(slot);
            f = Six(f.linear + sums.linear, f.angular + sums.angular);
        }
        let u = moved(m, f);
        store(slot, u);
        if node.z == NONE { continue; }
        let l = lever(node.z);
        let l_p = lever_of_parent(node.z);
        let z = times(m.t, wrong(node, l, l_p) - at(u, l));
        work[2u * config.nodes + slot] = vec4f(z, 0.0);
        carried = pushed(l_p, -z);
        if node.y < FIXED && (node.w & NEXT) == 0u {
            if (node.w & PUT) == 0u {
                let sums = stored(node.y);
                carried = Six(carried.linear + sums.linear, carried.angular + sums.angular);
            }
            store(node.y, carried);
        }
    }
    return k;
}

// What a node adds to λ on the way up, and its Δu.
struct Found { impulse: vec3f, u: Six }

fn up(slot: u32, node: vec4u, above: Six) -> Found {
    var u = stored(slot);
    if node.z == NONE { return Found(vec3f(0.0), u); }
    let m = factors_of(slot);
    var impulse = work[2u * config.nodes + slot].xyz;
    if node.y < FIXED {
        var parent = above;
        if (node.w & NEXT) == 0u { parent = stored(node.y); }
        impulse += times(m.t, at(parent, lever_of_parent(node.z)));
    }
    let by = moved(m, pushed(lever(node.z), impulse));
    u = Six(u.linear + by.linear, u.angular + by.angular);
    store(slot, u);
    return Found(select(-impulse, impulse, (node.z & 1u) == 1u), u);
}

@compute @workgroup_size(LANES)
fn first(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let tree = own(id, groups);
    if tree >= levels[1] { return; }
    var above: Six;
    for (var k = down(tree); k > 0u; k--) {
        let slot = levels[k - 1u] + tree;
        let node = nodes[slot];
        let found = up(slot, node, above);
        above = found.u;
        if node.z != NONE { multipliers[node.z >> 1u] += vec4f(found.impulse, 0.0); }
        velocities[2u * node.x] += vec4f(above.linear, 0.0);
        velocities[2u * node.x + 1u] += vec4f(above.angular, 0.0);
    }
}

@compute @workgroup_size(LANES)
fn again(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let tree = own(id, groups);
    if tree >= levels[1] { return; }
    var above: Six;
    for (var k = down(tree); k > 0u; k--) {
        let slot = levels[k - 1u] + tree;
        let node = nodes[slot];
        let found = up(slot, node, above);
        above = found.u;
        if node.z != NONE {
            let by = vec4f(found.impulse, 0.0);
            multipliers[node.z >> 1u] += by;
            others[node.z >> 1u] = by;
        }
    }
}
