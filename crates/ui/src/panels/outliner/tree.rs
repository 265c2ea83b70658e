//! The scene as a tree: bodies, patterns and parts with their members, joints, materials; and its visible rows. It is
//! rebuilt only when the scene, the search or an expansion changes.

use std::collections::{HashMap, HashSet};

use crate::view::View;
use delassus_scene::{Origin, Pattern};

/// What a row represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlinerItem {
    /// A heading.
    Section,
    /// A pattern or part of the scene; `None` for a copy within one.
    Group(Option<Origin>),
    /// By its number.
    Body(u32),
    /// By its index in the snapshot.
    Joint(usize),
    /// By its index in the scene.
    Material(usize),
}

/// A row of the tree; the nodes below it come directly after it.
#[derive(Clone, Debug)]
pub struct OutlinerNode {
    pub item: OutlinerItem,
    /// The shown name, without the group's name within a group.
    pub label: String,
    /// Its unique path, which also keys its expansion.
    pub path: String,
    pub depth: u16,
    /// Index of the first node that is not below it.
    pub end: usize,
}

/// The tree and its visible nodes.
#[derive(Clone, Debug, Default)]
pub struct OutlinerTree {
    pub nodes: Vec<OutlinerNode>,
    /// Indices of the visible nodes.
    pub rows: Vec<usize>,
    /// The session's counts of opened documents, generations and revisions that it is made from.
    made_from: Option<(u64, u64, u64)>,
    shown: Option<String>,
    /// Paths whose expansion differs from the initial one.
    turned: HashSet<String>,
}

impl OutlinerTree {
    /// Updates the tree after a change of the scene or the search.
    pub fn update(&mut self, view: &View<'_>, search: &str) {
        let now = (view.session.opened(), view.session.generation(), view.session.revision());
        if self.made_from != Some(now) {
            if self.made_from.is_none_or(|before| before.0 != now.0) {
                self.turned.clear();
            }
            self.made_from = Some(now);
            self.nodes = nodes(view);
            self.shown = None;
        }
        if self.shown.as_deref() != Some(search) {
            self.shown = Some(search.to_owned());
            self.rows = self.visible(search);
        }
    }

    /// Whether a node is expanded without a search. Initially sections are, groups are not.
    pub fn is_open(&self, node: &OutlinerNode) -> bool {
        (node.item == OutlinerItem::Section) != self.turned.contains(&node.path)
    }

    /// Expands or collapses a node.
    pub fn turn(&mut self, index: usize) {
        let path = self.nodes[index].path.clone();
        if !self.turned.remove(&path) {
            self.turned.insert(path);
        }
        self.shown = None;
    }

    /// Expands everything above an item, and returns its node.
    pub fn reveal(&mut self, item: OutlinerItem) -> Option<usize> {
        let index = self.nodes.iter().position(|node| node.item == item)?;
        let above: Vec<usize> = (0..index).filter(|i| self.nodes[*i].end > index).collect();
        for i in above {
            if !self.is_open(&self.nodes[i]) {
                self.turn(i);
            }
        }
        Some(index)
    }

    /// The numbers of the bodies at and below a node.
    pub fn bodies(&self, index: usize) -> impl Iterator<Item = u32> {
        let below = self.nodes.get(index..self.nodes[index].end).unwrap_or_default();
        below.iter().filter_map(|node| if let OutlinerItem::Body(id) = node.item { Some(id) } else { None })
    }

    /// Whether there are bodies at or below a node, and all of them satisfy this.
    pub fn all_bodies(&self, index: usize, holds: impl Fn(u32) -> bool) -> bool {
        let mut bodies = self.bodies(index).peekable();
        bodies.peek().is_some() && bodies.all(holds)
    }

    fn visible(&self, search: &str) -> Vec<usize> {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let mut rows = Vec::new();
        if words.is_empty() {
            let mut index = 0;
            while let Some(node) = self.nodes.get(index) {
                rows.push(index);
                index = if self.is_open(node) { index + 1 } else { node.end };
            }
            return rows;
        }
        // From the bottom: matches, and everything above them.
        let mut least = usize::MAX;
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let name = node.path.to_lowercase();
            let fits = node.item != OutlinerItem::Section && words.iter().all(|word| name.contains(word));
            if fits || least < node.end {
                rows.push(index);
                least = index;
            }
        }
        rows.reverse();
        rows
    }
}

/// The greatest depth to which groups are split.
const DEEPEST: u16 = 8;

/// A body or joint below a group, and what is left of its name there.
type Member<'a> = (OutlinerItem, &'a str);

fn nodes(view: &View<'_>) -> Vec<OutlinerNode> {
    let (snapshot, session, scene) = (view.snapshot, view.session, view.scene);
    let mut nodes = Vec::new();
    let (mut ungrouped, mut ungrouped_joints) = (Vec::new(), Vec::new());
    let mut groups: HashMap<Origin, Vec<Member<'_>>> = HashMap::new();
    for body in &snapshot.bodies {
        let member = (OutlinerItem::Body(body.id), &*body.name);
        match session.body_origin(body.id) {
            Some(origin @ (Origin::Pattern(_) | Origin::Part(_))) => groups.entry(origin).or_default().push(member),
            _ => ungrouped.push(member),
        }
    }
    for (index, joint) in snapshot.joints.iter().enumerate() {
        let member = (OutlinerItem::Joint(index), &*joint.name);
        match session.joint_origin(index) {
            Some(origin @ (Origin::Pattern(_) | Origin::Part(_))) => groups.entry(origin).or_default().push(member),
            _ => ungrouped_joints.push(member),
        }
    }
    let patterns = scene.patterns.iter().enumerate().map(|(i, p)| (Origin::Pattern(i), Pattern::name(p)));
    let parts = scene.parts.iter().enumerate().map(|(i, p)| (Origin::Part(i), p.name.as_str()));
    section(&mut nodes, "Bodies", |nodes| {
        ungrouped.iter().for_each(|member| leaf(nodes, 1, "", member));
        for (origin, name) in patterns.chain(parts) {
            let Some(members) = groups.get(&origin) else { continue };
            let inner = |(item, full): &Member<'_>| (*item, strip(name, full).to_owned());
            let inner: Vec<_> = members.iter().map(inner).collect();
            let label = if name.is_empty() { "part without a name" } else { name };
            group(nodes, 1, OutlinerItem::Group(Some(origin)), label, "", &inner);
        }
    });
    section(&mut nodes, "Joints", |nodes| ungrouped_joints.iter().for_each(|member| leaf(nodes, 1, "joint ", member)));
    section(&mut nodes, "Materials", |nodes| {
        for (index, material) in scene.materials.iter().enumerate() {
            leaf(nodes, 1, "material ", &(OutlinerItem::Material(index), material.name.as_str()));
        }
    });
    nodes
}

fn strip<'a>(group: &str, full: &'a str) -> &'a str {
    full.strip_prefix(group).map_or(full, |rest| rest.strip_prefix('.').unwrap_or(rest))
}

/// Adds a heading with its nodes, if there are any.
fn section(nodes: &mut Vec<OutlinerNode>, name: &str, below: impl FnOnce(&mut Vec<OutlinerNode>)) {
    let index = nodes.len();
    nodes.push(OutlinerNode {
        item: OutlinerItem::Section,
        label: String::new(),
        path: format!("#{name}"),
        depth: 0,
        end: 0,
    });
    below(nodes);
    let end = nodes.len();
    if end == index + 1 {
        nodes.pop();
        return;
    }
    let count =
        nodes[index..].iter().filter(|n| matches!(n.item, OutlinerItem::Body(_) | OutlinerItem::Material(_))).count();
    let count = if count == 0 { end - index - 1 } else { count };
    nodes[index].label = format!("{name}  {}", crate::widgets::number::count(count));
    nodes[index].end = end;
}

fn leaf(nodes: &mut Vec<OutlinerNode>, depth: u16, above: &str, (item, label): &Member<'_>) {
    let (label, path, end) = ((*label).to_owned(), format!("{above}{label}"), nodes.len() + 1);
    nodes.push(OutlinerNode { item: *item, label, path, depth, end });
}

/// Adds a group with its members. Members with a further dot in their names form groups of their own.
fn group(
    nodes: &mut Vec<OutlinerNode>,
    depth: u16,
    item: OutlinerItem,
    label: &str,
    above: &str,
    members: &[(OutlinerItem, String)],
) {
    let index = nodes.len();
    let path = format!("{above}{label}");
    nodes.push(OutlinerNode { item, label: label.to_owned(), path: path.clone(), depth, end: 0 });
    let inside = format!("{path}.");
    let mut within: Vec<(&str, Vec<(OutlinerItem, String)>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (item, name) in members {
        match name.split_once('.') {
            Some((first, rest)) if depth < DEEPEST => {
                let at = *known.entry(first).or_insert_with(|| {
                    within.push((first, Vec::new()));
                    within.len() - 1
                });
                within[at].1.push((*item, rest.to_owned()));
            }
            _ => leaf(nodes, depth + 1, &inside, &(*item, name.as_str())),
        }
    }
    for (name, members) in &within {
        group(nodes, depth + 1, OutlinerItem::Group(None), name, &inside, members);
    }
    nodes[index].end = nodes.len();
}
