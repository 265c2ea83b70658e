//! The rooms of `docs/architecture.md` know only those below them, and those of the interface only those before them in
//! their list: no circle of imports crosses a room.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms of the crate from below, those of one line side by side.
const ROOMS: &[&[&str]] = &[
    &["new_file"],
    &["physics", "figure"],
    &["scene", "gpu"],
    &["doctor", "render"],
    &["session", "verify"],
    &["lab", "opening"],
    &["ui"],
    &["app"],
    &["cli"],
];

/// Rooms of the interface, as above.
const UI: &[&[&str]] =
    &[&["view", "request", "selection", "notices"], &["widgets"], &["view3d"], &["editor"], &["panels"], &["shell"]];

/// The sources below a folder that are no tests.
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

/// The paths that a tree of imports stands for: `a::{b, c::d}` for `a::b` and `a::c::d`.
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

/// All that a source names from the crate's root, without its comments and its tests.
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

/// Where a room stands, and whether another may be named from it.
fn knows(rooms: &[&[&str]], from: &str, to: &str) -> Option<bool> {
    let level = |room: &str| rooms.iter().position(|level| level.contains(&room));
    let (own, other) = (level(from)?, level(to)?);
    // What the rooms of the interface have in common are the files of one room.
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
