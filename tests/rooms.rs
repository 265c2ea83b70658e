//! The top-level modules of the crate, called rooms in `docs/architecture.md`, import only from those below them, and
//! the modules of the interface only from those before them in their list: no cycle of imports crosses a room. Within
//! the rooms the cycles have the sizes listed here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the crate from the bottom; those on one line are on the same level.
const ROOMS: &[&[&str]] = &[
    &["new_file", "file_reader"],
    &["physics", "figure"],
    &["scene", "gpu"],
    &["doctor", "render"],
    &["session", "verify"],
    &["lab", "opening"],
    &["ui"],
    &["app"],
    &["cli"],
];

/// The rooms of the interface, as above.
const UI: &[&[&str]] =
    &[&["view", "request", "selection", "notices"], &["widgets"], &["view3d"], &["editor"], &["panels"], &["shell"]];

/// The source files below a folder, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a folder can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if name == "tests" || name == "bench" || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() { sources(&path, found) } else { found.push(path) }
    }
}

/// The paths that a tree of imports expands to: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn paths(tree: &str, before: &str, found: &mut Vec<String>) {
    let (mut depth, mut begin) = (0, 0);
    let mut branches = Vec::new();
    for (at, c) in tree.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&tree[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&tree[begin..]);
    for branch in branches.into_iter().map(str::trim).filter(|branch| !branch.is_empty()) {
        match branch.split_once('{') {
            Some((head, rest)) => paths(rest.strip_suffix('}').unwrap_or(rest), &format!("{before}{head}"), found),
            None => found.push(format!("{before}{branch}")),
        }
    }
}

/// Everything that a source file names from the crate's root, ignoring its comments and its tests.
fn named(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut found = Vec::new();
    for piece in code.join("\n").split("crate::").skip(1) {
        if piece.starts_with('{') {
            paths(piece.split(';').next().unwrap_or_default(), "", &mut found);
        } else {
            let tree = if piece.split("::").nth(1).is_some_and(|next| next.starts_with('{')) { ';' } else { '\n' };
            paths(piece.split(tree).next().unwrap_or_default(), "", &mut found);
        }
    }
    found
}

/// Whether one room may import from another; `None` if either is not listed.
fn knows(rooms: &[&[&str]], from: &str, to: &str) -> Option<bool> {
    let level = |room: &str| rooms.iter().position(|level| level.contains(&room));
    let (own, other) = (level(from)?, level(to)?);
    // The files shared by all rooms of the interface count as one room.
    Some(from == to || other < own || (own == other && own == 0))
}

#[test]
fn no_room_knows_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut wrong, mut seen) = (Vec::new(), Vec::new(), 0);
    sources(&root, &mut files);
    for file in &files {
        let inside = file.strip_prefix(&root).expect("below the root").with_extension("");
        let place: Vec<&str> = inside.iter().filter_map(|name| name.to_str()).collect();
        for path in named(&fs::read_to_string(file).expect("a source is text")) {
            let to: Vec<&str> = path.split("::").map(str::trim).collect();
            let room = knows(ROOMS, place[0], to[0]);
            let within = (place[0] == "ui" && to[0] == "ui" && to.len() > 1 && place.len() > 1)
                .then(|| knows(UI, place[1], to[1]))
                .flatten();
            seen += usize::from(room.is_some());
            if room == Some(false) || within == Some(false) {
                wrong.push(format!("{} names {path}", inside.display()));
            }
        }
    }
    assert!(seen > 1000, "{seen} imports: they were not found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A module as a path from the root of the crate.
type Module = Vec<String>;

/// The imports of a source file: whether each is re-exported by `pub use`, and its path from the root of the crate.
fn imports(text: &str, own: &Module, modules: &BTreeSet<Module>) -> Vec<(bool, Module)> {
    let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut found = Vec::new();
    for statement in code.join("\n").split(';') {
        let Some(at) = statement.find("use ").filter(|at| !statement[..*at].ends_with(char::is_alphanumeric)) else {
            continue;
        };
        let mut list = Vec::new();
        paths(&statement[at + 4..], "", &mut list);
        for path in list {
            let mut names: Vec<String> = path.split("::").map(|name| name.trim().to_owned()).collect();
            let mut base = own.clone();
            match names[0].as_str() {
                "crate" => base.clear(),
                "self" => {}
                "super" => {
                    while names.first().is_some_and(|name| name == "super") {
                        base.pop();
                        names.remove(0);
                    }
                    names.insert(0, String::new());
                }
                child if modules.contains(&[own.clone(), vec![child.to_owned()]].concat()) => {
                    names.insert(0, String::new());
                }
                _ => continue,
            }
            base.extend(names.drain(1..).filter(|name| name != "self"));
            found.push((statement[..at].trim_end().ends_with("pub") || statement[..at].contains("pub("), base));
        }
    }
    found
}

/// The module in which the item of this path is defined, following re-exports.
fn home(
    path: &[String],
    modules: &BTreeSet<Module>,
    handed_on: &BTreeMap<Module, Module>,
    depth: u32,
) -> Option<Module> {
    let known = (1..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| modules.contains(module))?;
    let name = path.get(..=known.len()).map(<[String]>::to_vec);
    match name.and_then(|name| handed_on.get(&name)) {
        Some(from) if depth < 4 => home(from, modules, handed_on, depth + 1),
        _ => Some(known),
    }
}

/// The largest number of files in a room that import each other in a cycle. Numbers that have become smaller must be
/// lowered here.
const CIRCLES: &[(&str, usize)] = &[
    ("app", 3),
    ("doctor", 3),
    ("gpu", 2),
    ("lab", 2),
    ("physics", 63),
    ("render", 2),
    ("scene", 5),
    ("session", 5),
    ("ui", 15),
    ("verify", 2),
];

#[test]
fn circles_of_imports_inside_a_room_do_not_grow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let module = |file: &Path| -> Module {
        let inside = file.strip_prefix(&root).expect("below the root").with_extension("");
        let names = inside.iter().filter_map(|name| name.to_str());
        names.filter(|name| *name != "mod").map(str::to_owned).collect()
    };
    let modules: BTreeSet<Module> = files.iter().map(|file| module(file)).collect();
    let read: Vec<(Module, Vec<(bool, Module)>)> = files
        .iter()
        .map(|file| {
            let own = module(file);
            let list = imports(&fs::read_to_string(file).expect("a source is text"), &own, &modules);
            (own, list)
        })
        .collect();
    let mut handed_on = BTreeMap::new();
    for (own, list) in &read {
        for (_, path) in list.iter().filter(|(public, _)| *public) {
            let name = path.last().expect("a path has a name").clone();
            handed_on.insert([own.clone(), vec![name]].concat(), path.clone());
        }
    }
    let mut known: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (own, list) in &read {
        // A module does not depend on what it only re-exports.
        let private = list.iter().filter(|(public, _)| !public);
        let homes = private.filter_map(|(_, path)| home(path, &modules, &handed_on, 0));
        known.entry(own.clone()).or_default().extend(homes.filter(|home| home != own));
    }
    let reached = |from: &Module| {
        let (mut reached, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = next.pop() {
            let more = known[&module].iter().filter(|other| other[0] == from[0]);
            next.extend(more.filter(|other| reached.insert((*other).clone())).cloned());
        }
        reached
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> = modules.iter().map(|module| (module, reached(module))).collect();
    let mut largest: BTreeMap<&str, usize> = BTreeMap::new();
    for (module, reached) in &all {
        let circle = reached.iter().filter(|other| all[other].contains(*module)).count();
        let most = largest.entry(module[0].as_str()).or_default();
        *most = (*most).max(circle);
    }
    let edges: usize = known.values().map(BTreeSet::len).sum();
    assert!(edges > 1500, "{edges} imports: they were not found");
    largest.retain(|_, circle| *circle > 1);
    let now: Vec<(&str, usize)> = largest.into_iter().collect();
    assert_eq!(now, CIRCLES, "files of the largest circle: what has grown is to be opened, what has shrunk to be kept");
}
