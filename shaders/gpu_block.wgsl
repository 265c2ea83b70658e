// What a block asks of its two bodies, and what it does to them: `row.rs` and `bound.rs` of `crates/physics/src/kernel` for the
// lane's place (gpu_lanes.wgsl), row by row out of planes that neighbours read side by side. What the rows see is `seen`,
// what they have changed `change`; where it is `live`, each row sees what those before it have changed.

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
