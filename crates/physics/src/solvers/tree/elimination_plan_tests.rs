//! Tests of `elimination_plan.rs`.

use super::elimination_plan::*;

fn edge(a: u32, b: u32) -> Edge {
    let mass = |body: u32| if body == 0 { 0.0 } else { 1.0 };
    Edge { a, b, masses: (mass(a), mass(b)), mobility: (mass(a), mass(b)), count: 3 }
}

fn plan(edges: &[Edge], bodies: usize) -> EliminationPlan {
    let mut plan = EliminationPlan::default();
    plan.update(&mut Finder::default(), edges, bodies, true);
    plan
}

/// Each edge occurs once, each body once per tree, parents come after their children.
fn check(plan: &EliminationPlan, edges: &[Edge]) {
    let mut seen = vec![0; edges.len()];
    for tree in &plan.trees {
        let mut bodies = Vec::new();
        for (k, node) in tree.range().zip(&plan.nodes[tree.range()]) {
            bodies.push(node.body);
            if node.edge != NONE {
                seen[node.edge as usize] += 1;
                let edge = edges[node.edge as usize];
                assert_eq!(node.body, if node.second { edge.b } else { edge.a });
                let other = if node.second { edge.a } else { edge.b };
                if node.parent == NONE {
                    assert_eq!(other, 0, "a root hangs on the world");
                } else {
                    assert!(node.parent as usize > k && tree.range().contains(&(node.parent as usize)));
                    assert_eq!(plan.nodes[node.parent as usize].body, other);
                }
            } else {
                assert_eq!(node.parent, NONE);
            }
        }
        bodies.sort_unstable();
        assert!(bodies.windows(2).all(|w| w[0] != w[1]), "{bodies:?}");
    }
    assert_eq!(seen, vec![1; edges.len()]);
}

#[test]
fn a_chain_is_one_tree_with_its_root_at_the_world() {
    let edges: Vec<Edge> = (0..9).map(|i| edge(i, i + 1)).collect();
    let plan = plan(&edges, 10);
    check(&plan, &edges);
    assert_eq!(plan.trees.len(), 1);
    assert_eq!(plan.nodes.last().map(|n| (n.body, n.parent)), Some((1, NONE)));
}

/// A root joined to the world stays the root, even of one gram; a floating tree is rooted at its heaviest body, one
/// tonne.
#[test]
fn a_tree_that_floats_has_its_heaviest_body_for_its_root() {
    let heavy = |a, b, masses| Edge { masses, ..edge(a, b) };
    let floating = [heavy(1, 2, (1e-3, 1e-3)), heavy(2, 3, (1e-3, 1e3)), heavy(3, 4, (1e3, 1.0))];
    let hanging = [heavy(0, 1, (0.0, 1e-3)), heavy(1, 2, (1e-3, 1e3))];
    for (edges, root) in [(&floating[..], 3), (&hanging[..], 1)] {
        let plan = plan(edges, 5);
        check(&plan, edges);
        assert_eq!(plan.trees.len(), 1);
        assert_eq!(plan.nodes.last().map(|n| n.body), Some(root));
    }
}

/// With a million kilograms on one, the tree is cut into two, and the joint between them is rooted at the heavy body.
#[test]
fn a_tree_is_cut_where_too_much_hangs_on_too_little() {
    for mass in [1e4, 1e6] {
        let heavy = Edge { masses: (1.0, mass), mobility: (1.0, 1.0 / mass), ..edge(2, 3) };
        let below = Edge { masses: (mass, 1.0), mobility: (1.0 / mass, 1.0), ..edge(3, 4) };
        let edges = [edge(0, 1), edge(1, 2), heavy, below];
        let plan = plan(&edges, 5);
        check(&plan, &edges);
        let trees: Vec<Vec<u32>> =
            plan.trees.iter().map(|tree| plan.nodes[tree.range()].iter().map(|n| n.body).collect()).collect();
        if mass < 1e5 {
            assert_eq!(trees, [[4, 3, 2, 1]]);
        } else {
            assert_eq!(trees, [[2, 1], [4, 3], [2, 3]]);
        }
    }
}

#[test]
fn a_loop_is_a_tree_and_one_joint_that_closes_it() {
    let edges = [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0)];
    let plan = plan(&edges, 4);
    check(&plan, &edges);
    assert_eq!(plan.trees.iter().map(|t| t.range().len()).collect::<Vec<_>>(), [3, 1]);
}

#[test]
fn trees_of_random_graphs_hold_every_joint_once() {
    let mut state = 7u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % below
    };
    for round in 0..200 {
        let bodies = 2 + random(30);
        let edges: Vec<Edge> = (0..random(60))
            .map(|_| (random(bodies), random(bodies)))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| edge(a, b))
            .collect();
        let plan = plan(&edges, bodies as usize);
        check(&plan, &edges);
        let alone = plan.trees.iter().filter(|t| t.range().len() <= 2).count();
        assert!(alone <= edges.len(), "round {round}");
    }
}

#[test]
fn a_plan_is_kept_while_the_topology_stays() {
    let mut edges: Vec<Edge> = (0..5).map(|i| edge(i, i + 1)).collect();
    let mut plan = plan(&edges, 6);
    let before = plan.nodes.clone();
    plan.update(&mut Finder::default(), &edges, 6, true);
    assert_eq!(plan.nodes, before);
    edges.pop();
    plan.update(&mut Finder::default(), &edges, 6, true);
    assert_eq!(plan.nodes.len(), 4);
}
