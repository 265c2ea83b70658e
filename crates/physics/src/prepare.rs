//! Turns joints and contacts into rows: jacobians at the present poses, effective masses, biases, bounds, and the
//! impulses to start from.

use glam::{Mat3A, Vec3A};

use super::angular_cap;
use super::body::Body;
use super::capstan;
use super::effective_mass::{block_inverse, block_mass, inverses, rigid_block_mass, row, row_between};
use super::graph;
use super::joint::{Joint, is_anchor};
use super::mechanisms;
use super::motor_target::correct;
use super::primitives::contact;
use super::rattle::state::acted;
use super::relax;
use super::resistance;
use super::rotor;
use super::row::{Block, Coupling, Group, JointFrames, Owner, Resistance, Row, RowId, RowKind, RowSpec};
use super::servo;
use super::settings::{LimitForm, RowSolve, Settings, Stabilization};
use super::shake;
use super::softness;
use super::solvers::extra_sweeps;
use super::solvers::properties;
use super::solvers::tree;
use super::solvers::wide::contacts::list;
use super::stabilize;
use super::system::System;
use super::velocity::Velocity;
use super::world::state::State;

/// Makes all rows of a sub-step of `h` seconds from `start`, s, on at the present poses. If `listed`, contacts make single rows in place of
/// packed ones. `without_impacts`: the impulses of the last rows without their impacts, if there were any.
pub(crate) fn prepare(
    settings: &Settings,
    state: &State,
    system: &mut System,
    without_impacts: Option<&[f32]>,
    listed: bool,
    (start, h): (f64, f32),
) {
    let bodies = &state.bodies;
    let shifts = state.contacts.shared.shifts();
    if shifts.is_some() {
        contact::copy_rows(system, without_impacts);
    }
    system.clear();
    angular_cap::mark_capped(&mut system.capped, bodies, settings);
    joints(settings, state, system, (start, h));
    let manifolds = state.contacts.manifolds();
    let bearing = manifolds
        .filter(|(.., manifold)| manifold.points.iter().any(|point| point.separation <= 0.0 || point.impulse > 0.0));
    let bearing = bearing.map(|(a, b, _)| [a, b]);
    let System { blocks, trees, jointed_contacts, .. } = &mut *system;
    jointed_contacts.find_units(settings, (trees, blocks), bearing, bodies.len());
    match shifts {
        Some(_) if !system.contacts.is_empty() => system.contacts.carry(settings, h),
        Some(shifts) => contact::carry(settings, state, system, shifts, h),
        None => {
            let with_rows = !settings.has_impact_contacts();
            system.contact_order.find(settings, state);
            if listed || !with_rows || !list::fill(settings, state, system, h) {
                system.contacts.clear();
                if with_rows {
                    contact::rows(settings, state, system, h);
                }
            }
        }
    }
    relax::stiffen_for_loads(settings, system, h);
    if stabilize::defers_friction(&stabilize::settings_of_contacts(settings)) {
        relax::defer_friction(system);
    }
    if let Some(mouse_joint) = &state.mouse_joint {
        super::mouse_joint::rows::rows(mouse_joint, bodies, system, h);
    }
    super::confine::rows::rows(settings, state, system);
    let System { blocks, trees, jointed_contacts, .. } = &mut *system;
    jointed_contacts.list(blocks, trees);
    let end = |body: u32| if bodies[body as usize].is_dynamic() { body } else { graph::NONE };
    let System { graph, blocks, contacts, stack, .. } = system;
    let edges = blocks.iter().map(|block| [end(block.a), end(block.b)]);
    let has_changed = graph.update(bodies.len(), edges.clone().chain(contacts.edges()));
    if !extra_sweeps::may_be_slender(settings, blocks.len() + contacts.count()) {
        stack.clear();
    } else if has_changed || !stack.is_known() {
        let is_contact = |block: &Block| matches!(block.owner, Owner::Contact(_));
        let edges = edges.zip(blocks.iter().map(is_contact));
        stack.find(graph, edges.chain(contacts.edges().map(|edge| (edge, true))));
    }
}

fn joints(settings: &Settings, state: &State, system: &mut System, (start, h): (f64, f32)) {
    let warm = settings.warm_joints();
    let increments = settings.formulation.limit == LimitForm::Increment;
    let mut list = std::mem::take(&mut system.list);
    for (index, joint) in state.joints.iter().enumerate() {
        system.joint_rows.push(system.rows.len() as u32);
        if joint.broken.is_some() {
            continue;
        }
        let (ia, ib) = (joint.def.a, joint.def.b);
        if state.sleep.is_idle((ia, ib), &state.bodies, &state.velocities) {
            continue;
        }
        let [a, b] = [ia, ib].map(|body| inverses(&state.bodies[body as usize]));
        let joint_settings = &*stabilize::settings_of(joint, settings);
        let (first_block, first_row) = (system.blocks.len() as u32, system.rows.len());
        system.positions |= joint_settings.stabilization.method == Stabilization::Nonlinear;
        let frames = joint.frames_in_form(&state.bodies, joint_settings);
        let by_time = [0.0, h].map(|from| joint.factor(start + f64::from(from)));
        joint.rows(&JointFrames { by_time, ..frames }, &mut list);
        if increments {
            list.rows.retain(|spec| !is_idle(spec));
        }
        for group in groups(&list.rows, joint_settings) {
            let first = system.rows.len() as u32;
            for spec in group {
                let speed = || spec.speed(&state.velocities[ia as usize], &state.velocities[ib as usize]);
                let kind = resistance::as_drive(spec.kind, speed);
                let mut row = row_between(&spec.jacobian, &a, &b);
                let mut closing = shake::closing(spec, joint_settings, h);
                let kind = capstan::as_drive(kind, |share, slot| {
                    tension(settings, state, system, (joint, first_row), (&row, share, slot), h)
                });
                let linear = !spec.jacobian.is_angular();
                let target = stabilize::target(kind, spec.group, linear, joint_settings, h);
                (row.bias, row.pseudo_bias, row.lo, row.hi) = (target.bias, target.pseudo_bias, target.lo, target.hi);
                let spring = match spec.kind {
                    RowKind::Soft { c, softness, .. } => Some(((c, Some(speed())), softness)),
                    RowKind::SoftStop { c, softness, .. } => Some(((c, None), softness)),
                    _ => None,
                };
                if let Some((error, softness)) = spring {
                    let [a, b] = [ia, ib].map(|body| &*state.bodies[body as usize]);
                    let mass = softness::spring_mass(spec, &list.rows, joint.reference, a, b);
                    if !softness::soften(&mut row, error, (softness, mass), joint_settings, h) {
                        continue;
                    }
                }
                if let RowKind::Servo(own) = kind {
                    let [a, b] = [ia, ib].map(|body| &*state.bodies[body as usize]);
                    let mass = softness::spring_mass(spec, &list.rows, joint.reference, a, b);
                    if !servo::soften(&mut row, own, mass, h) {
                        continue;
                    }
                }
                if let RowKind::Resist(resistance) = kind {
                    let [a, b] = [ia, ib].map(|body| &*state.bodies[body as usize]);
                    let moved = softness::spring_mass(spec, &list.rows, joint.reference, a, b).moved;
                    let start = match resistance {
                        Resistance::Armature { .. } => {
                            let ends = (&state.velocities[ia as usize], &state.velocities[ib as usize]);
                            let rotor = rotor::speed(spec, &frames, ends, h);
                            closing = shake::closing_of_rotor(spec, rotor.before, joint_settings);
                            rotor.before - rotor.ahead
                        }
                        _ => speed(),
                    };
                    if !resistance::soften(&mut row, resistance, moved, start, h) {
                        continue;
                    }
                }
                relax::soften(system, &mut row, target.softness, joint_settings.stabilization.relax);
                row.impulse = (warm * joint.impulses[spec.slot as usize]).clamp(row.lo, row.hi);
                system.rows.push(row);
                system.ids.push(RowId::Joint { joint: index as u32, slot: spec.slot, group: spec.group });
                system.closing.push(closing);
            }
            close_block(settings, state, system, index as u32, group, first);
        }
        correct::register(state, system, &list.rows, (index as u32, first_block), joint_settings, h);
    }
    system.joint_rows.push(system.rows.len() as u32);
    system.list = list;
    mechanisms::select(settings, state, system);
    correct::collect_blocks(system);
    system.trees.plan(state.bodies.len(), settings.solver.rows.takes_trees());
    system.trees.mechanisms.measure_turns(&state.velocities, h);
    system.trees.factor(&system.rows, &state.bodies, &[]);
}

/// Splits the rows of a joint into those of one block each: the rows of one group, or all rows where they are swept
/// among themselves. A drive that keeps to its target is corrected in a block of its own (`motor_target/`).
fn groups<'a>(specs: &'a [RowSpec], settings: &Settings) -> impl Iterator<Item = &'a [RowSpec]> {
    let inner = settings.solver.rows == RowSolve::Inner;
    let held = matches!(settings.stabilization.method, Stabilization::Split | Stabilization::Nonlinear);
    specs.chunk_by(move |r, s| r.group == s.group || (inner && !(held && s.group == Group::Motor)))
}

/// Makes a block of the joint's rows from `first` on, and chooses how it is solved.
fn close_block(settings: &Settings, state: &State, system: &mut System, index: u32, group: &[RowSpec], first: u32) {
    let count = system.rows.len() as u32 - first;
    if count == 0 {
        return;
    }
    let joint = &state.joints[index as usize];
    let (a, b) = (joint.def.a, joint.def.b);
    let at_once = settings.solver.rows == RowSolve::Joint || settings.solver.rows.takes_trees();
    // The rows of a tree relax together, in the world's number of sweeps. A joint with its own number stays out.
    let alike = joint.def.options.stabilization.is_none_or(|options| options.relax.is_none());
    let coupling = if at_once && alike && join(state, system, index, group, first) {
        Coupling::Tree
    } else if settings.solver.rows == RowSolve::Inner && count > 1 {
        system.couplings.shares.push([1.0; 2]);
        let after = settings.formulation.limit == LimitForm::Increment;
        Coupling::Inner { shares: system.couplings.shares.len() as u32 - 1, after }
    } else {
        couple(group, settings, &system.rows[first as usize..], &mut system.couplings.inverses)
    };
    let pseudo = system.rows[first as usize..].iter().any(Row::is_split);
    let owner = Owner::Joint(index);
    system.blocks.push(Block { owner, a, b, first, count, coupling, pseudo, in_drive_block: false });
}

/// The tension of the rope that a friction row of a joint rubs with, N: that of the sub-step before, or of a rope that was slack
/// the first pull. `share` and `slot` are those of [`Resistance::Capstan`]; the joint's rows begin at `first_row`.
fn tension(
    settings: &Settings,
    state: &State,
    system: &System,
    (joint, first_row): (&Joint, usize),
    (rubs, share, slot): (&Row, f32, u8),
    h: f32,
) -> f32 {
    let before = joint.impulses[slot as usize].abs();
    if before > 0.0 {
        return before / acted(&state.rattle, joint, &state.bodies, h);
    }
    let is_rope = |id: &RowId| matches!(id, RowId::Joint { slot: other, .. } if *other == slot);
    let Some(rope) = system.ids[first_row..].iter().position(is_rope) else { return 0.0 };
    let fall = Vec3A::from(settings.step.gravity) * h;
    let falling = |body: u32, inv_mass| capstan::pulled_down(&state.velocities[body as usize], inv_mass, fall);
    let (a, b) = (falling(joint.def.a, rubs.inv_ma), falling(joint.def.b, rubs.inv_mb));
    capstan::first_pull(&system.rows[first_row + rope], rubs, share, &a, &b) / h
}

/// Makes the rows by which RATTLE closes the velocities at the end of a step, at the present poses: those along which
/// joints allow no motion, those of taut ropes over sheaves and on drums, and those of drives that kept their speed over
/// `h` seconds, which are drives below their cap of which `keeps` says so, by joint and slot. Dampers act for the seconds
/// of `damped` from its velocities on. `share` gives for each joint the share of the step's impulses from which its rows
/// start; `None` leaves the joint out. The step ends at `time`, s.
pub fn closing(
    settings: &Settings,
    state: &State,
    system: &mut System,
    (share, keeps): (impl Fn(usize) -> Option<f32>, impl Fn(usize, u8) -> bool),
    (time, h, damped): (f64, f32, (&[Velocity], f32)),
) {
    system.clear();
    system.contacts.clear();
    let mut list = std::mem::take(&mut system.list);
    for (index, joint) in state.joints.iter().enumerate() {
        system.joint_rows.push(system.rows.len() as u32);
        let Some(share) = share(index) else { continue };
        let (a, b) = (&state.bodies[joint.def.a as usize], &state.bodies[joint.def.b as usize]);
        let settings = &*stabilize::settings_of(joint, settings);
        let frames = joint.frames_in_form(&state.bodies, settings);
        let factor = joint.factor(time);
        joint.rows(&JointFrames { by_time: [factor; 2], ..frames }, &mut list);
        list.rows.iter_mut().for_each(|spec| {
            let kind = resistance::as_drive(spec.kind, || 0.0);
            spec.kind = capstan::as_drive(kind, |_, slot| joint.impulses[slot as usize].abs() / h);
        });
        list.rows.retain(|spec| match spec.kind {
            RowKind::Equal { .. } => true,
            RowKind::Drive { cap, .. } => joint.impulses[spec.slot as usize].abs() < cap * h && keeps(index, spec.slot),
            // A rope that pulls keeps pulling.
            RowKind::AtMost { .. } => joint.def.kind.is_taut_at_end() && joint.impulses[spec.slot as usize] < 0.0,
            // Where the forces have no half kick, the damper has none.
            RowKind::Resist(Resistance::Damper { .. }) => share > 0.0,
            _ => false,
        });
        for group in groups(&list.rows, settings) {
            let first = system.rows.len() as u32;
            for spec in group {
                let mut row = row(&spec.jacobian, a, b);
                match spec.kind {
                    RowKind::Drive { speed, cap, .. } => (row.bias, row.lo, row.hi) = (-speed, -cap * h, cap * h),
                    RowKind::Resist(own) => {
                        let (velocities, h) = damped;
                        let speed = spec.speed(&velocities[joint.def.a as usize], &velocities[joint.def.b as usize]);
                        let moved = softness::spring_mass(spec, &list.rows, joint.reference, a, b).moved;
                        if !resistance::soften(&mut row, own, moved, speed, h) {
                            continue;
                        }
                    }
                    RowKind::AtMost { .. } => {
                        (row.hi, row.impulse) = (0.0, share * joint.impulses[spec.slot as usize]);
                    }
                    _ => row.impulse = share * joint.impulses[spec.slot as usize],
                }
                system.rows.push(row);
                system.ids.push(RowId::Joint { joint: index as u32, slot: spec.slot, group: spec.group });
            }
            close_block(settings, state, system, index as u32, group, first);
        }
    }
    system.joint_rows.push(system.rows.len() as u32);
    system.list = list;
    mechanisms::select(settings, state, system);
    system.trees.plan(state.bodies.len(), settings.solver.rows.takes_trees());
    system.trees.mechanisms.measure_turns(&state.velocities, h);
    system.trees.factor(&system.rows, &state.bodies, &[]);
}

/// Adds the group of rows that begins at `first` to the rows of its joint or tree that are solved together; returns
/// whether it could be added. Left out are groups that are not all equalities or that follow such a group, bodies
/// confined to a plane, whose inverse inertia is singular, and small bodies on a lever so long that 32 bits cannot
/// hold both their linear and their angular mobility.
fn join(state: &State, system: &mut System, joint: u32, group: &[RowSpec], first: u32) -> bool {
    let System { rows, trees, joint_rows, .. } = system;
    let def = &state.joints[joint as usize].def;
    let (a, b) = (def.a, def.b);
    let count = rows.len() as u32 - first;
    let equal = group.iter().all(|spec| matches!(spec.kind, RowKind::Equal { .. } | RowKind::Track { .. }));
    let confined = |body: u32| state.planes.binary_search_by_key(&body, |plane| plane.body).is_ok();
    if !equal || confined(a) || confined(b) {
        return false;
    }
    let begins = joint_rows.last() == Some(&first);
    let known = trees.first_row.last().copied().filter(|known| joint_rows.last() == Some(known) && !begins);
    match (known, trees.edges.last_mut()) {
        // A later group that follows directly on the joint's rows in the tree.
        (Some(known), Some(edge)) if known + edge.count == first && edge.count + count <= tree::ROWS as u32 => {
            edge.count += count;
        }
        (None, _) if begins && count <= tree::ROWS as u32 => {
            let (body_a, body_b) = (&state.bodies[a as usize], &state.bodies[b as usize]);
            if !body_a.is_dynamic() && !body_b.is_dynamic() {
                return false;
            }
            let mass = |body: &Body| if body.is_dynamic() { body.mass } else { 0.0 };
            let masses = (mass(body_a), mass(body_b));
            let mobility = (body_a.inverse_mass_at(def.anchor_a), body_b.inverse_mass_at(def.anchor_b));
            if masses.0 * mobility.0 > tree::MAX_MOBILITY || masses.1 * mobility.1 > tree::MAX_MOBILITY {
                return false;
            }
            trees.add(tree::Edge { a, b, masses, mobility, count }, first);
        }
        _ => return false,
    }
    true
}

/// Whether a row is that of a stop.
fn is_stop(spec: &RowSpec) -> bool {
    matches!(spec.group, Group::Limit | Group::Swing)
}

/// Whether a stop is not reached. The book makes no row for such a stop.
fn is_idle(spec: &RowSpec) -> bool {
    let met = match spec.kind {
        RowKind::AtMost { c } => c > 0.0,
        RowKind::AtLeast { c } => c < 0.0,
        _ => true,
    };
    is_stop(spec) && !met
}

/// Chooses how a group of rows is solved: the three rows of an anchor as one block, whose inverse goes into
/// `inverses`, other rows one by one.
pub(super) fn couple(specs: &[RowSpec], settings: &Settings, rows: &[Row], inverses: &mut Vec<Mat3A>) -> Coupling {
    let at_once = !matches!(settings.solver.rows, RowSolve::Scalar | RowSolve::Inner);
    if at_once && is_anchor(specs) && rows.len() == specs.len() {
        let soft = rows[0].gamma > 0.0;
        if soft && properties::of(settings.solver.method).recipe && !is_spring(&specs[0]) {
            return even(rows, inverses);
        }
        let k = block_mass(rows, 1.0, 1.0);
        if let Some(inverted) = block_inverse(&k) {
            inverses.push(inverted);
            let inverse = inverses.len() as u32 - 1;
            return if soft { Coupling::SoftAnchor { inverse } } else { Coupling::Anchor { inverse } };
        }
    }
    if settings.formulation.limit == LimitForm::Increment && is_stop(&specs[0]) {
        return Coupling::Increments;
    }
    Coupling::Rows
}

/// Whether a row is a spring of its own, and not an anchor that stabilisation makes soft.
fn is_spring(spec: &RowSpec) -> bool {
    matches!(spec.kind, RowKind::Soft { .. } | RowKind::SoftStop { .. } | RowKind::Servo(_))
}

/// Three rows of equal softness γ/K as one system.
fn even(rows: &[Row], inverses: &mut Vec<Mat3A>) -> Coupling {
    let share = rows[0].gamma * rows[0].inv_k;
    let Some(inverse) = block_inverse(&rigid_block_mass(rows)) else { return Coupling::Rows };
    inverses.push(inverse * (1.0 - share));
    Coupling::EvenAnchor { inverse: inverses.len() as u32 - 1, share }
}
